"""Grounds, light, and what cameras and files do to a picture."""

import io
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

Field = NDArray[np.float32]


def smooth_noise(height: int, width: int, cells: int, rng: np.random.Generator) -> Field:
    """(height, width): soft hills of about `cells` along the long side, mean 0, deviation about 1."""
    unit = max(height, width) / cells
    coarse = rng.standard_normal((max(2, round(height / unit)) + 1, max(2, round(width / unit)) + 1)).astype(np.float32)
    return np.asarray(Image.fromarray(coarse).resize((width, height), Image.Resampling.BICUBIC))


def ramp(height: int, width: int, rng: np.random.Generator) -> Field:
    """(height, width): a plane that rises from -0.5 to 0.5 across the picture, some way."""
    angle = rng.uniform(0, 2 * np.pi)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    plane = (x / width - 0.5) * np.cos(angle) + (y / height - 0.5) * np.sin(angle)
    return np.asarray(plane / (np.abs(np.cos(angle)) + np.abs(np.sin(angle))), dtype=np.float32)


def new_ground(height: int, width: int, rng: np.random.Generator, *, plain: bool) -> tuple[Field, Field]:
    """The ground (height, width, 3), 0–255, and its colour (3,); one that is not `plain` may rise or be rough."""
    way = rng.random()
    if way < 0.3:
        colour = np.full(3, rng.uniform(225, 255))
    elif way < 0.45:
        colour = np.full(3, rng.uniform(0, 40))
    elif way < 0.65:
        colour = rng.uniform(150, 250) + rng.uniform(-25, 25, 3)
    else:
        colour = rng.uniform(0, 255, 3)
    colour = np.clip(colour, 0, 255).astype(np.float32)
    ground = np.full((height, width, 3), colour, dtype=np.float32)
    if not plain and rng.random() < 0.25:  # a painted gradient
        rise = (ramp(height, width, rng) * rng.uniform(20, 90))[..., None]
        ground += rise * rng.uniform(0.3, 1, 3).astype(np.float32)
    if not plain and rng.random() < 0.3:  # paper, cloth
        strength = rng.uniform(1, 5)
        ground += (smooth_noise(height, width, int(rng.integers(8, 50)), rng) * strength)[..., None]
    return ground, colour


def new_light(height: int, width: int, rng: np.random.Generator) -> Field:
    """(height, width, 3): what each pixel is multiplied by."""
    light = np.ones((height, width, 3), dtype=np.float32)
    if rng.random() < 0.35:
        light *= (1 + ramp(height, width, rng) * rng.uniform(0.1, 0.6))[..., None]
    if rng.random() < 0.2:  # vignette
        y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
        light *= (1 - rng.uniform(0.1, 0.45) * (x * x + y * y) / 2)[..., None]
    if rng.random() < 0.3:  # a shadow with a soft edge
        edge = ramp(height, width, rng) + 0.1 * rng.uniform(-3, 3)
        if rng.random() < 0.5:
            edge += smooth_noise(height, width, 3, rng) * 0.15
        depth, soft = rng.uniform(0.1, 0.5), rng.uniform(5, 60)
        light *= _shaded(edge, depth, soft)
    if rng.random() < 0.2:  # tint
        light *= rng.uniform(0.75, 1.1, 3).astype(np.float32)
    return light


def _shaded(edge: Field, depth: float, soft: float) -> Field:
    """(height, width, 1): the light that a shadow leaves, whose `edge` (height, width) is where that is 0."""
    return np.asarray(1 - depth / (1 + np.exp(-edge * soft)))[..., None]


def disturb(picture: Field, strengths: Mapping[str, float], rng: np.random.Generator) -> NDArray[np.uint8]:
    """The `picture` (H, W, 3), 0–255, with the disturbances that have a strength, in this order: `gradient` and
    `shadow` (their depth, of 1), `noise` (its deviation, of 1) and `jpeg` (its quality)."""
    height, width = picture.shape[:2]
    if depth := strengths.get("gradient"):
        picture = picture * (1 + 2 * depth * ramp(height, width, rng))[..., None]
    if depth := strengths.get("shadow"):
        edge = ramp(height, width, rng) + rng.uniform(-0.2, 0.2)
        picture = picture * _shaded(edge, depth, rng.uniform(8, 60))
    if level := strengths.get("noise"):
        picture = picture + rng.standard_normal(picture.shape, dtype=np.float32) * level * 255
    pixels = as_pixels(picture)
    return as_jpeg(pixels, int(strengths["jpeg"])) if "jpeg" in strengths else pixels


def spoil(picture: Field, rng: np.random.Generator, *, strength: float) -> NDArray[np.uint8]:
    """What a camera and a file make of the `picture` (H, W, 3), 0–255; `strength` 0 leaves it as it is."""
    if not strength:
        return as_pixels(picture)
    if rng.random() < 0.3 * strength:
        image = Image.fromarray(np.clip(picture, 0, 255).astype(np.uint8))
        if rng.random() < 0.5:
            image = image.filter(ImageFilter.GaussianBlur(float(rng.uniform(0.3, 1.1))))
        else:
            factor = rng.uniform(0.55, 0.95) if rng.random() < 0.6 else rng.uniform(1.1, 2.2)
            small = image.resize((round(image.width * factor), round(image.height * factor)), Image.Resampling.BILINEAR)
            image = small.resize(image.size, (Image.Resampling.BILINEAR, Image.Resampling.NEAREST)[rng.integers(2)])
        picture = np.asarray(image, dtype=np.float32)
    if rng.random() < 0.4 * strength:
        level = rng.uniform(1, 20)
        channels = 1 if rng.random() < 0.3 else 3
        picture = picture + rng.standard_normal((*picture.shape[:2], channels), dtype=np.float32) * level
    pixels = as_pixels(picture)
    return as_jpeg(pixels, int(rng.integers(40, 96))) if rng.random() < 0.4 * strength else pixels


def as_pixels(picture: Field) -> NDArray[np.uint8]:
    """The nearest colours that a file can hold."""
    return np.asarray(np.clip(picture + 0.5, 0, 255), dtype=np.uint8)


def as_jpeg(pixels: NDArray[np.uint8], quality: int) -> NDArray[np.uint8]:
    """The picture after JPEG of that quality."""
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "JPEG", quality=quality)
    return np.asarray(Image.open(file).convert("RGB"))
