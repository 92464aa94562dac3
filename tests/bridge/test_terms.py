"""Quoting and numbers, proven by SWI-Prolog's own reader."""

import json
import math
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.terms import atom, comment, number, numbers, unquoted
from symbolic.swipl import run_swipl

HARD = [
    "", " ", "ob_1", "Ob", "_x", "[]", "{}", "!", ";", "a b", "it's", "''", '"', "\\", "\\n", "\n", "\r\n", "\t", "\0",
    "a\x07b", "é", "Ünï", "日本", "\u2028", "\ufeff", "a\u00a0b", "\U0001f600", "0a", "a.", ". :- halt.", "/*", "%",
    "\x7f", "\U0010ffff", *(f"x{chr(code)}y" for code in [*range(0xA1), 0x200B, 0x2029, 0xE000, 0xFFFD]),
]  # fmt: skip
EDGES = [
    0.0, -0.0, 0.00005, 0.00015, -0.00005, 4.9999999e-05, 0.03125, -0.03125, 0.09375, 0.99995, 9.99995, 999.99994,
    999.99995, -999.99995, 999.9999, 1000.0, 1e15, 1e16, -1e300, 5e-324, 0.1, 2.00005, 1.00005, 0.12345,
]  # fmt: skip


@pytest.mark.skipif(shutil.which("swipl") is None, reason="no swipl on PATH")
def test_every_hard_name_is_read_back(tmp_path: Path) -> None:
    program = tmp_path / "atoms.pl"
    program.write_text("".join(f"a({atom(name)}).\n" for name in HARD), encoding="utf-8")
    goal = "forall(a(X), (atom(X), atom_codes(X, Cs), print(Cs), nl))"
    run = run_swipl("-q", "-g", f"set_prolog_flag(answer_write_options,[max_depth(0)]),{goal}", "-t", "halt", program)
    assert (run.returncode, run.stderr) == (0, "")
    assert ["".join(map(chr, json.loads(line))) for line in run.stdout.splitlines()] == HARD


@pytest.mark.parametrize("name", HARD)
def test_what_is_quoted_is_unquoted(name: str) -> None:
    assert unquoted(atom(name)) == name


@pytest.mark.parametrize("name", ["\ud800", "a\udcffb", "\udfff.png"])
def test_what_is_no_text_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="surrogates not allowed"):
        atom(name)


@given(st.text())
def test_an_atom_and_a_comment_are_one_line_of_printable_text(text: str) -> None:
    assert atom(text).isprintable()
    assert comment(text).isprintable()
    assert "\n" not in comment("x\n:- halt.\r\u2028y")


TOLD = "0.0000", "0.0000", "0.0000", "1.2346", "-2.5000", "1000000.0000"


@pytest.mark.parametrize(("value", "text"), [*zip((0.0, -1e-5, -0.0, 1.23456, -2.5, 1e6), TOLD, strict=True)])
def test_numbers_have_fixed_digits_and_no_minus_zero(value: float, text: str) -> None:
    assert number(value) == text


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**7), 10**7).map(lambda n: n / 2e4)))
def test_any_numbers_are_written_as_one_by_one(values: list[float]) -> None:
    """Also where the next digit is a five, or nearly, and at the end of the table."""
    assert numbers(np.array(values + EDGES)) == [number(value) for value in values + EDGES]
    assert numbers(np.zeros(0)) == []


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_refused(bad: float) -> None:
    for write in (lambda: number(bad), lambda: numbers(np.array([1.0, bad]))):
        with pytest.raises(ValueError, match="cannot be written"):
            write()
