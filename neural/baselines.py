"""The four baselines of the paper: central modules that take the PrediNet's place (section 4, Table S1).

All map L to a vector of the PrediNet's length k(j + 4), so that encoder and output MLP stay the same.
"""

from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor, nn

from predinet_prolog.neural.config import RELATION_NET_HIDDEN, NetworkConfig
from predinet_prolog.neural.encoder import BIAS, new_weight


@dataclass(frozen=True)
class Representation:
    """What a baseline makes of B images: unlike the PrediNet's output, it has no parts with a meaning."""

    flat: Tensor
    """(B, k(j + 4))."""


class MLP(nn.Module):
    """Fully-connected layers over the whole of L, each with biases and a ReLU: MLP1 has one, MLP2 two.

    Shapes: B images, n windows, m features.

    - x: flatten(L), (B, n·m)
    - for each layer: x = relu(x·W + b), at last (B, output_size)
    """

    def __init__(
        self, config: NetworkConfig, *, hidden: tuple[int, ...] = (), generator: torch.Generator | None = None
    ) -> None:
        """`hidden` are the widths of all layers but the last."""
        super().__init__()
        sizes = list(pairwise((config.windows * config.features, *hidden, config.output_size)))
        self.weights = nn.ParameterList(new_weight(*size, generator=generator) for size in sizes)
        self.biases = nn.ParameterList(torch.full((outputs,), BIAS) for _, outputs in sizes)

    def forward(self, L: Tensor) -> Representation:
        x = L.flatten(1)
        for weight, bias in zip(self.weights, self.biases, strict=True):
            x = (x @ weight + bias).relu()
        return Representation(flat=x)


class RelationNet(nn.Module):
    """Every ordered pair of windows, a window with itself too, through one MLP; the mean over pairs.

    Shapes: B images, n windows, m features, h hidden units. Two ReLU layers without biases.

    - hidden: relu([L_a, L_b]·W_hidden), (B, n, n, h), the same as relu(L_a·W_first + L_b·W_second)
    - output: the mean over a and b of relu(hidden·W_output)
    """

    products: torch.dtype | None = None
    """What hidden·W_output is multiplied in, forwards and backwards: nearly all of its work; None: as the weights are.
    Sums over pairs are as the weights are either way."""

    def __init__(self, config: NetworkConfig, *, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.W_hidden = new_weight(2 * config.features, RELATION_NET_HIDDEN, generator=generator)
        self.W_output = new_weight(RELATION_NET_HIDDEN, config.output_size, generator=generator)

    def forward(self, L: Tensor) -> Representation:
        features = L.shape[2]
        first, second = L @ self.W_hidden[:features], L @ self.W_hidden[features:]  # (B, n, h) each
        hidden = (first[:, :, None] + second[:, None]).relu().flatten(1, 2)  # (B, n², h)
        dtype = self.products or L.dtype
        outputs = (hidden.to(dtype) @ self.W_output.to(dtype)).relu()
        # The mean's division comes last: backwards it then divides a row for each image and not one for each pair.
        return Representation(flat=outputs.sum(1, dtype=L.dtype) / hidden.shape[1])


class MultiHeadAttention(nn.Module):
    """k heads of self-attention; each sums its values over the windows with weights of its own.

    Shapes: B images, n windows, m features, k heads, g key size, v = j + 4 value size. No biases.

    - keys, queries, values of each window and head: K, Q (B, k, n, g), V (B, k, n, v)
    - outputs: O = softmax(Q·Kᵀ)·V, (B, k, n, v), without the 1/√g, as in Table S1
    - of each head: the sum over windows p of w[h, p]·O[:, h, p], joined to (B, k·v)
    """

    def __init__(self, config: NetworkConfig, *, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.heads = config.heads
        keys = config.heads * config.key_size
        self.W_K = new_weight(config.features, keys, generator=generator)
        self.W_Q = new_weight(config.features, keys, generator=generator)
        self.W_V = new_weight(config.features, config.output_size, generator=generator)
        self.w = new_weight(config.heads, config.windows, generator=generator)

    def forward(self, L: Tensor) -> Representation:
        K, Q = ((L @ weight).view(*L.shape[:2], self.heads, -1).transpose(1, 2) for weight in (self.W_K, self.W_Q))
        masks = (Q @ K.transpose(2, 3)).softmax(-1)  # (B, k, n, n)
        # A head's output is linear in the masks and in L: both sums over windows are taken before W_V, not after it.
        pooled = (self.w[:, None] @ masks)[:, :, 0]  # (B, k, n)
        attended = (pooled @ L).transpose(0, 1)  # (k, B, m)
        W_V = self.W_V.view(L.shape[2], self.heads, -1).transpose(0, 1)  # (k, m, v)
        return Representation(flat=(attended @ W_V).transpose(0, 1).flatten(1))
