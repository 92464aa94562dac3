"""What the things of pictures lie on."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

Field = NDArray[np.float64]


def ground(name: str, width: int, height: int, rng: np.random.Generator) -> Image.Image:
    """The ground of that name, lit from one side."""
    colour, light, texture = GROUNDS[name]
    picture = np.full((height, width, 3), colour, dtype=np.float64) + texture(width, height, rng)[..., None]
    y, x = np.mgrid[0:height, 0:width] / max(width, height) - 0.5
    angle = rng.uniform(0, 2 * np.pi)
    picture *= (1 + light * (x * np.cos(angle) + y * np.sin(angle)) - light * (x**2 + y**2))[..., None]
    return Image.fromarray(np.clip(picture, 0, 255).astype(np.uint8))


def _plain(width: int, height: int, rng: np.random.Generator) -> Field:
    return np.zeros((height, width))


def _paper(width: int, height: int, rng: np.random.Generator) -> Field:
    return _blurred(width, height, 1.2, rng) * 3 + _blurred(width, height, 12, rng) * 2


def _wood(width: int, height: int, rng: np.random.Generator) -> Field:
    """Grain along x."""
    return np.asarray(_blurred(width, height, (1.5, 60), rng) * 5 + _blurred(width, height, (12, 200), rng) * 4)


def _cloth(width: int, height: int, rng: np.random.Generator) -> Field:
    y, x = np.mgrid[0:height, 0:width]
    return np.asarray(4 * np.sin(x * 1.3) * np.sin(y * 1.3) + _blurred(width, height, 2, rng) * 2)


def _cork(width: int, height: int, rng: np.random.Generator) -> Field:
    return np.asarray(_blurred(width, height, 2.5, rng) * 9)


def _blurred(width: int, height: int, reach: float | tuple[float, float], rng: np.random.Generator) -> Field:
    """(height, width): smooth noise with a standard deviation of 1."""
    noise = ndimage.gaussian_filter(rng.standard_normal((height, width)), reach)
    return np.asarray(noise / noise.std())


GROUNDS: Mapping[str, tuple[tuple[int, int, int], float, Callable[[int, int, np.random.Generator], Field]]] = {
    "white": ((252, 252, 250), 0.03, _plain),
    "paper": ((240, 236, 226), 0.25, _paper),
    "desk": ((176, 138, 98), 0.35, _wood),
    "table": ((96, 66, 46), 0.35, _wood),
    "felt": ((34, 96, 62), 0.3, _cork),
    "velvet": ((46, 38, 74), 0.3, _paper),
    "linen": ((214, 204, 186), 0.25, _cloth),
    "denim": ((62, 84, 124), 0.25, _cloth),
    "cork": ((190, 148, 104), 0.25, _cork),
    "steel": ((206, 210, 212), 0.35, _paper),
}
"""Colour, how uneven the light is, and what is added to every pixel."""
