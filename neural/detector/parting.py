"""Which things a finder's heads tell of, by the votes of a picture's places, and which pixels are whose."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.domains.data import Floats, Pixels
from predinet_prolog.domains.pixels import median
from predinet_prolog.imaging import ndimage
from predinet_prolog.neural.glimpses.config import FINE, STRIDE
from predinet_prolog.neural.glimpses.graph import logistic


@dataclass(frozen=True)
class Parting:
    """When a place is a thing's middle."""

    salient: float = 0.3
    """The least salience of a middle: half of it, for what is nearly hidden."""
    near: float = 0.3
    """How far from a middle, in long sides of its box, the vote for it may end."""
    fewest: int = 12
    """Places that vote for a thing, at least: of CLEVR's, the smallest shows 25."""


PARTING = Parting()


@dataclass(frozen=True, eq=False)
class Parted:
    """The n things of a picture of H × W pixels."""

    boxes: Floats
    """(n, 4), in pixels."""
    middles: Floats
    """(n, 2): where their middles show, hidden or not."""
    scores: Floats
    """(n,), 0–1."""
    owner: Pixels
    """(H, W): the number of the thing that a pixel shows, from 1; 0 is ground."""


def parted(heads: NDArray[np.floating], height: int, width: int) -> Parted:
    """The things of a picture of that size, of the finder's `heads` (8, h, w)."""
    salience, covered = logistic(heads[0]), heads[1] > 0
    y, x = np.nonzero((salience >= ndimage.maximum_filter(salience, size=3)) & (salience >= PARTING.salient))
    peaks = np.stack([x, y], axis=1) * STRIDE + 0.5
    sizes = np.exp(np.clip(heads[6:8, y, x].T, 0, 7))
    rows, columns = np.nonzero(covered)
    ends = np.stack([columns, rows], axis=1) * STRIDE + 0.5 + heads[2:4, rows, columns].T
    owner = np.zeros(covered.shape, dtype=np.uint8)
    kept, middles = [], []
    if len(peaks):
        far = np.sqrt(((ends[:, None] - peaks[None]) ** 2).sum(axis=2)) / np.maximum(sizes.max(axis=1), 4)
        nearest = np.where(far.min(axis=1, initial=np.inf) < PARTING.near, far.argmin(axis=1), -1)
        for peak in range(len(peaks)):
            mine = nearest == peak
            if mine.sum() >= PARTING.fewest:
                kept.append(peak)
                middles.append(median(ends[mine]))
                owner[rows[mine], columns[mine]] = len(kept)
    places = peaks[kept] + heads[4:6, y[kept], x[kept]].T
    boxes = np.concatenate([places - sizes[kept] / 2, places + sizes[kept] / 2], axis=1)
    boxes = np.round(boxes.clip(0, [width, height, width, height]).astype(np.float64) * FINE) / FINE
    full = owner.repeat(STRIDE, axis=0).repeat(STRIDE, axis=1)[:height, :width]
    return Parted(boxes, np.array(middles).reshape(-1, 2), salience[y[kept], x[kept]], full)
