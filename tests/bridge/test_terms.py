"""Numbers and comments."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from predinet_prolog.bridge.terms import comment, number, numbers

EDGES = [
    0.0, -0.0, 0.00005, 0.00015, -0.00005, 4.9999999e-05, 0.03125, -0.03125, 0.09375, 0.99995, 9.99995, 999.99994,
    999.99995, -999.99995, 999.9999, 1000.0, 1e15, 1e16, -1e300, 5e-324, 0.1, 2.00005, 1.00005, 0.12345,
]  # fmt: skip


@given(st.text())
def test_a_comment_is_one_line_of_printable_text(text: str) -> None:
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
