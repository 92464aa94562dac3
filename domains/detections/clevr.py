"""CLEVR's scenes, the truth of its pictures as its generator writes it, and as CLEVR-CoGenT and CLEVR-Hans have it:
`{"scenes": [{"image_filename", "objects": [...], "relationships": {...}}]}`.

A thing has its shape, color, material and size in CLEVR's own words, and on the ground lies left, right, behind or
front of others. Where no `bbox` is told, the box is that of a ball of its height about its pixel_coords, by the lens
with which CLEVR's pictures are rendered. `mask`, runs as COCO has them, are the pixels that it shows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from predinet_prolog.domains.data import Floats
from predinet_prolog.domains.detections.fields import is_number, text_in
from predinet_prolog.domains.detections.table import SIDES, Detected, Listed, Row, Source
from predinet_prolog.domains.errors import DomainError, naming

PREFIX = "CLEVR_"
"""All of CLEVR's pictures are called so, CLEVR_val_000007.png."""
ATTRIBUTES = ("shape", "color", "material", "size")
DIRECTIONS = ("left", "right", "behind", "front")
FOCUS = 525.0
"""Pixels of a thing at distance 1 that is 1 wide: a lens of 35 mm, film of 32 mm, 480 pixels across."""


@dataclass(frozen=True)
class Scenes(Source):
    """A source of scenes that tell places on the ground as well."""

    ground: Mapping[str, Mapping[str, Sequence[Sequence[int]]]] = field(default_factory=dict)
    """By picture and direction, for each thing the numbers of those that lie so from it."""
    ways: Mapping[str, Mapping[str, Sequence[float]]] = field(default_factory=dict)
    """By picture, the directions on the ground."""

    def things(self, listed: Listed, size: tuple[int, int]) -> Detected:
        """The things of an image, and how they lie."""
        lists = self.ground[str(listed.name)]
        pairs = ((a, way, b) for way in DIRECTIONS for b, row in enumerate(lists.get(way, ())) for a in row)
        return replace(super().things(listed, size), ground=tuple(pairs))

    def stands(self, picture: str) -> Floats | None:
        """(n, 4): of each thing of that picture, where its middle shows, in pixels of the file, and how far left and
        behind it stands on the ground; None where a scene does not tell it. DomainError for numbers that are none."""
        listed = self.called(picture)
        ways = self.ways[str(listed.name)]
        if not {"left", "behind"} <= ways.keys():
            return None
        axes = np.array([ways["left"], ways["behind"]], dtype=np.float64)
        middles, places = ([record.get(name) for _, record in listed.entries] for name in ("pixel_coords", "3d_coords"))
        if None in middles or None in places:
            return None
        with naming(f"{listed.place}: directions, pixel_coords and 3d_coords"):
            pixels, ground = (np.array(rows, dtype=np.float64).reshape(-1, 3) for rows in (middles, places))
            return np.concatenate([pixels[:, :2], ground @ axes.T], axis=1)


def of_content(content: Mapping[str, Any], where: str) -> Scenes:
    images, ground, ways = [], {}, {}
    if not isinstance(content["scenes"], list):
        raise DomainError(f"{where}: scenes must be a list, as CLEVR writes it")
    for at, scene in enumerate(content["scenes"]):
        place = f"{where}: scenes[{at}]"
        name = text_in(scene, "image_filename", place)
        objects, lies = scene.get("objects"), scene.get("relationships", {})
        if not isinstance(objects, list) or not isinstance(lies, dict):
            raise DomainError(f"{place}: the list objects, and the object relationships, were expected")
        if name in ground:
            raise DomainError(f"{place}: {name} has two scenes: a picture has one")
        for way in DIRECTIONS:
            if way in lies and not _are_numbers_of(lies[way], len(objects)):
                raise DomainError(f"{place}: relationships.{way} must be a list of numbers of objects for each object")
        ground[name], ways[name] = lies, scene.get("directions") or {}
        images.append(Listed(where, name, place, entries=list(enumerate(objects))))
    return Scenes(where, images, "{0}: object {2}", _read, ground=ground, ways=ways)


def _are_numbers_of(lists: object, count: int) -> bool:
    rows = lists if isinstance(lists, list) and len(lists) == count else [None]
    return all(isinstance(row, list) and all(type(n) is int and 0 <= n < count for n in row) for row in rows)


def _read(record: Any, place: str) -> Row:
    attributes = {name: text_in(record, name, place) for name in ATTRIBUTES}
    box = record.get("bbox") or _box(record, place)
    return Row(box, SIDES, outline=record.get("mask"), attributes=attributes)


def _box(record: Mapping[str, Any], place: str) -> list[float]:
    """Left, top, width and height."""
    for name in ("pixel_coords", "3d_coords"):
        numbers = record.get(name)
        if not (isinstance(numbers, list) and len(numbers) == 3 and all(map(is_number, numbers))):
            raise DomainError(f"{place}: it has no bbox, and {name} is not three numbers")
    x, y, distance = record["pixel_coords"]
    if distance <= 0:
        raise DomainError(f"{place}: pixel_coords must end in how far it is from the camera, not {distance}")
    reach = FOCUS * record["3d_coords"][2] / distance
    return [x - reach, y - reach, 2 * reach, 2 * reach]
