"""generate, train, explain and evaluate by the command line, and what long work says without a terminal."""

import json
import re
from pathlib import Path

import pytest
from PIL import Image
from safetensors import safe_open

from predinet_prolog.bridge.explaining import Meaning
from predinet_prolog.domains.relations_game import load_npz
from predinet_prolog.domains.relations_game.files import load_folder
from predinet_prolog.neural import TrainingDivergedError, load_model
from predinet_prolog.neural.training import STATE_FILE
from predinet_prolog.service.cli import explaining
from predinet_prolog.service.cli.progress import progress
from tests.cases import cases
from tests.service.helpers import Refused, Run, one_line

CASES = cases(__file__)

pytestmark = pytest.mark.slow(25)


@pytest.fixture
def _quick_measure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Accuracies of few images: how many are measured is not what is tested here."""
    monkeypatch.setattr("predinet_prolog.neural.training.TEST_IMAGES", 20)


def test_generate_writes_both_formats_of_the_same_images(run: Run) -> None:
    arguments = ("generate", "between", "-n", 5, "--objects", "hexos", "--seed", 4)
    assert run(*arguments) == (0, "between_hexos.npz: 5 images of between, hexos\n", "")
    Path("data.v1").mkdir()
    for name in ("run-0.5", "data.v1"):  # folders, though there is a dot in their names
        assert run(*arguments, "-o", name).status == 0
    npz, folder = load_npz("between_hexos.npz"), load_folder("run-0.5")
    assert load_folder("data.v1").images.tobytes() == folder.images.tobytes()
    assert (npz.images == folder.images).all()
    for name in ("scatter", "relations_game"):  # a domain stands for the task that shows anything anywhere
        assert run("generate", name, "-n", 5, "-o", f"{name}.npz").out == f"{name}.npz: 5 images of scatter, pentos\n"
    assert Path("scatter.npz").read_bytes() == Path("relations_game.npz").read_bytes()


@pytest.mark.usefixtures("_quick_measure")
def test_train_writes_a_model_and_says_how_good_it_is(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("predinet_prolog.service.cli.progress.LOG_STEPS", 2)
    arguments = ("train", "same", "colour_and_or_shape", "--heads", 3, "--relations", 2, "--steps", 2)
    status, out, err = run(*arguments, "--seeds", 2)
    assert status == 0
    assert re.fullmatch(r"seed 0: 2 of 2 steps, loss \d\.\d{4}, accuracy [01]\.\d{4}", err.splitlines()[0][17:])
    folder = Path("out/same+colour_and_or_shape-fast")
    models = [load_model(folder / f"seed-{seed}" / "model.safetensors") for seed in (0, 1)]
    assert [model.training.seed for model in models] == [0, 1]
    assert models[0].sha256 != models[1].sha256
    assert (models[0].config.heads, models[0].config.relations, models[0].config.labels) == (3, 2, 4)
    assert (models[0].training.tasks, models[0].training.steps) == (("same", "colour_and_or_shape"), 2)
    assert out.splitlines()[0] == f"{folder}/seed-0/model.safetensors  (sha256 {models[0].sha256})"
    assert f"  stripes  same                   {models[0].accuracies['stripes']['same']:.4f}" in out.splitlines()
    assert run(*arguments, "-o", "new/model").status == 0
    assert load_model("new/model/model.safetensors").sha256 == models[0].sha256


def test_evaluate_a_task_and_the_file_of_the_same_images(run: Run) -> None:
    assert run("generate", "between", "-n", 30, "--seed", 6, "-o", "b.npz").status == 0
    status, out, err = run("evaluate", "b.npz", "--json")
    assert (status, err) == (0, "")
    result = json.loads(out)
    assert result["n"] == 30
    generated = json.loads(run("evaluate", "between", "-n", 30, "--seed", 6, "--json").out)
    assert {**generated, "data": "b.npz"} == result
    assert json.loads(run("evaluate", "b.npz", "--limit", 7, "--json").out)["n"] == 7
    counts = "{missing} missing, {spurious} spurious, {merged} merged".format(**result)
    assert run("evaluate", "b.npz").out.splitlines()[:5] == [
        "images        30",
        f"accuracy      {result['accuracy']:.4f}  (the network, tiny)",
        f"exact scenes  {result['exact_scenes']:.4f}",
        f"objects       {counts}",
        f"wrong         {result['wrong']}  ({result['wrong_on_exact']} of them in exact scenes)",
    ]
    others = [f"{n:02}.png" for n, label in enumerate(load_npz(Path("b.npz")).labels.tolist()) if label == 0]
    line = f"  label 0, answer 1: {len(others)}  ({', '.join(others[:3])}, …)"
    assert run("evaluate", "b.npz", "--goal", "L = 1").out.splitlines()[5:] == [line]


def test_evaluate_rules(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rules.pl").write_text("label(1) :- task(0).\n")
    arguments = ("evaluate", "between", "-n", 20, "--rules", "rules.pl", "--goal", "label(L)")
    result = json.loads(run(*arguments, "--json").out)
    labels = json.loads(run("evaluate", "between", "-n", 20, "--goal", "L = 1", "--json").out)
    assert 0 < result["accuracy"] == labels["accuracy"] < 1
    assert result["goal"] == "label(L)"
    monkeypatch.setenv("PREDINET_PROLOG_TIME_LIMIT", "0.02")
    status, out, err = run("evaluate", "between", "-n", 2, "--goal", "repeat, fail", "--json")
    assert (status, json.loads(out)["timeouts"]) == (0, 2)
    assert one_line(err) == "2 of 2 goals ran out of time and count as wrong"


@pytest.mark.usefixtures("_quick_measure")
def test_a_baseline_is_trained_and_judged_but_has_no_programs(run: Run, refused: Refused, picture: Path) -> None:
    arguments = ("train", "same", "--architecture", "attention", "--heads", 3, "--relations", 2, "--steps", 2)
    status, out, err = run(*arguments, "--recipe", "paper")
    path = "out/same-attention-paper/model.safetensors"
    assert (status, out[: len(path)], err) == (0, path, "")
    assert load_model(path).config.architecture == "attention"
    status, out, err = run("evaluate", "same", "-n", 20, "--model", path, "--json")
    assert (status, err) == (0, "")
    assert (json.loads(out)["n"], json.loads(out)["exact_scenes"]) == (20, None)
    refused("it has no propositions to export; choose ", "query", picture, "object(X)", "--model", path)


@pytest.mark.parametrize(
    ("error", "saved", "status", "part"),
    [
        (TrainingDivergedError("the loss became nan"), False, 3, "nan"),
        (KeyboardInterrupt(), False, 130, "nothing was saved yet"),
        (KeyboardInterrupt(), True, 130, "the same command goes on from mine"),
    ],
)
def test_train_that_ends_early(
    refused: Refused, monkeypatch: pytest.MonkeyPatch, error: BaseException, saved: bool, status: int, part: str
) -> None:
    def fail(network: object, config: object, folder: Path, **_: object) -> None:
        folder.mkdir()
        if saved:
            (folder / STATE_FILE).touch()
        raise error

    monkeypatch.setattr("predinet_prolog.neural.training.train", fail)
    refused(part, "train", "between", "-o", "mine", status=status)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Twelve pictures of two kinds."""
    folder = tmp_path / "lab"
    folder.mkdir()
    lines = ["file,label"]
    for number in range(12):
        colour = (200, 10 * number, 0) if number % 2 else (0, 10 * number, 200)
        Image.new("RGB", (36, 36), colour).save(folder / f"{number}.png")
        lines.append(f"{number}.png,{'red' if number % 2 else 'blue'}")
    (folder / "labels.csv").write_text("\n".join(lines))
    return folder


