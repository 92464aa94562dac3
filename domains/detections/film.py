"""MOT: a line a box, `frame, track, left, top, width, height, confidence, class, visibility`; and the frames of a film,
whose pictures have their numbers as names. Frames and pixels are counted from 1, by a tracker that has a frame 0 both
from 0. What is -1 is not told."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from predinet_prolog.domains.detections.classes import Classes
from predinet_prolog.domains.detections.fields import Key, numbers_of
from predinet_prolog.domains.detections.table import SIDES, Listed, Row, Source, unread
from predinet_prolog.domains.errors import DomainError
from predinet_prolog.domains.names import picture_key

FORM = "MOT has frame, track, left, top, width, height[, confidence, class, visibility], with commas; YOLO has blanks"
ASIDE = "{} of {} boxes left out: in MOT's ground truth a confidence of 0 is of what is not to be considered"


@dataclass(frozen=True)
class Film(Source):
    """Frames by their numbers, which are those of their pictures' names."""

    def missing(self, pictures: Sequence[str]) -> list[str]:
        """Not known: a frame has a number."""
        return []

    def check_pictures(self, pictures: Sequence[str]) -> None:
        """DomainError, too, where frames are counted from 0 and pictures from 1, or the other way round."""
        super().check_pictures(pictures)
        numbers = [number for number in map(_number_of, pictures) if number is not None]
        if len(pictures) > 1 and (0 in self._frames) != (0 in numbers) and 0 in (min(self._frames), min(numbers)):
            first = min(self._frames), min(numbers)
            self._refuse(f"counts frames from {first[0]}, and the pictures' names count from {first[1]}: change one")

    def _places(self, image: str) -> list[int]:
        number = _number_of(image)
        return [self._frames[number]] if number in self._frames else []

    @cached_property
    def _frames(self) -> Mapping[Any, int]:
        return {listed.key: place for place, listed in enumerate(self.images)}


def frames_of(where: str, entries: Iterable[tuple[int, Key, Any]], sides: Mapping[str, Any]) -> list[Listed]:
    """The frames of entries, each with its number and its frame's."""
    frames: dict[Key, Listed] = {}
    for number, frame, record in entries:
        frames.setdefault(frame, Listed(where, f"frame {frame}", "", frame, sides)).entries.append((number, record))
    return list(frames.values())


def of_text(text: str, where: str, classes: Classes, sides: Mapping[str, Any]) -> Film:
    """What a file says; `sides`: the width and height of its pictures, where they are said."""
    entries = []
    for number, line in enumerate(text.splitlines()):
        if not line.strip():
            continue
        numbers = numbers_of(line.split(","), f"line {number + 1} of {where}", FORM)
        if len(numbers) < 6:
            raise DomainError(f"line {number + 1} of {where} has fewer than six numbers: {FORM}")
        if not (numbers[0].is_integer() and numbers[0] >= 0 and numbers[1].is_integer()):
            raise DomainError(f"line {number + 1} of {where} has no frame or no track, a whole number: {FORM}")
        entries.append((number, int(numbers[0]), numbers))
    ids = {int(values[7]) for _, _, values in entries if len(values) > 7 and values[7].is_integer()} - {-1}
    flagged = all(len(values) > 6 and values[6] in (0, 1) for *_, values in entries)
    reader = partial(_read, 0 if any(frame == 0 for _, frame, _ in entries) else 1, flagged)
    frames = frames_of(where, entries, sides)
    return Film(where, frames, "line {1} of {0}", reader, classes.meant_by(ids, where), sparse=True)


def _read(start: int, flagged: bool, values: Sequence[float], place: str) -> Row | str:  # flags are no scores
    _, track, left, top, width, height, *more = values
    score, category, visibility = [*more, -1.0, -1.0, -1.0][:3]
    if flagged and not score:
        return ASIDE
    remarks = []
    if not category.is_integer() or any(value != -1 for value in more[3:]):
        remarks, category, visibility = [unread("x, y, z")], -1, -1
    attributes = {} if visibility == -1 else {"visibility": visibility}
    key, sure = None if category == -1 else int(category), None if score == -1 else score
    box = [left - start, top - start, width, height]
    return Row(box, SIDES, None, key, None, sure, None if track == -1 else int(track), attributes, remarks=remarks)


def _number_of(image: str) -> int | None:
    """The last whole number in a picture's name."""
    numbers = re.findall(r"[0-9]{1,18}", picture_key(image).rpartition("/")[2].rpartition(".")[0])
    return int(numbers[-1]) if numbers else None
