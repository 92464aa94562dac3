"""Means and intervals."""

from pathlib import Path

import pytest

from experiments.cells import COLUMNS, Estimate, read_result


def test_an_interval_is_students() -> None:
    # Mean 3; variance (4 + 1 + 0 + 1 + 4) / 4 = 2.5; t of 4 degrees of freedom at 97.5 % is 2.776445 (any table);
    # half the width is 2.776445 · √(2.5 / 5) = 1.963243.
    found = Estimate.of([1.0, 2.0, 3.0, 4.0, 5.0])
    assert (found.mean, found.runs) == (3.0, 5)
    assert found.half == pytest.approx(1.963243, abs=1e-6)


def test_one_run_has_no_interval() -> None:
    assert Estimate.of([0.9]).half is None
    assert str(Estimate.of([0.9])) == "90.0"


def test_it_is_written_in_per_cent() -> None:
    # t of 1 degree of freedom is 12.7062; the standard deviation of 0.5 and 0.7 is 0.1414, so ± 12.7062 · 0.1.
    assert str(Estimate.of([0.5, 0.7])) == "60.0 ± 127.1"


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
