"""A film or a played game as a program: what is so in each of its frames, as at(T, Fact). T is the number of the frame,
or the actions taken before it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np

from predinet_prolog.bridge import regional
from predinet_prolog.bridge.clauses import Literal, Section, changed, section_of
from predinet_prolog.bridge.glimpses.clauses import scene_rules
from predinet_prolog.bridge.program import Column, Facts, ModelRules
from predinet_prolog.bridge.scene import FloatArray
from predinet_prolog.bridge.vocabulary import GIVEN, VOCABULARY, Dialect, episode_glossary
from predinet_prolog.bridge.writers.header import write_header
from predinet_prolog.bridge.writers.prolog import comments, write_facts, write_sections
from predinet_prolog.lazily import lazily

optimize = lazily("scipy.optimize")  # only frames without tracks need it

KEPT = {"object", "position", "box", "colour", "touches", "head", "tolerance", "pixel", "score", "share_inside", "zone"}
KEPT |= GIVEN
"""Of what a frame says: where things are, how they look, and what was told of them; not what they are compared by."""
MOST_WAY = 0.2
"""A thing goes no further in a step than this share of the longest side that things lie in."""
MOST_TINT = 64.0
"""Its colour differs by no more than this, the length of the difference of red, green and blue."""
LOST = 5
"""A thing that was not seen since so many frames ago is another one when it is seen again. Things that touch are often
seen as one: in Pong the ball and a paddle in up to four frames."""
GAME = Dialect()
"""What is said of the frames of a game."""


@dataclass(frozen=True)
class Frame:
    step: int
    """Its number, or the actions taken before it."""
    facts: Facts
    """As a program of one picture has them."""


def write_episode(
    frames: Sequence[Frame], *, about: dict[str, str], side: int, warnings: Sequence[str] = (), dialect: Dialect = GAME
) -> str:
    """The frames of one film or game as Prolog text: a name stands for one thing as long as it is seen.

    about: lines of the header, that of the film or game first. side: the longest one of a frame, in pixels. warnings:
    why it may mean nothing. dialect: what else is said than of a game.
    """
    steps = [frame.step for frame in frames]
    lines = [f"{name:<9}{value}" for name, value in about.items()] + [f"warning  {warning}" for warning in warnings]
    names = {f"{name}/{len(columns)}" for frame in frames for name, columns in frame.facts.items() if name in KEPT}
    return "\n".join(
        [
            write_header({**about, "warnings": list(warnings)}),
            comments(
                f"What was seen in a {next(iter(about))}, frame by frame, as a Prolog program.",
                "",
                *lines,
                "",
                *episode_glossary(names, dialect),
            ),
            "",
            *(f"next({step}, {after})." for step, after in pairwise(steps)),
            *(["next(_, _) :- fail."] if len(steps) == 1 else []),
            "",
            *_facts(frames, side),
            "",
            write_sections(at_steps(_rules(frames, dialect))),
            "",
        ]
    )


def _rules(frames: Sequence[Frame], dialect: Dialect) -> list[Section]:
    sections = (
        *scene_rules({}, propositions=False, looked=dialect.looked),
        *regional.sections(dialect.given, dialect.zones),
    )
    keys = frozenset(str(key) for frame in frames for key in frame.facts.get("attribute", [[], []])[1])
    whole = ModelRules(sections, None, dialect).sections_with(keys)
    return [section for section in whole if section is not section_of("values")]


def at_steps(sections: Sequence[Section]) -> Iterator[Section]:
    """The clauses of one picture as clauses about each frame: p(X) becomes at(Step, p(X)), so that at(T, Fact) tells
    all that is so. What only helps them, and needs numbers that are given, becomes p(Step, X)."""
    of_frame = {clause.head.indicator: False for section in sections for clause in section}
    of_frame |= {row.indicator: any(argument.mode == "+" for argument in row.arguments) for row in VOCABULARY}

    def of_step(literal: Literal, step: str) -> Literal:
        if (helps := of_frame.get(literal.indicator)) is None:
            return literal
        return Literal(literal.name, (step, *literal.arguments)) if helps else Literal("at", (step, literal))

    return changed(sections, of_step, "Step")


def _facts(frames: Sequence[Frame], side: int) -> Iterator[str]:
    for frame, names in zip(frames, follow([frame.facts for frame in frames], side), strict=True):
        for name in filter(KEPT.__contains__, frame.facts):
            lines = write_facts(name, _named(name, frame.facts[name], names)).splitlines()
            yield from (f"at({frame.step}, {line.removesuffix('.')})." for line in lines)


def _named(predicate: str, columns: list[Column], names: dict[str, str]) -> list[Column]:
    """The facts by their things' names over time; those of parts of things, which have none, are left out. A region is
    a thing or has a name of its own."""
    types = _types(predicate, len(columns))
    things = [place for place, kind in enumerate(types) if kind == "object"]
    kept = [
        row for row, values in enumerate(zip(*columns, strict=True)) if all(values[place] in names for place in things)
    ]
    over_time: list[Column] = []
    for kind, column in zip(types, columns, strict=True):
        if isinstance(column, np.ndarray):
            over_time.append(column[kept])
        elif kind in ("object", "region"):
            over_time.append([names.get(str(column[row]), str(column[row])) for row in kept])
        else:
            over_time.append([column[row] for row in kept])
    return over_time


@cache
def _types(predicate: str, arity: int) -> list[str]:
    (row,) = (row for row in VOCABULARY if (row.name, len(row.arguments), row.source) == (predicate, arity, "image"))
    return [argument.type for argument in row.arguments]


def follow(frames: Sequence[Facts], side: int) -> list[dict[str, str]]:
    """What the things of each frame are called over time: by the tracks that were told; of the others, the assignment
    to those seen before that goes the least way.

    Things of another category or colour, or whose boxes are further off than MOST_WAY of `side`, are not the same.
    """
    over_time, latest, last = [], np.zeros((0, _FEATURES)), np.zeros(0, dtype=int)
    number_of: dict[object, int] = {}  # of a track
    categories: dict[object, float] = {}
    for frame, facts in enumerate(frames):
        names, features = _features(facts, categories)
        tracks = dict(zip(*facts.get("track", [[], []]), strict=True))
        way = np.linalg.norm(latest[:, None, :4] - features[None, :, :4], axis=2) / 2**0.5
        tint = np.linalg.norm(latest[:, None, 4:] - features[None, :, 4:], axis=2)
        same = (way <= MOST_WAY * side) & (tint <= MOST_TINT) & (last >= frame - LOST)[:, None]
        same[list(number_of.values())] = False
        same[:, [name in tracks for name in names]] = False
        before, now = optimize.linear_sum_assignment(np.where(same, way, 1e6))
        numbers = {int(j): int(i) for i, j in zip(before, now, strict=True) if same[i, j]}
        numbers |= {j: number_of[tracks[name]] for j, name in enumerate(names) if tracks.get(name) in number_of}
        for index, name in enumerate(names):
            if index not in numbers:
                numbers[index] = len(latest)
                latest, last = np.concatenate([latest, features[[index]]]), np.append(last, frame)
                if name in tracks:
                    number_of[tracks[name]] = numbers[index]
            latest[numbers[index]], last[numbers[index]] = features[index], frame
        over_time.append({name: f"ob_{numbers[index]}" for index, name in enumerate(names)})
    return over_time


_FEATURES = 8


def _features(facts: Facts, categories: dict[object, float]) -> tuple[list[str], FloatArray]:
    """The symbols of a frame, and of each the sides of its box, which is its place where it has none; red, green and
    blue, far from all where it has no colour; and a number of its category, far from the others'."""
    colours, boxes = (
        {name: sides for name, *sides in zip(*facts.get(predicate, ()), strict=True)} for predicate in ("colour", "box")
    )
    words = dict(zip(*facts.get("category", [[], []]), strict=True))
    objects = {*facts["object"][0]} | ({*facts["head"][1], *facts["head"][2]} if "head" in facts else set())
    rows = [
        (
            name,
            *boxes.get(name, (x, y, x, y)),
            *colours.get(name, (-1000, -1000, -1000)),
            categories.setdefault(words.get(name), 1000.0 * len(categories)),
        )
        for name, x, y in zip(*facts["position"], strict=True)
        if name in objects
    ]
    return [str(row[0]) for row in rows], np.array([row[1:] for row in rows], dtype=np.float64).reshape(-1, _FEATURES)
