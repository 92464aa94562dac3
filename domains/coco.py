"""Where things are in pictures, as files say it: one reader, for boxes that come with a picture and annotated folders.

It reads COCO's `{"images": […], "annotations": […], "categories": […]}`; COCO's results, a list of boxes that each say
their `file_name` or `image_id`; and a list of boxes of one picture, `[left, top, right, bottom]` or
`{"bbox": [left, top, width, height]}`. Boxes are in pixels of the upright picture. Where there is no `bbox`, the box of
the `segmentation` is taken, of polygons or runs. A region of `iscrowd` 1 is no thing.

Every error is a DomainError that names the file, the entry in it, and what to do.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NoReturn

from domains.errors import DomainError
from domains.image_files import ENDINGS
from domains.masks import corners_of_mask, is_number
from domains.names import Names, picture_key

MOST_BYTES = 2**28
"""No larger file is read."""
LEAST = 1.0
"""Pixels that a box is wide and high, at least: boxes in shares of the picture are less."""
NAMED = 5
"""Images of a file that an error names."""
CORNERS, SIDES = "[left, top, right, bottom]", "[left, top, width, height]"
WANTED = f"a list of boxes {CORNERS} was expected, or COCO's images and annotations"
CURE = "give each box its file_name, or COCO's images with theirs"
CUT = "{} of {} boxes reached over the picture's rim: cut off there"
CROWD = "{} of {} boxes left out: a region of iscrowd 1 is no thing"
NO_SIZE = "{} of {} images with null as width or height in the file of boxes: not compared"
TEXT_SIZE = "{} of {} images with a text as width or height in the file of boxes: read as a number"
CATEGORY = "category"
Key = int | str
Corners = tuple[float, float, float, float]
_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,18})(\.0+)?")


@dataclass(frozen=True)
class Entry:
    """What a file says of one thing."""

    place: str
    """Where it stands, of which file."""
    record: Any


@dataclass(frozen=True)
class Listed:
    """An image that a file speaks of."""

    place: str
    name: str | None
    """Of its file; None: nothing says it."""
    key: Key | None
    sides: Mapping[str, Any] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)

    @property
    def things(self) -> list[Entry]:
        """The entries but for those of crowds."""
        return [entry for entry in self.entries if not _is_crowd(entry.record)]


@dataclass(frozen=True)
class Document:
    """A file that says where things are."""

    where: str
    """What errors call it."""
    images: Sequence[Listed]
    categories: Mapping[Key, str]

    def called(self, image: str) -> Listed:
        """What it says of the picture of that name; DomainError unless it is certain which that is."""
        if self._nameless:
            (listed, *more) = self.images
            if more:
                self._refuse(f"has boxes of {len(self.images)} pictures, and nothing says which are of {image}: {CURE}")
            if isinstance(listed.key, str) and listed.key not in _titles(image):
                self._refuse(f"has boxes of image_id {listed.key!r}, and nothing says that it is {image}: {CURE}")
            return listed
        places = self._names.like(image)
        if len(places) != 1:
            names = [str(listed.name) for listed in self.images]
            some = ", ".join(names[:NAMED]) + (", …" if len(names) > NAMED else "")
            self._refuse(f"has {len(places) or 'no'} images called {image}: it has {some or 'none'}; name one file so")
        return self.images[places[0]]

    def check_pictures(self, pictures: Sequence[str]) -> None:
        """DomainError unless it says which of the `pictures`, which are seen together, its boxes are of."""
        if self._nameless:
            if len(pictures) != 1:
                self._refuse(
                    f"has boxes of {len(self.images)} picture{'s' * (len(self.images) > 1)} without a name, and there "
                    f"are {len(pictures)} pictures they may be of: {CURE}"
                )
            self.called(pictures[0])
            return
        picture_of: dict[int, str] = {}
        for picture in pictures:
            for place in self._names.like(picture):
                if (other := picture_of.setdefault(place, picture)) != picture:
                    self._refuse(
                        f"has an image called {self.images[place].name}, which may be {other} or {picture}: "
                        "write its name with its folder"
                    )

    def check_size(self, listed: Listed, size: tuple[int, int]) -> list[str]:
        """Remarks on the width and height that it says; DomainError unless they are `size`, that of the picture."""
        remarks = []
        for side, length in zip(("width", "height"), size, strict=True):
            value = number = listed.sides.get(side, length)
            if value is None:
                remarks.append(NO_SIZE)
                continue
            if isinstance(value, str) and _WHOLE.fullmatch(value):
                remarks.append(TEXT_SIZE)
                number = float(value)
            if isinstance(number, bool) or number != length:
                raise DomainError(
                    f"{listed.place}: {listed.name} is {size[0]}x{size[1]} pixels upright, not of "
                    f"{side} {json.dumps(value)[:50]}: annotate the image as it is shown"
                )
        return list(dict.fromkeys(remarks))

    def boxes(self, listed: Listed, size: tuple[int, int]) -> tuple[list[Corners], list[str]]:
        """Left, top, right and bottom of the image's things, within a picture of that width and height; and remarks, on
        each that was cut off at the rim and on each crowd."""
        boxes, remarks = [], [CROWD] * (len(listed.entries) - len(listed.things))
        for entry in listed.things:
            left, top, right, bottom = box = _corners(entry.record, size, entry.place)
            cut = max(left, 0.0), max(top, 0.0), min(right, float(size[0])), min(bottom, float(size[1]))
            if min(cut[2] - cut[0], cut[3] - cut[1]) < LEAST:
                told = ", ".join(f"{value:g}" for value in box)
                raise DomainError(
                    f"{entry.place}, from {told} as {CORNERS}, lies outside of the picture, which is "
                    f"{size[0]}x{size[1]} pixels: boxes are in the upright picture's own pixels"
                )
            remarks += [CUT] * (cut != box)
            boxes.append(cut)
        return boxes, remarks

    def attributes(self, entry: Entry) -> Mapping[str, object]:
        """Those of a thing; where no thing of the file has any, its category is one."""
        record = entry.record if isinstance(entry.record, dict) else {}
        if self._tells_attributes:
            attributes = record.get("attributes") or {}
            if not isinstance(attributes, dict):
                raise DomainError(f"{entry.place}: {_must_be('attributes', attributes, dict)}")
            return attributes
        if record.get("category_id") is None:
            return {}
        key = _key(record, "category_id", entry.place)
        return {CATEGORY: self.categories.get(key, str(key))}

    @cached_property
    def _names(self) -> Names:
        return Names(str(listed.name) for listed in self.images)

    @cached_property
    def _nameless(self) -> bool:
        return any(listed.name is None for listed in self.images)

    @cached_property
    def _tells_attributes(self) -> bool:
        entries = (entry.record for listed in self.images for entry in listed.entries)
        return any(isinstance(record, dict) and record.get("attributes") for record in entries)

    def _refuse(self, fault: str) -> NoReturn:
        raise DomainError(f"{self.where} {fault}")


def parse(text: str, where: str) -> Document:
    """What the JSON `text`, which errors call `where`, says."""
    try:
        content = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise DomainError(f"{where} is not JSON that can be read ({error}): {WANTED}") from None
    if isinstance(content, list):
        return Document(where, _of_list(content, where), {})
    if not isinstance(content, dict):
        raise DomainError(f"{where} is neither a list nor an object: {WANTED}")
    images, annotations, categories = (content.get(name) for name in ("images", "annotations", "categories"))
    if not (isinstance(images, list) and isinstance(annotations, list)):
        raise DomainError(f"{where} lacks the lists images and annotations that COCO has: {WANTED}")
    names: dict[Key, str] = {}
    for at, record in enumerate(categories if isinstance(categories, list) else ()):
        place = f"{where}: categories[{at}]"
        if (key := _key(record, "id", place)) in names:
            raise DomainError(f"{place}: the id {key} is that of another category too: give each its own")
        names[key] = _text(record, "name", place)
    return Document(where, _of_images(images, annotations, where), names)


def notes_on(remarks: Iterable[str], *, boxes: int, images: int) -> tuple[str, ...]:
    """What was done to so many boxes, and to their images' sizes, to make them fit."""
    totals = {CUT: boxes, CROWD: boxes, NO_SIZE: images, TEXT_SIZE: images}
    return tuple(remark.format(count, totals[remark]) for remark, count in Counter(remarks).items())


