"""Draws pictures of a few things, with their truth."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from domains.scenes.fills import Colour, Fill, new_fill
from domains.scenes.light import new_ground, new_light, spoil
from domains.scenes.shapes import UNLIKE, Mask, overlap

CONTRAST = 64.0
"""Least distance in one channel of a thing's colours from the ground's, and of colours from each other."""


@dataclass(frozen=True)
class Style:
    """How pictures of a kind are drawn. Shares are of pictures."""

    things: tuple[int, int] = (1, 15)
    """Fewest and most."""
    sizes: tuple[float, float] = (0.06, 0.45)
    """Long side of a thing as a share of the picture's shorter side."""
    touching: float = 0.25
    """Share with things that touch or overlap by a pixel."""
    close: float = 0.25
    """Share with things 1–2 pixels apart."""
    fills: tuple[float, float, float] = (0.5, 0.25, 0.25)
    """Odds of plain things, of two colours, and of many parts."""
    plain_ground: float = 0.4
    light: float = 0.5
    """Share with uneven or tinted light."""
    spoilt: float = 1.0
    """How much cameras and files do, 0–1."""
    corruption: tuple[str, float] | None = None
    """One disturbance alone, by name and strength, instead of the random ones."""


@dataclass
class Drawn:
    """A picture and what it shows."""

    pixels: NDArray[np.uint8]
    """(H, W, 3)."""
    owner: NDArray[np.uint8]
    """(H, W): the number of the thing that each pixel shows, from 1; 0 is ground."""
    shapes: list[int] = field(default_factory=list)
    """Of each thing, which of the shapes given."""
    colours: list[int] = field(default_factory=list)
    looks: list[int] = field(default_factory=list)
    """Equal numbers are equal colours or looks, within this picture."""
    sizes: list[int] = field(default_factory=list)
    """Equal numbers are equal sizes; unlike ones differ by a quarter at least."""


def draw(
    height: int, width: int, groups: list[list[tuple[int, Mask]]], style: Style, rng: np.random.Generator
) -> Drawn:
    """A picture of things whose shapes are from `groups`: near twins, each with its number."""
    ground, ground_colour = new_ground(height, width, rng, plain=rng.random() < style.plain_ground)
    kinds = _kinds(groups, ground_colour, style, rng)
    sizes = _sizes(min(height, width), style, rng)
    count = (
        int(rng.integers(style.things[0], style.things[1] + 1))
        if rng.random() < 0.7
        else int(rng.integers(style.things[0], min(6, style.things[1]) + 1))
    )
    way = rng.random()
    gaps = (-1, 0) if way < style.touching else (1, 2) if way < style.touching + style.close else ()
    drawn = Drawn(np.zeros((0, 0, 3), np.uint8), np.zeros((height, width), np.uint8))
    picture = ground
    for _ in range(count):
        number, mask, colour, look, fill = kinds[rng.integers(len(kinds))]
        which = int(rng.integers(len(sizes)))
        long = sizes[which]
        size = (max(3, round(long * mask.shape[0] / 64)), max(3, round(long * mask.shape[1] / 64)))
        paint, cover = fill.draw(mask, *size, seed=look)
        solid = cover > 0.5
        if solid.sum() < 8:
            continue
        gap = int(rng.choice(gaps)) if gaps and rng.random() < 0.75 else None
        place = _place(drawn.owner, solid, gap, rng)
        if place is None:
            continue
        rows, columns = slice(place[0], place[0] + size[0]), slice(place[1], place[1] + size[1])
        patch = picture[rows, columns]
        patch += cover[..., None] * (paint - patch)
        drawn.owner[rows, columns][solid] = len(drawn.shapes) + 1
        drawn.shapes.append(number)
        drawn.colours.append(colour)
        drawn.looks.append(look)
        drawn.sizes.append(which)
    if style.corruption is not None:
        drawn.pixels = disturbed(picture, style.corruption, rng)
        return drawn
    light = new_light(height, width, rng) if rng.random() < style.light else None
    if light is not None:
        picture = picture * light
    drawn.pixels = spoil(picture, rng, strength=style.spoilt)
    return drawn


def disturbed(
    picture: NDArray[np.float32], corruption: tuple[str, float], rng: np.random.Generator
) -> NDArray[np.uint8]:
    """The picture with one disturbance: noise (deviation, of 1), jpeg (quality), gradient or shadow (depth of the light),
    or `all`: noise .03, JPEG, gradient .2 and shadow .2 at once (its strength says nothing)."""
    from domains.scenes.light import as_jpeg, ramp

    name, strength = corruption
    height, width = picture.shape[:2]
    names = ("gradient", "shadow", "noise", "jpeg") if name == "all" else (name,)
    strengths = {"gradient": 0.2, "shadow": 0.2, "noise": 0.03, "jpeg": 75.0} if name == "all" else {name: strength}
    for each in names:
        if each == "gradient":
            picture = picture * (1 + 2 * strengths[each] * ramp(height, width, rng))[..., None]
        elif each == "shadow":
            edge = ramp(height, width, rng) + rng.uniform(-0.2, 0.2)
            picture = picture * (1 - strengths[each] / (1 + np.exp(-edge * rng.uniform(8, 60))))[..., None]
        elif each == "noise":
            picture = picture + rng.standard_normal(picture.shape, dtype=np.float32) * strengths[each] * 255
    pixels = np.clip(picture + 0.5, 0, 255).astype(np.uint8)
    return as_jpeg(pixels, int(strengths["jpeg"])) if "jpeg" in names else pixels


