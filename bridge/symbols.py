"""From clusters of masks to symbols: which clusters show the same window, and what each symbol is."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from predinet_prolog.bridge.scene import FloatArray, IntArray, Thing

PICKED = 0.5
"""A cluster shows the window that has more than this share of its centre."""


@dataclass(frozen=True)
class Windows:
    """What one feature vector of the network sees: windows on a grid, row by row. In pixels of its image."""

    side: int
    """Windows along a side of the image: n = side² in all."""
    stride: int
    size: int


class Symbols(NamedTuple):
    """The symbols of an image, not yet coloured: things first, then background; both as one reads."""

    things: tuple[Thing, ...]
    background: tuple[Thing, ...]
    first_looks: tuple[int, ...]
    """Of each symbol, the look, counted from 1, whose masks first picked it."""
    of_mask: IntArray
    """(p,): of each mask, the index of its symbol."""


def name_symbols(
    masks: FloatArray,
    labels: IntArray,
    of_look: IntArray,
    coordinates: FloatArray,
    boxes: FloatArray,
    *,
    windows: Windows,
    masks_a_look: int,
) -> Symbols:
    """The symbols of an image, of whose p `masks` (p, n) each is in one of the clusters `labels` (p,), every number up
    to the largest.

    `of_look` (n,) is the look that found each window (0: none), `coordinates` (n, j) lie on the j relations' axes,
    `boxes` (n, 4) hold what windows show. Clusters that show the same window are one symbol; one that shows no window
    is a symbol of its own.
    """
    total, count = _sums(masks, labels)
    centres = total / count[:, None]
    window = centres.argmax(axis=1)
    picked = centres.max(axis=1) > PICKED
    background = ~(picked & (of_look[window] > 0))
    keys = list(
        zip(background.tolist(), window.tolist(), np.where(picked, -1, np.arange(len(count))).tolist(), strict=True)
    )
    order = sorted(set(keys))
    of_mask = np.array([order.index(key) for key in keys])[labels]
    total, count = _sums(masks, of_mask)
    means = total / count[:, None]  # (s, n)
    symbols = []
    for number, ((hidden, place, _), mask) in enumerate(zip(order, means, strict=True)):
        row, column = divmod(place, windows.side)
        left, top = float(column * windows.stride), float(row * windows.stride)
        box = left, top, left + windows.size, top + windows.size
        at = mask @ coordinates if hidden else coordinates[place]
        grid = mask.reshape(windows.side, windows.side)
        symbols.append(Thing(f"ob_{number}", boxes[place], None, at, window=box, mask=grid))
    things = len(order) - sum(hidden for hidden, _, _ in order)
    picks = of_mask.tolist()
    first_looks = tuple(picks.index(number) // masks_a_look + 1 for number in range(len(order)))
    return Symbols(tuple(symbols[:things]), tuple(symbols[things:]), first_looks, of_mask)


def _sums(masks: FloatArray, numbers: IntArray) -> tuple[FloatArray, IntArray]:
    """The sum (s, n) of those of `masks` (p, n) with each of the `numbers` (p,), and how many these are (s,)."""
    count = np.bincount(numbers)
    return (numbers == np.arange(len(count))[:, None]).astype(np.float64) @ masks, count
