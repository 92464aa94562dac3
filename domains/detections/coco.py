"""COCO: `{"images": […], "annotations": […], "categories": […]}`; its results, a list of boxes that each say their
`file_name` or `image_id`, as ultralytics' predictions.json; and a list of boxes of one picture, `[left, top, right,
bottom]` or `{"bbox": [left, top, width, height]}`.

Boxes are in pixels of the upright picture. Where there is no `bbox`, the box of the `segmentation` is taken, of
polygons or runs. A region of `iscrowd` 1 is no thing, unless CVAT wrote it, which marks each mask of its brush so.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from domains.detections.classes import NONE, Classes, of_categories
from domains.detections.outlines import is_number, outline_of
from domains.detections.table import (
    Canvas,
    Detection,
    Key,
    Listed,
    Listing,
    Scalar,
    attributes_of,
    key_in,
    must_be,
    score_of,
    text_in,
)
from domains.errors import DomainError
from domains.image_files import ENDINGS
from domains.names import picture_key

WANTED = "a list of boxes [left, top, right, bottom] was expected, or COCO's images and annotations"
CROWD = "{} of {} boxes left out: a region of iscrowd 1 is no thing"
BRUSH = "{} of {} boxes have iscrowd 1 and are taken as things: CVAT writes each mask of its brush so"
UNREAD = "{{}} of {{}} boxes have the field {}: it is not read"
READ = {"id", "image_id", "file_name", "category_id", "bbox", "area", "segmentation", "iscrowd", "score", "track_id"}
READ |= {"attributes", "keypoints", "num_keypoints"}
SOURCE_OF_TRACK = "track_id"
OCCLUDED = "occluded"
"""The attribute that CVAT gives to everything."""


def parse(text: str, where: str) -> Listing:
    """What the JSON `text`, which errors call `where`, says of boxes and attributes alone: classes may lack names, and
    outlines beside boxes are not looked at."""
    return of_content(content_of(text, where), where)


def content_of(text: str, where: str) -> Any:
    """What JSON says."""
    try:
        return json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise DomainError(f"{where} is not JSON that can be read ({error}): {WANTED}") from None


def of_content(content: Any, where: str, classes: Classes = NONE, *, whole: bool = False) -> Listing:
    """What JSON's content says; `whole`: all that it tells of things, and not their boxes and attributes alone."""
    if isinstance(content, list):
        return Listing(
            where, _of_list(content, where), _Reader(where, classes, whole, "box {1} of {0}", content).read, _sides
        )
    if not isinstance(content, dict):
        raise DomainError(f"{where} is neither a list nor an object: {WANTED}")
    images, annotations, categories = (content.get(name) for name in ("images", "annotations", "categories"))
    if not (isinstance(images, list) and isinstance(annotations, list)):
        raise DomainError(f"{where} lacks the lists images and annotations that COCO has: {WANTED}")
    named = of_categories(categories if isinstance(categories, list) else (), where)
    if named.names and classes.names:
        raise DomainError(f"{where} names its categories itself: leave out {classes.where}")
    reader = _Reader(where, classes if classes.names else named, whole, "{0}: annotations[{2}]", annotations)
    return Listing(where, _of_images(images, annotations, where), reader.read, _sides)


