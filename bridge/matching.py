"""Objects and truth, matched by their boxes."""

import numpy as np

from predinet_prolog.bridge.scene import BoolArray, FloatArray

LEAST_OVERLAP = 0.5
"""Two boxes show the same thing if they share at least this much of what they cover together."""


def match(detected: FloatArray, true: FloatArray) -> list[tuple[int, int]]:
    """Pairs of indices (detected, true) that show the same thing, each index once, by `detected`.

    Both are boxes (F, 4) and (T, 4): left, top, right, bottom. The pairs that overlap most are taken first; of equal
    ones, the first detected and the first true.
    """
    overlap = overlaps(detected, true)
    pairs: list[tuple[int, int]] = []
    while overlap.size and overlap.max() >= LEAST_OVERLAP:
        first, second = np.unravel_index(overlap.argmax(), overlap.shape)
        pairs.append((int(first), int(second)))
        overlap[first] = overlap[:, second] = 0
    return sorted(pairs)


def overlaps(first: FloatArray, second: FloatArray) -> FloatArray:
    """Intersection over union (F, S) of boxes (F, 4) and (S, 4), 0–1; 0 where both are empty."""
    common = shared(first, second)
    together = areas_of(first)[:, None] + areas_of(second) - common
    return np.asarray(np.divide(common, together, out=np.zeros_like(common), where=together > 0))


def nested(boxes: FloatArray, share: float) -> BoolArray:
    """(n, n): whether each of `boxes` (n, 4) has more than `share` of its area in the other, a larger one."""
    areas = areas_of(boxes)
    return np.asarray((shared(boxes, boxes) > share * areas[:, None]) & (areas[:, None] < areas[None, :]))


def shared(first: FloatArray, second: FloatArray) -> FloatArray:
    """The area (F, S) that boxes (F, 4) and (S, 4) have in common."""
    corner = np.maximum(first[:, None, :2], second[:, :2])
    return np.asarray(np.maximum(np.minimum(first[:, None, 2:], second[:, 2:]) - corner, 0).prod(axis=2))


def areas_of(boxes: FloatArray) -> FloatArray:
    """(n,): of `boxes` (n, 4)."""
    return np.asarray(np.maximum(boxes[:, 2:] - boxes[:, :2], 0).prod(axis=1))
