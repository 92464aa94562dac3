"""From what the finder says of every place to things: peaks of salience, and the pixels that vote for each.

Shapes: a picture of H × W pixels, its places h × w, P peaks.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from bridge.scene import BoolArray, FloatArray, IntArray

STRIDE = 2
SALIENT = 0.3
"""Least salience of a peak."""
BACKED = 0.15
"""A peak with a smaller share of the pixels in its box than this is none: they are another thing's."""
PART = 0.4
"""A patch without a peak belongs to the thing whose box covers it, if it has at most this share of its pixels."""


@dataclass(frozen=True, eq=False)
class Places:
    """What the finder says of one picture, as probabilities."""

    salience: FloatArray
    """(h, w)"""
    own: FloatArray
    """(h, w)"""
    votes: FloatArray
    """(h, w, 2): pixels."""
    boxes: FloatArray
    """(h, w, 4): of the thing whose middle would be there, in pixels."""


@dataclass(frozen=True, eq=False)
class Peaks:
    """Places where a thing's middle may be."""

    boxes: FloatArray
    """(P, 4)"""
    salience: FloatArray
    """(P,)"""

    @property
    def middles(self) -> FloatArray:
        """(P, 2): x and y."""
        return (self.boxes[:, :2] + self.boxes[:, 2:]) / 2

    @property
    def sizes(self) -> FloatArray:
        """(P,): long sides."""
        return np.maximum((self.boxes[:, 2:] - self.boxes[:, :2]).max(axis=1), 2.0)

    def only(self, kept: BoolArray | IntArray) -> "Peaks":
        """Those."""
        return Peaks(self.boxes[kept], self.salience[kept])


def find_peaks(places: Places) -> Peaks:
    """Local maxima of salience, the clearest first, without those whose middle another has already."""
    top = ndimage.maximum_filter(places.salience, size=3)
    y, x = np.nonzero((places.salience >= top) & (places.salience >= SALIENT))
    order = np.argsort(-places.salience[y, x], kind="stable")
    peaks = Peaks(places.boxes[y, x][order], places.salience[y, x][order])
    kept: list[int] = []
    middles, boxes = peaks.middles, peaks.boxes
    for number in range(len(boxes)):
        near = [
            np.abs(middles[number] - middles[other]).max() < 0.25 * min(peaks.sizes[number], peaks.sizes[other])
            and peaks.sizes[number] / peaks.sizes[other] > 0.6
            and peaks.sizes[number] / peaks.sizes[other] < 1.67
            for other in kept
        ]
        if not any(near):
            kept.append(number)
    return peaks.only(np.array(kept, dtype=np.int64))


def voters(places: Places, peaks: Peaks) -> IntArray:
    """(h, w): the peak that each place votes for; -1 where it shows ground or votes for none."""
    chosen = np.full(places.own.shape, -1, dtype=np.int64)
    y, x = np.nonzero(places.own > 0.5)
    if len(peaks.boxes) and len(y):
        at = np.stack([x, y], axis=1) * STRIDE + 0.5 + places.votes[y, x]
        far = np.sqrt(((at[:, None] - peaks.middles[None]) ** 2).sum(axis=2)) / peaks.sizes
        best = far.argmin(axis=1)
        chosen[y, x] = np.where(far[np.arange(len(y)), best] < 0.7, best, -1)
    return chosen


def backed(places: Places, peaks: Peaks) -> Peaks:
    """Peaks without those that too few pixels vote for."""
    votes = voters(places, peaks)
    kept = []
    for number, (left, top, right, bottom) in enumerate(np.round(peaks.boxes / STRIDE).astype(int)):
        inside = (slice(max(top, 0), max(bottom, top + 1)), slice(max(left, 0), max(right, left + 1)))
        pixels = (places.own[inside] > 0.5).sum()
        kept.append((votes == number).sum() >= max(BACKED * pixels, 1))
    return peaks.only(np.array(kept, dtype=bool))


