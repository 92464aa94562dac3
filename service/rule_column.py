"""The rule column: what hand-written rules over exported programs reach, with no training on the task.

Beside Table 1 it is the rules over a shipped model's programs. Beside the curriculum's stage 3, where a new output
network is trained over a frozen one, it is the rules over that same frozen network's programs: its relations are
grounded, and the target task is then asked of them and not trained.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bridge.errors import BridgeError
from bridge.grounding import ground, grounding_path, read_grounding, write_grounding
from neural import Model, load_model
from neural.experiments import Plan, curriculum, read_plan, table1
from neural.experiments.cells import model_path
from neural.experiments.data import TEST_SEED, held_out_sets
from neural.experiments.pages import RULES_FILE
from service.files import write_atomically
from service.judging import generated_exam, judge_rules
from symbolic import theory

MOST_NETWORKS = 3
"""Pre-trained networks of a combination that rules are asked of: the first runs. Grounding one takes a minute."""
TIME_LIMIT = 10.0
"""Seconds a question may take."""

HOW = {
    table1.EXPERIMENT.name: (
        "Rules: the task said in Prolog (`symbolic/theory/relations_game.pl`), asked of the programs of the model "
        "`{model}`, on the same held-out images. No network answers, and none was trained for the rule."
    ),
    curriculum.EXPERIMENT.name: (
        "Rules: the target task said in Prolog, asked of the programs of the very networks that stage 3 freezes (the "
        f"first {MOST_NETWORKS} runs at most), on the same held-out images. Their relations were grounded on scenes of "
        "pentominoes whose truth is known, which tell `same` and no task; nothing was trained on the target."
    ),
}
"""The experiments that have one, and how the page tells it."""

Report = Callable[[int, int, str], None]


@dataclass(frozen=True)
class _Row:
    """What is asked of one network, for one row of the experiment's table."""

    name: str
    """The row's key in RULES_FILE."""
    task: str
    number: int
    """The network's place among those of the row."""
    checkpoint: Path | None
    """None of the shipped model."""


@dataclass
class _Column:
    """What RULES_FILE holds."""

    how: str
    rows: dict[str, dict[str, list[float | None]]] = field(default_factory=dict)
    """By row and held-out set the accuracy over each network's programs; None where it cannot tell what rules name."""
    exact: dict[str, dict[str, list[float | None]]] = field(default_factory=dict)
    """The same of the scenes: the share whose objects are exactly the true ones."""


def add(experiment: str, folder: Path, model: Model, report: Report) -> None:
    """Makes what is missing of the rule column of the experiment in `folder`, one of HOW.

    `model` is what Table 1's rules are asked over. `report` is told images.
    """
    _, plan = read_plan(folder)
    column = _read(folder / RULES_FILE, HOW[experiment].format(model=model.name))
    wanted = list(_table1_rows(plan) if experiment == table1.EXPERIMENT.name else _curriculum_rows(plan, folder))
    exams = [(row, held) for row in wanted for held in held_out_sets(row.task)]
    total = len(exams) * plan.last_test_images
    for place, (row, held) in enumerate(exams):
        accuracies = column.rows.setdefault(row.name, {}).setdefault(held, [])
        exact = column.exact.setdefault(row.name, {}).setdefault(held, [])
        if len(accuracies) > row.number:
            continue
        report(place * plan.last_test_images, total, f"{row.name}, {held}")
        network = _telling(model if row.checkpoint is None else _grounded(row.checkpoint))
        right, seen = (None, None) if network is None else _judge(network, row.task, held, plan.last_test_images)
        accuracies.append(right)
        exact.append(seen)
        write_atomically(folder / RULES_FILE, (json.dumps(vars(column), indent=1) + "\n").encode())
    report(total, total, "done")


def _table1_rows(plan: Plan) -> Iterator[_Row]:
    for task in dict.fromkeys(cell.task for cell in table1.cells(plan)):
        yield _Row(task, task, 0, None)


def _curriculum_rows(plan: Plan, folder: Path) -> Iterator[_Row]:
    """Those whose networks are there: results may have been copied from another machine without them."""
    for combination in curriculum.combinations(plan):
        cell = curriculum.cell_name("predinet", combination.curriculum)
        for number in range(min(plan.runs, MOST_NETWORKS)):
            checkpoint = model_path(folder, cell, number)
            if checkpoint.exists():
                yield _Row(str(combination), combination.target, number, checkpoint)


def _grounded(checkpoint: Path) -> Model:
    """The network, its relations grounded; one that sees no pairs to learn from tells no predicate."""
    model = load_model(checkpoint)
    if read_grounding(model) is None:
        try:
            definitions = ground(model)
        except BridgeError:
            definitions = []
        write_atomically(grounding_path(model), write_grounding(model, definitions).encode())
    return model


def _telling(model: Model) -> Model | None:
    """The model, or None if its grounded relations do not tell `same`, which every rule speaks of."""
    return model if re.search(r"^same\(", read_grounding(model) or "", re.MULTILINE) else None


def _judge(model: Model, task: str, held: str, images: int) -> tuple[float, float | None]:
    """Accuracy of the task's rule and share of exact scenes."""
    exam = generated_exam(task, n=images, objects=held, seed=TEST_SEED)
    verdict = judge_rules(
        model, exam, rules=[theory()], goal=_goal(task), time_limit=TIME_LIMIT, looks=None, report=lambda done: None
    )
    return verdict.accuracy, verdict.exact_scenes


def _goal(task: str) -> str:
    """The theory's predicate for the task; the number of patterns asked for is the task id's business."""
    return re.sub(r"_patterns_\d+$", "_pattern", task) + "_label(L)"


def _read(path: Path, how: str) -> _Column:
    if not path.exists():
        return _Column(how)
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return _Column(how, found["rows"], found["exact"])
