"""The table that every reader fills: the things of a picture, laid into its pixels, each with what is told of it.

A reader lists which pictures a file speaks of and where; a thing is read when its picture is asked for, whose size is
known then. Whatever is wrong is a DomainError of one line that names the file, the entry in it, and what to do.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, reduce
from pathlib import PurePosixPath
from typing import Any, NoReturn

from predinet_prolog.domains.detections.classes import NONE, Classes
from predinet_prolog.domains.detections.fields import Corners, Key, Scalar, attributes_of, four_numbers, key_in, scored
from predinet_prolog.domains.detections.outlines import KINDS, Outline, Polygons, outline_of, turned
from predinet_prolog.domains.errors import DomainError
from predinet_prolog.domains.names import Names, picture_key

LEAST = 1.0
"""Pixels that a box is wide and high, at least: boxes in shares of the picture are less."""
SHARE = 1.1
"""No share is larger, and not all boxes in pixels end before; detectors write shares up to 1.0021."""
ROUNDING = 0.01
"""Pixels over the rim that are no cut: shares are written with six digits, and numbers of 32 bits end there."""
REACH = 1.1
"""Shares of the picture: boxes by their sides that reach so far, where as corners they would not, are corners."""
NAMED = 5
"""Images of a file that an error names."""
CORNERS, SIDES = "[left, top, right, bottom]", "[left, top, width, height]"
MIDDLES = "[x of the middle, y of the middle, width, height] in shares of the picture"
CURE = "give each box its file_name, or put COCO's images beside the file as instances.json"
CURE_OF_ONE = "give its file_name, too, or leave out image_id if all boxes are of that picture"
CUT = "{} of {} boxes reached over the picture's rim: cut off there"
TURNED = "{} of {} boxes have a rotation, as CVAT gives it: turned by so many degrees"
CUT_OUTLINE = "{} of {} boxes have an outline that goes beyond: cut off there"
NO_SIZE = "{} of {} images with null as width or height in the file of boxes: not compared"
TEXT_SIZE = "{} of {} images with a text as width or height in the file of boxes: read as a number"
UNNAMED = "{} of {} images not named in the file of detections: nothing is taken to be there"
SIZE_IN_WORDS = "size in words"
"""Among the attributes that are told, says that sizes are words and no numbers."""
OF_IMAGES = (NO_SIZE, TEXT_SIZE, UNNAMED)


@dataclass(eq=False, slots=True)
class Detection:
    """A thing as a file tells it, in its picture."""

    place: str
    """Where it stands, of which file: what errors call it."""
    index: int
    """Its number in the file, from 0; of files that are of one picture each, in that picture's."""
    box: Corners
    """In pixels of the upright picture, cut off at its rim."""
    category: str | None = None
    """Exactly as it is written."""
    score: float | None = None
    """0 to 1."""
    track: Key | None = None
    attributes: Mapping[str, Scalar] = field(default_factory=dict)
    keypoints: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """By their names, x and y in pixels."""
    outline: Outline | None = None


@dataclass(frozen=True, eq=False)
class Detected:
    things: tuple[Detection, ...]
    remarks: tuple[str, ...] = ()
    """What was left out or changed, a template of `notes_on` each time."""
    entries: int = 0
    """How many things the file tells of it, those that were left out too."""
    source: "Source | None" = None
    """What tells of them."""
    ground: tuple[tuple[int, str, int], ...] = ()
    """Places on the ground: the thing of the first number lies left, right, behind or front of that of the second."""

    @property
    def notes(self) -> tuple[str, ...]:
        """The remarks, one line a kind with its count."""
        return notes_on(self.remarks, boxes=self.entries, images=1)


@dataclass(slots=True)
class Row:
    """A thing as a format's reader hands it over."""

    box: Any = None
    """Four numbers; None: the box of the outline."""
    form: str = CORNERS
    """What the numbers are; all but MIDDLES in pixels."""
    outline: Any = None
    """An Outline, or COCO's segmentation; in shares where the reader's boxes are."""
    key: Key | None = None
    """Of its class."""
    category: str | None = None
    score: Any = None
    track: Any = None
    attributes: Mapping[str, Any] = field(default_factory=dict)
    keypoints: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    remarks: Sequence[str] = ()


Reader = Callable[[Any, str], Row | str]
"""Reads a thing as it is written, at that place; a remark for what is left out."""


