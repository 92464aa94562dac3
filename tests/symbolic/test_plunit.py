"""The Prolog unit tests, through swipl. A warning, such as a choice point left behind, is a failure."""

from pathlib import Path

import pytest

from predinet_prolog import symbolic
from predinet_prolog.symbolic.swipl import run_swipl

HERE = Path(__file__).parent
SYMBOLIC = Path(symbolic.__file__).parent


@pytest.mark.parametrize("tests", sorted(HERE.glob("*.plt")), ids=lambda path: path.stem)
def test_plunit(tests: Path) -> None:
    """Of the theory of that name, else of the worker's own Prolog."""
    theory = SYMBOLIC / "theories" / f"{tests.stem}.pl"
    tested = theory if theory.exists() else SYMBOLIC / "host.pl"
    run = run_swipl("-g", f"consult(['{tested}', '{tests}']), run_tests, halt", "-t", "halt(1)", seconds=120)
    output = run.stdout + run.stderr
    assert run.returncode == 0, output
    assert "Warning" not in output, output
    assert "choicepoint" not in output, output
    assert "passed" in output, output
