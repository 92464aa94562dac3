"""How a finder and a comparator learn: one visible loop, resumable, that stops at the first bad loss.

AdamW with one cycle of the learning rate. What is kept is a mean over the last steps of all weights.
"""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from predinet_prolog.neural.errors import OtherRunError
from predinet_prolog.neural.optimiser import Optimiser
from predinet_prolog.neural.states import diverged, going_on_from, part, read_state, save_step

STEPS_PER_REPORT = 50
STEPS_PER_SAVE = 500
STEPS_PER_AVERAGE = 8
DECAY = 0.02
"""Weight decay of what has more than one dimension."""
LONGEST = 5.0
"""Gradients are clipped to this norm."""
RISE = 0.05
"""The share of steps in which the rate rises, from 1/25 of the highest; at the end it is 1/2,500 of it."""
MOMENTA = 0.95, 0.85
"""At low rates and at the highest."""
AVERAGE = "average."


@dataclass(frozen=True)
class Plan:
    """How long and how fast a network learns."""

    steps: int
    rate: float
    """The highest learning rate."""
    times: Mapping[str, float] = field(default_factory=dict)
    """By the beginnings of names, which weights learn at so many times that rate."""
    save: int | None = None
    """Steps after which all is kept; None: STEPS_PER_SAVE."""


def optimise(
    network: nn.Module,
    loss_of: Callable[[int], Tensor],
    plan: Plan,
    path: Path,
    run: Mapping[str, Any],
    report: Callable[[int, float], None],
) -> None:
    """Trains `network` on the losses of the steps 0 to plan.steps - 1, each of which depends on its number alone.

    All that is needed to go on is kept in `path`, which at the end holds the weights: see `averaged`. `run` says what
    made them. `report` is told how many steps are done, and the mean loss of the last ones.

    Raises TrainingDivergedError if the loss or a weight becomes NaN or infinite, and CheckpointError if `path` holds a
    run that `run` does not describe.
    """
    network.train().to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    average = {name: value.clone() for name, value in network.state_dict().items()}
    optimiser = Optimiser(network, "adamw", plan.times, decay=DECAY)
    run = json.loads(json.dumps({**run, "steps": plan.steps, "rate": plan.rate}))
    step = _resume(path, run, average, optimiser)
    lost, since = 0.0, step
    while step < plan.steps:
        share, momentum = one_cycle(step, plan.steps)
        loss = loss_of(step)
        network.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(network.parameters(), LONGEST)
        lost += (now := loss.item())
        if not math.isfinite(now):
            raise diverged(f"the loss became {now} at step {step + 1}", path)
        optimiser.step(share * plan.rate, beta1=momentum)
        if step % STEPS_PER_AVERAGE == 0:
            _average(average, network, min(0.995, (step + 1) / (step + 20)))
        step += 1
        if step % (plan.save or STEPS_PER_SAVE) == 0 or step == plan.steps:
            tensors = optimiser.state() | {AVERAGE + name: value for name, value in average.items()}
            save_step(path, {"run": run}, step, tensors)
        if step % STEPS_PER_REPORT == 0 or step == plan.steps:
            report(step, lost / (step - since))
            lost, since = 0.0, step


def averaged(path: Path) -> dict[str, Tensor]:
    """The weights of the network that `optimise` trained."""
    _, tensors = read_state(path)
    return part(tensors, AVERAGE)


def one_cycle(step: int, steps: int) -> tuple[float, float]:
    """The share of the highest learning rate, and the momentum, of a step."""
    top = max(RISE * steps - 1, 0.0)
    rising = step <= top and top > 0
    share = step / top if rising else (step - top) / max(steps - 1 - top, 1)
    weight = (1 + math.cos(math.pi * share)) / 2  # of the beginning
    low, high = MOMENTA
    begin, end = (1 / 25, 1.0) if rising else (1.0, 1 / 2500)
    return end + (begin - end) * weight, (low - high) * (weight if rising else 1 - weight) + high


@torch.no_grad()
def _average(average: dict[str, Tensor], network: nn.Module, kept: float) -> None:
    for name, value in network.state_dict().items():
        if value.dtype.is_floating_point:
            average[name].lerp_(value, 1 - kept)
        else:
            average[name].copy_(value)


def _resume(path: Path, run: Mapping[str, Any], average: dict[str, Tensor], optimiser: Optimiser) -> int:
    """Lets all go on from the saved state, if there is one; the number of steps that were done."""
    if not path.exists():
        return 0
    with going_on_from(path):
        metadata, tensors = read_state(path)
        if metadata["run"] != run:
            raise OtherRunError(
                f"{path} is of another run: train with the same pictures, options and version to go on with it, "
                f"into another folder, or remove {path.parent} to start again"
            )
        optimiser.load(tensors)
        for name, value in part(tensors, AVERAGE).items():
            average[name].copy_(value)
        return int(metadata["step"])
