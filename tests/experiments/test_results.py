"""Means and intervals."""

from dataclasses import replace

import pytest

from predinet_prolog.experiments.configurations import Curve, Estimate, Result
from predinet_prolog.experiments.pages import beginnings


@pytest.mark.parametrize(
    ("values", "half", "text"),
    [
        # Mean 3; variance (4 + 1 + 0 + 1 + 4) / 4 = 2.5; t of 4 degrees of freedom at 97.5 % is 2.776445 (any table);
        # half the width is 2.776445 · √(2.5 / 5) = 1.963243.
        ([1.0, 2.0, 3.0, 4.0, 5.0], 1.963243, "300.0 ± 196.3"),
        # t of 1 degree of freedom is 12.7062; the standard deviation of 0.5 and 0.7 is 0.1414, so ± 12.7062 · 0.1.
        ([0.5, 0.7], 1.270620, "60.0 ± 127.1"),
        ([0.9], None, "90.0"),
    ],
)
def test_an_interval_is_students_and_in_per_cent(values: list[float], half: float | None, text: str) -> None:
    found = Estimate.of(values)
    assert found.runs == len(values)
    assert found.half == (None if half is None else pytest.approx(half, abs=1e-6))
    assert str(found) == text


@pytest.mark.parametrize(
    ("runs", "text"),
    [
        ([[0.5, 0.59, 0.61, 0.7]], "3,000"),
        # What is lost again has not begun: the second run is at chance at its end, the third begins twice.
        ([[0.7, 0.7, 0.7, 0.7], [0.5, 0.9, 0.9, 0.5], [0.5, 0.8, 0.5, 0.8]], "1,000 (1,000 – 4,000), 1 of 3 not"),
        ([[0.5, 0.5, 0.9, 0.9], [0.9] * 4, [0.5, 0.9, 0.9, 0.9]], "2,000 (1,000 – 3,000)"),
        ([[0.5] * 4, [0.59] * 4], "2 of 2 not"),
    ],
)
def test_learning_begins_where_a_run_leaves_chance_for_good(runs: list[list[float]], text: str) -> None:
    rows = [
        ((place + 1) * 1_000, run, held, accuracy if held == "hexos" else 0.5, 0.1)
        for place in range(4)
        for held in ("hexos", "stripes")
        for run, accuracy in enumerate(accuracies[place] for accuracies in runs)
    ]
    last = {"hexos": Estimate.of([run[-1] for run in runs])}
    done = Result(steps=4_000, done=True, last=last, best=last, curve=Curve(rows))
    table = beginnings({"predinet-same": done}, ["same"], ["predinet", "mlp1"])
    assert table.endswith(f"| `same` | {text} | – |\n")
    assert beginnings({"predinet-same": replace(done, done=False)}, ["same"], ["predinet"]).endswith("| `same` | – |\n")
