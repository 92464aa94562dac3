"""The whole network: an encoder, a central module (the PrediNet or a baseline) and an output MLP, chosen by name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor, nn
from torch.nn import functional

from predinet_prolog.brought import load
from predinet_prolog.neural.alignment import AlignedEncoder
from predinet_prolog.neural.baselines import MLP, MultiHeadAttention, RelationNet, Representation
from predinet_prolog.neural.config import CENTRALS, ENCODERS, MLP2_HIDDEN, NetworkConfig
from predinet_prolog.neural.encoder import BIAS, Encoder, new_weight
from predinet_prolog.neural.errors import NeuralError
from predinet_prolog.neural.predinet import PrediNet, Propositions

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

    The central module is a submodule under its architecture's name, `predinet` or a baseline's, or `brought`: other
    packages bring theirs, and encoders, by entry points. NeuralError for a name that nobody has, and for what does not
    fit.
    """

    predinet: PrediNet

    def __init__(self, config: NetworkConfig, *, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.config = config
        encoder, central = AlignedEncoder if config.aligned else Encoder, CENTRAL.get(config.architecture)
        if config.brought_encoder:
            encoder = load(ENCODERS, "encoder", config.brought_encoder, (), NeuralError)
        self._place = config.architecture if central else "brought"
        central = central or load(CENTRALS, "architecture", config.architecture, CENTRAL, NeuralError)
        self.encoder: Encoder = encoder(config, generator=generator)
        self.add_module(self._place, central(config, generator=generator))
        self.output = OutputMLP(config, generator=generator)
        if config.brought:
            self._check()

    @property
    def central(self) -> Central:
        """The PrediNet, or the baseline in its place."""
        module: Central = getattr(self, self._place)
        return module

    def _check(self) -> None:
        """NeuralError, with what is wanted, for a part of another package that does not fit in."""
        config, pictures = self.config, torch.zeros(2, self.config.image_size, self.config.image_size, 3)
        if not isinstance(self.encoder, Encoder):
            raise NeuralError(f"the encoder {config.brought_encoder} is no predinet_prolog.neural.encoder.Encoder")
        if any(weight.dtype != torch.float32 for weight in self.state_dict().values()):
            raise NeuralError("the state of its encoder and architecture is not all float32, as checkpoints keep it")
        with torch.no_grad():
            L = self.encoder(pictures)
            _check_shape(f"the encoder {config.brought_encoder}", L, (2, config.windows, config.features))
            flat = getattr(self.central(L), "flat", None)
            _check_shape(f"the architecture {config.architecture}, in .flat,", flat, (2, config.output_size))

    def forward(self, images: Tensor, task_ids: Tensor) -> NetworkOutput:
        """Judges `images` (B, S, S, 3), 0–255, asked the tasks `task_ids` (B,), integers below config.task_ids."""
        L = self.encoder(images)
        central: Propositions | Representation = self.central(L)
        logits = self.output(central.flat, task_ids)
        propositions = central if isinstance(central, Propositions) else None
        return NetworkOutput(logits=logits, L=L, flat=central.flat, propositions=propositions)


def _check_shape(who: str, output: object, wanted: tuple[int, ...]) -> None:
    shape = tuple(output.shape) if isinstance(output, Tensor) else type(output).__name__
    if shape != wanted:
        raise NeuralError(f"{who} gives {shape} of two pictures: {wanted} is wanted")


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
