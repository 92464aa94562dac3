"""The questions of sort-of-CLEVR and their true answers, by the centres and shapes of the six things.

After the public generator, kimhc6028/relational-networks, `sort_of_clevr_generator.py`; none of its code is here. Its
answers differ from what its questions say in a few places: see `published`.

Shapes: N pictures; centres (N, 6, 2) are numbers of pixels, x to the right, y down; circles (N, 6) are true of discs.
"""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.domains.domain import Integers

COLOURS = ("red", "green", "blue", "orange", "grey", "yellow")
"""Of the things, in their order."""
SIDE = 75
"""Pixels along a side of a picture."""
BAND = 12
"""Pixels that a thing's centre is off a line at most, to lie on it."""
SELF = 999
"""What the published generator takes for the squared distance of a thing to itself."""
YES, SQUARE, NONE = 0, 2, 4
"""The published numbers of answers: yes and no, square and circle, then counts from 0."""
Booleans = NDArray[np.bool_]
Answer = Callable[[Integers, Booleans, Integers, Integers], Integers]
"""The answers (N,) from centres, circles, and the one or two things (N,) that are asked about."""


def _at(centres: Integers, which: Integers) -> Integers:
    """(N, 2): the centres of those things."""
    return np.asarray(centres[np.arange(len(which)), which])


def _shape(circles: Booleans, which: Integers) -> Integers:
    return np.asarray(SQUARE + circles[np.arange(len(which)), which])


def _half(axis: int) -> Answer:
    return lambda centres, circles, c, d: np.asarray(YES + (_at(centres, c)[:, axis] >= SIDE / 2))


def _squares(centres: Integers, c: Integers, diagonal: int) -> Integers:
    """(N, 6): the squared distance of each thing to `c`; `diagonal` is that of `c`."""
    apart = ((centres - _at(centres, c)[:, None]) ** 2).sum(axis=2)
    apart[np.arange(len(c)), c] = diagonal
    return np.asarray(apart)


def _closest(diagonal: int) -> Answer:
    return lambda centres, circles, c, d: _shape(circles, _squares(centres, c, diagonal).argmin(axis=1))


def _furthest(centres: Integers, circles: Booleans, c: Integers, d: Integers) -> Integers:
    return _shape(circles, _squares(centres, c, 0).argmax(axis=1))


def _same_shape(centres: Integers, circles: Booleans, c: Integers, d: Integers) -> Integers:
    return np.asarray(NONE - 1 + (circles == circles[np.arange(len(c)), c][:, None]).sum(axis=1))


def _others(c: Integers, d: Integers) -> Booleans:
    """(N, 6): which things are not asked about."""
    things = np.arange(len(COLOURS))
    return np.asarray((things != c[:, None]) & (things != d[:, None]))


def _in_box(centres: Integers, circles: Booleans, c: Integers, d: Integers) -> Integers:
    ends = np.sort(np.stack([_at(centres, c), _at(centres, d)], axis=1), axis=1)  # (N, 2, 2): low and high corner
    inside = ((ends[:, :1] <= centres) & (centres <= ends[:, 1:])).all(axis=2)
    return np.asarray(NONE + (inside & _others(c, d)).sum(axis=1))


def _on_line(centres: Integers, circles: Booleans, c: Integers, d: Integers) -> Integers:
    run = _at(centres, d) - _at(centres, c)
    across = _cross(run[:, None], centres - _at(centres, c)[:, None])
    near = across**2 <= BAND**2 * (run**2).sum(axis=1)[:, None]
    return np.asarray(1 - (near & _others(c, d)).any(axis=1))


def _on_line_published(centres: Integers, circles: Booleans, c: Integers, d: Integers) -> Integers:
    """The band is measured straight up and down. Of a line that is upright, the published slope is so steep that only
    what lies at the first thing's own x can be on it, and near that thing."""
    start, run = _at(centres, c)[:, None], (_at(centres, d) - _at(centres, c))[:, None]
    off = _cross(run, centres - start)
    upright = (centres[..., 0] == start[..., 0]) & (np.abs(centres[..., 1] - start[..., 1]) <= BAND)
    near = np.where(run[..., 0] == 0, upright, np.abs(off) <= BAND * np.abs(run[..., 0]))
    return np.asarray(1 - (near & _others(c, d)).any(axis=1))


def _obtuse(centres: Integers, circles: Booleans, c: Integers, d: Integers) -> Integers:
    """A right angle counts; three centres on a line make no triangle."""
    one, other = _at(centres, c)[:, None], _at(centres, d)[:, None]
    corners = ((one - centres) * (other - centres), (centres - one) * (other - one), (centres - other) * (one - other))
    wide = np.stack([products.sum(axis=2) <= 0 for products in corners]).any(axis=0)
    triangle = _cross(other - one, centres - one) != 0
    return np.asarray(NONE + (wide & triangle & _others(c, d)).sum(axis=1))


def _cross(one: Integers, other: Integers) -> Integers:
    return np.asarray(one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0])


NOT_RELATIONAL: tuple[Answer, ...] = (lambda centres, circles, c, d: _shape(circles, c), _half(0), _half(1))
"""Its shape; is it left of the middle; is it above it."""
BINARY: tuple[Answer, ...] = (_closest(2 * SIDE**2), _furthest, _same_shape)
"""The shape of the closest, of the furthest; how many others have its shape. At a tie the first colour counts."""
TERNARY: tuple[Answer, ...] = (_in_box, _on_line, _obtuse)
"""How many others lie in the box of two; does any lie on their line; how many make an obtuse triangle with them."""
TASKS: Mapping[str, tuple[Answer, ...]] = {
    "not_relational": NOT_RELATIONAL,
    "binary": BINARY,
    "ternary": TERNARY,
    "binary_published": (_closest(SELF), _furthest, _same_shape),
    "ternary_published": (_in_box, _on_line_published, _obtuse),
}
"""By task its three questions, each about one colour or about two."""


def asked(task: str) -> Integers:
    """(Q, 3): every question of the task: its number among the three, and the numbers of its colours; the second is 0
    where one is asked about. The published ternary questions leave out yellow."""
    pairs = "ternary" in task
    last = len(COLOURS) - (task == "ternary_published")
    colours = [(c, d) for c in range(last) for d in range(last if pairs else 1) if not pairs or c != d]
    return np.array([(number, *both) for number in range(3) for both in colours])


def task_id(question: Integers) -> Integers:
    """Of questions (..., 3), the number that a task knows them by: 0 to 107."""
    return np.asarray(question @ [len(COLOURS) ** 2, len(COLOURS), 1])


def answers(task: str, centres: Integers, circles: Booleans, question: Integers) -> Integers:
    """(N,): the published number of the true answer to the `question` (N, 3) of each picture: 0 yes, 1 no, 2 square,
    3 circle, 4 none, 5 one, and so on."""
    number, c, d = question.T
    every = np.stack([answer(centres, circles, c, d) for answer in TASKS[task]])
    return np.asarray(every[number, np.arange(len(number))])
