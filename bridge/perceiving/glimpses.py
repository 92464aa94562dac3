"""From pictures of any size to scenes: things are found, each is looked at in a glimpse.

A picture is laid one way before: however it was enlarged, turned or mirrored, the same is found, and its colours are
the same. Shape and look are seen as the picture lies, for a thing that is turned has another shape.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.bridge.finding.finders import Found, NetworkFinder
from predinet_prolog.bridge.finding.poses import Pose, block_of, pose_of
from predinet_prolog.bridge.glimpses.inside import inspected, look_inside, with_sheets
from predinet_prolog.bridge.glimpses.inspecting import inspect
from predinet_prolog.bridge.glimpses.parts import parts_of
from predinet_prolog.bridge.glimpses.thin import is_thin, line_colour, thickened
from predinet_prolog.bridge.perceiving.given import Given, scene_of
from predinet_prolog.bridge.scene import FloatArray, IntArray, Scene, Thing, reading_order
from predinet_prolog.domains.domain import Inspection, Pixels
from predinet_prolog.imaging import ndimage
from predinet_prolog.neural.glimpses.config import SIDE
from predinet_prolog.neural.glimpses.cutting import Floats, alone, cut, resampled, squares_of
from predinet_prolog.neural.glimpses.graph import UPRIGHT, logistic
from predinet_prolog.neural.glimpses.ground import fit_plane
from predinet_prolog.neural.glimpses.model import GlimpseModel

CLEAR = 0.5
"""Parts differ from the ground by more than this, as glimpses count it: 32 grey levels."""

LARGE = 16.0
"""Pixels along a side that a glimpse covers at least, for parts to be seen: what is smaller is all edges."""


@dataclass(frozen=True)
class GlimpsePerceiver:
    model: GlimpseModel
    batch: ClassVar[int] = 1

    def perceive(self, pictures: Sequence[Pixels], given: Sequence[Given | None] = ()) -> list[Scene]:
        """A scene of each of `pictures`, (H, W, 3), 0–255; `given` tells the things of one, None: they are found."""
        pairs = zip(pictures, given or [None] * len(pictures), strict=True)
        return [
            self._found(picture) if things is None else self._compared(picture, things) for picture, things in pairs
        ]

    def _found(self, picture: Pixels) -> Scene:
        block = block_of(picture)
        picture = picture[::block, ::block]
        size, pose = picture.shape[:2], pose_of(picture)
        laid = pose.laid(picture)
        finding, plane = self._finder.find(laid), fit_plane(laid)
        finding = with_sheets(laid, finding) if self.model.config.inside else finding
        inspection = inspect(laid, finding, plane, pose)
        things: list[Thing] = []
        if len(finding.boxes):
            glimpses = cut(laid, plane, finding.boxes)
            # What of a thing is like the ground, as a white figure's inside on paper, the comparator cannot tell.
            mask, coordinates = self._compare(glimpses, pose, np.nan if finding.masks is None else finding.masks)
            things = _things(glimpses, finding.boxes, mask, coordinates)
            things = self._with_lines(laid, plane, things, mask, pose)
            if self.model.config.inside:
                things, inspection = self._with_inside(laid, finding.boxes, things, pose, inspection)
        things, order = _restored(things, pose, size, block)
        place = np.argsort(order).tolist()
        touching = sorted((min(place[a], place[b]), max(place[a], place[b])) for a, b in finding.touching)
        named = _with_parts([replace(thing, name=f"ob_{at}") for at, thing in enumerate(things)], pose, size, block)
        whole = block * size[1], block * size[0]
        return Scene(named, inspection, whole, touching=tuple(touching), block=block)

    def _compared(self, picture: Pixels, given: Given) -> Scene:
        """The told scene, with what the model sees of its things; `picture` may be smaller than the one told of."""
        scene, block = scene_of(given), block_of(picture)
        picture = picture[::block, ::block]
        size, pose = picture.shape[:2], pose_of(picture)
        scale = np.tile([given.size[0] / size[1], given.size[1] / size[0]], 2)
        laid, boxes = pose.laid(picture), pose.laid_boxes(scene.boxes / scale, *size)
        plane = fit_plane(laid)
        scene = replace(scene, inspection=inspect(laid, Found(boxes), plane, pose), block=block)
        if not scene.things:
            return scene
        glimpses = cut(laid, plane, boxes)
        squares = squares_of(scene.boxes / scale) * scale
        masks = np.array([_mask_of(thing, square, pose) for thing, square in zip(scene.things, squares, strict=True)])
        glimpses = alone(glimpses, np.nan_to_num(masks, nan=1.0))
        mask, coordinates = self._compare(glimpses, pose, masks)
        colours = _colours(glimpses, mask)
        things = [
            replace(thing, colour=colour, coordinates=place)
            for thing, colour, place in zip(scene.things, colours, coordinates, strict=True)
        ]
        inspection = scene.inspection
        if self.model.config.inside:
            things, inspection = self._with_inside(laid, boxes, things, pose, inspection)
        return replace(scene, inspection=inspection, things=_with_parts(things, pose, size, scale))

    def _compare(self, glimpses: Floats, pose: Pose, masks: Floats | float = np.nan) -> tuple[FloatArray, FloatArray]:
        """Masks (n, SIDE, SIDE), 0–1, and co-ordinates (n, j) of `glimpses` of a picture in that pose; of `masks`, what
        is not a number is guessed."""
        mask, coordinates = self.model.graph.compare(glimpses, pose.restored(UPRIGHT), np.nan_to_num(masks))
        return np.where(np.isnan(masks), logistic(mask), masks), coordinates

    def _with_lines(
        self, picture: Pixels, plane: NDArray[np.floating], things: list[Thing], mask: FloatArray, pose: Pose
    ) -> list[Thing]:
        """`things`, whose glimpses have the `mask` (n, SIDE, SIDE), 0–1, thin lines in their own pixels' colours."""
        boxes, axes = np.array([thing.box for thing in things]), list(self.model.config.of_group("colour"))
        thin = np.flatnonzero(is_thin(boxes, mask))
        boxes = boxes[thin]
        guesses, coordinates = self._compare(thickened(picture, plane, boxes), pose)
        mended = list(things)
        for number, box, guess, lines in zip(thin.tolist(), boxes, guesses, coordinates, strict=True):
            place = mended[number].coordinates.copy()
            place[axes] = lines[axes]
            mended[number] = replace(mended[number], colour=line_colour(picture, plane, box, guess), coordinates=place)
        return mended

    def _with_inside(
        self, picture: Pixels, boxes: FloatArray, things: list[Thing], pose: Pose, inspection: Inspection
    ) -> tuple[list[Thing], Inspection]:
        """`things` of `boxes` (n, 4), with what is on them as parts, and the inspection of the picture. On the axes
        they lie where that lies in the mean, on the last at how many it is; where nothing is on them, where they lie
        themselves."""
        inside = look_inside(picture, boxes)
        masks = np.empty((len(inside.boxes), SIDE, SIDE))
        coordinates = np.empty((len(masks), things[0].coordinates.size))
        for upright, chosen in ((pose.straightened, True), (pose, False)):
            rows = inside.straight[inside.host] == chosen
            masks[rows], coordinates[rows] = self._compare(inside.glimpses[rows], upright)
        inner = _things(inside.glimpses, inside.boxes, masks, coordinates)
        hosts = []
        for host, thing in enumerate(things):
            parts = [inner[place] for place in np.flatnonzero(inside.host == host).tolist()]
            at = np.mean([part.coordinates for part in parts], axis=0) if parts else thing.coordinates
            bare = tuple(replace(part, coordinates=np.empty(0), parts=()) for part in parts)
            hosts.append(replace(thing, coordinates=np.append(at, len(parts)), parts=bare))
        return hosts, inspected(inspection, inside, coordinates, boxes, pose, picture.shape[:2])

    @cached_property
    def _finder(self) -> NetworkFinder:
        shape = self.model.config.of_group("shape") if "shape" in self.model.config.groups else ()
        patches = self.model.domain.joined and not self.model.config.inside  # what is looked into was taught whole
        return NetworkFinder(self.model.graph, shape, patches)


