"""The table that every reader fills: the things of a picture, laid into its pixels, each with what is told of it.

A reader lists which pictures a file speaks of and where; a thing is read when its picture is asked for, whose size is
known then. Whatever is wrong is a DomainError of one line that names the file, the entry in it, and what to do.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite
from types import MappingProxyType
from typing import Any, NoReturn, Protocol

from domains.detections.outlines import Corners, Outline, is_number
from domains.errors import DomainError
from domains.names import Names, picture_key

LEAST = 1.0
"""Pixels that a box is wide and high, at least: boxes in shares of the picture are less."""
SHARE = 1.1
"""A picture whose boxes all end before this pixel has its boxes in shares; detectors write up to 1.0021."""
ROUNDING = 0.01
"""Pixels over the rim that are no cut: shares are written with six digits, and numbers of 32 bits end there."""
REACH = 1.1
"""Shares of the picture: sides that reach so far, where as corners they would not, are corners."""
NAMED = 5
"""Images of a file that an error names."""
CORNERS, SIDES = "[left, top, right, bottom]", "[left, top, width, height]"
CURE = "give each box its file_name, or COCO's images with theirs"
CUT = "{} of {} boxes reached over the picture's rim: cut off there"
NO_SIZE = "{} of {} images with null as width or height in the file of boxes: not compared"
TEXT_SIZE = "{} of {} images with a text as width or height in the file of boxes: read as a number"
OF_IMAGES = (NO_SIZE, TEXT_SIZE)
Key = int | str
Scalar = str | int | float | bool
_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,18})(\.0+)?")
_NOTHING: Mapping[str, Any] = MappingProxyType({})


def _nothing() -> Mapping[str, Any]:
    return _NOTHING


@dataclass(frozen=True, eq=False, slots=True)
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
    attributes: Mapping[str, Scalar] = field(default_factory=_nothing)
    keypoints: Mapping[str, tuple[float, float]] = field(default_factory=_nothing)
    """By their names, x and y in pixels."""
    outline: Outline | None = None


@dataclass(frozen=True, eq=False)
class Detected:
    """The things of one picture or frame."""

    things: tuple[Detection, ...]
    remarks: tuple[str, ...] = ()
    """What was left out or changed, a template of `notes_on` each time."""
    entries: int = 0
    """How many things the file tells of it, those that were left out too."""

    @property
    def notes(self) -> tuple[str, ...]:
        """The remarks, one line a kind with its count."""
        return notes_on(self.remarks, boxes=self.entries, images=1)


class Source(Protocol):
    """What says where things are in pictures."""

    @property
    def where(self) -> str:
        """What errors call it."""
        ...

    def of(self, picture: str, size: tuple[int, int]) -> Detected:
        """The things of the picture of that name, which is so many pixels wide and high, upright. DomainError unless
        it is certain whose they are."""
        ...

    def pictures(self) -> Sequence[str] | None:
        """The names of the files that it speaks of; None: not known."""
        ...

    def check_pictures(self, pictures: Sequence[str]) -> None:
        """DomainError unless it says which of the `pictures`, which are seen together, its things are of."""
        ...


@dataclass(frozen=True)
class Listed:
    """An image that a file speaks of."""

    place: str
    name: str | None
    """Of its file; None: nothing says it."""
    key: Key | None = None
    sides: Mapping[str, Any] = field(default_factory=dict)
    entries: list[tuple[int, Any]] = field(default_factory=list)
    """Its things, as they are written, with their numbers in the file."""


class Canvas:
    """A picture of so many pixels that things are laid into, with remarks on what was done to them."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.remarks: list[str] = []
        self.cut = 0

    def sides(self, values: object, place: str) -> Corners:
        """The box of left, top, width and height in pixels."""
        left, top, width, height = _four(values, place, f'"bbox": {SIDES}')
        return self._within(left, top, left + width, top + height, place, f'"bbox": {SIDES}')

    def corners(self, values: object, place: str, form: str = CORNERS) -> Corners:
        """The box of left, top, right and bottom in pixels."""
        return self._within(*_four(values, place, form), place, form)

    def _within(self, left: float, top: float, right: float, bottom: float, place: str, form: str) -> Corners:
        if right - left < LEAST or bottom - top < LEAST:
            in_pixels = "in pixels" if max(right, bottom) > SHARE else "in pixels, not in shares of the picture"
            raise DomainError(
                f"{place} is {right - left:g} wide and {bottom - top:g} high, less than a pixel: "
                f"{form} was expected, {in_pixels}"
            )
        if left >= 0 and top >= 0 and right <= self.width and bottom <= self.height:
            return left, top, right, bottom
        cut = max(left, 0.0), max(top, 0.0), min(right, float(self.width)), min(bottom, float(self.height))
        if min(cut[2] - cut[0], cut[3] - cut[1]) < LEAST:
            raise DomainError(
                f"{place}, from {left:g}, {top:g}, {right:g}, {bottom:g} as {CORNERS}, lies outside of the picture, "
                f"which is {self.width}x{self.height} pixels: boxes are in the upright picture's own pixels"
            )
        self.cut += max(-left, -top, right - self.width, bottom - self.height) > ROUNDING
        return cut


