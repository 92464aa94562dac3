"""Optimisers for stacked weights that take each gradient as it is traced: whole, or as a product."""

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from predinet_prolog.neural.errors import NeuralError
from predinet_prolog.neural.tracing import Gradient, Weights

OPTIMISERS = ("sgd", "adam")
_MOMENTS = ("step", "exp_avg", "exp_avg_sq")


class Descent:
    """Plain gradient descent or Adam, as PyTorch has them without their options, for `weights` (R, …) by name.

    Those named in `times` learn at so many times the learning rate. NeuralError for an optimiser that there is not.
    """

    def __init__(self, kind: str, weights: Weights, learning_rate: float, times: Mapping[str, float]) -> None:
        if kind not in OPTIMISERS:
            raise NeuralError(f"no optimiser {kind}: choose {' or '.join(OPTIMISERS)}")
        self.learning_rate = learning_rate
        self._weights, self._times = weights, times
        self._adam = torch.optim.Adam(rate_groups(weights, times), fused=True) if kind == "adam" else None

    def take(self, gradients: Mapping[str, Gradient]) -> None:
        """Takes one step; weights without a gradient stay as they are."""
        for name, gradient in gradients.items():
            weight = self._weights[name]
            if self._adam is not None:
                # Fused, Adam goes through both as they lie in memory.
                weight.grad = torch.bmm(*gradient) if isinstance(gradient, tuple) else gradient.contiguous()
            elif isinstance(gradient, tuple):
                weight.baddbmm_(*gradient, alpha=-self.learning_rate * self._times.get(name, 1.0))
            else:
                weight.add_(gradient, alpha=-self.learning_rate * self._times.get(name, 1.0))
        if self._adam is not None:
            set_rate(self._adam, self.learning_rate)
            self._adam.step()
            self._adam.zero_grad()

    def state(self) -> dict[str, Tensor]:
        """What is remembered from step to step, (R, …) each, by name."""
        if self._adam is None:
            return {}
        return {
            f"{name}.{moment}": value if value.dim() else value.expand(len(weight))  # the number of the step is one
            for name, weight in self._weights.items()
            for moment, value in self._adam.state[weight].items()
        }

    def load(self, state: Weights) -> None:
        """Goes on from a `state`."""
        if self._adam is None:
            return
        for name, weight in self._weights.items():
            moments = {moment: state[key] for moment in _MOMENTS if (key := f"{name}.{moment}") in state}
            self._adam.state[weight] = {
                moment: (value.flatten()[0] if moment == "step" else value).to(weight.device, copy=True)
                for moment, value in moments.items()
            }


def rate_groups(weights: Weights, times: Mapping[str, float]) -> list[dict[str, Any]]:
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
