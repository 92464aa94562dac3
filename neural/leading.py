"""Terms of the loss that lead masks and windows to what symbols need. Ours, not the paper's.

Shapes: B images, n windows, q masks. A window's richness is its content: how far its features lie from background's.
"""

import torch
from torch import Tensor
from torch.nn import functional

CENTRED = 0.8
"""Largest share of a cell's richness that a window between cells shall have."""


def coverage_loss(richness: Tensor, masks: Tensor) -> Tensor:
    """How little the `masks` (B, q, n) reach of what images show: a scalar ≥ 0, about 0 when every window is attended.

    The mean of −log(largest mask on the window) over all windows, weighted by their `richness` (B, n), through which no
    gradient flows: the masks shall come to what there is to see, not the features to the masks.
    """
    weight = richness.detach()
    missed = -(masks.amax(1) + 1e-6).log()
    return (weight * missed).sum() / weight.sum().clamp_min(1e-6)


def centring_loss(richness: Tensor) -> Tensor:
    """How far windows between the game's cells are from showing less than the cells they overlap: a scalar ≥ 0.

    Of overlapping windows the richest shall be the one that shows a thing whole, so a window that shows halves of
    two objects must not be richer than both. Every second window along a row or column is a cell; every other window
    shall have at most CENTRED of the `richness` (B, n) of the richest cell it overlaps.
    """
    side = int(richness.shape[1] ** 0.5)
    grid = richness.view(-1, 1, side, side)
    is_cell = torch.zeros(side, side, dtype=torch.bool, device=grid.device)
    is_cell[::2, ::2] = True
    richest_cell = functional.max_pool2d(grid * is_cell, 3, stride=1, padding=1)
    excess = (grid - CENTRED * richest_cell).relu()[..., ~is_cell]  # (B, 1, windows between cells)
    return excess.sum() / (excess > 0).sum().clamp_min(1)
