"""The built-ins that a question may use, as the guard's own table (allowed.pl) has them."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

from predinet_prolog.symbolic.errors import SwiPrologMissingError
from predinet_prolog.symbolic.swipl import run_swipl

_TABLE = Path(__file__).parent / "allowed.pl"

# A line for each group, with its predicates; no name has a tab in it.
_WRITE_TABLE = r"""
    forall(group(Name, Sentence, Entries),
           ( format("~w\t~w", [Name, Sentence]),
             forall(member(Entry, Entries),
                    ( ( Entry = P/A -> true ; functor(Entry, P, A) ), format("\t~w/~w", [P, A]) )),
             nl ))
"""


class BuiltInGroup(NamedTuple):
    """Built-ins about one subject, such as "findall/3". `sentence` says what they are for and may hold Markdown.

    The group "constraints" is there only for questions whose rules import library(clpfd).
    """

    name: str
    sentence: str
    predicates: list[str]


@cache
def built_ins() -> tuple[BuiltInGroup, ...]:
    """The table, in its order. The first call runs `swipl` for a tenth of a second; raises SwiPrologMissingError."""
    output = run_swipl("-g", f"use_module('{_TABLE}'), {_WRITE_TABLE}", "-t", "halt")
    if output.returncode or output.stderr:
        raise SwiPrologMissingError(f"swipl cannot read {_TABLE.name}: {output.stderr.strip()}")
    rows = (line.split("\t") for line in output.stdout.splitlines())
    return tuple(BuiltInGroup(name, sentence, predicates) for name, sentence, *predicates in rows)
