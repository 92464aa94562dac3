"""Which things a picture of CLEVR has, and where on the ground they stand: the published procedure and its numbers."""

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

SHAPES = ("cube", "sphere", "cylinder")
COLOURS = ("gray", "red", "blue", "green", "brown", "purple", "cyan", "yellow")
MATERIALS = ("rubber", "metal")
RADII: Mapping[str, float] = {"large": 0.7, "small": 0.35}
"""Half a ball's or a cylinder's height, by its size; a cube's is less, for its base has their width across corners."""
SIDES = ("left", "right", "front", "behind")
Directions = Mapping[str, Sequence[float]]
"""Of every side, the way on the ground."""


@dataclass(frozen=True)
class Procedure:
    """The numbers with which the published pictures were arranged."""

    fewest: int = 3
    most: int = 10
    reach: float = 3.0
    """Of a thing's middle, from the ground's, along both axes."""
    gap: float = 0.25
    """The least between two things, were they as round as they are high."""
    margin: float = 0.4
    """The least by which one thing lies further along a direction than another, so that no answer is a near thing."""
    visible: float = 200 / (320 * 240)
    """The least share of the picture that a thing's visible part takes."""
    related: float = 0.2
    """How much further along a direction a thing lies that is said to lie there."""
    tries: int = 50
    """Places tried for a thing before all are arranged anew."""


PROCEDURE = Procedure()


@dataclass(frozen=True)
class Thing:
    """One thing, in CLEVR's words."""

    shape: str
    size: str
    material: str
    color: str
    rotation: float
    """In degrees, about the upright."""
    middle: tuple[float, float, float]
    """The last is half its height."""


def arrange(
    rng: random.Random, directions: Directions, colours: Mapping[str, Sequence[str]], fewest: int = PROCEDURE.fewest
) -> list[Thing]:
    """Things at random, with the colours that each shape may have."""
    n = rng.randint(fewest, PROCEDURE.most)
    while True:
        things: list[Thing] = []
        while len(things) < n and (place := _place(rng, things, directions)):
            shape, size, (x, y, radius) = place
            material, color = rng.choice(MATERIALS), rng.choice(list(colours[shape]))
            half = radius / math.sqrt(2) if shape == "cube" else radius
            things.append(Thing(shape, size, material, color, 360 * rng.random(), (x, y, half)))
        if len(things) == n:
            return things


def _place(
    rng: random.Random, things: Sequence[Thing], directions: Directions
) -> tuple[str, str, tuple[float, float, float]] | None:
    """Shape, size and middle of one more thing; None where no place was found."""
    size, shape = rng.choice(list(RADII)), rng.choice(SHAPES)
    for _ in range(PROCEDURE.tries):
        x, y = (rng.uniform(-PROCEDURE.reach, PROCEDURE.reach) for _ in range(2))
        middle = (x, y, RADII[size])
        if all(_is_apart(middle, other.middle, directions) for other in things):
            return shape, size, middle
    return None


def _is_apart(middle: Sequence[float], other: Sequence[float], directions: Directions) -> bool:
    if math.dist(middle[:2], other[:2]) - middle[2] - other[2] < PROCEDURE.gap:
        return False
    return all(abs(_along(directions[side], middle[:2], other[:2])) >= PROCEDURE.margin for side in SIDES)


def relations(middles: Sequence[Sequence[float]], directions: Directions) -> dict[str, list[list[int]]]:
    """For each side and thing, the numbers of those that lie on that side of it."""
    return {
        side: [
            [n for n, b in enumerate(middles) if b is not a and _along(directions[side], b, a) > PROCEDURE.related]
            for a in middles
        ]
        for side in SIDES
    }


def _along(direction: Sequence[float], one: Sequence[float], other: Sequence[float]) -> float:
    """How much further that way the one is than the other."""
    return sum(way * (a - b) for way, a, b in zip(direction, one, other, strict=False))
