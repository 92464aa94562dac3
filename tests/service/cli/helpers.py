"""What the tests of the command line share."""

from collections.abc import Callable
from typing import Any

Run = Callable[..., Any]
"""The fixture's type."""


def one_line(err: str) -> str:
    """The message of the only line on standard error."""
    (line,) = err.splitlines()
    program, message = line.split(": ", 1)
    assert program == "predinet-prolog"
    return message
