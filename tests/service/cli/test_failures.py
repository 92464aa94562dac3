"""The files of `evaluate --failures`: which images, in which order, and what stands in them."""

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageChops

from bridge import Perceiver, Scene
from domains.domain import Labelled
from domains.relations_game.domain import DOMAIN
from experiments.evaluation import Faults, Outcome
from neural import Model, load_model
from neural.images import read_image
from service.cli import failures
from service.cli.failures import Failures
from service.errors import OutputError, UsageError
from service.pictures.scene import draw
from service.pipeline import view
from symbolic import Engine

pytestmark = pytest.mark.slow(1)

Run = Callable[..., Any]  # the fixture's type

CLEAN = Faults(0, 0, 0)


@pytest.fixture
def model(model_file: Path) -> Model:
    return load_model(model_file)


@pytest.fixture
def test_set() -> Labelled:
    return DOMAIN.generate("column_patterns_3", 13, kind="hexos", seed=8)


@pytest.fixture
def scene(model: Model, test_set: Labelled) -> Scene:
    return Perceiver(model, looks=1).perceive(test_set.images[:1])[0]


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
    names = {"001-image-0005", "002-image-0003", "003-image-0006", "004-image-0002", "005-image-0001"}
    names |= {"006-image-0004", "007-image-0012"}
    expected = {f"{name}{suffix}" for name in names for suffix in (".png", ".pl")} | {"failures.csv"}
    assert {path.name for path in folder.iterdir()} == expected
    title = (folder / "001-image-0005.png").read_text()
    assert title == "image-0005: label 1, answer 1; of the objects 2 missing, 0 spurious, 1 merged"
    assert (folder / "007-image-0012.png").read_text() == "image-0012: label 1, answer 0"
    assert (folder / "003-image-0006.png").read_text().startswith('image-0006: label 1, answer "xxxxxxxxxx…; of')


@pytest.mark.usefixtures("_quick_pictures")
def test_only_the_worst_are_kept(
    tmp_path: Path, model: Model, test_set: Labelled, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(failures, "MOST", 3)
    kept = Failures(tmp_path)
    for number, missing in enumerate((1, 0, 5, 2, 0, 2, 7, 2)):
        kept.watch(Outcome(number, 1, 0, False, Faults(missing, 0, 0)), scene)
    kept.write(model, test_set, looks=1)
    assert [row[1] for row in rows(tmp_path)[1:]] == ["6", "2", "3"]


@pytest.mark.usefixtures("_quick_pictures")
def test_a_failure_s_program_is_the_one_asked(tmp_path: Path, model: Model, test_set: Labelled) -> None:
    """It names the right answer and the given one, and answers for itself with the question it was asked."""
    kept = Failures(tmp_path)
    scenes = Perceiver(model, looks=1).perceive(test_set.images)
    number = int(np.argmax(test_set.task_ids))
    kept.watch(Outcome(number, 1, 0, False, Faults(1, 0, 0)), scenes[number])
    kept.write(model, test_set, looks=1)
    program = (tmp_path / f"001-image-{number:04d}.pl").read_text()
    first, second, *_ = program.splitlines()
    assert first == "% label 1, answer 0; of the objects 1 missing, 0 spurious, 0 merged"
    assert second.startswith("% What a PrediNet saw")
    assert f"% image    image-{number:04d}, 36 x 36 pixels" in program
    with Engine() as engine:
        (answer,) = engine.ask(program, "task(T), aggregate_all(count, position(_, _, _), N)").answers
    assert answer.bindings == {"T": test_set.task_ids[number], "N": len(scenes[number].symbols)}


def test_a_remark_changes_the_second_line_of_a_picture_and_nothing_else(model: Model, picture: Path) -> None:
    (seen,) = view(model, [read_image(picture)])
    plain, remarked = (Image.open(io.BytesIO(draw(seen, remark=remark))) for remark in ("", "label 1, answer 0"))
    left, top, right, bottom = (
        ImageChops.difference(plain.convert("RGB"), remarked.convert("RGB")).getbbox() or (0,) * 4
    )
    assert 50 <= left < right <= 960
    assert 80 <= top < bottom <= 120


def test_no_failures_is_an_empty_table(tmp_path: Path, model: Model, test_set: Labelled, scene: Scene) -> None:
    kept = Failures(tmp_path)
    kept.watch(Outcome(0, 1, 1, False, CLEAN), scene)
    kept.watch(Outcome(1, 0, 0, False, None), scene)
    kept.write(model, test_set, looks=1)
    assert [path.name for path in tmp_path.iterdir()] == ["failures.csv"]
    assert rows(tmp_path) == [["rank", "image", "label", "answer", "missing", "spurious", "merged"]]


def test_a_folder_with_something_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="is not empty: name a new folder"):
        Failures(tmp_path)
    for target in (tmp_path / "file", tmp_path / "file" / "x", Path("a\0b")):
        with pytest.raises(OutputError, match="cannot write"):
            Failures(target)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_evaluate_writes_what_went_wrong(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failures, "MOST", 2)
    arguments = ("evaluate", "between", "-n", 11, "--model", "between", "--looks", 1, "--goal", "L = 0")
    status, out, err = run(*arguments, "--failures", "wrong")
    assert (status, err) == (0, "")
    table = rows(tmp_path / "wrong")
    assert len(table) == 3
    name = f"001-image-{int(table[1][1]):04d}"
    with Image.open(tmp_path / "wrong" / f"{name}.png") as picture:
        assert picture.size == (1920, 1080)
    outcome = run("query", f"wrong/{name}.pl", "twins(X, Y), task(0) ; true", "--rules", "relations_game")
    assert outcome.status == 0
    status, out, err = run(*arguments, "--failures", "wrong")
    assert (status, out) == (2, "")
    assert err == "predinet-prolog: wrong is not empty: name a new folder for the failures\n"


@pytest.mark.usefixtures("_quick_pictures")
def test_evaluate_of_the_network_writes_failures_of_unknown_truth(run: Run, tmp_path: Path) -> None:
    """The objects of a picture of noise are not known; its answers are wrong or right all the same."""
    folder = tmp_path / "noise"
    folder.mkdir()
    noise = np.random.default_rng(1).integers(0, 256, (36, 36, 3), dtype=np.uint8)
    Image.fromarray(noise).save(folder / "0.png")
    for label in (0, 1):
        (folder / "labels.csv").write_text(f"file,label,task\n0.png,{label},0\n")
        assert run("evaluate", "noise", "--failures", f"wrong-{label}").status == 0
    found = [rows(tmp_path / f"wrong-{label}")[1:] for label in (0, 1)]
    (row,) = [row for table in found for row in table]  # one of the two labels is wrong
    assert row[0:2] == ["1", "0"]
    assert row[2] != row[3]
    assert row[4:] == ["", "", ""]
