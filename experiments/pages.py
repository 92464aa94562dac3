"""What the pages of the trained experiments share: how it was done, configurations of tables, the rule column."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean, median_low
from typing import Any

from predinet_prolog.domains.relations_game import task_info
from predinet_prolog.experiments.configurations import (
    Configuration,
    Estimate,
    Result,
    Results,
    name_of,
    read_record,
    runs_in,
)
from predinet_prolog.experiments.data import TRAINING_IMAGES
from predinet_prolog.experiments.drawing import ARCHITECTURE_LINES
from predinet_prolog.experiments.plans import Plan

RULES_FILE = "rules.json"
"""What hand-written rules reach: written by who knows of rules, read here. See `read_rules`."""
NOTHING = "–"
NAMES = {name: line.label for name, line in ARCHITECTURE_LINES.items()}
LEARNT = 0.1
"""A network has learnt its task if it is right so much more often than chance."""
SETS = {"hexos": "hexominoes", "stripes": "stripes"}
Row = tuple[str, str, Sequence[str]]
"""Of a table of accuracies: what it is about, the held-out set, and a configuration's name for each column."""


def recipe(plan: Plan, reduced: str) -> str:
    """How it was done; of a quick plan also what was `reduced`, beside the paper's recipe."""
    optimiser = "plain gradient descent" if plan.optimiser == "sgd" else "Adam"
    text = (
        f"{runs_in_words(plan.runs).capitalize()} of every cell that is done, each with initial weights and an order "
        "of images of its own; "
        f"{optimiser} with learning rate {plan.learning_rate:g}, {plan.steps:,} batches of {plan.batch}. "
        f"Training images: {TRAINING_IMAGES:,} of each task, all pentominoes, the same for all runs, as the authors "
        f"had them. Held-out images: {plan.last_test_images:,} of each set for the last checkpoint, the first "
        f"{plan.test_images:,} of them for curves. Figures are per cent right, means over runs with 95 % intervals "
        "(Student's t) where there are more. In the figures a band spans the runs, from the lowest to the highest.\n"
    )
    if plan.quick:
        text += (
            "\n**This is the quick version**: it shows how the experiment goes, not what comes of it. The paper's "
            f"recipe is 10 runs of 100,000 batches of 10 by plain gradient descent. {reduced}\n"
        )
    return text


def number(result: Result | None, held: str, plan: Plan, *, best: bool = False) -> str:
    """Accuracy of the last checkpoint or the best measurements; how far it is, if not done, and of how many runs, if
    not of all."""
    if result is None or held not in result.last:
        return NOTHING
    estimate = (result.best if best else result.last)[held]
    if not result.done:
        return f"{estimate} (at {result.steps / plan.steps:.0%})"
    return str(estimate) if estimate.runs == plan.runs else f"{estimate} ({runs_in_words(estimate.runs)})"


def runs_in_words(count: int) -> str:
    return "one run" if count == 1 else f"{count} runs"


def mean_of(result: Result | None, held: str, *, best: bool = False) -> float | None:
    """Mean accuracy of the last checkpoints or the best measurements; None if the configuration is not done."""
    if result is None or not result.done:
        return None
    return (result.best if best else result.last)[held].mean


def learnt(accuracy: float, task: str) -> bool:
    """Whether a network of that accuracy has learnt anything of the task."""
    return accuracy >= 1 / task_info(task).labels + LEARNT


def beginnings(results: Results, tasks: Iterable[str], architectures: Sequence[str]) -> str:
    """A section with the batch from which on a run from random weights has learnt something of its task."""
    rows = [
        [f"`{task}`", *(_begins(results.get(name_of(name, task)), task) for name in architectures)] for task in tasks
    ]
    return (
        "## When learning begins\n\nThe number of batches after which a run from random weights is "
        f"{100 * LEARNT:.0f} points above chance on hexominoes, and stays so to its end: the median of the runs, in "
        "brackets the least and the greatest. *Not*: runs that are at chance at their end.\n\n"
        + markdown(["task", *(NAMES[name] for name in architectures)], rows)
    )


