"""ProbLog 2.3, which keeps a name as it is written, quotes and escapes included: a name has one spelling here."""

import re

from predinet_prolog.quoting import writable
from predinet_prolog.quoting.prolog import BARE, WHOLE

_ESCAPED = re.compile(r"\\(?:U([0-9a-f]{8})|')")


def atom(text: str) -> str:
    """The text as an atom. Raises QuotingError."""
    return text if BARE.fullmatch(text) else f"'{''.join(map(_letter, writable(text)))}'"


def constant(text: str) -> str:
    """The text as a whole number, else as an atom. Raises QuotingError."""
    return text if WHOLE.fullmatch(text) else atom(text)


def unquoted(written: str) -> str:
    """The text that `atom` or `constant` wrote."""
    if not written.startswith("'"):
        return written
    return _ESCAPED.sub(lambda escape: chr(int(escape[1], 16)) if escape[1] else "'", written[1:-1])


def _letter(letter: str) -> str:
    if letter == "'":
        return "\\'"
    # A quote behind a backslash is part of the name for ProbLog, even where an escape ends there: none ends with one.
    return letter if letter.isprintable() and letter != "\\" else f"\\U{ord(letter):08x}"
