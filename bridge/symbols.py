"""From clusters of masks to symbols: which clusters show the same window, and what each symbol is."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

import numpy as np

from predinet_prolog.bridge.scene import BoolArray, FloatArray, IntArray, Thing

PICKED = 0.5
"""A cluster shows the window that has more than this share of its centre."""


@dataclass(frozen=True)
class Windows:
    """What one feature vector of the network sees: windows on a grid, row by row. In pixels of its image."""

    side: int
    """Windows along a side of the image: n = side² in all."""
    stride: int
    size: int


def name_symbols(
    masks: FloatArray,
    labels: IntArray,
    of_look: IntArray,
    coordinates: FloatArray,
    boxes: FloatArray,
    *,
    windows: Windows,
    masks_a_look: int,
) -> tuple[list["Symbols"], IntArray]:
    """The symbols of each of b images, and for each of their p masks the index of its symbol (b, p).

    `masks` (b, p, n) with their clusters `labels` (b, p), the look `of_look` (b, n) that found each window (0: none),
    `coordinates` (b, n, j) of the windows on the j relations' axes, `boxes` (b, n, 4) of what they show. Clusters
    that show the same window are one symbol.
    """
    clusters = _clusters(masks, labels, of_look)
    # Objects first, then by window; a cluster that shows no window is a symbol of its own. Some have no masks at all:
    # other images of the batch have more clusters.
    shape = 2, masks.shape[2], clusters.count.shape[1] + 1
    apart = np.where(clusters.on_one, 0, 1 + np.arange(clusters.count.shape[1]))
    key = np.ravel_multi_index(((~clusters.is_object).astype(np.int64), clusters.window, apart), shape)
    owner, cluster = clusters.count.nonzero()
    key = owner * np.prod(shape) + key[owner, cluster]
    _, index, symbol = np.unique(key, return_index=True, return_inverse=True)  # s symbols of all images, in order

    image = owner[index]  # (s,)
    start = np.searchsorted(image, np.arange(len(masks)))  # (b,): the first symbol of each
    of_cluster = np.zeros_like(clusters.count)
    of_cluster[owner, cluster] = symbol - start[owner]
    of_mask = np.take_along_axis(of_cluster, labels, axis=1)  # (b, p)

    order = symbol.argsort(kind="stable")
    first = np.searchsorted(symbol[order], np.arange(len(index)))
    total = np.add.reduceat(clusters.total[owner, cluster][order], first)  # (s, n)
    count = np.add.reduceat(clusters.count[owner, cluster][order], first)
    mask = total / count[:, None]
    is_object, window = clusters.is_object[image, cluster[index]], clusters.window[image, cluster[index]]
    spread = (mask[:, None] @ coordinates[image])[:, 0]  # (s, j)
    places = np.where(is_object[:, None], coordinates[image, window], spread)
    earliest = np.unique(of_mask + start[:, None], return_index=True)[1] % masks.shape[1]
    row, column = np.divmod(window, windows.side)

    facts = zip(
        is_object.tolist(),
        (column * windows.stride).tolist(),
        (row * windows.stride).tolist(),
        (earliest // masks_a_look + 1).tolist(),
        mask.reshape(-1, windows.side, windows.side),
        places,
        boxes[image, window],
        strict=True,
    )
    numbers = np.diff(start, append=len(index)).tolist()
    return [_symbols(islice(facts, number), windows.size) for number in numbers], of_mask


class Symbols(NamedTuple):
    """The symbols of one image, not yet coloured: things first, then background; both from top to bottom, then from
    left to right."""

    things: tuple[Thing, ...]
    background: tuple[Thing, ...]
    first_looks: tuple[int, ...]
    """Of each symbol, the look, counted from 1, whose masks first picked it."""


def _symbols(facts: Iterable[tuple[bool, int, int, int, FloatArray, FloatArray, FloatArray]], size: int) -> Symbols:
    """The symbols of one image; a window is `size` pixels wide."""
    things: list[Thing] = []
    background: list[Thing] = []
    looks: list[int] = []
    for number, (is_thing, left, top, look, mask, coordinates, box) in enumerate(facts):
        window = float(left), float(top), float(left + size), float(top + size)
        symbol = Thing(f"ob_{number}", box, None, coordinates, window=window, mask=mask)
        (things if is_thing else background).append(symbol)
        looks.append(look)
    return Symbols(tuple(things), tuple(background), tuple(looks))


@dataclass(frozen=True)
class _Clusters:
    """The clusters of b images, c in each; those past an image's own have no masks."""

    count: IntArray
    """(b, c): masks."""
    total: FloatArray
    """(b, c, n): their sum."""
    window: IntArray
    """(b, c): the window that has most of it."""
    on_one: BoolArray
    """(b, c): whether that window has more than PICKED."""
    is_object: BoolArray
    """(b, c): whether it does, and shows a whole thing."""


def _clusters(masks: FloatArray, labels: IntArray, of_look: IntArray) -> _Clusters:
    members = labels[:, None] == np.arange(labels.max() + 1)[:, None]  # (b, c, p)
    count = np.count_nonzero(members, axis=-1)
    total = members.astype(masks.dtype) @ masks
    centres = total / np.maximum(count, 1)[..., None]
    window = centres.argmax(-1)
    on_one = np.take_along_axis(centres, window[..., None], axis=-1)[..., 0] > PICKED
    return _Clusters(count, total, window, on_one, on_one & (np.take_along_axis(of_look, window, axis=1) > 0))
