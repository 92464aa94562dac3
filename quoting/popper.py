"""Popper, whose facts are Prolog's and have no constants: a label or word ends the name of a predicate, which clingo
reads, too."""

import re

_ODD = re.compile(r"_(?=\d+(?:_|\W))|\W", re.ASCII)
"""What is no letter or digit, and a _ that could be taken for the beginning of an escape."""
_ESCAPED = re.compile(r"_(\d+)_", re.ASCII)


def ending(text: str) -> str:
    """The text as the end of a name, in letters, digits and _."""
    return _ODD.sub(lambda odd: f"_{ord(odd[0])}_", text)


def unquoted(written: str) -> str:
    """The text that `ending` wrote."""
    return _ESCAPED.sub(lambda escape: chr(int(escape[1])), written)
