"""COCO: `{"images": […], "annotations": […], "categories": […]}`; its results, a list of boxes that each say their
`file_name` or `image_id`, as ultralytics' predictions.json; and a list of boxes of one picture, `[left, top, right,
bottom]` or `{"bbox": [left, top, width, height]}`.

Boxes are in pixels of the upright picture. Where there is no `bbox`, the box of the `segmentation` is taken, of
polygons or runs. A region of `iscrowd` 1 is no thing, unless CVAT wrote it, which marks each mask of its brush so.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from predinet_prolog.domains.detections.classes import NONE, Classes, of_categories
from predinet_prolog.domains.detections.fields import WORDS, Key, are_numbers, key_in, must_be, parsed, text_in, word_in
from predinet_prolog.domains.detections.table import CORNERS, SIDES, Listed, Row, Source, Stems, unread
from predinet_prolog.domains.errors import DomainError
from predinet_prolog.domains.image_files import ENDINGS
from predinet_prolog.domains.names import picture_key

WANTED = "a list of boxes [left, top, right, bottom] was expected, or COCO's images and annotations"
CROWD = "{} of {} boxes left out: a region of iscrowd 1 is no thing"
BRUSH = "{} of {} boxes of iscrowd 1 taken as things: CVAT writes each mask of its brush so"
BESIDE_IDS = ("class_name", "category_name")
"""What names a thing's class for sure; its other words may tell something else where ids have names."""
OCCLUDED, TRACK = "occluded", "track_id"
"""Attributes of CVAT: it gives the one to everything, the other to what is tracked."""
FORM = f'"bbox": {SIDES}'
READ = {*WORDS["picture"], "id", "image_id", "category_id", "bbox", "area", "segmentation", "iscrowd", "score", TRACK}
READ |= {"attributes", "keypoints", "num_keypoints", "bbox_mode"}


def parse(text: str, where: str) -> Source:
    """What the JSON `text`, which errors call `where`, says of boxes and attributes alone: classes may lack names, and
    outlines beside boxes are not looked at."""
    return of_content(parsed(text, where, WANTED), where, whole=False)


def of_content(
    content: Any, where: str, classes: Classes = NONE, names: Mapping[Key, str] | None = None, *, whole: bool = True
) -> Source:
    """What JSON's content says; `names`: of pictures whose id alone a list tells; `whole`: all that it tells of things,
    and not their boxes and attributes alone."""
    if isinstance(content, list):
        images, entry = of_list(content, where, names or {}), "box {1} of {0}"
    elif not isinstance(content, dict):
        raise DomainError(f"{where} is neither a list nor an object: {WANTED}")
    else:
        pictures, annotations, categories = (content.get(name) for name in ("images", "annotations", "categories"))
        if not (isinstance(pictures, list) and isinstance(annotations, list)):
            raise DomainError(f"{where} lacks the lists images and annotations that COCO has: {WANTED}")
        named = of_categories(categories if isinstance(categories, list) else (), where)
        if named.names and classes.names:
            raise DomainError(f"{where} names its categories itself: leave out {classes.where}")
        classes = named if named.names else classes
        images, entry = _of_images(pictures, annotations, where), "{0}: annotations[{2}]"
    kind = Source
    if len(images) > 1 and all(listed.name is None and isinstance(listed.key, str) for listed in images):
        kind, images = Stems, [replace(listed, name=str(listed.key)) for listed in images]
    records = [record for listed in images for _, record in listed.entries if isinstance(record, dict)]
    attributed = any("attributes" in record for record in records)
    if whole and classes.counted:
        of_class = (record for record in records if record.get("category_id") is not None)
        classes = classes.meant_by((key_in(record, "category_id", where) for record in of_class), where)
    sparse = whole and isinstance(content, list)
    return kind(where, images, entry, partial(read, classes), classes, whole, sparse, attributed)


def read(classes: Classes, record: Any, place: str) -> Row | str:
    if not isinstance(record, dict):
        return Row(record, CORNERS)
    attributes, remarks = record.get("attributes") or {}, []
    if not isinstance(attributes, dict):
        raise DomainError(f"{place}: {must_be('attributes', attributes, dict)}")
    if record.get("iscrowd") in (1, "1"):
        if OCCLUDED not in attributes:
            return CROWD
        remarks.append(BRUSH)
    track = record.get(tracked := word_in(record, "track"))
    if TRACK in attributes and track is None:
        track = attributes[TRACK]
        attributes = {name: value for name, value in attributes.items() if name != TRACK}
    category, key = record.get(called := word_in(record, "category")), None
    named = isinstance(category, str) and (called in BESIDE_IDS or not classes.names)
    if record.get("category_id") is not None and not named:
        key, category, called = key_in(record, "category_id", place), None, ""
    if not isinstance(category, str | None):
        raise DomainError(f"{place}: {must_be(called, category, str)}: write a number as category_id or class_id")
    names = () if key is None else classes.keypoints.get(key, ())
    points = _keypoints(record["keypoints"], names, place) if record.get("keypoints") else {}
    scored = word_in(record, "score")
    remarks += map(unread, sorted(record.keys() - READ - {called, scored, tracked}))
    if (mode := record.get("bbox_mode", 1)) not in (0, 1):
        raise DomainError(f"{place}: its bbox_mode must be 0, {CORNERS}, or 1, {SIDES}, not {json.dumps(mode)[:50]}")
    box, form, outline = record.get("bbox") or None, FORM if mode else CORNERS, record.get("segmentation") or None
    return Row(box, form, outline, key, category, record.get(scored), track, attributes, points, remarks)


def _keypoints(values: Any, names: Sequence[str], place: str) -> Mapping[str, tuple[float, float]]:
    """Those that are labelled, by their names, else by their numbers: x, y and how visible they are, one by one."""
    if not (are_numbers(values) and len(values) % 3 == 0):
        raise DomainError(f"{place}: keypoints must be x, y and visibility, one point after the other")
    points = list(zip(*(map(float, values[start::3]) for start in range(3)), strict=True))
    if names and len(names) != len(points):
        raise DomainError(f"{place} has {len(points)} keypoints, and its category names {len(names)}")
    if odd := next((visibility for *_, visibility in points if not 0 <= visibility <= 2), None):
        raise DomainError(f"{place}: keypoints must be x, y, visibility (0 to 2, not {odd:g}): are there pairs?")
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
        listed[key] = Listed(where, name, place, key, record)
    for at, record in enumerate(annotations):
        key = key_in(record, "image_id", place := f"{where}: annotations[{at}]")
        if key not in listed:
            raise DomainError(f"{place}: no image has the id {key}: correct image_id, or add the image")
        listed[key].entries.append((at, record))
    return list(listed.values())


def of_list(records: Sequence[Any], where: str, names: Mapping[Key, str]) -> list[Listed]:
    """A list's entries by what tells their picture: its name, which `names` or another entry of the same `image_id` may
    say, else that `image_id`, else nothing."""
    entries, name_of = [], dict(names)
    for number, record in enumerate(records):
        place, name, key = f"box {number + 1} of {where}", None, None
        if isinstance(record, dict):
            if record.get("image_id") is not None:
                key = key_in(record, "image_id", place)
            if field := word_in(record, "picture"):
                name = text_in(record, field, place)
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
        listed.setdefault(mark, Listed(where, name, place, key)).entries.append((number, record))
    return list(listed.values()) or [Listed(where, None)]
