"""What a picture shows, in symbols: the one thing that every perceiver hands over, whatever it is that sees."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.domains.detections import Outline
from predinet_prolog.domains.domain import Inspection
from predinet_prolog.domains.zones import Zones

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
Box = tuple[float, float, float, float]
"""Left, top, right and bottom in pixels; right and bottom are outside of it."""


def reading_order(boxes: FloatArray) -> IntArray:
    """(n,): the places of `boxes` (n, 4) by their middles, from top to bottom, then from left to right."""
    across, down = (boxes[:, :2] + boxes[:, 2:]).round(3).T
    return np.lexsort((across, down))


@dataclass(eq=False)
class Thing:
    """A symbol for a thing, for a part of one, or for what is looked at and shows none. It stays as it is made: to be
    frozen, it would take twice as long to make, and a folder has many.

    Places are pixels of the picture that was looked at, x to the right, y down, from its top left corner.
    """

    name: str
    """`ob_0`, `ob_1`, …; of a part, `pa_0`, `pa_1`, …"""
    box: FloatArray
    """(4,): left, top, right, bottom; right and bottom are outside of it. Of what shows no thing, its window."""
    colour: tuple[int, int, int] | None
    """Mean of its pixels, 0–255, red, green, blue; None of what shows no thing."""
    coordinates: FloatArray
    """(j,): where it lies on each relation's axis, appearance part only; (0,) of a part."""
    parts: tuple["Thing", ...] = ()
    """The pieces of one colour that it is made of, where there are several; none of them is a thing of the scene."""
    window: Box | None = None
    """What one feature vector of the network sees, if it is that by which the thing was seen."""
    mask: FloatArray | None = None
    """(side, side): mean of the attention masks over the grid of windows that picked it, rows top to bottom; sums to
    1. None where no head looked at it."""
    category: str | None = None
    """What who told of it calls it, such as person; it and what follows, as a detector or an annotator says."""
    score: float | None = None
    """0 to 1: how sure the detector is."""
    track: int | str | None = None
    """Which thing of a film it is."""
    attributes: Mapping[str, str | int | float | bool] = field(default_factory=dict)
    keypoints: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """By their names, x and y."""
    source: int | None = None
    """Its number among what was told."""
    outline: Outline | None = None
    """Which pixels are its own."""

    @cached_property
    def region(self) -> BoolArray | None:
        """(h, w): which pixels are its own, in a cut-out whose top left corner is that of `box`, rounded down."""
        left, top, right, bottom = map(float, self.box)
        return None if self.outline is None else self.outline.mask((left, top, right, bottom))

    @property
    def place(self) -> Box:
        """Where it was seen: its window, else its box."""
        left, top, right, bottom = self.window or self.box.tolist()
        return left, top, right, bottom

    @property
    def x(self) -> float:
        return (self.place[0] + self.place[2]) / 2

    @property
    def y(self) -> float:
        return (self.place[1] + self.place[3]) / 2


@dataclass(frozen=True, eq=False)
class Heads:
    """What the heads of a PrediNet attended to: the paper's propositions. l looks, k heads, j relations."""

    pairs: IntArray
    """(l, k, 2): for every look and head, the indices in the scene's `symbols` of the pair it picked."""
    values: FloatArray
    """(l, k, j): the distance between each pair in each relation's 1-D space."""
    attention: FloatArray
    """(l, k, 2, side, side): both masks of every head in every look."""
    slopes: FloatArray
    """(j, 2): how much of each relation's value is place, for x and y; constants of the model."""
    first_looks: tuple[int, ...]
    """Of each of the scene's `symbols`, the look, counted from 1, whose masks first picked it."""


@dataclass(frozen=True, eq=False)
class Scene:
    """Everything the bridge knows of one picture."""

    things: tuple[Thing, ...]
    """From top to bottom, then from left to right."""
    inspection: Inspection
    """What speaks against trusting it: score, reason, noise level."""
    size: tuple[int, int]
    """Width and height of the picture that was looked at, in pixels."""
    background: tuple[Thing, ...] = ()
    """What is looked at and shows no thing, or only a part of one; in the same order."""
    touching: tuple[tuple[int, int], ...] = ()
    """Pairs of things, as indices, the first the lower, that lie against each other."""
    heads: Heads | None = None
    """Of a PrediNet alone."""
    given: bool = False
    """Whether its things were told. Then places are pixels of the image given, which was looked at smaller, if at
    all, and what touches is told by boxes."""

    keys: frozenset[str] = frozenset()
    """The attributes that are told of things, of this picture or of others."""
    ground: tuple[tuple[int, str, int], ...] = ()
    """How things lie on the ground, as was told: the first, as indices, left, right, behind or front of the second."""
    zones: Zones | None = None
    """Parts of the image given that a user named, in its pixels."""
    block: int = 1
    """Pixels along a side of the squares of one colour that the picture is made of: one pixel was made of each."""

    @property
    def symbols(self) -> tuple[Thing, ...]:
        """Things first, then background."""
        return self.things + self.background

    @property
    def boxes(self) -> FloatArray:
        """(n, 4): of the things."""
        return np.array([thing.box for thing in self.things], dtype=np.float64).reshape(-1, 4)

    @property
    def noise_level(self) -> float:
        """How spoiled the picture is, 0 or more: co-ordinates of equal things differ by the more."""
        return self.inspection.noise_level
