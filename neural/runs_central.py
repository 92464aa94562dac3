"""The central modules for R networks at once, forwards and backwards by hand.

Without autograd every gradient can go into its weight at once, and small steps are not drowned in bookkeeping. The
equations are those of `neural.predinet` and `neural.baselines`, whose letters are used here.

Shapes: R runs, B images a run, n windows, m features, k heads, g key size, j relations, d = k(j + 4) output.
L is (R, B, n, m), an output (R, B, d), a weight (R, ...). A name that begins with d is a gradient.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping

import torch
from torch import Tensor

from neural.auxiliary_losses import Led
from neural.config import NetworkConfig
from neural.descent import Descent


class CentralRuns(ABC):
    """One central module of every run. `backward` belongs to the `forward` before it."""

    def __init__(self, config: NetworkConfig, weights: Mapping[str, Tensor]) -> None:
        """`weights` by their names in the network."""
        self.config = config
        self.prefix = f"{config.architecture}."
        self.weights = weights

    def W(self, name: str) -> Tensor:  # noqa: N802 (the paper's letter)
        """The weight of that name within the module."""
        return self.weights[self.prefix + name]

    @abstractmethod
    def forward(self, L: Tensor) -> Tensor:
        """Output (R, B, d)."""

    @property
    def masks(self) -> Tensor:
        """The attention masks (R·B, q, n) of the last `forward`; only a PrediNet has any that can be led."""
        raise NotImplementedError

    @abstractmethod
    def backward(self, dflat: Tensor, descent: Descent, *, wants_dL: bool, led: Led | None = None) -> Tensor | None:
        """Tells `descent` the weights' gradients, given the output's, `dflat` (R, B, d); returns dL if wanted.

        `led` holds a gradient of the masks beside that which comes of the output.
        """


class PrediNetRuns(CentralRuns):
    """Equations 1 to 7."""

    def __init__(self, config: NetworkConfig, weights: Mapping[str, Tensor]) -> None:
        super().__init__(config, weights)
        self._signs = self.W("W_S").new_tensor([1.0, -1.0]).view(2, 1, 1)  # of E1 and E2 in their difference

    @property
    def masks(self) -> Tensor:
        A: Tensor = self._seen[3]
        return A

    def forward(self, L: Tensor) -> Tensor:
        R, B, n, m = L.shape
        k, j, g = self.config.heads, self.config.relations, self.config.key_size
        joined = L.view(R, B, n * m)
        Q = torch.stack([torch.bmm(joined, self.W("W_Q1")), torch.bmm(joined, self.W("W_Q2"))], dim=2)
        Q = Q.view(R * B, 2 * k, g)
        K = torch.bmm(L.view(R, B * n, m), self.W("W_K")).view(R * B, n, g)
        A = torch.bmm(Q, K.transpose(1, 2)).softmax(-1)  # (R·B, 2k, n)
        E = torch.bmm(A, L.view(R * B, n, m)).view(R, B, 2, k, m)
        # (E1 − E2)·W_S is half the work of E1·W_S − E2·W_S.
        pair = (E[:, :, 0] - E[:, :, 1]).view(R, B * k, m)
        D = torch.bmm(pair, self.W("W_S"))
        places = E[..., -2:].transpose(2, 3).reshape(R, B, k, 4)
        flat = torch.cat([D.view(R, B, k, j), places], dim=3)
        self._seen = L, Q, K, A, pair
        return flat.view(R, B, k * (j + 4))

    def backward(self, dflat: Tensor, descent: Descent, *, wants_dL: bool, led: Led | None = None) -> Tensor | None:
        L, Q, K, A, pair = self._seen
        R, B, n, m = L.shape
        k, j, g = self.config.heads, self.config.relations, self.config.key_size
        dflat = dflat.view(R, B, k, j + 4)
        dD = dflat[..., :j].reshape(R, B * k, j)
        dpair = torch.bmm(dD, self.W("W_S").transpose(1, 2)).view(R, B, k, m)
        descent.product(self.prefix + "W_S", pair, dD)
        dE = dpair[:, :, None] * self._signs  # (R, B, 2, k, m)
        dE[..., -2:] += dflat[..., j:].view(R, B, k, 2, 2).transpose(2, 3)
        dE = dE.view(R * B, 2 * k, m)
        rows = L.view(R * B, n, m)
        dA = torch.bmm(dE, rows.transpose(1, 2))
        if led is not None:
            dA.scatter_add_(1, led.reaching, led.masks)
        dscores = _softmax_gradient(A, dA)  # (R·B, 2k, n)
        dQ = torch.bmm(dscores, K).view(R, B, 2, k * g)
        dQ1, dQ2 = dQ[:, :, 0], dQ[:, :, 1]
        dK = torch.bmm(dscores.transpose(1, 2), Q).view(R, B * n, g)
        dL = None
        if wants_dL:
            dL = torch.bmm(A.transpose(1, 2), dE).view(R, B * n, m)
            dL.baddbmm_(dK, self.W("W_K").transpose(1, 2))
            joined = dL.view(R, B, n * m)
            joined.baddbmm_(dQ1, self.W("W_Q1").transpose(1, 2))
            joined.baddbmm_(dQ2, self.W("W_Q2").transpose(1, 2))
            dL = dL.view(R, B, n, m)
        joined = L.view(R, B, n * m)
        descent.product(self.prefix + "W_Q1", joined, dQ1)
        descent.product(self.prefix + "W_Q2", joined, dQ2)
        descent.product(self.prefix + "W_K", L.view(R, B * n, m), dK)
        return dL


class MLPRuns(CentralRuns):
    """MLP1 and MLP2: as many layers as there are weights."""

    def __init__(self, config: NetworkConfig, weights: Mapping[str, Tensor]) -> None:
        super().__init__(config, weights)
        self.layers = sum(name.startswith(f"{self.prefix}weights.") for name in weights)

    def forward(self, L: Tensor) -> Tensor:
        self._seen = [L.flatten(2)]
        for layer in range(self.layers):
            bias = self.W(f"biases.{layer}")[:, None]
            self._seen.append(torch.baddbmm(bias, self._seen[-1], self.W(f"weights.{layer}")).relu_())
        self._shape = L.shape
        return self._seen[-1]

    def backward(self, dflat: Tensor, descent: Descent, *, wants_dL: bool, led: Led | None = None) -> Tensor | None:
        dx = dflat
        for layer in reversed(range(self.layers)):
            dx = relu_gradient(self._seen[layer + 1], dx)
            before = dx
            if layer or wants_dL:
                dx = torch.bmm(dx, self.W(f"weights.{layer}").transpose(1, 2))
            descent.product(f"{self.prefix}weights.{layer}", self._seen[layer], before)
            descent.whole(f"{self.prefix}biases.{layer}", before.sum(1))
        return dx.view(self._shape) if wants_dL else None


class RelationNetRuns(CentralRuns):
    """Both halves of W_hidden, for a pair's first and second window, are applied to windows, not to pairs."""

    def forward(self, L: Tensor) -> Tensor:
        R, B, n, m = L.shape
        W_hidden, W_output = self.W("W_hidden"), self.W("W_output")
        h = W_hidden.shape[2]
        rows = L.view(R, B * n, m)
        first = torch.bmm(rows, W_hidden[:, :m]).view(R, B, n, 1, h)
        second = torch.bmm(rows, W_hidden[:, m:]).view(R, B, 1, n, h)
        hidden = (first + second).relu_().view(R, B * n * n, h)
        output = torch.bmm(hidden, W_output).relu_().view(R, B, n * n, -1)
        self._seen = L, hidden, output
        return output.mean(2)

    def backward(self, dflat: Tensor, descent: Descent, *, wants_dL: bool, led: Led | None = None) -> Tensor | None:
        L, hidden, output = self._seen
        R, B, n, m = L.shape
        W_hidden, W_output = self.W("W_hidden"), self.W("W_output")
        h = W_hidden.shape[2]
        doutput = relu_gradient(output, (dflat / (n * n))[:, :, None].expand_as(output)).view(R, B * n * n, -1)
        dhidden = relu_gradient(hidden, torch.bmm(doutput, W_output.transpose(1, 2)))
        descent.product(self.prefix + "W_output", hidden, doutput)
        dhidden = dhidden.view(R, B, n, n, h)
        halves = torch.stack([dhidden.sum(3), dhidden.sum(2)], dim=1).view(R, 2, B * n, h)
        dL = None
        if wants_dL:
            dL = torch.bmm(halves[:, 0], W_hidden[:, :m].transpose(1, 2))
            dL.baddbmm_(halves[:, 1], W_hidden[:, m:].transpose(1, 2))
            dL = dL.view(R, B, n, m)
        rows = L.view(R, 1, B * n, m).expand(-1, 2, -1, -1)
        descent.product(self.prefix + "W_hidden", rows.reshape(R * 2, B * n, m), halves.view(R * 2, B * n, h))
        return dL


