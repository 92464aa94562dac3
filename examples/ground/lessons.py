"""Lessons: pictures of things on grounds, as people might take or draw them, with what every pixel truly is.

They are as varied as they can be, and not as real: whoever has learned from them tells things from ground by how these
differ, and not by what things there are.
"""

import io
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

from examples.ground.canvas import Box, Canvas, Shadow, about
from examples.ground.objects import Objects
from examples.ground.shapes import resized, ring, symbol
from examples.ground.surfaces import Floats, Range, Rng, ground, half_plane, light
from predinet_prolog.domains.domain import Pixels


@dataclass(frozen=True)
class Lesson:
    """A picture of H × W pixels with its truth."""

    picture: Pixels
    """(H, W, 3)."""
    owner: NDArray[np.int32]
    """(H, W): the number of the thing, from 1, that a pixel shows more than what lies under it; 0 is the ground."""
    alpha: NDArray[np.float32]
    """(H, W): how much of a pixel is things'."""


@dataclass(frozen=True)
class Scenes:
    """How often pictures have what misleads."""

    edge: float = 0.2
    """A straight edge of a large shadow …"""
    dark: Range = (0.1, 0.45)
    """… that takes so much light, …"""
    soft: Range = (0.3, 24)
    """… and is so soft: a deviation in pixels."""
    shadows: float = 0.45
    """Things' own, all on one side."""
    shaded: float = 0.3
    """Share of rings that shade the ground inside of them, …"""
    shade: Range = (0.1, 0.45)
    """… and take so much of its light where they take most."""
    weather: float = 0.45
    small: int = 200
    symbols: float = 0.7
    """Share of pictures with a shorter long side that show alike symbols: they are single cards."""
    weather_on_symbols: float = 0.5
    gap: Range = (0.004, 0.03)
    """Shares of the shorter side that lie between things."""


SCENES = Scenes()


def lesson(height: int, width: int, objects: Objects, rng: Rng, symbols: float = SCENES.symbols) -> Lesson:
    """One by lot, with no thing in it where none fitted. Of small ones that share shows `symbols`."""
    canvas = Canvas(ground(height, width, objects.textures, rng), objects, rng)
    if rng.random() < SCENES.edge:
        canvas.picture *= _edge_of_light(height, width, rng)[..., None]
    if rng.random() < SCENES.shadows:
        canvas.shadow = _shadow(canvas.side, rng)
    if max(height, width) < SCENES.small and rng.random() < symbols:
        card(canvas)
        bad = rng.random() < SCENES.weather_on_symbols
    else:
        layout = rng.choice(len(LAYOUTS), p=list(LAYOUTS.values()))
        [*LAYOUTS][layout](canvas, max(1, rng.uniform(*SCENES.gap) * canvas.side))
        bad = rng.random() < SCENES.weather
    picture = weather(canvas.picture, rng) if bad else canvas.picture.clip(0, 255).astype(np.uint8)
    return Lesson(picture, canvas.owner, canvas.alpha)


def _edge_of_light(height: int, width: int, rng: Rng) -> Floats:
    dark = half_plane(height, width, rng).astype(np.float64)
    return np.asarray(1 - rng.uniform(*SCENES.dark) * ndimage.gaussian_filter(dark, rng.uniform(*SCENES.soft)))


def _shadow(side: int, rng: Rng) -> Shadow:
    right, down = (round(shift) for shift in rng.normal(0, 0.03 * side, 2).tolist())
    return Shadow(right, down, rng.choice([2, 3, 5, 8]) * rng.uniform(0.7, 1.3), rng.uniform(0.12, 0.55))


def nothing(canvas: Canvas, gap: float) -> None:
    """The ground alone."""


def several(canvas: Canvas, gap: float) -> None:
    for _ in range(canvas.rng.integers(1, 9)):
        canvas.put(canvas.rng.uniform(0.08, 0.34) * canvas.side, gap, cut=canvas.rng.random() < 0.15)


def crowd(canvas: Canvas, gap: float) -> None:
    """Small things, however near."""
    for _ in range(canvas.rng.integers(8, 24)):
        canvas.put(
            canvas.rng.uniform(0.04, 0.14) * canvas.side, canvas.rng.uniform(1, 5), cut=canvas.rng.random() < 0.12
        )


def alone(canvas: Canvas, gap: float) -> None:
    canvas.put(canvas.rng.uniform(0.3, 1.1) * canvas.side, gap, cut=canvas.rng.random() < 0.3)


def large(canvas: Canvas, gap: float) -> None:
    """One with much smaller ones."""
    long = canvas.rng.uniform(0.35, 0.75) * canvas.side
    canvas.put(long, gap, cut=canvas.rng.random() < 0.2)
    for _ in range(canvas.rng.integers(2, 8)):
        canvas.put(max(6, long / canvas.rng.uniform(4, 11)), gap, cut=canvas.rng.random() < 0.08)


def rings(canvas: Canvas, gap: float) -> None:
    """With things inside of them, and others."""
    rng = canvas.rng
    for _ in range(rng.integers(1, 3)):
        long = rng.uniform(0.28, 0.6) * canvas.side
        drawing = partial(resized, ring(long, rng))
        if box := canvas.put(long, gap, drawing=drawing, cut=rng.random() < 0.15):
            if rng.random() < SCENES.shaded:
                _shade(canvas, box)
            inner = rng.uniform(0.15, 0.6) * long
            for _ in range(rng.integers(1, 3)):
                canvas.put(inner, rng.uniform(1, 8), place=partial(_inside, rng, box), tries=40)
    for _ in range(rng.integers(0, 5)):
        canvas.put(rng.uniform(0.07, 0.2) * canvas.side, gap)


