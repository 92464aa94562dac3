"""Extents: the box that fits what a window shows."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from predinet_prolog.bridge.scene import BoolArray, FloatArray, IntArray
from predinet_prolog.bridge.symbols import Windows
from predinet_prolog.domains.domain import Pixels
from predinet_prolog.domains.pixels import rim_colour
from predinet_prolog.neural.glimpses.ground import clearest

REACH = 3
"""Pixels that a thing may lie outside of the window it was found in: everyday pictures move things by 2."""
SHARE = 0.5
"""A pixel belongs to a thing if it differs from the background by this share of the most that a pixel of the window
does: a blurred edge lies there. Measured: at 0.4 JPEG's ripples are taken in, at 0.6 parts of things left out."""


def fit_boxes(images: Pixels, lit_pixels: BoolArray, windows: Windows) -> FloatArray:
    """(b, n, 4): left, top, right, bottom of what is seen in each window of `images` (b, H, W, C).

    `lit_pixels` (b, n) says which windows show a thing; the others are their own boxes.
    """
    row, column = np.divmod(np.arange(windows.side**2), windows.side)
    corners = np.stack([column, row], axis=1) * windows.stride
    whole = np.concatenate([corners, corners + windows.size], axis=1).astype(np.float64)
    boxes = np.tile(whole, (len(images), 1, 1))
    image, window = lit_pixels.nonzero()
    if not len(image):
        return boxes
    around = np.pad(contrast(images), ((0, 0), (REACH, REACH), (REACH, REACH)))
    left, top = corners[window].T
    patches = sliding_window_view(around, (windows.size + 2 * REACH,) * 2, axis=(1, 2))[image, top, left]  # (o, P, P)
    inside = patches[:, REACH:-REACH, REACH:-REACH]
    floor = (SHARE * inside.reshape(len(inside), -1).max(axis=1)).astype(np.uint8)  # a pixel is a whole number
    lit = patches > floor[:, None, None]
    columns, rows = lit[:, REACH:-REACH].any(axis=1), lit[:, :, REACH:-REACH].any(axis=2)  # (o, P)
    columns[:, :REACH] = columns[:, -REACH:] = rows[:, :REACH] = rows[:, -REACH:] = False
    # What ends within its window is alone there; else the thing may reach out of it, or a neighbour into it.
    rim = (columns | rows)[:, [REACH, -REACH - 1]].any(axis=1)
    if rim.any():
        outline = _own(np.count_nonzero(lit[rim, REACH:-REACH], axis=1))
        rows[rim] = _own(np.count_nonzero(lit[rim] & outline[:, None], axis=2))
        columns[rim] = _own(np.count_nonzero(lit[rim] & rows[rim][:, :, None], axis=1))
    start = corners[window] - REACH
    reach = [columns.argmax(axis=1), rows.argmax(axis=1)]
    reach += [columns.shape[1] - lines[:, ::-1].argmax(axis=1) for lines in (columns, rows)]
    some = columns.any(axis=1)
    boxes[image[some], window[some]] = (np.stack(reach, axis=1) + np.tile(start, 2))[some]
    return boxes


def contrast(images: Pixels) -> Pixels:
    """(b, H, W): how far the clearest channel of each pixel is from the background, 0–255."""
    ground = rim_colour(images)[:, None, None]
    return clearest(np.maximum(images, ground) - np.minimum(images, ground))


def _own(counts: IntArray) -> BoolArray:
    """Which lines (o, P) across a patch show the window's own thing, given how many of their pixels are lit.

    Of lines that follow each other without a gap, those that reach the window's rim are a neighbour's, unless they are
    the most of what the window shows.
    """
    lit = counts > 0
    starts = lit & ~np.pad(lit, ((0, 0), (1, 0)))[:, :-1]
    run = np.where(lit, starts.cumsum(axis=1), 0)  # (o, P): 0 between runs
    of_run = run[:, :, None] == np.arange(1, lit.shape[1] // 2 + 2)  # (o, P, runs)
    inner = of_run[:, REACH:-REACH]
    mass = (counts[:, REACH:-REACH, None] * inner).sum(axis=1)  # (o, runs)
    inner_run = (mass > 0) & ~inner[:, 0] & ~inner[:, -1]
    inner_run[np.arange(len(inner_run)), mass.argmax(axis=1)] = True
    return np.asarray((of_run & inner_run[:, None]).any(axis=2))
