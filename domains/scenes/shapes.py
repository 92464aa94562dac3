"""Shapes, each a mask, and near twins of each.

A mask is (H, W) uint8 of 0–255 whose long side is SIDE and that it fills from edge to edge.
"""

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from predinet_prolog.domains.scenes.families import draw_shape
from predinet_prolog.imaging import ndimage

Mask = NDArray[np.uint8]
SIDE = 64
"""Long side of a mask in pixels."""
LEAST = 8
"""Least short side of a mask in pixels."""
TURNED, STRETCHED = 3.0, 0.03
"""Degrees, and the share of the width, that one shape may be off where a hand made it or put it down."""
UNLIKE = 0.86
"""Masks that share less of their union than this, laid over each other, are of two shapes; others are too near to be
called either."""


def fit(drawn: Image.Image) -> Mask:
    """The mask of what is drawn, cut to its box and scaled."""
    if (box := drawn.getbbox()) is None:
        return np.full((SIDE, SIDE), 255, dtype=np.uint8)
    cut = drawn.crop(box)
    scale = SIDE / max(cut.size)
    size = (max(LEAST, round(cut.width * scale)), max(LEAST, round(cut.height * scale)))
    return np.asarray(cut.resize(size, Image.Resampling.BOX if scale < 1 else Image.Resampling.BICUBIC))


def unsteady(mask: Mask, rng: np.random.Generator) -> Mask:
    """The mask turned by up to TURNED degrees and stretched by up to STRETCHED, one way or the other."""
    height, width = mask.shape
    size = (round(width * rng.uniform(1 - STRETCHED, 1 + STRETCHED)), height)
    return fit(
        Image.fromarray(mask)
        .resize(size, Image.Resampling.BILINEAR)
        .rotate(float(rng.uniform(-TURNED, TURNED)), Image.Resampling.BILINEAR, expand=True)
    )


def overlap(one: Mask, other: Mask) -> float:
    """Share of their union that two masks have in common, laid over each other middle on middle."""
    laid = [np.zeros((SIDE, SIDE), dtype=bool) for _ in range(2)]
    for canvas, mask in zip(laid, (one, other), strict=True):
        top, left = (SIDE - mask.shape[0]) // 2, (SIDE - mask.shape[1]) // 2
        canvas[top : top + mask.shape[0], left : left + mask.shape[1]] = mask > 127
    return float((laid[0] & laid[1]).sum() / max((laid[0] | laid[1]).sum(), 1))


def new_shapes(kind: str, rng: np.random.Generator, most: int = 3) -> list[Mask]:
    """A shape of a family of that kind and up to `most` - 1 near twins of it, all unlike each other."""
    draw, drawn = draw_shape(kind, rng)
    first = _turned(drawn, rng)
    twins = [fit(first)]
    for _ in range(4 * (most - 1)):
        if len(twins) == most:
            break
        twin = fit(_twin(first, rng) if rng.random() < 0.7 else _turned(draw(rng), rng))
        if all(overlap(twin, shape) < UNLIKE for shape in twins):
            twins.append(twin)
    return twins


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
        left_right, up_down = Image.Transpose.FLIP_LEFT_RIGHT, Image.Transpose.FLIP_TOP_BOTTOM
        return twin.transpose(left_right if rng.random() < 0.5 else up_down)
    if way == 2:
        factor = float(rng.uniform(1.3, 1.8))
        return twin.resize((round(twin.width * factor), twin.height))
    if way == 6:  # hollow
        thick = round(min(width, height) * rng.uniform(0.12, 0.22)) // 2 * 2 + 1
        whole = np.asarray(twin)
        return Image.fromarray(whole - ndimage.minimum_filter(whole, min(thick, 31), mode="nearest"))
    pen = ImageDraw.Draw(twin)  # of a hole within it, a bump or a notch on its outline
    points = np.argwhere(np.asarray(twin) > 127)
    y, x = points[rng.integers(len(points))] if way == 5 else _edge(np.asarray(twin), rng)
    radius = max(width, height) * rng.uniform(0.12, 0.22)
    spot = (x - radius, y - radius, x + radius, y + radius)
    (pen.ellipse if rng.random() < 0.5 else pen.rectangle)(spot, fill=255 if way == 4 else 0)
    return drawn if _pieces(twin) != _pieces(drawn) else twin  # a notch must not make two things of one


def _pieces(drawn: Image.Image) -> int:
    """How many patches it is of."""
    return int(ndimage.label(np.asarray(drawn) > 127, structure=np.ones((3, 3)))[1])


def _edge(lit: NDArray[np.uint8], rng: np.random.Generator) -> tuple[int, int]:
    """A pixel of the outline, row and column."""
    inside = lit > 127
    rim = inside & ~(np.roll(inside, 1, 0) & np.roll(inside, -1, 0) & np.roll(inside, 1, 1) & np.roll(inside, -1, 1))
    points = np.argwhere(rim)
    if not len(points):
        return lit.shape[0] // 2, lit.shape[1] // 2
    row, column = points[rng.integers(len(points))]
    return int(row), int(column)
