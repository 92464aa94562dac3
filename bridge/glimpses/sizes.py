"""When two things count as equally large."""

import numpy as np

from bridge.scene import BoolArray, FloatArray

RATIO = 1.14
"""The long side of the larger of two equally large things is at most this many times that of the smaller …"""
SLACK = 1.0
"""… and this many pixels more: where a box ends is known to a pixel, which is much of a small thing."""


def same_size(boxes: FloatArray) -> BoolArray:
    """Which pairs (q, q) of things are equally large, by their `boxes` (q, 4): left, top, right, bottom in pixels."""
    long = (boxes[:, 2:] - boxes[:, :2]).max(axis=1)
    larger, smaller = np.maximum(long[:, None], long), np.minimum(long[:, None], long)
    return np.asarray(larger <= RATIO * smaller + SLACK)
