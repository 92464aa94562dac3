"""From pictures of any size to scenes: things are found, each is looked at in a glimpse."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from predinet_prolog.bridge.errors import PerceiverError
from predinet_prolog.bridge.finding.finders import Found, NetworkFinder, logistic
from predinet_prolog.bridge.finding.poses import block_of
from predinet_prolog.bridge.glimpses.inside import look_inside
from predinet_prolog.bridge.glimpses.inspecting import inspect
from predinet_prolog.bridge.glimpses.parts import parts_of
from predinet_prolog.bridge.glimpses.thin import is_thin, line_colour, thickened
from predinet_prolog.bridge.perceiving.given import Given, scene_of
from predinet_prolog.bridge.scene import FloatArray, Scene, Thing, reading_order
from predinet_prolog.domains.domain import Pixels
from predinet_prolog.neural.glimpses.config import SIDE
from predinet_prolog.neural.glimpses.cutting import Floats, cut, resampled, squares_of
from predinet_prolog.neural.glimpses.ground import fit_plane
from predinet_prolog.neural.glimpses.model import GlimpseModel

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

    def perceive(self, pictures: Sequence[Pixels], given: Sequence[Given | None] = ()) -> list[Scene]:
        """A scene of each of `pictures`, (H, W, 3), 0–255; `given` tells the things of one, None: they are found."""
        pairs = zip(pictures, given or [None] * len(pictures), strict=True)
        return [self._seen(picture, told) for picture, told in pairs]

    def check_boxes(self) -> None:
        """Takes all: what is compared may be found by others."""

    def _seen(self, picture: Pixels, given: Given | None) -> Scene:
        block = block_of(picture)
        picture = picture[::block, ::block]
        if given is None:
            return self._found(picture).enlarged(block)
        return replace(self._compared(picture, given), block=block)

    def _found(self, picture: Pixels) -> Scene:
        found = self._finder.find(picture)
        order = reading_order(found.boxes)
        place = {int(old): new for new, old in enumerate(order)}
        ordered = found.boxes[order]
        plane = fit_plane(picture)
        objects: list[Thing] = []
        if len(ordered):
            glimpses = cut(picture, plane, ordered)
            mask, coordinates = self.model.graph.compare(glimpses)
            objects = _objects(glimpses, ordered, logistic(mask), coordinates)
            objects = self._with_lines(picture, plane, objects, logistic(mask))
            if self.model.config.inside:
                objects = self._with_inside(picture, ordered, objects)
        touching = sorted(tuple(sorted((place[a], place[b]))) for a, b in found.touching)
        height, width = picture.shape[:2]
        inspection = inspect(picture, found, plane)
        pairs = tuple((a, b) for a, b in touching)
        return Scene(tuple(objects), inspection, (width, height), touching=pairs)

    def _compared(self, picture: Pixels, given: Given) -> Scene:
        """The scene that was told, with what the model sees of its things; `picture` may be smaller than the one whose
        places were told."""
        told = scene_of(given)
        scale = np.tile([given.size[0] / picture.shape[1], given.size[1] / picture.shape[0]], 2)
        boxes, plane = told.boxes / scale, fit_plane(picture)
        inspection = inspect(picture, Found(boxes), plane)
        if not told.things:
            return replace(told, inspection=inspection)
        glimpses = cut(picture, plane, boxes)
        masks = [_mask_of(thing, square * scale) for thing, square in zip(told.things, squares_of(boxes), strict=True)]
        for glimpse, mask in zip(glimpses, masks, strict=True):
            if mask is not None:  # what is not the thing is ground
                glimpse[:3] -= (1 - mask) * glimpse[3:6] / 2
                glimpse[3:6] *= mask
        guesses, coordinates = self.model.graph.compare(glimpses)
        shown = [logistic(guess) if mask is None else mask for guess, mask in zip(guesses, masks, strict=True)]
        colours = _colours(glimpses, np.array(shown))
        things = [
            replace(thing, colour=colour, coordinates=place)
            for thing, colour, place in zip(told.things, colours, coordinates, strict=True)
        ]
        if self.model.config.inside:
            things = self._with_inside(picture, boxes, things, scale)
        return replace(told, things=tuple(things), inspection=inspection)

    def _with_lines(
        self, picture: Pixels, plane: NDArray[np.floating], objects: list[Thing], mask: FloatArray
    ) -> list[Thing]:
        """`objects`, whose glimpses have the `mask` (n, SIDE, SIDE), 0–1, with colours of those of thin lines as their
        own pixels have them."""
        boxes, axes = np.array([thing.box for thing in objects]), list(self.model.config.of_group("colour"))
        thin = np.flatnonzero(is_thin(boxes, mask))
        boxes = boxes[thin]
        guesses, coordinates = self.model.graph.compare(thickened(picture, plane, boxes))
        mended = list(objects)
        for number, box, guess, lines in zip(thin.tolist(), boxes, logistic(guesses), coordinates, strict=True):
            place = mended[number].coordinates.copy()
            place[axes] = lines[axes]
            mended[number] = replace(mended[number], colour=line_colour(picture, plane, box, guess), coordinates=place)
        return mended

    def _with_inside(
        self, picture: Pixels, boxes: FloatArray, objects: list[Thing], scale: FloatArray | float = 1.0
    ) -> list[Thing]:
        """`objects` of `boxes` (n, 4), with what is on them as parts, whose places are `scale` times those in the
        picture. On the axes they lie where that lies in the mean, on the last at how many it is; where nothing is on
        them, where they lie themselves."""
        inside = look_inside(self._finder, picture, boxes)
        mask, coordinates = self.model.graph.compare(inside.glimpses)
        seen = _objects(inside.glimpses, inside.boxes, logistic(mask), coordinates)
        told = []
        for host, thing in enumerate(objects):
            own = np.flatnonzero(inside.host == host)
            at = np.mean([seen[each].coordinates for each in own], axis=0) if len(own) else thing.coordinates
            parts = tuple(
                replace(seen[each], name=f"pa_{each}", box=seen[each].box * scale, coordinates=np.empty(0), parts=())
                for each in own
            )
            told.append(replace(thing, coordinates=np.append(at, len(own)), parts=parts))
        return told

    @cached_property
    def _finder(self) -> NetworkFinder:
        groups = self.model.config.groups
        shape = self.model.config.of_group("shape") if "shape" in groups else ()
        return NetworkFinder(self.model.graph, shape, patches=self.model.domain.joined)


def _objects(glimpses: Floats, boxes: FloatArray, mask: FloatArray, coordinates: FloatArray) -> list[Thing]:
    """What the `glimpses` (n, 7, SIDE, SIDE) of `boxes` (n, 4) show, where the `mask` (n, SIDE, SIDE), 0–1, is."""
    squares, pixels = squares_of(boxes), _pixels(glimpses)
    colours = _colours(glimpses, mask)
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
        objects.append(Thing(f"ob_{number}", box, colours[number], coordinates[number], tuple(parts)))
    return objects


def _colours(glimpses: Floats, mask: FloatArray) -> list[tuple[int, int, int]]:
    """The mean colour of what the `glimpses` (n, 7, SIDE, SIDE) show where the `mask` (n, SIDE, SIDE), 0–1, is."""
    # Pixels of the rim are mixed with the ground's colour: they count where there are no others.
    inner = ndimage.binary_erosion(mask > 0.5, np.ones((1, 3, 3)), iterations=2)
    weight = (inner + 1e-3 * (mask > 0.5) * mask + 1e-9 * mask + 1e-12)[..., None]
    colours = ((_pixels(glimpses) * weight).sum(axis=(1, 2)) / weight.sum(axis=(1, 2))).round().astype(int)
    return [(red, green, blue) for red, green, blue in colours.tolist()]


def _pixels(glimpses: Floats) -> Floats:
    """(n, SIDE, SIDE, 3): their colours, 0–255."""
    pixels: Floats = np.rint((glimpses[:, :3].transpose(0, 2, 3, 1) + 1) * 128)
    return pixels


def _mask_of(thing: Thing, square: FloatArray) -> Floats | None:
    """(SIDE, SIDE): how much of each pixel of a glimpse of `square` (4,) is the thing's, 0–1; None where no mask was
    told, or an empty one."""
    if thing.region is None or not thing.region.any():
        return None
    corner = np.tile(np.floor(thing.box[:2]), 2)
    framed = np.pad(thing.region.astype(np.uint8) * 255, 1)  # nothing goes on beyond it
    mask: Floats = resampled(framed, (square - corner + 1)[None])[0].astype(np.float32) / 255
    return mask
