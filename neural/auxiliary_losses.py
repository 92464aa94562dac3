"""Terms of the loss that lead masks and windows to what symbols need. Ours, not the paper's.

Shapes: R networks, B images of each, n windows, f features, q masks. A window's content, as `neural.encoder` has
it, is how far its features lie from background's.
"""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from neural.encoder import TINY

CENTRED = 0.8
"""Largest share of a cell's content that a window between cells shall have."""
FAINTEST = 1e-6
"""Added to masks whose logarithm is taken; the least that sums are divided by."""


def coverage_loss(content: Tensor, masks: Tensor) -> Tensor:
    """How little the `masks` (B, q, n) reach of what images show: a scalar ≥ 0, about 0 when every window is attended.

    The mean of −log(largest mask on the window) over all windows, weighted by their `content` (B, n), through which
    no gradient flows: the masks shall come to what there is to see, not the features to the masks.
    """
    weight = content.detach()
    missed = -(masks.amax(1) + FAINTEST).log()
    return (weight * missed).sum() / weight.sum().clamp_min(FAINTEST)


def centring_loss(content: Tensor) -> Tensor:
    """How far windows between the game's cells are from showing less than the cells they overlap: a scalar ≥ 0.

    Of overlapping windows the richest shall be the one that shows a thing whole, so a window that shows halves of
    two objects must not be richer than both. Every second window along a row or column is a cell; every other window
    shall have at most CENTRED of the `content` (B, n) of the richest cell it overlaps.
    """
    side = int(content.shape[1] ** 0.5)
    grid = content.view(-1, 1, side, side)
    is_cell = _cells(side, grid.device)
    richest_cell = functional.max_pool2d(grid * is_cell, 3, stride=1, padding=1)
    excess = (grid - CENTRED * richest_cell).relu()[..., ~is_cell]  # (B, 1, windows between cells)
    return excess.sum() / (excess > 0).sum().clamp_min(1)


def _cells(side: int, device: torch.device) -> Tensor:
    """Which windows (side, side) are cells of the game."""
    is_cell = torch.zeros(side, side, dtype=torch.bool, device=device)
    is_cell[::2, ::2] = True
    return is_cell


@dataclass(frozen=True)
class Led:
    """Both terms for R networks, each with its own batch, and their gradients: as autograd has them but for masks that
    tie, in a few operations whatever R is."""

    loss: Tensor
    """(R,)"""
    reaching: Tensor
    """(R·B, 1, n): which mask reaches each window most …"""
    masks: Tensor
    """(R·B, 1, n): … and the gradient of that mask there. All others have none."""
    features: Tensor
    """(R, B, n, f): of the windows' features."""
    blank: Tensor
    """(R, f): of the features of an empty window."""


def lead(features: Tensor, blank: Tensor, masks: Tensor, *, coverage: float, centring: float) -> Led:
    """`coverage` times coverage_loss and `centring` times centring_loss of `masks` (R·B, q, n), given the windows'
    `features` (R, B, n, f) and those of an empty window, `blank` (R, f)."""
    R, B, n, f = features.shape
    side = int(n**0.5)
    apart = features - blank[:, None, None]
    root = (apart.square().sum(-1) / f + TINY).sqrt()
    content = root - TINY**0.5  # (R, B, n)

    most, reaching = masks.max(1)
    most = most.view(R, B, n) + FAINTEST
    share = content / content.sum((1, 2), keepdim=True).clamp_min(FAINTEST)
    missed = -(share * most.log()).sum((1, 2))
    dmost = share.div_(most).mul_(-coverage)

    grid = content.view(R * B, 1, side, side)
    is_cell = _cells(side, features.device)
    richest_cell, richest = functional.max_pool2d(grid * is_cell, 3, stride=1, padding=1, return_indices=True)
    excess = (grid - CENTRED * richest_cell).relu_().masked_fill_(is_cell, 0).view(R, B, n)
    too_rich = excess > 0
    count = too_rich.sum((1, 2), keepdim=True).clamp_min(1)
    drichness = too_rich.to(content.dtype) * centring / count  # (R, B, n)
    of_cells = torch.zeros_like(drichness).scatter_add_(2, richest.view(R, B, n), drichness)
    drichness = drichness.sub_(of_cells.mul_(is_cell.flatten()), alpha=CENTRED)

    dfeatures = apart.mul_((drichness / root).div_(f)[..., None])
    return Led(
        loss=coverage * missed + centring * excess.sum((1, 2)) / count[:, 0, 0],
        reaching=reaching[:, None],
        masks=dmost.view(R * B, 1, n),
        features=dfeatures,
        blank=-dfeatures.sum((1, 2)),
    )
