"""Boards of our own: objects with a shape, a colour and a cell, as situations and as programs."""

from collections.abc import Callable

import numpy as np

from predinet_prolog.symbolic.learning import Predicate, Situation

SAME = Predicate("same", 2, (0, 1), negation="unlike")
SAME_SHAPE = Predicate("same_shape", 2, (0, 1), negation="unlike_shape")
SAME_COLOUR = Predicate("same_colour", 2, (0, 1), negation="unlike_colour")
SAME_ROW = Predicate("same_row", 2, (0, 1))
SAME_COLUMN = Predicate("same_column", 2, (0, 1))
LIES_BETWEEN = Predicate("lies_between", 3, (1, 2))
LEFT_OF = Predicate("left_of", 2)
ABOVE = Predicate("above", 2)
RED = Predicate("colour", 1, values=("red",))
BLUE = Predicate("colour", 1, values=("blue",))
ALL = (SAME, SAME_SHAPE, SAME_COLOUR, SAME_ROW, SAME_COLUMN, LIES_BETWEEN, LEFT_OF, ABOVE, RED, BLUE)

Thing = tuple[int, int, int, int]
"""Shape, colour (0 is red, 1 blue), column and row."""


def situation(things: list[Thing], name: str = "picture", task: str | None = None) -> Situation:
    shape, colour, x, y = np.array(things, int).reshape(-1, 4).T
    n = len(things)
    other = ~np.eye(n, dtype=bool)
    same_shape, same_colour = ((each[:, None] == each) & other for each in (shape, colour))
    dx, dy = x[None, :] - x[:, None], y[None, :] - y[:, None]
    # B, the first, lies between A and C: on a line, on opposite sides.
    on_line = dx[:, :, None] * dy[:, None, :] == dx[:, None, :] * dy[:, :, None]
    opposite = dx[:, :, None] * dx[:, None, :] + dy[:, :, None] * dy[:, None, :] < 0
    holds = {
        SAME: same_shape & same_colour,
        SAME_SHAPE: same_shape,
        SAME_COLOUR: same_colour,
        SAME_ROW: (dy == 0) & other,
        SAME_COLUMN: (dx == 0) & other,
        LIES_BETWEEN: on_line & opposite,
        LEFT_OF: dx > 0,
        ABOVE: dy > 0,
        RED: colour == 0,
        BLUE: colour == 1,
    }
    return Situation(name, tuple(f"ob_{i}" for i in range(n)), holds, task)


def board(random: np.random.Generator, n: int, kinds: int = 3, side: int = 3) -> list[Thing]:
    cells = np.sort(random.permutation(side * side)[:n])
    return [(int(random.integers(kinds)), int(random.integers(kinds)), int(c % side), int(c // side)) for c in cells]


def boards(
    holds: Callable[[Situation], bool], count: int, seed: int, most: int = 9, kinds: int = 4
) -> tuple[list[Situation], list[str]]:
    """As many of which it holds as of which it doesn't, mixed; labels 1 and 0."""
    random = np.random.default_rng(seed)
    found: dict[bool, list[Situation]] = {True: [], False: []}
    while min(map(len, found.values())) < (count + 1) // 2:
        drawn = situation(board(random, int(random.integers(1, most + 1)), int(random.integers(2, kinds + 1))))
        found[holds(drawn)].append(drawn)
    mixed = [(each, str(int(truth))) for truth, some in found.items() for each in some[: (count + 1) // 2]]
    chosen = [mixed[i] for i in random.permutation(len(mixed))[:count]]
    return [each for each, _ in chosen], [label for _, label in chosen]


def program(each: Situation) -> str:
    """The situation as facts."""
    lines = [f"object({name})." for name in each.objects]
    for predicate, table in each.holds.items():
        arguments = [[*(each.objects[i] for i in place), *predicate.values] for place in np.argwhere(table).tolist()]
        lines += [f"{predicate.name}({', '.join(some)})." for some in arguments]
        # Where nothing holds the predicate is there all the same.
        lines.append(f"{predicate.name}({', '.join('_' * (predicate.arity + len(predicate.values)))}) :- fail.")
    return "\n".join([*lines, "object(_) :- fail."])
