"""The rule column: what hand-written rules over exported programs reach, with no training on the task.

Beside Table 1 it is the rules over the programs of a PrediNet of that table that was trained on another task, and
beside these the rules over the default model's, which knows all tasks. Beside the curriculum's stage 3, where a new
output network is trained over a frozen one, it is the rules over that same frozen network's programs. The networks'
relations are grounded, and the task is then asked of them and not trained.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from predinet_prolog.bridge.definitions import Grounding, grounding_path, read_grounding
from predinet_prolog.bridge.errors import BridgeError
from predinet_prolog.bridge.grounding import ground
from predinet_prolog.domains.annotations import as_annotated
from predinet_prolog.domains.writing import write_atomically
from predinet_prolog.experiments import Plan, Report, curriculum, read_plan, table1
from predinet_prolog.experiments.configurations import model_path, name_of
from predinet_prolog.experiments.data import TEST_SEED, held_out_sets
from predinet_prolog.experiments.evaluation import Goal, evaluate
from predinet_prolog.experiments.experiment import Experiment
from predinet_prolog.experiments.pages import RULES_FILE
from predinet_prolog.neural import Model, load_model
from predinet_prolog.symbolic import theory

TIME_LIMIT = 10.0
"""Seconds a question may take."""
_GROUNDED = (
    "Their relations were grounded on scenes of pentominoes whose truth is known, which tell what is alike and no "
    "task; nothing was trained on the task that is asked. *Cannot tell*: no relation of the network was found to say "
    "what the rule speaks of, for `colour_and_or_shape` colours and shapes apart."
)


@dataclass(frozen=True)
class _Row:
    """What is asked of one network, for one row of the experiment's table."""

    name: str
    """The row's key in RULES_FILE."""
    task: str
    number: int
    """The network's run."""
    checkpoint: Path | None
    """None of the default model."""

    @property
    def needs(self) -> tuple[str, ...]:
        """The predicates that the task's rule speaks of."""
        return ("same_colour", "same_shape") if self.task == "colour_and_or_shape" else ("same",)


def add(experiment: Experiment, folder: Path, model: Model, report: Report) -> None:
    """Makes what is missing of the rule column of the experiment in `folder`.

    `model` is the default one, which Table 1's rules are asked over too. `report` gets images. RULES_FILE has, by
    row and held-out set, a list with the `rows`' accuracies over each network's programs, None where it cannot tell
    what rules name, another of the share of `exact` scenes, and one of the `networks`' runs.
    """
    _, plan = read_plan(folder)
    path = folder / RULES_FILE
    document: dict[str, Any] = (
        json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"rows": {}, "exact": {}}
    )
    document = {"networks": {}} | document | {"how": experiment.rules.format(model=model.name, grounded=_GROUNDED)}

    def write() -> None:
        write_atomically(path, (json.dumps(document, indent=1) + "\n").encode())

    wanted = _table1_rows(plan, folder) if experiment.name == "table1" else _curriculum_rows(plan, folder)
    test_sets = [(row, held) for row in wanted for held in held_out_sets(row.task)]
    total = len(test_sets) * plan.last_test_images
    for place, (row, held) in enumerate(test_sets):
        accuracies, exact = (document[part].setdefault(row.name, {}).setdefault(held, []) for part in ("rows", "exact"))
        # In files without them the first runs were asked. Of results brought from elsewhere, the first may be missing.
        networks = document["networks"].setdefault(row.name, {}).setdefault(held, list(range(len(accuracies))))
        if row.number in networks:
            continue
        report(place * plan.last_test_images, total, f"{row.name}, {held}")
        network = _telling(model if row.checkpoint is None else _grounded(row.checkpoint), row.needs)
        right, exact_share = (None, None) if network is None else _judge(network, row.task, held, plan.last_test_images)
        accuracies.append(right)
        exact.append(exact_share)
        networks.append(row.number)
        write()
    write()
    report(total, total, "done")


def goal_of(task: str) -> str:
    """The theory's predicate for the task; the number of patterns asked for is the task id's business."""
    return re.sub(r"_patterns_\d+$", "_pattern", task) + "_label(L)"


def _table1_rows(plan: Plan, folder: Path) -> Iterator[_Row]:
    for task in dict.fromkeys(configuration.task for configuration in table1.configurations(plan)):
        yield _Row(task, task, 0, None)
        yield from _rows_of_networks(plan, folder, table1.rules_row(task), task, table1.rules_source(task))


def _curriculum_rows(plan: Plan, folder: Path) -> Iterator[_Row]:
    for combination in curriculum.combinations(plan):
        yield from _rows_of_networks(plan, folder, str(combination), combination.target, combination.curriculum)


def _rows_of_networks(plan: Plan, folder: Path, name: str, task: str, trained_on: str) -> Iterator[_Row]:
    """Those whose networks are there: results may have been copied from another machine without them."""
    for number in range(plan.runs):
        checkpoint = model_path(folder, name_of("predinet", trained_on), number)
        if checkpoint.exists():
            yield _Row(name, task, number, checkpoint)


def _grounded(checkpoint: Path) -> Model:
    """The network, its relations grounded; one that sees no pairs to learn from tells no predicate."""
    model = load_model(checkpoint)
    if read_grounding(model) is None:
        try:
            grounding = ground(model)
        except BridgeError:
            domain = model.domain
            grounding = Grounding(model.sha256, domain.kinds[0], model.training.augmented, domain.attributes, ())
        write_atomically(grounding_path(model), grounding.to_json().encode())
    return model


def _telling(model: Model, needs: tuple[str, ...]) -> Model | None:
    """The model, or None if its grounded relations do not tell what a rule `needs`."""
    grounding = read_grounding(model)
    predicates = {definition.predicate for definition in grounding.trusted} if grounding else set()
    return model if predicates.issuperset(needs) else None


def _judge(model: Model, task: str, held: str, images: int) -> tuple[float | None, float | None]:
    """Accuracy of the task's rule and share of exact scenes."""
    drawn = as_annotated(model.domain.generate(task, images, kind=held, seed=TEST_SEED))
    verdict = evaluate(model, drawn, Goal(goal_of(task), [theory("relations_game")], TIME_LIMIT))
    return verdict.accuracy, verdict.exact_scenes
