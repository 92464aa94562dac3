"""From images to scenes: the network's masks, clustered, become the symbols of what it saw."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from bridge.extents import fit_boxes
from bridge.mean_shift import mean_shift
from bridge.scene import FloatArray, IntArray, Scene
from bridge.symbols import Windows, name_symbols
from neural.checkpoint import Model
from neural.errors import NeuralError
from neural.inference import Pixels, PreciseNetwork

BANDWIDTH = 0.2
"""Reach of mean shift. Masks on one window scatter by less, two on different windows lie up to √2 apart. A wider
reach lets masks that hesitate between windows draw the clusters of those windows together (measured on
pentominoes: 0.5 lost 2 objects in 100 scenes of 1 to 9)."""
ATTENDED = 0.6
"""A window counts as attended when some mask has more than this share on it: clearly more than PICKED, so that the
mask's cluster shows the window too."""
BLANK = 0.25
"""A window whose content is at most this share of the image's richest window shows nothing."""
MOST_LOOKS = 10
"""An image of the game has nine cells; each look but the last finds an object."""
BATCH = 64
"""Images at a time: what more of them need does not stay in the processor's cache."""


@dataclass(frozen=True)
class Perceiver:
    """Sees what is in images with `model`.

    The first look is the paper's: mean shift over the 2k attention masks of the image. One look misses objects
    when they are many, so the windows of those found are blanked in the image and the network looks again,
    until nothing new appears or `looks` are done (None: no bound but MOST_LOOKS). Masks of all looks are
    clustered together; features, co-ordinates and values always come from the image as it was given.
    """

    model: Model
    looks: int | None = None

    def __post_init__(self) -> None:
        """NeuralError if there is no look to do, or the model is one of the paper's baselines: only a PrediNet's output
        has a meaning."""
        if self.looks is not None and self.looks < 1:
            raise NeuralError(f"{self.looks} looks are none: do one at least")
        _ = self.model.precise

    def perceive(self, images: Pixels) -> list[Scene]:
        """One scene for each of `images` (N, S, S, 3) uint8."""
        return [scene for start in range(0, len(images), BATCH) for scene in self._batch(images[start : start + BATCH])]

    def _batch(self, images: Pixels) -> list[Scene]:
        network = self.model.precise
        L, objectness = network.encode(images)  # (B, n, m), (B, n)
        looks = self._look(images, L, objectness)
        config = network.config
        boxes = fit_boxes(images, looks.found > 0, Windows(config.side, config.stride, config.filter_size))
        noise_levels = np.array([each.noise_level for each in self.model.domain.inspect(images)])
        scenes: list[Scene | None] = [None] * len(images)
        # Images that took the same number of looks have the same number of masks: clustered as one batch.
        for count in range(1, len(looks.attention) + 1):
            rows = np.flatnonzero(looks.used == count)
            if len(rows):
                attention = looks.attention[:count, rows]  # (l, b, k, 2, n)
                own = _scenes(network, L[rows], attention, looks.found[rows], noise_levels[rows], boxes[rows])
                for row, scene in zip(rows.tolist(), own, strict=True):
                    scenes[row] = scene
        return [scene for scene in scenes if scene is not None]

    def _look(self, images: Pixels, L: FloatArray, first: FloatArray) -> "_Looks":
        """Looks at `images` (B, S, S, 3) until nothing new appears; `L` and the objectness `first` are theirs."""
        network = self.model.precise
        floor = BLANK * first.max(axis=1, keepdims=True)  # (B, 1)
        found = np.zeros(first.shape, dtype=np.int64)  # (B, n): the look that found the window, 0 for none
        used = np.ones(len(images), dtype=np.int64)
        attention = [network.attend(L)]  # each (B, k, 2, n)
        seen = images
        rows = np.arange(len(images))  # the images still looked at
        objectness = first
        masks = attention[0]
        most = MOST_LOOKS if self.looks is None else self.looks
        for look in range(1, most + 1):
            things = _things(objectness, floor[rows]) & _attended(masks)  # (b, n)
            new = things & (found[rows] == 0)
            found[rows] = np.where(new, look, found[rows])
            some = new.any(axis=1)
            if look > 1:
                used[rows[some]] = look
            rows, seen, new = rows[some], seen[some], new[some]
            if look == most or not len(rows):
                break
            seen = _blanked(seen, new, network)
            L_seen, objectness = network.encode(seen)
            left = (objectness > floor[rows]).any(axis=1)
            rows, seen, objectness = rows[left], seen[left], objectness[left]
            if not len(rows):
                break
            masks = network.attend(L_seen[left])
            attention.append(np.zeros_like(attention[0]))
            attention[-1][rows] = masks
        return _Looks(np.stack(attention), used, found)


