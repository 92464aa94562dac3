"""PyTorch's optimisers by their functions: its classes load torch._dynamo, for which a program waits two seconds."""

from collections.abc import Callable, Mapping
from functools import partial

import torch
from torch import Tensor, nn
from torch.optim.adamw import adamw
from torch.optim.rmsprop import rmsprop

from predinet_prolog.neural.states import part

ADAMW = partial(adamw, max_exp_avg_sqs=[], amsgrad=False, beta1=0.9, beta2=0.999, eps=1e-8, maximize=False)
RMSPROP = partial(rmsprop, grad_avgs=[], momentum_buffer_list=[], momentum=0.0, centered=False)
MOMENTS = {"step": "state_steps", "exp_avg": "exp_avgs", "exp_avg_sq": "exp_avg_sqs"}
KINDS: dict[str, tuple[Callable[..., None], dict[str, str]]] = {
    "adam": (partial(ADAMW, fused=True), MOMENTS),
    "adamw": (ADAMW, MOMENTS),
    "rmsprop": (RMSPROP, {"step": "state_steps", "square_avg": "square_avgs"}),
    "sgd": (lambda weights, gradients, lr, **_: torch._foreach_sub_(weights, gradients, alpha=lr), {}),
}
"""What moves weights, and what it keeps of each: by the name in states that of the function's argument."""


class Optimiser:
    """Teaches the weights of `network` by one of KINDS.

    times: by the beginnings of names, how many times the learning rate weights learn. decay: the share of that rate by
    which a step shrinks weights with more than one dimension.
    """

    def __init__(self, network: nn.Module, kind: str, times: Mapping[str, float] = {}, decay: float = 0.0) -> None:
        self._update, self._names = KINDS[kind]
        self._network, self._fused = network, kind == "adam"
        self._groups: dict[tuple[float, float], list[Tensor]] = {}
        for name, weight in network.named_parameters():
            factor = next((factor for start, factor in times.items() if name.startswith(start)), 1.0)
            self._groups.setdefault((decay if weight.ndim > 1 else 0.0, factor), []).append(weight)
        self._weights = [weight for group in self._groups.values() for weight in group]
        self._moments: dict[Tensor, dict[str, Tensor]] = {}

    @torch.no_grad()
    def step(self, rate: float, **options: float) -> None:
        """Moves what has a gradient at that learning rate. `options`: others of the function."""
        for (decay, factor), group in self._groups.items():
            weights = [weight for weight in group if weight.grad is not None]
            kept = {many: [self._kept(weight)[name] for weight in weights] for name, many in self._names.items()}
            if gradients := [weight.grad for weight in weights]:
                self._update(weights, gradients, **kept, lr=rate * factor, weight_decay=decay, **options)

    def _kept(self, weight: Tensor) -> dict[str, Tensor]:
        if weight not in self._moments:
            count = torch.zeros((), device=weight.device if self._fused else None)
            self._moments[weight] = {name: torch.zeros_like(weight) for name in self._names} | {"step": count}
        return self._moments[weight]

    def state(self) -> dict[str, Tensor]:
        """All that is needed to go on: weights as network.NAME, what is kept of them as optimiser.INDEX.NAME."""
        tensors = {f"network.{name}": tensor for name, tensor in self._network.state_dict().items()}
        for index, weight in enumerate(self._weights):
            tensors |= {f"optimiser.{index}.{name}": value for name, value in self._moments.get(weight, {}).items()}
        return tensors

    def load(self, state: Mapping[str, Tensor]) -> None:
        """Goes on from a `state`; KeyError, ValueError or RuntimeError if it is another's."""
        self._network.load_state_dict(part(state, "network."))
        weights, kept = dict(enumerate(self._weights)), part(state, "optimiser.")
        if self._names and not kept:
            raise KeyError("optimiser")
        for key, tensor in kept.items():
            index, name = key.split(".", 1)
            self._kept(weights[int(index)])[name].copy_(tensor)
