"""A trained finder and comparator, and their checkpoint: weights in half precision, in the header what made them.

The file's metadata has the key of every checkpoint, whose value is a JSON object:

- `format`: that of every checkpoint
- `glimpses`: fields of GlimpseConfig: `widths`, `groups` as pairs of name and number, in their order, and `inside`,
  true or left out
- `training`: what made it; `domain` is the name of the domain
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from predinet_prolog.domains import load_domain
from predinet_prolog.neural.checkpoint import (
    check_weights,
    checkpoint_path,
    load_model,
    part_of,
    read_arrays,
    write_arrays,
)
from predinet_prolog.neural.detector import model as detector
from predinet_prolog.neural.errors import CheckpointError, NeuralError
from predinet_prolog.neural.glimpses.config import NUMBER, GlimpseConfig, weight_shapes
from predinet_prolog.neural.glimpses.graph import GlimpseGraph
from predinet_prolog.neural.model import FreeModel, Model

if TYPE_CHECKING:
    from predinet_prolog.neural.glimpses.comparator import Comparator
    from predinet_prolog.neural.glimpses.finder import Finder

KEY = "glimpses"
"""Which checkpoints alone have in their metadata."""


@dataclass(frozen=True)
class GlimpseModel(FreeModel):
    """A trained finder and comparator."""

    config: GlimpseConfig

    def __repr__(self) -> str:  # without the weights
        return f"{self.name}: a finder and a comparator of {', '.join(self.config.groups)}"

    kind: ClassVar[str] = "glimpses"
    takes_boxes: ClassVar[bool] = True

    @property
    def axes(self) -> Mapping[str, int]:
        return self.config.axes

    @cached_property
    def graph(self) -> GlimpseGraph:
        return GlimpseGraph(self.config, self.weights, self.path)

    def networks(self) -> "tuple[Finder, Comparator]":
        from predinet_prolog.neural.glimpses.comparator import Comparator
        from predinet_prolog.neural.glimpses.finder import Finder

        finder, comparator = Finder(self.config.widths), Comparator(self.config.groups)
        for name, network in (("finder", finder), ("comparator", comparator)):
            network.load_state_dict(part_of(self.weights, name))
        return finder, comparator


def load_any(name_or_path: str | Path) -> Model:
    """The model of any kind: the shipped one of that name, or the one in that file; errors as those of
    `load_model`."""
    path = checkpoint_path(name_or_path)
    metadata, _ = read_arrays(path)
    if detector.KEY in metadata:
        return detector.load_detector(path)
    return load_glimpse_model(path) if KEY in metadata else load_model(name_or_path)


def load_glimpse_model(path: Path) -> GlimpseModel:
    """The model in that file; CheckpointError where it is not sound."""
    metadata, arrays = read_arrays(path)
    try:
        config = _config(metadata[KEY])
        training = metadata["training"]
        load_domain(training["domain"])
        check_weights(arrays, weight_shapes(config), "float16")
    except (KeyError, TypeError, ValueError, AttributeError, NeuralError) as error:
        raise CheckpointError(f"{path} does not hold the networks its header describes: {error}") from error
    weights = {name: array.astype(np.float32) for name, array in arrays.items()}
    return GlimpseModel(path.stem, path, weights, training, hashlib.sha256(path.read_bytes()).hexdigest(), config)


def save_glimpse_model(
    path: Path, config: GlimpseConfig, finder: "Finder", comparator: "Comparator", training: Mapping[str, Any]
) -> None:
    """Writes a checkpoint, whole or not at all; `training` has the name of the `domain`. Same weights, same training:
    same bytes. Networks that are still normed have to be folded before."""
    arrays = {
        f"{name}.{weight}": value.detach().cpu().numpy().astype(np.float16)
        for name, network in (("finder", finder), ("comparator", comparator))
        for weight, value in network.state_dict().items()
    }
    shape = {"widths": config.widths, "groups": list(config.groups.items())} | (
        {"inside": True} if config.inside else {}
    )
    write_arrays(path, {KEY: shape, "training": dict(training)}, arrays)


def _config(shape: Mapping[str, Any]) -> GlimpseConfig:
    """What a header tells of it; ValueError, TypeError or KeyError if it is of no networks."""
    widths, groups = tuple(shape["widths"]), dict(shape["groups"])
    sizes = [*widths, *groups.values()]
    if len(widths) != 4 or not groups or not all(type(size) is int and size > 0 for size in sizes):
        raise ValueError(f"its networks are {shape!r}")
    if wrong := [name for name in groups if not (isinstance(name, str) and name.isidentifier())]:
        raise ValueError(f"a group of relations has the name {wrong[0]!r}")
    inside = shape.get("inside", False)
    if type(inside) is not bool or (inside and NUMBER in groups):
        raise ValueError(f"a model that looks inside of things is {inside!r}, and counts what is there itself")
    return GlimpseConfig(widths, groups, inside)
