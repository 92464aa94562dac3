"""The vocabulary of programs: one table, which glossaries, knowledge bases, the page's completion and the docs are made
from.

    python -m bridge.vocabulary > docs/vocabulary.md
    python -m bridge.vocabulary --json > service/page/vocabulary.json
"""

import json
import sys
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Source = Literal["image", "model", "rule", "learned", "base"]
SOURCES: Mapping[Source, str] = MappingProxyType(
    {
        "image": "seen in the image",
        "model": "a constant of the model",
        "rule": "a rule, the same in every program",
        "learned": "learned for the model",
        "base": "in knowledge bases only",
    }
)
TYPES: Mapping[str, str] = MappingProxyType(
    {
        "object": "name",
        "relation": "name",
        "head": "name",
        "word": "name",
        "text": "name",
        "count": "count",
        "pixels": "number",
        "number": "number",
        "goal": "goal",
        "names": "list",
    }
)
"""The types of arguments, and how each is written."""


@dataclass(frozen=True)
class Argument:
    """One argument of a predicate."""

    name: str
    """A Prolog variable; in small letters the column of a table."""
    mode: str
    """As Prolog's documentation has it: + given, - told, ? either."""
    type: str
    """One of TYPES."""


@dataclass(frozen=True)
class Predicate:
    """One predicate of programs."""

    name: str
    """`rI` stands for r0, r1, …; `same_A` for same_shape, same_colour and so on, by the domain."""
    arguments: tuple[Argument, ...]
    meaning: str
    """In one sentence; `{place}` stands for how the model counts places."""
    source: Source
    in_bases: bool = True
    """Whether knowledge bases have it."""
    symmetric: bool = False
    """Whether it holds of its first two objects either way round."""

    @property
    def indicator(self) -> str:
        """Name and arity, as in `object/1`."""
        return f"{self.name}/{len(self.arguments)}"

    @property
    def template(self) -> str:
        """As a goal, as in `object(X)`."""
        return f"{self.name}({', '.join(argument.name for argument in self.arguments)})"

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of its arguments as columns of a table."""
        return tuple(argument.name.lower() for argument in self.arguments)


def _predicate(
    name: str, arguments: str, meaning: str, source: Source, *, in_bases: bool = True, symmetric: bool = False
) -> Predicate:
    """The predicate whose `arguments` are written as "+X:object -C:number"."""
    parsed = [(part[0], *part[1:].split(":")) for part in arguments.split()]
    return Predicate(
        name, tuple(Argument(own, mode, kind) for mode, own, kind in parsed), meaning, source, in_bases, symmetric
    )


VOCABULARY = (
    _predicate(
        "image", "-Width:count -Height:count -Sha256:text", "size in pixels and SHA-256 of an image's file", "base"
    ),
    _predicate("warning", "-Text:text", "why what was seen in an image may mean nothing", "base"),
    _predicate(
        "rI",
        "-V:number ?X:object ?Y:object",
        "V is the distance between X and Y in relation I's own 1-D space",
        "image",
        in_bases=False,
    ),
    _predicate(
        "holds",
        "?R:relation -V:number ?X:object ?Y:object",
        "the same, with the relation as an argument",
        "rule",
        in_bases=False,
    ),
    _predicate("object", "?X:object", "X is a thing in the image; top to bottom, then left to right", "image"),
    _predicate(
        "background",
        "?X:object",
        "X is a place the network attended to that is no thing, or only a part of one",
        "image",
    ),
    _predicate(
        "position",
        "?X:object -Px:pixels -Py:pixels",
        "centre of X in pixels of the image, x to the right, y down",
        "image",
    ),
    _predicate(
        "box",
        "?X:object -Left:pixels -Top:pixels -Right:pixels -Bottom:pixels",
        "where X reaches, in pixels of the image",
        "image",
    ),
    _predicate("look", "?X:object ?N:count", "the network's Nth look was the first to pick X", "image"),
    _predicate(
        "head",
        "?H:head ?X:object ?Y:object",
        "head H picked the pair X, Y (once for every look)",
        "image",
        in_bases=False,
    ),
    _predicate(
        "coordinate",
        "?R:relation ?X:object -C:number",
        "X lies at C on relation R's axis, its place left out",
        "image",
    ),
    _predicate(
        "slope",
        "?R:relation -Ax:number -Ay:number",
        "V = difference of coordinates + Ax*dx + Ay*dy where a head attends to one window for each of the pair, and "
        "less exactly where its masks are spread; dx and dy are in the network's own places: {place}",
        "model",
    ),
    _predicate(
        "noise_level",
        "-Level:number",
        "how spoiled the picture is: 0 if it is clean, more with noise, artefacts or blur",
        "image",
    ),
    _predicate("tolerance", "-T:pixels", "places that differ by at most T pixels count as the same", "image"),
    _predicate("same", "?X:object ?Y:object", "X and Y look the same", "learned", symmetric=True),
    _predicate("same_A", "?X:object ?Y:object", "X and Y have the same A", "learned", symmetric=True),
    _predicate(
        "near",
        "+R:relation ?X:object ?Y:object +T:number",
        "X and Y lie within T of each other on relation R's axis",
        "learned",
        symmetric=True,
    ),
    _predicate(
        "apart",
        "+Rs:names ?X:object ?Y:object -D:number",
        "D is the most that X and Y differ by on the axes of the relations Rs",
        "learned",
    ),
    _predicate(
        "farthest",
        "+Rs:names +X:object +Y:object +D0:number -D:number",
        "the same, or D0 if that is more",
        "learned",
    ),
    _predicate(
        "confidence",
        "?G:goal -P:number",
        "P is the probability that G, a learned predicate of objects, is true",
        "learned",
    ),
    _predicate(
        "tells",
        "?R:relation ?What:word",
        "objects lie on relation R's axis by What: one of their attributes, mixed, position or nothing",
        "learned",
    ),
    _predicate("left_of", "?X:object ?Y:object", "X lies further left than Y", "rule"),
    _predicate("above", "?X:object ?Y:object", "X lies higher than Y", "rule"),
    _predicate("same_row", "?X:object ?Y:object", "X and Y lie at the same height", "rule", symmetric=True),
    _predicate("same_column", "?X:object ?Y:object", "X lies straight above or below Y", "rule", symmetric=True),
    _predicate("in_line", "?X:object ?Y:object ?Z:object", "three objects on a straight line", "rule", symmetric=True),
    _predicate("lies_between", "?Y:object ?X:object ?Z:object", "Y lies on the straight line between X and Z", "rule"),
    _predicate("small", "+V:number", "V is next to nothing", "rule"),
    _predicate("large", "+V:number", "V is more than next to nothing", "rule"),
)
BASE_FACTS: Mapping[str, Predicate] = MappingProxyType(
    {each.name: each for each in VOCABULARY if each.in_bases and each.source in ("base", "image")}
)
"""What a knowledge base says of each image, by name: what it says besides follows from these."""

_MARGIN, _WIDTH = 22, 106
"""Columns of a glossary: where meanings begin, and where lines end."""


def glossary(place: str, *, base: bool = False) -> Iterator[str]:
    """The lines of a program's glossary, or of a knowledge base's. What is learned is explained where it is defined.

    `place` says how the model counts places, as a formula of the pixel Px and the image's width W.
    """
    for each in VOCABULARY:
        if each.source == "learned" or (not each.in_bases if base else each.source == "base"):
            continue
        template = each.template
        if each.source == "base":
            template = template.replace("(", "(Image, ", 1)
        meaning = each.meaning.format(place=f"x = {place} in an image W pixels wide, y alike")
        first = f"{template:<{_MARGIN - 1}} "
        yield from textwrap.wrap(
            meaning, _WIDTH, initial_indent=first, subsequent_indent=" " * _MARGIN, break_long_words=False
        )


def as_json() -> str:
    """What the page's completion offers: {"object(X)": "X is a thing in …", …}."""
    entries = {each.template: each.meaning.replace(": {place}", "") for each in VOCABULARY if each.source != "base"}
    return json.dumps(entries, indent=0) + "\n"


def as_markdown() -> str:
    """The table of the docs."""
    lines = [
        "# The vocabulary of programs",
        "",
        "Written by `python -m bridge.vocabulary`. Arguments are `+` given, `-` told or `?` either.",
        "In a knowledge base every predicate has the image as its first argument; those of heads are left out there.",
        "",
        "| predicate | arguments | meaning | from | symmetric | in knowledge bases |",
        "|---|---|---|---|---|---|",
    ]
    for each in VOCABULARY:
        arguments = ", ".join(f"{argument.mode}{argument.name}: {argument.type}" for argument in each.arguments)
        meaning = each.meaning.format(place="see the header of a program")
        flags = ["yes" if flag else "" for flag in (each.symmetric, each.in_bases)]
        lines.append(f"| `{each.template}` | {arguments} | {meaning} | {SOURCES[each.source]} | {' | '.join(flags)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(as_json() if "--json" in sys.argv else as_markdown())
