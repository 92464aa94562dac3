"""Mistakes of beginners on the command line: each gets a line that says what was probably meant."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]  # the fixture's type


@pytest.mark.parametrize("command", ["query", "why"])
def test_an_object_that_is_not_there_is_a_mistake(run: Run, program: Path, command: str) -> None:
    status, out, err = run(command, program, "r0(V, ob0, X)")
    assert (status, out) == (2, "")
    assert err == "predinet-prolog: no object ob0: there are ob_0, ob_1\n"


@pytest.mark.parametrize("command", ["query", "why"])
def test_a_capital_letter_is_told_of_beside_the_answers(run: Run, program: Path, command: str) -> None:
    status, out, err = run(command, program, "r0(V, Ob_0, ob_1)")
    assert status == 0
    assert out.startswith("V = 0.25, Ob_0 = ob_0")
    assert err == "predinet-prolog: Ob_0 begins with a capital letter, so it is a variable: did you mean ob_0?\n"
    status, out, err = run(command, program, "r0(V, Ob_0, ob_1)", "--json")
    assert json.loads(out)["hints"] == [err.removeprefix("predinet-prolog: ").strip()]


def test_a_missing_bracket_is_shown_and_named(run: Run, program: Path) -> None:
    status, out, err = run("query", program, "object(X")
    assert (status, out) == (2, "")
    assert err.splitlines()[1].endswith("^")
    assert "a closing ) is missing for the ( at character 6" in err
