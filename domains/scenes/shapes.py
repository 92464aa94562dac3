"""Shapes of many families, each a mask, and near twins of each.

A mask is (H, W) uint8 of 0–255 whose long side is SIDE and that it fills from edge to edge. Families are kept apart:
those of `training` teach, those of `validation` choose, those of `judging` only measure.
"""

from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter, ImageFont

Mask = NDArray[np.uint8]
Points = NDArray[np.float64]
SIDE = 64
"""Long side of a mask in pixels."""
_CANVAS = 160
"""Shapes are drawn this large and brought down, which smooths their edges."""
UNLIKE = 0.86
"""Masks that share less of their union than this, laid over each other, are of two shapes; others are too near to be
called either."""


def fit(drawn: Image.Image) -> Mask:
    """The mask of what is drawn, cut to its box and scaled."""
    box = drawn.getbbox()
    if box is None:
        return np.full((SIDE, SIDE), 255, dtype=np.uint8)
    cut = drawn.crop(box)
    scale = SIDE / max(cut.size)
    size = (max(8, round(cut.width * scale)), max(8, round(cut.height * scale)))
    return np.asarray(cut.resize(size, Image.Resampling.BOX if scale < 1 else Image.Resampling.BICUBIC))


def overlap(one: Mask, other: Mask) -> float:
    """Share of their union that two masks have in common, laid over each other middle on middle."""
    laid = [np.zeros((SIDE, SIDE), dtype=bool) for _ in range(2)]
    for canvas, mask in zip(laid, (one, other), strict=True):
        top, left = (SIDE - mask.shape[0]) // 2, (SIDE - mask.shape[1]) // 2
        canvas[top : top + mask.shape[0], left : left + mask.shape[1]] = mask > 127
    return float((laid[0] & laid[1]).sum() / max((laid[0] | laid[1]).sum(), 1))


def new_shapes(kind: str, rng: np.random.Generator, most: int = 3) -> list[Mask]:
    """A shape of a family of that kind and up to `most` - 1 near twins of it, all unlike each other."""
    names = FAMILIES[kind]
    draw = _DRAWN[names[rng.integers(len(names))]]
    first = _turned(draw(rng), rng)
    found = [fit(first)]
    for _ in range(4 * (most - 1)):
        if len(found) == most:
            break
        twin = fit(_twin(first, rng) if rng.random() < 0.7 else _turned(draw(rng), rng))
        if all(overlap(twin, each) < UNLIKE for each in found):
            found.append(twin)
    return found


def _turned(drawn: Image.Image, rng: np.random.Generator) -> Image.Image:
    """As it is, or turned by any angle."""
    if rng.random() < 0.6:
        return drawn
    return drawn.rotate(float(rng.uniform(0, 360)), Image.Resampling.BILINEAR, expand=True)


def _twin(drawn: Image.Image, rng: np.random.Generator) -> Image.Image:
    """Something like it: turned, mirrored, stretched, with a notch, a bump or a hole, or hollow."""
    box = drawn.getbbox() or (0, 0, *drawn.size)
    twin = Image.new("L", (drawn.width + 60, drawn.height + 60))
    twin.paste(drawn, (30, 30))
    width, height = box[2] - box[0], box[3] - box[1]
    way = rng.integers(7)
    if way == 0:
        return twin.rotate(float(rng.choice([90, 180, 270, 45])), Image.Resampling.BILINEAR, expand=True)
    if way == 1:
        return twin.transpose(
            Image.Transpose.FLIP_LEFT_RIGHT if rng.random() < 0.5 else Image.Transpose.FLIP_TOP_BOTTOM
        )
    if way == 2:
        factor = float(rng.uniform(1.3, 1.8))
        return twin.resize((round(twin.width * factor), twin.height))
    if way == 6:
        thick = round(min(width, height) * rng.uniform(0.12, 0.22)) // 2 * 2 + 1
        inner = twin.filter(ImageFilter.MinFilter(min(thick, 31)))
        return Image.fromarray(np.asarray(twin) - np.minimum(np.asarray(inner), np.asarray(twin)))
    pen = ImageDraw.Draw(twin)
    points = np.argwhere(np.asarray(twin) > 127)
    y, x = points[rng.integers(len(points))] if way == 5 else _edge(np.asarray(twin), rng)
    radius = max(width, height) * rng.uniform(0.12, 0.22)
    spot = (x - radius, y - radius, x + radius, y + radius)
    (pen.ellipse if rng.random() < 0.5 else pen.rectangle)(spot, fill=255 if way == 4 else 0)
    return twin if twin.getbbox() else drawn