def _of_images(images: Sequence[Any], annotations: Sequence[Any], where: str) -> list[Listed]:
    listed: dict[Key, Listed] = {}
    names = set[str]()
    for at, record in enumerate(images):
        place = f"{where}: images[{at}]"
        name, key = _text(record, "file_name", place), _key(record, "id", place)
        if picture_key(name) in names:
            raise DomainError(f"{place}: {name} is listed twice: an image has one entry")
        if key in listed:
            raise DomainError(f"{place}: the id {key} is that of another image too: give each its own")
        names.add(picture_key(name))
        listed[key] = Listed(place, name, key, record)
    for at, record in enumerate(annotations):
        place = f"{where}: annotations[{at}]"
        if (key := _key(record, "image_id", place)) not in listed:
            raise DomainError(f"{place}: no image has the id {key}: correct image_id, or add the image")
        listed[key].entries.append(Entry(place, record))
    return list(listed.values())


def _of_list(records: Sequence[Any], where: str) -> list[Listed]:
    """A list's entries by what tells their picture: its name, which another entry of the same `image_id` may say, else
    that `image_id`, else nothing."""
    entries, name_of = [], dict[Key, str]()
    for number, record in enumerate(records, start=1):
        place, name, key = f"box {number} of {where}", None, None
        if isinstance(record, dict):
            if record.get("image_id") is not None:
                key = _key(record, "image_id", place)
            if record.get("file_name") is not None:
                name = _text(record, "file_name", place)
            elif isinstance(key, str) and key.lower().endswith(ENDINGS):
                name = key
            if key is not None and name and picture_key(name_of.setdefault(key, name)) != picture_key(name):
                raise DomainError(f"{place}: image_id {key} is that of {name_of[key]}, and here of {name}: correct one")
        entries.append((Entry(place, record), name, key))
    listed: dict[object, Listed] = {}
    for entry, name, key in entries:
        if name is None and key is not None:
            name = name_of.get(key)
        mark = key if name is None else picture_key(name)
        listed.setdefault(mark, Listed(entry.place, name, key)).entries.append(entry)
    return list(listed.values()) or [Listed("", None, None)]


