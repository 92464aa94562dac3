"""What the heads of an agent look at in a frame of a game, as facts: clusters of their masks become symbols, as in the
paper."""

import numpy as np
import numpy.typing as npt

from predinet_prolog.bridge.mean_shift import mean_shift
from predinet_prolog.bridge.perceiving.windows import BANDWIDTH
from predinet_prolog.bridge.program import Facts
from predinet_prolog.bridge.scene import BoolArray, FloatArray
from predinet_prolog.domains.domain import Pixels

REACH = 0.5
"""A symbol reaches over the windows with at least this share of its mask's peak."""


def attended(
    attention: npt.NDArray[np.float32], values: npt.NDArray[np.float32], slopes: npt.NDArray[np.float32], frame: Pixels
) -> Facts:
    """The facts of a frame (H, W, 3) in the program's order.

    attention: (k, 2, rows, columns), both masks of each head. values: (k, j), the distance between the two in each
    relation's space. slopes: (j, 2), what x and y weigh in each relation.

    A symbol is an object where its box shows anything but the ground, which is the frame's most frequent colour.
    """
    k, _, rows, columns = attention.shape
    masks = attention.reshape(2 * k, -1)
    labels = mean_shift(masks[None], bandwidth=BANDWIDTH)[0][0]  # (2k,)
    middles = np.stack([masks[labels == label].mean(0) for label in np.unique(labels)]).reshape(-1, rows, columns)
    stride = window(frame, (rows, columns))
    x, y = (middles.sum(axis) @ (np.arange(side) * stride + 0.5) for axis, side in ((1, columns), (2, rows)))
    boxes = np.array([_box(middle, stride, frame) for middle in middles])
    order = np.lexsort((x, y))  # from top to bottom
    names = np.empty(len(order), dtype=object)
    names[order] = [f"ob_{index}" for index in range(len(order))]
    first, second = names[np.unique(labels, return_inverse=True)[1].reshape(k, 2)].T.tolist()
    tinted = _shown(frame)
    colours = {name: _colour(frame, tinted, box) for name, box in zip(names, boxes, strict=True)}
    things = [index for index in order if colours[names[index]] is not None]
    objects, heads = [names[index] for index in things], [f"h{index}" for index in range(k)]
    return {
        "object": [objects],
        "background": [[names[index] for index in order if colours[names[index]] is None]],
        "position": [list(names[order]), x[order], y[order]],
        "box": [objects, *boxes[things].reshape(-1, 4).T],
        "colour": [objects, *([colour[band] for name in objects if (colour := colours[name])] for band in range(3))],
        "look": [list(names[order]), [1] * len(order)],
        "head": [heads, first, second],
        **{f"r{relation}": [values[:, relation].astype(np.float64), first, second] for relation in range(len(slopes))},
        "coordinate": [[], [], np.zeros(0)],
        "slope": [[f"r{relation}" for relation in range(len(slopes))], *slopes.T.astype(np.float64)],
        "noise_level": [np.zeros(1)],
        "tolerance": [np.array([stride / 4])],
    }


def window(frame: Pixels, grid: tuple[int, int]) -> int:
    """Pixels from one window of the `grid` (rows, columns) to the next: window i lies at pixel i times that."""
    return int(-(-frame.shape[0] // grid[0]))


def _box(mask: FloatArray, stride: int, frame: Pixels) -> FloatArray:
    """Left, top, right and bottom, in pixels, of what a `mask` (rows, columns) reaches over."""
    rows, columns = np.nonzero(mask >= REACH * mask.max())
    corners = np.array([columns.min() - 0.5, rows.min() - 0.5, columns.max() + 0.5, rows.max() + 0.5]) * stride + 0.5
    return corners.clip(0, [frame.shape[1], frame.shape[0]] * 2)


def _shown(frame: Pixels) -> BoolArray:
    """(H, W): what is not of the frame's most frequent colour."""
    colours, counts = np.unique(frame.reshape(-1, 3), axis=0, return_counts=True)
    return np.asarray((frame != colours[counts.argmax()]).any(2))


def _colour(frame: Pixels, visible: BoolArray, box: FloatArray) -> tuple[int, int, int] | None:
    """The mean colour of what is `shown` in the box; None if nothing is."""
    left, top, right, bottom = np.rint(box).astype(int)
    part = (slice(top, bottom), slice(left, right))
    if not visible[part].any():
        return None
    red, green, blue = frame[part][visible[part]].mean(0).round().astype(int).tolist()
    return red, green, blue
