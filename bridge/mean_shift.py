"""Mean shift with a flat kernel, for many sets of points at once.

The same algorithm, the same labels as scikit-learn's `MeanShift(bandwidth=...)`, which takes one set at a time:
every point is a seed; a seed moves to the mean of the points within one bandwidth of it until it rests; of the
places where seeds came to rest, the one with the most points in reach is kept first, those within a bandwidth
of a kept one are dropped; each point belongs to the nearest place kept.

What makes it fast: where a seed goes depends only on which points are in its reach, and masks that agree have the same
ones. After one step there are a few different seeds left of many points, and only those are followed.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from predinet_prolog.bridge.scene import BoolArray, FloatArray, IntArray

STOP_AT = 1e-3
"""A seed rests when it moves by no more than this share of the bandwidth (as in scikit-learn)."""
MOST_MOVES = 300
"""No seed moves more often (as in scikit-learn)."""
BLOCK = 2**17
"""Distances at a time, 1 MiB of them: more sets together leave the processor's cache and are slower. It bounds the
memory as well, which grows with the square of the points of a set."""


def mean_shift(points: npt.NDArray[np.floating], *, bandwidth: float) -> tuple[IntArray, FloatArray]:
    """Clusters each of B sets of p points in d dimensions.

    `points` is (B, p, d). Returns labels (B, p) and centres (B, c, d), where c is the largest number of clusters of
    any set; rows past a set's own clusters are NaN. Label 0 is the densest cluster. What a set gives does not depend
    on the others, but for the last bit of its centres. Needs B ≥ 1, p ≥ 1 and bandwidth > 0.
    """
    X = np.asarray(points, dtype=np.float64)
    step = max(1, BLOCK // X.shape[1] ** 2)
    parts = [_cluster(X[start : start + step], bandwidth) for start in range(0, len(X), step)]
    centres = np.full((len(X), max(part.shape[1] for _, part in parts), X.shape[2]), np.nan)
    for start, (_, part) in zip(range(0, len(X), step), parts, strict=True):
        centres[start : start + len(part), : part.shape[1]] = part
    return np.concatenate([labels for labels, _ in parts]), centres


def _cluster(X: FloatArray, bandwidth: float) -> tuple[IntArray, FloatArray]:
    """Labels and centres of one block of sets (B, p, d)."""
    owner, modes = _densest_first(*_rests(X, bandwidth))
    modes, there = _padded(owner, modes, len(X))  # (B, v, d)
    owner, place = _far_apart(modes, there, bandwidth).nonzero()
    centres, there = _padded(owner, modes[owner, place], len(X))  # (B, c, d)
    distances = np.where(there[:, None], _squares(X, centres), np.inf)
    return distances.argmin(-1), np.where(there[..., None], centres, np.nan)


def _rests(X: FloatArray, bandwidth: float) -> tuple[IntArray, FloatArray, IntArray]:
    """Where the seeds of the sets `X` (B, p, d) come to rest: of S places the set (S,), in order, the place (S, d), and
    how many points were in the last reach (S,). Seeds that go the same way are told once."""
    near = _squares(X, X) <= bandwidth**2  # (B, p, p)
    first, way = _distinct(near)  # (B, p)
    owner, seed = first.nonzero()
    reach, _ = _padded(owner, near[owner, seed], len(X))  # (B, u, p)
    means, count = _means(reach, X)
    # The first move differs among the seeds of one way: some may rest after it where others go on.
    moved = _lengths(np.take_along_axis(means, way[..., None], axis=1) - X)  # (B, p)
    rests = moved <= STOP_AT * bandwidth
    resting, moving = np.zeros((2, *count.shape), dtype=bool)
    for some, kind in ((rests, resting), (~rests, moving)):
        owner, seed = some.nonzero()
        kind[owner, way[owner, seed]] = True
    ends, weight = _climb(means, count, moving, X, bandwidth)
    places, weights = np.concatenate([means, ends], axis=1), np.concatenate([count, weight], axis=1)
    owner, place = np.nonzero(np.concatenate([resting, moving], axis=1) & (weights > 0))
    return owner, places[owner, place], weights[owner, place]


def _climb(
    seeds: FloatArray, count: IntArray, moving: BoolArray, X: FloatArray, bandwidth: float
) -> tuple[FloatArray, IntArray]:
    """Where the `moving` (B, u) of the `seeds` (B, u, d) come to rest (B, u, d), and how many of the points `X`
    (B, p, d) were in the last reach (B, u)."""
    seeds, weight, moving = seeds.copy(), count.copy(), moving.copy()
    for _ in range(MOST_MOVES):
        # Sets whose seeds all rest are left out; most are done after a move or two.
        rows = np.flatnonzero(moving.any(1))
        if not len(rows):
            break
        here, still = seeds[rows], ~moving[rows]
        means, count = _means(_squares(here, X[rows]) <= bandwidth**2, X[rows])
        means = np.where((still | (count == 0))[..., None], here, means)
        seeds[rows] = means
        weight[rows] = np.where(still, weight[rows], count)
        moving[rows] = _lengths(means - here) > STOP_AT * bandwidth
    return seeds, weight


def _means(reach: BoolArray, X: FloatArray) -> tuple[FloatArray, IntArray]:
    """Means (B, u, d) of the points of `X` (B, p, d) in each `reach` (B, u, p), and their number (B, u). 0 of none."""
    count = np.count_nonzero(reach, axis=-1)
    return (reach.astype(X.dtype) @ X) / np.maximum(count, 1)[..., None], count


def _distinct(near: BoolArray) -> tuple[BoolArray, IntArray]:
    """Of the rows of `near` (B, p, p) which are the first of their kind in their set (B, p), and for each row the
    number of its kind among those (B, p)."""
    sets, points, _ = near.shape
    owner = np.arange(sets, dtype=np.uint32).repeat(points).view(np.uint8).reshape(sets, points, -1)
    keys = np.concatenate([owner, np.packbits(near, axis=-1)], axis=-1)  # the set and the row, as bytes
    _, index, kind = np.unique(keys.view(f"V{keys.shape[-1]}").ravel(), return_index=True, return_inverse=True)
    first = np.zeros((sets, points), dtype=bool)
    first.ravel()[index] = True
    number = first.cumsum(1) - 1
    return first, number.ravel()[index[kind]].reshape(sets, points)


def _densest_first(owner: IntArray, places: FloatArray, weights: IntArray) -> tuple[IntArray, FloatArray]:
    """The different `places` (S, d) of each `owner` (S,): by weight, then by co-ordinates, both falling."""
    # Python's sort looks at a second co-ordinate only where the first ones are equal; numpy's sorts by each.
    keys = list(zip(owner.tolist(), (-weights).tolist(), (-places).tolist(), strict=True))
    order = sorted(range(len(keys)), key=keys.__getitem__)
    owner, places = owner[order], places[order]
    new = np.ones(len(owner), dtype=bool)
    new[1:] = (places[1:] != places[:-1]).any(1) | (owner[1:] != owner[:-1])
    return owner[new], places[new]


def _far_apart(modes: FloatArray, there: BoolArray, bandwidth: float) -> BoolArray:
    """Which of the `modes` (B, v, d) that are `there` (B, v) stay when each in turn drops those after it within one
    bandwidth."""
    near = _squares(modes, modes) <= bandwidth**2  # (B, v, v)
    kept = there.copy()
    for index in range(modes.shape[1]):
        dropped = near[:, index] & kept[:, index, None]
        dropped[:, index] = False
        kept &= ~dropped
    return kept


def _padded(owner: IntArray, rows: npt.NDArray[Any], sets: int) -> tuple[npt.NDArray[Any], BoolArray]:
    """`rows` (S, …) of each `owner` (S,), which rises, side by side: (sets, most, …) with zeros behind the last of
    each, and which places hold a row (sets, most)."""
    counts = np.bincount(owner, minlength=sets)
    place = np.arange(len(owner)) - (counts.cumsum() - counts)[owner]
    padded = np.zeros((sets, counts.max(), *rows.shape[1:]), dtype=rows.dtype)
    padded[owner, place] = rows
    return padded, np.arange(counts.max()) < counts[:, None]


def _squares(A: FloatArray, C: FloatArray) -> FloatArray:
    """Squared distances (B, a, c) between the points `A` (B, a, d) and `C` (B, c, d) of each set."""
    # |a|² − 2a·c + |c|² as one product of matrices.
    left, right = np.empty((*A.shape[:2], A.shape[2] + 2)), np.empty((*C.shape[:2], C.shape[2] + 2))
    np.multiply(A, -2, out=left[..., :-2])
    right[..., :-2] = C
    np.einsum("bad,bad->ba", A, A, out=left[..., -2])
    np.einsum("bcd,bcd->bc", C, C, out=right[..., -1])
    left[..., -1] = right[..., -2] = 1
    squares: FloatArray = left @ right.swapaxes(1, 2)
    return squares


def _lengths(vectors: FloatArray) -> FloatArray:
    """Lengths (…) of `vectors` (…, d)."""
    lengths: FloatArray = np.sqrt(np.einsum("...d,...d->...", vectors, vectors))
    return lengths
