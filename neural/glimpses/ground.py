"""The ground of a picture: a plane for each colour, fitted to the picture's rim."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.domains.pixels import median

Field = NDArray[np.float32]
RIM = 3
"""Pixels from the edge that the rim is wide."""
SAMPLES = 400
"""Most pixels of the rim that are looked at."""
ROUNDS = 6
FAR, NEAR = 40.0, 6.0
"""How far a pixel of the rim may be from the plane before it hardly counts: in the first round and in the last."""


def fit_plane(picture: NDArray[np.uint8]) -> NDArray[np.float64]:
    """(3, 3): height in the middle of `picture` (H, W, 3), and what it rises by across and down, for each colour.

    Things that reach into the rim hardly count: pixels weigh the less, the further they are from the plane of the round
    before; the first plane is the rim's median.
    """
    height, width = picture.shape[:2]
    y, x = _rim(height, width)
    samples = picture[y, x].astype(np.float64)
    A = np.stack([np.ones(len(x)), (x + 0.5) / width - 0.5, (y + 0.5) / height - 0.5], axis=1)
    plane = np.zeros((3, 3))
    plane[0] = median(samples)
    for reach in np.geomspace(FAR, NEAR, ROUNDS):
        weighted = A / (1 + (clearest(samples - A @ plane)[:, None] / reach) ** 4)
        plane = np.linalg.solve(weighted.T @ A + np.diag([1e-6, 1, 1]), weighted.T @ samples)
    return plane


EVERYWHERE = slice(None), slice(None)
"""All rows and columns."""


def field(plane: NDArray[np.floating], height: int, width: int, window: tuple[slice, slice] = EVERYWHERE) -> Field:
    """(height, width, 3): the plane at every pixel; of a `window`, at those rows and columns."""
    rows, columns = window
    y = ((np.arange(height, dtype=np.float32)[rows] + 0.5) / height - 0.5)[:, None, None]
    x = ((np.arange(width, dtype=np.float32)[columns] + 0.5) / width - 0.5)[None, :, None]
    p = plane.astype(np.float32)
    return np.asarray(p[0] + x * p[1] + y * p[2])


def off_ground(picture: NDArray[np.uint8], plane: NDArray[np.floating]) -> Field:
    """(H, W): how far each pixel of `picture` (H, W, 3) is from the ground, in its clearest channel."""
    return clearest(picture - field(plane, *picture.shape[:2]))


def clearest(unlike: NDArray[Any]) -> NDArray[Any]:
    """(...): of `unlike` (..., 3), differences of colours, that of the channel which differs most."""
    # NumPy's own maximum over so short an axis takes twenty times as long.
    red, green, blue = np.moveaxis(np.abs(unlike), -1, 0)
    return np.asarray(np.maximum(np.maximum(red, green), blue))


def _rim(height: int, width: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows and columns of pixels all around, the same number on every side."""
    depth = np.arange(min(RIM, height, width))
    along = np.linspace(0, 1, SAMPLES // 4 // RIM)
    down, right = (along * (height - 1)).round().astype(np.int64), (along * (width - 1)).round().astype(np.int64)
    n = 2 * len(depth)
    y = np.concatenate([np.repeat(depth, len(right)), np.repeat(height - 1 - depth, len(right)), *[down] * n])
    x = np.concatenate([*[right] * n, np.repeat(depth, len(down)), np.repeat(width - 1 - depth, len(down))])
    return y, x