def _edge(lit: NDArray[np.uint8], rng: np.random.Generator) -> tuple[int, int]:
    """A pixel of the outline, row and column."""
    inside = lit > 127
    rim = inside & ~(np.roll(inside, 1, 0) & np.roll(inside, -1, 0) & np.roll(inside, 1, 1) & np.roll(inside, -1, 1))
    points = np.argwhere(rim)
    if not len(points):
        return lit.shape[0] // 2, lit.shape[1] // 2
    row, column = points[rng.integers(len(points))]
    return int(row), int(column)


def _polygon(points: Points, *holes: Points) -> Image.Image:
    """Drawn from points in -1 … 1, x and y."""
    drawn = Image.new("L", (_CANVAS, _CANVAS))
    pen = ImageDraw.Draw(drawn)
    for part, fill in ((points, 255), *((hole, 0) for hole in holes)):
        pen.polygon([tuple(point) for point in (part * 0.48 + 0.5) * _CANVAS], fill=fill)
    return drawn


def _around(n: int, first: float = -np.pi / 2) -> Points:
    angles = first + np.arange(n) * 2 * np.pi / n
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def _regular(rng: np.random.Generator) -> Image.Image:
    sides = int(rng.choice([3, 3, 4, 5, 6, 8]))
    points = _around(sides, np.pi / 4 if sides == 4 and rng.random() < 0.6 else -np.pi / 2)
    return _polygon(points * [1, rng.choice([1, 1, rng.uniform(0.5, 1)])])


def _ellipse(rng: np.random.Generator) -> Image.Image:
    return _polygon(_around(64) * [1, rng.choice([1, 1, rng.uniform(0.4, 1)])])


def _rectangle(rng: np.random.Generator) -> Image.Image:
    height = rng.choice([1, rng.uniform(0.2, 1)])
    box = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [1, height]
    return _polygon(box if rng.random() < 0.5 else box[:, ::-1])


def _star(rng: np.random.Generator) -> Image.Image:
    points = int(rng.integers(4, 9))
    radii = np.where(np.arange(2 * points) % 2, rng.uniform(0.25, 0.65), 1)
    return _polygon(_around(2 * points) * radii[:, None])


def _cross(rng: np.random.Generator) -> Image.Image:
    w, cut = rng.uniform(0.15, 0.45), rng.choice([1, 1, rng.uniform(0.5, 1)])
    quarter = np.array([[w, -1], [w, -w], [cut, -w]])
    points = np.concatenate([quarter, quarter[::-1] * [1, -1], -quarter, quarter[::-1] * [-1, 1]])
    return _polygon(points)


def _arrow(rng: np.random.Generator) -> Image.Image:
    neck, shaft = rng.uniform(-0.4, 0.4), rng.uniform(0.15, 0.5)
    head = np.array([[0, -1], [0.9, neck], [shaft, neck], [shaft, 1], [-shaft, 1], [-shaft, neck], [-0.9, neck]])
    dent = rng.uniform(0.2, 0.7)
    chevron = np.array([[0, -1], [1, 1 - dent], [1, 1], [0, 1 - 2 * dent + 0.4], [-1, 1], [-1, 1 - dent]])
    return _polygon(head if rng.random() < 0.6 else chevron)