def _begins(result: Result | None, task: str) -> str:
    if result is None or not result.done:
        return NOTHING
    first_steps = [_first_learnt(run, result.curve.steps, task) for run in result.curve.accuracies("hexos")]
    steps = [step for step in first_steps if step is not None]
    never = f"{len(first_steps) - len(steps)} of {len(first_steps)} not" if len(steps) < len(first_steps) else ""
    if not steps:
        return never
    spread = f" ({min(steps):,} – {max(steps):,})" if min(steps) < max(steps) else ""
    return f"{median_low(steps):,}{spread}{', ' if never else ''}{never}"


def _first_learnt(accuracies: Sequence[float], steps: Sequence[int], task: str) -> int | None:
    """The step from which on all `accuracies` are those of a network that has learnt something."""
    first = None
    for step, accuracy in zip(reversed(steps), reversed(accuracies), strict=True):
        if not learnt(accuracy, task):
            break
        first = step
    return first


def lines(results: Results, plan: Plan, rows: Iterable[Row], *, best: bool = False) -> list[list[str]]:
    return [
        [f"`{label}`", SETS[held], *(number(results.get(name), held, plan, best=best) for name in names)]
        for label, held, names in rows
    ]


def read_rules(folder: Path) -> Mapping[str, Mapping[str, Sequence[float | None]]]:
    """By row of the experiment and held-out set, the accuracies that rules reach, one for each network asked.

    None where a network's relations do not tell what the rules speak of.
    """
    path = folder / RULES_FILE
    if not path.exists():
        return {}
    rows: Mapping[str, Mapping[str, Sequence[float | None]]] = json.loads(path.read_text(encoding="utf-8"))["rows"]
    return rows


def rules_note(folder: Path) -> str:
    """How the rule column was made; that it is missing, if it is."""
    path = folder / RULES_FILE
    if not path.exists():
        return "The column of rules is not made yet.\n"
    results = json.loads(path.read_text(encoding="utf-8"))
    shares = [share for sets in results["exact"].values() for row in sets.values() for share in row]
    exact = [share for share in shares if share is not None]
    scenes = f" Scenes whose objects were seen exactly: {min(exact):.1%} to {max(exact):.1%} a row." if exact else ""
    return (
        f"{results['how']} In brackets is of how many networks a figure is, if not of one or all, and how many cannot "
        f"tell: they do not count in the mean.{scenes}\n"
    )


def rules_number(accuracies: Sequence[float | None] | None, plan: Plan) -> str:
    """A configuration of the rule column; of how many networks, if not of all runs' or of a single one."""
    if not accuracies:
        return NOTHING
    numbers = [accuracy for accuracy in accuracies if accuracy is not None]
    if not numbers:
        return "cannot tell"
    asked, dumb = len(accuracies), len(accuracies) - len(numbers)
    remarks = [f"{asked} networks"] if 1 < asked < plan.runs and not dumb else []
    remarks += [f"{dumb} of {asked} networks cannot tell"] if dumb else []
    return " ".join([str(Estimate.of(numbers)), *(f"({part})" for part in remarks)])


def cost(folder: Path, configurations: Sequence[Configuration], plan: Plan) -> str:
    """What was done so far, how long it took and on what; and one run from random weights of each architecture."""
    records = [
        record for configuration in configurations if (record := read_record(folder, configuration.name)) is not None
    ]
    counts = Counter(runs_in(record) for record in records)
    fewer = [f"{counts[runs]} have {runs_in_words(runs)}" for runs in sorted(counts) if runs < plan.runs]
    done = f"{counts[plan.runs]} of {len(configurations)} cells are done" + "".join(f", {part}" for part in fewer)
    on: dict[str, list[Mapping[str, Any]]] = {}
    for record in records:
        on.setdefault(record["device"], []).append(record)
    return " ".join([f"{done}.", *(_cost_on(device, part) for device, part in on.items())]) + "\n"


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def _cost_on(device: str, records: Sequence[Mapping[str, Any]]) -> str:
    spent = 0.0
    of_run: dict[str, list[float]] = {}
    for record in records:
        spent += record["seconds"]
        if record["cell"]["start"] is None:
            of_run.setdefault(record["cell"]["architecture"], []).append(record["seconds"] / runs_in(record))
    one = ", ".join(f"{NAMES[name]} {_duration(fmean(seconds))}" for name, seconds in of_run.items())
    total = f"In all {_duration(spent)} on {device}."
    return f"{total} A run from random weights took on average: {one}." if one else total


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"