@dataclass(frozen=True)
class Listed:
    """An image that a file speaks of."""

    file: str
    """Which of them does."""
    name: str | None
    """Of its own file; None: nothing says it."""
    place: str = ""
    """Where it stands."""
    key: Key | None = None
    sides: Mapping[str, Any] = field(default_factory=dict)
    entries: list[tuple[int, Any]] = field(default_factory=list)
    """Its things, as they are written, with their numbers in the file."""


@dataclass(frozen=True)
class Source:
    """What says where things are in pictures: it lists its images."""

    where: str
    """What errors call it."""
    images: Sequence[Listed]
    entry: str
    """What an entry is called: of its file, its number from 1, and from 0."""
    read: Reader
    classes: Classes = NONE
    whole: bool = True
    """All that is told of things counts, not boxes and attributes alone: classes may not lack names then."""
    sparse: bool = False
    """Images where nothing is may not be listed."""
    attributed: bool = True
    """Attributes may be told."""

    def of(self, picture: str, size: tuple[int, int]) -> Detected:
        """The things of the picture of that name and size; DomainError unless it is certain which those are."""
        if self.sparse and not self._nameless and not self._places(picture):
            return Detected((), (UNNAMED,))
        return self.things(self.called(picture), size)

    def things(self, listed: Listed, size: tuple[int, int]) -> Detected:
        """The things of an image, within a picture of that width and height."""
        remarks, things, cuts, form = [*self._compare(listed, size)], [], list[str](), ""
        for number, record in listed.entries:
            place = self.entry.format(listed.file, number + 1, number)
            row = self.read(record, place)
            if isinstance(row, str):
                remarks.append(row)
                continue
            remarks += row.remarks
            form = row.form
            things.append(self._laid(row, number, place, size, cuts))
        if things and max(size) > 2 and all(max(thing.box[2:]) <= SHARE for thing in things):
            raise DomainError(
                f"{things[0].place}: all boxes of the picture end within its first pixel, as shares of it do: "
                "multiply them by its width and height"
            )
        reaching = cuts and _are_corners(self._span([listed]), size)
        if things and (reaching or _are_corners(self._spans, size)):
            raise DomainError(
                f"{things[0].place}: boxes reach far out of the picture, which is {size[0]}x{size[1]} pixels, and "
                f"would not if their numbers were {CORNERS}: write them as {form}"
            )
        tracks = [thing.track for thing in things if thing.track is not None]
        if len(tracks) > len({*tracks}):
            ((twice, _),) = Counter(tracks).most_common(1)
            raise DomainError(
                f"{listed.place or listed.file}: {listed.name or 'its picture'} has several boxes of the track "
                f"{twice}: a track has one box in a picture"
            )
        return Detected(tuple(things), (*remarks, *cuts), len(listed.entries), self)

    @cached_property
    def keys(self) -> frozenset[str]:
        """The attributes that it tells of any thing; what is wrong with one is told with its picture."""
        keys = set[str]()
        for listed in self.images if self.attributed else ():
            for _, record in listed.entries:
                with suppress(DomainError):
                    row = self.read(record, listed.place)
                    keys.update(keys_of(row.attributes) if isinstance(row, Row) else ())
        return frozenset(keys)

    @cached_property
    def categories(self) -> frozenset[str]:
        """What it names that things may be, whether one is or not."""
        return frozenset(self.classes.names.values())

    def called(self, image: str) -> Listed:
        """What it says of the picture of that name; DomainError unless it is certain which that is."""
        if self._nameless:
            (listed, *more) = self.images
            if more:
                self._refuse(f"has boxes of {len(self.images)} pictures, and nothing says which are of {image}: {CURE}")
            if listed.key is not None and not _may_be(listed.key, image):
                self._refuse(
                    f"has boxes of image_id {listed.key!r}, and nothing says that it is {image}: {CURE_OF_ONE}"
                )
            return listed
        places = self._places(image)
        if len(places) != 1:
            self._refuse(f"has {len(places) or 'no'} images called {image}: it has {self._some}; name one file so")
        return self.images[places[0]]

    def check_pictures(self, pictures: Sequence[str]) -> None:
        """DomainError unless it says which of the `pictures`, which are seen together, its boxes are of. Detectors do
        not name pictures where they find nothing; but one of those asked for is named."""
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
            for place in self._places(picture):
                if (other := picture_of.setdefault(place, picture)) != picture:
                    self._refuse(
                        f"has an image called {self.images[place].name}, which may be {other} or {picture}: "
                        "write its name with its folder"
                    )
        if self.sparse and pictures and not picture_of:
            folder = "; of a folder, pictures that it does not name have nothing in them" * (len(pictures) == 1)
            self._refuse(f"has no image called {pictures[0]}: it has {self._some}; name one file so{folder}")

    def names_of(self, picture: str) -> list[str]:
        """What it calls those of its images that the picture may be."""
        return [] if self._nameless else [str(self.images[place].name) for place in self._places(picture)]

    def missing(self, pictures: Sequence[str]) -> list[str]:
        """The names of its images with boxes that none of the `pictures` has."""
        there = {name for picture in pictures for name in self.names_of(picture)}
        return [] if self._nameless else [str(one.name) for one in self.images if one.entries and one.name not in there]

    def _laid(self, row: Row, number: int, place: str, size: tuple[int, int], cuts: list[str]) -> Detection:
        """A row's thing within a picture of that size."""
        outline = row.outline
        if outline is not None and row.form == MIDDLES:
            outline = Polygons(tuple(part * size for part in outline.parts))
        elif outline is not None and not isinstance(outline, KINDS):
            outline = outline_of(outline, *size) if self.whole or row.box is None else None
            if outline is None and (self.whole or row.box is None):
                fault = "has no bbox, and its" if row.box is None else "has a bbox, but its"
                raise DomainError(
                    f"{place} {fault} segmentation is neither polygons nor runs in a picture of {size[0]}x{size[1]} "
                    f"pixels: {'give its bbox' if row.box is None else 'correct it'}"
                )
        if row.box is None and outline is not None:
            box = _within(outline.corners, place, CORNERS, size, cuts)
        else:
            first, second, third, fourth = four_numbers(row.box, place, row.form)
            if row.form == SIDES or row.form.endswith(SIDES):
                third, fourth = first + third, second + fourth
            elif row.form == MIDDLES:
                width, height = third * size[0], fourth * size[1]
                first, second = first * size[0] - width / 2, second * size[1] - height / 2
                third, fourth = first + width, second + height
            if outline is None and (outline := turned((first, second, third, fourth), row.attributes)):
                first, second, third, fourth = outline.corners
                cuts.append(TURNED)
            box = _within((first, second, third, fourth), place, row.form, size, cuts)
        if outline is not None:
            left, top, right, bottom = spans = outline.corners
            if min(right, box[2]) <= max(left, box[0]) or min(bottom, box[3]) <= max(top, box[1]):
                if left < right and top < bottom:  # an empty one is nowhere
                    raise DomainError(f"{place}: its outline spans {[*spans]}, not in its box {[*box]}: correct one")
            elif max(box[0] - max(left, 0), box[1] - max(top, 0)) > LEAST or (
                max(min(right, size[0]) - box[2], min(bottom, size[1]) - box[3]) > LEAST
            ):
                cuts.append(CUT_OUTLINE)
        category = row.category
        if row.key is not None and category is None:
            category = self.classes.name(row.key, place, sure=self.whole)
        track = None if row.track is None else key_in({"its track": row.track}, "its track", place)
        attributes = attributes_of(row.attributes, place) if row.attributes else row.attributes
        score = scored(row.score, place)
        return Detection(place, number, box, category, score, track, attributes, row.keypoints, outline)

    def _places(self, image: str) -> list[int]:
        """Those among the images that the name may mean."""
        return self._names.like(image)

    def _compare(self, listed: Listed, size: tuple[int, int]) -> Iterable[str]:
        """Remarks on the width and height that it says; DomainError unless they are `size`, that of the picture."""
        remarks = dict[str, None]()
        for side, length in zip(("width", "height"), size, strict=True):
            value = number = listed.sides.get(side, length)
            if value is None:
                remarks[NO_SIZE] = None
                continue
            if isinstance(value, str) and isinstance(number := key_in({side: value}, side, listed.file), int):
                remarks[TEXT_SIZE] = None
            if isinstance(number, bool) or number != length:
                raise DomainError(
                    f"{listed.place or listed.file}: {listed.name or 'the picture'} is {size[0]}x{size[1]} pixels "
                    f"upright, not of {side} {json.dumps(value)[:50]}: annotate the image as it is shown"
                )
        return remarks

    def _span(self, images: Iterable[Listed]) -> tuple[float, ...]:
        """How far boxes by their sides reach if their numbers are corners, and if they are what they should be: x, y,
        x, y, in shares or pixels; () where a box is none of that kind, or has numbers that cannot be corners."""
        reach, form = [0.0] * 4, ""
        for listed in images:
            for _, record in listed.entries:
                row = self.read(record, listed.file)
                if isinstance(row, str):
                    continue
                form = row.form
                if row.box is None or not row.form.endswith((SIDES, MIDDLES)):
                    return ()
                left, top, right, bottom = four_numbers(row.box, listed.file, row.form)
                if right <= left or bottom <= top:
                    return ()
                part = 0.5 if row.form == MIDDLES else 1
                reach = list(map(max, reach, (right, bottom, left + part * right, top + part * bottom)))
        return (*reach, form == MIDDLES) if any(reach) else ()

    @cached_property
    def _spans(self) -> tuple[float, ...]:
        return self._span(self.images)

    @cached_property
    def _names(self) -> Names:
        return Names(str(listed.name) for listed in self.images)

    @property
    def _some(self) -> str:
        names = [str(listed.name) for listed in self.images[:NAMED]]
        return (", ".join(names) or "none") + ", …" * (len(self.images) > NAMED)

    @cached_property
    def _nameless(self) -> bool:
        return any(listed.name is None for listed in self.images)

    def _refuse(self, fault: str) -> NoReturn:
        raise DomainError(f"{self.where} {fault}")


