"""The parts of a thing: its pieces of one colour, where there are several."""

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.bridge.scene import BoolArray, FloatArray
from predinet_prolog.imaging import ndimage
from predinet_prolog.neural.glimpses.ground import clearest

ALIKE = 40
"""Grey levels that colours of one part differ by at most, in any channel."""
LEAST = 0.06
"""A smaller share of the thing is no part of its own: edges are mixtures of colours."""
MOST = 6
"""Colours that are told apart in one thing."""


def parts_of(pixels: NDArray[np.floating], visible: BoolArray) -> list[tuple[FloatArray, tuple[int, int, int]]]:
    """Box (4,) in pixels of the glimpse, and mean colour, of each part of what `visible` (S, S) says is a thing in the
    glimpse `pixels` (S, S, 3); in any order. None if it is all of one colour."""
    left = ndimage.binary_erosion(visible) if visible.sum() > 60 else visible.copy()
    least = max(LEAST * left.sum(), 4)
    pieces: list[tuple[FloatArray, tuple[int, int, int]]] = []
    for _ in range(MOST):
        if left.sum() < least:
            break
        near = left & (clearest(pixels - _commonest(pixels[left])) <= ALIKE)
        patches, _ = ndimage.label(near)
        for number, window in enumerate(ndimage.find_objects(patches), start=1):
            here = patches[window] == number
            if here.sum() >= least:
                box = np.array([window[1].start, window[0].start, window[1].stop, window[0].stop], dtype=np.float64)
                red, green, blue = pixels[window][here].mean(axis=0).round().astype(int).tolist()
                pieces.append((box, (red, green, blue)))
        left &= ~near
    colours = np.array([colour for _, colour in pieces]).reshape(-1, 3)
    return pieces if (np.abs(colours - colours[:1]) > ALIKE).any() else []


def _commonest(colours: NDArray[np.floating]) -> NDArray[np.float64]:
    """(3,): the middle of the box of colours, 32 grey levels wide, that most of `colours` (n, 3) are in."""
    boxes = (np.clip(colours, 0, 255) // 32).astype(np.int64) @ [64, 8, 1]
    most = np.bincount(boxes).argmax()
    return np.asarray(colours[boxes == most].mean(axis=0))