class AttentionRuns(CentralRuns):
    """Multi-head attention. A head's weighted sum over windows is taken of its masks, and the masks' of L: values of
    single windows are never needed, for what makes them is linear."""

    def forward(self, L: Tensor) -> Tensor:
        R, B, n, m = L.shape
        k = self.config.heads
        rows = L.view(R, B * n, m)
        K, Q = (self._by_head(torch.bmm(rows, self.W(name)), B) for name in ("W_K", "W_Q"))
        A = torch.bmm(Q, K.transpose(1, 2)).softmax(-1)  # (R·B·k, n, n)
        w = self.W("w")[:, None].expand(-1, B, -1, -1).reshape(R * B * k, 1, n)
        pooled = torch.bmm(w, A).view(R * B, k, n)
        seen = torch.bmm(pooled, L.view(R * B, n, m)).view(R, B, k, m)
        seen = seen.transpose(1, 2).reshape(R * k, B, m)  # by each head, of every image
        W_V = self.W("W_V").view(R, m, k, -1).transpose(1, 2).reshape(R * k, m, -1)
        self._seen = L, K, Q, A, w, pooled, seen, W_V
        return torch.bmm(seen, W_V).view(R, k, B, -1).transpose(1, 2).reshape(R, B, -1)

    def backward(self, dflat: Tensor, descent: Descent, *, wants_dL: bool, led: Led | None = None) -> Tensor | None:
        L, K, Q, A, w, pooled, seen, W_V = self._seen
        R, B, n, m = L.shape
        k = self.config.heads
        dflat = dflat.view(R, B, k, -1).transpose(1, 2).reshape(R * k, B, -1)
        dseen = torch.bmm(dflat, W_V.transpose(1, 2)).view(R, k, B, m).transpose(1, 2).reshape(R * B, k, m)
        dW_V = torch.bmm(seen.transpose(1, 2), dflat)  # (R·k, m, v)
        descent.whole(self.prefix + "W_V", dW_V.view(R, k, m, -1).transpose(1, 2).reshape(R, m, -1))
        dpooled = torch.bmm(dseen, L.view(R * B, n, m).transpose(1, 2)).view(R * B * k, 1, n)
        dw = torch.bmm(A, dpooled.transpose(1, 2))  # (R·B·k, n, 1)
        descent.whole(self.prefix + "w", dw.view(R, B, k, n).sum(1))
        # A mask's gradient is w of its row times dpooled of its column: the softmax's needs no sums beside dw.
        dscores = (dpooled - dw).mul_(w.transpose(1, 2)).mul_(A)
        dQ, dK = torch.bmm(dscores, K), torch.bmm(dscores.transpose(1, 2), Q)
        dL = torch.bmm(pooled.transpose(1, 2), dseen).view(R, B * n, m) if wants_dL else None
        for name, by_head in (("W_K", dK), ("W_Q", dQ)):
            joined = by_head.view(R, B, k, n, -1).transpose(2, 3).reshape(R, B * n, -1)
            if dL is not None:
                dL.baddbmm_(joined, self.W(name).transpose(1, 2))
            descent.product(self.prefix + name, L.view(R, B * n, m), joined)
        return None if dL is None else dL.view(R, B, n, m)

    def _by_head(self, joined: Tensor, B: int) -> Tensor:
        """(R·B·k, n, size) of (R, B·n, k·size)."""
        R, k = len(joined), self.config.heads
        by_head = joined.view(R, B, -1, k, joined.shape[2] // k).transpose(2, 3)
        return by_head.reshape(R * B * k, -1, by_head.shape[-1])


CENTRAL_RUNS: dict[str, type[CentralRuns]] = {
    "predinet": PrediNetRuns,
    "mlp1": MLPRuns,
    "mlp2": MLPRuns,
    "relation_net": RelationNetRuns,
    "attention": AttentionRuns,
}


def relu_gradient(output: Tensor, doutput: Tensor) -> Tensor:
    """The gradient before a ReLU, from its output and the gradient of that."""
    gradient: Tensor = torch.ops.aten.threshold_backward(doutput, output, 0)
    return gradient


def _softmax_gradient(output: Tensor, doutput: Tensor) -> Tensor:
    """The gradient before a softmax over the last axis, from its output and the gradient of that."""
    gradient: Tensor = torch.ops.aten._softmax_backward_data(doutput, output, -1, output.dtype)
    return gradient
