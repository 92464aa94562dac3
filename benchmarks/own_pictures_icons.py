"""Icons of many parts and colours, drawn for judging alone: no network has seen one."""

import tomllib
from collections.abc import Mapping
from functools import cache
from itertools import count
from pathlib import Path

import numpy as np
from PIL import Image
from scipy import ndimage

from domains.domain import Annotated, Pixels, Truth
from domains.scenes.shapes import UNLIKE, Mask, fit, overlap
from examples.own_pictures.parts import Colour, draw

ICONS: Mapping[str, str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
"""Parts in the first four colours of a scheme."""
DETAIL = 0.03, 0.97
"""Two looks differ in at least this share of the icon's pixels; outlines are one shape if they share at least this much
of their union."""
CONTRAST = 72
"""Least distance in some channel of a scheme's colours from each other and from the ground."""
SIZES = 0.16, 0.36
"""Long sides as shares of the picture's side."""
Look = tuple[str, tuple[Colour, ...]]
"""Parts, and the colours they are drawn in."""


def icon_pictures(n: int, *, side: int, seed: int) -> Annotated:
    """`n` pictures of 2–10 icons, several of them equal, others near twins, `side` pixels high and wide.

    Attributes: shape (of the outline), look and size; equal numbers are equal within a picture.
    """
    rng = np.random.default_rng([seed, side])
    pictures: list[Pixels] = []
    rows: list[tuple[int, list[int], int, int, int]] = []  # picture, box, shape, look, size
    while len(pictures) < n:
        picture, things = _picture(side, rng)
        if len(things) > 1:
            rows += [(len(pictures), *thing) for thing in things]
            pictures.append(picture)
    image, boxes, shape, look, size = (np.array(column) for column in zip(*rows, strict=True))
    truth = Truth(image, boxes.astype(np.float64), {"shape": shape, "look": look, "size": size})
    return Annotated(tuple(f"{number:04}.png" for number in range(n)), tuple(pictures), truth)


def _picture(side: int, rng: np.random.Generator) -> tuple[Pixels, list[tuple[list[int], int, int, int]]]:
    ground = tuple(int(value) for value in rng.integers(0, 256, 3))
    looks = _looks(ground, rng)
    shapes = _shapes([mask_of(parts) for parts, _ in looks])
    small = rng.uniform(SIZES[0], SIZES[1] / 1.3) * side
    sizes = [round(small), round(small * rng.uniform(1.3, 1.3 * SIZES[1] * side / (1.3 * small)))]
    picture = Image.new("RGB", (side, side), ground)
    taken = np.zeros((side, side), dtype=bool)
    things: list[tuple[list[int], int, int, int]] = []
    for _ in range(int(rng.integers(2, 11))):
        which, size = int(rng.integers(len(looks))), int(rng.integers(2))
        icon = _drawn(*looks[which], sizes[size])
        for _ in range(25):
            left, top = (int(rng.integers(1, side - length)) for length in icon.size)
            near = slice(max(top - 3, 0), top + icon.height + 3), slice(max(left - 3, 0), left + icon.width + 3)
            if not taken[near].any():
                break
        else:
            continue
        picture.paste(icon, (left, top), icon)
        taken[top : top + icon.height, left : left + icon.width] = True
        things.append(([left, top, left + icon.width, top + icon.height], shapes[which], which, size))
    return np.asarray(picture), things


def _looks(ground: tuple[int, ...], rng: np.random.Generator) -> list[Look]:
    """Two to five looks: icons in their colours, other icons in the same, and near twins that differ in one part."""
    schemes = [_scheme(ground, rng) for _ in range(2)]
    looks: list[Look] = []
    names = list(ICONS)
    for _ in range(40):
        if looks and rng.random() < 0.5:
            parts, colours = twin(*looks[int(rng.integers(len(looks)))], rng)
        else:
            parts, colours = ICONS[names[int(rng.integers(len(names)))]], schemes[int(rng.integers(2))]
        if is_whole(parts) and all(told_apart((parts, colours), other) for other in looks):
            looks.append((parts, colours))
        if len(looks) == 5 or (len(looks) > 1 and rng.random() < 0.3):
            break
    return looks


def twin(parts: str, colours: tuple[Colour, ...], rng: np.random.Generator) -> Look:
    """The same with one part less, or with one part in another of the colours; the first part stays as it is."""
    each = parts.split(";")
    if len(each) == 1:
        return parts, colours
    at = int(rng.integers(1, len(each)))
    kind, _, *numbers = each[at].split()
    changed = [" ".join((kind, str(rng.integers(4)), *numbers))] if rng.random() < 0.5 else []
    return ";".join((*each[:at], *changed, *each[at + 1 :])), colours


def told_apart(one: Look, other: Look) -> bool:
    """Whether both look clearly unlike, and their outlines are clearly alike or clearly not."""
    shared = overlap(mask_of(one[0]), mask_of(other[0]))
    if shared < UNLIKE:
        return True
    pictures = [np.asarray(_drawn(*look, 64)).astype(int) for look in (one, other)]
    if pictures[0].shape != pictures[1].shape:
        return False
    unlike = (np.abs(pictures[0] - pictures[1]).max(axis=2) > CONTRAST / 2).sum()
    return shared >= DETAIL[1] and bool(unlike >= DETAIL[0] * (pictures[0][..., 3] > 127).sum())


def is_whole(parts: str) -> bool:
    """Whether all of the icon hangs together."""
    return bool(ndimage.label(mask_of(parts) > 127, np.ones((3, 3)))[1] == 1)


def _shapes(masks: list[Mask]) -> list[int]:
    """A number for each, equal where outlines are."""
    found: list[int] = []
    for at, mask in enumerate(masks):
        found.append(next((other for other in range(at) if overlap(mask, masks[other]) >= DETAIL[1]), at))
    return found


def _scheme(ground: tuple[int, ...], rng: np.random.Generator) -> tuple[Colour, ...]:
    """Four colours, clear of the ground and of each other."""
    found: list[Colour] = []
    for _ in count():
        colour = (int(rng.integers(256)), int(rng.integers(256)), int(rng.integers(256)))
        if all(max(abs(a - b) for a, b in zip(colour, other, strict=True)) >= CONTRAST for other in (ground, *found)):
            found.append(colour)
        if len(found) == 4:
            break
    return tuple(found)


@cache
def mask_of(parts: str) -> Mask:
    """The outline of an icon, filled."""
    return fit(draw(parts, [(0, 0, 0)] * 4, (128, 128)).getchannel("A"))


def _drawn(parts: str, colours: tuple[Colour, ...], long: int) -> Image.Image:
    """The icon (RGBA) cut to its outline; its long side is `long` pixels."""
    large = draw(parts, colours, (128, 128))
    cut = large.crop(large.getchannel("A").getbbox())
    scale = long / max(cut.size)
    size = max(1, round(cut.width * scale)), max(1, round(cut.height * scale))
    return cut.resize(size, Image.Resampling.BOX)
