"""Optimisers for stacked weights that take each gradient in the form in which it arises.

A weight's gradient is most often a product of two thin matrices. Plain gradient descent never needs it whole: one
pass over the weight computes the product and subtracts it.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from neural.errors import NeuralError


class Descent(ABC):
    """Takes one step's gradients of the `weights`, each (R, ...) by name, and changes those in place.

    A gradient may be told at any time when its weight's old values are no longer needed. Weights whose names begin
    with one of `frozen` stay as they are; those named in `times` learn at so many times the learning rate.
    """

    def __init__(self, weights: Mapping[str, Tensor], learning_rate: float, times: Mapping[str, float]) -> None:
        self.weights = weights
        self.learning_rate = learning_rate
        self.times = times
        self.frozen: tuple[str, ...] = ()

    def rate(self, name: str) -> float:
        """The learning rate of the weight `name`."""
        return self.learning_rate * self.times.get(name, 1.0)

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
            weight.baddbmm_(left.transpose(1, 2), right, alpha=-self.rate(name))

    def whole(self, name: str, gradient: Tensor) -> None:
        if self.learns(name):
            self.weights[name].add_(gradient, alpha=-self.rate(name))

    def finish(self) -> None:
        pass


_MOMENTS = ("step", "exp_avg", "exp_avg_sq")


class Adam(Descent):
    """`torch.optim.Adam` with its defaults."""

    def __init__(self, weights: Mapping[str, Tensor], learning_rate: float, times: Mapping[str, float]) -> None:
        super().__init__(weights, learning_rate, times)
        self._optimiser = torch.optim.Adam(rate_groups(weights, times), fused=True)

    def product(self, name: str, left: Tensor, right: Tensor) -> None:
        if self.learns(name):
            self.whole(name, torch.bmm(left.transpose(1, 2), right).view_as(self.weights[name]))

    def whole(self, name: str, gradient: Tensor) -> None:
        if self.learns(name):
            self.weights[name].grad = gradient

    def finish(self) -> None:
        set_rate(self._optimiser, self.learning_rate)
        self._optimiser.step()
        self._optimiser.zero_grad()

    def forget(self, prefix: str) -> None:
        for name, weight in self.weights.items():
            if name.startswith(prefix):
                self._optimiser.state.pop(weight, None)

    def state(self) -> dict[str, Tensor]:
        return {
            f"{name}.{moment}": value if value.dim() else value.expand(len(weight))  # the number of the step is one
            for name, weight in self.weights.items()
            for moment, value in self._optimiser.state[weight].items()
        }

    def load(self, state: Mapping[str, Tensor]) -> None:
        for name, weight in self.weights.items():
            found = {moment: state[key] for moment in _MOMENTS if (key := f"{name}.{moment}") in state}
            self._optimiser.state[weight] = {
                moment: (value.flatten()[0] if moment == "step" else value).to(weight.device, copy=True)
                for moment, value in found.items()
            }


def rate_groups(weights: Mapping[str, Tensor], times: Mapping[str, float]) -> list[dict[str, Any]]:
    """Groups for one of torch's optimisers, by how many times the learning rate `weights` learn; see `set_rate`."""
    factors = {name: times.get(name, 1.0) for name in weights}
    return [
        {"params": [weight for name, weight in weights.items() if factors[name] == factor], "times": factor}
        for factor in sorted(set(factors.values()))
    ]


def set_rate(optimiser: torch.optim.Optimizer, learning_rate: float) -> None:
    """The learning rate of the next steps of an optimiser made with `rate_groups`."""
    for group in optimiser.param_groups:
        group["lr"] = learning_rate * group["times"]


def descent(kind: str, weights: Mapping[str, Tensor], learning_rate: float, times: Mapping[str, float]) -> Descent:
    """The optimiser of that name, `sgd` or `adam`."""
    kinds: dict[str, type[Descent]] = {"sgd": SGD, "adam": Adam}
    if kind not in kinds:
        raise NeuralError(f"no optimiser {kind}: choose {' or '.join(kinds)}")
    return kinds[kind](weights, learning_rate, times)
