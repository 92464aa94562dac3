"""Pieces of one colour: one colour holds one thing together."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.bridge.finding.joining import connected
from predinet_prolog.bridge.scene import BoolArray, IntArray
from predinet_prolog.domains.domain import Pixels
from predinet_prolog.imaging import ndimage
from predinet_prolog.neural.glimpses.ground import clearest, field


@dataclass(frozen=True)
class OneColour:
    """When pixels side by side are of one colour."""

    apart: float = 12.0
    """They differ from the ground alike, but for how much: by less than this in each channel. So the pixels of thin
    lines are, of which each shows some ground."""
    strong: float = 0.6
    """But one that differs less than this share of its strongest neighbour is an edge's, or lies between two things."""
    fewest: int = 10
    """Pixels of a piece: fewer may be an edge's or a texture's."""


ONE_COLOUR = OneColour()


def segments(picture: Pixels, plane: NDArray[np.floating], visible: BoolArray) -> IntArray:
    """(H, W): the number of the piece of one colour that each pixel of `picture` (H, W, 3) belongs to, from 1; 0 where
    it is none of those `visible` (H, W), or of no piece. `plane` is the ground."""
    height, width = visible.shape
    unlike = (picture - field(plane, height, width)).astype(np.float32)
    strength = clearest(unlike) * visible
    strong = (strength > 0) & (strength >= ONE_COLOUR.strong * ndimage.maximum_filter(strength, 3))
    length = (unlike**2).sum(axis=2) + 1e-6
    place = np.arange(height * width).reshape(height, width)
    ends: list[tuple[IntArray, IntArray]] = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        one = slice(0, height - down), slice(max(-right, 0), width - max(right, 0))
        other = slice(down, height), slice(max(right, 0), width - max(-right, 0))
        both = strong[one] & strong[other]
        first, second = unlike[one][both], unlike[other][both]  # (n, 3)
        longer = (length[one] > length[other])[both][:, None]
        first, second = np.where(longer, first, second), np.where(longer, second, first)
        share = (first * second).sum(axis=1) / (first**2).sum(axis=1)
        alike = (share > 0) & (clearest(second - share[:, None] * first) < ONE_COLOUR.apart)
        ends.append((place[one][both][alike], place[other][both][alike]))
    piece = connected(place.size, *(np.concatenate(column) for column in zip(*ends, strict=True)))
    large = visible.ravel() & (np.bincount(piece)[piece] >= ONE_COLOUR.fewest)
    numbers = np.zeros(place.size, dtype=np.int64)
    numbers[large] = np.unique(piece[large], return_inverse=True)[1] + 1
    return numbers.reshape(height, width)