Reader = Callable[[int, Any, Canvas], Detection | None]
"""Reads a thing of that number, as it is written; None, with a remark, for what is left out."""


@dataclass(frozen=True)
class Listing:
    """A source that lists its images."""

    where: str
    images: Sequence[Listed]
    read: Reader
    sides: Callable[[Any], Any] | None = None
    """Where boxes are `SIDES`: those of a thing as it is written."""

    def of(self, picture: str, size: tuple[int, int]) -> Detected:
        """The things of the picture of that name and size; DomainError unless it is certain which those are."""
        return self.things(self.called(picture), size)

    def pictures(self) -> Sequence[str] | None:
        """The names of its images; None where one has none."""
        return None if self._nameless else [str(listed.name) for listed in self.images]

    def things(self, listed: Listed, size: tuple[int, int]) -> Detected:
        """The things of an image, within a picture of that width and height."""
        canvas = Canvas(*size)
        canvas.remarks += self._compare(listed, size)
        things = [self.read(number, record, canvas) for number, record in listed.entries]
        detections = tuple(thing for thing in things if thing is not None)
        if detections and all(max(thing.box[2:]) <= SHARE for thing in detections) and max(size) > 2:
            raise DomainError(
                f"{detections[0].place}: all boxes of the picture end at 1, which is shares of it: "
                "multiply them by its width and height"
            )
        if self.sides is not None and (_are_corners(self._spans, size) or _are_corners(self._span(listed), size)):
            raise DomainError(
                f"{listed.place}: the boxes reach far out of the picture, which is {size[0]}x{size[1]} pixels, and "
                f"would not if they were {CORNERS}: write them as {SIDES}"
            )
        return Detected(detections, (*canvas.remarks, *[CUT] * canvas.cut), len(listed.entries))

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

    def _compare(self, listed: Listed, size: tuple[int, int]) -> Iterable[str]:
        """Remarks on the width and height that it says; DomainError unless they are `size`, that of the picture."""
        remarks = dict[str, None]()
        for side, length in zip(("width", "height"), size, strict=True):
            value = number = listed.sides.get(side, length)
            if value is None:
                remarks[NO_SIZE] = None
                continue
            if isinstance(value, str) and _WHOLE.fullmatch(value):
                remarks[TEXT_SIZE] = None
                number = float(value)
            if isinstance(number, bool) or number != length:
                raise DomainError(
                    f"{listed.place}: {listed.name} is {size[0]}x{size[1]} pixels upright, not of "
                    f"{side} {json.dumps(value)[:50]}: annotate the image as it is shown"
                )
        return remarks

    def _span(self, *images: Listed) -> tuple[float, ...]:
        """How far sides reach as corners, and as sides: x, y, x, y; () where one cannot be corners."""
        assert self.sides is not None
        reach = [0.0] * 4
        for listed in images:
            for _, record in listed.entries:
                values = self.sides(record)
                if not (isinstance(values, list | tuple) and len(values) == 4 and all(map(is_number, values))):
                    continue
                left, top, right, bottom = values
                if right <= left or bottom <= top:
                    return ()
                reach = list(map(max, reach, (right, bottom, left + right, top + bottom)))
        return tuple(reach)

    @cached_property
    def _spans(self) -> tuple[float, ...]:
        return self._span(*self.images)

    @cached_property
    def _names(self) -> Names:
        return Names(str(listed.name) for listed in self.images)

    @cached_property
    def _nameless(self) -> bool:
        return any(listed.name is None for listed in self.images)

    def _refuse(self, fault: str) -> NoReturn:
        raise DomainError(f"{self.where} {fault}")


