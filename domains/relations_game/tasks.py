"""The tasks: what is asked, and how scenes are drawn so that chance alone answers half of them right.

A sampler lays objects on the grid vectorised over all scenes. Where the original's generator is
known only in part, the docstring says what was assumed.
"""

import csv
from collections.abc import Callable, Iterator
from functools import partial
from importlib import resources
from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from predinet_prolog.domains.data import Task
from predinet_prolog.domains.errors import DomainError
from predinet_prolog.domains.relations_game.objects import Objects, ObjectSet, generator, object_set
from predinet_prolog.domains.relations_game.scenes import GRID, Scenes

_CELLS = np.arange(GRID**2).reshape(GRID, GRID)
_PAIRS = np.array(list(permutations(range(GRID**2), 2)))
_TRIPLES = np.array(list(combinations(range(GRID**2), 3)))
_ORDERS = np.array(list(permutations(range(3))))
_ROWS, _COLUMNS = _CELLS, _CELLS.T
_DIAGONALS = np.array([[0, 4, 8], [2, 4, 6]])
# The original draws the middle row twice as often as any other line.
_LINES = np.concatenate([_ROWS, _ROWS[1:2], _COLUMNS, _DIAGONALS])
_IS_LINE = (_TRIPLES[:, None] == _LINES).all(axis=2).any(axis=1)

# The letters of every pattern; its index is the task id that asks for it (3 and 4 are an assumption).
_PATTERNS = np.array([[0, 1, 0], [0, 0, 1], [0, 1, 1], [0, 0, 0], [0, 1, 2]])  # ABA AAB ABB AAA ABC


class _Draft(NamedTuple):
    """What a sampler returns for N scenes."""

    objects: Objects  # (N, 9) object numbers, -1 for an empty cell
    labels: Objects  # (N,)
    task_ids: Objects | int = 0  # (N,)


_Sampler = Callable[[np.random.Generator, ObjectSet, int], _Draft]


def task_info(name: str) -> Task:
    """The task of this name, ours or the original's; DomainError lists the known ones."""
    try:
        return CATALOGUE[_OTHER_NAMES.get(name, name)]
    except KeyError:
        raise DomainError(
            f"unknown task {name!r}; there are {', '.join(TASKS)} (or the original names, {', '.join(_OTHER_NAMES)})"
        ) from None


def generate(task: str, n: int, *, objects: str = "pentos", seed: int | tuple[int, ...]) -> Scenes:
    """Draws `n` scenes of a task. The same arguments give the same scenes.

    Labels are fair coins (colour_and_or_shape: uniform over four; scatter: as they fall), task ids uniform and
    independent of them. Any two different argument lists draw independently. Raises DomainError for an unknown task or
    object set, one the task is not defined for, n < 1 or a seed that is not made of integers.
    """
    info = task_info(task)
    kind = object_set(objects)
    if objects not in info.kinds:
        raise DomainError(f"{info.name} is not defined for {objects}, only for {' and '.join(info.kinds)}")
    if n < 1:
        raise DomainError(f"the number of scenes must be at least 1, not {n}")
    draft = _SAMPLERS[info.name](generator(f"{info.name} {objects} {int(n)}", seed), kind, n)
    shapes, colours = kind.split(draft.objects)
    return Scenes(objects, info.name, shapes, colours, draft.labels, np.full(n, draft.task_ids))


# --- The samplers. Each is (rng, kind, n) -> _Draft. ---


def _same(rng: np.random.Generator, kind: ObjectSet, n: int) -> _Draft:
    """Two objects anywhere; unequal ones share colour, shape or nothing, 1/3 each (assumed)."""
    labels = rng.integers(2, size=n)
    first = kind.random(rng, n)
    second = np.where(labels == 1, first, kind.variant(rng, first, _mode(rng, n)))
    return _Draft(_place(_PAIRS[rng.integers(len(_PAIRS), size=n)], first, second), labels)


