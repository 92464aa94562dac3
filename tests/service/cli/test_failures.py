"""The files of `evaluate --failures`: which images, in which order, and what stands in them."""

import csv
from pathlib import Path

import pytest
from PIL import Image

from predinet_prolog.bridge import Scene, perceiver_of
from predinet_prolog.domains.domain import Labelled
from predinet_prolog.domains.relations_game.domain import DOMAIN
from predinet_prolog.experiments.evaluation import Faults, Outcome
from predinet_prolog.neural import Model, load_model
from predinet_prolog.service.cli import failures
from predinet_prolog.service.cli.failures import Failures
from tests.service.helpers import Run

pytestmark = pytest.mark.slow(1)

CLEAN = Faults(0, 0, 0)


@pytest.fixture
def model(model_file: Path) -> Model:
    return load_model(model_file)


@pytest.fixture
def test_set() -> Labelled:
    return DOMAIN.generate("column_patterns_3", 13, kind="hexos", seed=8)


@pytest.fixture
def scene(model: Model, test_set: Labelled) -> Scene:
    return perceiver_of(model, 1).perceive(test_set.images[:1])[0]


@pytest.fixture
def _quick_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is drawn is tested elsewhere; here, that the remark is on it."""
    monkeypatch.setattr(failures, "draw", lambda view, remark: f"{view.image.name}: {remark}".encode())


def rows(folder: Path) -> list[list[str]]:
    with (folder / "failures.csv").open(newline="") as file:
        return list(csv.reader(file))


@pytest.mark.usefixtures("_quick_pictures")
def test_the_worst_come_first_and_what_is_right_is_left_out(
    tmp_path: Path, model: Model, test_set: Labelled, scene: Scene
) -> None:
    folder = tmp_path / "new" / "wrong"
    kept = Failures(folder)
    for outcome in (
        Outcome(0, 1, 1, False, CLEAN),
        Outcome(1, 1, 0, False, CLEAN),
        Outcome(2, 0, 0, False, Faults(0, 1, 0)),
        Outcome(3, 0, None, False, Faults(1, 0, 0)),
        Outcome(4, 0, None, True, CLEAN),
        Outcome(5, 1, 1, False, Faults(2, 0, 1)),
        Outcome(6, 1, "x" * 90, False, Faults(0, 0, 1)),
        Outcome(12, 1, 0, False, None),
    ):
        kept.watch(outcome, scene)
    assert len(kept) == 7
    steps: list[int] = []
    kept.write(model, test_set, looks=1, report=steps.append)
    assert steps == [1] * 7
    assert rows(folder) == [
        ["rank", "image", "label", "answer", "missing", "spurious", "merged"],
        ["1", "5", "1", "1", "2", "0", "1"],
        ["2", "3", "0", "none", "1", "0", "0"],
        ["3", "6", "1", '"' + "x" * 90 + '"', "0", "0", "1"],
        ["4", "2", "0", "0", "0", "1", "0"],
        ["5", "1", "1", "0", "0", "0", "0"],
        ["6", "4", "0", "timeout", "0", "0", "0"],
        ["7", "12", "1", "0", "", "", ""],
    ]
    names = [f"00{rank}-image-{int(number):04d}" for rank, number, *_ in rows(folder)[1:]]
    expected = {f"{name}{suffix}" for name in names for suffix in (".png", ".pl")} | {"failures.csv"}
    assert {path.name for path in folder.iterdir()} == expected
    title = (folder / "001-image-0005.png").read_text()
    assert title == "image-0005: label 1, answer 1; of the objects 2 missing, 0 spurious, 1 merged"
    assert (folder / "007-image-0012.png").read_text() == "image-0012: label 1, answer 0"
    assert (folder / "003-image-0006.png").read_text().startswith('image-0006: label 1, answer "xxxxxxxxxx…; of')


def test_evaluate_writes_what_went_wrong(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failures, "MOST", 2)
    arguments = ("evaluate", "between", "-n", 11, "--model", "between", "--looks", 1, "--goal", "L = 0")
    status, _, err = run(*arguments, "--failures", "wrong")
    assert (status, err) == (0, "")
    table = rows(tmp_path / "wrong")
    assert len(table) == 3
    name = f"001-image-{int(table[1][1]):04d}"
    with Image.open(tmp_path / "wrong" / f"{name}.png") as picture:
        assert picture.size == (1920, 1080)
    outcome = run("query", f"wrong/{name}.pl", "twins(X, Y), task(0) ; true", "--rules", "relations_game")
    assert outcome.status == 0
