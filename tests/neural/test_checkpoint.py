"""Checkpoints: what goes in comes out, and a file that is not one says so."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file

from predinet_prolog.neural import Model, NetworkConfig, RelationsNetwork, load_model, save_model, shipped_models
from predinet_prolog.neural.checkpoint import read_arrays, write_arrays
from predinet_prolog.neural.errors import CheckpointError, ModelNotFoundError, NeuralError
from predinet_prolog.neural.glimpses.model import load_any
from predinet_prolog.neural.recipes import training_config

SMALL = NetworkConfig(heads=3, relations=2, key_size=5, filters=7)
TRAINING = training_config(["between"])
ACCURACIES = {"pentos": {"between": 0.75}}


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    path = tmp_path / "small.safetensors"
    save_model(path, RelationsNetwork(SMALL, generator=torch.Generator().manual_seed(0)), TRAINING, ACCURACIES)
    return path


def test_round_trip(checkpoint: Path, tmp_path: Path) -> None:
    model = load_model(checkpoint)
    expected = RelationsNetwork(SMALL, generator=torch.Generator().manual_seed(0)).state_dict()
    assert (model.name, model.config, model.training, model.accuracies) == ("small", SMALL, TRAINING, ACCURACIES)
    assert all(torch.equal(tensor, expected[name]) for name, tensor in model.network.state_dict().items())
    save_model(tmp_path / "again.safetensors", model.network, model.training, model.accuracies)
    assert (tmp_path / "again.safetensors").read_bytes() == checkpoint.read_bytes()


@pytest.mark.parametrize("length", [0, 3, 7, 8, 100, 5_000, -1])
def test_a_truncated_file(checkpoint: Path, length: int) -> None:
    checkpoint.write_bytes(checkpoint.read_bytes()[:length])
    with pytest.raises(CheckpointError, match="not a safetensors file, or a damaged one"):
        load_model(checkpoint)


def entry(header: object) -> dict[str, str]:
    return {"predinet-prolog": header if isinstance(header, str) else json.dumps(header)}


@pytest.mark.parametrize(
    ("kind", "metadata", "said"),
    [
        (torch.float32, None, "another program"),
        (torch.bfloat16, None, "another program"),
        (torch.float8_e4m3fn, None, "another program"),
        (torch.bfloat16, entry({"format": 1}), "numbers of a kind that is not read|does not hold"),
        (torch.float8_e4m3fn, entry({"format": 1}), "numbers of a kind that is not read|does not hold"),
        (torch.float32, entry("[" * 200_000), "damaged 'predinet-prolog' entry"),
        (torch.float32, entry({"format": 99}), "format 99"),
        (
            torch.float32,
            entry({"format": 1, "network": {"heads": 2}, "training": TRAINING.__dict__, "accuracies": {}}),
            "does not hold the network",
        ),
    ],
)
def test_a_foreign_file(tmp_path: Path, kind: torch.dtype, metadata: dict[str, str] | None, said: str) -> None:
    path = tmp_path / "foreign.safetensors"
    save_file({"encoder.weight": torch.zeros(2, dtype=kind)}, path, metadata=metadata)
    with pytest.raises(CheckpointError, match=said):
        load_model(path)


HEADERS = json.loads(Path(__file__).with_name("headers.json").read_text(encoding="utf-8"))
"""By kind of model, parts of a header, what they are told otherwise, and what is said of that."""


def with_header(metadata: dict[str, Any], part: str, told: Any) -> None:
    """A part of the header becomes another, or some of its fields do."""
    metadata[part] = metadata[part] | told if isinstance(told, dict) else told


@pytest.mark.parametrize(("part", "told", "said"), HEADERS["boards"])
def test_a_header_that_makes_no_sense(checkpoint: Path, part: str, told: Any, said: str) -> None:
    metadata, arrays = read_arrays(checkpoint)
    with_header(metadata, part, told)
    write_arrays(checkpoint, metadata, arrays)
    with pytest.raises(CheckpointError, match=f"does not hold the network its header describes: .*{said}"):
        load_model(checkpoint)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_weights_that_are_no_numbers(checkpoint: Path, value: float) -> None:
    metadata, arrays = read_arrays(checkpoint)
    arrays["predinet.W_S"] = arrays["predinet.W_S"].copy()
    arrays["predinet.W_S"][3, 1] = value
    write_arrays(checkpoint, metadata, arrays)
    with pytest.raises(CheckpointError, match="W_S has values that are no numbers: its training went astray"):
        load_model(checkpoint)


def test_an_unknown_name_lists_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(ModelNotFoundError, match="between"):
        load_model("nosuch")
    with pytest.raises(CheckpointError, match="is a folder"):
        load_model(tmp_path)


def test_only_a_predinet_is_asked_what_it_sees(tmp_path: Path) -> None:
    save_model(tmp_path / "mine.safetensors", RelationsNetwork(replace(SMALL, architecture="mlp1")), TRAINING, {})
    model = load_model(tmp_path / "mine.safetensors")
    with pytest.raises(NeuralError, match="mine is a multi-layer perceptron of one layer: it has no propositions"):
        _ = model.graph


def test_shipped_models_load_and_tell_their_recipe() -> None:
    for name in shipped_models():
        model = load_any(name)
        assert model.name == name
        if isinstance(model, Model):
            assert set(model.accuracies) == {"pentos", "hexos", "stripes"}
    assert {"between", "between-small", "scenes"} <= set(shipped_models())
