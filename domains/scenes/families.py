"""The families of shapes, each drawn anew every time, and which kind of things each belongs to.

Families of `training` teach, those of `validation` choose, those of `judging` only measure: none is of two kinds.
"""

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from predinet_prolog.domains.errors import DomainError
from predinet_prolog.domains.scenes.signs import draw_sign, draw_symbol
from predinet_prolog.imaging import ndimage

Draw = Callable[[np.random.Generator], Image.Image]
"""Draws a shape of a family: grey, 255 within it and 0 without, of any size."""
Points = NDArray[np.float64]
"""(n, 2), x and y, -1 to 1 from edge to edge."""
CANVAS = 160
"""Pixels along a side that shapes are drawn on: they are brought down later, which smooths their edges."""


def _polygon(points: Points, *holes: Points) -> Image.Image:
    """Drawn from points in -1 … 1, x and y."""
    drawn = Image.new("L", (CANVAS, CANVAS))
    pen = ImageDraw.Draw(drawn)
    for part, fill in ((points, 255), *((hole, 0) for hole in holes)):
        pen.polygon([tuple(point) for point in (part * 0.48 + 0.5) * CANVAS], fill=fill)
    return drawn


def _turn(n: int) -> NDArray[np.float64]:
    """(n,): a full turn in equal angles, from 0."""
    return np.arange(n) * 2 * np.pi / n


def _at(angles: NDArray[np.float64], radii: float | NDArray[np.float64] = 1.0) -> Points:
    """(n, 2): the points at `angles` (n,) and `radii` around the middle."""
    return np.asarray(np.stack([np.cos(angles), np.sin(angles)], axis=1) * np.reshape(radii, (-1, 1)))


def _around(n: int, first: float = -np.pi / 2) -> Points:
    """(n, 2): the corners of a regular polygon, the first at that angle."""
    return _at(first + _turn(n))


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
    return _polygon(np.concatenate([quarter, quarter[::-1] * [1, -1], -quarter, quarter[::-1] * [-1, 1]]))


def _arrow(rng: np.random.Generator) -> Image.Image:
    neck, shaft = rng.uniform(-0.4, 0.4), rng.uniform(0.15, 0.5)
    head = np.array([[0, -1], [0.9, neck], [shaft, neck], [shaft, 1], [-shaft, 1], [-shaft, neck], [-0.9, neck]])
    dent = rng.uniform(0.2, 0.7)
    chevron = np.array([[0, -1], [1, 1 - dent], [1, 1], [0, 1 - 2 * dent + 0.4], [-1, 1], [-1, 1 - dent]])
    return _polygon(head if rng.random() < 0.6 else chevron)


def _sector(rng: np.random.Generator) -> Image.Image:
    angles = np.linspace(0, rng.choice([np.pi, rng.uniform(0.6, 1.85) * np.pi]), 50)
    return _polygon(np.concatenate([[[0, 0]], _at(angles)]))


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
    unit = CANVAS // (int(lit.max()) + 1)
    drawn = np.zeros((CANVAS, CANVAS), dtype=np.uint8)
    for row, column in lit * unit:
        drawn[row : row + unit, column : column + unit] = 255
    return Image.fromarray(drawn)


def _blob(rng: np.random.Generator) -> Image.Image:
    angles = _turn(72)
    radius = np.ones(72)
    for wave in range(2, int(rng.integers(3, 7))):
        radius += rng.uniform(0.05, 0.45) / np.sqrt(wave) * np.cos(wave * angles + rng.uniform(0, 7))
    radius = np.clip(radius, 0.25, 2)
    return _polygon(_at(angles, radius / radius.max()))


def _corners(rng: np.random.Generator) -> Image.Image:
    """Any polygon whose corners lie around its middle."""
    n = int(rng.integers(4, 8))
    angles = (np.arange(n) + rng.uniform(-0.35, 0.35, n)) * 2 * np.pi / n
    return _polygon(_at(angles, rng.uniform(0.35, 1, n)))


