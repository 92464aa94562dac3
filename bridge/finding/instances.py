"""From what the finder says of every place to things: peaks of salience, and the pixels that vote for each.

Shapes: a picture of H × W pixels, its places h × w, P peaks.
"""

from dataclasses import dataclass

import numpy as np

from predinet_prolog.bridge.matching import nested, overlaps
from predinet_prolog.bridge.scene import BoolArray, FloatArray, IntArray
from predinet_prolog.imaging import ndimage
from predinet_prolog.neural.glimpses.config import STRIDE


@dataclass(frozen=True)
class Voting:
    """When pixels and peaks are things."""

    salient: float = 0.3
    """Least salience of a peak."""
    near: float = 0.25
    """Two peaks whose middles are nearer than this share of the smaller one's long side are of one thing …"""
    equal: tuple[float, float] = (0.6, 1.67)
    """… if the one's long side by the other's lies between these."""
    far: float = 0.7
    """Where a vote ends farther from a peak than this share of its long side, it is for nobody."""
    trusted: float = 0.65
    """Where a thing's pixels and its peak agree on its box to less than this, the peak is believed."""
    rim: int = 2
    """So many pixels around a piece of one colour are its soft edge: they go with a piece, whatever they vote for."""
    taken: float = 0.1
    """A peak that got a piece of which so many pixels voted for others reaches as far as its pixels."""
    slack: float = 0.25
    """Such a peak's pixels count within its box, and so much of its long side around it."""
    fewest: int = 4
    """Fewer pixels say nothing of how far a thing reaches."""
    crumb: int = 8
    """Fewer pixels without a peak are no thing; where the picture is not clean, twice as many."""
    alone: tuple[float, float] = (0.3, 0.7)
    """Nor are pixels none of which is that likely a thing's: in a clean picture, in another."""
    inside: float = 0.6
    """A box lies in another if it shares this much of its area with it."""
    part: float = 0.4
    """A patch without a peak belongs to the thing whose box covers it, if it has at most this share of its pixels."""


VOTING = Voting()


@dataclass(frozen=True, eq=False)
class Reading:
    """The things of a picture as they were found."""

    boxes: FloatArray
    """(n, 4), in pixels of the picture."""
    owner: IntArray
    """(h, w): which thing each pixel shows, from 1; 0 is ground. At `scale` of the picture."""
    scale: float


@dataclass(frozen=True, eq=False)
class Places:
    """What the finder says of one picture, as probabilities."""

    salience: FloatArray
    """(h, w)"""
    ownership: FloatArray
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
        return np.asarray(np.maximum((self.boxes[:, 2:] - self.boxes[:, :2]).max(axis=1), 2.0))

    def only(self, kept: BoolArray | IntArray) -> "Peaks":
        """Those."""
        return Peaks(self.boxes[kept], self.salience[kept])


def find_peaks(places: Places) -> Peaks:
    """Local maxima of salience, the clearest first, without those whose middle another has already."""
    top = ndimage.maximum_filter(places.salience, size=3)
    y, x = np.nonzero((places.salience >= top) & (places.salience >= VOTING.salient))
    order = np.argsort(-places.salience[y, x], kind="stable")
    peaks = Peaks(places.boxes[y, x][order], places.salience[y, x][order])
    kept: list[int] = []
    middles, sizes = peaks.middles, peaks.sizes
    for number, (middle, size) in enumerate(zip(middles, sizes, strict=True)):
        near = np.abs(middles[kept] - middle).max(axis=1) < VOTING.near * np.minimum(sizes[kept], size)
        ratio = size / sizes[kept]
        if not (near & (ratio > VOTING.equal[0]) & (ratio < VOTING.equal[1])).any():
            kept.append(number)
    return peaks.only(np.array(kept, dtype=np.int64))


def voters(places: Places, peaks: Peaks) -> IntArray:
    """(h, w): the peak that each place votes for; -1 where it shows ground or votes for none."""
    chosen = np.full(places.ownership.shape, -1, dtype=np.int64)
    y, x = np.nonzero(places.ownership > 0.5)
    if len(peaks.boxes) and len(y):
        at = np.stack([x, y], axis=1) * STRIDE + 0.5 + places.votes[y, x]
        far = np.sqrt(((at[:, None] - peaks.middles[None]) ** 2).sum(axis=2)) / peaks.sizes
        best = far.argmin(axis=1)
        chosen[y, x] = np.where(far[np.arange(len(y)), best] < VOTING.far, best, -1)
    return chosen


