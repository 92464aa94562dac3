"""The vocabulary of programs: one table, which glossaries, knowledge bases, the page's completion and the docs are made
from. It is `vocabulary.csv`: `rI` stands there for r0, r1, …; `same_A` for same_shape, same_colour and so on, by the
domain; `{place}` for how a model counts places.
"""

import csv
import re
import textwrap
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import NamedTuple

SOURCES: Mapping[str, str] = {
    "image": "seen in the image",
    "model": "a constant of the model",
    "rule": "a rule, the same in every program",
    "learned": "learned for the model",
    "base": "in knowledge bases only",
}
NUMBERS: Mapping[str, type] = {"count": int, "level": int, "pixels": float, "number": float}
"""The types of arguments that are numbers; others are names, and in a few rules goals and lists."""


@dataclass(frozen=True)
class Argument:
    name: str
    """A Prolog variable; in small letters the column of a table."""
    mode: str
    """As Prolog's documentation has it: + given, - told, ? either."""
    type: str
    """Such as object, relation, count or pixels."""


@dataclass(frozen=True)
class Predicate:
    name: str
    arguments: tuple[Argument, ...]
    source: str
    """One of SOURCES."""
    in_bases: bool
    """Whether knowledge bases have it."""
    symmetric: tuple[int, ...]
    """Places of the arguments, from 0, that may change places: it holds of them either way round."""
    programs: str
    """Which have it: windows, those of a model that looks through windows at pictures of one size; glimpses, those of
    pictures of any size; given, those whose things were told, looked at or not; zones, those of
    pictures parts of which were named; episodes, those of played games; all
    but these if empty. Several are parted by spaces."""
    english: tuple[str, ...]
    """How questions in English say it: see `bridge.english`."""
    meaning: str
    """In one sentence."""

    @property
    def indicator(self) -> str:
        """Name and arity, as in `object/1`."""
        return f"{self.name}/{len(self.arguments)}"

    @property
    def template(self) -> str:
        """As a goal, as in `object(X)`."""
        return f"{self.name}({', '.join(argument.name for argument in self.arguments)})"

    @property
    def modes(self) -> str:
        """As a goal with modes, as in `object(?X)`."""
        return f"{self.name}({', '.join(argument.mode + argument.name for argument in self.arguments)})"

    @property
    def determinism(self) -> str:
        """As Prolog's documentation has it."""
        modes = {argument.mode for argument in self.arguments}
        return "nondet" if "?" in modes else "det" if "-" in modes else "semidet"

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of its arguments as columns of a table."""
        return tuple(argument.name.lower() for argument in self.arguments)


def rows_of(name: str) -> list[dict[str, str]]:
    """The rows of that table of this room, each by its columns."""
    text = resources.files("predinet_prolog.bridge").joinpath(name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def _read() -> Iterator[Predicate]:
    for row in rows_of("vocabulary.csv"):
        parts = [(part[0], *part[1:].split(":")) for part in row["arguments"].split()]
        arguments = tuple(Argument(name, mode, kind) for mode, name, kind in parts)
        alike = row["symmetric"].split()  # their names, or yes: all objects
        symmetric = tuple(
            place
            for place, argument in enumerate(arguments)
            if argument.name in alike or (alike == ["yes"] and argument.type == "object")
        )
        in_bases = bool(row["in_bases"])
        phrases = tuple(filter(None, row["english"].split("; ")))
        columns = (row["source"], in_bases, symmetric, row["programs"], phrases, row["meaning"])
        yield Predicate(row["name"], arguments, *columns)


VOCABULARY = tuple(_read())
GIVEN = frozenset(row.name for row in VOCABULARY if row.programs and {*row.programs.split()} <= {"given", "zones"})
"""What is told of things, whose words are names even where they look like numbers."""


class Dialect(NamedTuple):
    """What of the vocabulary the programs of a model have, and how they count places."""

    place: str = ""
    """A formula of the pixel Px and the image's width W; empty where the model counts none."""
    heads: bool = False
    """Whether they have the propositions of a PrediNet's heads."""
    looked: bool = True
    """Whether things were compared by what was seen of them."""
    given: bool = False
    """Whether things were told, and what is told of them with them."""
    zones: bool = False
    """Whether parts of pictures were named."""

    def has(self, predicate: Predicate) -> bool:
        programs = predicate.programs.split()
        seen_by = {"windows"} if self.heads else {"glimpses"} if self.looked else set[str]()
        asked = seen_by | ({"given"} if self.given else set()) | ({"zones"} if self.zones else set())
        return not programs or not asked.isdisjoint(programs)


