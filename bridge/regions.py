"""How regions of a picture lie to each other: RCC-8, how much of one is inside another, how far they are apart.

A region is a box, or a mask in it. Pixels are squares: the one in column x and row y reaches from x to x + 1 and from y
to y + 1. What somebody drew is off by a pixel here and there, so relations leave room for one (`ROOM`):

    eq      A lies within B grown by a pixel, and B within A grown by one
    ntpp    A lies within B, and further than a pixel from B's rim everywhere (ntppi: B within A)
    tpp     A lies within B grown by a pixel, otherwise (tppi: B within A)
    po      A shrunk by a pixel meets B, or A meets B shrunk by one
    ec      they meet otherwise, or are at most a pixel apart
    dc      else
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from predinet_prolog.bridge.scene import BoolArray, FloatArray, IntArray
from predinet_prolog.lazily import lazily

imaging = lazily("predinet_prolog.imaging")  # only masks need it
spatial = lazily("scipy.spatial")  # only masks that lie apart need it; the playground is without

ROOM = 1.0
"""Pixels. Masks are spread and shrunk by one, so another room needs other ways: `_beside` and `_around`."""
RELATIONS = ("eq", "ntpp", "tpp", "ntppi", "tppi", "po", "ec", "dc")
"""RCC-8; of those that the rules above allow, the first one holds."""
CONVERSE = {"ntpp": "ntppi", "tpp": "tppi", "ntppi": "ntpp", "tppi": "tpp"}
"""What holds of B and A where another relation does than of A and B."""
_EXACT = 1e-6
"""Boxes are told in decimals, which binary numbers miss by less than this."""
FEW = 64
"""Boxes of which all pairs are compared at once: of more, only those that begin before another one ends."""
_FRAME = 3
"""Pixels around what two masks share that decide how they lie."""


@dataclass(eq=False)
class Region:
    box: FloatArray
    """(4,): left, top, right, bottom in pixels; right and bottom are outside of it."""
    mask: BoolArray | None = None
    """(h, w): which pixels are of it; the first is that in which the box begins. None: all of the box."""

    @cached_property
    def corner(self) -> tuple[int, int]:
        """Column and row of the pixel in which the box begins."""
        left, top = np.floor(self.box[:2] + _EXACT).astype(int).tolist()
        return left, top

    @cached_property
    def area(self) -> float:
        return float((self.box[2:] - self.box[:2]).prod() if self.mask is None else self.mask.sum())

    @cached_property
    def pixels(self) -> BoolArray:
        """(h, w): those whose middle is in it, from its corner on."""
        if self.mask is not None:
            return self.mask
        (left, top), (right, bottom) = self.corner, np.ceil(self.box[2:] - _EXACT).astype(int)
        columns, rows = np.arange(left, right) + 0.5, np.arange(top, bottom) + 0.5
        across = (columns >= self.box[0]) & (columns < self.box[2])
        down = (rows >= self.box[1]) & (rows < self.box[3])
        for side in (across, down):
            side[len(side) // 2] |= not side.any()  # a box between two middles
        return np.asarray(np.logical_and.outer(down, across))

    @cached_property
    def count(self) -> int:
        return int(self.pixels.sum())

    @cached_property
    def rim(self) -> Any:
        """A cKDTree of the corners of pixels that lie on its rim, as x and y."""
        padded = np.pad(self.pixels, 1).astype(np.int8)
        around = padded[1:, 1:] + padded[1:, :-1] + padded[:-1, 1:] + padded[:-1, :-1]
        return spatial.cKDTree(np.argwhere((around > 0) & (around < 4))[:, ::-1] + self.corner)

    def window(self, left: int, top: int, right: int, bottom: int) -> BoolArray:
        """(bottom - top, right - left): its pixels in that part of the picture."""
        part = np.zeros((bottom - top, right - left), np.bool_)
        (x, y), (height, width) = self.corner, self.pixels.shape
        rows = slice(max(top, y), max(min(bottom, y + height), top, y))
        columns = slice(max(left, x), max(min(right, x + width), left, x))
        part[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left] = self.pixels[
            rows.start - y : rows.stop - y, columns.start - x : columns.stop - x
        ]
        return part


def connected(pictures: Sequence[Sequence[Region]]) -> list[list[tuple[int, int, str]]]:
    """Of each of the pictures, the relation of every pair of its regions, as indices, the first the lower, that is not
    `dc`. Boxes of all are compared at once, for that takes hardly longer than those of one."""
    counts = np.array([len(regions) for regions in pictures], np.int64)
    starts = np.cumsum(counts) - counts
    boxes = np.array([region.box for regions in pictures for region in regions]).reshape(-1, 4)
    first, second = near(boxes, starts.tolist())
    picture = np.searchsorted(starts, first, "right") - 1
    begin, of_boxes = starts[picture], _of_boxes(boxes[first], boxes[second])
    rows = zip(*(column.tolist() for column in (picture, first - begin, second - begin, of_boxes)), strict=True)
    pairs: list[list[tuple[int, int, str]]] = [[] for _ in pictures]
    for number, a, b, relation in rows:
        one, other = pictures[number][a], pictures[number][b]
        masked = one.mask is not None or other.mask is not None
        name = _of_masks(one, other) if masked else RELATIONS[relation]
        if name != "dc":
            pairs[number].append((a, b, name))
    return pairs


def relation(first: Region, second: Region) -> str:
    """The one of RELATIONS that holds of the two."""
    return next((name for _, _, name in connected([[first, second]])[0]), "dc")


def near(boxes: FloatArray, starts: Sequence[int] = (0,)) -> tuple[IntArray, IntArray]:
    """The pairs of `boxes` (n, 4) that meet or are at most ROOM apart, as indices, the first the lower; `starts`: where
    those of each picture begin."""
    parts = pairwise([*starts, len(boxes)])
    first, second = np.concatenate([_candidates(boxes[start:end]) + start for start, end in parts], axis=1)
    close = (_gaps(boxes[first], boxes[second]) <= ROOM + _EXACT).all(axis=0)
    return first[close], second[close]


def _candidates(boxes: FloatArray) -> IntArray:
    """(2, n): pairs in their order, among which are all that are near."""
    if len(boxes) <= FEW:
        return _pairs(len(boxes))
    order = np.argsort(boxes[:, 0], kind="stable")
    ordered = boxes[order]
    ends = np.searchsorted(ordered[:, 0], ordered[:, 2] + ROOM + _EXACT, side="right")
    pairs = [np.zeros((2, 0), np.int64)]
    for place, end in enumerate(ends.tolist()):  # those that begin left of where it ends
        after = ordered[place + 1 : end]
        gaps = np.maximum(ordered[place, 1] - after[:, 3], after[:, 1] - ordered[place, 3])
        beside = order[place + 1 : end][gaps <= ROOM + _EXACT]
        pairs.append(np.sort([np.full(len(beside), order[place]), beside], axis=0))
    candidates = np.concatenate(pairs, axis=1)
    return candidates[:, np.lexsort(candidates[::-1])]


@lru_cache(FEW + 1)
def _pairs(count: int) -> IntArray:
    return np.array(np.triu_indices(count, 1))


def share_inside(first: Region, second: Region) -> float:
    """How much of the first region's area lies in the second, 0 to 1."""
    low, high = np.maximum(first.box[:2], second.box[:2]), np.minimum(first.box[2:], second.box[2:])
    if not (low < high).all() or not first.area:
        return 0.0
    if first.mask is None and second.mask is None:
        return float((high - low).prod() / first.area)
    window = *np.floor(low).astype(int).tolist(), *np.ceil(high).astype(int).tolist()
    return float(_cover(first, *window).ravel() @ _cover(second, *window).ravel() / first.area)


