"""Checks on texts before Prolog's reader sees them: it has no limits of its own, and crashes when nested too deep.

They are coarse and fast: brackets and digits inside quotes and comments count too. A text that slips through
kills a worker at worst.
"""

import re

from symbolic.errors import ProgramError, QuerySyntaxError
from symbolic.limits import DIGITS, GOAL_CHARACTERS, NESTING, TEXT_BYTES

_LONG_NUMBER = re.compile(rf"[0-9][0-9A-Za-z_']{{{DIGITS}}}")
_NOT_BRACKETS = bytes(set(range(256)) - set(b"()[]{}"))


def check_goal(goal: str) -> None:
    """Raises QuerySyntaxError for a goal that is too long, too deep, or no text that Prolog can read."""
    if len(goal) > GOAL_CHARACTERS:
        raise QuerySyntaxError(
            f"the query has {len(goal):,} characters; {GOAL_CHARACTERS:,} are allowed", GOAL_CHARACTERS
        )
    if fault := _fault(goal):
        raise QuerySyntaxError(*fault)


def check_text(name: str, text: str) -> None:
    """The same for the program or a rule file. Raises ProgramError with the line."""
    if len(text) > TEXT_BYTES:
        raise ProgramError(
            f"the text has {len(text):,} characters; {TEXT_BYTES:,} are allowed", name, text.count("\n") + 1
        )
    if fault := _fault(text):
        message, position = fault
        raise ProgramError(message, name, text.count("\n", 0, position) + 1)


def _fault(text: str) -> tuple[str, int] | None:
    """What is wrong with `text`, and at which character; None if nothing is."""
    if (position := text.find("\0")) >= 0:
        return "a NUL character", position
    try:
        encoded = text.encode()
    except UnicodeEncodeError as error:
        return "a character that is no Unicode text (a lone surrogate)", error.start
    if number := _LONG_NUMBER.search(text):
        return f"a number of more than {DIGITS:,} digits", number.start()
    if not _shallow(encoded):
        return f"brackets nested more than {NESTING} deep", _first_too_deep(text)
    return None


def _shallow(text: bytes) -> bool:
    """Whether brackets nest at most NESTING deep: innermost pairs are taken away, layer after layer."""
    brackets = text.translate(None, _NOT_BRACKETS)
    for depth in range(NESTING + 1):
        inner = brackets.replace(b"()", b"").replace(b"[]", b"").replace(b"{}", b"")
        if inner == brackets:
            return depth + sum(map(inner.count, (b"(", b"[", b"{"))) <= NESTING
        brackets = inner
    return False


def _first_too_deep(text: str) -> int:
    depth = 0
    for position, character in enumerate(text):
        if character in "([{":
            depth += 1
            if depth > NESTING:
                return position
        elif character in ")]}":
            depth = max(0, depth - 1)
    return 0