def _restored(
    things: Sequence[Thing], pose: Pose, size: tuple[int, int], scale: FloatArray | float
) -> tuple[list[Thing], IntArray]:
    """`things` of a picture of that height and width in that pose, as they lie in one `scale` times as large, and which
    was which, from top to bottom, then from left to right."""
    boxes = pose.restored_boxes(np.array([thing.box for thing in things]).reshape(-1, 4), *size) * scale
    order = reading_order(boxes)
    return [replace(things[place], box=boxes[place]) for place in order.tolist()], order


def _with_parts(things: list[Thing], pose: Pose, size: tuple[int, int], scale: FloatArray | float) -> tuple[Thing, ...]:
    """`things` with their parts restored and named one after the other."""
    numbers, parts = count(), [_restored(thing.parts, pose, size, scale)[0] for thing in things]
    named = [tuple(replace(part, name=f"pa_{next(numbers)}") for part in those) for those in parts]
    return tuple(replace(thing, parts=parts) for thing, parts in zip(things, named, strict=True))


def _things(glimpses: Floats, boxes: FloatArray, mask: FloatArray, coordinates: FloatArray) -> list[Thing]:
    """What the `glimpses` (n, 7, SIDE, SIDE) of `boxes` (n, 4) show, where the `mask` (n, SIDE, SIDE), 0–1, is; without
    names."""
    squares, pixels = squares_of(boxes), _pixels(glimpses)
    colours = _colours(glimpses, mask)
    visible = (mask > 0.5) & (np.abs(glimpses[:, 3:6]).max(axis=1) > CLEAR)
    things = []
    for number, box in enumerate(boxes):
        corner, unit = squares[number, [0, 1, 0, 1]], (squares[number, 2] - squares[number, 0]) / SIDE
        pieces = parts_of(pixels[number], visible[number]) if unit * SIDE >= LARGE else []
        parts = tuple(Thing("", corner + unit * inner, colour, np.empty(0)) for inner, colour in pieces)
        things.append(Thing("", box, colours[number], coordinates[number], parts))
    return things


