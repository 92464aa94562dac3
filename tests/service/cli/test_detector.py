"""A folder with scenes.json trains a detector, and a detector answers in words."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from predinet_prolog.neural.detector import training
from tests.service.helpers import Run, one_line

DRAWN = Path(__file__).parents[2] / "domains" / "clevr" / "drawn"


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


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["train", str(DRAWN), "--inside"], "--inside is for a folder with annotations.json"),
        (["train", str(DRAWN), "--model", "between"], "between looks at pictures of one size"),
    ],
)
def test_what_it_does_not_take(run: Run, arguments: list[str], fault: str) -> None:
    result = run(*arguments)
    assert result.status == 2
    assert fault in one_line(result.err)
