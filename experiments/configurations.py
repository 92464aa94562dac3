"""The configurations of an experiment, each R runs of one architecture on one task, and what a folder keeps of them.

A folder of an experiment holds, beside its plan:

- `cells/NAME.csv`   the curve of a configuration, as far as it is: step, run, object set, accuracy, mean loss
- `cells/NAME.json`  the configuration, its last accuracies and its cost: of the runs that are done
- `models/NAME/run-0.safetensors` …  its networks, when it is done: checkpoints as any other
- `state/…`          what is needed to go on with configurations that are not done
"""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf, sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from scipy.special import stdtrit

from predinet_prolog.domains.relations_game import task_info
from predinet_prolog.domains.writing import write_atomically
from predinet_prolog.neural.config import NetworkConfig
from predinet_prolog.neural.errors import CheckpointError
from predinet_prolog.neural.recipes import NOTEBOOK_TASK_IDS

ARCHITECTURES = ("mlp1", "mlp2", "relation_net", "attention", "predinet")
"""In the order of the paper's figures."""
TRAINED_LAST = "relation_net"
"""It takes more time than all others together."""
COLUMNS = ("step", "run", "objects", "accuracy", "loss")
BEST = 10
"""How many of a run's measurements the paper's Table 1 takes, the highest ones."""


@dataclass(frozen=True)
class Configuration:
    """What is trained: an experiment is a table of them. Its runs have the numbers 0 to plan.runs − 1."""

    name: str
    """Of its files."""
    architecture: str
    task: str
    seed: int = 0
    """The first run's; the others' follow. It decides the initial weights and the order of the images."""
    start: str | None = None
    """The configuration whose networks it begins with, run by run; its output MLP always has fresh weights."""
    frozen: tuple[str, ...] = ()
    """What stays as it was in `start`: `encoder`, or that and `central`. What does not stay has fresh weights."""
    heads: int = 32
    relations: int = 16

    @property
    def config(self) -> NetworkConfig:
        """Its networks' shape: Table S1."""
        return NetworkConfig(
            heads=self.heads,
            relations=self.relations,
            task_ids=NOTEBOOK_TASK_IDS,
            labels=task_info(self.task).labels,
            architecture=self.architecture,
        )


def from_scratch(architecture: str, task: str) -> Configuration:
    """The configuration that trains `task` from random weights, which several experiments have."""
    return Configuration(name_of(architecture, task), architecture, task)


def name_of(architecture: str, task: str) -> str:
    """Of the configuration that trains `task` from random weights."""
    return f"{architecture}-{task}"


@dataclass
class Curve:
    """A configuration's measurements so far, in the order taken."""

    rows: list[tuple[int, int, str, float, float]] = field(default_factory=list)
    """(step, run, object set, accuracy 0–1, mean loss since the measurement before)."""

    @property
    def steps(self) -> list[int]:
        return sorted({row[0] for row in self.rows})

    @property
    def held_out_sets(self) -> list[str]:
        return list(dict.fromkeys(row[2] for row in self.rows))

    def accuracies(self, objects: str) -> list[list[float]]:
        """Of each run, the accuracies on that object set at the steps measured."""
        accuracies: dict[int, list[float]] = {}
        for _, run, measured, accuracy, _ in self.rows:
            if measured == objects:
                accuracies.setdefault(run, []).append(accuracy)
        return list(accuracies.values())

    def of_runs(self, runs: range, until: float = inf) -> "Curve":
        """What was measured of `runs`, to the step `until`."""
        return Curve([row for row in self.rows if row[1] in runs and row[0] <= until])

    def beside(self, other: "Curve") -> "Curve":
        """This and the curve of `other` runs, step by step."""
        sets = self.held_out_sets
        return Curve(sorted(self.rows + other.rows, key=lambda row: (row[0], sets.index(row[2]), row[1])))


@dataclass(frozen=True)
class Estimate:
    """A mean over runs."""

    mean: float
    half: float | None
    """Half the width of its 95 % interval by Student's t; None of a single run."""
    values: tuple[float, ...]
    """Of each run."""

    @property
    def runs(self) -> int:
        return len(self.values)

    @classmethod
    def of(cls, values: Sequence[float]) -> "Estimate":
        """Of at least one value, one for each run."""
        n = len(values)
        half = float(stdtrit(n - 1, 0.975)) * stdev(values) / sqrt(n) if n > 1 else None
        return cls(fmean(values), half, tuple(values))

    def without(self, run: int) -> "Estimate":
        return Estimate.of(self.values[:run] + self.values[run + 1 :])

    def __str__(self) -> str:
        return f"{100 * self.mean:.1f}" + ("" if self.half is None else f" ± {100 * self.half:.1f}")