def _between(rng: np.random.Generator, kind: ObjectSet, n: int) -> _Draft:
    """Three objects. True: in line, the outer two identical. False: in line and the outer two a
    tricky pair (of polyominoes: one of three modes), or anything anywhere, all equally likely.
    """
    labels = rng.integers(2, size=n)
    first, middle = kind.random(rng, n), kind.random(rng, n)
    tricky_modes = 1 if kind.n_shapes == 1 else 3
    mode = rng.integers(tricky_modes + 1, size=n)
    anywhere = (labels == 0) & (mode == tricky_modes)
    last = np.where(labels == 1, first, kind.variant(rng, first, mode))
    triple = rng.integers(len(_TRIPLES), size=n)
    # Three random cells can be in line by chance; then equal outer objects would be true.
    unequal = kind.random_except(rng, first)
    last = np.where(anywhere, np.where(_IS_LINE[triple], unequal, kind.random(rng, n)), last)
    cells = np.where(anywhere[:, None], _TRIPLES[triple], _LINES[rng.integers(len(_LINES), size=n)])
    return _Draft(_place(cells, first, middle, last), labels)


def _occurs(rng: np.random.Generator, kind: ObjectSet, n: int) -> _Draft:
    """One object above a row of three. True: the row has it, the other two are random. False: one
    of the row is a tricky variant of it, the others are random but different from it (assumed).
    """
    labels = rng.integers(2, size=n)
    top = kind.random(rng, n)
    absent = _absent_from(rng, kind, top)
    present = np.stack([top, kind.random(rng, n), kind.random(rng, n)], axis=1)
    return _Draft(_above_row(rng, top, np.where(labels[:, None] == 1, present, absent)), labels)


def _xoccurs(rng: np.random.Generator, kind: ObjectSet, n: int) -> _Draft:
    """As occurs, but exactly once and with the other two different from each other. False (assumed):
    half does not occur, a quarter has the other two equal, a quarter has it twice.
    """
    labels = rng.integers(2, size=n)
    top = kind.random(rng, n)
    one = kind.random_except(rng, top)
    two = kind.random_except(rng, top, one)
    absent = _absent_from(rng, kind, top)
    row = np.stack([top, one, two], axis=1)
    fault = rng.integers(4, size=n)
    for case, wrong in (
        (fault < 2, absent),
        (fault == 2, np.stack([top, one, one], axis=1)),
        (fault == 3, np.stack([top, top, one], axis=1)),
    ):
        row = np.where(((labels == 0) & case)[:, None], wrong, row)
    return _Draft(_above_row(rng, top, row), labels)


def _colour_and_or_shape(rng: np.random.Generator, kind: ObjectSet, n: int) -> _Draft:
    """Two objects anywhere; the four labels uniform (assumed)."""
    labels = rng.integers(4, size=n)
    first = kind.random(rng, n)
    second = np.where(labels == 0, first, kind.variant(rng, first, labels - 1))
    return _Draft(_place(_PAIRS[rng.integers(len(_PAIRS), size=n)], first, second), labels)


def _patterns(
    rng: np.random.Generator, kind: ObjectSet, n: int, *, lines: npt.NDArray[np.int64], questions: int
) -> _Draft:
    """Three objects fill one line. True: in the pattern that the task id asks for. False: in one of
    the other four, equally likely. Ids 3 and 4 of the tasks with five are an assumption.
    """
    labels = rng.integers(2, size=n)
    task_ids = rng.integers(questions, size=n)
    pattern = np.where(labels == 1, task_ids, _another_pattern(rng, task_ids))
    cells = lines[rng.integers(len(lines), size=n)]
    return _Draft(_place(cells, *_pattern_objects(rng, kind, pattern)), labels, task_ids)


def _match_rows(rng: np.random.Generator, kind: ObjectSet, n: int) -> _Draft:
    """Top and bottom row filled, with unrelated objects. True: both rows in the same pattern.
    Patterns, and pairs of different patterns, are uniform (assumed).
    """
    labels = rng.integers(2, size=n)
    top = rng.integers(len(_PATTERNS), size=n)
    bottom = np.where(labels == 1, top, _another_pattern(rng, top))
    rows = (*_pattern_objects(rng, kind, top), *_pattern_objects(rng, kind, bottom))
    cells = np.broadcast_to(np.concatenate([_ROWS[0], _ROWS[2]]), (n, 2 * GRID))
    return _Draft(_place(cells, *rows), labels)


