"""The hostile catalogue: what strangers may send to escape, to stay, to hang or to flood, and what each of it gets.

    from tests.symbolic.hostile.catalogue import ENTRIES

Plain data, for the tests here and the service's. `{canary}` in a text stands for the path of a file that nothing may
touch; left as it is, it is harmless.
"""

from dataclasses import dataclass, replace
from pathlib import Path

from tests.symbolic.hostile import effort, heads, parser, refused, terms

PROGRAM = "object(ob_0). object(ob_1). object(ob_2).\nsame(ob_0, ob_2). same(ob_2, ob_0).\n"
CLPFD = ":- use_module(library(clpfd)).\n"

# What a goal may get: the kind of a SymbolicError, or this.
ANSWERS = "answers"


@dataclass(frozen=True)
class Entry:
    """One question.

    group: what it attacks.
    expected: the kinds of SymbolicError that it may get, or ANSWERS. More than one where it depends on the machine or
        on the version of SWI-Prolog.
    seconds: the time limit that it is asked with.
    """

    group: str
    goal: str
    rules: str = ""
    program: str = PROGRAM
    expected: tuple[str, ...] = refused.REFUSED
    seconds: float = 1.0

    def at(self, canary: Path) -> "Entry":
        """The same, aimed at `canary`."""
        path = str(canary)
        return replace(self, goal=self.goal.replace("{canary}", path), rules=self.rules.replace("{canary}", path))

    @property
    def name(self) -> str:
        """Short and for people."""
        return f"{self.group}: {self.goal[:60]} {self.rules[:60]}".strip()


def _entries() -> tuple[Entry, ...]:
    entries = [Entry(group, goal) for group, goals in refused.GOALS.items() for goal in goals]
    entries += [
        Entry(f"rules: {group}", goal, rules=rules, expected=expected)
        for group, cases in heads.RULES.items()
        for rules, goal, expected in cases
    ]
    entries += [
        Entry(f"programs: {group}", goal, program=program, expected=expected)
        for group, cases in heads.PROGRAMS.items()
        for program, goal, expected in cases
    ]
    entries += [
        Entry(f"effort: {group}", goal, rules=effort.RULES, expected=expected, seconds=effort.SECONDS)
        for group, cases in effort.GOALS.items()
        for goal, expected in cases
    ]
    entries += [
        Entry("effort: constraints", goal, rules=CLPFD, expected=expected, seconds=effort.SECONDS)
        for goal, expected in effort.CONSTRAINTS
    ]
    entries += [Entry("effort: loading", "true", rules=rules, expected=expected) for rules, expected in effort.TEXTS]
    entries += [Entry("parser", goal, expected=expected) for goal, expected in parser.GOALS]
    entries += [Entry("parser: rules", "true", rules=rules, expected=expected) for rules, expected in parser.RULES]
    entries += [
        Entry(f"terms: {group}", goal, rules=terms.RULES, expected=expected, seconds=effort.SECONDS)
        for group, cases in terms.GOALS.items()
        for goal, expected in cases
    ]
    return tuple(entries)


ENTRIES = _entries()