@dataclass(frozen=True)
class Result:
    """What is known of a configuration."""

    steps: int
    """Up to which it was measured."""
    done: bool
    """Whether some runs went to the end: the figures are those of these runs."""
    last: dict[str, Estimate]
    """By held-out set: of the last checkpoint; of the last measurement while it is not done."""
    best: dict[str, Estimate]
    """By held-out set: of each run's mean over its BEST highest measurements."""
    curve: Curve

    @property
    def runs(self) -> int:
        return next(iter(self.last.values())).runs

    def without(self, run: int) -> "Result | None":
        """Of the other runs, as if this one were not; None if there are no others."""
        if self.runs == 1:
            return None
        last, best = ({held: one.without(run) for held, one in kept.items()} for kept in (self.last, self.best))
        curve = Curve([row for row in self.curve.rows if row[1] != run])
        return replace(self, last=last, best=best, curve=curve)


Results = Mapping[str, Result]
"""By name, the configurations that were begun."""


def read_results(folder: Path, configurations: Iterable[Configuration]) -> Results:
    results = {configuration.name: read_result(folder, configuration.name) for configuration in configurations}
    return {name: result for name, result in results.items() if result is not None}


def read_result(folder: Path, name: str) -> Result | None:
    """The configuration's figures so far; None if nothing was measured yet."""
    curve, record = read_curve(folder, name), read_record(folder, name)
    if not curve.rows:
        return None
    if record is not None:  # runs that are not done yet do not count beside those that are
        curve = curve.of_runs(range(runs_in(record)))
    runs = {held: curve.accuracies(held) for held in curve.held_out_sets}
    last = {held: [run[-1] for run in runs[held]] for held in runs} if record is None else record["last"]
    return Result(
        steps=curve.steps[-1],
        done=record is not None,
        last={held: Estimate.of(values) for held, values in last.items()},
        best={held: Estimate.of([fmean(sorted(run)[-BEST:]) for run in runs[held]]) for held in runs},
        curve=curve,
    )


def in_training_order(architectures: Sequence[str]) -> list[str]:
    """The PrediNet first, which most want to see, and the one that takes longest last."""
    return sorted(architectures, key=lambda name: (name == TRAINED_LAST, name != "predinet"))


def runs_done(folder: Path, name: str) -> int:
    """How many runs of the configuration of that name are trained and measured: its first ones."""
    return runs_in(read_record(folder, name))


def runs_in(record: Mapping[str, Any] | None) -> int:
    return 0 if record is None else len(next(iter(record["last"].values())))


def read_curve(folder: Path, name: str) -> Curve:
    """The configuration's curve as far as it is; empty if it was not begun."""
    path = _curve_path(folder, name)
    if not path.exists():
        return Curve()
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        if tuple(next(rows, ())) != COLUMNS:
            raise CheckpointError(f"{path} is not a curve of this program: remove it to train it again")
        return Curve([(int(step), int(run), objects, float(a), float(loss)) for step, run, objects, a, loss in rows])


def read_record(folder: Path, name: str) -> dict[str, Any] | None:
    """What was written when the configuration was done; None if it is not."""
    path = record_path(folder, name)
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def model_path(folder: Path, name: str, run: int) -> Path:
    """The checkpoint of one of the configuration's networks, there when the configuration is done."""
    return folder / "models" / name / f"run-{run}.safetensors"


def write_curve(folder: Path, name: str, curve: Curve) -> None:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(
        (step, run, held, f"{accuracy:.4f}", f"{loss:.5g}") for step, run, held, accuracy, loss in curve.rows
    )
    write_atomically(_curve_path(folder, name), buffer.getvalue().encode())


def _curve_path(folder: Path, name: str) -> Path:
    return folder / "cells" / f"{name}.csv"


def record_path(folder: Path, name: str) -> Path:
    """The file that says that the configuration is done."""
    return folder / "cells" / f"{name}.json"
