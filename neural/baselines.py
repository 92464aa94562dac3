"""The four baselines of the paper: central modules that take the PrediNet's place (section 4, Table S1).

All map L to a vector of the PrediNet's length k(j + 4), so that encoder and output MLP stay the same.
"""

from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor, nn

from neural.config import ARCHITECTURES, MLP2_HIDDEN, RELATION_NET_HIDDEN
from neural.encoder import BIAS, initialise_weight
from neural.errors import NeuralError
from neural.predinet import PrediNet


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

    def __init__(self, *, widths: tuple[int, ...], generator: torch.Generator | None = None) -> None:
        """`widths` begins with the input's, n·m, and ends with the output's."""
        super().__init__()
        self.output_size = widths[-1]
        sizes = list(pairwise(widths))
        self.weights = nn.ParameterList(torch.empty(size) for size in sizes)
        self.biases = nn.ParameterList(torch.full((outputs,), BIAS) for _, outputs in sizes)
        for weight in self.weights:
            initialise_weight(weight, generator)

    def forward(self, L: Tensor) -> Representation:
        """Of `L` (B, n, m)."""
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

    def __init__(
        self, *, features: int, hidden: int, output_size: int, generator: torch.Generator | None = None
    ) -> None:
        super().__init__()
        self.output_size = output_size
        self.W_hidden = nn.Parameter(torch.empty(2 * features, hidden))
        self.W_output = nn.Parameter(torch.empty(hidden, output_size))
        for weight in (self.W_hidden, self.W_output):
            initialise_weight(weight, generator)

    def forward(self, L: Tensor) -> Representation:
        """Of `L` (B, n, m)."""
        features = L.shape[2]
        first, second = L @ self.W_hidden[:features], L @ self.W_hidden[features:]  # (B, n, h) each
        hidden = (first[:, :, None] + second[:, None]).relu().flatten(1, 2)  # (B, n², h)
        return Representation(flat=(hidden @ self.W_output).relu().mean(1))


class MultiHeadAttention(nn.Module):
    """k heads of self-attention; each sums its values over the windows with weights of its own.

    Shapes: B images, n windows, m features, k heads, g key size, v = j + 4 value size. No biases.

    - keys, queries, values of each window and head: K, Q (B, k, n, g), V (B, k, n, v)
    - outputs: O = softmax(Q·Kᵀ)·V, (B, k, n, v), without the 1/√g, as in Table S1
    - of each head: the sum over windows p of w[h, p]·O[:, h, p], joined to (B, k·v)
    """

    def __init__(
        self,
        *,
        windows: int,
        features: int,
        heads: int,
        value_size: int,
        key_size: int,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        self.heads = heads
        self.W_K = nn.Parameter(torch.empty(features, heads * key_size))
        self.W_Q = nn.Parameter(torch.empty(features, heads * key_size))
        self.W_V = nn.Parameter(torch.empty(features, heads * value_size))
        self.w = nn.Parameter(torch.empty(heads, windows))
        for weight in (self.W_K, self.W_Q, self.W_V, self.w):
            initialise_weight(weight, generator)

    @property
    def output_size(self) -> int:
        """k(j + 4)."""
        return self.W_V.shape[1]

    def forward(self, L: Tensor) -> Representation:
        """Of `L` (B, n, m)."""
        K, Q, V = (self._by_head(L @ weight) for weight in (self.W_K, self.W_Q, self.W_V))
        masks = (Q @ K.transpose(2, 3)).softmax(-1)  # (B, k, n, n)
        # The weighted sum over windows is taken of the masks, which are fewer than the values.
        pooled = self.w[:, None] @ masks  # (B, k, 1, n)
        return Representation(flat=(pooled @ V).flatten(1))

    def _by_head(self, joined: Tensor) -> Tensor:
        """(B, k, n, size) of (B, n, k·size)."""
        B, n, size = joined.shape
        return joined.view(B, n, self.heads, size // self.heads).transpose(1, 2)


Central = PrediNet | MLP | RelationNet | MultiHeadAttention


def central_module(
    architecture: str,
    *,
    windows: int,
    features: int,
    heads: int,
    relations: int,
    key_size: int,
    generator: torch.Generator | None = None,
) -> Central:
    """The module of that name in ARCHITECTURES, with Table S1's sizes for k `heads` and j `relations`."""
    output_size = heads * (relations + 4)
    match architecture:
        case "predinet":
            return PrediNet(
                windows=windows,
                features=features,
                heads=heads,
                relations=relations,
                key_size=key_size,
                generator=generator,
            )
        case "mlp1":
            return MLP(widths=(windows * features, output_size), generator=generator)
        case "mlp2":
            return MLP(widths=(windows * features, MLP2_HIDDEN, output_size), generator=generator)
        case "relation_net":
            return RelationNet(
                features=features, hidden=RELATION_NET_HIDDEN, output_size=output_size, generator=generator
            )
        case "attention":
            return MultiHeadAttention(
                windows=windows,
                features=features,
                heads=heads,
                value_size=relations + 4,
                key_size=key_size,
                generator=generator,
            )
    raise NeuralError(f"no architecture {architecture}: choose {', '.join(ARCHITECTURES)}")
