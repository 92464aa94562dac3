"""Numbers and comments."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from predinet_prolog.bridge.terms import comment, number, numbers


@given(st.text())
def test_a_comment_is_one_line_of_printable_text(text: str) -> None:
    assert comment(text).isprintable()
    assert "\n" not in comment("x\n:- halt.\r\u2028y")


TOLD = "0.0000", "0.0000", "0.0000", "1.2346", "-2.5000", "1000000.0000"


@pytest.mark.parametrize(("value", "text"), [*zip((0.0, -1e-5, -0.0, 1.23456, -2.5, 1e6), TOLD, strict=True)])
def test_numbers_have_fixed_digits_and_no_minus_zero(value: float, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_refused(bad: float) -> None:
    for write in (lambda: number(bad), lambda: numbers(np.array([1.0, bad]))):
        with pytest.raises(ValueError, match="cannot be written"):
            write()
