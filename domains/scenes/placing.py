"""Where a thing may stand among others: well apart from them, or at a gap of so many pixels, or over another's rim."""

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Place = tuple[int, int]
"""Top and left, in pixels."""
APART = 2
"""Pixels at least between things that stand freely."""
_BEYOND = 3
"""Pixels around the picture that are looked at as well: the most that things are held apart."""
_FAR = 60
"""Pixels from which a thing comes near to another."""


def place(owner: NDArray[np.uint8], solid: Bools, gap: int | None, rng: np.random.Generator) -> Place | None:
    """Where the thing `solid` (h, w) fits among those of `owner` (H, W; 0: nobody's): APART from all, or with `gap`
    pixels to the next of them, -1: over its rim. None: nowhere was found."""
    last = owner.shape[0] - solid.shape[0] - 2, owner.shape[1] - solid.shape[1] - 2
    if min(last) < 1:
        return None
    taken = np.pad(owner > 0, _BEYOND)
    if gap is None or not taken.any():
        return _anywhere(taken, solid, last, rng)
    return _beside(taken, solid, last, gap, rng)


def _anywhere(taken: Bools, solid: Bools, last: Place, rng: np.random.Generator) -> Place | None:
    height, width = solid.shape
    for _ in range(25):
        top, left = int(rng.integers(1, last[0] + 1)), int(rng.integers(1, last[1] + 1))
        window = taken[top : top + height + 2 * _BEYOND, left : left + width + 2 * _BEYOND]
        if not window.any() or _clear(taken, solid, top, left, APART + int(rng.integers(2))):
            return top, left
    return None


def _beside(taken: Bools, solid: Bools, last: Place, gap: int, rng: np.random.Generator) -> Place | None:
    """Comes from far away towards a pixel of another thing, until the next step would be too near."""
    points = np.argwhere(taken) - _BEYOND
    half = np.array(solid.shape) / 2
    for _ in range(12):
        target = points[rng.integers(len(points))]
        angle = rng.uniform(0, 2 * np.pi)
        step = np.array([np.sin(angle), np.cos(angle)])
        nearest = None
        for distance in range(_FAR, -1, -1):
            top, left = (target + step * distance - half).round().astype(int).tolist()
            if not _inside(top, left, last):
                nearest = None
            elif _clear(taken, solid, top, left, max(gap, 0)):
                nearest = top, left
            else:
                break
        if nearest is None or distance == 0:
            continue
        top, left = (np.array(nearest) - step.round()).astype(int).tolist()
        return (top, left) if gap < 0 and _inside(top, left, last) else nearest
    return None


def _inside(top: int, left: int, last: Place) -> bool:
    return 1 <= top <= last[0] and 1 <= left <= last[1]


def _clear(taken: Bools, solid: Bools, top: int, left: int, apart: int) -> bool:
    """Whether no pixel of another thing is within `apart` pixels of one of `solid`'s, were it at that place."""
    height, width = solid.shape
    shifts = range(_BEYOND - apart, _BEYOND + apart + 1)
    return not any(
        (taken[top + down : top + down + height, left + right : left + right + width] & solid).any()
        for down in shifts
        for right in shifts
    )