def things(foreground: BoolArray, pieces: IntArray, places: Places, *, clean: bool) -> tuple[FloatArray, IntArray]:
    """Boxes (n, 4) of the things, and (H, W) which of them each pixel shows, from 1; 0 is ground.

    `foreground` (H, W) says which pixels show any, right to a pixel in a `clean` picture, and `pieces` (H, W) numbers
    those of one colour, as `segments` does.
    """
    peaks = find_peaks(places)
    patches, _ = ndimage.label(foreground, structure=np.ones((3, 3)))
    if clean:
        peaks = _apart(patches, peaks)
    owner, taken = _owners(patches, voters(places, peaks), pieces, len(peaks.boxes))
    kept = np.bincount(owner.ravel(), minlength=len(peaks.boxes) + 1)[1:] > 0
    peaks, taken = peaks.only(kept), taken[kept]
    owner = np.concatenate([[0], np.cumsum(kept)])[owner]
    boxes = []
    for number, (box, window) in enumerate(
        zip(peaks.boxes, ndimage.find_objects(owner, len(peaks.boxes)), strict=True)
    ):
        # Pixels say best how far a thing reaches, unless they are not all of it or not its own.
        reach = None if window is None else _inner(owner[window] == number + 1, window, None if taken[number] else box)
        stray = reach is None or (not taken[number] and overlaps(reach[None], box[None]).max() < VOTING.trusted)
        boxes.append(box if reach is None or stray else reach)
    left, _ = ndimage.label(foreground & (owner == 0), structure=np.ones((3, 3)))
    for patch, window in enumerate(ndimage.find_objects(left), start=1):  # that no peak has
        here = left[window] == patch
        owned = places.ownership[tuple(slice(part.start // STRIDE, -(-part.stop // STRIDE)) for part in window)]
        area = int(here.sum())
        if area < (1 if clean else 2) * VOTING.crumb or owned.max() < VOTING.alone[not clean]:
            continue
        box = np.array([window[1].start, window[0].start, window[1].stop, window[0].stop], dtype=np.float64)
        # A part of a thing lies in its box, and has few of its pixels.
        hosts, middle = np.array(boxes).reshape(-1, 4), np.tile((box[:2] + box[2:]) / 2, 2)
        inside = ((hosts - middle) * [1, 1, -1, -1] <= 1).all(axis=1)
        few = area <= VOTING.part * np.maximum(np.bincount(owner.ravel(), minlength=len(boxes) + 1)[1:], 1)
        if not (inside & few if clean else inside).any():
            boxes.append(box)
            owner[window][here] = len(boxes)
    return np.array(boxes).reshape(-1, 4), owner


def _apart(patches: IntArray, peaks: Peaks) -> Peaks:
    """Peaks without those whose box lies in a larger one's, of the same one of `patches` (H, W): parts of one thing."""
    patch = [_commonest(patches, box) for box in peaks.boxes]
    inner = nested(peaks.boxes, VOTING.inside) & np.equal.outer(patch, patch) & (np.array(patch)[:, None] > 0)
    return peaks.only(np.asarray(~inner.any(axis=1)))


def _commonest(patches: IntArray, box: FloatArray) -> int:
    """The patch that most of the pixels in the middle of the box belong to; 0 where it is ground."""
    left, top, right, bottom = np.round(box).astype(int)
    inside = patches[max(top, 0) : max(bottom, top + 1), max(left, 0) : max(right, left + 1)]
    counts = np.bincount(inside[inside > 0]) if (inside > 0).any() else np.zeros(1)
    return int(counts.argmax())


def _owners(patches: IntArray, votes: IntArray, pieces: IntArray, peaks: int) -> tuple[IntArray, BoolArray]:
    """(H, W): the peak that each pixel of `patches` belongs to, from 1; 0 where no pixel of its patch votes. And
    (peaks,): which of the peaks got pixels that voted for others.

    Of `pieces` (H, W) of one colour each is that peak's which most of its pixels vote for. Any other pixel belongs with
    the next one in its patch that is settled.
    """
    height, width = patches.shape
    full = votes.repeat(STRIDE, axis=0).repeat(STRIDE, axis=1)[:height, :width] + 1
    full[patches == 0] = 0
    counts = np.zeros((pieces.max(initial=0) + 1, peaks + 1), dtype=np.int64)
    np.add.at(counts, (pieces, full), 1)
    counts[:, 0] = counts[0] = 0
    winner = np.where(counts.any(axis=1), counts.argmax(axis=1), 0)
    settled = np.where(pieces > 0, winner[pieces], full)
    settled[ndimage.binary_dilation(pieces > 0, np.ones((3, 3)), VOTING.rim) & (pieces == 0)] = 0
    owner = np.zeros(patches.shape, dtype=np.int64)
    for patch, window in enumerate(ndimage.find_objects(patches), start=1):
        here = patches[window] == patch
        sure = here & (settled[window] > 0)
        if sure.any():
            index = ndimage.distance_transform_edt(~sure, return_distances=False, return_indices=True)
            owner[window][here] = settled[window][tuple(index)][here]
    contested = counts.sum(axis=1) - counts.max(axis=1) > VOTING.taken * counts.sum(axis=1)
    taken = np.zeros(peaks + 1, dtype=bool)
    taken[winner[contested]] = True
    return owner, taken[1:]


def _inner(pixels: BoolArray, window: tuple[slice, ...], box: FloatArray | None) -> FloatArray | None:
    """The box of `pixels`, or of those that lie in `box` or near by."""
    top, left = window[0].start, window[1].start
    y, x = np.nonzero(pixels)
    y, x = y + top, x + left
    if box is not None:
        slack = VOTING.slack * max(box[2] - box[0], box[3] - box[1]) + 1
        near = (x >= box[0] - slack) & (x < box[2] + slack) & (y >= box[1] - slack) & (y < box[3] + slack)
        y, x = y[near], x[near]
    if len(y) < VOTING.fewest:
        return None
    return np.array([x.min(), y.min(), x.max() + 1, y.max() + 1], dtype=np.float64)


def boxes_of(owner: IntArray) -> FloatArray:
    """(n, 4): the boxes of the things in `owner` (H, W), those without a pixel left out."""
    windows = [s for s in ndimage.find_objects(owner) if s is not None]
    return np.array([(s[1].start, s[0].start, s[1].stop, s[0].stop) for s in windows], dtype=np.float64).reshape(-1, 4)
