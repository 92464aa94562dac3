"""reproduce by the command line, with plans of a few steps."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from predinet_prolog.domains.relations_game import TASKS
from predinet_prolog.experiments import rules_column
from predinet_prolog.experiments.experiment import EXPERIMENTS
from predinet_prolog.experiments.pages import rules_number
from predinet_prolog.neural import load_model
from predinet_prolog.symbolic import theory
from tests.service.helpers import Run, one_line

pytestmark = pytest.mark.slow(10)


def test_table1_quick_asks_the_rules_of_networks_of_another_task(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """With few images, and few configurations."""
    asked: list[str] = []

    def judge(model: Any, task: str, held: str, images: int) -> tuple[float, float]:
        asked.append(f"{model.name} {task} {held} {images}")
        return (1.0, 0.5) if model.name == "tiny" else (0.75, 0.5)

    def grounded(checkpoint: Path) -> Any:
        return replace(load_model(checkpoint), name=checkpoint.parent.name)

    def telling(model: Any, needs: tuple[str, ...]) -> Any:
        return model if model.name == "tiny" or needs == ("same",) else None

    for name, value in {
        "data.TRAINING_IMAGES": 20,
        "drawing.DPI": 40,
        "table1.ARCHITECTURES": ("mlp1", "relation_net", "predinet"),
        "table1.QUICK_TASKS": ("same", "between", "colour_and_or_shape"),
        "rules_column._judge": judge,
        "rules_column._grounded": grounded,
        "rules_column._telling": telling,
    }.items():
        monkeypatch.setattr(f"predinet_prolog.experiments.{name}", value)
    table1 = EXPERIMENTS["table1"]
    quick = replace(table1.quick, batch=2, measurements=2, test_images=5, last_test_images=6)
    monkeypatch.setitem(EXPERIMENTS, "table1", replace(table1, quick=quick))
    monkeypatch.setattr("torch.get_num_threads", lambda: 1)
    monkeypatch.setattr("predinet_prolog.service.cli.progress.LOG_STEPS", 3)
    command = ("reproduce", "table1", "--quick", "--steps", 2, "-o", "results")
    status, out, err = run(*command)
    assert (status, out) == (0, "results/README.md\n")
    lines = err.splitlines()
    assert "predinet-prolog: table1: 12 of 12 steps, mlp1-colour_and_or_shape" in lines
    assert any(line.startswith("predinet-prolog: rules: 12 of ") for line in lines)
    held = [f"{task} {kind} 6" for task in ("same", "between") for kind in ("hexos", "stripes")]
    held += ["colour_and_or_shape hexos 6"]
    assert [line for line in asked if line.startswith("tiny")] == [f"tiny {line}" for line in held]
    others = [f"predinet-{of} {line}" for of, line in zip(("between", "between", "same", "same"), held, strict=False)]
    assert [line for line in asked if line.startswith("predinet")] == others
    rows = json.loads(Path("results/rules.json").read_text(encoding="utf-8"))["rows"]
    assert (rows["same ← between"]["stripes"], rows["colour_and_or_shape ← between"]["hexos"]) == ([0.75], [None])
    page = Path("results/README.md").read_text(encoding="utf-8")
    assert page.startswith("# Table 1: one task at a time (quick)\n")
    (row, *_) = [line for line in page.splitlines() if line.startswith("| `colour_and_or_shape` | hexominoes |")]
    assert row.endswith("| cannot tell | 100.0 |"), "the rule columns"
    assert "model `tiny`" in page
    assert Path("results/curves.png").read_bytes().startswith(b"\x89PNG")
    count = len(asked)
    assert run(*command).status == 0
    assert len(asked) == count, "what is done is not done again"
    status, _, err = run("reproduce", "table1", "--quick", "-o", "results", "--runs", 2, "--steps", 3)
    assert status == 2
    assert "results is of another plan (steps was 2, now 3" in one_line(err)


@pytest.mark.parametrize(
    ("accuracies", "told"),
    [
        (None, "–"),
        ([0.9], "90.0"),
        ([1.0, 1.0], "100.0 ± 0.0 (2 networks)"),
        ([1.0, 1.0, 1.0], "100.0 ± 0.0"),
        ([1.0, None, 1.0], "100.0 ± 0.0 (1 of 3 networks cannot tell)"),
        ([None, None], "cannot tell"),
    ],
)
def test_a_figure_of_rules_tells_of_how_many_networks_it_is(accuracies: list[float | None] | None, told: str) -> None:
    assert rules_number(accuracies, replace(EXPERIMENTS["table1"].full, runs=3)) == told


def test_every_task_of_the_experiments_has_a_rule() -> None:
    for task in TASKS:
        assert f"{rules_column.goal_of(task).removesuffix('(L)')}/1," in theory("relations_game").text, task


def test_rules_are_judged_by_their_own_programs() -> None:
    right, exact = rules_column._judge(load_model("relations-game"), "same", "stripes", 12)
    assert (right, exact) == (1.0, 1.0)
