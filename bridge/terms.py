"""Prolog text for single values: all quoting and all number printing is here."""

import math
import re
from functools import lru_cache

DIGITS = 4
"""Decimal places of every number in a program: fixed, so that the same scene gives the same bytes."""

_FIXED = f"{{:.{DIGITS}f}}".format
_MINUS_ZERO = _FIXED(-0.0)
_BARE = re.compile(r"[a-z][a-zA-Z0-9_]*\Z")
_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\x00": "\\x0\\"}


@lru_cache(4096)  # a program repeats a few dozen names thousands of times
def atom(name: str) -> str:
    """`name` as a Prolog atom, quoted where it must be. Any text goes in; the reader gives the same text back."""
    if _BARE.match(name):
        return name
    return "'" + "".join(_escaped(character) for character in name) + "'"


def number(value: float) -> str:
    """`value` with DIGITS decimals, never −0; ValueError if it is NaN or infinite."""
    if not math.isfinite(value):
        raise ValueError(f"{value} cannot be written as a number")
    text = _FIXED(value)
    return text if text != _MINUS_ZERO else text[1:]


def comment(text: str) -> str:
    """`text` fit for a line comment: on one line, nothing unprintable."""
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else "�" for character in text)


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    # Control characters, line separators and lone surrogates would not survive a text file or the reader.
    if not character.isprintable() and character != " ":
        return f"\\x{ord(character):x}\\"
    return character
