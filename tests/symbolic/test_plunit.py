"""The Prolog unit tests, through swipl. A warning, such as a choice point left behind, is a failure."""

import os
import subprocess
from pathlib import Path

import pytest

from predinet_prolog import symbolic

HERE = Path(__file__).parent
SYMBOLIC = Path(symbolic.__file__).parent


@pytest.mark.parametrize(
    ("tested", "tests"),
    [
        (SYMBOLIC / "theories" / "relations_game.pl", "relations_game.plt"),
        (SYMBOLIC / "theories" / "cards.pl", "cards.plt"),
        (SYMBOLIC / "theories" / "episodes.pl", "episodes.plt"),
        (SYMBOLIC / "theories" / "intervals.pl", "intervals.plt"),
        (SYMBOLIC / "theories" / "sort_of_clevr.pl", "sort_of_clevr.plt"),
        (SYMBOLIC / "theories" / "clevr.pl", "clevr.plt"),
        (SYMBOLIC / "host.pl", "guard.plt"),
        (SYMBOLIC / "host.pl", "english.plt"),
    ],
)
def test_plunit(tested: Path, tests: str) -> None:
    run = subprocess.run(
        ["swipl", "-g", f"consult(['{tested}', '{HERE / tests}']), run_tests, halt", "-t", "halt(1)"],
        env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )
    output = run.stdout + run.stderr
    assert run.returncode == 0, output
    assert "Warning" not in output, output
    assert "choicepoint" not in output, output
    assert "passed" in output, output
