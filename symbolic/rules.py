"""Hand-written rules: clauses that a question brings along, and the theories that come with this package.

A theory is a file in `theories/`, found by its name. Its module header says what it defines. A line

    %@ NAME/ARITY: ADVICE

says what to do where a question lacks a predicate that the theory's user must define.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

_THEORIES = Path(__file__).parent / "theories"
_EXPORTS = re.compile(r"^:- module\(\w+,\s*\[(.*?)\]\)\.", re.DOTALL | re.MULTILINE)
_ADVICE = re.compile(r"^%@ (\w+/\d+): (.+)$", re.MULTILINE)


class Rules(NamedTuple):
    """A text of Prolog clauses over the program's vocabulary. `name` stands in error messages: a file's name."""

    name: str
    text: str


@cache
def theory_names() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in _THEORIES.glob("*.pl")))


@cache
def theory(name: str) -> Rules:
    """The theory called `name`, ready to be asked with a program. Raises KeyError if there is none."""
    if name not in theory_names():
        raise KeyError(f"no theory is called {name}: there are {', '.join(theory_names())}")
    path = _THEORIES / f"{name}.pl"
    return Rules(path.name, path.read_text(encoding="utf-8"))


@cache
def defining_theories() -> Mapping[str, str]:
    """Each predicate that a theory exports, such as "twins/2", and the name of that theory."""
    return {predicate: name for name in theory_names() for predicate in exports(theory(name).text)}


@cache
def missing_advice() -> Mapping[tuple[str, str], str]:
    """What to do about a missing predicate: the key is the theory that wants it, and the predicate."""
    return {
        (name, predicate): advice for name in theory_names() for predicate, advice in _ADVICE.findall(theory(name).text)
    }


def exports(text: str) -> list[str]:
    """`name/arity` of what the module header of a text exports; empty without one."""
    header = _EXPORTS.search(text)
    return re.findall(r"\w+/\d+", re.sub(r"%.*", "", header[1])) if header else []
