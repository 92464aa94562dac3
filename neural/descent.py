"""Optimisers for stacked weights that take each gradient in the form in which it arises.

A weight's gradient is most often a product of two thin matrices. Plain gradient descent never needs it whole: one
pass over the weight computes the product and subtracts it.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping

import torch
from torch import Tensor

from neural.errors import NeuralError


class Descent(ABC):
    """Takes one step's gradients of the `weights`, each (R, ...) by name, and changes those in place.

    A gradient may be told at any time when its weight's old values are no longer needed. Weights whose names begin
    with one of `frozen` stay as they are.
    """

    def __init__(self, weights: Mapping[str, Tensor], learning_rate: float) -> None:
        self.weights = weights
        self.learning_rate = learning_rate
        self.frozen: tuple[str, ...] = ()

    def learns(self, name: str) -> bool:
        """Whether the weight `name`, or all weights whose names begin so, may change."""
        return not name.startswith(self.frozen)

    @abstractmethod
    def product(self, name: str, left: Tensor, right: Tensor) -> None:
        """Run r's gradient is left[r]ᵀ·right[r]: (R, rows, p) and (R, rows, q) for a weight of p·q elements a run.

        They may also be (R·s, ...), for a weight that is s such matrices a run.
        """

    @abstractmethod
    def whole(self, name: str, gradient: Tensor) -> None:
        """The gradient, of the weight's shape."""

    @abstractmethod
    def finish(self) -> None:
        """All gradients of the step are told."""

    def forget(self, prefix: str) -> None:  # noqa: B027 (plain descent has nothing to forget)
        """Drops what is remembered of weights whose names begin with `prefix`."""

    def state(self) -> dict[str, Tensor]:
        """What is remembered from step to step, (R, ...) each, by name."""
        return {}

    def load(self, state: Mapping[str, Tensor]) -> None:  # noqa: B027
        """Goes on from a `state`."""


class SGD(Descent):
    """Plain gradient descent, as `torch.optim.SGD` without its options."""

    def product(self, name: str, left: Tensor, right: Tensor) -> None:
        if self.learns(name):
            weight = self.weights[name].view(-1, left.shape[2], right.shape[2])
            weight.baddbmm_(left.transpose(1, 2), right, alpha=-self.learning_rate)

    def whole(self, name: str, gradient: Tensor) -> None:
        if self.learns(name):
            self.weights[name].add_(gradient, alpha=-self.learning_rate)

    def finish(self) -> None:
        pass


class Adam(Descent):
    """`torch.optim.Adam` with its defaults."""

    def __init__(self, weights: Mapping[str, Tensor], learning_rate: float) -> None:
        super().__init__(weights, learning_rate)
        self._optimiser = torch.optim.Adam(weights.values(), lr=learning_rate, fused=True)

    def product(self, name: str, left: Tensor, right: Tensor) -> None:
        if self.learns(name):
            self.whole(name, torch.bmm(left.transpose(1, 2), right).view_as(self.weights[name]))

    def whole(self, name: str, gradient: Tensor) -> None:
        if self.learns(name):
            self.weights[name].grad = gradient

    def finish(self) -> None:
        for group in self._optimiser.param_groups:
            group["lr"] = self.learning_rate
        self._optimiser.step()
        self._optimiser.zero_grad()

    def forget(self, prefix: str) -> None:
        for name, weight in self.weights.items():
            if name.startswith(prefix):
                self._optimiser.state.pop(weight, None)

    def state(self) -> dict[str, Tensor]:
        return {
            f"{name}.{moment}": value
            for name, weight in self.weights.items()
            for moment, value in self._optimiser.state[weight].items()
        }

    def load(self, state: Mapping[str, Tensor]) -> None:
        for name, weight in self.weights.items():
            self._optimiser.state[weight] = {
                moment: state[f"{name}.{moment}"].to(weight.device, copy=True)
                for moment in ("step", "exp_avg", "exp_avg_sq")
                if f"{name}.{moment}" in state
            }


def descent(kind: str, weights: Mapping[str, Tensor], learning_rate: float) -> Descent:
    """The optimiser of that name, `sgd` or `adam`."""
    kinds: dict[str, type[Descent]] = {"sgd": SGD, "adam": Adam}
    if kind not in kinds:
        raise NeuralError(f"no optimiser {kind}: choose {' or '.join(kinds)}")
    return kinds[kind](weights, learning_rate)
