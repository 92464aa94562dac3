"""Auxiliary losses, which lead masks and windows to what symbols need. Ours, not the paper's.

Shapes: B images, n windows in a square grid, f features, q masks. A window's content is `encoder.content`: how far its
features lie from background's.
"""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from predinet_prolog.neural.encoder import content
from predinet_prolog.neural.network import NetworkOutput


@dataclass(frozen=True)
class AuxiliarySettings:
    centred: float = 0.8
    """Largest share of a cell's content that a window between cells may have: halves of two things have about half of
    it each."""
    faintest: float = 1e-6
    """Added to masks whose logarithm is taken; the least that sums are divided by."""


SETTINGS = AuxiliarySettings()


def auxiliary_loss(output: NetworkOutput, blank: Tensor, *, coverage: float, centring: float) -> Tensor:
    """`coverage` times coverage_loss plus `centring` times centring_loss of what a PrediNet made of a batch, a scalar;
    `blank` (f,) is the features of an empty window."""
    assert output.propositions is not None, "a baseline has no masks"
    occupied = content(output.L[..., :-2], blank)
    masks = output.propositions.attention.max(2).values  # of each pair, for coverage goes by the largest of all
    return coverage * coverage_loss(occupied, masks) + centring * centring_loss(occupied)


def coverage_loss(content: Tensor, masks: Tensor) -> Tensor:
    """How little the `masks` (B, q, n) reach of what images show: a scalar ≥ 0, about 0 when every window is attended.

    The mean of −log(largest mask on the window) over all windows, weighted by their `content` (B, n), through which
    no gradient flows: the masks come to what there is to see, not the features to the masks.
    """
    weight = content.detach()
    missed = -(masks.max(1).values + SETTINGS.faintest).log()
    return (weight * missed).sum() / weight.sum().clamp_min(SETTINGS.faintest)


def centring_loss(content: Tensor) -> Tensor:
    """How far windows between cells are from showing less than the cells they overlap: a scalar ≥ 0.

    Of overlapping windows, the one of most objectness is taken to show a thing whole. So a window that shows halves of
    two things must not have more than both. Every second window along a row or column is a cell. Every other window
    may have SETTINGS.centred of the `content` (B, n) of the cell it overlaps that has most.
    """
    side = int(content.shape[1] ** 0.5)
    grid = content.view(-1, 1, side, side)
    is_cell = torch.zeros(side, side, dtype=torch.bool, device=grid.device)
    is_cell[::2, ::2] = True
    richest_cell = functional.max_pool2d(grid * is_cell, 3, stride=1, padding=1)
    excess = (grid - SETTINGS.centred * richest_cell).relu().masked_fill(is_cell, 0)
    return excess.sum() / (excess > 0).sum().clamp_min(1)
