"""What a picture may be turned into without any thing becoming another: colours exchanged or inverted, all mirrored."""

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Kind = TypeVar("Kind", bound=np.generic)
INVERTED = 0.3
"""Share of augmentations that invert colours."""
SHAKEN, SHIFT, LEAST_SHIFT = 0.7, 0.05, 0.6
"""The share of things whose boxes are shifted: each side by this share of the long side at most, or by so many pixels
of a picture as finders look at it."""


@dataclass(frozen=True)
class Augmentation:
    """One way to change a picture, the same for all that belongs to it."""

    channels: tuple[int, ...]
    """Which channel each channel becomes."""
    inverted: bool
    across: bool
    down: bool
    """Whether left and right, top and bottom change sides."""
    swapped: bool
    """Whether rows then become columns."""

    @classmethod
    def random(cls, rng: np.random.Generator) -> "Augmentation":
        channels = tuple(rng.permutation(3).tolist())
        return cls(channels, bool(rng.random() < INVERTED), *(bool(way) for way in rng.integers(2, size=3)))

    def coloured(self, pixels: Floats) -> Floats:
        """`pixels` (…, 3), 0–255."""
        exchanged = pixels[..., list(self.channels)]
        return np.asarray(255 - exchanged if self.inverted else exchanged)

    def turned(self, x: NDArray[Kind], rows: int) -> NDArray[Kind]:
        """`x` mirrored; its axis `rows`, counted from the front, goes down, the next one across."""
        if self.across:
            x = np.flip(x, rows + 1)
        if self.down:
            x = np.flip(x, rows)
        return np.swapaxes(x, rows, rows + 1) if self.swapped else x

    def boxes(self, boxes: Floats, height: int, width: int) -> Floats:
        """`boxes` (…, 4) in pictures of that size; those of zeros, which are none, stay so."""
        real = boxes[..., 2:3] > boxes[..., :1]
        left, top, right, bottom = np.moveaxis(boxes, -1, 0)
        if self.across:
            left, right = width - right, width - left
        if self.down:
            top, bottom = height - bottom, height - top
        sides = (top, left, bottom, right) if self.swapped else (left, top, right, bottom)
        return np.where(real, np.stack(sides, axis=-1), 0).astype(np.float32)

    def glimpses(self, glimpses: Floats) -> Floats:
        """`glimpses` (n, 7, SIDE, SIDE), as `cut` makes them of the picture."""
        order = list(self.channels)
        x = glimpses[:, [*order, *(3 + channel for channel in order), 6]]
        if self.inverted:
            x[:, :3] = 255 / 128 - 2 - x[:, :3]
            x[:, 3:6] *= -1
        return np.asarray(self.turned(x, 2))


def shaken(boxes: NDArray[np.float64], least: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """`boxes` (n, 4) as a finder gives them: most are a little off, small ones by `least` pixels at most."""
    long = (boxes[:, 2:] - boxes[:, :2]).max(axis=1, keepdims=True)
    shift = rng.uniform(-1, 1, boxes.shape) * np.maximum(SHIFT * long, least)
    return np.asarray(boxes + shift * (rng.random((len(boxes), 1)) < SHAKEN))
