"""Corrupted pictures of scenes: what happens to an image on its way from the game to a user's file.

`corrupt` draws one, `augmented_images` some of all at once, for training. None but the shift knows of the objects:
they are done to the pixels.
"""

import numpy as np
import numpy.typing as npt
from PIL import Image

from predinet_prolog.domains.relations_game.objects import CELL, FRAME, MARGIN, generator, object_set
from predinet_prolog.domains.relations_game.scenes import GRID, SIDE, Scenes
from predinet_prolog.domains.scenes.light import as_jpeg

Pixels = npt.NDArray[np.uint8]  # (N, 36, 36, 3) RGB


def corrupt(scenes: Scenes, name: str, strength: float, *, seed: int | tuple[int, ...]) -> Pixels:
    """The pictures of `scenes`, each corrupted by `shift` or one of `_CHANGES`: (N, 36, 36, 3) uint8 RGB.

    A picture depends on its scene, its place among the scenes and the other arguments alone. What is random is
    the same for every strength, only more or less of it: strengths compare like with like.
    Raises DomainError for a seed that is not made of integers.
    """
    random = generator(f"disturb {name}", seed)
    if name == "shift":
        return _shifted(scenes, strength, random)
    return _CHANGES[name](scenes.render(), strength, random)


def augmented_images(scenes: Scenes, *, seed: int | tuple[int, ...]) -> Pixels:
    """The pictures of `scenes` as a network is trained on them to bear the corruptions: (N, 36, 36, 3) uint8 RGB.

    Each has its own mixture: objects moved by up to 1 pixel (two in five) or 2 (one in ten), and, each with the
    chance in brackets, a grey background (0.2), another size and back (0.15), another brightness (0.5), noise (0.4)
    and JPEG (0.15), in that order, as on the way of a picture. One in eight is clean. Raises DomainError for
    a seed that is not made of integers.
    """
    random = generator("disturb weathered", seed)
    count = len(scenes)
    images = _shifted(scenes, random.choice([0, 1, 2], size=count, p=[0.5, 0.4, 0.1]), random)
    for change, chance, low, high in _AUGMENTATION:
        chosen = np.flatnonzero(random.random(count) < chance)
        strengths = random.uniform(low, high, size=len(chosen))
        for index, strength in zip(chosen.tolist(), strengths.tolist(), strict=True):
            images[index] = change(images[index, None], strength, random)[0]
    return images


def object_offsets(scenes: Scenes, name: str, strength: float, *, seed: int | tuple[int, ...]) -> npt.NDArray[np.int64]:
    """How far `corrupt`, called alike, moves the object of every cell: (N, 9, 2) pixels, to the right and down.

    0 where the cell is empty, and everywhere unless the corruption is the shift. Raises as `corrupt` does.
    """
    return _offsets(scenes, strength if name == "shift" else 0, generator(f"disturb {name}", seed))


# --- The corruptions: (pictures, strength, random) -> pictures. ---


def _noise(images: Pixels, sigma: float, random: np.random.Generator) -> Pixels:
    """Gaussian, of that standard deviation where white is 1."""
    return _as_bytes(images + np.float32(255 * sigma) * random.standard_normal(images.shape, np.float32))


def _jpeg(images: Pixels, quality: float, random: np.random.Generator) -> Pixels:
    """As Pillow and most programs write it: at half the resolution for colour."""
    return np.array([as_jpeg(image, int(quality)) for image in images], np.uint8).reshape(images.shape)


def _resize(images: Pixels, side: float, random: np.random.Generator) -> Pixels:
    """To a square of that side and back: there with the filter that most programs prefer, and back with the one that
    `domains.images` takes where no side is a multiple of the other."""

    def resized(pixels: Pixels) -> Pixels:
        there = Image.fromarray(pixels).resize((int(side), int(side)), Image.Resampling.BICUBIC)
        return np.asarray(there.resize((SIDE, SIDE), Image.Resampling.LANCZOS))

    return np.array([resized(image) for image in images], np.uint8).reshape(images.shape)


def _brightness(images: Pixels, factor: float, random: np.random.Generator) -> Pixels:
    return _as_bytes(images * np.float32(factor))


def _contrast(images: Pixels, factor: float, random: np.random.Generator) -> Pixels:
    """About the middle grey: less of it lifts the black, as a washed-out print or a screen in the sun does."""
    return _as_bytes(127.5 + (images - np.float32(127.5)) * np.float32(factor))


