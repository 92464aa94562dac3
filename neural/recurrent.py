"""A PrediNet that looks several times, its own propositions among what it looks at. Ours, not the paper's."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from predinet_prolog.neural.encoder import BIAS, new_weight
from predinet_prolog.neural.predinet import PrediNet, Propositions


class RecurrentPrediNet(nn.Module):
    """One PrediNet, the same weights at every pass: the pairs of the last pass are objects of the next.

    Shapes: B images, n windows, m features, k heads, j relations.

    - objects of a pass: the n windows L, and behind them k pairs, all of m features
    - a pair: relu((D, P1, P2)·W_back + b) of its head in the last pass, and its place, (P1 + P2) / 2; zeros at first.
    """

    def __init__(
        self,
        windows: int,
        features: int,
        *,
        passes: int = 2,
        heads: int = 32,
        relations: int = 16,
        key_size: int = 16,
        generator: torch.Generator | None = None,
    ) -> None:
        """For `L` of n `windows` and m `features`, looked at in so many `passes`."""
        super().__init__()
        self.passes = passes
        self.predinet = PrediNet(
            windows + heads, features, heads=heads, relations=relations, key_size=key_size, generator=generator
        )
        self.W_back = new_weight(relations + 4, features - 2, generator=generator)
        self.b = nn.Parameter(torch.full((features - 2,), BIAS))

    def forward(self, L: Tensor) -> tuple[Propositions, ...]:
        """What is said of `L` (B, n, m) in each pass; attention (B, k, 2, n + k), the windows first."""
        said: list[Propositions] = []
        objects = functional.pad(L, (0, 0, 0, self.predinet.heads))  # (B, n + k, m)
        for _ in range(self.passes):
            said.append(self.predinet(objects))
            heads = said[-1].flat.view(len(L), self.predinet.heads, -1)  # (B, k, j + 4)
            pairs = torch.cat([(heads @ self.W_back + self.b).relu(), said[-1].positions.mean(2)], dim=2)
            objects = torch.cat([L, pairs], dim=1)
        return tuple(said)
