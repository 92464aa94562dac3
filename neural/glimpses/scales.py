"""At which scale a finder looks at pictures of any size."""

import math

import numpy as np
from numpy.typing import NDArray
from PIL import Image

USUAL = 100.0
"""The finder looks at pictures of about this many pixels squared: usual things are as large as in training."""
AS_IT_IS = 1.45
"""A picture that is this many times smaller or larger than that, or less, is looked at as it is: to change its size by
little blurs the gaps between things."""
SMALLEST = USUAL / AS_IT_IS
"""Pixels squared of the smallest picture that is looked at as it is."""
SMALL, WANTED = 9.0, 18.0
"""Where the median thing has fewer pixels along its long side than SMALL, the picture is looked at again, larger, so
that it has WANTED."""
MOST = 400.0
"""Pixels squared of a picture that is looked at again, at most."""
LEAST = 16
"""Pixels along a side of what is looked at, at least."""
UNLIKE = 30.0
"""A pixel this far from the ground in some channel shows a thing, in a clean picture."""


def first_scale(height: int, width: int) -> float:
    """Of a picture of that many pixels, before anything is known of it."""
    scale = USUAL / math.sqrt(height * width)
    return 1.0 if 1 / AS_IT_IS <= scale <= AS_IT_IS else scale


def second_scale(height: int, width: int, boxes: NDArray[np.floating]) -> float | None:
    """Where a picture's things `boxes` (n, 4), in its own pixels, are too small at the first scale; else None."""
    first = first_scale(height, width)
    usual = max(usual_side(boxes) * first, 0.1) if len(boxes) else WANTED
    if usual >= SMALL or first > 1 / 1.3:
        return None
    return min(first * min(WANTED / usual, MOST / USUAL), 1.0)


def usual_side(boxes: NDArray[np.floating]) -> float:
    """The median of the long sides of `boxes` (n, 4); 0 of none. NumPy is slower for a picture's few."""
    sides = sorted((boxes[:, 2:] - boxes[:, :2]).max(axis=1).tolist())
    middle = len(sides) // 2
    return float(sides[middle] + sides[~middle]) / 2 if sides else 0.0


def looked_at(height: int, width: int, boxes: NDArray[np.floating]) -> float:
    """The scale that a picture of that many pixels, with things in `boxes` (n, 4), is looked at last."""
    return second_scale(height, width, boxes) or first_scale(height, width)


def resized(picture: NDArray[np.uint8], scale: float) -> NDArray[np.uint8]:
    """`picture` (H, W, 3) at that scale, pixels averaged."""
    height, width = picture.shape[:2]
    size = max(LEAST, round(width * scale)), max(LEAST, round(height * scale))
    if size == (width, height) or abs(scale - 1) < 0.05:
        return picture
    return np.asarray(Image.fromarray(picture).resize(size, Image.Resampling.BILINEAR, reducing_gap=2.0))
