"""Checkpoints of glimpse models: what goes in comes out, what is not one says so; and their graphs without PyTorch."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import torch

from predinet_prolog.neural import CheckpointError, ModelNotFoundError, load_model
from predinet_prolog.neural.checkpoint import Model, read_arrays, write_arrays
from predinet_prolog.neural.glimpses.comparator import Comparator
from predinet_prolog.neural.glimpses.config import GlimpseConfig
from predinet_prolog.neural.glimpses.finder import Finder, prepared
from predinet_prolog.neural.glimpses.graph import UPRIGHT, GlimpseGraph, graph_path
from predinet_prolog.neural.glimpses.ground import field, fit_plane
from predinet_prolog.neural.glimpses.model import GlimpseModel, load_any, load_glimpse_model, save_glimpse_model
from tests.neural.test_checkpoint import HEADERS, with_header

SMALL = GlimpseConfig((4, 6, 8, 10), {"shape": 3, "colour": 2, "type": 4})
TRAINING = {"domain": "scenes", "seed": 7}
Change = Callable[[dict[str, Any], dict[str, Any]], object]
"""Of a checkpoint's metadata and arrays."""


def networks() -> tuple[Finder, Comparator]:
    torch.manual_seed(3)
    return Finder(SMALL.widths).eval(), Comparator(SMALL.groups).eval()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint with its graphs beside it."""
    path = tmp_path_factory.mktemp("models") / "small.safetensors"
    save_glimpse_model(path, SMALL, *networks(), TRAINING)
    assert load_glimpse_model(path).graph
    return path


@pytest.fixture
def checkpoint(tmp_path: Path, whole: Path) -> Path:
    for path in (whole, graph_path(whole, "finder"), graph_path(whole, "comparator")):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return tmp_path / whole.name


def pictures() -> list[np.ndarray]:
    random = np.random.default_rng(0)
    return [random.integers(0, 256, (*size, 3), dtype=np.uint8) for size in ((16, 16), (17, 50), (31, 33), (96, 47))]


def test_round_trip(checkpoint: Path, tmp_path: Path) -> None:
    model = load_glimpse_model(checkpoint)
    assert (model.name, model.path, dict(model.training)) == ("small", checkpoint, TRAINING)
    assert model.config.widths == SMALL.widths
    assert list(model.config.groups.items()) == list(SMALL.groups.items()), "relations had other numbers"
    assert model.domain.name == "scenes"
    assert "shape, colour, type" in repr(model)
    for given, read in zip(networks(), model.networks(), strict=True):
        assert given.state_dict().keys() == read.state_dict().keys()
        for name, weight in given.state_dict().items():
            assert torch.equal(weight.half().float(), read.state_dict()[name]), name
    save_glimpse_model(tmp_path / "again.safetensors", model.config, *model.networks(), model.training)
    assert (tmp_path / "again.safetensors").read_bytes() == checkpoint.read_bytes()


def test_either_kind_of_model_is_known_by_its_header(checkpoint: Path) -> None:
    assert isinstance(load_any(checkpoint), GlimpseModel)
    assert isinstance(load_any("between"), Model)
    with pytest.raises(CheckpointError, match="pictures of any size"):
        load_model(checkpoint)
    with pytest.raises(CheckpointError, match="does not hold the networks"):
        load_glimpse_model(load_model("between").path)
    with pytest.raises(ModelNotFoundError):
        load_any("no-such-model")


W_S = "comparator.groups.of_type.W_S.weight"
HOSTILE: list[tuple[Change, str]] = [
    (lambda m, a: a.pop(W_S), f"{W_S} is missing"),
    (lambda m, a: a.update(extra=np.zeros(2, np.float16)), "extra is of no use there"),
    (lambda m, a: a.update({W_S: a[W_S][:, :-1]}), rf"{W_S} is \(4, 127\), not \(4, 128\)"),
    (lambda m, a: a.update({W_S: a[W_S].astype(np.float32)}), f"{W_S} is float32, not float16"),
    (lambda m, a: a.update({W_S: a[W_S] * np.float16(np.nan)}), f"{W_S} .* no numbers"),
    (lambda m, a: a.update({W_S: np.full((4, 128), np.inf, np.float16)}), f"{W_S} .* no numbers"),
    (lambda m, a: a.clear(), "comparator.at_fine.0.conv.bias is missing"),
    (lambda m, a: m["glimpses"].pop("groups"), "groups"),
    (lambda m, a: m.pop("training"), "training"),
    (lambda m, a: m.update(training={}), "domain"),
    *(
        (lambda m, a, part=part, told=told: with_header(m, part, told), said)
        for part, told, said in HEADERS["glimpses"]
    ),
]


@pytest.mark.parametrize(("change", "said"), HOSTILE)
def test_what_is_no_sound_checkpoint(checkpoint: Path, change: Change, said: str) -> None:
    metadata, arrays = read_arrays(checkpoint)
    change(metadata, arrays)
    write_arrays(checkpoint, metadata, arrays)
    with pytest.raises(CheckpointError, match=rf"small.safetensors does not hold the networks.*{said}"):
        load_any(checkpoint)


def test_graphs_are_the_networks_of_pytorch(checkpoint: Path) -> None:
    """At any size: places beyond the picture are not given. Co-ordinates to so many digits that sums in another
    order, as other processors add up, change nothing that a program shows."""
    model = load_glimpse_model(checkpoint)
    finder, comparator = (network.eval().requires_grad_(False) for network in model.networks())
    comparator.double()
    for picture in pictures():
        height, width = picture.shape[:2]
        plane = fit_plane(picture)
        heads, doubt = model.graph.find(picture, plane)
        rows, columns = -(-height // 2), -(-width // 2)
        assert heads.shape == (8, rows, columns)
        assert doubt.shape == (-(-height // 16), -(-width // 16))
        beyond = ((0, -height % 16), (0, -width % 16), (0, 0))
        both = [np.pad(each, beyond, mode="edge") for each in (np.float32(picture), field(plane, height, width))]
        found = finder(prepared(*(torch.from_numpy(each.transpose(2, 0, 1)[None]) for each in both)))
        expected = torch.cat([found.salience[:, None], found.ownership[:, None], found.votes, found.extent], 1)[0]
        np.testing.assert_allclose(heads, expected[:, :rows, :columns], rtol=0, atol=1e-4)
        np.testing.assert_allclose(doubt, found.doubt[0], rtol=0, atol=1e-4)
    for n in (1, 2, 9):
        glimpses = np.float32(np.random.default_rng(n).normal(0, 1, (n, 7, 32, 32)))
        upright, evidence = UPRIGHT[:, ::-1].T, np.float32(np.abs(glimpses[:, 0]) > n / 9)
        mask, coordinates = model.graph.compare(glimpses, upright, evidence)
        inputs = glimpses.astype(np.float64), upright.ravel(), evidence.astype(np.float64)
        compared = comparator(*map(torch.from_numpy, inputs))
        np.testing.assert_allclose(mask, compared.mask, rtol=0, atol=1e-11)
        np.testing.assert_allclose(coordinates, compared.coordinates, rtol=0, atol=1e-11)
    parts = model.graph.compare(np.empty((0, 7, 32, 32), np.float32))
    assert [part.shape for part in parts] == [(0, 32, 32), (0, 9)]


def test_graphs_are_kept_and_made_anew_where_damaged(checkpoint: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, weights = graph_path(checkpoint, "comparator"), load_glimpse_model(checkpoint).weights
    assert path.name == "small.comparator.onnx"
    sound = path.read_bytes()
    given = [each for each in onnx.load_model_from_string(sound).graph.initializer if each.name in weights]
    assert given, "not a file that others can read"
    assert all(each.external_data and not each.raw_data for each in given), "it holds the weights"
    for damaged in (b"", sound[: len(sound) // 2]):
        path.write_bytes(damaged)
        GlimpseGraph(SMALL, weights, checkpoint)
        assert path.read_bytes() == sound
    path.unlink()
    path.mkdir()  # what cannot be written is made each time
    GlimpseGraph(SMALL, weights, checkpoint)
    path.rmdir()
    path.write_bytes(sound)
    monkeypatch.setattr(
        "predinet_prolog.neural.glimpses.export.comparator_graph", lambda config, digest: pytest.fail("made again")
    )
    GlimpseGraph(SMALL, weights, checkpoint)
