"""The whole network of the Relations Game: encoder, PrediNet (or a baseline), output MLP."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from neural.alignment import AlignedEncoder
from neural.baselines import Central, central_module
from neural.config import NetworkConfig
from neural.encoder import BIAS, Encoder, initialise_weight
from neural.predinet import PrediNet, Propositions


@dataclass(frozen=True)
class NetworkOutput:
    """What the network makes of a batch of B images."""

    logits: Tensor
    """(B, labels): before the softmax."""
    L: Tensor
    """(B, n, m): the encoder's feature vectors with their places."""
    flat: Tensor
    """(B, k(j + 4)): the central module's output."""
    propositions: Propositions | None
    """The same in its propositional form; None of a baseline, which has none."""


class RelationsNetwork(nn.Module):
    """Encoder → central module → (with the one-hot task id) → output MLP of one hidden ReLU layer.

    The central module is a submodule under its architecture's name: `predinet`, or a baseline's.
    """

    predinet: PrediNet

    def __init__(self, config: NetworkConfig, *, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.config = config
        encoder = AlignedEncoder if config.aligned else Encoder
        self.encoder = encoder(
            image_size=config.image_size,
            filters=config.filters,
            filter_size=config.filter_size,
            stride=config.stride,
            generator=generator,
        )
        central = central_module(
            config.architecture,
            windows=self.encoder.side**2,
            features=config.features,
            heads=config.heads,
            relations=config.relations,
            key_size=config.key_size,
            generator=generator,
        )
        self.add_module(config.architecture, central)
        self.output = OutputMLP(
            central.output_size + config.task_ids, config.hidden, config.labels, generator=generator
        )

    @property
    def central(self) -> Central:
        """The PrediNet, or the baseline in its place."""
        module: Central = getattr(self, self.config.architecture)
        return module

    def forward(self, images: Tensor, task_ids: Tensor) -> NetworkOutput:
        """Judges `images` (B, S, S, 3), 0–255, asked the tasks `task_ids` (B,), integers below config.task_ids."""
        L = self.encoder(images)
        central = self.central(L)
        task = functional.one_hot(task_ids, self.config.task_ids).to(L.dtype)
        logits = self.output(torch.cat([central.flat, task], dim=1))
        propositions = central if isinstance(central, Propositions) else None
        return NetworkOutput(logits=logits, L=L, flat=central.flat, propositions=propositions)


class OutputMLP(nn.Module):
    """Two linear layers with a ReLU between them, both with biases."""

    def __init__(self, inputs: int, hidden: int, labels: int, *, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.hidden_weight = nn.Parameter(torch.empty(inputs, hidden))
        self.hidden_bias = nn.Parameter(torch.full((hidden,), BIAS))
        self.label_weight = nn.Parameter(torch.empty(hidden, labels))
        self.label_bias = nn.Parameter(torch.full((labels,), BIAS))
        initialise_weight(self.hidden_weight, generator)
        initialise_weight(self.label_weight, generator)

    def forward(self, inputs: Tensor) -> Tensor:
        """Logits (B, labels) of `inputs` (B, inputs)."""
        hidden = (inputs @ self.hidden_weight + self.hidden_bias).relu()
        return hidden @ self.label_weight + self.label_bias