def _kinds(
    groups: list[list[tuple[int, Mask]]], ground: NDArray[np.float32], style: Style, rng: np.random.Generator
) -> list[tuple[int, Mask, int, int, Fill]]:
    """What may stand in a picture: number and mask of a shape, number of its colours and of its look, and its fill."""
    offered = [shape for group in groups for shape in group]
    shapes: list[tuple[int, Mask]] = []
    for at in rng.permutation(len(offered))[: rng.integers(1, 6)]:
        if all(overlap(offered[at][1], mask) < UNLIKE for _, mask in shapes):
            shapes.append(offered[at])
    palette = new_colours(int(rng.integers(2, 6)), ground, rng)
    fills: dict[tuple[int, str], Fill] = {}  # those of the same colours and pattern might look the same
    for _ in range(rng.integers(1, 5)):
        kind = ("plain", "two", "many")[rng.choice(3, p=style.fills)]
        chosen = rng.permutation(len(palette))[: 1 if kind == "plain" else 2 if kind == "two" else rng.integers(2, 5)]
        fill = new_fill([palette[i] for i in chosen], [mask for _, mask in shapes], kind, rng)
        fills.setdefault((sum(1 << int(i) for i in chosen), kind if kind == "many" else fill.pattern), fill)
    filled = [(colour, fill) for (colour, _), fill in fills.items()]
    kinds = []
    for _ in range(rng.integers(1, 7)):
        at, of = int(rng.integers(len(shapes))), int(rng.integers(len(filled)))
        kinds.append((*shapes[at], filled[of][0], at * len(filled) + of, filled[of][1]))
    return kinds


def new_colours(n: int, ground: NDArray[np.float32], rng: np.random.Generator) -> list[Colour]:
    """`n` colours that are clear of the ground and of each other."""
    found: list[NDArray[np.float64]] = []
    while len(found) < n:
        if rng.random() < 0.6:
            colour = rng.choice([0.0, 128.0, 255.0], 3) * rng.uniform(0.8, 1) + rng.uniform(0, 20, 3)
        else:
            colour = rng.uniform(0, 255, 3)
        colour = np.clip(colour, 0, 255)
        if all(np.abs(colour - other).max() >= CONTRAST for other in (ground, *found)):
            found.append(colour)
    return [(float(r), float(g), float(b)) for r, g, b in found]


def _sizes(short: int, style: Style, rng: np.random.Generator) -> list[float]:
    """Long sides that things of one picture have, in pixels, each a quarter above the one before at least."""
    low, high = max(style.sizes[0] * short, 5), style.sizes[1] * short
    size = float(np.exp(rng.uniform(np.log(low), np.log(high * 0.8))))
    sizes = [size]
    for _ in range(rng.integers(0, 4)):
        size *= rng.uniform(1.25, 1.7)
        if size > high:
            break
        sizes.append(size)
    return sizes


def _place(
    owner: NDArray[np.uint8], solid: NDArray[np.bool_], gap: int | None, rng: np.random.Generator
) -> tuple[int, int] | None:
    """Top and left where the thing `solid` (h, w) fits: two pixels and more from others, or `gap` pixels from one
    (-1: over its rim)."""
    height, width = solid.shape
    free = owner.shape[0] - height - 2, owner.shape[1] - width - 2
    if min(free) < 1:
        return None
    taken = np.pad(owner > 0, 3)

    def clear(top: int, left: int, apart: int) -> bool:
        """No pixel of another is within `apart` pixels."""
        for dy in range(-apart, apart + 1):
            for dx in range(-apart, apart + 1):
                window = taken[top + 3 + dy : top + 3 + dy + height, left + 3 + dx : left + 3 + dx + width]
                if (window & solid).any():
                    return False
        return True

    if gap is None or not taken.any():
        for _ in range(25):
            top, left = int(rng.integers(1, free[0] + 1)), int(rng.integers(1, free[1] + 1))
            window = taken[top : top + height + 6, left : left + width + 6]
            if not window.any() or clear(top, left, 2 + int(rng.integers(2))):
                return top, left
        return None
    points = np.argwhere(owner > 0)
    for _ in range(12):
        target = points[rng.integers(len(points))]
        angle = rng.uniform(0, 2 * np.pi)
        step = np.array([np.sin(angle), np.cos(angle)])
        # From far away towards the target, until the next step would be too near.
        last = None
        for distance in range(60, -1, -1):
            top, left = (target + step * distance - [height / 2, width / 2]).round().astype(int)
            if not (1 <= top <= free[0] and 1 <= left <= free[1]):
                last = None
                continue
            if clear(top, left, max(gap, 0)):
                last = (int(top), int(left))
                continue
            break
        if last is None or distance == 0:
            continue
        if gap < 0:
            pushed = (np.array(last) - step.round()).astype(int)
            if 1 <= pushed[0] <= free[0] and 1 <= pushed[1] <= free[1]:
                return int(pushed[0]), int(pushed[1])
        return last
    return None