def test_networks_and_rules_are_judged_by_the_same_pictures(run: Run, folder: Path) -> None:
    options = ("--architecture", "mlp1", "--steps", 3, "--batch", 2, "--seed", 4)
    status, out, _ = run("train", folder, "-o", "out", *options)
    assert status == 0
    lines = out.splitlines()
    assert lines[0].split() == ["trained", "on", "10", "held", "back", "2"]
    assert re.fullmatch(r"mlp1 +[01]\.\d{4} +[01]\.\d{4}", lines[1])
    assert re.fullmatch(r"rules \(learn\) +[01]\.\d{4} +[01]\.\d{4}", lines[2])
    assert "case(" in out
    with safe_open("out/mlp1.safetensors", "pt") as file:
        about = file.metadata()
    assert json.loads(about["labels"]) == ["blue", "red"]
    assert json.loads(about["config"])["architecture"] == "mlp1"


def test_what_does_not_belong_together_is_refused(
    run: Run, refused: Refused, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    refused("finds no CUDA device here: leave --device out", "train", folder, "--device", "cuda")
    refused("nothing is learned at a rate of nan", "train", folder, "--rate", "nan")
    status, _, err = run("train", folder, "--rate", 1e30, "--architecture", "mlp1")
    assert status == 3
    assert re.search(r"the loss of mlp1 is (nan|inf) at step \d+: lower --rate", err)
    assert not Path("out").exists()
    refused("--batch is for a folder with labels.csv alone", "train", "between", "--batch", 3)
    refused("--inside is not for labels alone", "train", folder, "--inside")
    (folder / "labels.csv").write_text("file,label\n0.png,a\n1.png,b\n")
    refused("no label has 5 pictures", "train", folder)


@pytest.mark.parametrize(
    ("total", "step", "logged", "lines"),
    [(2300, 100, True, CASES["a_thousand_steps"]), (999, 1, True, []), (5000, 100, False, [])],
)
def test_a_log_has_a_line_every_thousand_steps_and_one_at_the_end_of_long_work(
    capsys: pytest.CaptureFixture[str], total: int, step: int, logged: bool, lines: list[str]
) -> None:
    with progress("seed 3", total, "steps", logged=logged) as advance:
        for done in range(0, total, step):
            advance(min(step, total - done), f"loss 0.{done}")
    assert capsys.readouterr().err.splitlines() == lines


def test_relations_are_a_table_with_its_legend_and_json(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    meanings = [Meaning(*row) for row in CASES["meanings"]]
    monkeypatch.setattr(explaining, "measure", lambda model, report: meanings)
    assert run("explain", "between") == (0, f"{CASES['table']}\n{explaining.legend(['colour', 'shape'])}", "")
    document = json.loads(run("explain", "between", "--json").out)
    assert document["model"]["name"] == "between"
    assert [relation["relation"] for relation in document["relations"]] == ["r0", "r1", "r10", "r11"]
    assert document["relations"][2] == CASES["mixed"]
