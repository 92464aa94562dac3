"""generate, train and evaluate by the command line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neural import TrainingDivergedError, load_model
from neural.relations_game import load_folder, load_npz

Run = Callable[..., Any]  # the fixture's type


@pytest.fixture
def _quick_measure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Accuracies of few images: how many are measured is not what is tested here."""
    monkeypatch.setattr("neural.training.TEST_IMAGES", 20)


def one_line(err: str) -> str:
    (line,) = err.splitlines()
    return line.removeprefix("predinet-prolog: ")


def test_generate_writes_both_formats_of_the_same_images(run: Run) -> None:
    assert run("generate", "between", "-n", 5, "--objects", "hexos", "--seed", 4) == (
        0,
        "between_hexos.npz: 5 images of between, hexos\n",
        "",
    )
    assert run("generate", "between", "-n", 5, "--objects", "hexos", "--seed", 4, "-o", "pictures").status == 0
    npz, folder = load_npz("between_hexos.npz"), load_folder("pictures")
    assert (npz.pixels == folder.pixels).all()
    assert (npz.labels == folder.labels).all()
    assert run("generate", "between", "-n", 5, "--objects", "hexos", "--seed", 5, "-o", "x.npz").status == 0
    assert (load_npz("x.npz").pixels != npz.pixels).any()


def test_generate_mistakes_are_one_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    (tmp_path / "folder.npz").mkdir()
    for arguments, part in {
        ("betwen", "-n", 5): "betwen",
        ("between",): "'-n'",
        ("between", "-n", 0): "'-n'",
        ("between", "-n", 5, "--objects", "cats"): "cats",
        ("colour_and_or_shape", "-n", 5, "--objects", "stripes"): "not defined for stripes",
        ("between", "-n", 5, "-o", "full/file/x.npz"): "cannot write full/file/x.npz: ",
        ("between", "-n", 5, "-o", "full"): "full: exists already",
        ("between", "-n", 5, "-o", "folder.npz"): "it is a folder",
    }.items():
        status, out, err = run("generate", *arguments)
        assert (status, out) == (2, ""), arguments
        assert part in one_line(err)


@pytest.mark.usefixtures("_quick_measure")
def test_train_writes_a_model_and_says_how_good_it_is(run: Run) -> None:
    arguments = ("train", "same", "colour_and_or_shape", "--heads", 3, "--relations", 2, "--steps", 2)
    status, out, err = run(*arguments, "-o", "new/model")
    assert (status, err) == (0, "")
    model = load_model("new/model/model.safetensors")
    assert (model.config.heads, model.config.relations, model.config.labels) == (3, 2, 4)
    assert model.training.tasks == ("same", "colour_and_or_shape")
    assert model.training.steps == 2
    assert out.splitlines()[0] == f"new/model/model.safetensors  (sha256 {model.sha256})"
    assert f"  stripes  same                   {model.accuracies['stripes']['same']:.4f}" in out.splitlines()


@pytest.mark.usefixtures("_quick_measure")
def test_train_several_seeds(run: Run) -> None:
    small = ("--heads", 2, "--relations", 2, "--steps", 1)
    assert run("train", "3task_col_patts", "--seeds", 2, *small).status == 0
    folder = Path("out/column_patterns_3-fast")
    models = [load_model(folder / f"seed-{seed}" / "model.safetensors") for seed in (0, 1)]
    assert [model.training.seed for model in models] == [0, 1]
    assert models[0].sha256 != models[1].sha256


def test_train_mistakes_are_one_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    small = ("--heads", 2, "--relations", 2, "--steps", 1)
    for arguments, part in {
        ("betwen",): "betwen",
        ("between", "--recipe", "slow"): "no recipe slow",
        ("between", "--seeds", 0): "--seeds",
        ("colour_and_or_shape", "--objects", "stripes"): "not defined for stripes",
        ("between", "-o", "file"): "cannot write file",
    }.items():
        status, out, err = run("train", *arguments, *small)
        assert (status, out) == (2, ""), arguments
        assert part in one_line(err)


@pytest.mark.parametrize(
    ("error", "status", "part"),
    [(TrainingDivergedError("the loss became nan"), 3, "nan"), (KeyboardInterrupt(), 130, "the same command goes on")],
)
def test_train_that_ends_early(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException, status: int, part: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("neural.train", fail)
    found = run("train", "between")
    assert found.status == status
    assert part in one_line(found.err)


def test_evaluate_a_task_and_the_file_of_the_same_images(run: Run) -> None:
    assert run("generate", "between", "-n", 30, "--seed", 6, "-o", "b.npz").status == 0
    status, out, err = run("evaluate", "b.npz", "--json")
    assert (status, err) == (0, "")
    result = json.loads(out)
    assert result["n"] == 30
    assert 0 <= result["accuracy"] <= 1
    assert 0 <= result["exact_scenes"] <= 1
    generated = json.loads(run("evaluate", "between", "-n", 30, "--seed", 6, "--json").out)
    assert {**generated, "data": "b.npz"} == result
    assert json.loads(run("evaluate", "b.npz", "--limit", 7, "--json").out)["n"] == 7
    text = run("evaluate", "b.npz").out
    assert f"accuracy      {result['accuracy']:.4f}  (the network, tiny)" in text.splitlines()


def test_evaluate_rules(run: Run, tmp_path: Path) -> None:
    (tmp_path / "rules.pl").write_text("label(1) :- task(0).\n")
    arguments = ("evaluate", "between", "-n", 20, "--rules", "rules.pl", "--goal", "label(L)")
    result = json.loads(run(*arguments, "--json").out)
    labels = json.loads(run("evaluate", "between", "-n", 20, "--goal", "L = 1", "--json").out)
    assert 0 < result["accuracy"] == labels["accuracy"] < 1
    assert result["goal"] == "label(L)"


def test_goals_out_of_time_are_said(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PREDINET_PROLOG_TIME_LIMIT", "0.02")
    status, out, err = run("evaluate", "between", "-n", 2, "--goal", "repeat, fail", "--json")
    assert status == 0
    assert json.loads(out)["timeouts"] == 2
    assert one_line(err) == "2 of 2 goals ran out of time and count as wrong"


def test_evaluate_the_shipped_rules_by_name(run: Run) -> None:
    status, out, err = run("evaluate", "between", "-n", 2, "--rules", "relations_game", "--goal", "L = 0", "--json")
    assert (status, err) == (0, "")
    assert json.loads(out)["n"] == 2


def test_evaluate_mistakes_are_one_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.npz").write_bytes(b"hello")
    (tmp_path / "empty").mkdir()
    (tmp_path / "rules.pl").write_text("label(1).\n")
    for arguments, part in {
        ("none.npz",): "no such file: none.npz",
        ("none/b",): "no such file: none/b",
        ("bad.npz",): "bad.npz: ",
        ("empty",): "labels.csv",
        ("betwen",): "no file betwen, and ",
        ("between", "--rules", "rules.pl"): "add --goal 'label(L)'",
        ("between", "--goal", "label(L", "-n", 1): "yntax",
        ("between", "--goal", "lable(L)", "-n", 1, "--rules", "rules.pl"): "unknown predicate lable/1: did you mean ",
        ("between", "--goal", "true", "-n", 1): "must answer with its variable L",
        ("same", "-n", 1): "never trained on same",
    }.items():
        status, out, err = run("evaluate", *arguments)
        assert (status, out) == (2, ""), arguments
        assert part in one_line(err)
