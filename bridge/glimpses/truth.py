"""What was seen of things whose truth is known: what a model is grounded on."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from bridge.glimpses.scene import SeenScene
from bridge.matching import match
from bridge.scene import FloatArray, IntArray
from domains.annotations import to_compare
from domains.domain import Truth


class Things(NamedTuple):
    """What is known of the q things of one picture that tell the same attributes."""

    coordinates: FloatArray
    """(q, j)"""
    boxes: FloatArray
    """(q, 4): left, top, right, bottom in pixels of the picture as it was looked at."""
    noise_level: float
    attributes: Mapping[str, IntArray]
    """(q,) each: equal numbers are equal values; below 0 where it is not told."""


def things_told(scene: SeenScene, truth: Truth, picture: int) -> list[Things]:
    """The things seen in the picture of that number, attribute by attribute, for a thing need not tell all of them.

    What shows none of the true things is passed over.
    """
    rows = truth.rows(picture)
    boxes = np.array([thing.box for thing in scene.objects]).reshape(-1, 4)
    pairs = match(boxes, truth.boxes[rows])
    if not pairs:
        return []
    coordinates = np.array([scene.objects[symbol].coordinates for symbol, _ in pairs])
    own = [rows.start + thing for _, thing in pairs]
    values = to_compare({name: column[own] for name, column in truth.attributes.items()})
    told = {name: column >= 0 for name, column in values.items()}
    found = boxes[[symbol for symbol, _ in pairs]]
    return [
        Things(coordinates[told[name]], found[told[name]], scene.noise_level, {name: own[told[name]]})
        for name, own in values.items()
    ]
