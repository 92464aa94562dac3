"""Pieces of one colour: in a clean picture, one colour holds one thing together."""

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from bridge.scene import BoolArray, IntArray
from domains.domain import Pixels

ONE_COLOUR = 12
"""Pixels side by side that differ by less in each channel are of one colour. The pixels of soft edges and of the ground
between two things differ by more."""
LEAST = 10
"""Fewest pixels of a piece: fewer may be an edge's or a texture's."""


def segments(picture: Pixels, shown: BoolArray) -> IntArray:
    """(H, W): the number of the piece of one colour that each pixel of `picture` (H, W, 3) belongs to, from 1; 0 where
    it is none of those `shown` (H, W), or of no piece."""
    height, width = shown.shape
    place, colours = np.arange(height * width).reshape(height, width), picture.astype(np.int16)
    ends: list[tuple[IntArray, IntArray]] = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        one = slice(0, height - down), slice(max(-right, 0), width - max(right, 0))
        other = slice(down, height), slice(max(right, 0), width - max(-right, 0))
        alike = shown[one] & shown[other] & (np.abs(colours[one] - colours[other]).max(axis=2) < ONE_COLOUR)
        ends.append((place[one][alike], place[other][alike]))
    first, second = (np.concatenate(column) for column in zip(*ends, strict=True))
    graph = coo_matrix((np.ones(len(first), dtype=bool), (first, second)), shape=(place.size, place.size))
    _, piece = connected_components(graph, directed=False)
    large = shown.ravel() & (np.bincount(piece)[piece] >= LEAST)
    numbers = np.zeros(place.size, dtype=np.int64)
    numbers[large] = np.unique(piece[large], return_inverse=True)[1] + 1
    return numbers.reshape(height, width)
