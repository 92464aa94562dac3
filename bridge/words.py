"""Words by showing: clauses that tell a colour, a shape or a look of which somebody showed examples.

A word for colours is a region: red, green and blue are compared with each other, as shares of the brightest of the
three, so that shadow changes nothing. Each difference may be REACH beyond what the examples show. A counter-example in
the region is cut off half way to the examples, along the axis on which it lies furthest from them: one of the
differences, or brightness, which is free otherwise. Other words are for what is alike with one that was shown, as the
model's own same_shape/2, same_colour/2 and same/2 have it: the co-ordinates of those shown become part of the clauses.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from predinet_prolog.bridge.clauses import Clause, Comparison, Goal, clause_of
from predinet_prolog.bridge.definitions import Definition
from predinet_prolog.bridge.errors import BridgeError
from predinet_prolog.bridge.program import Program
from predinet_prolog.bridge.scene import FloatArray
from predinet_prolog.bridge.terms import DIGITS, comment, number
from predinet_prolog.bridge.writers.prolog import clause_text

COLOUR, SHADE, SHAPE, LOOK = "colour", "shade", "shape", "look"
SAME = {SHAPE: "same_shape", SHADE: "same_colour", LOOK: "same"}
"""The predicate of things that are alike in that."""
REACH = 0.45
"""Of 0.25 to 0.55 it told words for hues best on colours that were no example, from 1, 3 and 10 of a palette of 25."""
_AXES = ("R - G", "R - B", "G - B", "M")


@dataclass(frozen=True, eq=False)
class Thing:
    """What a program says of one object that was shown."""

    place: str
    """Its picture and name, for errors."""
    colour: tuple[float, float, float] | None
    """Red, green, blue, 0–255; None where the program does not tell it."""
    coordinates: FloatArray
    """(j,)"""


def thing(program: Program, name: str) -> Thing:
    """The object of that name. Raises BridgeError if there is none."""
    objects, (names, *levels) = program.facts["object"][0], program.facts["colour"]
    place = f"{program.provenance.image.name}, {name}"
    if name not in objects:
        raise BridgeError(f"{place}: no such object: there are {', '.join(map(str, objects)) or 'none'}")
    colours = dict(zip(names, zip(*levels, strict=True), strict=True))
    _, owners, coordinates = program.facts["coordinate"]
    return Thing(place, colours.get(name), np.asarray(coordinates)[np.array(owners) == name])


def choose(program: Program, examples: Sequence[Thing], counter_examples: Sequence[Thing]) -> str:
    """What a word is for: what the examples have in common, and no counter-example has with one of them. That is
    their shape, or their look if it is colour as well; colours, where they have not even a shade in common."""
    common = {
        respect
        for respect in SAME
        if (same := _definition(program, respect))
        and all(_alike(same, one, other) for one in examples for other in examples)
        and not any(_alike(same, one, other) for one in examples for other in counter_examples)
    }
    if LOOK in common and not (SHAPE in common) ^ (SHADE in common):
        return LOOK
    return SHAPE if SHAPE in common else COLOUR


def write_word(
    word: str, respect: str, program: Program, examples: Sequence[Thing], counter_examples: Sequence[Thing]
) -> tuple[Clause, ...]:
    """The clauses of `word`: shape(X, Word) for a shape, else Word(X). All things are of one model's programs, as
    `program` is. Raises BridgeError for what the model does not tell."""
    head = f"shape(X, {word})" if respect == SHAPE else f"{word}(X)"
    if respect == COLOUR:
        return (_region(head, _axes(examples), _axes(counter_examples)),)
    same = _definition(program, respect)
    if same is None:
        respects = [respect for respect in SAME if _definition(program, respect)]
        raise BridgeError(
            f"the model {program.provenance.model} does not tell what has the same {respect}"
            + (f": choose {' or '.join(respects)}, or another model" if respects else ": use another model")
        )
    for one in examples:
        for other in counter_examples:
            if _alike(same, one, other):
                raise BridgeError(f"{one.place} and {other.place} are alike in {respect}, but only the first is {word}")
    kept: list[FloatArray] = []
    for place in np.unique([one.coordinates[list(same.relations)].round(DIGITS) for one in examples], axis=0):
        if not any(np.abs(place - other).max() <= same.curve.threshold / 2 for other in kept):
            kept.append(place)
    return tuple(_like(head, same, place.tolist()) for place in kept)


def write_part(word: str, respect: str, program: Program, clauses: Sequence[Clause], source: str) -> str:
    """What a file of words says of the word: the clauses, and before them what they are from and for."""
    model = f"{program.provenance.model} (sha256 {program.provenance.model_sha256})"
    use = f"any model that tells colours; shown to {model}" if respect == COLOUR else f"the model {model}"
    heading = (f"word {word}: by {respect}, from {source}", f"for programs of {use}")
    return "\n".join([*(f"% {comment(line)}" for line in heading), *map(clause_text, clauses)])


def _definition(program: Program, respect: str) -> Definition | None:
    trusted = program.definitions.trusted if program.definitions else ()
    return next((definition for definition in trusted if definition.predicate == SAME[respect]), None)


def _alike(same: Definition, one: Thing, other: Thing) -> bool:
    apart = np.abs(one.coordinates - other.coordinates)[list(same.relations)]
    return bool(apart.max() <= same.curve.threshold)


def _like(head: str, same: Definition, place: Sequence[float]) -> Clause:
    """What lies at that place, by what counts as near in a picture that is so noisy."""
    near = (
        f"coordinate(r{relation}, X, C{relation}), abs(C{relation} - {number(level)}) =< T"
        for relation, level in zip(same.relations, place, strict=True)
    )
    return clause_of("\n".join([f"{head} :-", f"object(X), {same.threshold('X')}", *near]))


def _axes(things: Sequence[Thing]) -> FloatArray:
    """(q, 4): how much red exceeds green, red blue, and green blue, as shares of the brightest, and brightness, 0–1."""
    for thing in things:
        if thing.colour is None:
            raise BridgeError(f"{thing.place}: its program tells no colours: ground the model again, or use another")
    colours = np.array([thing.colour for thing in things], dtype=np.float64).reshape(-1, 3)
    red, green, blue = colours.T
    brightest = np.maximum(colours.max(axis=1), 1)
    return np.stack(
        [(red - green) / brightest, (red - blue) / brightest, (green - blue) / brightest, brightest / 255], 1
    )


def _region(head: str, points: FloatArray, counter_points: FloatArray) -> Clause:
    least, most = points.min(axis=0), points.max(axis=0)
    reach = np.array([REACH, REACH, REACH, np.inf])
    low, high = least - reach, most + reach
    for other in np.unique(counter_points, axis=0):
        above, below = other - most, least - other
        if (other < low).any() or (other > high).any() or max(*above, *below) <= 0:
            continue  # outside already, or among the examples: no cut parts it from them
        if above.max() >= below.max():
            high[above.argmax()] = most[above.argmax()] + above.max() / 2
        else:
            low[below.argmax()] = least[below.argmax()] - below.max() / 2
    lines: list[tuple[Goal, ...]] = []
    for axis, text in enumerate(_AXES):
        unit, floor = ("*M", -1.0) if axis < 3 else ("*255", 0.0)  # no colour lies beyond 1, or below the floor
        bounds = [(">=", low[axis], low[axis] > floor), ("=<", high[axis], high[axis] < 1)]
        if line := tuple(Comparison(text, sign, number(bound) + unit) for sign, bound, cuts in bounds if cuts):
            lines.append(line)
    start = clause_of(f"{head} :-\ncolour(X, R, G, B), M is max(1, max(R, max(G, B)))")
    return replace(start, body=(*start.body, *lines))
