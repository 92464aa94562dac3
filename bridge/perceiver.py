"""From images to scenes: the network's masks, clustered, become the symbols of what it saw."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from bridge.haze import haze
from bridge.mean_shift import mean_shift
from bridge.scene import FloatArray, Scene
from bridge.symbols import Windows, name_symbols
from neural.baselines import ARCHITECTURES
from neural.checkpoint import Model
from neural.encoder import content
from neural.errors import NeuralError
from neural.network import RelationsNetwork

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
        """NeuralError if the model is one of the paper's baselines: only a PrediNet's output has a meaning."""
        if (architecture := self.model.config.architecture) != "predinet":
            raise NeuralError(
                f"the model {self.model.name} is a {ARCHITECTURES[architecture]}: it has no propositions to export; "
                "choose a model that is a PrediNet"
            )

    def perceive(self, images: np.ndarray) -> list[Scene]:
        """One scene for each of `images` (N, S, S, 3), uint8 or any type with values 0–255."""
        with torch.inference_mode():
            return [
                scene
                for start in range(0, len(images), BATCH)
                for scene in self._batch(torch.tensor(images[start : start + BATCH]))
            ]

    def _batch(self, images: Tensor) -> list[Scene]:
        network = self.model.precise
        L = network.encoder(images)  # (B, n, m)
        looks = self._look(images, L)
        hazes = haze(images.numpy())
        scenes: list[Scene | None] = [None] * len(images)
        # Images that took the same number of looks have the same number of masks: clustered as one batch.
        for count in range(1, looks.attention.shape[0] + 1):
            rows = (looks.used == count).nonzero()[:, 0]
            if len(rows):
                attention = looks.attention[:count, rows]  # (l, b, k, 2, n)
                things = looks.found[rows]
                for row, scene in zip(
                    rows.tolist(), _scenes(network, L[rows], attention, things, hazes[rows.numpy()]), strict=True
                ):
                    scenes[row] = scene
        return [scene for scene in scenes if scene is not None]

    def _look(self, images: Tensor, L: Tensor) -> "_Looks":
        """Looks at `images` (B, S, S, 3) until nothing new appears."""
        network = self.model.precise
        blank = network.encoder.blank_features()
        first = content(L, blank) * network.encoder.wholeness(images)
        floor = BLANK * first.amax(1, keepdim=True)  # (B, 1)
        found = torch.zeros_like(first, dtype=torch.int64)  # (B, n): the look that found the window, 0 for none
        used = torch.ones(len(images), dtype=torch.int64)
        attention = [network.predinet.attend(L)]  # each (B, k, 2, n)
        seen = images
        rows = torch.arange(len(images))  # the images still looked at
        richness = first
        masks = attention[0]
        most = self.looks or MOST_LOOKS
        for look in range(1, most + 1):
            things = _things(richness, floor[rows]) & _attended(masks)  # (b, n)
            new = things & (found[rows] == 0)
            found[rows] = torch.where(new, look, found[rows])
            some = new.any(1)
            if look > 1:
                used[rows[some]] = look
            rows, seen, new = rows[some], seen[some], new[some]
            if look == most or not len(rows):
                break
            seen = _blanked(seen, new, network)
            L_seen = network.encoder(seen)
            richness = content(L_seen, blank) * network.encoder.wholeness(seen)
            left = (richness > floor[rows]).any(1)
            rows, seen, richness = rows[left], seen[left], richness[left]
            if not len(rows):
                break
            masks = network.predinet.attend(L_seen[left])
            whole = torch.zeros_like(attention[0])
            whole[rows] = masks
            attention.append(whole)
        return _Looks(torch.stack(attention), used, found)


@dataclass(frozen=True)
class _Looks:
    """What l looks at B images gave."""

    attention: Tensor
    """(l, B, k, 2, n): masks of each look; zeros where an image was not looked at any more."""
    used: Tensor
    """(B,): number of looks that found something new, at least 1; the masks after them are left out."""
    found: Tensor
    """(B, n): for every window that shows a whole thing and was attended, the look that found it; else 0."""


def _things(richness: Tensor, floor: Tensor) -> Tensor:
    """Which windows (B, n) show a whole thing: not blank, and no overlapping window shows more.

    A window that overlaps a richer one shows a part of what that one shows whole.
    """
    side = int(richness.shape[1] ** 0.5)
    grid = richness.view(-1, 1, side, side)
    richest = torch.nn.functional.max_pool2d(grid, 3, stride=1, padding=1).flatten(1)
    return (richness > floor) & (richness >= richest)


def _attended(masks: Tensor) -> Tensor:
    """Which windows (B, n) some mask of `masks` (B, k, 2, n) attends to."""
    return (masks > ATTENDED).flatten(1, 2).any(1)


def _blanked(images: Tensor, windows: Tensor, network: RelationsNetwork) -> Tensor:
    """`images` (B, S, S, 3) with the pixels of the chosen `windows` (B, n) made background."""
    size, stride, side = network.encoder.filter_size, network.encoder.stride, network.encoder.side
    blanked = images.clone()
    ground = network.encoder.background(images).to(images.dtype)
    for image, window in windows.nonzero().tolist():
        top, left = window // side * stride, window % side * stride
        blanked[image, top : top + size, left : left + size] = ground[image]
    return blanked


def _scenes(
    network: RelationsNetwork, L: Tensor, attention: Tensor, found: Tensor, hazes: FloatArray
) -> Iterator[Scene]:
    """Scenes of b images from `L` (b, n, m), `attention` (l, b, k, 2, n), the windows `found` (b, n), `hazes` (b,)."""
    encoder, predinet = network.encoder, network.predinet
    looks, b, k, _, n = attention.shape
    by_image = attention.transpose(0, 1).contiguous().to(torch.float64).numpy()  # (b, l, k, 2, n)
    masks = by_image.reshape(b, -1, n)  # (b, p, n)
    labels, _ = mean_shift(masks, bandwidth=BANDWIDTH)
    symbols, of_mask = name_symbols(
        masks,
        labels,
        found.numpy(),
        predinet.coordinates(L).to(torch.float64).numpy(),
        windows=Windows(encoder.side, encoder.stride, encoder.filter_size),
        masks_a_look=2 * k,
    )
    values = torch.stack([predinet.propositions(L, look).values for look in attention], dim=1)  # (b, l, k, j)
    slopes = predinet.slopes().to(torch.float64).numpy()
    for own, pairs, own_values, own_masks, own_haze in zip(
        symbols,
        of_mask.reshape(b, looks, k, 2),
        values.to(torch.float64).numpy(),
        by_image.reshape(b, looks, k, 2, encoder.side, encoder.side),
        hazes.tolist(),
        strict=True,
    ):
        yield Scene(
            symbols=own,
            pairs=pairs,
            values=own_values,
            attention=own_masks,
            slopes=slopes,
            haze=own_haze,
            image_size=network.config.image_size,
        )
