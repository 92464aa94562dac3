"""Prolog, as SWI-Prolog reads it."""

import re
import unicodedata
from functools import lru_cache

from predinet_prolog.quoting import writable

WHOLE = re.compile(r"0|-?[1-9][0-9]{0,14}")
"""What is a number: JSON and tables keep it exactly, too."""
BARE = re.compile(r"[a-z][a-zA-Z0-9_]*")
"""Names that need no quotes, in programs of ProbLog as well."""
_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_ESCAPED = re.compile(r"\\(?:x([0-9a-f]+)\\|(.))")


@lru_cache(4096)  # a program repeats a few dozen names thousands of times
def atom(text: str) -> str:
    """The text as an atom. Raises QuotingError."""
    return text if BARE.fullmatch(text) else quoted(writable(text), "'")


def constant(text: str) -> str:
    """The text as a whole number, else as an atom. Raises QuotingError."""
    return text if WHOLE.fullmatch(text) else atom(text)


def unquoted(written: str) -> str:
    """The text that `atom` or `constant` wrote."""
    return _ESCAPED.sub(_unescaped, written[1:-1]) if written.startswith("'") else written


def quoted(text: str, mark: str) -> str:
    """The text between two `mark`s, on one line."""
    escapes = {**_ESCAPES, mark: f"\\{mark}"}
    return mark + "".join(escapes.get(letter) or _visible(letter) for letter in text) + mark


def _visible(letter: str) -> str:
    # Control and format characters would play with the terminal, and not all survive a text file.
    return f"\\x{ord(letter):x}\\" if unicodedata.category(letter) in ("Cc", "Cf", "Zl", "Zp") else letter


def _unescaped(escape: re.Match[str]) -> str:
    code, letter = escape.groups()
    return chr(int(code, 16)) if code else {"n": "\n", "r": "\r", "t": "\t"}.get(letter, letter)
