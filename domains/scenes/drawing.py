"""Draws pictures of a few things, with their truth."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.domains.scenes.fills import Colour, Fill, Paint, new_fill, scaled_size
from predinet_prolog.domains.scenes.light import Field, disturb, new_ground, new_light, spoil
from predinet_prolog.domains.scenes.placing import place
from predinet_prolog.domains.scenes.shapes import UNLIKE, Mask, overlap, unsteady
from predinet_prolog.imaging import ndimage

Group = list[tuple[int, Mask]]
"""A shape and its near twins, each with its number."""
ATTRIBUTES = ("shape", "colour", "look", "size")
"""What is told of every thing."""
CONTRAST = 64.0
"""Least distance in one channel of a thing's colours from the ground's, and of colours from each other."""
LEAST = 8
"""Fewest pixels of a thing."""
JOINED = 0.2
"""Things would be one if so much of where they meet had one colour."""
TRIES = 4
"""Places that are tried for a thing."""


@dataclass(frozen=True)
class Style:
    """How pictures of a kind are drawn. Shares are of pictures."""

    things: tuple[int, int] = (1, 15)
    """Fewest and most that are tried; some find no place."""
    sizes: tuple[float, float] = (0.06, 0.45)
    """Long side of a thing as a share of the picture's shorter side."""
    touching: float = 0.25
    """Share with things that touch or overlap by a pixel, unlike in colour where they meet."""
    close: float = 0.25
    """Share with things 1–2 pixels apart."""
    fills: tuple[float, float, float] = (0.5, 0.25, 0.25)
    """Odds of plain things, of two colours, and of many parts."""
    plain_ground: float = 0.4
    light: float = 0.5
    """Share with uneven or tinted light."""
    spoilt: float = 1.0
    """How much cameras and files do, 0–1."""
    unsteady: bool = False
    """Whether things of one shape are drawn as by hand or put down by hand: each turned and stretched a little."""
    disturbances: Mapping[str, float] | None = None
    """Instead of random light and spoiling: those of `domains.scenes.light.disturb`, by their strengths."""


@dataclass(frozen=True, eq=False)
class Drawn:
    pixels: NDArray[np.uint8]
    """(H, W, 3)."""
    owner: NDArray[np.uint8]
    """(H, W): the number of the thing that each pixel shows, from 1; 0 is ground."""
    attributes: Mapping[str, Sequence[int]]
    """Each of ATTRIBUTES of each thing: which of the shapes given; colours, looks and sizes that are equal within this
    picture have equal numbers. Unlike sizes differ by a quarter at least."""


class _Kind(NamedTuple):
    """What may stand in a picture, at any size."""

    shape: int
    mask: Mask
    colour: int
    look: int
    fill: Fill


def draw(height: int, width: int, groups: list[Group], style: Style, rng: np.random.Generator) -> Drawn:
    """A picture of things whose shapes are from `groups`."""
    picture, ground = new_ground(height, width, rng, plain=rng.random() < style.plain_ground)
    sizes = _sizes(min(height, width), style, rng)
    fewest, most = style.things
    count = rng.integers(fewest, (most if rng.random() < 0.7 else min(6, most)) + 1)
    way = rng.random()
    gaps = (-1, 0) if way < style.touching else (1, 2) if way < style.touching + style.close else ()
    kinds = _kinds(groups, ground, style, rng, fewest=2 if way < style.touching else 1)
    owner, painted = np.zeros((height, width), np.uint8), np.zeros((height, width, 3), np.float32)
    things: list[tuple[int, ...]] = []
    for _ in range(count):
        gap = int(rng.choice(gaps)) if gaps and rng.random() < 0.75 else None
        for _ in range(TRIES):
            kind = kinds[rng.integers(len(kinds))]
            which = int(rng.integers(len(sizes)))
            mask = unsteady(kind.mask, rng) if style.unsteady else kind.mask
            size = scaled_size(mask, sizes[which], least=3)
            paint, cover = kind.fill.draw(mask, *size, seed=kind.look)
            solid = cover > 0.5
            corner = place(owner, solid, gap, rng) if solid.sum() >= LEAST else None
            if corner is None or not _joined(owner, painted, solid, paint, corner):
                break
            corner = None
        if corner is None:
            continue
        rows, columns = slice(corner[0], corner[0] + size[0]), slice(corner[1], corner[1] + size[1])
        patch = picture[rows, columns]
        patch += cover[..., None] * (paint - patch)
        things.append((kind.shape, kind.colour, kind.look, which))
        owner[rows, columns][solid] = len(things)
        painted[rows, columns][solid] = paint[solid]
    attributes = {name: [thing[at] for thing in things] for at, name in enumerate(ATTRIBUTES)}
    if style.disturbances is not None:
        return Drawn(disturb(picture, style.disturbances, rng), owner, attributes)
    if rng.random() < style.light:
        picture = picture * new_light(height, width, rng)
    return Drawn(spoil(picture, rng, strength=style.spoilt), owner, attributes)


