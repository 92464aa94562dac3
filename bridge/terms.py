"""Text of numbers, and of comments. Names are for the package `quoting`."""

import math
import re
from functools import cache
from operator import add

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.quoting.prolog import WHOLE

DIGITS = 4
"""Decimal places of every number in a program: fixed, so that the same scene gives the same bytes."""

_FIXED = f"{{:.{DIGITS}f}}".format
_MINUS_ZERO = _FIXED(-0.0)
_UNIT = 10**DIGITS
_WHOLE = 1000
"""Numbers below this are written by table."""


def number(value: float) -> str:
    """`value` with DIGITS decimals, never −0; ValueError if it is NaN or infinite."""
    if not math.isfinite(value):
        raise ValueError(f"{value} cannot be written as a number")
    text = _FIXED(value)
    return text if text != _MINUS_ZERO else text[1:]


def numbers(values: NDArray[np.float64]) -> list[str]:
    """What `number` makes of each of `values` (N,), many times as fast: with two table look-ups for a number."""
    if not np.isfinite(values).all():
        raise ValueError("NaN and infinity cannot be written as numbers")
    beyond = np.abs(values) >= _WHOLE - 1
    scaled = np.where(beyond, 0, np.abs(values)) * _UNIT
    # `number` writes what is beyond the table, and rounds where the product's own rounding might decide.
    odd = beyond | (np.abs(scaled % 1 - 0.5) < 1e-6)
    whole, rest = np.divmod(np.where(odd, 0, np.rint(scaled)).astype(np.int64), _UNIT)
    whole += np.where((values < 0) & (whole + rest > 0), _WHOLE, 0)
    wholes, rests = _tables()
    texts = list(map(add, map(wholes.__getitem__, whole.tolist()), map(rests.__getitem__, rest.tolist())))
    for index in odd.nonzero()[0].tolist():
        texts[index] = number(values[index])
    return texts


@cache
def _tables() -> tuple[list[str], list[str]]:
    """What stands before a number's decimals, of the positive ones and then of the negative, and the decimals."""
    wholes = [f"{sign}{whole}." for sign in ("", "-") for whole in range(_WHOLE)]
    return wholes, [f"{rest:0{DIGITS}}" for rest in range(_UNIT)]


def comment(text: str) -> str:
    """`text` fit for a line comment: on one line, nothing unprintable."""
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else "�" for character in text)


def word(text: str) -> str | int | float:
    """What a program has where a table has `text`: a word that is a number is one."""
    if WHOLE.fullmatch(text):
        return int(text)
    return float(text) if re.fullmatch(r"-?[0-9]+\.[0-9]+", text) else text
