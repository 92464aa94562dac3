"""The terms of a prompt: what is typed or piped, up to each full stop."""

import re
from collections.abc import Callable
from itertools import pairwise

from predinet_prolog.symbolic.errors import ProgramError
from predinet_prolog.symbolic.precheck import check_text, clause_ends, without_comments, without_quoted

_BRACKET_OR_SYMBOLS = re.compile(r"[()\[\]{}]|[#$&*+\-./:<=>?@\\^~]+")


class Terms:
    """The terms of a text that comes line after line.

    A term ends with a full stop, as in every Prolog. A line that is a term by itself may lack it; one that `is_english`
    and no term is a question.

    is_term: whether a text without comments is exactly one term.
    """

    def __init__(self, is_term: Callable[[str], bool]) -> None:
        self._is_term = is_term
        self._rest = ""

    def add(self, line: str) -> list[str]:
        """The terms that end in the `line`, which ends with a line break, without their comments. Raises ProgramError
        for what no Prolog should read, with the line that ends it; all of it is dropped then."""
        if not self.begun:
            if re.fullmatch(r"\s*(%.*)?\n?", line):
                return []
            if is_english(line) or (not re.search(r"[.%]|/\*", line) and not is_rule(line) and self._is_term(line)):
                return [line.strip()]
        self._rest += line
        if "." not in line:
            return []
        try:
            check_text("standard input", self._rest)
        except ProgramError:
            if line.rstrip().endswith("."):
                self.drop()
                raise
            return []
        text = without_comments(self._rest)
        ends = clause_ends(without_quoted(text))
        parts = [text[start:end].strip() for start, end in pairwise([0, *ends])]
        self._rest = self._rest[ends[-1] :] if ends else self._rest
        return [part for part in parts if part]

    def end(self) -> list[str]:
        """What is left at the end of the text. Raises ProgramError as `add` does."""
        text, self._rest = self._rest, ""
        check_text("standard input", text)
        return [rest] if (rest := without_comments(text).strip()) else []

    @property
    def begun(self) -> bool:
        """Whether a term has begun and not ended."""
        return bool(self._rest.strip())

    def drop(self) -> None:
        """Forgets what has come since the last full stop."""
        self._rest = ""


def is_english(text: str) -> bool:
    """Whether a text ends with ? or is three words at least: unless it is a term, it is English."""
    return re.fullmatch(r"\s*(.*\?|[\w']+(,? [\w'-]+){2,}\.?)\s*", text, re.DOTALL) is not None


def is_rule(term: str) -> bool:
    """Whether a term, which has no comments, is a clause with a body or a directive: `:-` or `-->` binds weakest."""
    depth = 0
    for token in _BRACKET_OR_SYMBOLS.findall(without_quoted(term)):
        depth += (token in "([{") - (token in ")]}")
        if depth == 0 and token in (":-", "-->"):
            return True
    return False


def clauses_of(text: str, name: str) -> list[str]:
    """The clauses of the predicates of that name in the program or rules `text`, without comments."""
    name = name.strip().strip("'")
    bare, source = without_quoted(text, (name,)), without_comments(text)
    head = re.compile(rf"\s*{re.escape(name)}(?:\(|\s*(?::-|-->|\.\Z))")
    bounds = pairwise([0, *clause_ends(bare)])
    return [source[start:end].strip() for start, end in bounds if head.match(bare, start, end)]
