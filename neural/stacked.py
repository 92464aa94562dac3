"""A PrediNet over the propositions of another: relations between relations. Ours, not the paper's."""

import torch
from torch import Tensor, nn

from predinet_prolog.neural.predinet import PrediNet, Propositions


class StackedPrediNet(nn.Module):
    """PrediNets one above the other: the heads of each are the objects of the next.

    Shapes: B images, n windows, m features, k heads, j relations.

    - first level: a PrediNet over L (B, n, m)
    - each further level: a PrediNet over the (D, P1, P2) of the heads below it, (B, k, j + 4). So an object is a pair,
      a relation is between pairs, and the place of a pair is that of its second object, P2.
    """

    def __init__(
        self,
        windows: int,
        features: int,
        *,
        levels: int = 2,
        heads: int = 32,
        relations: int = 16,
        key_size: int = 16,
        generator: torch.Generator | None = None,
    ) -> None:
        """For `L` of n `windows` and m `features`; every level has k `heads` and j `relations`."""
        super().__init__()
        sizes = [(windows, features)] + [(heads, relations + 4)] * (levels - 1)
        options = {"heads": heads, "relations": relations, "key_size": key_size}
        self.levels = nn.ModuleList(PrediNet(*size, **options, generator=generator) for size in sizes)

    def forward(self, L: Tensor) -> tuple[Propositions, ...]:
        """What each level says of `L` (B, n, m), the first level first."""
        said: list[Propositions] = []
        for level in self.levels:
            said.append(level(L))
            L = said[-1].flat.view(*said[-1].values.shape[:2], -1)  # (B, k, j + 4)
        return tuple(said)
