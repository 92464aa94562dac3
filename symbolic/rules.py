"""Hand-written rules: files of clauses that a question may bring along, and the theory that comes with us."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class Rules:
    """A text of Prolog clauses over the program's vocabulary. `name` stands in error messages: a file's name."""

    name: str
    text: str


def theory_path() -> Path:
    """The theory of the Relations Game: one predicate a task (see the file's own text)."""
    return Path(__file__).parent / "theory" / "relations_game.pl"


@cache
def theory() -> Rules:
    """The theory of the Relations Game, ready to be asked with a program."""
    path = theory_path()
    return Rules(path.name, path.read_text(encoding="utf-8"))


@cache
def theory_predicates() -> frozenset[str]:
    """What the theory exports, as in "twins/2"."""
    return frozenset(re.findall(r"^ +\[? ?(\w+/\d+)[, ] +% ", theory().text, re.MULTILINE))
