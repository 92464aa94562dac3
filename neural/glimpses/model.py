"""A trained finder and comparator, and their checkpoint: weights in half precision, and in the header what made them."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from domains import load_domain
from domains.domain import Domain
from neural.checkpoint import Model, Weights, checkpoint_path, load_model, read_arrays, write_arrays
from neural.errors import CheckpointError, NeuralError
from neural.glimpses.config import GlimpseConfig
from neural.glimpses.graph import GlimpseGraph

if TYPE_CHECKING:
    from neural.glimpses.comparator import Comparator
    from neural.glimpses.finder import Finder


@dataclass(frozen=True)
class GlimpseModel:
    """A trained finder and comparator."""

    name: str
    """A shipped model's name, else the file's name without its ending."""
    path: Path
    config: GlimpseConfig
    weights: Weights
    """Of the finder after `finder.`, of the comparator after `comparator.`, float32."""
    training: Mapping[str, Any]
    """What made it: the domain by name, seed, steps and so on."""
    sha256: str
    """Of the checkpoint's bytes, 64 hexadecimal digits."""

    def __repr__(self) -> str:  # without the weights
        return f"{self.name}: a finder and a comparator of {', '.join(self.config.groups)}"

    @cached_property
    def domain(self) -> Domain:
        """The world of its pictures; DomainError if it is not installed."""
        return load_domain(self.training["domain"])

    @cached_property
    def graph(self) -> GlimpseGraph:
        """Both networks, ready to look."""
        return GlimpseGraph(self.config, self.weights, self.path)

    def networks(self) -> "tuple[Finder, Comparator]":
        """Both networks as PyTorch has them, to train on."""
        import torch

        from neural.glimpses.comparator import Comparator
        from neural.glimpses.finder import Finder

        finder, comparator = Finder(self.config.widths), Comparator(self.config.groups)
        for name, network in (("finder", finder), ("comparator", comparator)):
            network.load_state_dict(
                {
                    weight.removeprefix(f"{name}."): torch.from_numpy(value.copy())
                    for weight, value in self.weights.items()
                    if weight.startswith(f"{name}.")
                }
            )
        return finder, comparator


def load_any(name_or_path: str | Path) -> Model | GlimpseModel:
    """The model of either kind: the shipped one of that name, or the one in that file; errors as those of
    `load_model`."""
    path = checkpoint_path(name_or_path)
    metadata, _ = read_arrays(path)
    return load_glimpse_model(path) if "glimpses" in metadata else load_model(name_or_path)


def load_glimpse_model(path: Path) -> GlimpseModel:
    """The model in that file; CheckpointError where it is not sound."""
    metadata, arrays = read_arrays(path)
    try:
        shape = metadata["glimpses"]
        widths, groups = shape["widths"], shape["groups"]
        if len(widths) != 4 or not all(type(number) is int and number > 0 for number in [*widths, *groups.values()]):
            raise ValueError(f"its networks are {shape!r}")
        config = GlimpseConfig(tuple(widths), MappingProxyType(dict(groups)))
        training = metadata["training"]
        load_domain(training["domain"])
        _check(arrays)
    except (KeyError, TypeError, ValueError, AttributeError, NeuralError) as error:
        raise CheckpointError(f"{path} does not hold the networks its header describes: {error}") from error
    weights = {name: array.astype(np.float32) for name, array in arrays.items()}
    return GlimpseModel(path.stem, path, config, weights, training, hashlib.sha256(path.read_bytes()).hexdigest())


def save_glimpse_model(
    path: Path, config: GlimpseConfig, finder: "Finder", comparator: "Comparator", training: Mapping[str, Any]
) -> None:
    """Writes a checkpoint, whole or not at all. Same weights, same training: same bytes. Networks still normed are
    refused with a NeuralError: `fold` them."""
    arrays = {}
    for name, network in (("finder", finder), ("comparator", comparator)):
        for weight, value in network.state_dict().items():
            if ".norm." in weight:
                raise NeuralError(f"the {name} has batch normalisations: fold them first")
            arrays[f"{name}.{weight}"] = value.detach().cpu().numpy().astype(np.float16)
    shape = {"widths": list(config.widths), "groups": dict(config.groups)}
    write_arrays(path, {"glimpses": shape, "training": dict(training)}, arrays)


def _check(arrays: Weights) -> None:
    """Raises ValueError if weights are not all numbers of half precision."""
    for name, array in arrays.items():
        if array.dtype != np.float16 or not np.isfinite(array).all():
            raise ValueError(f"{name} is {array.dtype}, or holds what is no number")
