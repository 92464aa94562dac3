"""The built-ins that a question may use, as the guard's own table (allowed.pl) has them.

`python -m predinet_prolog.symbolic.built_ins` writes docs/built-ins.md from it.
"""

from functools import cache
from pathlib import Path
from typing import NamedTuple

from predinet_prolog.symbolic.errors import SwiPrologMissingError
from predinet_prolog.symbolic.swipl import run_swipl

_TABLE = Path(__file__).parent / "allowed.pl"
_DOCUMENT = Path(__file__).parents[2] / "docs" / "built-ins.md"

# A line for each group and one for each predicate; no name has a tab in it.
_WRITE_TABLE = r"""
    forall(group(Name, Sentence, Entries),
           ( format("group\t~w\t~w~n", [Name, Sentence]),
             forall(member(Entry, Entries),
                    ( ( Entry = P/A -> true ; functor(Entry, P, A) ), format("predicate\t~w\t~w~n", [P, A]) ))))
"""

_INTRODUCTION = """\
# What a query may use

<!-- Written by `python -m predinet_prolog.symbolic.built_ins` from symbolic/allowed.pl: edit that table. -->

A query, and the body of a rule, may call the predicates of the program, those of the rules that come with it, and the
built-ins below. Everything else is refused before anything runs: files, processes, the network, other modules, and
whatever would leave a trace for the next query. What is listed is pure: its answers depend on its arguments alone.

Also refused, wherever it stands: a module qualifier (`lists:append(…)`) and a variable as a goal (`X = p(1), X`), for
the guard has to see every goal before it runs. `catch/3` and its kin are missing because they could swallow the time
limit, and `format/3` because its text can call goals.

Where the goal and the rules are your own, `query`, `why`, `suppose` and `repl` take `--trust`: then they may call
whatever SWI-Prolog has, and rules may have any directive, `:- op(700, xfx, likes)` for one. They run in a process that
cannot write files, in bounded memory and time, all the same. Never trust what strangers wrote: it can read files and
start programs (`shell/1`), which cannot write files either, but could send what they read.

A rule file holds clauses `Head :- Body` and grammar rules `Head --> Body` over names that begin with a letter. It may
not define what the program or the system defines, but it may give its own meaning to a library's predicate. These
directives are accepted: `module/2` as the first term, `use_module/1` and `autoload/1` of the libraries below and of
`library(clpfd)`, `dynamic/1`, `table/1` of `Name/Arity`, `discontiguous/1` and `det/1`.

The meaning of each is SWI-Prolog's: see its [manual](https://www.swi-prolog.org/pldoc/man?section=builtin).
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


def document() -> str:
    """The text of docs/built-ins.md."""
    sections = [
        f"\n## {group.name.capitalize()}\n\n{group.sentence}\n\n"
        + ", ".join(f"`{predicate}`" for predicate in group.predicates)
        + "\n"
        for group in built_ins()
    ]
    return _INTRODUCTION + "".join(sections)


if __name__ == "__main__":
    _DOCUMENT.parent.mkdir(exist_ok=True)
    _DOCUMENT.write_text(document(), encoding="utf-8")
