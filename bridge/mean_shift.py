"""Mean shift with a flat kernel.

The same algorithm, the same labels as scikit-learn's `MeanShift(bandwidth=...)`, which takes some 70 times as long:
every point is a seed; a seed moves to the mean of the points within one bandwidth of it until it rests; of the
places where seeds came to rest, the one with the most points in reach is kept first, those within a bandwidth
of a kept one are dropped; each point belongs to the nearest place kept.

What makes it fast: where a seed goes depends only on which points are in its reach, and masks that agree have the same
ones. After one move there are a few different seeds left of many points, and only those are followed.
"""

import numpy as np
import numpy.typing as npt

from predinet_prolog.bridge.scene import BoolArray, FloatArray, IntArray

STOP_AT = 1e-3
"""A seed rests when it moves by no more than this share of the bandwidth (as in scikit-learn)."""
MOST_MOVES = 300
"""No seed moves more often (as in scikit-learn)."""
NOTHING = 1e-150
"""Masks are full of numbers so small that their squares take processors a hundred times as long."""


def mean_shift(points: npt.NDArray[np.floating], *, bandwidth: float) -> tuple[IntArray, FloatArray]:
    """Labels (p,) of the `points` (p, d), one at least, and the centres (c, d) of their clusters. Label 0 is the
    densest cluster. Needs a bandwidth above 0."""
    X = np.asarray(points, dtype=np.float64)
    places, weights = _rests(X, bandwidth)
    # Python's sort looks at a second co-ordinate only where the first ones are equal; numpy's sorts by each.
    keys = list(zip((-weights).tolist(), (-places).tolist(), strict=True))
    modes = places[sorted(range(len(keys)), key=keys.__getitem__)]
    near, left = _squares(modes, modes) <= bandwidth**2, np.ones(len(modes), dtype=bool)
    kept = []
    for number in range(len(modes)):
        if left[number]:
            kept.append(number)
            left &= ~near[number]
    return _squares(X, modes[kept]).argmin(axis=1), modes[kept]


def _rests(X: FloatArray, bandwidth: float) -> tuple[FloatArray, IntArray]:
    """Where the seeds of the points `X` (p, d) come to rest (s, d), those that go the same way once, and how many
    points were in the last reach of each (s,). A seed that has none in reach comes to no rest."""
    reach = _squares(X, X) <= bandwidth**2
    bits = np.packbits(reach, axis=1)
    _, distinct = np.unique(bits.view(f"V{bits.shape[1]}"), return_index=True)
    seeds, weights = _means(reach[distinct], X)
    moving = np.arange(len(seeds))
    for _ in range(MOST_MOVES - 1):
        here = seeds[moving]
        seeds[moving], weights[moving] = _means(_squares(here, X) <= bandwidth**2, X)
        far = ((seeds[moving] - here) ** 2).sum(axis=1) > (STOP_AT * bandwidth) ** 2
        moving = moving[far & (weights[moving] > 0)]
        if not len(moving):
            break
    return seeds[weights > 0], weights[weights > 0]


def _means(reach: BoolArray, X: FloatArray) -> tuple[FloatArray, IntArray]:
    """Means (s, d) of the points of `X` (p, d) in each `reach` (s, p), and their number (s,); zeros of none."""
    count = np.count_nonzero(reach, axis=1)
    return (reach.astype(np.float64) @ X) / np.maximum(count, 1)[:, None], count


def _squares(A: FloatArray, C: FloatArray) -> FloatArray:
    """Squared distances (a, c) between the points `A` (a, d) and `C` (c, d)."""
    A, C = (np.where(np.abs(points) < NOTHING, 0, points) for points in (A, C))
    return np.asarray((A**2).sum(axis=1)[:, None] - 2 * A @ C.T + (C**2).sum(axis=1))