def distance(first: Region, second: Region) -> float:
    """Pixels from rim to rim; 0 where they meet."""
    if first.mask is None and second.mask is None:
        return float(np.hypot(*_gaps(first.box, second.box)))
    if share_inside(first, second) > 0:
        return 0.0
    small, large = sorted((first, second), key=lambda region: region.rim.n)
    return float(large.rim.query(small.rim.data)[0].min())


def _gaps(first: FloatArray, second: FloatArray) -> FloatArray:
    """(2, …): how far boxes (…, 4) are apart across and down."""
    gaps = np.maximum(first[..., :2] - second[..., 2:], second[..., :2] - first[..., 2:])
    return np.maximum(gaps, 0).T


def _of_boxes(first: FloatArray, second: FloatArray) -> IntArray:
    """(n,): the indices in RELATIONS of what holds of boxes (n, 4)."""
    room = ROOM + _EXACT

    def beyond(inner: FloatArray, outer: FloatArray) -> FloatArray:
        """(n, 4): how far each side of the inner box lies beyond that of the outer; below 0 it lies within."""
        return (inner - outer) * [-1, -1, 1, 1]

    def within(sides: FloatArray) -> BoolArray:
        """Whether no corner is further from the box than there is room."""
        return np.asarray(np.hypot(*np.maximum(sides.reshape(-1, 2, 2).max(axis=1), 0).T) <= room)

    def shared(inner: FloatArray, outer: FloatArray) -> BoolArray:
        """Whether the one, shrunk, and the other share some area."""
        shrunk = inner + np.array([1, 1, -1, -1]) * room
        low, high = np.maximum(shrunk[:, :2], outer[:, :2]), np.minimum(shrunk[:, 2:], outer[:, 2:])
        return np.asarray((low < high).all(axis=1))

    ab, ba = beyond(first, second), beyond(second, first)
    deep_ab, deep_ba = ((sides < -room).all(axis=1) for sides in (ab, ba))
    in_ab, in_ba = within(ab), within(ba)
    meet = shared(first, second) | shared(second, first)
    apart = np.hypot(*_gaps(first, second)) > room
    allowed = [in_ab & in_ba, deep_ab, in_ab, deep_ba, in_ba, meet, ~apart, np.ones(len(first), np.bool_)]
    return np.asarray(np.argmax(allowed, axis=0))


