"""Means and intervals."""

from pathlib import Path

import pytest

from experiments.configurations import COLUMNS, Estimate, read_result


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


def test_the_best_of_a_run_are_its_ten_highest_measurements(tmp_path: Path) -> None:
    (tmp_path / "cells").mkdir()
    # Run 0: the ten highest of 0.01 to 0.12 are 0.03 to 0.12, in the mean 0.075. Run 1 has twice that.
    rows = [f"{step},{run},hexos,{step * (run + 1) / 100},0.5" for step in range(1, 13) for run in (1, 0)]
    (tmp_path / "cells" / "x.csv").write_text("\n".join([",".join(COLUMNS), *rows]) + "\n")
    found = read_result(tmp_path, "x")
    assert found is not None
    assert found.best["hexos"].mean == pytest.approx((0.075 + 0.15) / 2)
    assert found.last["hexos"].mean == pytest.approx((0.12 + 0.24) / 2)
    assert (found.steps, found.done) == (12, False)
