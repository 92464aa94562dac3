"""What every domain may ask of pixels."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.domains.domain import Pixels


def rim_colour(images: Pixels) -> Pixels:
    """The median (N, C) of the outermost pixels of `images` (N, H, W, C), of two middle ones the lower: a colour that
    some pixel has in each channel."""
    outermost = np.concatenate([images[:, 0], images[:, -1], images[:, 1:-1, 0], images[:, 1:-1, -1]], axis=1)
    middle = (outermost.shape[1] - 1) // 2
    return np.partition(outermost, middle, axis=1)[:, middle]


def median(values: NDArray[Any], axis: int = 0) -> Any:
    """As np.median, which loads NumPy's masked arrays, of what is neither empty nor NaN."""
    middle = (values.shape[axis] - 1) // 2, values.shape[axis] // 2
    return np.partition(values, middle, axis).take(middle, axis).mean(axis)


def quantile(values: NDArray[Any], share: float) -> Any:
    """As np.quantile, which loads them too, of two values at least, none of them NaN, and a share below 1."""
    below, rest = divmod((values.size - 1) * share, 1)
    low, high = np.partition(values.ravel(), (int(below), int(below) + 1))[int(below) : int(below) + 2]
    return low + (high - low) * rest if rest < 0.5 else high - (high - low) * (1 - rest)
