"""Checkpoints: what goes in comes out, and a file that is not one says so."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from predinet_prolog.neural import (
    CheckpointError,
    Model,
    ModelNotFoundError,
    NetworkConfig,
    RelationsNetwork,
    load_model,
    save_model,
    shipped_models,
)
from predinet_prolog.neural.checkpoint import read_arrays, write_arrays
from predinet_prolog.neural.errors import NeuralError
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


@pytest.mark.parametrize(
    ("part", "field", "value", "said"),
    [
        ("network", "stride", 6.0, r"stride is 6\.0"),
        ("network", "heads", True, "heads is True"),
        ("network", "heads", 0, "heads is 0"),
        ("network", "relations", -1, "relations is -1"),
        ("network", "image_size", 24, "image_size is 24; pictures of relations_game have 36 pixels"),
        ("network", "architecture", "cnn", "no architecture cnn"),
        ("network", "aligned", True, "filter_size is 6; an aligned encoder needs 10"),
        ("network", "task_ids", 0, "task_ids is 0"),
        ("network", "labels", 1, "too few for between"),
        ("training", "tasks", "between", "tasks is 'between'"),
        ("training", "tasks", [], r"tasks is \[\]"),
        ("training", "tasks", [["between"]], "tasks is "),
        ("training", "tasks", ["betwixt"], "betwixt"),
        ("training", "tasks", ["between"] * 6, "too few for between"),
        ("training", "steps", "all", "steps is 'all'"),
        ("accuracies", None, None, "accuracies is None"),
        ("accuracies", "pentos", 0.5, "accuracies is "),
        ("accuracies", "pentos", {"between": "good"}, "an accuracy is 'good'"),
    ],
)
def test_a_header_that_makes_no_sense(checkpoint: Path, part: str, field: str | None, value: object, said: str) -> None:
    metadata, arrays = read_arrays(checkpoint)
    if field is None:
        metadata[part] = value
    else:
        metadata[part] |= {field: value} | ({"filter_size": 6} if field == "aligned" else {})
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
