"""What the heads of an agent look at in a frame of a game: clusters of their masks become symbols, as in the paper."""

import numpy as np
import numpy.typing as npt

from predinet_prolog.bridge.mean_shift import mean_shift
from predinet_prolog.bridge.perceiving.windows import BANDWIDTH
from predinet_prolog.bridge.scene import BoolArray, FloatArray, Heads, Scene, Thing
from predinet_prolog.domains.domain import Inspection, Pixels

REACH = 0.5
"""A symbol reaches over the windows with at least this share of its mask's peak."""


def attended(
    attention: npt.NDArray[np.float32], values: npt.NDArray[np.float32], slopes: npt.NDArray[np.float32], frame: Pixels
) -> Scene:
    """The scene of a frame (H, W, 3). Symbols are named from top to bottom.

    attention: (k, 2, rows, columns), both masks of each head. values: (k, j), the distance between the two in each
    relation's space. slopes: (j, 2), what x and y weigh in each relation.

    A symbol is a thing where its box shows anything but the ground, which is the frame's most frequent colour.
    """
    k, _, rows, columns = attention.shape
    masks = attention.reshape(2 * k, -1)
    labels, _ = mean_shift(masks, bandwidth=BANDWIDTH)  # (2k,)
    middles = np.stack([masks[labels == label].mean(0) for label in np.unique(labels)]).reshape(-1, rows, columns)
    stride = window(frame, (rows, columns))
    x, y = (middles.sum(axis) @ (np.arange(side) * stride + 0.5) for axis, side in ((1, columns), (2, rows)))
    tinted, half, nowhere = _shown(frame), stride / 2, np.empty(0)
    symbols: list[tuple[int, Thing]] = []
    for number, place in enumerate(np.lexsort((x, y)).tolist()):
        box, (across, down) = _box(middles[place], stride, frame), (x[place], y[place])
        place_of = across - half, down - half, across + half, down + half
        colour = _colour(frame, tinted, box)
        symbols.append((place, Thing(f"ob_{number}", box, colour, nowhere, window=place_of, mask=middles[place])))
    symbols.sort(key=lambda symbol: symbol[1].colour is None)  # things first
    things, background = (
        tuple(thing for _, thing in symbols if (thing.colour is None) == hidden) for hidden in (False, True)
    )
    index_of = np.argsort([place for place, _ in symbols])
    pairs = index_of[np.unique(labels, return_inverse=True)[1]].reshape(1, k, 2)
    drawn = attention[None].astype(np.float64), slopes.astype(np.float64)
    heads = Heads(pairs, values[None].astype(np.float64), *drawn, (1,) * len(symbols))
    size = frame.shape[1], frame.shape[0]
    return Scene(things, Inspection(0.0, None, 0.0), size, background=background, heads=heads)


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
    """The mean colour of what is `visible` in the box; None if nothing is."""
    left, top, right, bottom = np.rint(box).astype(int)
    part = (slice(top, bottom), slice(left, right))
    if not visible[part].any():
        return None
    red, green, blue = frame[part][visible[part]].mean(0).round().astype(int).tolist()
    return red, green, blue
