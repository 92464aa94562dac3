"""Made-up finders: what a perfect one would say of things whose boxes and pixels are known."""

import numpy as np
from scipy import ndimage

from predinet_prolog.bridge.finding.finders import Found
from predinet_prolog.bridge.finding.instances import Places, boxes_of
from predinet_prolog.bridge.scene import FloatArray, IntArray
from predinet_prolog.neural.glimpses.config import STRIDE


class Patches:
    """A finder: whatever is joined and unlike the picture's first pixel is a thing."""

    def find(self, picture: np.ndarray) -> Found:
        owner, _ = ndimage.label((picture != picture[0, 0]).any(axis=2))
        return Found(boxes_of(np.asarray(owner, dtype=np.int64)))


def perfect(owner: IntArray) -> Places:
    """Of things that `owner` (H, W) numbers from 1, by their pixels."""
    height, width = owner.shape
    h, w = -(-height // STRIDE), -(-width // STRIDE)
    y, x = np.mgrid[0:h, 0:w] * STRIDE + 0.5
    here = owner[::STRIDE, ::STRIDE]
    salience, votes, boxes = np.zeros((h, w)), np.zeros((h, w, 2)), np.zeros((h, w, 4))
    boxes[..., 2:] = 1.0
    for number in range(1, int(owner.max()) + 1):
        box = box_of(owner == number)
        middle, size = (box[:2] + box[2:]) / 2, box[2:] - box[:2]
        bump = np.exp(-((x - middle[0]) ** 2 + (y - middle[1]) ** 2) / 8)
        nearer = bump > salience
        salience[nearer], boxes[nearer] = bump[nearer], [*(middle - size / 2), *(middle + size / 2)]
        mine = here == number
        votes[mine] = np.stack([middle[0] - x[mine], middle[1] - y[mine]], axis=1)
    return Places(salience, (here > 0).astype(np.float64), votes, boxes)


def box_of(own: np.ndarray) -> FloatArray:
    """Left, top, right, bottom of the pixels `own` (H, W)."""
    y, x = np.nonzero(own)
    return np.array([x.min(), y.min(), x.max() + 1, y.max() + 1], dtype=np.float64)


def heads_of(places: Places) -> np.ndarray:
    """(8, h, w): what a network with these places would give."""
    h, w = places.ownership.shape
    y, x = np.mgrid[0:h, 0:w] * STRIDE + 0.5
    middle = (places.boxes[..., :2] + places.boxes[..., 2:]) / 2
    size = places.boxes[..., 2:] - places.boxes[..., :2]
    logits = [np.log((p + 1e-6) / (1 - p + 1e-6)) for p in (places.salience, places.ownership)]
    offsets = [middle[..., 0] - x, middle[..., 1] - y]
    return np.stack([*logits, *np.moveaxis(places.votes, 2, 0), *offsets, *np.log(np.moveaxis(size, 2, 0))])
