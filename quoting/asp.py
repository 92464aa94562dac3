"""Answer set programs, for clingo 5.8, and ILASP, which is made of it: what is no name is a string, for names have no
quotes."""

import re

from predinet_prolog.quoting import QuotingError, writable

_BARE = re.compile(r"(?!not\Z)[a-z][a-zA-Z0-9_]*")
_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,8}")
"""Numbers have 32 bits, and wrap without a word."""
_ESCAPES = {"\\": "\\\\", "\n": "\\n", '"': '\\"'}
"""All that clingo knows. It takes all other characters as they are, but for NUL, where a text ends."""
_ESCAPED = re.compile(r"\\(.)")


def atom(text: str) -> str:
    """The text as a name or a string. Raises QuotingError."""
    if _BARE.fullmatch(text):
        return text
    if "\0" in writable(text):
        raise QuotingError(f"{text!r} cannot be written for clingo, which ends a text at its NUL: rename it")
    return '"' + "".join(_ESCAPES.get(letter, letter) for letter in text) + '"'


def constant(text: str) -> str:
    """The text as a whole number, else as `atom` has it. Raises QuotingError."""
    return text if _WHOLE.fullmatch(text) else atom(text)


def unquoted(written: str) -> str:
    """The text that `atom` or `constant` wrote."""
    if not written.startswith('"'):
        return written
    return _ESCAPED.sub(lambda escape: "\n" if escape[1] == "n" else escape[1], written[1:-1])
