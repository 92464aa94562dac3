"""The terms of a prompt: what is typed, piped or pasted, up to each full stop."""

import re
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise

from predinet_prolog.symbolic.errors import ProgramError
from predinet_prolog.symbolic.precheck import check_text, clause_ends, without_comments, without_quoted

_TERM_LINE = re.compile(r"""\n(?=[\w'"(\[{\\?!])""")
"""Before a line that may begin a term: at the margin, and with no operator that stands between two."""
_BRACKET_OR_SYMBOLS = re.compile(r"[()\[\]{}]|[#$&*+\-./:<=>?@\\^~]+")


class Terms:
    """The terms of a text that comes line after line.

    A term ends with a full stop, as in every Prolog. It may lack one at the end of the text, and where it is lines from
    the margin on that are no term together, and each is one by itself. A line that ends with ? and is no term is a
    question in English.

    is_term: whether a text without comments is exactly one term.
    """

    def __init__(self, is_term: Callable[[str], bool]) -> None:
        self._is_term = is_term
        self._rest = ""

    def add(self, line: str) -> list[str]:
        """The terms that end in the `line`, which ends with a line break, without their comments. Raises ProgramError
        for what no Prolog should read, with the line that ends it; all of it is dropped then."""
        if not self.begun and line.rstrip().endswith("?") and not self._is_term(line):
            return [line.strip()]  # in English
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
        parts = [text[start:end] for start, end in pairwise([0, *ends])]
        self._rest = self._rest[ends[-1] :] if ends else self._rest
        return [term for part in parts for term in self._apart(part)]

    def goals(self) -> list[str]:
        """The terms since the last full stop, if all that has come since is whole without one, and none is a rule."""
        rest = self._rest
        with suppress(ProgramError):
            terms = self.end()
            if all(not is_rule(term) and self._is_term(term) for term in terms):
                return terms
        self._rest = rest
        return []

    def end(self) -> list[str]:
        """The terms that are left at the end of the text. Raises ProgramError as `add` does."""
        text, self._rest = self._rest, ""
        check_text("standard input", text)
        if not without_quoted(f"{text}\n.").endswith("."):  # in a comment or in quotes, as the reader will say
            return [text]
        return self._apart(without_comments(text))

    @property
    def begun(self) -> bool:
        """Whether a term has begun and not ended."""
        return bool(self._rest.strip())

    def drop(self) -> None:
        """Forgets what has come since the last full stop."""
        self._rest = ""

    def _apart(self, text: str) -> list[str]:
        """The terms of a text up to one full stop, or to the end of all."""
        terms = [part.strip() for part in _TERM_LINE.split(text) if part.strip()]
        if len(terms) == 1 or self._is_term(text) or not all(map(self._is_term, terms)):
            return [text.strip()] if terms else []
        return terms


def is_rule(term: str) -> bool:
    """Whether a term, which has no comments, is a clause with a body or a directive: `:-` or `-->` binds weakest."""
    depth = 0
    for token in _BRACKET_OR_SYMBOLS.findall(without_quoted(term)):
        depth += (token in "([{") - (token in ")]}")
        if depth == 0 and token in (":-", "-->"):
            return True
    return False


def clauses_of(text: str, indicator: str) -> list[str]:
    """The clauses of the predicate NAME or NAME/ARITY in the program or rules `text`, without comments."""
    name, _, arity = indicator.partition("/")
    name = name.strip().strip("'")
    bare, source = without_quoted(text, (name,)), without_comments(text)
    head = re.compile(rf"\s*(?P<name>{re.escape(name)})(?:(?P<arguments>\()|\s*(?::-|-->|\.\Z))")
    start, clauses = 0, []
    for end in clause_ends(bare):
        match = head.match(bare, start, end)
        if match and arity in ("", str(_arity(bare[match.start("arguments") : end]) if match["arguments"] else 0)):
            clauses.append(source[start:end].strip())
        start = end
    return clauses


def _arity(arguments: str) -> int:
    """How many arguments a text begins with, from their bracket on."""
    depth = arity = 1
    for sign in re.findall(r"[()\[\]{},]", arguments[1:]):
        depth += (sign in "([{") - (sign in ")]}")
        if depth == 0:
            break
        arity += sign == "," and depth == 1
    return arity
