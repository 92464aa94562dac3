"""Encoders and central modules that another package brings by entry points."""

from functools import partial
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from predinet_prolog.neural import CheckpointError, NetworkConfig, NeuralError, RelationsNetwork, load_model, save_model
from predinet_prolog.neural.baselines import Representation
from predinet_prolog.neural.encoder import Encoder
from predinet_prolog.neural.recipes import network_config, training_config


class Scaled(Encoder):
    """The paper's encoder, each of its filters scaled."""

    def __init__(self, config: NetworkConfig, *, generator: torch.Generator | None = None) -> None:
        super().__init__(config, generator=generator)
        self.scale = nn.Parameter(torch.arange(float(config.filters)))

    def features(self, foreground: torch.Tensor) -> torch.Tensor:
        return super().features(foreground) * self.scale

    def blank_features(self) -> torch.Tensor:
        return super().blank_features() * self.scale


class Mean(nn.Module):
    """A linear layer over the windows' mean."""

    def __init__(self, config: NetworkConfig, *, generator: torch.Generator | None = None, missing: int = 0) -> None:
        super().__init__()
        self.layer = nn.Linear(config.features, config.output_size - missing)

    def forward(self, L: torch.Tensor) -> Representation:
        return Representation(flat=self.layer(L.mean(1)))


def double(config: NetworkConfig, *, generator: torch.Generator | None = None) -> nn.Module:
    return Mean(config).double()


short = partial(Mean, missing=1)
BROUGHT = {"encoders": ("Scaled", "Mean"), "centrals": ("Mean", "short", "double", "Nowhere")}


@pytest.fixture(autouse=True)
def package(monkeypatch: pytest.MonkeyPatch) -> None:
    def entry_points(group: str) -> list[metadata.EntryPoint]:
        names = BROUGHT.get(group.removeprefix("predinet_prolog."), ())
        return [metadata.EntryPoint(name.lower(), f"{__name__}:{name}", group) for name in names]

    monkeypatch.setattr(metadata, "entry_points", entry_points)


def saved(path: Path, **parts: str) -> RelationsNetwork:
    training = training_config(["same"])
    network = RelationsNetwork(network_config(training, heads=2, relations=3, **parts))
    save_model(path, network, training, {})
    return network


def test_a_checkpoint_has_both_and_needs_their_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "model.safetensors"
    network = saved(path, architecture="mean", encoder="scaled")
    images = torch.from_numpy(np.random.default_rng(0).integers(0, 256, (2, 36, 36, 3)))
    task_ids = torch.zeros(2, dtype=torch.long)
    assert torch.equal(load_model(path).network(images, task_ids).logits, network(images, task_ids).logits)
    monkeypatch.setattr(metadata, "entry_points", lambda group: [])
    with pytest.raises(CheckpointError, match=r"no architecture mean: .*attention; install the package that brings it"):
        load_model(path)


def test_a_model_looks_through_the_encoder(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    network = saved(path, encoder="scaled")
    images = np.zeros((1, 36, 36, 3), np.uint8)
    images[0, 12:24, 12:24] = 200
    with torch.no_grad():
        features = network.encoder(torch.from_numpy(images))[..., :-2]
        wanted = network.predinet.coordinates(features)
    np.testing.assert_allclose(load_model(path).graph.look(images).coordinates, wanted, atol=1e-4)
    assert not path.with_suffix(".onnx").exists()  # it might be of other code tomorrow


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"architecture": "cnn"}, "no architecture cnn: there are predinet, .*, attention, mean, short"),
        ({"encoder": "cnn"}, "no encoder cnn: there are scaled, mean"),
        ({"architecture": "nowhere"}, "the architecture nowhere cannot be loaded from .*:Nowhere: AttributeError"),
        ({"architecture": "double"}, "the state of its encoder and architecture is not all float32"),
        ({"encoder": "mean"}, "the encoder mean is no predinet_prolog.neural.encoder.Encoder"),
        ({"architecture": "short"}, r"the architecture short, in .flat, gives \(2, 13\) of .*: \(2, 14\) is wanted"),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path: Path, parts: dict[str, str], message: str) -> None:
    with pytest.raises(NeuralError, match=message):
        saved(tmp_path / "model.safetensors", **parts)
