"""The three sets of objects: what they look like and how they are drawn at random.

An object is a *shape* (a 3×3 frame of squares, lit or not) in a *colour*. Two objects are the same
when their cells are identical pixel for pixel: a shape turned, mirrored or shifted inside its frame
is another shape. Networks train on `pentos` and are tested on `hexos` and `stripes`, which share no
shape and no colour value with them.

Objects are numbered: object = shape · number of colours + colour.
"""

import csv
import hashlib
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from itertools import product

import numpy as np
import numpy.typing as npt

from predinet_prolog.domains.errors import DomainError

Objects = npt.NDArray[np.int64]  # object numbers, any shape

OBJECT_SETS: tuple[str, ...] = ("pentos", "hexos", "stripes")
CELL = 12  # pixels along a side of a grid cell
SQUARE = 3  # pixels along a side of one square of a shape
FRAME = 3 * SQUARE  # pixels along a side of the frame that a shape is drawn in
MARGIN = 1  # empty pixels above and left of the shape frame in its cell (below and right: 2)

# How a tricky variant relates to the object it is a variant of; the order is that of the labels
# 1, 2, 3 of the task colour_and_or_shape.
SAME_COLOUR, SAME_SHAPE, BOTH_DIFFER = range(3)


def generator(what: str, seed: int | tuple[int, ...]) -> np.random.Generator:
    """For `what` is drawn: another for every seed. DomainError for a seed that is not made of integers."""
    seeds = seed if isinstance(seed, tuple) else (seed,)
    if not seeds or not all(isinstance(s, int | np.integer) for s in seeds):
        raise DomainError(f"a seed is an integer or a tuple of integers, not {seed!r}")
    # A hash, since numpy's own mixing takes (1,) and (1, 0) for the same seed and no negative ones.
    text = " ".join([what, *(str(int(s)) for s in seeds)])
    return np.random.default_rng(int.from_bytes(hashlib.sha256(text.encode()).digest()))


@cache
def object_set(name: str) -> "ObjectSet":
    """The object set of this name, one of `OBJECT_SETS`; raises DomainError for any other."""
    if name not in OBJECT_SETS:
        raise DomainError(f"unknown object set {name!r}; there are {', '.join(OBJECT_SETS)}")
    palette = _palette(0, 128, 255) if name == "pentos" else _palette(64, 144, 192)
    return _stripes(palette) if name == "stripes" else _polyominoes(name, palette)


