"""What speaks against trusting what was seen in a picture of any size, and how noisy it is."""

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from bridge.finding.finders import Found
from domains.domain import Inspection, Pixels

DOUBTFUL = 0.5
"""A part of a picture that the finder doubts more than this shows no separate things."""
MOST = 0.08
"""The share of a picture's parts that may be doubtful without a warning."""
NOISE = 8.0
"""Grey levels of noise, as a deviation, in one unit of noise_level."""
_ROWS, _COLUMNS = ("top", "middle", "bottom"), ("left", "centre", "right")


def inspect(picture: Pixels, found: Found) -> Inspection:
    """The inspection of `picture` (H, W, 3) in which `found` was found."""
    level = min(noise(picture) / NOISE, 100.0)
    empty = not len(found.boxes)
    if found.doubt is None:
        return Inspection(0.0, None, level, empty)
    doubtful = found.doubt > DOUBTFUL
    score = float(doubtful.mean()) / MOST
    if score >= 1:
        return Inspection(score, f"clutter, text or texture {_where(doubtful)}", level, empty)
    return Inspection(score, None, level, empty)


def noise(picture: Pixels) -> float:
    """The deviation of a picture's noise in grey levels: what is left of most pixels when smooth change and edges are
    taken off (Immerkær's mask, with the median for the mean)."""
    grey = picture[..., :3].mean(axis=2)
    step = max(1, min(grey.shape) // 256)
    mask = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]])
    return float(np.median(np.abs(ndimage.convolve(grey, mask, mode="nearest")[::step, ::step])) / 0.6745 / 6)


def _where(doubtful: NDArray[np.bool_]) -> str:
    """In words: everywhere, or the ninth of the picture that has most of it."""
    if doubtful.mean() > 0.6:
        return "all over"
    rows, columns = np.nonzero(doubtful)
    row = _ROWS[int(3 * (rows.mean() + 0.5) / doubtful.shape[0])]
    column = _COLUMNS[int(3 * (columns.mean() + 0.5) / doubtful.shape[1])]
    return (
        "in the middle"
        if (row, column) == ("middle", "centre")
        else f"at the {row} {column}".replace("middle ", "").replace(" centre", "")
    )
