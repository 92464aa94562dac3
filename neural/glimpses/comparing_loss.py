"""What the comparator is taught: which pixels are the thing's, and which things are alike. G glimpses."""

from collections.abc import Collection, Mapping

import torch
from torch import Tensor
from torch.nn import functional

from predinet_prolog.neural.glimpses.comparator import Compared

SHARPNESS, MIDDLE = 10.0, 0.5
"""Things are alike with the probability of the logit SHARPNESS · (MIDDLE - their distance)."""
NORM = 8
"""Distances are of this norm, nearly the largest difference on any relation."""
MASK, PAIRS = 4.0, 2.0
"""Weights of the mask and of each group of relations."""


def comparing_loss(
    compared: Compared,
    masks: Tensor,
    pictures: Tensor,
    values: Mapping[str, tuple[list[int], Tensor]],
    across: Collection[str] = (),
) -> Tensor:
    """A scalar ≥ 0.

    masks: (M, SIDE, SIDE), 0–1, of the first M glimpses; of the others it is not told. pictures: (G,) numbers. values:
    by group its columns of the co-ordinates and (G,) integers, alike where equal, not told where negative. Pairs are
    those of one picture; in the groups of `across`, whose values mean the same everywhere, those of two as well.
    """
    loss = MASK * functional.binary_cross_entropy_with_logits(compared.mask[: len(masks)], masks) if len(masks) else 0.0
    together = pictures[:, None] == pictures
    for name, (columns, value) in values.items():
        labelled = (value[:, None] >= 0) & (value >= 0)
        first, second = (labelled if name in across else labelled & together).triu(1).nonzero(as_tuple=True)
        coordinates = compared.coordinates[:, columns]
        apart = (coordinates[first] - coordinates[second]).abs()
        distance = (apart + 1e-4).pow(NORM).sum(-1).pow(1 / NORM)
        alike = value[first] == value[second]
        weight = torch.where(alike, 0.5 / alike.sum().clamp_min(1), 0.5 / (~alike).sum().clamp_min(1))
        wrong = functional.binary_cross_entropy_with_logits(
            SHARPNESS * (MIDDLE - distance), alike.float(), reduction="none"
        )
        loss = loss + PAIRS * (wrong * weight).sum()
    return torch.as_tensor(loss)