class Stems(Source):
    """A source whose images are named without their ending."""

    def _places(self, image: str) -> list[int]:
        return self._names.like(PurePosixPath(picture_key(image)).with_suffix("").as_posix())


def keys_of(attributes: Mapping[str, Any]) -> set[str]:
    """What is told of a thing, and whether its size is a word."""
    return {*map(str, attributes), *([SIZE_IN_WORDS] if isinstance(attributes.get("size"), str) else [])}


def notes_on(remarks: Sequence[str], *, boxes: int, images: int) -> tuple[str, ...]:
    """What was done to so many boxes, and to their images' sizes, to make them fit."""
    notes = (remark.format(n, images if remark in OF_IMAGES else boxes) for remark, n in Counter(remarks).items())
    alone = ("1 of 1 images", "the image"), ("1 of 1 boxes have", "the box has"), ("1 of 1 boxes", "the box")
    return tuple(reduce(lambda note, pair: note.replace(*pair), alone, note) for note in notes)


def unread(field: str) -> str:
    """The remark on a field that nothing is made of."""
    name = json.dumps(field, ensure_ascii=False)[:50].replace("{", "{{").replace("}", "}}")
    return f"{{}} of {{}} boxes have {name}, which is not read"


def _within(box: Corners, place: str, form: str, size: tuple[int, int], cuts: list[str]) -> Corners:
    """The box cut off at the picture's rim; a remark if that takes something from it."""
    left, top, right, bottom = box
    if right - left < LEAST or bottom - top < LEAST:
        unit = "in pixels" + ", not in shares of the picture" * (max(right, bottom) <= SHARE and form != MIDDLES)
        raise DomainError(
            f"{place} is {right - left:g} wide and {bottom - top:g} high, less than a pixel: "
            f"{form} was expected, {unit}"
        )
    if left >= 0 and top >= 0 and right <= size[0] and bottom <= size[1]:
        return box
    cut = max(left, 0.0), max(top, 0.0), min(right, float(size[0])), min(bottom, float(size[1]))
    if min(cut[2] - cut[0], cut[3] - cut[1]) < LEAST:
        raise DomainError(
            f"{place}, from {left:g}, {top:g}, {right:g}, {bottom:g} as {CORNERS}, lies outside of the picture, "
            f"which is {size[0]}x{size[1]} pixels: boxes are in the upright picture's own pixels"
        )
    if max(-left, -top, right - size[0], bottom - size[1]) > ROUNDING:
        cuts.append(CUT)
    return cut


def _may_be(key: Key, image: str) -> bool:
    """Whether the picture of that name has that id: the number that its name is, or its name with or without ending."""
    name = picture_key(image).rpartition("/")[2]
    stem = name.rpartition(".")[0]
    return key in (name, stem) if isinstance(key, str) else stem.isdecimal() and int(stem) == key


def _are_corners(span: tuple[float, ...], size: tuple[int, int]) -> bool:
    """Whether boxes that reach so far are corners in a picture of that size, and cannot be what they should be."""
    if not span:
        return False
    sides, spare = ((1, 1), 0.01) if span[4] else (size, LEAST)
    within = all(end <= side + spare for end, side in zip(span[:2], sides, strict=True))
    return within and any(end > REACH * side for end, side in zip(span[2:4], sides, strict=True))
