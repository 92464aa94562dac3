"""What was seen of things whose truth is known: what a model is grounded on."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from bridge.glimpses.scene import SeenScene
from bridge.matching import match
from bridge.scene import FloatArray, IntArray
from domains.annotations import LOOK, SIZE
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

    What shows none of the true things is passed over. Where looks are not told, things look the same that have all
    attributes but the size in common, if these are several; sizes are read off boxes and not learned.
    """
    rows = truth.rows(picture)
    boxes = np.array([thing.box for thing in scene.objects]).reshape(-1, 4)
    pairs = match(boxes, truth.boxes[rows])
    if not pairs:
        return []
    coordinates = np.array([scene.objects[symbol].coordinates for symbol, _ in pairs])
    own = [rows.start + thing for _, thing in pairs]
    values = {name: column[own] for name, column in truth.attributes.items() if name != SIZE}
    if LOOK not in values and len(values) > 1:
        table = np.stack(list(values.values()), axis=1)  # (q, attributes)
        looks = np.unique(table, axis=0, return_inverse=True)[1].reshape(-1)
        values[LOOK] = np.where((table >= 0).all(axis=1), looks, -1)
    told = {name: column >= 0 for name, column in values.items()}
    found = boxes[[symbol for symbol, _ in pairs]]
    return [
        Things(coordinates[told[name]], found[told[name]], scene.noise_level, {name: own[told[name]]})
        for name, own in values.items()
    ]
