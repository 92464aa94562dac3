"""The PrediNet: attention picks pairs of objects, shared relations compare them (section 2)."""

from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor, nn

from predinet_prolog.neural.encoder import new_weight


@dataclass(frozen=True)
class Propositions:
    """The explicitly propositional form of the PrediNet's output (equation 7).

    Shapes: B images, k heads, j relations, n windows, m features a window.
    Head h asserts ψ_i(values[b, h, i], e1, e2) for each relation i, where e1 and e2 are what its two
    attention masks pick out.
    """

    values: Tensor
    """(B, k, j): D, the distance between the pair's objects in each relation's 1-D space."""
    positions: Tensor
    """(B, k, 2, 2): P1 and P2, each as x, y in the encoder's co-ordinates."""
    attention: Tensor
    """(B, k, 2, n): both masks of each head, after the softmax: each ≥ 0 and summing to 1 over the windows."""
    flat: Tensor
    """(B, k(j + 4)): R*, the heads' (D, P1, P2) one after another."""


class PrediNet(nn.Module):
    """k heads that pick a pair of objects each and compare them under the same j relations.

    Shapes: B images, n windows, m features, k heads, g key size, j relations. L may come from any encoder; its last two
    features are taken for the window's x and y, which `neural.with_places` joins to the others.

    - keys: K = L·W_K, shared by all heads (equation 3)
    - queries: Q1 = flatten(L)·W_Q1, Q2 = flatten(L)·W_Q2, per head (equations 1, 2)
    - objects: E = softmax(Q·Kᵀ)·L, without the 1/√g of later attention (equations 4, 5)
    - relations: D = E1·W_S − E2·W_S, shared by all heads (equation 6)
    - output: (D, P1, P2) of every head, P the last two features of E: the window's place.
    """

    def __init__(
        self,
        windows: int,
        features: int,
        *,
        heads: int = 32,
        relations: int = 16,
        key_size: int = 16,
        query_inputs: int | None = None,
        generator: torch.Generator | None = None,
    ) -> None:
        """For `L` of n `windows` and m `features`; k, j and g are those of the paper's Table S1 if nothing is said.
        `query_inputs` is the length of what `query_input` gives, if that is not all of L."""
        super().__init__()
        self.heads, self.key_size = heads, key_size
        new = partial(new_weight, generator=generator)
        self.W_K = new(features, key_size)
        self.W_Q1, self.W_Q2 = (new(query_inputs or windows * features, heads * key_size) for _ in range(2))
        self.W_S = new(features, relations)

    def forward(self, L: Tensor) -> Propositions:
        """Propositions about `L` (B, n, m), whose last two features are x and y."""
        return self.propositions(L, self.attend(L))

    def attend(self, L: Tensor) -> Tensor:
        """Attention masks (B, k, 2, n) of `L` (B, n, m)."""
        B, n, _ = L.shape
        flat = self.query_input(L)  # (B, n·m)
        K = L @ self.W_K  # (B, n, g)
        Q = torch.stack([flat @ self.W_Q1, flat @ self.W_Q2], dim=1)  # (B, 2, k·g)
        Q = Q.view(B, 2 * self.heads, self.key_size)  # (B, 2k, g)
        masks = (Q @ K.transpose(1, 2)).softmax(-1)  # (B, 2k, n)
        return masks.view(B, 2, self.heads, n).transpose(1, 2)  # (B, k, 2, n)

    def query_input(self, L: Tensor) -> Tensor:
        """What the queries are linear in: all of `L` (B, n, m), as (B, n·m)."""
        return L.flatten(1)

    def coordinates(self, features: Tensor) -> Tensor:
        """Each window's appearance co-ordinate (B, n, j) in every relation's 1-D space: the part of L·W_S that comes
        from its `features` (B, n, f). The rest is its place times the last two rows of W_S, the slopes."""
        return features @ self.W_S[:-2]

    def propositions(self, L: Tensor, attention: Tensor) -> Propositions:
        """What the heads say of `L` (B, n, m) when they attend by `attention` (B, k, 2, n)."""
        B, k, _, n = attention.shape
        E = (attention.reshape(B, 2 * k, n) @ L).view(B, k, 2, -1)  # (B, k, 2, m)
        axes = E @ self.W_S  # (B, k, 2, j)
        D = axes[:, :, 0] - axes[:, :, 1]  # (B, k, j)
        P = E[..., -2:]  # (B, k, 2, 2)
        flat = torch.cat([D, P.flatten(2)], dim=2).flatten(1)  # (B, k(j + 4))
        return Propositions(values=D, positions=P, attention=attention, flat=flat)
