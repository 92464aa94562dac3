"""A played game as a program: what is so in each of its frames, as at(T, Fact), T the actions taken before."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.optimize import linear_sum_assignment

from bridge.clauses import VALUES, Clause, Comparison, Goal, Literal, Section
from bridge.glimpses.clauses import scene_rules
from bridge.program import Column, Facts
from bridge.scene import FloatArray
from bridge.vocabulary import VOCABULARY, episode_glossary
from bridge.writers.header import write_header
from bridge.writers.prolog import comments, write_facts, write_sections

KEPT = ("object", "position", "box", "colour", "touches", "head", "tolerance", "pixel", "score")
"""Of what a frame says: where things are, and how they look. What they are compared by is left out."""
_THINGS = {"object": (0,), "position": (0,), "box": (0,), "colour": (0,), "touches": (0, 1), "head": (1, 2)}
"""Which arguments of them are things."""
MOST_WAY = 0.2
"""A thing goes no further in a step than this share of the longest side that things lie in."""
MOST_TINT = 64.0
"""Its colour differs by no more than this, the length of the difference of red, green and blue."""
LOST = 5
"""A thing that was not seen since so many frames ago is another one when it is seen again. Things that touch are often
seen as one: in Pong the ball and a paddle in up to four frames."""
RULES = tuple(section for section in scene_rules({}, propositions=False) if section is not VALUES)


@dataclass(frozen=True)
class Frame:
    """What was seen in a frame."""

    step: int
    """Actions taken before it."""
    facts: Facts
    """As a program of one picture has them."""


def write_episode(frames: Sequence[Frame], *, about: dict[str, str], side: int, warnings: Sequence[str] = ()) -> str:
    """The frames of one game as Prolog text: a name stands for one thing as long as it is seen.

    about: lines of the header. side: the longest one of a frame, in pixels. warnings: why it may mean nothing.
    """
    steps = [frame.step for frame in frames]
    head = [f"{name:<9}{value}" for name, value in about.items()] + [f"warning  {each}" for each in warnings]
    return "\n".join(
        [
            write_header({**about, "warnings": list(warnings)}),
            comments(
                "What was seen in a game, frame by frame, as a Prolog program.", "", *head, "", *episode_glossary(KEPT)
            ),
            "",
            *(f"next({step}, {after})." for step, after in pairwise(steps)),
            *(["next(_, _) :- fail."] if len(steps) == 1 else []),
            "",
            *_facts(frames, side),
            "",
            write_sections(at_steps(RULES)),
            "",
        ]
    )


def at_steps(sections: Sequence[Section]) -> Iterator[Section]:
    """The clauses of one picture as clauses about each frame: p(X) becomes at(Step, p(X)), so that at(T, Fact) tells
    all that is so. What only helps them, and needs numbers that are given, becomes p(Step, X)."""
    of_frame = {each.indicator: any(argument.mode == "+" for argument in each.arguments) for each in VOCABULARY}

    def lift(goal: Goal, step: str) -> Goal:
        if isinstance(goal, Comparison):
            return goal
        if (helps := of_frame.get(goal.indicator)) is not None:
            return Literal(goal.name, (step, *goal.arguments)) if helps else Literal("at", (step, goal))
        inner = tuple(lift(each, step) if isinstance(each, Literal) else each for each in goal.arguments)
        return Literal(goal.name, inner)  # type: ignore[arg-type]

    for section in sections:
        clauses = []
        for clause in section:
            body = tuple(tuple(lift(goal, "Step") for goal in line) for line in clause.body)
            head = lift(clause.head, "Step" if body != clause.body else "_")
            assert isinstance(head, Literal)
            clauses.append(Clause(head, body, clause.remarks))
        yield tuple(clauses)


def _facts(frames: Sequence[Frame], side: int) -> Iterator[str]:
    for frame, names in zip(frames, follow([frame.facts for frame in frames], side), strict=True):
        named = {name: _named(name, frame.facts[name], names) for name in KEPT if name in frame.facts}
        for text in write_facts(named.items()).values():
            yield from (f"at({frame.step}, {line.removesuffix('.')})." for line in text.splitlines())


def _named(predicate: str, columns: list[Column], names: dict[str, str]) -> list[Column]:
    """The facts by their things' names over time; those of parts of things, which have none, are left out."""
    places = _THINGS.get(predicate, ())
    kept = [row for row, each in enumerate(zip(*columns, strict=True)) if all(each[place] in names for place in places)]
    found: list[Column] = []
    for place, column in enumerate(columns):
        if isinstance(column, np.ndarray):
            found.append(column[kept])
        elif place in places:
            found.append([names[str(column[row])] for row in kept])
        else:
            found.append([column[row] for row in kept])
    return found


def follow(frames: Sequence[Facts], side: int) -> list[dict[str, str]]:
    """What the things of each frame are called over time: the assignment to those seen before that goes the least way.

    Things and places with another colour, or further off than MOST_WAY of `side`, are not the same.
    """
    given, seen, last = [], np.zeros((0, 5)), np.zeros(0, dtype=int)
    for number, facts in enumerate(frames):
        names, features = _features(facts)
        way = np.linalg.norm(seen[:, None, :2] - features[None, :, :2], axis=2)
        tint = np.linalg.norm(seen[:, None, 2:] - features[None, :, 2:], axis=2)
        same = (way <= MOST_WAY * side) & (tint <= MOST_TINT) & (last >= number - LOST)[:, None]
        before, now = linear_sum_assignment(np.where(same, way, 1e6))
        track = {int(j): int(i) for i, j in zip(before, now, strict=True) if same[i, j]}
        for index in range(len(names)):
            if index not in track:
                track[index] = len(seen)
                seen, last = np.concatenate([seen, features[[index]]]), np.append(last, number)
            seen[track[index]], last[track[index]] = features[index], number
        given.append({name: f"ob_{track[index]}" for index, name in enumerate(names)})
    return given


def _features(facts: Facts) -> tuple[list[str], FloatArray]:
    """The symbols of a frame, and x, y, red, green and blue of each; -1 for what has no colour."""
    colours = dict(zip(facts["colour"][0], zip(*facts["colour"][1:], strict=True), strict=True))
    objects = {*facts["object"][0]} | ({*facts["head"][1], *facts["head"][2]} if "head" in facts else set())
    rows = [
        (str(name), x, y, *colours.get(name, (-1000, -1000, -1000)))
        for name, x, y in zip(*facts["position"], strict=True)
        if name in objects
    ]
    return [row[0] for row in rows], np.array([row[1:] for row in rows], dtype=np.float64).reshape(-1, 5)