def _sector(rng: np.random.Generator) -> Image.Image:
    angles = np.linspace(0, rng.choice([np.pi, rng.uniform(0.6, 1.85) * np.pi]), 50)
    arc = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return _polygon(np.concatenate([[[0, 0]], arc]))


def _ring(rng: np.random.Generator) -> Image.Image:
    sides = int(rng.choice([64, 64, 3, 4, 6]))
    outer = _around(sides, np.pi / 4 if sides == 4 else -np.pi / 2)
    return _polygon(outer, outer * rng.uniform(0.4, 0.75))


def _cells(rng: np.random.Generator, least: int, most: int) -> Image.Image:
    """A polyomino."""
    cells = [(0, 0)]
    while len(cells) < rng.integers(least, most + 1):
        row, column = cells[rng.integers(len(cells))]
        step = [(0, 1), (1, 0), (0, -1), (-1, 0)][rng.integers(4)]
        new = (row + step[0], column + step[1])
        if new not in cells:
            cells.append(new)
    lit = np.array(cells) - np.min(cells, axis=0)
    unit = _CANVAS // (int(lit.max()) + 1)
    drawn = np.zeros((_CANVAS, _CANVAS), dtype=np.uint8)
    for row, column in lit * unit:
        drawn[row : row + unit, column : column + unit] = 255
    return Image.fromarray(drawn)


def _blob(rng: np.random.Generator) -> Image.Image:
    angles = np.arange(72) * 2 * np.pi / 72
    radius = np.ones(72)
    for wave in range(2, int(rng.integers(3, 7))):
        radius += rng.uniform(0.05, 0.45) / np.sqrt(wave) * np.cos(wave * angles + rng.uniform(0, 7))
    radius = np.clip(radius, 0.25, 2)
    return _polygon(np.stack([np.cos(angles), np.sin(angles)], axis=1) * (radius / radius.max())[:, None])


def _corners(rng: np.random.Generator) -> Image.Image:
    """Any polygon whose corners lie around its middle."""
    n = int(rng.integers(4, 8))
    angles = (np.arange(n) + rng.uniform(-0.35, 0.35, n)) * 2 * np.pi / n
    return _polygon(np.stack([np.cos(angles), np.sin(angles)], axis=1) * rng.uniform(0.35, 1, n)[:, None])


