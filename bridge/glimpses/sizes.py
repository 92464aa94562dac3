"""When two things are equally large: what the rule of same_size/2 says, of boxes."""

import numpy as np

from predinet_prolog.bridge.scene import BoolArray, FloatArray

LIKE = 0.14
"""The long sides of two equally large things differ by this share of the smaller one at most: 6 % are hardly seen,
25 % plainly …"""
PIXEL = 1.0
"""… or by this much: where a box ends is known to a pixel."""


def coarse(boxes: FloatArray, pixel: float = 1.0) -> FloatArray:
    """(q, q): what coarse/3 says of each two things, by their `boxes` (q, 4); a `pixel` of the picture as it was looked
    at is so many of the boxes' own."""
    long = _long_sides(boxes)
    return np.asarray(pixel / np.minimum.outer(long, long))


def same_size(boxes: FloatArray) -> BoolArray:
    """Which pairs (q, q) of things are equally large, by their `boxes` (q, 4): left, top, right, bottom in pixels."""
    long = _long_sides(boxes)
    return np.asarray(np.abs(long[:, None] - long) <= np.maximum(PIXEL, LIKE * np.minimum.outer(long, long)))


def _long_sides(boxes: FloatArray) -> FloatArray:
    """(q,)"""
    return np.asarray((boxes[:, 2:] - boxes[:, :2]).max(axis=1))
