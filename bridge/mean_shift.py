"""Mean shift with a flat kernel, for many sets of points at once.

The same algorithm, the same labels as scikit-learn's `MeanShift(bandwidth=...)`, which takes one set at a time:
every point is a seed; a seed moves to the mean of the points within one bandwidth of it until it rests; of the
places where seeds came to rest, the one with the most points in reach is kept first, those within a bandwidth
of a kept one are dropped; each point belongs to the nearest place kept.
"""

import torch
from torch import Tensor

STOP_AT = 1e-3
"""A seed rests when it moves by no more than this share of the bandwidth (as in scikit-learn)."""
MOST_MOVES = 300
"""No seed moves more often (as in scikit-learn)."""


def mean_shift(points: Tensor, *, bandwidth: float) -> tuple[Tensor, Tensor]:
    """Clusters each of B sets of p points in d dimensions.

    `points` is (B, p, d). Returns labels (B, p), int64, and centres (B, c, d), where c is the largest number of
    clusters of any set; rows past a set's own clusters are NaN. Label 0 is the densest cluster.
    Needs p ≥ 1 and bandwidth > 0.
    """
    X = points.to(torch.float64)
    modes, weights = _climb(X, bandwidth)
    order = _densest_first(modes, weights)
    modes = modes.gather(1, order[..., None].expand_as(modes))
    kept = _far_apart(modes, bandwidth)  # (B, p)
    centres = _compact(modes, kept)
    distances = torch.cdist(X, centres.nan_to_num(torch.inf), compute_mode="donot_use_mm_for_euclid_dist")
    labels = distances.nan_to_num(torch.inf).argmin(-1)
    return labels, centres.to(points.dtype)


def _climb(X: Tensor, bandwidth: float) -> tuple[Tensor, Tensor]:
    """Where each point's seed came to rest (B, p, d) and how many points were in its last reach (B, p)."""
    seeds = X.clone()
    weights = torch.zeros(X.shape[:2], dtype=torch.int64, device=X.device)
    moving = torch.ones(len(X), dtype=torch.bool, device=X.device)
    resting = torch.zeros(X.shape[:2], dtype=torch.bool, device=X.device)
    for _ in range(MOST_MOVES + 1):
        # Sets whose seeds all rest are left out; most are done after three or four moves.
        rows = moving.nonzero()[:, 0]
        if not len(rows):
            break
        near = torch.cdist(seeds[rows], X[rows]) <= bandwidth  # (b, p, p)
        count = near.sum(-1)
        means = (near.to(X.dtype) @ X[rows]) / count[..., None]
        still = resting[rows]
        moved = (means - seeds[rows]).norm(dim=-1)
        seeds[rows] = torch.where(still[..., None], seeds[rows], means)
        weights[rows] = torch.where(still, weights[rows], count)
        resting[rows] = still | (moved <= STOP_AT * bandwidth)
        moving[rows] = ~resting[rows].all(-1)
    return seeds, weights


def _densest_first(modes: Tensor, weights: Tensor) -> Tensor:
    """Order (B, p) of the seeds: by weight, then by co-ordinates, both falling."""
    order = torch.arange(modes.shape[1], device=modes.device).expand(weights.shape)
    keys = [*modes.flip(-1).unbind(-1), weights]  # the last sort weighs most
    for key in keys:
        rank = key.gather(1, order).argsort(dim=1, descending=True, stable=True)
        order = order.gather(1, rank)
    return order


def _far_apart(modes: Tensor, bandwidth: float) -> Tensor:
    """Which seeds (B, p) stay when each in turn drops those after it within one bandwidth."""
    near = torch.cdist(modes, modes) <= bandwidth  # (B, p, p)
    kept = torch.ones(modes.shape[:2], dtype=torch.bool, device=modes.device)
    for index in range(modes.shape[1]):
        dropped = near[:, index] & kept[:, index, None]
        dropped[:, index] = False
        kept &= ~dropped
    return kept


def _compact(modes: Tensor, kept: Tensor) -> Tensor:
    """The kept modes of each set moved to the front (B, c, d), the rest NaN."""
    most = int(kept.sum(1).max())
    place = (~kept).to(torch.int8).argsort(dim=1, stable=True)[:, :most]  # kept ones first, in order
    chosen = modes.gather(1, place[..., None].expand(-1, -1, modes.shape[2]))
    return chosen.masked_fill(~kept.gather(1, place)[..., None], torch.nan)