def notes_on(remarks: Iterable[str], *, boxes: int, images: int) -> tuple[str, ...]:
    """What was done to so many boxes, and to their images' sizes, to make them fit."""
    counts = Counter(remarks).items()
    return tuple(remark.format(count, images if remark in OF_IMAGES else boxes) for remark, count in counts)


def key_in(record: object, name: str, place: str) -> Key:
    """The id in that field: 1, 1.0, "1" and "1.0" are one."""
    value = record.get(name) if isinstance(record, dict) else None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, bool) or not isinstance(value, Key):
        raise DomainError(f"{place}: {must_be(name, value, int, str)}")
    return int(value.partition(".")[0]) if isinstance(value, str) and _WHOLE.fullmatch(value) else value


def text_in(record: object, name: str, place: str) -> str:
    """The text in that field."""
    value = record.get(name) if isinstance(record, dict) else None
    if not isinstance(value, str):
        raise DomainError(f"{place}: {must_be(name, value, str)}")
    return value


def score_of(value: object, place: str) -> float | None:
    """How sure the detector is; None where nothing says it."""
    if value is None:
        return None
    if not (is_number(value) and 0 <= value <= 1):  # type: ignore[operator]
        raise DomainError(f"{place}: its score must be a number from 0 to 1, not {json.dumps(value)[:50]}")
    return float(value)  # type: ignore[arg-type]


def attributes_of(values: Mapping[str, object], place: str) -> Mapping[str, Scalar]:
    """Those that are told: null is not."""
    for name, value in values.items():
        if not (value is None or isinstance(value, str | bool | int) or (type(value) is float and isfinite(value))):
            told = json.dumps(value, default=str)[:50]
            raise DomainError(f"{place}: {name} must be a text, a number, true, false or null, not {told}")
    return {name: value for name, value in values.items() if value is not None}  # type: ignore[misc]


def must_be(name: str, value: object, *kinds: type) -> str:
    """The fault of a field that is of none of those kinds."""
    wanted = {str: "text", int: "a whole number", dict: "an object"}
    return f"{name} must be {' or '.join(wanted[kind] for kind in kinds)}, not {json.dumps(value)[:50]}"


def _titles(image: str) -> tuple[str, ...]:
    """What the picture of that name may be called: its name, with and without its ending."""
    name = picture_key(image).rpartition("/")[2]
    return name, name.rpartition(".")[0]


def _are_corners(span: tuple[float, ...], size: tuple[int, int]) -> bool:
    """Whether sides, which reach so far, can be no sides in a picture of that size, but corners."""
    within = span and all(end <= length + LEAST for end, length in zip(span[:2], size, strict=True))
    return bool(within) and any(end > REACH * length for end, length in zip(span[2:], size, strict=True))


def _four(values: Any, place: str, form: str) -> Corners:
    """Four numbers that are none of them far outside of every picture."""
    if not (isinstance(values, list | tuple) and len(values) == 4 and all(map(is_number, values))):
        raise DomainError(f"{place} is not four numbers: {form} was expected, in pixels")
    left, top, right, bottom = values
    if not (abs(left) < 1e9 and abs(top) < 1e9 and abs(right) < 1e9 and abs(bottom) < 1e9):  # NaN is not, either
        raise DomainError(f"{place} has a number that is none, or too large: {form} was expected, in pixels")
    return float(left), float(top), float(right), float(bottom)
