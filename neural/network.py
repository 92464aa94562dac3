"""The whole network of the Relations Game: encoder, PrediNet, output MLP."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from neural.encoder import BIAS, Encoder, initialise_weight
from neural.predinet import PrediNet, Propositions


@dataclass(frozen=True)
class NetworkConfig:
    """Everything that fixes the network's shape. Defaults are Table S1 of the paper."""

    heads: int = 32
    """k, pairs of objects picked from an image."""
    relations: int = 16
    """j, relations computed for every pair."""
    key_size: int = 16
    """g, length of keys and queries."""
    filters: int = 32
    """Output channels of the convolution."""
    filter_size: int = 12
    """Side of a window in pixels."""
    stride: int = 6
    """Pixels from one window to the next."""
    image_size: int = 36
    """Side of the image in pixels."""
    task_ids: int = 5
    """Width of the one-hot task id."""
    hidden: int = 8
    """Hidden units of the output MLP."""
    labels: int = 2
    """Answers the network chooses from."""


@dataclass(frozen=True)
class NetworkOutput:
    """What the network makes of a batch of B images."""

    logits: Tensor
    """(B, labels): before the softmax."""
    L: Tensor
    """(B, n, m): the encoder's feature vectors with their places."""
    propositions: Propositions


class RelationsNetwork(nn.Module):
    """Encoder → PrediNet → (with the one-hot task id) → output MLP of one hidden ReLU layer."""

    def __init__(self, config: NetworkConfig, *, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.config = config
        self.encoder = Encoder(
            image_size=config.image_size,
            filters=config.filters,
            filter_size=config.filter_size,
            stride=config.stride,
            generator=generator,
        )
        self.predinet = PrediNet(
            windows=self.encoder.side**2,
            features=config.filters + 2,
            heads=config.heads,
            relations=config.relations,
            key_size=config.key_size,
            generator=generator,
        )
        self.output = OutputMLP(
            self.predinet.output_size + config.task_ids, config.hidden, config.labels, generator=generator
        )

    def forward(self, images: Tensor, task_ids: Tensor) -> NetworkOutput:
        """Judges `images` (B, S, S, 3), 0–255, asked the tasks `task_ids` (B,), integers below config.task_ids."""
        L = self.encoder(images)
        propositions = self.predinet(L)
        task = functional.one_hot(task_ids, self.config.task_ids).to(L.dtype)
        logits = self.output(torch.cat([propositions.flat, task], dim=1))
        return NetworkOutput(logits=logits, L=L, propositions=propositions)


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
