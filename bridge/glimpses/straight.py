"""Things with four straight sides, as cards: sheets are found, and each is laid straight, however it lies."""

from dataclasses import dataclass

import numpy as np
from PIL import Image

from predinet_prolog.bridge.finding.instances import VOTING, boxes_of
from predinet_prolog.bridge.matching import areas_of, nested
from predinet_prolog.bridge.scene import BoolArray, FloatArray
from predinet_prolog.domains.domain import Pixels
from predinet_prolog.imaging import ndimage
from predinet_prolog.neural.glimpses.ground import Field, clearest, field, fit_plane, off_ground
from predinet_prolog.neural.glimpses.scales import UNLIKE, resized


@dataclass(frozen=True)
class Four:
    around: float = 0.06
    """Share of a thing's box that is seen around it: what the thing lies on tells where it ends."""
    apart: float = 0.5
    """A pixel is the thing's if it differs from what the thing lies on by this share of what most of it does."""
    beyond: float = 0.05
    """More than that share of it is not outside of its box: else that is what it lies on …"""
    covers: float = 0.4
    """… nor does it have less of its box: else it is on the thing."""
    filled: float = 0.9
    """Share that the thing has of the smallest rectangle around it: corners are cut round, cameras look aslant."""
    lean: float = 0.1
    """A side leans by so much of its length at most: more than a camera held aslant makes of it."""
    side: float = 0.36
    """A side is straight so far from its middle, by its length: round corners begin behind that."""
    fewest: int = 24
    """Pixels of an outline."""
    rim: float = 0.02
    """Share of the short side that is left out all around: what a thing lies on shines through at its rim."""
    most: int = 320
    """Pixels along the long side at most: more tell no more."""
    long: int = 600
    """Pixels along that of a picture in which sheets are sought: in fewer, gaps of a fiftieth of a card are none."""
    near: float = 0.25
    """Share of that within which paper is as bright: a lamp lights one end of a table more."""
    shares: tuple[float, ...] = (0.94, 0.9, 0.86, 0.8, 0.7)
    """What is brighter than such a share of the paper around is joined: what parts at none of the others may at one."""
    least: float = 0.004
    """A smaller share of the picture is a speck."""
    alike: float = 1.6
    """A sheet has at most so many times the usual area, and no smaller share of it: two of them side by side have 2."""


FOUR = Four()
_ANGLES = np.radians(np.arange(-45, 45, 0.5))
_ACROSS = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)])
_DOWN = np.stack([-np.sin(_ANGLES), np.cos(_ANGLES)])  # (2, angles)
Projection = FloatArray
"""(3, 3): from what was laid straight, in pixels, to the picture."""


def sheets_of(picture: Pixels) -> FloatArray:
    """(n, 4): boxes of the sheets that lie apart, by a few pixels, on the darker ground of `picture` (H, W, 3)."""
    small = resized(picture, min(FOUR.long / max(picture.shape[:2]), 1.0))
    light = small.min(axis=2).astype(np.float32)
    bright = (light > np.quantile(light, (0.05, 0.95)).mean()).astype(np.float32)
    reach = round(FOUR.near * max(light.shape))
    count, total = (ndimage.uniform_filter(part, reach, mode="constant") for part in (bright, light * bright))
    owner = np.zeros(light.shape, dtype=np.int64)
    for share in FOUR.shares:
        pieces, _ = ndimage.label(light * count > share * total)
        for piece, window in enumerate(ndimage.find_objects(pieces), start=1):
            here, sheets = pieces[window] == piece, owner[window]
            large = here.sum() >= FOUR.least * light.size
            one = large and len(np.unique(sheets[here & (sheets > 0)])) < 2
            if one and corners_of(np.pad(ndimage.binary_fill_holes(here), 1)) is not None:
                sheets[here] = owner.max() + 1
    boxes, size = boxes_of(owner), np.array(light.shape[::-1])
    boxes = boxes[((boxes[:, :2] > 0) | (boxes[:, 2:] < size)).all(axis=1)]  # not the ground between two things
    boxes = boxes[~nested(boxes, VOTING.inside).any(axis=1)]
    usual = areas_of(boxes) / np.median(areas_of(boxes)) if len(boxes) else np.zeros(0)
    boxes = boxes[abs(np.log(usual)) < np.log(FOUR.alike)]
    return np.asarray(boxes * max(picture.shape[:2]) / max(light.shape))