@dataclass(frozen=True)
class _Looks:
    """What l looks at B images gave."""

    attention: FloatArray
    """(l, B, k, 2, n): masks of each look; zeros where an image was not looked at any more."""
    used: IntArray
    """(B,): number of looks that found something new, at least 1; the masks after them are left out."""
    found: IntArray
    """(B, n): for every window that shows a whole thing and was attended, the look that found it; else 0."""


def _things(objectness: FloatArray, floor: FloatArray) -> NDArray[np.bool_]:
    """Which windows (B, n) show a whole thing: not blank, and no overlapping window shows more.

    A window that overlaps a richer one shows a part of what that one shows whole.
    """
    side = int(objectness.shape[1] ** 0.5)
    grid = np.pad(objectness.reshape(-1, side, side), ((0, 0), (1, 1), (1, 1)))
    rows = np.maximum(np.maximum(grid[:, :-2], grid[:, 1:-1]), grid[:, 2:])
    richest = np.maximum(np.maximum(rows[:, :, :-2], rows[:, :, 1:-1]), rows[:, :, 2:]).reshape(len(objectness), -1)
    return np.asarray((objectness > floor) & (objectness >= richest))


def _attended(masks: FloatArray) -> NDArray[np.bool_]:
    """Which windows (B, n) some mask of `masks` (B, k, 2, n) attends to."""
    return np.asarray((masks > ATTENDED).any(axis=(1, 2)))


def _blanked(images: Pixels, windows: NDArray[np.bool_], network: PreciseNetwork) -> Pixels:
    """`images` (B, S, S, 3) with the pixels of the chosen `windows` (B, n) made background."""
    size, stride, side = network.config.filter_size, network.config.stride, network.config.side
    blanked = images.copy()
    image, window = windows.nonzero()
    row, column = np.divmod(window, side)
    ground = network.background(images)[image, None, None]
    places = sliding_window_view(blanked, (size, size), axis=(1, 2), writeable=True)  # (B, …, …, 3, F, F)
    places[image, row * stride, column * stride] = ground.swapaxes(1, 3)
    return blanked


def _scenes(
    network: PreciseNetwork,
    L: FloatArray,
    attention: FloatArray,
    found: IntArray,
    noise_levels: FloatArray,
    boxes: FloatArray,
) -> Iterator[Scene]:
    """Scenes of b images from `L` (b, n, m), `attention` (l, b, k, 2, n), the windows `found` (b, n), `noise_levels`
    (b,), `boxes` (b, n, 4)."""
    config = network.config
    looks, b, k, _, n = attention.shape
    by_image = np.ascontiguousarray(attention.swapaxes(0, 1))  # (b, l, k, 2, n)
    masks = by_image.reshape(b, -1, n)  # (b, p, n)
    labels, _ = mean_shift(masks, bandwidth=BANDWIDTH)
    symbols, of_mask = name_symbols(
        masks,
        labels,
        found,
        network.coordinates(L),
        boxes,
        windows=Windows(config.side, config.stride, config.filter_size),
        masks_a_look=2 * k,
    )
    values = np.stack([network.values(L, look) for look in attention], axis=1)  # (b, l, k, j)
    slopes = network.slopes()
    for own, pairs, own_values, own_masks, own_noise_level in zip(
        symbols,
        of_mask.reshape(b, looks, k, 2),
        values,
        by_image.reshape(b, looks, k, 2, config.side, config.side),
        noise_levels.tolist(),
        strict=True,
    ):
        yield Scene(
            symbols=own,
            pairs=pairs,
            values=own_values,
            attention=own_masks,
            slopes=slopes,
            noise_level=own_noise_level,
            image_size=config.image_size,
        )