@dataclass(frozen=True, eq=False)
class ObjectSet:
    """All objects of one set, with the random draws that the task generators are made of.

    Draws take a generator and return object numbers; each is exact, without approximating the
    original's "draw again until it differs".
    """

    name: str
    masks: npt.NDArray[np.bool_]
    """(shapes, 3, 3) lit squares of every shape; stripes have one, full."""
    squares: npt.NDArray[np.uint8]
    """(objects + 1, 3, 3, 3) RGB of every square of every object; the last entry is the empty cell."""
    shape_lots: npt.NDArray[np.int64]
    """(lots,) ascending shape numbers; drawing a lot uniformly draws a shape as the original does."""
    cells: npt.NDArray[np.uint8] = field(init=False, repr=False)
    """(objects + 1, 12, 12, 3) the picture of every object; number -1, the last, is the empty cell."""

    def __post_init__(self) -> None:
        frame = self.squares.repeat(SQUARE, axis=1).repeat(SQUARE, axis=2)
        cells = np.zeros((len(self.squares), CELL, CELL, 3), np.uint8)
        cells[:, MARGIN : MARGIN + 3 * SQUARE, MARGIN : MARGIN + 3 * SQUARE] = frame
        object.__setattr__(self, "cells", cells)
        for array in (self.masks, self.squares, self.shape_lots, cells):
            array.flags.writeable = False  # the set is shared by everyone who asks for it

    @property
    def n_objects(self) -> int:
        """How many different objects there are: pentos 925, hexos 1200, stripes 625."""
        return len(self.squares) - 1

    @property
    def n_shapes(self) -> int:
        """How many different shapes there are: pentos 37, hexos 48, stripes 1."""
        return len(self.masks)

    @property
    def n_colours(self) -> int:
        """How many colours a shape can have: 25; stripes 625, outer · 25 + inner."""
        return self.n_objects // self.n_shapes

    def split(self, objects: Objects) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int16]]:
        """The shapes and colours of objects; -1, the empty cell, has both -1."""
        shapes, colours = np.divmod(objects, self.n_colours)
        colours[objects < 0] = -1
        return shapes.astype(np.int16), colours.astype(np.int16)

    def join(self, shapes: npt.NDArray[np.int16], colours: npt.NDArray[np.int16]) -> Objects:
        """The inverse of `split`."""
        return np.where(shapes < 0, -1, shapes.astype(np.int64) * self.n_colours + colours)

    def random(self, rng: np.random.Generator, size: int | tuple[int, ...]) -> Objects:
        """Independent objects: free shape uniform, then its placement uniform; colour uniform."""
        shape = self.shape_lots[rng.integers(len(self.shape_lots), size=size)]
        return shape * self.n_colours + rng.integers(self.n_colours, size=size)

    def random_except(self, rng: np.random.Generator, *excluded: Objects) -> Objects:
        """Independent objects, each different from its counterpart in every one of `excluded`."""
        drawn = self.random(rng, excluded[0].shape)
        while (clash := np.logical_or.reduce([drawn == other for other in excluded])).any():
            drawn[clash] = self.random(rng, int(clash.sum()))
        return drawn

    def variant(self, rng: np.random.Generator, objects: Objects, mode: Objects) -> Objects:
        """Objects that differ from `objects`, but trickily: `mode` says what they have in common.

        SAME_COLOUR draws a new shape, SAME_SHAPE a new colour, BOTH_DIFFER both. Stripes have
        no shapes to tell apart: there every mode draws any other object.
        """
        shape, colour = np.divmod(objects, self.n_colours)
        new_colour = rng.integers(self.n_colours - 1, size=objects.shape)
        new_colour += new_colour >= colour  # skips the old colour
        if self.n_shapes == 1:
            return new_colour
        new_shape = self._other_shape(rng, shape)
        return np.where(mode == SAME_SHAPE, shape, new_shape) * self.n_colours + np.where(
            mode == SAME_COLOUR, colour, new_colour
        )

    def _other_shape(self, rng: np.random.Generator, shape: Objects) -> Objects:
        # The lots of one shape are consecutive, so skipping them leaves the others uniform.
        first = np.searchsorted(self.shape_lots, shape, side="left")
        after = np.searchsorted(self.shape_lots, shape, side="right")
        lot = rng.integers(len(self.shape_lots) - (after - first))
        return self.shape_lots[lot + np.where(lot >= first, after - first, 0)]


def _palette(*values: int) -> npt.NDArray[np.uint8]:
    """All 25 RGB colours with these three channel values, but for the darkest and the brightest."""
    return np.array(list(product(values, repeat=3))[1:-1], np.uint8)


def _polyominoes(name: str, palette: npt.NDArray[np.uint8]) -> ObjectSet:
    """One frame of every free polyomino that fits 3×3 is in a table; the others follow by rotation and reflection."""
    table = resources.files(__package__).joinpath("polyominoes.csv").read_text(encoding="utf-8")
    drawings = [row["frame"] for row in csv.DictReader(table.splitlines()) if row["set"] == name]
    shapes: dict[bytes, int] = {}
    lots = []
    for drawing in drawings:
        base = np.array([[square == "#" for square in row] for row in drawing.split("/")])
        # All eight symmetries, repeats included: each shape of an orbit turns up equally often,
        # so the eight are the lots that make free shapes uniform and placements uniform within.
        for mask in (np.rot90(b, turn) for b in (base, base.T) for turn in range(4)):
            lots.append(shapes.setdefault(mask.tobytes(), len(shapes)))
    masks = np.frombuffer(b"".join(shapes), np.bool_).reshape(-1, 3, 3).copy()
    squares = (masks[:, None, :, :, None] * palette[:, None, None, :]).reshape(-1, 3, 3, 3)
    return ObjectSet(name, masks, _with_empty_cell(squares), np.sort(lots).astype(np.int64))


def _stripes(palette: npt.NDArray[np.uint8]) -> ObjectSet:
    """Full squares of three vertical stripes, outer – inner – outer."""
    outer, inner = (palette[i] for i in np.divmod(np.arange(len(palette) ** 2), len(palette)))
    row = np.stack([outer, inner, outer], axis=1)
    squares = np.repeat(row[:, None], 3, axis=1)
    return ObjectSet("stripes", np.ones((1, 3, 3), np.bool_), _with_empty_cell(squares), np.zeros(1, np.int64))


def _with_empty_cell(squares: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    return np.concatenate([squares, np.zeros((1, 3, 3, 3), np.uint8)])
