"""From pictures of any size to scenes: things are found, each is looked at in a glimpse."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
from scipy import ndimage

from bridge.errors import PerceiverError
from bridge.finding.finders import Finder, GivenBoxes, NetworkFinder, logistic
from bridge.glimpses.inside import look_inside
from bridge.glimpses.inspecting import inspect
from bridge.glimpses.parts import parts_of
from bridge.scene import FloatArray, Scene, Thing
from domains.domain import Pixels
from neural.glimpses.config import SIDE
from neural.glimpses.cutting import Floats, cut, squares_of
from neural.glimpses.ground import fit_plane
from neural.glimpses.model import GlimpseModel

CLEAR = 0.5
"""Parts differ from the ground by more than this, as glimpses count it: 32 grey levels."""

LARGE = 16.0
"""Pixels along a side that a glimpse covers at least, for parts to be seen: what is smaller is all edges."""


@dataclass(frozen=True)
class GlimpsePerceiver:
    """Sees what is in pictures with `model`."""

    model: GlimpseModel
    looks: int | None = None
    batch: ClassVar[int] = 1

    def __post_init__(self) -> None:
        """PerceiverError for a bound on looks: there is one."""
        if self.looks is not None:
            raise PerceiverError(f"the model {self.model.name} looks once at pictures of any size: leave out looks")

    def perceive(self, pictures: Sequence[Pixels], given: Sequence[FloatArray | None] = ()) -> list[Scene]:
        """A scene of each of `pictures`, (H, W, 3), 0–255; boxes (n, 4) say where the things of one are, None: find."""
        return [self._scene(*pair) for pair in zip(pictures, given or [None] * len(pictures), strict=True)]

    def check_boxes(self) -> None:
        """Takes all: what is compared may be found by others."""

    def _scene(self, picture: Pixels, boxes: FloatArray | None) -> Scene:
        graph = self.model.graph
        finder: Finder = self._finder if boxes is None else GivenBoxes(boxes)
        found = finder.find(picture)
        order = np.lexsort(
            ((found.boxes[:, 0] + found.boxes[:, 2]).round(3), (found.boxes[:, 1] + found.boxes[:, 3]).round(3))
        )
        place = {int(old): new for new, old in enumerate(order)}
        ordered = found.boxes[order]
        plane = fit_plane(picture)
        objects: list[Thing] = []
        if len(ordered):
            glimpses = cut(picture, plane, ordered)
            mask, coordinates = graph.compare(glimpses)
            objects = _objects(glimpses, ordered, logistic(mask), coordinates)
            if self.model.config.inside:
                objects = self._with_inside(picture, ordered, objects)
        touching = sorted(tuple(sorted((place[a], place[b]))) for a, b in found.touching)
        height, width = picture.shape[:2]
        inspection = inspect(picture, found, plane)
        pairs = tuple((a, b) for a, b in touching)
        return Scene(tuple(objects), inspection, (width, height), touching=pairs)

    def _with_inside(self, picture: Pixels, boxes: FloatArray, objects: list[Thing]) -> list[Thing]:
        """`objects` of `boxes` (n, 4), with what is on them as parts. On the axes they lie where that lies in the mean,
        on the last at how many it is; where nothing is on them, where they lie themselves."""
        inside = look_inside(self._finder, picture, boxes)
        mask, coordinates = self.model.graph.compare(inside.glimpses)
        seen = _objects(inside.glimpses, inside.boxes, logistic(mask), coordinates)
        told = []
        for host, thing in enumerate(objects):
            own = np.flatnonzero(inside.host == host)
            at = np.mean([seen[each].coordinates for each in own], axis=0) if len(own) else thing.coordinates
            parts = tuple(replace(seen[each], name=f"pa_{each}", coordinates=np.empty(0), parts=()) for each in own)
            told.append(replace(thing, coordinates=np.append(at, len(own)), parts=parts))
        return told

    @cached_property
    def _finder(self) -> NetworkFinder:
        groups = self.model.config.groups
        return NetworkFinder(self.model.graph, self.model.config.of_group("shape") if "shape" in groups else ())


def _objects(glimpses: Floats, boxes: FloatArray, mask: FloatArray, coordinates: FloatArray) -> list[Thing]:
    """What the `glimpses` (n, 7, SIDE, SIDE) of `boxes` (n, 4) show, where the `mask` (n, SIDE, SIDE), 0–1, is."""
    squares = squares_of(boxes)
    pixels = np.rint((glimpses[:, :3].transpose(0, 2, 3, 1) + 1) * 128)  # (n, SIDE, SIDE, 3)
    # Pixels of the rim are mixed with the ground's colour: they count where there are no others.
    inner = ndimage.binary_erosion(mask > 0.5, np.ones((1, 3, 3)), iterations=2)
    weight = (inner + 1e-3 * (mask > 0.5) * mask + 1e-9 * mask + 1e-12)[..., None]
    colours = ((pixels * weight).sum(axis=(1, 2)) / weight.sum(axis=(1, 2))).round().astype(int)
    shown = (mask > 0.5) & (np.abs(glimpses[:, 3:6]).max(axis=1) > CLEAR)
    objects, pieces = [], 0
    for number, box in enumerate(boxes):
        corner, unit = squares[number, [0, 1, 0, 1]], (squares[number, 2] - squares[number, 0]) / SIDE
        found = parts_of(pixels[number], shown[number]) if unit * SIDE >= LARGE else []
        parts = [
            Thing(f"pa_{place}", corner + unit * inner, colour, np.empty(0))
            for place, (inner, colour) in enumerate(found, start=pieces)
        ]
        pieces += len(parts)
        red, green, blue = colours[number].tolist()
        objects.append(Thing(f"ob_{number}", box, (red, green, blue), coordinates[number], tuple(parts)))
    return objects
