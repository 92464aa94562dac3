"""What was seen of things whose truth is known: what a model is grounded on."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from predinet_prolog.bridge.matching import match
from predinet_prolog.bridge.scene import FloatArray, IntArray, Scene
from predinet_prolog.domains.annotations import to_compare
from predinet_prolog.domains.domain import Truth


class Things(NamedTuple):
    """What is known of q things of one picture."""

    coordinates: FloatArray
    """(q, j)"""
    boxes: FloatArray
    """(q, 4): left, top, right, bottom in pixels of the picture as it was looked at."""
    noise_level: float
    attributes: Mapping[str, IntArray]
    """(q,) each: equal numbers are equal values; below 0 where it is not told."""


def things_told(scene: Scene, truth: Truth, picture: int) -> list[Things]:
    """The things seen in the picture of that number; none if what was seen shows none of the true things, which is
    passed over."""
    rows = truth.rows(picture)
    boxes = scene.boxes
    pairs = match(boxes, truth.boxes[rows])
    if not pairs:
        return []
    symbols = [symbol for symbol, _ in pairs]
    matched = [rows.start + thing for _, thing in pairs]
    coordinates = np.array([scene.things[symbol].coordinates for symbol in symbols])
    values = to_compare({name: column[matched] for name, column in truth.attributes.items()})
    return [Things(coordinates, boxes[symbols], scene.noise_level, values)]
