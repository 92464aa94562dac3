"""The hostile catalogue of catalogue.toml as questions, for the tests here and the service's.

from tests.symbolic.hostile.catalogue import ENTRIES
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.cases import cases

PROGRAM = "object(ob_0). object(ob_1). object(ob_2).\nsame(ob_0, ob_2). same(ob_2, ob_0).\n"
CLPFD = ":- use_module(library(clpfd)).\n"

# What a goal may get: the kind of a SymbolicError, or this.
ANSWERS = "answers"
NUMBERED = [
    "".join(f"p{number}.\n" for number in range(30_000)),
    "p(" + ",".join(f"X{number}" for number in range(900)) + ").",
    "p([" + ",".join(f"x{number}" for number in range(50_000)) + "]).",
]
"""Rule files of very many names, which load."""


@dataclass(frozen=True)
class Entry:
    """One question.

    group: what it attacks.
    expected: the kinds of SymbolicError that it may get, or ANSWERS.
    seconds: the time limit that it is asked with.
    """

    group: str
    goal: str
    rules: str = ""
    program: str = PROGRAM
    expected: tuple[str, ...] = ("forbidden", "unknown_predicate")
    seconds: float = 1.0

    def at(self, canary: Path) -> "Entry":
        """The same, aimed at `canary`."""
        path = str(canary)
        return replace(self, goal=self.goal.replace("{canary}", path), rules=self.rules.replace("{canary}", path))

    @property
    def name(self) -> str:
        """Short and for people."""
        return f"{self.group}: {self.goal[:60]} {self.rules[:60]}".strip()


def _text(told: str | list[Any]) -> str:
    parts = [told] if isinstance(told, str) else told
    return "".join(part if isinstance(part, str) else part[0] * part[1] for part in parts)


def _entries(catalogue: Mapping[str, Any]) -> Iterator[Entry]:
    for group in catalogue["group"]:
        shared = {name: group[name] for name in ("goal", "rules", "expected", "seconds") if name in group}
        if "rules_of" in group:
            shared["rules"] = catalogue["rules"][group["rules_of"]]
        for row in group["rows"]:
            told = shared | dict(zip(group["fields"], map(_text, row), strict=True))
            yield Entry(group["name"], **told | {"expected": tuple(told["expected"].split())})
    yield from (Entry("effort: loading", "true", rules=rules, expected=(ANSWERS,)) for rules in NUMBERED)


ENTRIES = tuple(_entries(cases(__file__)))
