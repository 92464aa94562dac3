"""The paper's networks on labelled pictures of any kind: no boxes, no attributes, nothing but what each is called."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from predinet_prolog.neural import NetworkConfig, NeuralError, RelationsNetwork, TrainingDivergedError
from predinet_prolog.neural.optimiser import Optimiser

SIDE, WINDOW, STRIDE = 60, 20, 10
"""Pixels of a picture's side, of a window's and from window to window: 5 by 5 windows, as in Table S1."""


@dataclass(frozen=True)
class LabelTraining:
    """How networks are trained on labels alone. Defaults reach what they reach on a few hundred pictures in minutes."""

    steps: int = 500
    batch: int = 32
    """Pictures a step."""
    rate: float = 1e-3
    """Of Adam, which needs no schedule where pictures are few."""
    device: str = "cpu"
    seed: int = 0
    heads: int = 32
    relations: int = 16
    encoder: str = ""
    """One that another package brings."""

    def __post_init__(self) -> None:
        """NeuralError for a rate or a device that is none."""
        if not 0 < self.rate < math.inf:  # nor for nan
            raise NeuralError(f"nothing is learned at a rate of {self.rate}: choose one above 0")
        if self.device == "cuda" and not torch.cuda.is_available():
            raise NeuralError("PyTorch finds no CUDA device here: leave --device out")


@dataclass(frozen=True)
class Judged:
    """What a network trained on some of the pictures makes of them, and of those that were held back."""

    architecture: str
    trained: float
    """Share that is right of those that it was trained on."""
    held_back: float
    """And of the others."""


def train_on_labels(
    architecture: str,
    pictures: NDArray[np.uint8],
    labels: NDArray[np.int64],
    held_back: NDArray[np.bool_],
    training: LabelTraining,
    report: Callable[[int, int, str], None],
) -> tuple[RelationsNetwork, Judged]:
    """A network of that architecture, trained end to end, and how well it does.

    pictures: (N, SIDE, SIDE, 3). labels: (N,), from 0 on. held_back: (N,), those that judge and are not trained on.
    The same seed trains the same network on the same kind of processor. TrainingDivergedError if a loss is no number.
    """
    generator = torch.Generator().manual_seed(training.seed)
    config = NetworkConfig(
        heads=training.heads,
        relations=training.relations,
        image_size=SIDE,
        filter_size=WINDOW,
        stride=STRIDE,
        task_ids=1,
        labels=int(labels.max()) + 1,
        architecture=architecture,
        brought_encoder=training.encoder,
    )
    network = RelationsNetwork(config, generator=generator).to(training.device)
    optimiser = Optimiser(network, "adamw")
    images, wanted = (torch.from_numpy(array).to(training.device) for array in (pictures, labels))
    taught = torch.from_numpy(np.flatnonzero(~held_back))
    for step in range(training.steps):
        batch = taught[torch.randint(len(taught), (training.batch,), generator=generator)].to(training.device)
        loss = functional.cross_entropy(_logits(network, images[batch]), wanted[batch])
        network.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step(training.rate)
        if not loss.isfinite():
            raise TrainingDivergedError(f"the loss of {architecture} is {loss.item()} at step {step + 1}: lower --rate")
        report(step + 1, training.steps, architecture)
    with torch.no_grad():
        parts = [images[start : start + training.batch] for start in range(0, len(images), training.batch)]
        right = torch.cat([_logits(network, part).argmax(1) for part in parts]).cpu().numpy() == labels
    return network, Judged(architecture, float(right[~held_back].mean()), float(right[held_back].mean()))


def _logits(network: RelationsNetwork, images: torch.Tensor) -> torch.Tensor:
    logits: torch.Tensor = network(images, torch.zeros(len(images), dtype=torch.long, device=images.device)).logits
    return logits
