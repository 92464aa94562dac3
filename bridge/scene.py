"""What an image shows, in symbols: the bridge's product, before it is written as text."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from domains.domain import Inspection

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]


@dataclass(frozen=True)
class Symbol:
    """A name for a cluster of attention masks.

    Places are pixels of the network's own image, x to the right, y down, from the top left corner.
    """

    name: str
    """`ob_0`, `ob_1`, …"""
    is_object: bool
    """Whether its window shows a thing; else it is background, or only a part of a thing."""
    x: float
    y: float
    """Centre of its window."""
    left: int
    top: int
    width: int
    height: int
    """Its window: what one feature vector of the network sees."""
    look: int
    """The look, counted from 1, whose masks first picked it."""
    mask: FloatArray
    """(side, side): mean of its masks over the grid of windows, rows top to bottom; sums to 1."""
    coordinates: FloatArray
    """(j,): where it lies on each relation's axis, appearance part only."""
    box: FloatArray
    """(4,): left, top, right, bottom of the thing, right and bottom outside of it; of background, its window."""
    colour: tuple[int, int, int] | None = None
    """Mean of its pixels, 0–255, red, green, blue; None of background."""


@dataclass(frozen=True)
class Scene:
    """Everything the bridge knows of one image. l looks, k heads, j relations."""

    symbols: tuple[Symbol, ...]
    """Objects first, then background; both from top to bottom, then from left to right."""
    pairs: IntArray
    """(l, k, 2): for every look and head, the indices in `symbols` of the pair it picked."""
    values: FloatArray
    """(l, k, j): the distance between each pair in each relation's 1-D space."""
    attention: FloatArray
    """(l, k, 2, side, side): both masks of every head in every look."""
    slopes: FloatArray
    """(j, 2): how much of each relation's value is place, for x and y; constants of the model."""
    inspection: Inspection
    """What the pixels tell without the network."""
    image_size: int
    """Side of the network's own image in pixels."""

    @property
    def noise_level(self) -> float:
        """How spoiled the picture is, 0 or more: co-ordinates of equal objects differ by the more."""
        return self.inspection.noise_level

    @property
    def objects(self) -> tuple[Symbol, ...]:
        """The symbols that show a thing."""
        return tuple(symbol for symbol in self.symbols if symbol.is_object)
