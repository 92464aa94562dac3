"""Text of numbers, and of comments. Names are for the package `quoting`."""

import math
import re

import numpy as np
from numpy.typing import NDArray

DIGITS = 4
"""Decimal places of every number in a program that was not told: fixed, so that one scene gives the same bytes."""
_FIXED = f"{{:.{DIGITS}f}}".format
_MINUS_ZERO = _FIXED(-0.0)


def number(value: float) -> str:
    """`value` with DIGITS decimals, never −0; ValueError if it is NaN or infinite."""
    if not math.isfinite(value):
        raise ValueError(f"{value} cannot be written as a number")
    text = _FIXED(value)
    return text if text != _MINUS_ZERO else text[1:]


def exact(value: float) -> str:
    """What `number` makes of `value`, with more decimals where it would be another number."""
    text = number(value)
    return text if float(text) == value else np.format_float_positional(value, trim="0")


def numbers(values: NDArray[np.float64]) -> list[str]:
    """What `number` makes of each of `values` (N,)."""
    if not np.isfinite(values).all():
        raise ValueError("NaN and infinity cannot be written as numbers")
    return [text if text != _MINUS_ZERO else text[1:] for text in map(_FIXED, values.tolist())]


def comment(text: str) -> str:
    """`text` fit for a line comment: on one line, nothing unprintable."""
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else "�" for character in text)


def word(text: str) -> str | int | float:
    """What a program has where a table has `text`: a word that is a number is one, unless it stands in quotes."""
    if re.fullmatch(r"0|-?[1-9][0-9]*", text):
        return int(text)
    inner = text[1:-1]
    if text == f"'{inner}'" and word(inner) != inner:
        return inner
    return float(text) if re.fullmatch(r"-?[0-9]+\.[0-9]+", text) else text
