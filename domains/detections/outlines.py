"""Outlines of things, as polygons, runs or pixels: the box around each without drawing it, and its pixels when they
are wanted."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import ceil, floor
from typing import Any, Protocol, TypeGuard

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.domains.data import Floats, Integers
from predinet_prolog.domains.detections.fields import Corners, are_numbers, is_number

Mask = NDArray[np.bool_]
_EDGES = 1024
"""Of a polygon, that are laid over the rows at once: what is allocated stays small, however many there are."""


class Outline(Protocol):
    """Which pixels of a picture are a thing's."""

    @property
    def corners(self) -> Corners:
        """The box around it."""
        ...

    def mask(self, box: Corners) -> Mask:
        """(h, w): its pixels within the `cells` of a box. There may be none: a thin one may pass between all middles
        of pixels."""
        ...


def cells(box: Corners) -> tuple[int, int, int, int]:
    """The columns and rows of pixels that a box touches: left, top, right, bottom; right and bottom are outside."""
    return floor(box[0]), floor(box[1]), ceil(box[2]), ceil(box[3])


@dataclass(frozen=True, eq=False)
class Polygons:
    """Parts that are one thing. A pixel is its own if its middle lies within one of them, by the even-odd rule."""

    parts: tuple[Floats, ...]
    """(n, 2) each: x and y of the corners."""

    @property
    def corners(self) -> Corners:
        """The box around it."""
        least, most = np.concatenate(self.parts).min(axis=0), np.concatenate(self.parts).max(axis=0)
        return float(least[0]), float(least[1]), float(most[0]), float(most[1])

    def mask(self, box: Corners) -> Mask:
        """(h, w): its pixels within the cells of the box."""
        left, top, right, bottom = cells(box)
        masks = (_drawn(part - (left, top), right - left, bottom - top) for part in self.parts)
        mask: Mask = np.logical_or.reduce(list(masks))
        return mask


def turned(box: Corners, attributes: Mapping[str, Any]) -> Polygons | None:
    """The box turned about its middle, with the clock, by the degrees of CVAT's attribute rotation, if it has one."""
    degrees: Any = attributes.get("rotation") if "occluded" in attributes else None  # CVAT writes that of everything
    if not is_number(degrees) or degrees % 360 == 0:
        return None
    left, top, right, bottom = box
    corners, angle = np.array([(left, top), (right, top), (right, bottom), (left, bottom)]), np.deg2rad(degrees)
    middle, (sine, cosine) = corners.mean(axis=0), (np.sin(angle), np.cos(angle))
    return Polygons((middle + (corners - middle) @ np.array([(cosine, sine), (-sine, cosine)]),))