def _of_masks(first: Region, second: Region) -> str:
    """What holds of two regions, by their pixels in what they share and a frame around it."""
    corners = np.array([first.corner, second.corner])
    ends = corners + np.array([first.pixels.shape[::-1], second.pixels.shape[::-1]])
    window = *(corners.max(axis=0) - _FRAME).tolist(), *(ends.min(axis=0) + _FRAME).tolist()
    a, b = first.window(*window), second.window(*window)
    all_a, all_b = a.sum() == first.count, b.sum() == second.count
    in_ab, in_ba = all_a and not (a & ~_beside(b)).any(), all_b and not (b & ~_beside(a)).any()
    if in_ab and in_ba:
        return "eq"
    if in_ab:
        return "tpp" if (a & _around(~b)).any() else "ntpp"
    if in_ba:
        return "tppi" if (b & _around(~a)).any() else "ntppi"
    if (a & b & ~(_beside(~a) & _beside(~b))).any():
        return "po"
    return "ec" if (_around(a) & b).any() else "dc"


def _beside(pixels: BoolArray) -> BoolArray:
    """Those pixels (h, w), and all that lie within one pixel of them with their whole square."""
    return np.asarray(imaging.ndimage.binary_dilation(pixels))


def _around(pixels: BoolArray) -> BoolArray:
    """Those pixels (h, w), and all that are at most one pixel apart from them."""
    return np.asarray(imaging.ndimage.binary_dilation(pixels, np.hypot(*np.mgrid[-2:3, -2:3]) < 2.5))


def _cover(region: Region, left: int, top: int, right: int, bottom: int) -> FloatArray:
    """(bottom - top, right - left): how much of each pixel in that part of the picture is of the region, 0 to 1."""
    if region.mask is not None:
        return region.window(left, top, right, bottom).astype(np.float64)
    columns, rows = np.arange(left, right), np.arange(top, bottom)
    across = np.minimum(columns + 1, region.box[2]) - np.maximum(columns, region.box[0])
    down = np.minimum(rows + 1, region.box[3]) - np.maximum(rows, region.box[1])
    return np.outer(down.clip(0, 1), across.clip(0, 1))