def laid_straight(picture: Pixels, box: FloatArray) -> tuple[Pixels, Projection] | None:
    """The thing in `box` (4,) of `picture` (H, W, 3); None: it has not four straight sides."""
    height, width = picture.shape[:2]
    slack = FOUR.around * (box[2:] - box[:2]).max() + 3
    left, top = np.floor(np.maximum(box[:2] - slack, 0)).astype(int)
    right, bottom = np.ceil(np.minimum(box[2:] + slack, (width, height))).astype(int)
    window, here = picture[top:bottom, left:right], box - (left, top, left, top)
    whole, within = _whole(off_ground(window, fit_plane(window)), here), _inside(here)
    size, share = whole[within].sum(), whole[within].mean()
    if whole.sum() > (1 + FOUR.beyond) * size or share < FOUR.covers:  # what is around are mostly others like it
        ground = field(fit_plane(picture), height, width, np.s_[top:bottom, left:right])
        whole = _whole(clearest(window - ground), here)
    inside = np.zeros_like(whole)
    inside[within] = whole[within]  # it may touch the next
    if (corners := corners_of(_largest(inside))) is None:
        return None
    long, short = np.hypot(*(corners[1] - corners[0])), np.hypot(*(corners[3] - corners[0]))
    scale, rim = min(FOUR.most / long, 1.0), FOUR.rim * short
    columns, rows = np.maximum(np.round((np.array([long, short]) - 2 * rim) * scale), 1).astype(int).tolist()
    back = _projection(long, short, corners) @ np.array([[1 / scale, 0, rim], [0, 1 / scale, rim], [0, 0, 1]])
    reduced = resized(window, scale)
    there = np.diag([reduced.shape[1] / window.shape[1], reduced.shape[0] / window.shape[0], 1]) @ back
    ratios = (there / there[2, 2]).ravel()[:8].tolist()
    straight = Image.fromarray(reduced).transform(
        (columns, rows), Image.Transform.PERSPECTIVE, ratios, Image.Resampling.BICUBIC
    )
    return np.asarray(straight), np.array([[1, 0, left], [0, 1, top], [0, 0, 1]]) @ back


def _whole(unlike: Field, box: FloatArray) -> BoolArray:
    """(h, w): the pixels of the thing in `box` (4,), and of all that is on it, by how far each is from the ground."""
    here = unlike[_inside(box)]
    most = float(np.median(here[here > UNLIKE])) if (here > UNLIKE).any() else 2 * UNLIKE
    return np.asarray(ndimage.binary_fill_holes(_largest(ndimage.binary_opening(unlike > FOUR.apart * most))))


def _largest(mask: BoolArray) -> BoolArray:
    """(h, w): the largest piece of `mask` (h, w)."""
    pieces, _ = ndimage.label(mask)
    return np.asarray(pieces == np.bincount(pieces.ravel(), minlength=2)[1:].argmax() + 1)


def _inside(box: FloatArray) -> tuple[slice, slice]:
    left, top, right, bottom = box.round().astype(int)
    return slice(max(top, 0), bottom), slice(max(left, 0), right)


def corners_of(whole: BoolArray) -> FloatArray | None:
    """(4, 2): corners of `whole` (h, w), the first two along a long side; None: it has not four straight sides."""
    y, x = np.nonzero(whole & ~ndimage.binary_erosion(whole))
    if len(x) < FOUR.fewest:
        return None
    points = np.stack([x, y], axis=1) + 0.5
    places = np.stack([points @ _ACROSS, points @ _DOWN])  # (2, points, angles)
    low, high = places.min(axis=1) - 0.5, places.max(axis=1) + 0.5  # (2, angles)
    best = int(np.argmin((high - low).prod(axis=0)))
    low, high, places = low[:, best], high[:, best], places[:, :, best]
    if whole.sum() < FOUR.filled * (high - low).prod():
        return None
    lines = []  # (a, b, c) of each side: a * across + b * down + c = 0
    for axis, ends, out in ((1, low, -0.5), (0, high, 0.5), (1, high, 0.5), (0, low, -0.5)):
        off, along = np.abs(places[axis] - ends[axis]), places[1 - axis]
        length, middle = high[1 - axis] - low[1 - axis], (high[1 - axis] + low[1 - axis]) / 2
        near = (off < FOUR.lean * length) & (np.abs(along - middle) < FOUR.side * length)
        if near.sum() < 2:
            return None
        slope, height = np.polyfit(along[near], places[axis][near] + out, 1)
        lines.append((slope, -1, height) if axis else (-1, slope, height))
    crossings = np.array([np.cross(lines[number - 1], lines[number]) for number in range(4)])
    corners = crossings[:, :2] / crossings[:, 2:] @ np.stack([_ACROSS[:, best], _DOWN[:, best]])
    sides = np.hypot(*(corners - np.roll(corners, -1, axis=0)).T)
    return np.asarray(np.roll(corners, -1, axis=0) if sides[0] < sides[1] else corners)


def _projection(long: float, short: float, corners: FloatArray) -> Projection:
    """From a rectangle with those sides to the one whose `corners` (4, 2) are seen aslant."""
    rows: list[list[float]] = []
    for (x, y), (u, v) in zip(((0, 0), (long, 0), (long, short), (0, short)), corners.tolist(), strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
    return np.append(np.linalg.solve(np.array(rows), corners.ravel()), 1).reshape(3, 3)
