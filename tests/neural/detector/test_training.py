"""A detector learns from a folder with scenes.json: what it is taught, where things stand, and the whole way once."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from predinet_prolog.domains.errors import DomainError
from predinet_prolog.neural.checkpoint import read_arrays, write_arrays
from predinet_prolog.neural.detector.model import load_detector, places_row
from predinet_prolog.neural.detector.taught import read_taught
from predinet_prolog.neural.detector.training import DetectorTraining, places, train_detector
from predinet_prolog.neural.errors import CheckpointError
from predinet_prolog.neural.glimpses.model import load_any

DRAWN = Path(__file__).parents[2] / "domains" / "clevr" / "drawn"


def with_scene(folder: Path, **changes: Any) -> Path:
    """A copy of the picture that is drawn, with changes of its first thing; None takes a field away."""
    shutil.copytree(DRAWN, folder)
    content = json.loads((folder / "scenes.json").read_text())
    thing = content["scenes"][0]["objects"][0]
    for name, value in changes.items():
        thing.pop(name)
        thing.update({} if value is None else {name: value})
    (folder / "scenes.json").write_text(json.dumps(content))
    return folder


def test_what_a_folder_teaches() -> None:
    taught, truth = read_taught(DRAWN), json.loads((DRAWN / "scenes.json").read_text())["scenes"][0]["objects"]
    assert taught.pixels.shape == (1, 160, 240, 3)
    assert taught.config.words["shape"] == ("cube", "cylinder", "sphere")
    assert taught.boxes.shape == (1, len(truth), 4)
    for number, thing in enumerate(truth):
        pixels = (taught.owner[0] == number + 1).sum()
        assert pixels == pytest.approx(sum(thing["mask"]["counts"][1::2]), rel=0.06)
        assert taught.middles[0, number] == pytest.approx(thing["pixel_coords"][:2], abs=1e-3)
        left, top, right, bottom = taught.boxes[0, number]
        assert [left, top, right - left, bottom - top] == pytest.approx(thing["bbox"])
        words = {name: told[taught.values[0, number, n]] for n, (name, told) in enumerate(taught.config.words.items())}
        assert words == {name: thing[name] for name in words}


@pytest.mark.parametrize(("field", "fault"), [("mask", "has no mask"), ("color", "color must be text")])
def test_what_does_not_teach_is_named(field: str, fault: str, tmp_path: Path) -> None:
    with pytest.raises(DomainError, match=rf"object 0.*{fault}"):
        read_taught(with_scene(tmp_path / "other", **{field: None}))


def test_places_follow_from_where_middles_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a camera of one's own: things of each size have their middles on a plane, which it sees in perspective."""
    taught, rng = read_taught(DRAWN), np.random.default_rng(7)
    ground, sizes = rng.uniform(-3, 3, (1, 60, 2)), rng.integers(2, size=(1, 60))
    depth = 11 + 0.88 * ground[..., 1] - 0.47 * np.where(sizes == 0, 0.7, 0.35)
    x = 120 - 262.5 * ground[..., 0] / depth
    y = 80 - 262.5 * (0.47 * ground[..., 1] + 0.88 * np.where(sizes == 0, 0.7, 0.35)) / depth
    values = np.zeros((1, 60, 4), dtype=np.int64)
    values[..., list(taught.config.words).index("size")] = sizes
    for name, array in {"ground": ground, "middles": np.stack([x, y], axis=-1), "values": values}.items():
        object.__setattr__(taught, name, array)
    weights = places(taught)
    assert weights is not None
    rows = places_row(taught.middles[0], 160, 240)
    told = np.einsum("nt,ntw->nw", rows, weights[sizes[0]])
    assert np.abs(told - ground[0]).max() < 0.1  # of the 0.4 by which things lie apart


def test_the_whole_way(tmp_path: Path) -> None:
    config = DetectorTraining(finder_steps=1, reader_steps=2, batch=1, things=4, save=1)
    model = train_detector(load_any("scenes"), DRAWN, tmp_path / "out", config=config, processes=1)
    again = load_any(tmp_path / "out" / "model.safetensors")
    assert again.sha256 == model.sha256
    assert not (tmp_path / "out" / "unfinished").exists()
    metadata, arrays = read_arrays(model.path)
    for name, array in {
        "places": arrays["places"][:, :3],
        "reader.first.bias": arrays["reader.first.bias"][:2],
    }.items():
        write_arrays(tmp_path / "wrong.safetensors", metadata, {**arrays, name: array})
        with pytest.raises(CheckpointError, match=name):
            load_detector(tmp_path / "wrong.safetensors")