def _profile(rng: np.random.Generator) -> Image.Image:
    """L, T, U, H, Z and their like: bars in a grid of three."""
    thick = int(CANVAS * rng.uniform(0.2, 0.33))
    last = CANVAS - thick
    bars = {
        "left": (0, 0, thick, CANVAS),
        "right": (last, 0, CANVAS, CANVAS),
        "top": (0, 0, CANVAS, thick),
        "low": (0, last, CANVAS, CANVAS),
        "middle": (0, last // 2, CANVAS, last // 2 + thick),
        "upright": (last // 2, 0, last // 2 + thick, CANVAS),
    }
    words = ("left low", "top upright", "left right low", "left right middle", "left top middle", "left top low")
    drawn = Image.new("L", (CANVAS, CANVAS))
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
    n, width = int(rng.integers(3, 7)), int(CANVAS * rng.uniform(0.1, 0.22))
    points = rng.uniform(0.12, 0.88, (n, 2)) * CANVAS
    if rng.random() < 0.5:  # a zigzag or a wave
        points[:, 0] = np.linspace(0.12, 0.88, n) * CANVAS
    drawn = Image.new("L", (CANVAS, CANVAS))
    pen = ImageDraw.Draw(drawn)
    pen.line([tuple(point) for point in points], fill=255, width=width, joint="curve")
    for x, y in points:
        pen.ellipse((x - width / 2, y - width / 2, x + width / 2, y + width / 2), fill=255)
    return drawn


def _union(rng: np.random.Generator) -> Image.Image:
    """Two simple shapes, one over the other."""
    drawn = np.zeros((CANVAS, CANVAS), dtype=np.uint8)
    for _ in range(2):
        part = [_regular, _ellipse, _rectangle, _quadrilateral][rng.integers(4)](rng)
        size = int(CANVAS * rng.uniform(0.45, 0.8))
        small = np.asarray(part.resize((size, size)))
        low = int(CANVAS * 0.12)
        top, left = rng.integers(low, max(CANVAS - size - low, low) + 1, 2)
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
    angles = _turn(120)
    return _polygon(_at(angles, 1 - depth + depth * np.cos(petals * angles)))


def _key(rng: np.random.Generator) -> Image.Image:
    drawn = Image.new("L", (CANVAS, CANVAS))
    pen = ImageDraw.Draw(drawn)
    bow, bar, bit = rng.uniform(0.35, 0.5), rng.uniform(0.1, 0.16), rng.uniform(0.12, 0.25)
    unit = float(CANVAS)
    pen.ellipse((0, unit * (0.5 - bow / 2), unit * bow, unit * (0.5 + bow / 2)), fill=255)
    pen.rectangle((unit * bow * 0.8, unit * (0.5 - bar / 2), unit, unit * (0.5 + bar / 2)), fill=255)
    for place in rng.choice([0.6, 0.75, 0.88], int(rng.integers(1, 4)), replace=False):
        pen.rectangle((unit * place, unit * 0.5, unit * (place + 0.1), unit * (0.5 + bar / 2 + bit)), fill=255)
    return drawn


def _arch(rng: np.random.Generator) -> Image.Image:
    thick, legs = rng.uniform(0.25, 0.5), rng.uniform(0, 0.8)
    angles = np.linspace(np.pi, 2 * np.pi, 40)
    outer = _at(angles)
    inner = outer[::-1] * (1 - thick)
    return _polygon(np.concatenate([[[-1, legs]], outer, [[1, legs], [1 - thick, legs]], inner, [[thick - 1, legs]]]))


def _kite(rng: np.random.Generator) -> Image.Image:
    wide, shoulder = rng.uniform(0.35, 0.75), rng.uniform(-0.6, -0.1)
    return _polygon(np.array([[0, -1], [wide, shoulder], [0, 1], [-wide, shoulder]]))


def _silhouette(rng: np.random.Generator) -> Image.Image:
    """Left as right: bottles, trees, chessmen, lamps."""
    n = int(rng.integers(3, 8))
    height, width = np.sort(rng.uniform(-1, 1, n)), rng.uniform(0.12, 1, n)
    height[0], height[-1] = -1, 1
    if rng.random() < 0.5:  # with corners, or round
        fine = np.linspace(-1, 1, 60)
        height, width = fine, np.interp(fine, height, width)
        width = np.convolve(np.pad(width, 6, mode="edge"), np.ones(13) / 13, "valid")
    elif rng.random() < 0.5:  # in steps
        height, width = np.repeat(height, 2)[1:], np.repeat(width, 2)[:-1]
    right = np.stack([width * rng.uniform(0.4, 1), height], axis=1)
    return _polygon(np.concatenate([right, right[::-1] * [-1, 1]]))


def _wheel(rng: np.random.Generator) -> Image.Image:
    """Corners in a sector, which comes again all around."""
    sectors, corners = int(rng.integers(2, 8)), int(rng.integers(2, 5))
    angles = np.sort(rng.uniform(0, 1, corners)) + np.arange(sectors)[:, None]
    radii = np.tile(rng.uniform(0.25, 1, corners), sectors)
    return _polygon(_at(angles.ravel() * 2 * np.pi / sectors, radii))


def _mosaic(rng: np.random.Generator) -> Image.Image:
    """A pattern of nine small squares or more that hold together, often left as right."""
    while True:
        n = int(rng.integers(4, 8))
        lit = rng.random((n, n)) < rng.uniform(0.45, 0.7)
        if rng.random() < 0.7:
            lit |= lit[:, ::-1]
        largest = _largest(lit)
        if largest.sum() > 8:
            return Image.fromarray(np.kron(largest, np.full((CANVAS // n,) * 2, 255)).astype(np.uint8))


def _ribbon(rng: np.random.Generator) -> Image.Image:
    """A thick line along a round curve, closed or not, that may cross itself."""
    t = np.linspace(0, rng.choice([2 * np.pi, rng.uniform(2, 6)]), 90)
    waves = np.arange(1, 4)[:, None]
    x, y = ((rng.normal(0, 1, (3, 1)) / waves * np.cos(waves * t + rng.uniform(0, 7, (3, 1)))).sum(0) for _ in range(2))
    points = np.stack([x, y], axis=1)
    points = 0.12 + 0.76 * (points - points.min(0)) / np.ptp(points, axis=0).max()
    width = CANVAS * rng.uniform(0.08, 0.2)
    drawn = Image.new("L", (CANVAS, CANVAS))
    pen = ImageDraw.Draw(drawn)
    for x, y in points * CANVAS:
        pen.ellipse((x - width / 2, y - width / 2, x + width / 2, y + width / 2), fill=255)
    return drawn


def _carved(rng: np.random.Generator) -> Image.Image:
    """A simple shape out of which another was cut, or two; the largest piece of what is left."""
    left = np.asarray([_regular, _ellipse, _rectangle, _corners][rng.integers(4)](rng)).copy()
    for _ in range(rng.integers(1, 3)):
        size = int(CANVAS * rng.uniform(0.25, 0.6))
        part = np.asarray([_regular, _ellipse, _rectangle, _quadrilateral][rng.integers(4)](rng).resize((size, size)))
        top, low = rng.integers(0, CANVAS - size, 2)
        patch = left[top : top + size, low : low + size]
        np.minimum(patch, 255 - part, out=patch)
    return Image.fromarray(left * _largest(left > 127))


def _largest(lit: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The largest piece of what is lit."""
    pieces, _ = ndimage.label(lit)
    return np.asarray(pieces == 1 + np.bincount(pieces[lit], minlength=2)[1:].argmax())


def _by_names(*draws: Draw) -> Mapping[str, Draw]:
    return {draw.__name__.removeprefix("_"): draw for draw in draws}


FAMILIES: Mapping[str, Mapping[str, Draw]] = {
    "training": {
        "regular polygon": _regular,
        **_by_names(_ellipse, _rectangle, _star, _cross, _arrow, _sector, _ring),
        "polyomino": partial(_cells, least=2, most=5),
        "blob": _blob,
        "polygon": _corners,
        **_by_names(_profile, _quadrilateral, _heart, _stroke, _union, _silhouette, _wheel, _mosaic, _ribbon, _carved),
        "symbol": draw_symbol,
        "sign": partial(draw_sign, kind="training"),
    },
    "validation": {
        **_by_names(_gear, _crescent, _bolt),
        "large polyomino": partial(_cells, least=7, most=8),
        "sign of validation": partial(draw_sign, kind="validation"),
    },
    "judging": {**_by_names(_flower, _key, _arch, _kite), "sign of judging": partial(draw_sign, kind="judging")},
}
"""How each family of each kind is drawn."""
OFTEN = ("sign", "regular polygon", "ellipse")
"""Families that are drawn twice as often as others."""


def draw_shape(kind: str, rng: np.random.Generator) -> tuple[Draw, Image.Image]:
    """One of the kind's families, and a shape of it; DomainError lists the kinds."""
    if kind not in FAMILIES:
        raise DomainError(f"no kind of things {kind}: there are {', '.join(FAMILIES)}")
    families = FAMILIES[kind]
    names = (*families, *(name for name in OFTEN if name in families))
    draw = families[names[rng.integers(len(names))]]
    return draw, draw(rng)
