"""The built-ins that a question may use, as the guard's own table (allowed.pl) has them."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

from predinet_prolog.symbolic.errors import SwiPrologMissingError
from predinet_prolog.symbolic.swipl import run_swipl

_TABLE = Path(__file__).parent / "allowed.pl"

# A line for each group and one for each predicate; no name has a tab in it.
_WRITE_TABLE = r"""
    forall(group(Name, Sentence, Entries),
           ( format("group\t~w\t~w~n", [Name, Sentence]),
             forall(member(Entry, Entries),
                    ( ( Entry = P/A -> true ; functor(Entry, P, A) ), format("predicate\t~w\t~w~n", [P, A]) ))))
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
    groups: list[BuiltInGroup] = []
    for line in output.stdout.splitlines():
        kind, name, rest = line.split("\t")
        if kind == "group":
            groups.append(BuiltInGroup(name, rest, []))
        else:
            groups[-1].predicates.append(f"{name}/{rest}")
    return tuple(groups)