def _profile(rng: np.random.Generator) -> Image.Image:
    """L, T, U, H, Z and their like: bars in a grid of three."""
    thick = int(_CANVAS * rng.uniform(0.2, 0.33))
    last = _CANVAS - thick
    bars = {
        "left": (0, 0, thick, _CANVAS),
        "right": (last, 0, _CANVAS, _CANVAS),
        "top": (0, 0, _CANVAS, thick),
        "low": (0, last, _CANVAS, _CANVAS),
        "middle": (0, last // 2, _CANVAS, last // 2 + thick),
        "upright": (last // 2, 0, last // 2 + thick, _CANVAS),
    }
    words = ("left low", "top upright", "left right low", "left right middle", "left top middle", "left top low")
    drawn = Image.new("L", (_CANVAS, _CANVAS))
    pen = ImageDraw.Draw(drawn)
    for bar in words[rng.integers(len(words))].split():
        pen.rectangle(bars[bar], fill=255)
    return drawn


def _quadrilateral(rng: np.random.Generator) -> Image.Image:
    lean, top = rng.uniform(0, 0.8), rng.uniform(0.1, 0.8)
    slanted = np.array([[-1 + lean, -0.6], [1, -0.6], [1 - lean, 0.6], [-1, 0.6]])
    tapered = np.array([[-top, -0.7], [top, -0.7], [1, 0.7], [-1, 0.7]])
    return _polygon(slanted if rng.random() < 0.5 else tapered)


def _heart(rng: np.random.Generator) -> Image.Image:
    t = np.linspace(0, 2 * np.pi, 80)
    x, y = 16 * np.sin(t) ** 3, 13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)
    drop = np.stack([np.sin(t) * np.sin(t / 2) ** rng.uniform(1, 3), -np.cos(t)], axis=1)
    return _polygon(np.stack([x / 17, -y / 17], axis=1) if rng.random() < 0.6 else drop)


def _stroke(rng: np.random.Generator) -> Image.Image:
    """A thick line that bends."""
    n, width = int(rng.integers(3, 7)), int(_CANVAS * rng.uniform(0.1, 0.22))
    points = rng.uniform(0.12, 0.88, (n, 2)) * _CANVAS
    if rng.random() < 0.5:  # a zigzag or a wave
        points[:, 0] = np.linspace(0.12, 0.88, n) * _CANVAS
    drawn = Image.new("L", (_CANVAS, _CANVAS))
    pen = ImageDraw.Draw(drawn)
    pen.line([tuple(point) for point in points], fill=255, width=width, joint="curve")
    for x, y in points:
        pen.ellipse((x - width / 2, y - width / 2, x + width / 2, y + width / 2), fill=255)
    return drawn


def _union(rng: np.random.Generator) -> Image.Image:
    """Two simple shapes, one over the other."""
    drawn = np.zeros((_CANVAS, _CANVAS), dtype=np.uint8)
    for _ in range(2):
        part = [_regular, _ellipse, _rectangle, _quadrilateral][rng.integers(4)](rng)
        size = int(_CANVAS * rng.uniform(0.45, 0.8))
        small = np.asarray(part.resize((size, size)))
        low = int(_CANVAS * 0.12)
        top, left = rng.integers(low, max(_CANVAS - size - low, low) + 1, 2)
        patch = drawn[top : top + size, left : left + size]
        np.maximum(patch, small[: patch.shape[0], : patch.shape[1]], out=patch)
    return Image.fromarray(drawn)


def _gear(rng: np.random.Generator) -> Image.Image:
    teeth, depth = int(rng.integers(5, 10)), rng.uniform(0.6, 0.82)
    radius = np.where(np.arange(4 * teeth) % 4 < 2, 1, depth)
    hole = _around(32) * rng.uniform(0.15, 0.4)
    return _polygon(_around(4 * teeth) * radius[:, None], *([hole] if rng.random() < 0.6 else []))


def _crescent(rng: np.random.Generator) -> Image.Image:
    disc = _around(64)
    return _polygon(disc, disc * rng.uniform(0.6, 0.95) + [rng.uniform(0.3, 0.6), 0])


def _bolt(rng: np.random.Generator) -> Image.Image:
    w = rng.uniform(0.1, 0.35)
    return _polygon(np.array([[0.2, -1], [-0.7, w], [-0.05, w], [-0.3, 1], [0.7, -w], [0.05, -w]]))


def _flower(rng: np.random.Generator) -> Image.Image:
    petals, depth = int(rng.integers(3, 8)), rng.uniform(0.2, 0.45)
    angles = np.arange(120) * 2 * np.pi / 120
    radius = 1 - depth + depth * np.cos(petals * angles)
    return _polygon(np.stack([np.cos(angles), np.sin(angles)], axis=1) * radius[:, None])


def _key(rng: np.random.Generator) -> Image.Image:
    drawn = Image.new("L", (_CANVAS, _CANVAS))
    pen = ImageDraw.Draw(drawn)
    bow, bar, bit = rng.uniform(0.35, 0.5), rng.uniform(0.1, 0.16), rng.uniform(0.12, 0.25)
    unit = float(_CANVAS)
    pen.ellipse((0, unit * (0.5 - bow / 2), unit * bow, unit * (0.5 + bow / 2)), fill=255)
    pen.rectangle((unit * bow * 0.8, unit * (0.5 - bar / 2), unit, unit * (0.5 + bar / 2)), fill=255)
    for place in rng.choice([0.6, 0.75, 0.88], int(rng.integers(1, 4)), replace=False):
        pen.rectangle((unit * place, unit * 0.5, unit * (place + 0.1), unit * (0.5 + bar / 2 + bit)), fill=255)
    return drawn


def _arch(rng: np.random.Generator) -> Image.Image:
    thick, legs = rng.uniform(0.25, 0.5), rng.uniform(0, 0.8)
    angles = np.linspace(np.pi, 2 * np.pi, 40)
    outer = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    inner = outer[::-1] * (1 - thick)
    return _polygon(np.concatenate([[[-1, legs]], outer, [[1, legs], [1 - thick, legs]], inner, [[thick - 1, legs]]]))


def _kite(rng: np.random.Generator) -> Image.Image:
    wide, shoulder = rng.uniform(0.35, 0.75), rng.uniform(-0.6, -0.1)
    return _polygon(np.array([[0, -1], [wide, shoulder], [0, 1], [-wide, shoulder]]))


_SIGNS = MappingProxyType(
    {
        "training": (
            ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSerif-Bold.ttf", "DejaVuSansMono-Bold.ttf"),
            "ABCDEFGHJKLMNPRSTUVXYZabdefghkmnpqrtuy234567890?&@$%§♠♣♥♦♪☀☂☎✂✈✉✔✖★☺",
        ),
        "validation": (("STIXGeneralBol.ttf", "STIXGeneral.ttf"), "AEFGKPQRSXZbdghkpq2345679∞∂∇√∑∏"),
        "judging": (("cmss10.ttf", "cmb10.ttf"), "ABEFGHJKLPQRSTUXYZabdeghkpqy23456789"),
    }
)


@cache
def sign_font(name: str, size: int) -> ImageFont.FreeTypeFont:
    """A font that comes with matplotlib: every machine has the same."""
    return ImageFont.truetype(str(files("matplotlib").joinpath("mpl-data", "fonts", "ttf", name)), size)


def _sign(kind: str, rng: np.random.Generator) -> Image.Image:
    names, signs = _SIGNS[kind]
    drawn = Image.new("L", (2 * _CANVAS, 2 * _CANVAS))
    ImageDraw.Draw(drawn).text(
        (80, 60), signs[rng.integers(len(signs))], font=sign_font(names[rng.integers(len(names))], 130), fill=255
    )
    return drawn


_DRAWN: Mapping[str, Callable[[np.random.Generator], Image.Image]] = MappingProxyType(
    {
        "regular polygon": _regular,
        "ellipse": _ellipse,
        "rectangle": _rectangle,
        "star": _star,
        "cross": _cross,
        "arrow": _arrow,
        "sector": _sector,
        "ring": _ring,
        "polyomino": lambda rng: _cells(rng, 2, 5),
        "blob": _blob,
        "polygon": _corners,
        "profile": _profile,
        "quadrilateral": _quadrilateral,
        "heart": _heart,
        "stroke": _stroke,
        "union": _union,
        "sign": lambda rng: _sign("training", rng),
        "gear": _gear,
        "crescent": _crescent,
        "bolt": _bolt,
        "large polyomino": lambda rng: _cells(rng, 7, 8),
        "sign of validation": lambda rng: _sign("validation", rng),
        "flower": _flower,
        "key": _key,
        "arch": _arch,
        "kite": _kite,
        "sign of judging": lambda rng: _sign("judging", rng),
    }
)
FAMILIES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "training": tuple(_DRAWN)[:17] + ("sign", "regular polygon", "ellipse"),
        "validation": ("gear", "crescent", "bolt", "large polyomino", "sign of validation"),
        "judging": ("flower", "key", "arch", "kite", "sign of judging"),
    }
)
"""The families of each kind of things; what stands there twice is drawn twice as often."""