@dataclass(frozen=True, eq=False)
class Runs:
    """COCO's runs down the columns, those outside and those inside in turn."""

    ends: Integers
    """Ascending: where each run ends, in pixels from the first of the first column."""
    height: int
    """Of the picture."""

    @property
    def corners(self) -> Corners:
        """The box around it; zeros where it has no pixel."""
        starts, ends = self._inside
        lasts, height = ends - 1, self.height
        if not len(starts):
            return 0.0, 0.0, 0.0, 0.0
        over = bool((starts // height < lasts // height).any())  # a run that goes on in the next column
        top, bottom = (0, height) if over else (int((starts % height).min()), int((lasts % height).max()) + 1)
        return float(starts[0] // height), float(top), float(lasts[-1] // height + 1), float(bottom)

    def mask(self, box: Corners) -> Mask:
        """(h, w): its pixels within the cells of the box."""
        left, top, right, bottom = cells(box)
        starts, ends = np.clip(self._inside, left * self.height, right * self.height) - left * self.height
        n = (right - left) * self.height
        steps = np.bincount(starts, minlength=n + 1) - np.bincount(ends, minlength=n + 1)
        mask: Mask = np.cumsum(steps[:-1]).reshape(-1, self.height)[:, top:bottom].T > 0
        return mask

    @property
    def _inside(self) -> tuple[Integers, Integers]:
        """Where the runs inside start and end, but for the empty ones."""
        starts, ends = self.ends[: len(self.ends) // 2 * 2].reshape(-1, 2).T
        return starts[starts < ends], ends[starts < ends]


@dataclass(frozen=True, eq=False)
class Cut:
    """Pixels as they are, cut out of the picture."""

    pixels: Mask
    """(h, w)"""
    left: int = 0
    top: int = 0

    @property
    def corners(self) -> Corners:
        """The box around its pixels; zeros where it has none."""
        rows, columns = np.flatnonzero(self.pixels.any(axis=1)), np.flatnonzero(self.pixels.any(axis=0))
        if not len(rows):
            return 0.0, 0.0, 0.0, 0.0
        x, y = self.left, self.top
        return float(x + columns[0]), float(y + rows[0]), float(x + columns[-1] + 1), float(y + rows[-1] + 1)

    def mask(self, box: Corners) -> Mask:
        """(h, w): its pixels within the cells of the box."""
        left, top, right, bottom = cells(box)
        mask: Mask = np.zeros((bottom - top, right - left), dtype=np.bool_)
        x, y = max(left, self.left), max(top, self.top)
        part = self.pixels[y - self.top : max(bottom - self.top, 0), x - self.left : max(right - self.left, 0)]
        mask[y - top : y - top + part.shape[0], x - left : x - left + part.shape[1]] = part
        return mask


KINDS = (Polygons, Runs, Cut)
"""Of outlines."""


def outline_of(mask: Any, width: int, height: int) -> Outline | None:
    """COCO's polygons, `[[x, y, x, y, …], …]`, or runs, `{"size": [height, width], "counts": …}`, in a picture of that
    size; None for what is neither."""
    if isinstance(mask, list):
        if not mask or not all(are_numbers(part) and len(part) >= 6 and len(part) % 2 == 0 for part in mask):
            return None
        return Polygons(tuple(np.array(polygon, dtype=np.float64).reshape(-1, 2) for polygon in mask))
    if not (isinstance(mask, dict) and mask.get("size") == [height, width]):
        return None
    counts = mask.get("counts")
    lengths = _lengths(counts) if isinstance(counts, str) else np.array(counts) if _are_lengths(counts) else None
    if lengths is None or not len(lengths) or (lengths < 0).any() or lengths.sum() != width * height:
        return None
    return Runs(np.cumsum(lengths), height)


def _are_lengths(values: Any) -> TypeGuard[list[int]]:
    return isinstance(values, list) and all(type(value) is int and 0 <= value < 1e9 for value in values)


def _lengths(text: str) -> Integers | None:
    """The lengths of runs that COCO's compressed text tells: five bits a sign, the lowest first; from the third on
    they are differences from the last but one. None for what is no such text."""
    signs: Integers = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32).astype(np.int64) - 48
    last = (signs & 32) == 0
    if not len(signs) or signs.min() < 0 or signs.max() > 63 or not last[-1]:
        return None
    ends = np.flatnonzero(last) + 1
    sizes = np.diff(ends, prepend=0)
    if sizes.max() > 7:  # 35 bits
        return None
    places = np.arange(len(signs)) - np.repeat(ends - sizes, sizes)
    values: Integers = np.add.reduceat((signs & 31) << (5 * places), ends - sizes)
    values -= ((signs[last] & 16) >> 4) << (5 * sizes)
    for start in (1, 2):
        values[start::2] = np.cumsum(values[start::2])
    return values


def _drawn(polygon: Floats, width: int, height: int) -> Mask:
    """(height, width): the pixels whose middles lie within it."""
    toggles: Integers = np.zeros(height * (width + 1), dtype=np.int64)
    for places in _crossings(polygon, width, height):
        toggles += np.bincount(places, minlength=len(toggles))
    mask: Mask = np.cumsum(toggles.reshape(height, width + 1), axis=1)[:, :-1] % 2 == 1
    return mask


def _crossings(polygon: Floats, width: int, height: int) -> Iterator[Integers]:
    """Where its edges cross the middle of a row, as places in (height, width + 1): of the first pixel to the right."""
    following = np.roll(polygon, -1, axis=0)
    for start in range(0, len(polygon), _EDGES):
        (x, y), (x1, y1) = polygon[start : start + _EDGES].T, following[start : start + _EDGES].T
        first, end = (np.clip(np.ceil(f(y, y1) - 0.5), 0, height).astype(np.int64) for f in (np.minimum, np.maximum))
        edge = np.repeat(np.arange(len(x)), end - first)
        row = np.arange(len(edge)) - np.repeat(np.cumsum(end - first) - end, end - first)
        slope = (x1 - x)[edge] / (y1 - y)[edge]
        column = np.clip(np.ceil(x[edge] + (row + 0.5 - y[edge]) * slope - 0.5), 0, width).astype(np.int64)
        yield row * (width + 1) + column
