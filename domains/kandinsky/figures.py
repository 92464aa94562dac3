"""Figures of a few things on grey, and the published patterns that they follow or do not.

The patterns are those of Mueller and Holzinger as Shindo, Dhami and Kersting wrote them down (Neuro-Symbolic Forward
Reasoning, 2021). How figures are placed and drawn is our own.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations

import numpy as np
from PIL import Image, ImageDraw

from predinet_prolog.domains.domain import Floats, Pixels

SIDE = 120
"""Pixels along a side of a figure."""
GREY = (150, 150, 150)
SHAPES = ("circle", "square", "triangle")
COLOURS = ("red", "yellow", "blue")
RGB = ((255, 0, 0), (255, 255, 0), (0, 0, 255))
SIZES = (12, 20)
"""Least and most pixels along a thing's side."""
APART, CLOSE = 0.8, (2.0, 3.0)
"""Things that are not close by have at least this share of their mean size between them; those that are, so many
pixels."""
OFF = 10.0
"""Pixels that one of five things in line lies off it, where they are not all on it."""
FINE = 4
"""Things are drawn so many times larger, and averaged."""


@dataclass(frozen=True)
class Thing:
    """One thing. `x` and `y` are its middle."""

    x: float
    y: float
    size: float
    shape: int = 0
    colour: int = 0

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom."""
        half = self.size / 2
        return self.x - half, self.y - half, self.x + half, self.y + half


Figure = tuple[Thing, ...]


def gap(one: Thing, other: Thing) -> float:
    """Pixels between the boxes of two things."""
    reach = (one.size + other.size) / 2
    return float(np.hypot(max(abs(one.x - other.x) - reach, 0), max(abs(one.y - other.y) - reach, 0)))


def close_pairs(figure: Figure) -> list[tuple[Thing, Thing]]:
    """Pairs of things that are close by each other, both ways round."""
    near = [pair for pair in combinations(figure, 2) if gap(*pair) < 2 * CLOSE[1]]
    return near + [(other, one) for one, other in near]


def in_line(figure: Figure) -> bool:
    """Whether the middles of all things lie on one line."""
    places = np.array([(thing.x, thing.y) for thing in figure])
    return bool(np.linalg.svd(places - places.mean(axis=0))[1][1] < 1)


def _pairings(figure: Figure) -> Iterator[list[tuple[Thing, Thing]]]:
    """All ways to make pairs of the things."""
    if not figure:
        yield []
    for number in range(1, len(figure)):
        for rest in _pairings(figure[1:number] + figure[number + 1 :]):
            yield [(figure[0], figure[number]), *rest]


def _in_pairs(figure: Figure) -> bool:
    """Whether the things are disjoint pairs of one shape, one pair of one colour and the others of two."""
    return any(
        all(one.shape == other.shape for one, other in pairs)
        and sum(one.colour == other.colour for one, other in pairs) == 1
        for pairs in _pairings(figure)
    )


def _red_triangle(figure: Figure) -> bool:
    pairs = close_pairs(figure)
    return any((one.shape, one.colour) == (2, 0) and other.shape != 2 and other.colour != 0 for one, other in pairs)


Place = Callable[[np.random.Generator], Figure]


def _inside(thing: Thing) -> bool:
    return min(thing.box) >= 2 and max(thing.box) <= SIDE - 2


def scattered(n: int, *, close: bool = False) -> Place:
    """`n` things apart from each other, or the first two close by."""

    def place(rng: np.random.Generator) -> Figure:
        while True:
            things: list[Thing] = []
            for _ in range(300):
                if len(things) == n:
                    return tuple(things)
                size = float(rng.integers(SIZES[0], SIZES[1] + 1))
                x, y = rng.uniform(0, SIDE, 2).round().tolist()
                new, rest = Thing(x, y, size), things
                if close and len(things) == 1:
                    away = (things[0].size + size) / 2 + round(rng.uniform(*CLOSE))
                    along = float(rng.integers(-4, 5))
                    dx, dy = (away, along) if rng.random() < 0.5 else (along, away)
                    new = replace(new, x=things[0].x + dx, y=things[0].y + dy)
                    rest = things[1:]
                if _inside(new) and all(gap(new, other) >= APART * (new.size + other.size) / 2 for other in rest):
                    things.append(new)

    return place


def lined_up(rng: np.random.Generator, *, aligned: bool = True) -> Figure:
    """Five things on a line; not `aligned`: one of them is off it."""
    while True:
        angle, sizes = rng.uniform(0, np.pi), rng.integers(SIZES[0], 17, 5).astype(float)
        lengths = np.cumsum(rng.uniform(1.0, 1.25, 5) * np.sqrt(2) * 14)
        steps = lengths * np.array([np.cos(angle), np.sin(angle)])[:, None]
        places = rng.uniform(0, SIDE, 2)[:, None] + steps
        if not aligned:
            sign = OFF if rng.random() < 0.5 else -OFF
            places[:, rng.integers(5)] += sign * np.array([-np.sin(angle), np.cos(angle)])
        things = tuple(Thing(float(x), float(y), size) for (x, y), size in zip(places.T, sizes.tolist(), strict=True))
        if all(map(_inside, things)) and min(gap(*pair) for pair in combinations(things, 2)) > 2:
            return things


def _grid(rng: np.random.Generator) -> Figure:
    size = float(rng.integers(*SIZES))
    return tuple(Thing(20.0 + 40 * column, 20.0 + 40 * row, size) for row in range(3) for column in range(3))


@dataclass(frozen=True)
class Pattern:
    """What may be true of a figure."""

    summary: str
    holds: Callable[[Figure], bool]
    places: tuple[Place, ...]
    """How its things may lie: of figures that are true, by the first; of others, by any."""
    shapes: int = len(SHAPES)
    """How many of the SHAPES it has."""


PATTERNS: Mapping[str, Pattern] = {
    "figures": Pattern("five things apart from each other; nothing is asked", lambda f: False, (scattered(5),)),
    "two_pairs": Pattern(
        "four things are two pairs of the same shape, one of the same colour and one of different colours",
        _in_pairs,
        (scattered(4),),
    ),
    "three_pairs": Pattern(
        "six things are three pairs of the same shape, one of the same colour and two of different colours",
        _in_pairs,
        (scattered(6),),
    ),
    "closeby": Pattern(
        "two things are close by each other",
        lambda figure: bool(close_pairs(figure)),
        (scattered(4, close=True), scattered(4)),
    ),
    "red_triangle": Pattern(
        "a red triangle is close by a thing of another shape and another colour",
        _red_triangle,
        (scattered(4, close=True), scattered(4)),
    ),
    "online_pair": Pattern(
        "five things lie on a line, and two of them have the same shape and the same colour",
        lambda figure: in_line(figure) and len({(one.shape, one.colour) for one in figure}) < len(figure),
        (lined_up, partial(lined_up, aligned=False)),
    ),
    "nine_circles": Pattern(
        "three circles are red, three yellow and three blue",
        lambda figure: sorted(thing.colour for thing in figure) == [0, 0, 0, 1, 1, 1, 2, 2, 2],
        (_grid,),
        shapes=1,
    ),
}


def new_figure(name: str, label: bool, rng: np.random.Generator) -> Figure:
    """A figure of which the pattern of that name is true, or is not: then half of them are all but true, with one thing
    changed or moved."""
    pattern = PATTERNS[name]
    almost = not label and name != "figures" and rng.random() < 0.5
    while True:
        place = pattern.places[0 if label or almost else int(rng.integers(len(pattern.places)))]
        figure = tuple(_coloured(thing, pattern, rng) for thing in place(rng))
        if almost:
            figure = _spoilt(figure, pattern, rng)
        if figure and pattern.holds(figure) is label:
            return figure


def _coloured(thing: Thing, pattern: Pattern, rng: np.random.Generator) -> Thing:
    return replace(thing, shape=int(rng.integers(pattern.shapes)), colour=int(rng.integers(len(COLOURS))))


def _spoilt(figure: Figure, pattern: Pattern, rng: np.random.Generator) -> Figure:
    """A true figure with one thing changed, or with the same things placed in another way; () if it was not true."""
    if not pattern.holds(figure):
        return ()
    if len(pattern.places) > 1 and rng.random() < 0.5:
        looks = [(thing.shape, thing.colour) for thing in figure]
        moved = pattern.places[1](rng)
        return tuple(replace(thing, shape=s, colour=c) for thing, (s, c) in zip(moved, looks, strict=True))
    number = int(rng.integers(len(figure)))
    return (*figure[:number], _coloured(figure[number], pattern, rng), *figure[number + 1 :])


def drawn(figure: Figure) -> Pixels:
    """(SIDE, SIDE, 3)"""
    image = Image.new("RGB", (SIDE * FINE, SIDE * FINE), GREY)
    pen = ImageDraw.Draw(image)
    for thing in figure:
        left, top, right, bottom = (FINE * edge for edge in thing.box)
        inner, shape, colour = (left, top, right - 1, bottom - 1), SHAPES[thing.shape], RGB[thing.colour]
        if shape == "triangle":
            pen.polygon(((left, bottom - 1), (right - 1, bottom - 1), (FINE * thing.x, top)), colour)
        else:
            (pen.ellipse if shape == "circle" else pen.rectangle)(inner, colour)
    return np.asarray(image.resize((SIDE, SIDE), Image.Resampling.BOX))


def boxes(figure: Figure) -> Floats:
    """(n, 4)"""
    return np.array([thing.box for thing in figure])