def _key(record: object, name: str, place: str) -> Key:
    """The id in that field: 1, 1.0, "1" and "1.0" are one."""
    value = record.get(name) if isinstance(record, dict) else None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, bool) or not isinstance(value, Key):
        raise DomainError(f"{place}: {_must_be(name, value, int, str)}")
    return int(value.partition(".")[0]) if isinstance(value, str) and _WHOLE.fullmatch(value) else value


def _text(record: object, name: str, place: str) -> str:
    value = record.get(name) if isinstance(record, dict) else None
    if not isinstance(value, str):
        raise DomainError(f"{place}: {_must_be(name, value, str)}")
    return value


def _must_be(name: str, value: object, *kinds: type) -> str:
    wanted = {str: "text", int: "a whole number", dict: "an object"}
    return f"{name} must be {' or '.join(wanted[kind] for kind in kinds)}, not {json.dumps(value)[:50]}"


def _titles(image: str) -> tuple[str, ...]:
    """What the picture of that name may be called: its name, with and without its ending."""
    name = picture_key(image).rpartition("/")[2]
    return name, name.rpartition(".")[0]


def _is_crowd(record: object) -> bool:
    return isinstance(record, dict) and record.get("iscrowd") in (1, "1")


def _corners(record: object, size: tuple[int, int], what: str) -> Corners:
    """The corners of one box, wherever they lie."""
    sides = isinstance(record, dict)
    values, form = (record.get("bbox"), f'"bbox": {SIDES}') if isinstance(record, dict) else (record, CORNERS)

    def refuse(fault: str) -> NoReturn:
        raise DomainError(f"{what} {fault}: {form} was expected, in pixels")

    if isinstance(record, dict) and not values and record.get("segmentation"):
        sides, values = False, corners_of_mask(record["segmentation"], *size)
        if values is None:
            raise DomainError(
                f"{what} has no bbox, and its segmentation is neither polygons nor runs in a picture of "
                f"{size[0]}x{size[1]} pixels: give its bbox"
            )
    if not (isinstance(values, list) and len(values) == 4 and all(map(is_number, values))):
        refuse("is not four numbers")
    if not all(abs(value) < 1e9 for value in values):  # NaN is not, either
        refuse("has a number that is none, or too large")
    left, top, right, bottom = map(float, values)
    if sides:
        right, bottom = left + right, top + bottom
    if min(right - left, bottom - top) < LEAST:
        refuse(f"is {right - left:g} wide and {bottom - top:g} high, less than a pixel")
    return left, top, right, bottom
