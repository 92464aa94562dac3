"""The whole network: an encoder, a central module (the PrediNet or a baseline) and an output MLP, chosen by name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor, nn
from torch.nn import functional

from predinet_prolog.neural.alignment import AlignedEncoder
from predinet_prolog.neural.baselines import MLP, MultiHeadAttention, RelationNet, Representation
from predinet_prolog.neural.config import ARCHITECTURES, MLP2_HIDDEN, NetworkConfig
from predinet_prolog.neural.encoder import BIAS, Encoder, new_weight
from predinet_prolog.neural.errors import NeuralError
from predinet_prolog.neural.predinet import PrediNet, Propositions

ENCODERS: Mapping[str, type[Encoder]] = {"fixed": Encoder, "aligned": AlignedEncoder}
"""The encoders by their names."""
Central = PrediNet | MLP | RelationNet | MultiHeadAttention


def _predinet(config: NetworkConfig, *, generator: torch.Generator | None = None) -> PrediNet:
    sizes = {"heads": config.heads, "relations": config.relations, "key_size": config.key_size}
    return PrediNet(config.windows, config.features, **sizes, generator=generator)


CENTRAL: Mapping[str, Callable[..., Central]] = {
    "predinet": _predinet,
    "mlp1": MLP,
    "mlp2": partial(MLP, hidden=(MLP2_HIDDEN,)),
    "relation_net": RelationNet,
    "attention": MultiHeadAttention,
}
"""The central modules by their names in ARCHITECTURES."""


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

    The central module is a submodule under its architecture's name: `predinet`, or a baseline's. NeuralError if there
    is none of that name.
    """

    predinet: PrediNet

    def __init__(self, config: NetworkConfig, *, generator: torch.Generator | None = None) -> None:
        super().__init__()
        if config.architecture not in CENTRAL:
            raise NeuralError(f"no architecture {config.architecture}: choose {', '.join(ARCHITECTURES)}")
        self.config = config
        self.encoder = ENCODERS[config.encoder](config, generator=generator)
        self.add_module(config.architecture, CENTRAL[config.architecture](config, generator=generator))
        self.output = OutputMLP(config, generator=generator)

    @property
    def central(self) -> Central:
        """The PrediNet, or the baseline in its place."""
        module: Central = getattr(self, self.config.architecture)
        return module

    def forward(self, images: Tensor, task_ids: Tensor) -> NetworkOutput:
        """Judges `images` (B, S, S, 3), 0–255, asked the tasks `task_ids` (B,), integers below config.task_ids."""
        L = self.encoder(images)
        central: Propositions | Representation = self.central(L)
        logits = self.output(central.flat, task_ids)
        propositions = central if isinstance(central, Propositions) else None
        return NetworkOutput(logits=logits, L=L, flat=central.flat, propositions=propositions)


class OutputMLP(nn.Module):
    """Two linear layers with a ReLU between them, both with biases; the one-hot task id joins what they are given."""

    def __init__(self, config: NetworkConfig, *, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.task_ids = config.task_ids
        self.hidden_weight = new_weight(config.output_size + config.task_ids, config.hidden, generator=generator)
        self.hidden_bias = nn.Parameter(torch.full((config.hidden,), BIAS))
        self.label_weight = new_weight(config.hidden, config.labels, generator=generator)
        self.label_bias = nn.Parameter(torch.full((config.labels,), BIAS))

    def forward(self, flat: Tensor, task_ids: Tensor) -> Tensor:
        """Logits (B, labels) of `flat` (B, k(j + 4)), asked the tasks `task_ids` (B,)."""
        inputs = torch.cat([flat, functional.one_hot(task_ids, self.task_ids).to(flat.dtype)], dim=1)
        hidden = (inputs @ self.hidden_weight + self.hidden_bias).relu()
        return hidden @ self.label_weight + self.label_bias