def _joined(
    owner: NDArray[np.uint8], painted: Paint, solid: NDArray[np.bool_], paint: Paint, corner: tuple[int, int]
) -> bool:
    """Whether the thing `solid` (h, w) with the colours `paint` (h, w, 3), were it at `corner`, would be one with
    another: where they meet, they have one colour. `painted` (H, W, 3) holds the colours of the things of `owner`."""
    top, left = corner
    around = slice(top - 1, top + solid.shape[0] + 1), slice(left - 1, left + solid.shape[1] + 1)
    padded = np.pad(solid, 1)
    rows, columns = np.nonzero(ndimage.binary_dilation(padded, np.ones((3, 3))) & (owner[around] > 0))
    if not len(rows):
        return False
    nearest = ndimage.distance_transform_edt(~padded, return_distances=False, return_indices=True)
    mine = paint[tuple(nearest[:, rows, columns] - 1)]
    unlike = np.abs(painted[around][rows, columns] - mine).max(axis=1)
    neighbours = owner[around][rows, columns]
    return any((unlike[neighbours == other] < CONTRAST / 2).mean() > JOINED for other in np.unique(neighbours))


def _kinds(groups: list[Group], ground: Field, style: Style, rng: np.random.Generator, *, fewest: int) -> list[_Kind]:
    """Those of one picture, whose ground has the colour `ground` (3,), of `fewest` colours at least."""
    offered = [shape for group in groups for shape in group]
    shapes: Group = []
    for at in rng.permutation(len(offered))[: rng.integers(1, 6)]:
        if all(overlap(offered[at][1], mask) < UNLIKE for _, mask in shapes):
            shapes.append(offered[at])
    palette = new_colours(int(rng.integers(2, 6)), ground, rng)
    fills: dict[tuple[int, str], Fill] = {}  # those of the same colours and pattern might look the same
    most = rng.integers(fewest, 5)
    while len(fills) < fewest or most > 0:
        most -= 1
        kind = ("plain", "two", "many")[rng.choice(3, p=style.fills)]
        chosen = rng.permutation(len(palette))[: 1 if kind == "plain" else 2 if kind == "two" else rng.integers(2, 5)]
        fill = new_fill([palette[i] for i in chosen], [mask for _, mask in shapes], kind, rng)
        fills.setdefault((sum(1 << int(i) for i in chosen), kind if kind == "many" else fill.pattern), fill)
    filled = [(colour, fill) for (colour, _), fill in fills.items()]
    kinds = []
    for number in range(rng.integers(fewest, 7)):
        at = int(rng.integers(len(shapes)))
        of = number if number < fewest else int(rng.integers(len(filled)))
        kinds.append(_Kind(*shapes[at], filled[of][0], at * len(filled) + of, filled[of][1]))
    return kinds


def new_colours(n: int, ground: Field, rng: np.random.Generator) -> list[Colour]:
    """`n` colours that are clear of the ground's (3,) and of each other."""
    chosen: list[NDArray[np.floating]] = []
    while len(chosen) < n:
        if rng.random() < 0.6:
            colour = rng.choice([0.0, 128.0, 255.0], 3) * rng.uniform(0.8, 1) + rng.uniform(0, 20, 3)
        else:
            colour = rng.uniform(0, 255, 3)
        colour = np.clip(colour, 0, 255)
        if all(np.abs(colour - other).max() >= CONTRAST for other in (ground, *chosen)):
            chosen.append(colour)
    return [(float(r), float(g), float(b)) for r, g, b in chosen]


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