def things(foreground: BoolArray, places: Places) -> IntArray:
    """(H, W): which thing each pixel shows, from 1; 0 is ground. `foreground` (H, W) says which show any."""
    peaks = backed(places, find_peaks(places))
    votes = voters(places, peaks)
    height, width = foreground.shape
    full = votes.repeat(STRIDE, axis=0).repeat(STRIDE, axis=1)[:height, :width]
    patches, count = ndimage.label(foreground, structure=np.ones((3, 3)))
    if not count:
        return np.zeros(foreground.shape, dtype=np.int64)
    areas = np.bincount(patches.ravel(), minlength=count + 1)
    tally = np.zeros((count + 1, len(peaks.boxes)), dtype=np.int64)
    voting = (full >= 0) & (patches > 0)
    np.add.at(tally, (patches[voting], full[voting]), 1)
    owner = np.zeros(foreground.shape, dtype=np.int64)
    slices = ndimage.find_objects(patches)
    totals = tally.sum(axis=0)  # (P,)
    main = tally.argmax(axis=0) if len(peaks.boxes) else np.zeros(0, dtype=np.int64)  # each peak's largest patch
    alone: list[int] = []
    for patch in range(1, count + 1):
        # Peaks that have their largest part here, and more than a rim of this patch.
        own = [
            p
            for p in np.flatnonzero(tally[patch])
            if main[p] == patch and tally[patch, p] >= 0.35 * totals[p] and tally[patch, p] >= 0.03 * areas[patch]
        ]
        window = slices[patch - 1]
        here = patches[window] == patch
        if len(own) == 1:
            owner[window][here] = own[0] + 1
        elif own:
            owner[window][here] = _nearest(here, window, full[window], places, peaks, np.array(own))[here] + 1
        else:
            alone.append(patch)
    following = len(peaks.boxes)
    for patch in alone:
        window = slices[patch - 1]
        here = patches[window] == patch
        host = _host(
            window, areas[patch], tally[patch], peaks, np.bincount(owner.ravel(), minlength=len(peaks.boxes) + 1)[1:]
        )
        if host is None:
            if (
                areas[patch] < 8
                or not (places.own[tuple(slice(s.start // STRIDE, -(-s.stop // STRIDE)) for s in window)] > 0.4).any()
            ):
                continue
            following += 1
            owner[window][here] = following
        else:
            owner[window][here] = host + 1
    return owner


def _host(window: tuple[slice, ...], area: int, tally: IntArray, peaks: Peaks, areas: IntArray) -> int | None:
    """The peak whose box covers the patch and whose thing is so much larger that the patch is a part of it."""
    y, x = ((s.start + s.stop) / 2 for s in window)
    slack = 1.5
    best = None
    for peak in range(len(peaks.boxes)):
        left, top, right, bottom = peaks.boxes[peak]
        inside = left - slack <= x <= right + slack and top - slack <= y <= bottom + slack
        if (
            inside
            and area <= PART * max(areas[peak], 1)
            and (tally[peak] >= 0.5 * tally.sum() if tally.sum() else True)
        ):
            if best is None or areas[peak] > areas[best]:
                best = peak
    return best


def _nearest(
    here: BoolArray, window: tuple[slice, ...], votes: IntArray, places: Places, peaks: Peaks, own: IntArray
) -> IntArray:
    """Which of the peaks `own` each pixel of a patch belongs to: the one it votes for, else the one voted for nearest by."""
    known = np.isin(votes, own) & here
    if not known.any():
        return np.full(here.shape, own[0])
    index = ndimage.distance_transform_edt(~known, return_distances=False, return_indices=True)
    return votes[tuple(index)]


def boxes_of(owner: IntArray) -> FloatArray:
    """(n, 4): the boxes of the things in `owner` (H, W), those without a pixel left out."""
    found = [s for s in ndimage.find_objects(owner) if s is not None]
    return np.array([(s[1].start, s[0].start, s[1].stop, s[0].stop) for s in found], dtype=np.float64).reshape(-1, 4)