def _shade(canvas: Canvas, box: Box) -> None:
    """Less light on the ground inside the last thing, which has that box, on one side less than on the other."""
    rows, columns = np.mgrid[0 : canvas.height, 0 : canvas.width]
    angle, (left, top, width, height) = canvas.rng.uniform(0, math.tau), box
    across, down = (columns - left) / width - 0.5, (rows - top) / height - 0.5
    side = (0.5 + across * math.cos(angle) + down * math.sin(angle)).clip(0, 1)
    last = canvas.owner == canvas.things
    inside = ndimage.binary_fill_holes(last) & ~last
    dark = canvas.rng.uniform(*SCENES.shade) * ndimage.gaussian_filter((inside | last).astype(float), 2) * side
    canvas.picture *= 1 - (dark * (1 - canvas.alpha) * inside)[..., None]


def _inside(rng: Rng, box: Box, width: int, height: int) -> tuple[int, int]:
    left = box[0] + int(rng.integers(0, max(1, box[2] - width)))
    return left, box[1] + int(rng.integers(0, max(1, box[3] - height)))


def near(canvas: Canvas, gap: float) -> None:
    """Pairs with a narrow gap, and others."""
    rng = canvas.rng
    for _ in range(rng.integers(1, 4)):
        if box := canvas.put(rng.uniform(0.1, 0.32) * canvas.side, gap):
            apart = rng.uniform(1.2, 6)
            canvas.put_beside(box, rng.uniform(0.1, 0.28) * canvas.side, gap, apart)
    _more(canvas, gap)


def touch(canvas: Canvas, gap: float) -> None:
    """Pairs without a gap, and others."""
    rng = canvas.rng
    for _ in range(rng.integers(1, 4)):
        if box := canvas.put(rng.uniform(0.1, 0.32) * canvas.side, 0.03 * canvas.side):
            canvas.put_beside(box, rng.uniform(0.1, 0.28) * canvas.side, gap, None)
    _more(canvas, gap)


def _more(canvas: Canvas, gap: float) -> None:
    for _ in range(canvas.rng.integers(0, 3)):
        canvas.put(canvas.rng.uniform(0.08, 0.25) * canvas.side, gap)


def grid(canvas: Canvas, gap: float) -> None:
    """Rows and columns of about the same size, some of whose places are empty."""
    rng = canvas.rng
    columns, rows = rng.integers(2, 6), rng.integers(2, 5)
    wide, high = canvas.width / columns, canvas.height / rows
    long = rng.uniform(0.5, 0.85) * min(wide, high)
    for row in range(rows):
        for column in range(columns):
            if rng.random() < 0.85:
                place = partial(about, (column + 0.5) * wide, (row + 0.5) * high)
                canvas.put(long * rng.uniform(0.85, 1), 1, place=place, tries=1)


def card(canvas: Canvas) -> None:
    """One to four alike ones, in a column or anywhere, as on a card."""
    rng, image = canvas.rng, Image.fromarray(symbol(canvas.rng))
    drawing = partial(resized, image)
    long = rng.uniform(0.25, 0.8) * (canvas.width if rng.random() < 0.5 else canvas.side)
    many = int(rng.integers(1, 5))
    if rng.random() < 0.6:
        height = max(3, round(image.height * long / max(image.size)))
        step = max(height + rng.uniform(1.5, 6), canvas.height / many * rng.uniform(0.6, 1))
        for number in range(many):
            place = partial(about, canvas.width / 2, canvas.height / 2 + (number - (many - 1) / 2) * step)
            canvas.put(long, 1, drawing=drawing, place=place, tries=1)
    else:
        for _ in range(many):
            canvas.put(long, 1.5, drawing=drawing)


LAYOUTS: Mapping[Callable[[Canvas, float], None], float] = {
    several: 0.19,
    crowd: 0.1,
    alone: 0.12,
    large: 0.14,
    rings: 0.11,
    near: 0.17,
    touch: 0.06,
    grid: 0.06,
    nothing: 0.05,
}
"""With their shares."""


def weather(picture: Floats, rng: Rng) -> Pixels:
    """What a camera makes of it: uneven light, a blur, noise of each or of all channels, and JPEG, fine or coarse."""
    height, width = picture.shape[:2]
    if rng.random() < 0.6:
        picture = picture * (1 - rng.uniform(0.05, 0.4) * (0.5 + light(height, width, rng)))[..., None]
    if rng.random() < 0.15:
        blur = rng.uniform(0.3, 1.1)
        picture = ndimage.gaussian_filter(picture, (blur, blur, 0))
    if rng.random() < 0.8:
        deviation = rng.uniform(0.5, 7)
        picture = picture + rng.normal(0, deviation, (height, width, 3 if rng.random() < 0.6 else 1))
    pixels = picture.clip(0, 255).astype(np.uint8)
    if rng.random() >= 0.6:
        return pixels
    scale, quality = int(rng.choice([1, 1, 1, 2])), int(rng.uniform(35, 95))
    file = io.BytesIO()
    image = Image.fromarray(pixels).resize((width * scale, height * scale), Image.Resampling.BILINEAR)
    image.save(file, "JPEG", quality=quality)
    return np.asarray(Image.open(file).resize((width, height), Image.Resampling.BOX))
