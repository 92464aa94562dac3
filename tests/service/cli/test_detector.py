"""A folder with scenes.json trains a detector, and a detector answers in words."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from predinet_prolog.neural.detector import training
from tests.service.helpers import Refused, Run

DRAWN = Path(__file__).parents[2] / "domains" / "clevr" / "drawn"
PICTURE = DRAWN / "images" / "CLEVR_new_000000.png"


@pytest.fixture(autouse=True)
def chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    """No model is named for the session."""
    monkeypatch.delenv("PREDINET_PROLOG_MODEL")


def test_a_folder_with_scenes_trains_one(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Any] = []

    def train(model: Any, source: Path, folder: Path, *, config: training.DetectorTraining, report: Any) -> Any:
        given.extend([model.name, source, config.finder_steps, config.reader_steps])
        words = SimpleNamespace(words={"shape": ("cube", "sphere"), "color": ("red", "blue")})
        return SimpleNamespace(path=folder / "model.safetensors", sha256="5" * 64, config=words)

    monkeypatch.setattr(training, "train_detector", train)
    result = run("train", str(DRAWN), "--steps", "100", "-o", str(tmp_path / "out"))
    assert (result.status, given) == (0, ["scenes", DRAWN, 100, 200])
    assert "it tells shape, color" in result.err


def test_clevr_answers_in_words(run: Run) -> None:
    """A picture that is called as all of CLEVR's are is seen by the model for them."""
    for question, answer in (
        ("How many things are there?", "10"),
        ("How many rubber things are left of the large blue cylinder?", "3"),
        ("What color is the large cube?", "green"),
    ):
        assert json.loads(run("ask", str(PICTURE), question, "--json").out)["answer"] == answer


def test_words_of_clevr_name_its_model(run: Run, tmp_path: Path) -> None:
    copy = tmp_path / "scene.png"
    copy.write_bytes(PICTURE.read_bytes())
    result = run("ask", str(copy), "Is a cube red?")
    assert result.status == 2
    assert "clevr tells it of pictures of CLEVR, on the command line --model clevr" in result.err


def test_what_it_does_not_take(refused: Refused) -> None:
    refused("--inside is for a folder with annotations.json", "train", DRAWN, "--inside")
    refused("between looks at pictures of one size", "train", DRAWN, "--model", "between")
