"""What was told of a picture's things by a detector or an annotator: a scene follows from it without a pixel."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from predinet_prolog.bridge.errors import BoxesError
from predinet_prolog.bridge.matching import overlaps
from predinet_prolog.bridge.scene import Scene, Thing, reading_order
from predinet_prolog.domains.detections import Detected, Detection, Source
from predinet_prolog.domains.domain import Inspection, Pixels
from predinet_prolog.domains.errors import DomainError
from predinet_prolog.domains.zones import Zones

MOST = 200
"""Things of a picture that are compared, at most: it takes two seconds. Without a look there may be any number."""
WEAK = "{} of {} things with a score below {:g} left out"
DOUBLE = "{} of {} things of one category that overlap a surer one by more than {:g} left out"


@dataclass(frozen=True, eq=False)
class Given:
    """The things of a picture, as somebody tells them."""

    things: tuple[Detection, ...]
    size: tuple[int, int]
    """Width and height of the picture, which their places are in."""
    notes: tuple[str, ...] = ()
    """What was done to them, that the user should know of."""
    keys: frozenset[str] = frozenset()
    """The attributes that are told of things, of this picture or of others."""
    categories: frozenset[str] = frozenset()
    """What things may be, whether one is or not."""
    ground: tuple[tuple[int, str, int], ...] = ()
    """By their numbers in the file, how they lie on the ground."""

    @cached_property
    def sha256(self) -> str:
        """Of all that was told, 64 hexadecimal digits."""
        digest = hashlib.sha256(repr(sorted(self.keys)).encode("utf-8", "replace"))
        for thing in self.things:
            values = [getattr(thing, name) for name in ("index", "box", "category", "score", "track")]
            digest.update(repr([*values, dict(thing.attributes), dict(thing.keypoints)]).encode("utf-8", "replace"))
            if thing.outline is not None:
                digest.update(np.packbits(thing.outline.mask(thing.box)).tobytes())
        digest.update(repr(self.ground).encode() if self.ground else b"")
        return digest.hexdigest()


@dataclass(frozen=True)
class Choice:
    """Which of the things that a detector tells are taken."""

    least_score: float | None = None
    """None: all; a thing without a score is always taken."""
    overlap: float | None = None
    """Of one category, what overlaps a surer one by more (intersection over union) is left out; None: all stay."""
    some: bool = False
    """Whether none at all is a mistake."""

    def of(self, detected: Detected, size: tuple[int, int]) -> Given:
        """Those of a picture of that width and height."""
        things, notes = detected.things, detected.notes
        if (least := self.least_score) is not None:
            kept = tuple(thing for thing in things if thing.score is None or thing.score >= least)
            if len(kept) < len(things):
                notes = (*notes, WEAK.format(len(things) - len(kept), len(things), least))
            things = kept
        if self.overlap is not None and (double := doubles(things, self.overlap)):
            notes = (*notes, DOUBLE.format(len(double), len(things), self.overlap))
            things = tuple(thing for place, thing in enumerate(things) if place not in double)
        return Given(things, size, notes, ground=detected.ground)


ALL = Choice()


def given_by(
    source: Source, picture: str, size: tuple[int, int], choice: Choice = ALL, *, looked: bool = True
) -> Given:
    """What the source tells of the picture of that name and size; `looked`: its things will be compared.

    Raises BoxesError, which says which entry is wrong and what to do.
    """
    try:
        given = choice.of(source.of(picture, size), size)
        given = replace(given, keys=source.keys, categories=source.categories)
    except DomainError as error:
        raise BoxesError(str(error)) from None
    count, where = len(given.things), source.where
    if choice.some and not count:
        raise BoxesError(f"{where} has no box for {picture}: give one at least, or none to have its things found")
    if looked and count > MOST:
        remedy = "crop the picture, ask by --no-look what needs no pixels, or take the surest by --min-score"
        raise BoxesError(f"{where} has {count} boxes for {picture}: at most {MOST} are taken; {remedy}")
    return given


def doubles(things: Sequence[Detection], overlap: float) -> set[int]:
    """The places of things that overlap a surer one of their category by more than that: non-maximum suppression.
    What has no score is as sure as can be."""
    boxes = np.array([thing.box for thing in things]).reshape(-1, 4)
    order = sorted(range(len(things)), key=lambda place: -1.0 if (s := things[place].score) is None else -s)
    out: set[int] = set()
    for rank, place in enumerate(order):
        if place not in out:
            rest = [other for other in order[rank + 1 :] if things[other].category == things[place].category]
            shares = overlaps(boxes[[place]], boxes[rest])[0]
            out |= {other for other, share in zip(rest, shares, strict=True) if share > overlap}
    return out


def scene_of(given: Given, zones: Zones | None = None) -> Scene:
    """The scene that was told, of which nothing was looked at; from top to bottom, then from left to right."""
    boxes = np.array([thing.box for thing in given.things], dtype=np.float64).reshape(-1, 4)
    places = reading_order(boxes).tolist()
    things = tuple(
        Thing(
            f"ob_{number}",
            boxes[place],
            None,
            np.empty(0),
            category=thing.category,
            score=thing.score,
            track=thing.track,
            attributes=thing.attributes,
            keypoints=thing.keypoints,
            source=thing.index,
            outline=thing.outline,
        )
        for number, (place, thing) in enumerate((place, given.things[place]) for place in places)
    )
    number_of = {thing.source: number for number, thing in enumerate(things)}
    kept = ((number_of.get(a), way, number_of.get(b)) for a, way, b in given.ground)
    ground = sorted((a, way, b) for a, way, b in kept if a is not None and b is not None)
    unseen = Inspection(0.0, None, 0.0)
    return Scene(things, unseen, given.size, given=True, keys=given.keys, ground=tuple(ground), zones=zones)


@dataclass(frozen=True)
class GivenPerceiver:
    """Takes what was told, and looks at no pixel."""

    model: object = None
    batch: ClassVar[int] = 64

    def perceive(self, pictures: Sequence[Pixels], given: Sequence[Given | None] = ()) -> list[Scene]:
        """The scene that was told of each of the pictures."""
        return [scene_of(things) for things in given if things is not None]