def _blur(images: Pixels, radius: float, random: np.random.Generator) -> Pixels:
    """Gaussian, cut off at the image's edge: a picture of one colour stays as it is."""
    place = np.arange(SIDE)
    spread = np.exp(-0.5 * (np.subtract.outer(place, place) / radius) ** 2)
    spread = (spread / spread.sum(axis=1, keepdims=True)).astype(np.float32)
    rows = (spread @ images.astype(np.float32).reshape(-1, SIDE, SIDE * 3)).reshape(-1, SIDE, 3)
    return _as_bytes((spread @ rows).reshape(images.shape))


def _shifted(scenes: Scenes, pixels: float | npt.NDArray[np.int64], random: np.random.Generator) -> Pixels:
    """Each object moved by at most so many pixels, each way."""
    kind = object_set(scenes.object_set)
    corners = _HOME + _offsets(scenes, pixels, random)
    image, cell = np.nonzero(scenes.occupied)
    frame = np.arange(FRAME)
    x = corners[image, cell, 0, None, None] + frame  # (objects, 1, 9)
    y = corners[image, cell, 1, None, None] + frame[:, None]  # (objects, 9, 1)
    inside = slice(MARGIN, MARGIN + FRAME)
    images = np.zeros((len(scenes), SIDE, SIDE, 3), np.uint8)
    objects = kind.join(scenes.shapes, scenes.colours)[image, cell]
    images[image[:, None, None], y, x] = kind.cells[objects, inside, inside]
    return images


def _background(images: Pixels, shade: float, random: np.random.Generator) -> Pixels:
    """Grey, where white is 1, instead of black, around the objects and in their gaps; no object has black in it."""
    images = images.copy()
    images[(images == 0).all(axis=3)] = round(255 * shade)
    return images


_ALL = (_noise, _jpeg, _resize, _brightness, _contrast, _blur, _background)
_CHANGES = {change.__name__.removeprefix("_"): change for change in _ALL}

EVERYDAY: tuple[tuple[str, float], ...] = (
    ("noise", 0.05),
    ("jpeg", 75),
    ("resize", 200),
    ("brightness", 0.8),
    ("brightness", 1.2),
    ("shift", 1),
)
"""What a user's picture commonly has, names and strengths: what is promised to be borne."""


_AUGMENTATION = (
    (_background, 0.2, 0.0, 0.16),
    (_resize, 0.15, 28, 200),
    (_brightness, 0.5, 0.6, 1.2),
    (_noise, 0.4, 0.0, 0.08),
    (_jpeg, 0.15, 50, 96),
)
"""What `augmented_images` does beside moving objects, in its order: the change, its chance, its least and its greatest
strength. The strengths reach a little further than EVERYDAY does, which is what a network is to bear."""


# --- Where objects off the grid lie. ---

_HOME = CELL * np.stack(np.divmod(np.arange(GRID**2), GRID)[::-1], axis=1) + MARGIN
"""(9, 2): x and y of the top left corner of every cell's frame on the grid."""


def _offsets(
    scenes: Scenes, pixels: float | npt.NDArray[np.int64], random: np.random.Generator
) -> npt.NDArray[np.int64]:
    """(N, 9, 2) x and y, by at most `pixels`, one number or (N,).

    Each is uniform, then no further than the image's edge, then back until frames only touch.
    """
    drawn = random.random((len(scenes), GRID**2, 2))
    most = np.asarray(pixels, dtype=np.int64).reshape(-1, 1, 1)
    offsets: npt.NDArray[np.int64] = np.floor(drawn * (2 * most + 1)).astype(np.int64) - most
    offsets = (_HOME + offsets).clip(0, SIDE - FRAME) - _HOME
    offsets[~scenes.occupied] = 0
    pairs = scenes.occupied[:, :, None] & scenes.occupied[:, None] & ~np.eye(GRID**2, dtype=np.bool_)
    while True:
        corners = _HOME + offsets
        near = (np.abs(corners[:, :, None] - corners[:, None]) < FRAME).all(axis=3)
        overlapping = (near & pairs).any(axis=2)
        if not overlapping.any():
            return offsets
        # On the grid nothing overlaps: of two that do, one at least has a step to go back.
        offsets[overlapping] -= np.sign(offsets[overlapping])


# --- Pixels. ---


def _as_bytes(values: npt.NDArray[np.float32]) -> Pixels:
    return values.round().clip(0, 255).astype(np.uint8)
