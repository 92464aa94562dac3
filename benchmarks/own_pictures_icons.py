"""Icons of many parts and colours, drawn for judging alone: no network has seen one."""

from collections.abc import Mapping
from functools import cache
from itertools import count
from types import MappingProxyType

import numpy as np
from PIL import Image
from scipy import ndimage

from domains.domain import Annotated, Pixels, Truth
from domains.scenes.shapes import UNLIKE, Mask, fit, overlap
from examples.own_pictures.parts import Colour, draw

ICONS: Mapping[str, str] = MappingProxyType(
    {
        "house": "box 0 12 45 88 98; poly 1 0 48 50 3 100 48; box 2 42 66 62 98; box 3 20 56 36 70",
        "car": "round 0 2 42 98 78; poly 0 20 45 32 16 70 16 84 45; poly 1 30 42 37 24 65 24 74 42; "
        "disc 2 14 64 40 90; disc 2 62 64 88 90; disc 3 22 72 32 82; disc 3 70 72 80 82",
        "tree": "box 1 42 60 58 99; disc 0 8 2 92 70; disc 2 28 20 40 32; disc 2 60 30 72 42; disc 2 40 46 52 58",
        "face": "disc 0 2 2 98 98; disc 1 26 28 40 46; disc 1 60 28 74 46; arc 2 8 24 24 76 80 20 160",
        "cup": "arc 0 10 50 28 92 70 -90 90; poly 0 10 12 76 12 70 92 16 92; box 1 13 36 73 56; disc 2 10 6 76 20",
        "flag": "box 1 8 2 18 99; box 0 18 6 96 62; box 2 18 25 96 43; disc 3 46 24 66 44",
        "mushroom": "round 1 36 46 64 98; pie 0 3 4 97 96 180 360; disc 2 22 26 38 40; disc 2 56 16 74 32; "
        "disc 2 68 36 80 46",
        "fish": "disc 0 2 22 74 80; poly 1 66 51 98 20 98 82; disc 2 14 40 26 52; poly 3 34 26 54 4 58 32",
        "boat": "poly 0 4 66 96 66 78 94 22 94; box 1 46 4 53 68; poly 2 53 8 92 60 53 60; poly 3 47 14 47 60 14 60",
        "key": "disc 0 2 28 46 72; disc 1 14 40 32 58; box 0 42 44 98 56; box 0 72 54 80 76; box 0 88 54 96 70",
        "clock": "disc 0 2 2 98 98; disc 1 12 12 88 88; line 2 8 50 50 50 22; line 2 8 50 50 70 62; disc 3 44 44 56 56",
        "phone": "round 0 22 1 78 99; box 1 28 14 72 80; disc 2 44 84 56 96; box 2 40 6 60 9",
        "bulb": "disc 0 14 2 86 72; poly 0 32 62 68 62 64 80 36 80; box 1 34 78 66 86; box 2 36 86 64 98; "
        "line 3 5 40 60 46 40 54 40 60 60",
        "umbrella": "pie 0 2 4 98 100 180 360; pie 1 34 4 66 100 180 360; line 2 7 50 8 50 84; arc 2 7 50 74 76 98 0 180",
        "cake": "box 0 8 48 92 96; box 1 8 62 92 72; disc 2 2 38 98 56; box 3 46 12 54 42; disc 1 44 2 56 14",
        "rocket": "poly 0 50 1 72 34 72 78 28 78 28 34; poly 1 28 54 8 90 28 80; poly 1 72 54 92 90 72 80; "
        "disc 2 38 30 62 52; poly 3 36 78 64 78 50 99",
        "cat": "poly 0 10 40 14 4 42 22; poly 0 90 40 86 4 58 22; disc 0 8 16 92 96; disc 1 26 40 40 56; "
        "disc 1 60 40 74 56; poly 2 44 62 56 62 50 70; line 3 4 36 80 50 74 64 80",
        "apple": "disc 0 4 26 60 96; disc 0 40 26 96 96; line 1 8 50 34 56 6; disc 2 56 6 86 22; disc 3 18 40 30 56",
        "book": "round 0 6 8 94 92; box 1 14 8 22 92; box 2 36 24 84 36; box 3 36 46 70 52",
        "camera": "round 0 2 24 98 88; box 0 34 12 66 30; disc 1 30 34 70 76; disc 2 40 44 60 66; disc 3 80 30 90 40",
        "balloon": "disc 0 14 2 86 80; poly 0 50 74 60 88 40 88; box 2 46 86 54 99; disc 1 28 16 44 36",
        "gift": "box 0 10 36 90 98; box 1 4 26 96 44; box 2 43 26 57 98; disc 3 24 4 50 30; disc 3 50 4 76 30",
        "lock": "arc 1 12 24 2 76 76 180 360; box 1 24 36 34 50; box 1 66 36 76 50; round 0 12 44 88 98; "
        "disc 2 42 58 58 74; box 2 46 68 54 88",
        "envelope": "box 0 2 18 98 84; poly 1 2 18 98 18 50 60; disc 2 42 48 58 64",
        "bus": "round 0 2 14 98 82; box 1 8 24 30 46; box 1 36 24 58 46; box 1 64 24 92 46; disc 2 14 70 36 92; "
        "disc 2 64 70 86 92; box 3 4 56 96 62",
        "snowman": "disc 0 18 42 82 98; disc 0 28 10 72 50; box 1 30 2 70 16; poly 2 48 28 74 34 48 36; disc 3 45 58 55 68; "
        "disc 3 45 76 55 86",
        "bee": "disc 2 24 4 54 46; disc 2 50 4 80 46; disc 0 6 30 94 88; poly 1 32 36 44 32 44 86 32 82; "
        "poly 1 58 32 70 36 70 82 58 86; disc 3 12 48 22 58",
        "cactus": "round 0 38 4 62 78; round 0 10 26 24 54; box 0 18 42 44 54; round 0 76 18 90 50; box 0 58 38 84 50; "
        "poly 1 24 74 76 74 68 99 32 99; disc 2 44 2 56 12",
        "robot": "round 0 18 22 82 66; box 1 26 66 74 98; box 2 47 6 53 24; disc 3 43 2 57 12; disc 2 30 32 44 46; "
        "disc 2 56 32 70 46; box 3 34 54 66 59; box 1 8 70 28 80; box 1 72 70 92 80",
        "ice cream": "poly 1 24 48 76 48 50 99; disc 0 18 4 82 58; disc 2 42 0 60 16; disc 3 30 24 38 32; disc 3 58 30 66 38",
        "butterfly": "disc 0 2 6 50 54; disc 0 50 6 98 54; disc 1 12 46 48 94; disc 1 52 46 88 94; round 2 45 10 55 92; "
        "disc 3 16 20 32 38; disc 3 68 20 84 38",
        "lamp": "poly 0 28 4 72 4 92 50 8 50; box 1 45 50 55 86; box 2 24 84 76 97; box 3 18 40 82 46",
        "train": "box 0 4 40 70 78; box 1 58 10 96 78; box 2 66 20 88 42; box 3 14 18 26 42; disc 3 8 70 30 94; "
        "disc 3 40 70 62 94; disc 3 70 70 92 94",
        "drum": "disc 0 4 60 96 98; box 0 4 24 96 80; disc 1 4 6 96 44; line 2 5 8 42 30 84 50 46 70 84 92 42",
        "castle": "box 0 6 30 94 98; box 0 6 6 24 40; box 0 41 6 59 40; box 0 76 6 94 40; disc 1 38 54 62 80; "
        "box 1 38 66 62 98; box 2 12 50 26 64; box 2 74 50 88 64",
        "sun": "poly 1 50 0 58 20 84 10 78 36 100 50 78 62 86 88 60 80 50 100 40 80 14 88 22 62 0 50 22 36 16 10 42 20; "
        "disc 0 24 24 76 76; disc 2 36 38 44 48; disc 2 56 38 64 48",
    }
)
"""Parts in the first four colours of a scheme."""
DETAIL = 0.03, 0.97
"""What two looks differ in is at least this share of the icon's pixels; silhouettes are one shape if they share at least
this much of their union."""
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
            parts, colours = _twin(*looks[int(rng.integers(len(looks)))], rng)
        else:
            parts, colours = ICONS[names[int(rng.integers(len(names)))]], schemes[int(rng.integers(2))]
        if _is_whole(parts) and all(_told_apart((parts, colours), other) for other in looks):
            looks.append((parts, colours))
        if len(looks) == 5 or (len(looks) > 1 and rng.random() < 0.3):
            break
    return looks


def _twin(parts: str, colours: tuple[Colour, ...], rng: np.random.Generator) -> Look:
    """The same with one part less, or with one part in another of the colours."""
    each = parts.split(";")
    at = int(rng.integers(1, len(each)))
    kind, _, *numbers = each[at].split()
    changed = [" ".join((kind, str(rng.integers(4)), *numbers))] if rng.random() < 0.5 else []
    return ";".join((*each[:at], *changed, *each[at + 1 :])), colours


def _told_apart(one: Look, other: Look) -> bool:
    """Whether both look clearly unlike, and their outlines are clearly alike or clearly not."""
    shared = overlap(mask_of(one[0]), mask_of(other[0]))
    if shared < UNLIKE:
        return True
    pictures = [np.asarray(_drawn(*look, 64)).astype(int) for look in (one, other)]
    if pictures[0].shape != pictures[1].shape:
        return False
    unlike = (np.abs(pictures[0] - pictures[1]).max(axis=2) > CONTRAST / 2).sum()
    return shared >= DETAIL[1] and bool(unlike >= DETAIL[0] * (pictures[0][..., 3] > 127).sum())


def _is_whole(parts: str) -> bool:
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
    return cut.convert("RGBa").resize(size, Image.Resampling.BOX).convert("RGBA")
