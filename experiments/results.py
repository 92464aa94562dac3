"""What a folder of an experiment holds, in numbers: of cells that are done and of those half-way."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev

from scipy.special import stdtrit

from experiments.cells import Curve, read_curve, read_record, runs_in

BEST = 10
"""How many of a run's measurements the paper's Table 1 takes, the highest ones."""


@dataclass(frozen=True)
class Estimate:
    """A mean over runs."""

    mean: float
    half: float | None
    """Half the width of its 95 % interval by Student's t; None of a single run."""
    runs: int

    def __str__(self) -> str:
        """In per cent."""
        return f"{100 * self.mean:.1f}" + ("" if self.half is None else f" ± {100 * self.half:.1f}")


def estimate(values: Sequence[float]) -> Estimate:
    """Mean and 95 % interval of at least one value."""
    n = len(values)
    half = None if n == 1 else float(stdtrit(n - 1, 0.975)) * stdev(values) / sqrt(n)
    return Estimate(fmean(values), half, n)


@dataclass(frozen=True)
class Result:
    """What is known of a cell."""

    steps: int
    """Up to which it was measured."""
    done: bool
    """Whether some runs went to the end: it is told of those."""
    last: dict[str, Estimate]
    """By held-out set: of the last checkpoint; of the last measurement while it is not done."""
    best: dict[str, Estimate]
    """By held-out set: of each run's mean over its BEST highest measurements."""
    curve: Curve


def read_result(folder: Path, name: str) -> Result | None:
    """The cell's figures so far; None if nothing was measured yet."""
    curve, record = read_curve(folder, name), read_record(folder, name)
    if not curve.rows:
        return None
    if record is not None:  # runs that are not done yet do not count beside those that are
        curve = curve.of_runs(range(runs_in(record)))
    sets = list(dict.fromkeys(row[2] for row in curve.rows))
    runs = {held: list(curve.accuracies(held).values()) for held in sets}
    last = {held: [accuracies[-1] for accuracies in runs[held]] for held in sets} if record is None else record["last"]
    return Result(
        steps=curve.steps[-1],
        done=record is not None,
        last={held: estimate(values) for held, values in last.items()},
        best={held: estimate([fmean(sorted(run)[-BEST:]) for run in runs[held]]) for held in sets},
        curve=curve,
    )
