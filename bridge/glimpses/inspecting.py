"""What speaks against trusting what was seen in a picture of any size, and how spoiled it is."""

from functools import reduce

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.bridge.finding.finders import Found
from predinet_prolog.bridge.finding.poses import Pose
from predinet_prolog.bridge.scene import FloatArray
from predinet_prolog.domains.domain import Inspection, Pixels
from predinet_prolog.domains.pixels import median
from predinet_prolog.neural.glimpses.ground import clearest, off_ground

DOUBTFUL = 0.5
"""A part of a picture that the finder doubts more than this shows no separate things."""
MOST = 0.08
"""The share of a picture's parts that may be doubtful without a warning."""
TRUSTED = 0.8
"""Less trust is warned of: 63 % of the pictures that chose and are read wrongly, 4 % of those read rightly."""
NOISE = 8.0
"""Grey levels of noise, as a deviation, at noise_level 1. The level is a root: traces of JPEG, half a grey level at any
quality, change outlines as much as more noise does."""
UNEVEN = 12.0
"""Grey levels that the ground is off, by which noise_level is one higher."""
SAMPLED = 1_000_000
"""So many of a picture's pixels tell how spoiled it is: more take long and say the same."""
AROUND = 2
"""Pixels around a thing's box that are not taken for ground."""
FLAT = 32.0
"""Grey levels that a pixel's surroundings differ by at most, if no noise makes them: beyond is an edge."""
FAINT = 32
"""Levels of 255: things that differ by fewer from all around them are hardly found."""
_ROWS, _COLUMNS = ("top", "", "bottom"), ("left", "", "right")


def inspect(picture: Pixels, finding: Found, plane: NDArray[np.float64], pose: Pose) -> Inspection:
    """The inspection of `picture` (H, W, 3), laid in that `pose`, with what was found on the ground `plane` (3, 3)."""
    level = (noise(picture) / NOISE) ** 0.5 + unevenness(picture, finding.boxes, plane) / UNEVEN
    empty = not len(finding.boxes)
    if empty and (reason := _faint(picture)):
        return Inspection(1.0, reason, level, empty, "save it with its samples stretched to the whole range")
    if finding.doubt is None:
        return Inspection(0.0, None, level, empty)
    doubtful = finding.doubt > DOUBTFUL
    score = float(doubtful.mean()) / MOST
    if score >= 1:
        return Inspection(score, f"clutter, text or texture {_where(pose.restored(doubtful))}", level, empty, trust=0.0)
    reason = None
    if finding.unsure is not None and finding.trust is not None and finding.trust < TRUSTED:
        part = finding.unsure / np.tile(picture.shape[1::-1], 2)
        score, where = 1.0, place_of(pose.restored_boxes(part[None], 1, 1)[0])
        reason = f"what is shown {where} may be one thing, several or none"
    return Inspection(score, reason, level, empty, trust=finding.trust)


def _faint(picture: Pixels) -> str | None:
    """What to say of a picture with next to no contrast; None of others, and of one even colour that is not dark."""
    low, high = picture.min(axis=(0, 1)), picture.max(axis=(0, 1))
    if high.max() < FAINT:
        return f"it is dark all over: its brightest sample is {high.max()} of 255"
    channel = int((high - low).argmax())
    if not 0 < high[channel] - low[channel] < FAINT:
        return None
    return f"its samples use a small part of their range: {low[channel]} to {high[channel]} of 255"


def noise(picture: Pixels) -> float:
    """The deviation of a picture's noise in grey levels; of a large one four bands tell it."""
    share = min(1.0, SAMPLED * 3 / picture.size)
    bands = np.array_split(picture, 1 if share == 1 else 4)
    return float(np.sqrt(np.mean([_residue(band[: int(np.ceil(share * len(band)))]) for band in bands])))


def _residue(picture: Pixels) -> float:
    """The mean square of what is left when smooth change is taken off (Immerkær's mask), where no edge is near."""
    red, green, blue = np.moveaxis(picture.astype(np.int32), 2, 0)
    change = clearest(_extreme(picture, np.maximum) - _extreme(picture, np.minimum))
    flat = change <= max(FLAT, 2 * float(median(change.ravel())))
    bent = np.diff(np.diff(np.pad(red + green + blue, 1, "edge"), n=2, axis=0), n=2, axis=1)
    return float((bent[flat].astype(np.float64) ** 2).mean()) / (3 * 6) ** 2


def _extreme(picture: Pixels, of: np.ufunc) -> Pixels:
    """(H, W, 3): the largest or smallest sample no more than two pixels away. SciPy's filters count in float64."""
    padded = np.pad(picture, ((2, 2), (2, 2), (0, 0)), "edge")
    across = reduce(of, (padded[:, place : padded.shape[1] - 4 + place] for place in range(5)))
    return np.asarray(reduce(of, (across[place : len(across) - 4 + place] for place in range(5))))


def unevenness(picture: Pixels, boxes: FloatArray, plane: NDArray[np.float64]) -> float:
    """How far the ground, what is outside of `boxes` (n, 4), is off `plane` (3, 3) in grey levels: shadows are in no
    plane. 0 where things hide the ground. Of a large picture some rows and columns tell it."""
    step = max(1, int((picture.size / 3 / SAMPLED) ** 0.5))
    picture, boxes = picture[::step, ::step], boxes / step
    height, width = picture.shape[:2]
    ground = np.ones((height, width), dtype=bool)
    for left, top, right, bottom in boxes.astype(int).tolist():
        ground[max(top - AROUND, 0) : bottom + AROUND + 1, max(left - AROUND, 0) : right + AROUND + 1] = False
    off = off_ground(picture, plane)[ground]
    return float(np.sqrt((off**2).mean())) if len(off) else 0.0


def _where(doubtful: NDArray[np.bool_]) -> str:
    """In words: everywhere, or the ninth of the picture that has most of it."""
    if doubtful.mean() > 0.6:
        return "all over"
    middle = (np.argwhere(doubtful)[:, ::-1] + 0.5).mean(axis=0) / doubtful.shape[::-1]
    return place_of(np.tile(middle, 2))


def place_of(box: FloatArray) -> str:
    """In words, in which ninth of the picture the middle of `box` (4,) is, which is given in shares of its sides."""
    across, down = (3 * (box[:2] + box[2:]) / 2).astype(int)
    words = f"{_ROWS[down]} {_COLUMNS[across]}".strip()
    return f"at the {words}" if words else "in the middle"