def vocabulary_of(dialect: Dialect) -> Iterator[Predicate]:
    return filter(dialect.has, VOCABULARY)


@cache
def base_facts_of(dialect: Dialect) -> Mapping[str, Predicate]:
    """What a knowledge base of such programs says of each image, by name: what it says besides follows from these."""
    return {one.name: one for one in vocabulary_of(dialect) if one.in_bases and one.source in ("base", "image")}


_OF_OTHER_LOGICS = ("not", "evidence")
"""What clingo and ProbLog mean something else by."""


def is_taken(predicate: str, *, given: bool = False) -> bool:
    """Whether programs or Prolog have a predicate of that name and two arguments, or three: of a knowledge base; or
    another logic, in which it is no fact about things. Programs of things that are `given` have more."""
    return predicate in _taken(given) or re.fullmatch(r"r[0-9]+", predicate) is not None


@cache
def _taken(given: bool) -> frozenset[str]:
    names = {row.name for row in VOCABULARY if given or row.name not in GIVEN} - {"same_A", "A"}
    text = resources.files("predinet_prolog.bridge").joinpath("built_ins.csv").read_text(encoding="utf-8")
    return frozenset(names.union(text.split(), _OF_OTHER_LOGICS))


_MARGIN, _WIDTH = 22, 106
"""Columns of a glossary: where meanings begin, and where lines end."""


def glossary(dialect: Dialect, *, base: bool = False) -> Iterator[str]:
    """The lines of a program's glossary, or of a knowledge base's. What is learned is explained where it is defined."""
    for predicate in vocabulary_of(dialect):
        if predicate.source != "learned" and (predicate.in_bases if base else predicate.source != "base"):
            yield from _entry(predicate, dialect.place)


@lru_cache(64)  # programs of a model have the same, as a rule
def documentation(dialect: Dialect, indicators: tuple[str, ...]) -> str:
    """The predicates, name/arity, with modes and determinism, as a comment that PlDoc reads."""
    rows = {row.indicator: row for row in vocabulary_of(dialect)}
    goals: dict[str, list[str]] = {"nondet": [], "det": [], "semidet": []}
    for indicator in dict.fromkeys("rI/3" if re.fullmatch(r"r\d+/3", name) else name for name in indicators):
        name, arity = indicator.split("/")
        if row := rows.get(indicator):
            goals[row.determinism].append(row.modes)
        elif arity == "2" and re.fullmatch(r"[a-z]\w*", name):  # of an attribute
            goals["nondet"].append(f"{name}(?X, {'?Y' if name.startswith('same_') else '?Value'})")
    lines = ["/** <module> Its predicates, with modes and determinism"]
    for often, modes in goals.items():
        text = f"{often}: " + ", ".join(goal.replace(" ", "\N{NO-BREAK SPACE}") for goal in modes)
        lines += textwrap.wrap(text, _WIDTH, initial_indent="  - ", subsequent_indent="    ") if modes else []
    return "\n".join([*lines, "*/"]).replace("\N{NO-BREAK SPACE}", " ")


def episode_glossary(facts: Collection[str], dialect: Dialect) -> Iterator[str]:
    """The lines of the glossary of a film or a played game, whose frames say `facts`, name/arity, in that dialect."""
    of_episodes = [
        row for row in VOCABULARY if row.programs == "episodes" and row.indicator in {"at/2", "next/2", *facts}
    ]
    of_image = [
        row for row in VOCABULARY if row.indicator in facts and row.source == "image" and row not in of_episodes
    ]
    follows = [row for row in vocabulary_of(dialect) if row.source == "rule" and row.name != "holds"]
    for row in (*of_episodes, *of_image, *follows):
        yield from _entry(row, "")


def _entry(predicate: Predicate, place: str) -> Iterator[str]:
    template = predicate.template
    if predicate.source == "base":
        template = template.replace("(", "(Image, ", 1)
    meaning = predicate.meaning.format(place=f"x = {place} in an image W pixels wide, y alike")
    first = f"{template:<{_MARGIN - 1}} "
    yield from textwrap.wrap(
        meaning, _WIDTH, initial_indent=first, subsequent_indent=" " * _MARGIN, break_long_words=False
    )