def _colours(glimpses: Floats, mask: FloatArray) -> list[tuple[int, int, int]]:
    """The mean colour of what the `glimpses` (n, 7, SIDE, SIDE) show where the `mask` (n, SIDE, SIDE), 0–1, is."""
    # Pixels of the rim are mixed with the ground's colour: they count where there are no others.
    inner = ndimage.binary_erosion(mask > 0.5, np.ones((1, 3, 3)), iterations=2)
    weight = (inner + 1e-3 * (mask > 0.5) * mask + 1e-9 * mask + 1e-12)[..., None]
    colours = ((_pixels(glimpses) * weight).sum(axis=(1, 2)) / weight.sum(axis=(1, 2))).round().astype(int)
    return [(red, green, blue) for red, green, blue in colours.tolist()]


def _pixels(glimpses: Floats) -> Floats:
    """(n, SIDE, SIDE, 3): their colours, 0–255."""
    return np.asarray(np.rint((glimpses[:, :3].transpose(0, 2, 3, 1) + 1) * 128))


def _mask_of(thing: Thing, square: FloatArray, pose: Pose) -> Floats:
    """(SIDE, SIDE): how much of each pixel of a glimpse of `square` (4,) is the thing's, 0–1, laid in that pose; not a
    number where no mask was told, or an empty one."""
    if thing.region is None or not thing.region.any():
        return np.full((SIDE, SIDE), np.nan, dtype=np.float32)
    corner = np.tile(np.floor(thing.box[:2]), 2)
    framed = np.pad(thing.region.astype(np.uint8) * 255, 1)  # nothing goes on beyond it
    return pose.laid(resampled(framed, (square - corner + 1)[None])[0].astype(np.float32) / 255)