def _scatter(rng: np.random.Generator, kind: ObjectSet, n: int) -> _Draft:
    """One to nine objects anywhere. Every one but the first is with probability 1/2 drawn after an
    earlier one: a copy of it (1/3) or a tricky variant. True (about 46 %): some two are identical.
    """
    count = rng.integers(1, GRID**2 + 1, size=n)
    objects = kind.random(rng, (n, GRID**2))
    for i in range(1, GRID**2):
        model = objects[np.arange(n), rng.integers(i, size=n)]
        after = np.where(rng.integers(3, size=n) == 0, model, kind.variant(rng, model, _mode(rng, n)))
        objects[:, i] = np.where(rng.integers(2, size=n) == 1, after, objects[:, i])
    absent = np.arange(GRID**2) >= count[:, None]
    # Absent ones get numbers of their own, so that neighbours in order are equal only if present.
    ordered = np.sort(np.where(absent, -1 - np.arange(GRID**2), objects), axis=1)
    labels = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1).astype(np.int64)
    return _Draft(rng.permuted(np.where(absent, -1, objects), axis=1), labels)


# --- What samplers share. ---


def _place(cells: npt.NDArray[np.int64], *objects: Objects) -> Objects:
    """An (N, 9) grid with the i-th of `objects`, each (N,), in cell `cells[:, i]`."""
    grid = np.full((len(cells), GRID**2), -1)
    for i, placed in enumerate(objects):
        grid[np.arange(len(cells)), cells[:, i]] = placed
    return grid


def _mode(rng: np.random.Generator, n: int) -> Objects:
    """SAME_COLOUR, SAME_SHAPE or BOTH_DIFFER, equally likely."""
    return rng.integers(3, size=n)


def _absent_from(rng: np.random.Generator, kind: ObjectSet, top: Objects) -> Objects:
    """(N, 3) objects without `top`, the first of them a tricky variant of it."""
    variant = kind.variant(rng, top, _mode(rng, len(top)))
    return np.stack([variant, kind.random_except(rng, top), kind.random_except(rng, top)], axis=1)


def _above_row(rng: np.random.Generator, top: Objects, row: Objects) -> Objects:
    """`top` in the middle of the top row, the (N, 3) objects of `row` shuffled in the bottom row."""
    order = _ORDERS[rng.integers(len(_ORDERS), size=len(top))]
    grid = np.full((len(top), GRID**2), -1)
    grid[:, _ROWS[0, 1]] = top
    grid[:, _ROWS[2]] = np.take_along_axis(row, order, axis=1)
    return grid


def _another_pattern(rng: np.random.Generator, pattern: Objects) -> Objects:
    return (pattern + rng.integers(1, len(_PATTERNS), size=len(pattern))) % len(_PATTERNS)


def _pattern_objects(rng: np.random.Generator, kind: ObjectSet, pattern: Objects) -> tuple[Objects, Objects, Objects]:
    """Three objects, each (N,), in the pattern of that index: B is a tricky variant of A, and C one
    of either A or B that differs from both.
    """
    n = len(pattern)
    a = kind.random(rng, n)
    b = kind.variant(rng, a, _mode(rng, n))
    swap = rng.integers(2, size=n) == 1
    model, other = np.where(swap, b, a), np.where(swap, a, b)
    mode = _mode(rng, n)
    c = kind.variant(rng, model, mode)
    while (clash := c == other).any():
        c[clash] = kind.variant(rng, model[clash], mode[clash])
    letters = np.take_along_axis(np.stack([a, b, c], axis=1), _PATTERNS[pattern], axis=1)
    return letters[:, 0], letters[:, 1], letters[:, 2]


# --- The tasks and their samplers. ---


def _read() -> Iterator[Task]:
    text = resources.files(__package__).joinpath("tasks.csv").read_text(encoding="utf-8")
    for row in csv.DictReader(text.splitlines()):
        counts = int(row["labels"]), int(row["task_ids"])
        yield Task(row["name"], *counts, tuple(row["kinds"].split()), row["summary"], row["other_name"] or None)


CATALOGUE = {task.name: task for task in _read()}
"""Every task by its name."""
_NAMED: tuple[_Sampler, ...] = (_same, _between, _occurs, _xoccurs, _colour_and_or_shape, _match_rows, _scatter)
_SAMPLERS: dict[str, _Sampler] = {sampler.__name__.removeprefix("_"): sampler for sampler in _NAMED} | {
    f"{name}_patterns_{questions}": partial(_patterns, lines=lines, questions=questions)
    for name, lines in (("row", _ROWS), ("column", _COLUMNS))
    for questions in (3, 5)
}
TASKS: tuple[str, ...] = tuple(CATALOGUE)
_OTHER_NAMES = {task.other_name: name for name, task in CATALOGUE.items() if task.other_name}
