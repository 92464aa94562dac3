"""Things of thin lines: a pixel of a glimpse is a mean of many of the picture's, in which a line is mixed with the
ground. Their colours are seen in glimpses where every pixel shows the clearest of those around it, and told by the
picture's own pixels."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.bridge.scene import BoolArray, FloatArray
from predinet_prolog.domains.domain import Pixels
from predinet_prolog.imaging import ndimage
from predinet_prolog.neural.glimpses.config import SIDE
from predinet_prolog.neural.glimpses.cutting import Floats, cut, squares_of
from predinet_prolog.neural.glimpses.ground import clearest, field


@dataclass(frozen=True)
class Line:
    """When a thing is of thin lines, and which pixels of lines are pure."""

    mixed: float = 2.0
    """Pixels of the picture along the side of a glimpse's pixel, at least: in fewer, lines are hardly mixed."""
    inner: float = 0.1
    """A smaller share of the mask's pixels has others on every side."""
    pure: float = 0.8
    """Share of the contrast of the clearest pixel around: less is mixed with the ground."""
    least: float = 0.5
    """Share of the thing's clearest pixel's: less is ground that its mask covers."""


LINE = Line()


def is_thin(boxes: FloatArray, mask: FloatArray) -> BoolArray:
    """(n,): which things in `boxes` (n, 4) are of lines that are mixed in their glimpses, by their `mask`
    (n, SIDE, SIDE), 0–1."""
    pixels = mask > 0.5
    inner = ndimage.binary_erosion(pixels, np.ones((1, 3, 3)))
    squares = squares_of(boxes)
    mixed = squares[:, 2] - squares[:, 0] >= LINE.mixed * SIDE
    return np.asarray(mixed & (inner.sum(axis=(1, 2)) <= LINE.inner * pixels.sum(axis=(1, 2))))


def thickened(picture: Pixels, plane: NDArray[np.floating], boxes: FloatArray) -> Floats:
    """(n, 7, SIDE, SIDE): glimpses as `cut` makes them, lines as wide as a pixel of theirs."""
    glimpses = [np.zeros((0, 7, SIDE, SIDE), dtype=np.float32)]
    for box in boxes:
        window, strongest, _ = _clearest_around(picture, plane, box)
        thick = picture.copy()
        rows, columns = np.unravel_index(strongest, thick[window].shape[:2])
        thick[window] = picture[window][rows, columns]
        glimpses.append(cut(thick, plane, box[None]))
    return np.concatenate(glimpses)


def line_colour(
    picture: Pixels, plane: NDArray[np.floating], box: FloatArray, mask: FloatArray
) -> tuple[int, int, int]:
    """The mean of the pure pixels of a thing in `box` (4,), whose `mask` (SIDE, SIDE), 0–1, a thickened glimpse has."""
    window, strongest, unlike = _clearest_around(picture, plane, box)
    left, top, right, _ = squares_of(box[None])[0]
    unit = (right - left) / SIDE
    rows, columns = (
        np.clip(((np.arange(part.start, part.stop) + 0.5 - corner) / unit).astype(int), 0, SIDE - 1)
        for part, corner in zip(window, (top, left), strict=True)
    )
    around = mask[rows[:, None], columns]  # a mask may be clearest outside of its thing
    masked = around >= 0.5 * around.max()
    clear = masked & (unlike >= LINE.least * unlike[masked].max())
    pure = clear & (unlike >= LINE.pure * unlike.ravel()[strongest])  # none, where all lie beside what is clearer
    red, green, blue = picture[window][pure if pure.any() else clear].mean(axis=0).round().astype(int).tolist()
    return red, green, blue


def _clearest_around(
    picture: Pixels, plane: NDArray[np.floating], box: FloatArray
) -> tuple[tuple[slice, slice], NDArray[np.int64], FloatArray]:
    """Rows and columns of the picture in and around `box` (4,); and of these pixels, (h, w) each, the place of the
    clearest at most half of a glimpse's pixel away, or one, and how far each is from the ground."""
    height, width = picture.shape[:2]
    square = squares_of(box[None])[0]
    reach = max(1, round((square[2] - square[0]) / SIDE / 2))
    left, top = np.clip(np.floor(box[:2]).astype(int) - reach, 0, (width - 1, height - 1)).tolist()
    right, bottom = (np.ceil(box[2:]).astype(int) + reach).tolist()
    window = slice(top, max(min(bottom, height), top + 1)), slice(left, max(min(right, width), left + 1))
    unlike = clearest(picture[window] - field(plane, height, width, window))
    order = np.argsort(unlike, axis=None, kind="stable")
    highest = ndimage.maximum_filter(order.argsort().reshape(unlike.shape), 2 * reach + 1)  # by their ranks
    return window, order[highest], unlike.astype(np.float64)