@dataclass
class _Reader:
    """Reads one thing."""

    where: str
    classes: Classes
    whole: bool
    places: str
    """What an entry is called: of where, its number from 1, and from 0."""
    records: Sequence[Any]

    def __post_init__(self) -> None:
        if self.whole and self.classes.counted:
            told = (record for record in self.records if isinstance(record, dict) and "category_id" in record)
            self.classes = self.classes.meant_by(
                (key_in(record, "category_id", self.where) for record in told), self.where
            )

    def read(self, number: int, record: Any, canvas: Canvas) -> Detection | None:
        """A thing; none for a crowd."""
        place = self.places.format(self.where, number + 1, number)
        if not isinstance(record, dict):
            return Detection(place, number, canvas.corners(record, place))
        attributes = self._attributes(record, place)
        if record.get("iscrowd") in (1, "1"):
            canvas.remarks.append(BRUSH if OCCLUDED in attributes else CROWD)
            if OCCLUDED not in attributes:
                return None
        values, segmentation = record.get("bbox"), record.get("segmentation")
        outline = None
        if segmentation and (self.whole or not values):
            outline = outline_of(segmentation, canvas.width, canvas.height)
            if outline is None:
                without = "" if values else "has no bbox, and "
                raise DomainError(
                    f"{place} {without}its segmentation is neither polygons nor runs in a picture of "
                    f"{canvas.width}x{canvas.height} pixels: {'correct it' if values else 'give its bbox'}"
                )
        if outline is not None and not values:
            box = canvas.corners(outline.corners, place)
        else:
            box = canvas.sides(values, place)
        category = record.get("category_id")
        if category is not None:
            key = key_in(record, "category_id", place)
            category = self.classes.name(key, place) if self.whole else self.classes.names.get(key, str(key))
        if not self.whole:
            return Detection(place, number, box, category, attributes=attributes)
        canvas.remarks += [UNREAD.format(json.dumps(str(name))) for name in record.keys() - READ]
        keypoints = _keypoints(record, self.classes, place) if record.get("keypoints") else {}
        track = None
        for fields in (record, attributes):
            if track is None and fields.get(SOURCE_OF_TRACK) is not None:
                track = key_in(fields, SOURCE_OF_TRACK, place)
        attributes = {name: value for name, value in attributes.items() if name != SOURCE_OF_TRACK}
        score = score_of(record.get("score"), place)
        return Detection(place, number, box, category, score, track, attributes, keypoints, outline)

    def _attributes(self, record: Mapping[str, Any], place: str) -> Mapping[str, Scalar]:
        attributes = record.get("attributes") or {}
        if not isinstance(attributes, dict):
            raise DomainError(f"{place}: {must_be('attributes', attributes, dict)}")
        return attributes_of(attributes, place) if attributes else attributes


def _sides(record: Any) -> Any:
    return record.get("bbox") if isinstance(record, dict) else None


def _keypoints(record: Mapping[str, Any], classes: Classes, place: str) -> Mapping[str, tuple[float, float]]:
    """Those that are labelled, by their names, else by their numbers: x, y and how visible they are, one by one."""
    values = record["keypoints"]
    if not (isinstance(values, list) and len(values) % 3 == 0 and all(is_number(v) and abs(v) < 1e9 for v in values)):
        raise DomainError(f"{place}: keypoints must be x, y and visibility, one point after the other")
    points = list(zip(*(map(float, values[start::3]) for start in range(3)), strict=True))
    key = record.get("category_id")
    names = classes.keypoints.get(key_in(record, "category_id", place), ()) if key is not None else ()
    if names and len(names) != len(points):
        raise DomainError(f"{place}: it has {len(points)} keypoints, and its category names {len(names)}")
    named = zip(names or map(str, range(len(points))), points, strict=True)
    return {name: (x, y) for name, (x, y, visibility) in named if visibility}


def _of_images(images: Sequence[Any], annotations: Sequence[Any], where: str) -> list[Listed]:
    listed: dict[Key, Listed] = {}
    names = set[str]()
    for at, record in enumerate(images):
        place = f"{where}: images[{at}]"
        name, key = text_in(record, "file_name", place), key_in(record, "id", place)
        if picture_key(name) in names:
            raise DomainError(f"{place}: {name} is listed twice: an image has one entry")
        if key in listed:
            raise DomainError(f"{place}: the id {key} is that of another image too: give each its own")
        names.add(picture_key(name))
        listed[key] = Listed(place, name, key, record)
    for at, record in enumerate(annotations):
        key = key_in(record, "image_id", f"{where}: annotations[{at}]")
        if key not in listed:
            raise DomainError(
                f"{where}: annotations[{at}]: no image has the id {key}: correct image_id, or add the image"
            )
        listed[key].entries.append((at, record))
    return list(listed.values())


def _of_list(records: Sequence[Any], where: str) -> list[Listed]:
    """A list's entries by what tells their picture: its name, which another entry of the same `image_id` may say, else
    that `image_id`, else nothing."""
    entries, name_of = [], dict[Key, str]()
    for number, record in enumerate(records):
        place, name, key = f"box {number + 1} of {where}", None, None
        if isinstance(record, dict):
            if record.get("image_id") is not None:
                key = key_in(record, "image_id", place)
            if record.get("file_name") is not None:
                name = text_in(record, "file_name", place)
            elif isinstance(key, str) and key.lower().endswith(ENDINGS):
                name = key
            if key is not None and name and picture_key(name_of.setdefault(key, name)) != picture_key(name):
                raise DomainError(f"{place}: image_id {key} is that of {name_of[key]}, and here of {name}: correct one")
        entries.append((number, record, place, name, key))
    listed: dict[object, Listed] = {}
    for number, record, place, name, key in entries:
        if name is None and key is not None:
            name = name_of.get(key)
        mark = key if name is None else picture_key(name)
        listed.setdefault(mark, Listed(place, name, key)).entries.append((number, record))
    return list(listed.values()) or [Listed("", None, None)]
