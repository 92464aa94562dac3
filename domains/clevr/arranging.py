"""Which things a picture of CLEVR has, and where on the ground they stand: the published procedure and its numbers."""

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

SHAPES = ("cube", "sphere", "cylinder")
COLOURS = ("gray", "red", "blue", "green", "brown", "purple", "cyan", "yellow")
MATERIALS = ("rubber", "metal")
RADII: Mapping[str, float] = {"large": 0.7, "small": 0.35}
"""Half a thing's height, by its size."""
SIDES = ("left", "right", "front", "behind")

Direction = tuple[float, float, float]


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
    x: float
    y: float

    @property
    def radius(self) -> float:
        """Half its height."""
        return RADII[self.size]

    @property
    def middle(self) -> Direction:
        """Its middle's place."""
        return self.x, self.y, self.radius


def arrange(
    rng: random.Random,
    directions: Mapping[str, Sequence[float]],
    colours: Mapping[str, Sequence[str]],
    fewest: int = PROCEDURE.fewest,
) -> list[Thing]:
    """Things at random, with the colours that each shape may have."""
    n = rng.randint(fewest, PROCEDURE.most)
    while True:
        things: list[Thing] = []
        while len(things) < n and (placed := _placed(rng, things, directions, colours)):
            things.append(placed)
        if len(things) == n:
            return things


def _placed(
    rng: random.Random,
    neighbours: Sequence[Thing],
    directions: Mapping[str, Sequence[float]],
    colours: Mapping[str, Sequence[str]],
) -> Thing | None:
    """One more thing; None where no place was found."""
    size, shape = rng.choice(list(RADII)), rng.choice(SHAPES)
    for _ in range(PROCEDURE.tries):
        x, y = (rng.uniform(-PROCEDURE.reach, PROCEDURE.reach) for _ in range(2))
        if all(_is_apart(x, y, RADII[size], other, directions) for other in neighbours):
            return Thing(shape, size, rng.choice(MATERIALS), rng.choice(list(colours[shape])), 360 * rng.random(), x, y)
    return None


def _is_apart(x: float, y: float, radius: float, other: Thing, directions: Mapping[str, Sequence[float]]) -> bool:
    if math.hypot(x - other.x, y - other.y) - radius - other.radius < PROCEDURE.gap:
        return False
    along = ((x - other.x) * directions[side][0] + (y - other.y) * directions[side][1] for side in SIDES)
    return all(abs(way) >= PROCEDURE.margin for way in along)


def relations(
    places: Sequence[Sequence[float]], directions: Mapping[str, Sequence[float]]
) -> dict[str, list[list[int]]]:
    """For each side and thing, the numbers of those that lie on that side of it."""

    def along(side: str, place: Iterable[float]) -> float:
        return sum(a * b for a, b in zip(directions[side], place, strict=True))

    return {
        side: [
            [j for j, b in enumerate(places) if j != i and along(side, b) - along(side, a) > PROCEDURE.related]
            for i, a in enumerate(places)
        ]
        for side in SIDES
    }
