"""Ten questions about boards of one to nine things, which no network was trained for and no task asks.

Answers come from the true shapes, colours and cells. Boards are those that the game draws freely; of each number of
things as many are true as false, so that counting things tells nothing.
"""

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.bridge.scene import BoolArray
from predinet_prolog.domains.relations_game.objects import object_set
from predinet_prolog.domains.relations_game.scenes import GRID, Scenes
from predinet_prolog.domains.relations_game.tasks import generate
from predinet_prolog.symbolic.learning.situations import Predicate

_SHADES = resources.files("predinet_prolog.bridge").joinpath("palette.csv").read_text(encoding="utf-8").splitlines()
PALETTE = tuple(csv.DictReader(_SHADES))
"""Shades, each with its word."""
COLOURS = tuple(Predicate("colour", 1, values=(word,)) for word in dict.fromkeys(shade["word"] for shade in PALETTE))
Words = NDArray[np.str_]
"""What colours are called; nothing where there is none."""
FREE = "scatter"
DRAWN = 50
"""Boards that are drawn for one that is picked."""
CELLS = GRID**2
_ROW, _COLUMN = np.divmod(np.arange(CELLS), GRID)
_ONE_ROW, _ONE_COLUMN, _BELOW = _ROW[:, None] == _ROW, _COLUMN[:, None] == _COLUMN, _ROW[:, None] < _ROW
"""(9, 9): of a cell and another."""
_LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
"""Cells in line, the second between the others."""


@dataclass(frozen=True, eq=False)
class Truth:
    """What is true of N boards. Pairs are (N, 9, 9), never of an empty cell or of a thing and itself."""

    there: BoolArray
    """(N, 9): whether a cell holds a thing."""
    same: BoolArray
    shape: BoolArray
    """Pairs of the same shape."""
    colour: BoolArray
    words: Words
    """(N, 9): what its colour is called; nothing of an empty cell."""

    @classmethod
    def of(cls, scenes: Scenes) -> "Truth":
        """That of boards of polyominoes."""
        there = scenes.occupied
        pair = there[:, :, None] & there[:, None, :] & ~np.eye(CELLS, dtype=bool)
        shape, colour = (pair & (own[:, :, None] == own[:, None, :]) for own in (scenes.shapes, scenes.colours))
        return cls(there, shape & colour, shape, colour, np.where(there, _words(scenes), ""))


def _some(pairs: BoolArray) -> BoolArray:
    return np.asarray(pairs.any(axis=(1, 2)))


def _flanked(truth: Truth) -> BoolArray:
    return np.any([truth.same[:, a, b] & truth.there[:, middle] for a, middle, b in _LINES], axis=0)


def _line_of_a_colour(truth: Truth) -> BoolArray:
    return np.any([truth.colour[:, a, b] & truth.colour[:, a, middle] for a, middle, b in _LINES], axis=0)


def _alone(truth: Truth) -> BoolArray:
    """(N, 9): things whose colour no other has."""
    return truth.there & ~truth.colour.any(axis=2)


QUESTIONS: Mapping[str, tuple[str, Callable[[Truth], BoolArray]]] = {
    "flanked": ("a thing lies between two that are alike", _flanked),
    "three_alike": ("three things are alike", lambda truth: np.asarray((truth.same.sum(axis=2) > 1).any(axis=1))),
    "one_pair": ("exactly one pair is alike", lambda truth: np.asarray(truth.same.sum(axis=(1, 2)) == 2)),
    "every_colour_twice": (
        "every thing has another of its colour",
        lambda truth: np.asarray(~_alone(truth).any(axis=1)),
    ),
    "loner": ("the colour of exactly one thing is its own", lambda truth: np.asarray(_alone(truth).sum(axis=1) == 1)),
    "no_colour_twice_in_a_row": ("no two of a row have one colour", lambda truth: ~_some(truth.colour & _ONE_ROW)),
    "blue_above_green": (
        "a blue thing is higher up than a green one",
        lambda truth: _some((truth.words == "blue")[:, :, None] & (truth.words == "green")[:, None, :] & _BELOW),
    ),
    "recoloured": (
        "two of a column have one shape and not one colour",
        lambda truth: _some(truth.shape & ~truth.colour & _ONE_COLUMN),
    ),
    "line_of_a_colour": ("three in line have one colour", _line_of_a_colour),
    "across_or_down": (
        "two of a row are alike, or two of a column have one shape",
        lambda truth: _some(truth.same & _ONE_ROW | truth.shape & _ONE_COLUMN),
    ),
}
"""By name, each in English and worked out."""


def asked(question: str, n: int, *, kind: str, seed: tuple[int, ...]) -> Scenes:
    """`n` boards, labelled 1 where it is true; half of them, if there are as many as that."""
    scenes = generate(FREE, DRAWN * n, objects=kind, seed=seed)
    labels = QUESTIONS[question][1](Truth.of(scenes)).astype(np.int64)
    count, picked = scenes.occupied.sum(axis=1), []
    for things in range(1, CELLS + 1):
        true, false = (np.flatnonzero((count == things) & (labels == label)) for label in (1, 0))
        fewest = min(len(true), len(false))
        picked += [*zip(true[:fewest], false[:fewest], strict=True)]
    rng = np.random.default_rng(seed)
    rows = rng.permuted(np.array(picked)[rng.permutation(len(picked))][: n // 2].ravel())
    return replace(scenes[rows], labels=labels[rows])


def _words(scenes: Scenes) -> Words:
    """(N, 9): what the true colours are called, each as the nearest shade, as programs work it out."""
    kind = object_set(scenes.object_set)
    lit = kind.squares[:-1].reshape(kind.n_shapes, kind.n_colours, CELLS, 3).max(axis=2)[0]
    shades = np.array([[float(shade[band]) for band in ("red", "green", "blue")] for shade in PALETTE])
    red, green, blue = np.moveaxis(shades - lit[..., None, :], -1, 0)
    apart = ((red + green + blue) / 6) ** 2 + (red - green) ** 2 + ((red + green) / 2 - blue) ** 2 / 2
    return np.array([shade["word"] for shade in PALETTE])[apart.argmin(axis=-1)][scenes.colours]
