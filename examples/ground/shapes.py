"""Things by lot (RGBA): cards, symbols, rings, simple shapes, and what makers drew, changed in many ways."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw
from scipy import ndimage

from examples.ground.objects import Objects
from examples.ground.surfaces import Floats, Rng, colour, half_plane, texture
from predinet_prolog.domains.domain import Pixels

SIDE = 224
"""Pixels along what is drawn here."""
HALF = SIDE / 2
Colour = tuple[int, ...]


@dataclass(frozen=True)
class Things:
    """How often things are of which kind, and how they are changed."""

    cards: float = 0.17
    symbols: float = 0.06
    primitives: float = 0.22
    """Each a share of what is none of those before; the others are makers' sprites."""
    textured: float = 0.12
    pictured: float = 0.1
    plain: float = 0.08
    swapped: float = 0.14
    grey: float = 0.06
    negative: float = 0.04
    like_ground: float = 0.09
    banded: float = 0.07
    """Shares of those that take a texture, a part of a picture, one colour, the channels in another order, grey, the
    opposite, the ground's mean in other light, or bands, one of them of a card's colour: so the network looks at how a
    thing differs from the ground, not at what it is."""
    tile: tuple[float, float] = (60, 400)
    """Pixels along their textures, …"""
    picture: tuple[float, float] = (200, 700)
    """… and along their pictures, of which they show one part."""
    tilted: float = 0.25
    turned: float = 0.15
    """Shares that are turned by at most 20 degrees, and at will."""
    outlined: float = 0.12
    """Share that keep their colours in an outline alone and have a card's inside of it."""
    outline: tuple[float, float] = (1, 4)
    """Pixels of such an outline."""
    pale: float = 0.25
    faint: tuple[float, float] = (0.12, 0.7)
    """Share of those that keep so much of their difference from the ground's mean."""
    half_pale: float = 0.12
    """Share of which only the part beside a line is faint: it is the thing's, too."""


THINGS = Things()


def sprite(long: float, objects: Objects, backdrop: Floats, rng: Rng) -> Floats:
    """(h, w, 4), 0–255: a thing whose long side has so many pixels, for a ground of that colour; a turned card has a
    few more."""
    if rng.random() < THINGS.cards:
        return card(long, objects, backdrop, rng)
    if rng.random() < THINGS.symbols:
        thing = symbol(rng)
    elif rng.random() < THINGS.primitives:
        thing = primitive(rng)
    else:
        thing = _by_a_maker(objects, rng)
    image = Image.fromarray(_changed(thing, objects, backdrop, rng))
    if rng.random() < 0.5:
        image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    lot = rng.random()
    if lot < THINGS.tilted + THINGS.turned:
        angle = rng.uniform(-20, 20) if lot < THINGS.tilted else rng.uniform(0, 360)
        image = image.rotate(angle, Image.Resampling.BILINEAR, expand=True)
        image = image.crop(image.getchannel("A").getbbox())
    pixels = resized(image, long)
    if rng.random() < THINGS.outlined:
        width = round(rng.uniform(*THINGS.outline))
        inside = ndimage.binary_erosion(pixels[..., 3] > 127.5, iterations=width)
        pixels[inside, :3] = _card_colour(backdrop, rng).clip(0, 255)
        return pixels
    lot = rng.random()
    if lot < THINGS.pale + THINGS.half_pale:
        kept = rng.uniform(*THINGS.faint) * np.ones(pixels.shape[:2])
        if lot >= THINGS.pale:
            kept[half_plane(kept.shape[0], kept.shape[1], rng, 0.25)] = 1
        pixels[..., :3] = backdrop + kept[..., None] * (pixels[..., :3] - backdrop)
    return pixels


def resized(image: Image.Image, long: float) -> Floats:
    """(h, w, 4), 0–255: an image (RGBA) so many pixels long."""
    return np.array(_scaled(image, long), dtype=np.float64)


def _scaled(image: Image.Image, long: float) -> Image.Image:
    scale = long / max(image.size)
    how = Image.Resampling.BOX if scale < 0.5 else Image.Resampling.BILINEAR
    width, height = (max(2, round(length * scale)) for length in image.size)
    return image.resize((width, height), how)


def _by_a_maker(objects: Objects, rng: Rng) -> Pixels:
    makers = list(objects.sprites)
    sprites = objects.sprites[makers[rng.choice(len(makers), p=[objects.shares[maker] for maker in makers])]]
    return sprites[int(rng.integers(len(sprites)))]


def _changed(thing: Pixels, objects: Objects, backdrop: Floats, rng: Rng) -> Pixels:
    """A thing of other colours, or of its own."""
    thing, lot = thing.copy(), rng.random()
    if lot < (bound := THINGS.textured):
        thing[..., :3] = texture(thing.shape[0], thing.shape[1], objects.textures, rng, THINGS.tile)
    elif lot < (bound := bound + THINGS.pictured):
        thing[..., :3] = texture(thing.shape[0], thing.shape[1], objects.pictures, rng, THINGS.picture)
    elif lot < (bound := bound + THINGS.plain):
        thing[..., :3] = colour(rng).clip(0, 255)
    elif lot < (bound := bound + THINGS.swapped):
        thing[..., :3] = thing[..., rng.permutation(3)]
    elif lot < (bound := bound + THINGS.grey):
        thing[..., :3] = thing[..., :3].mean(axis=2, keepdims=True)
    elif lot < (bound := bound + THINGS.negative):
        thing[..., :3] = 255 - thing[..., :3]
    elif lot < (bound := bound + THINGS.like_ground):
        light = rng.uniform(0.5, 0.94) if rng.random() < 0.65 else rng.uniform(1.05, 1.4)
        thing[..., :3] = (light * backdrop).clip(0, 255)
    elif lot < bound + THINGS.banded:
        thing[..., :3] = _bands(thing.shape[0], thing.shape[1], backdrop, rng).clip(0, 255)
    return thing


def _bands(height: int, width: int, backdrop: Floats, rng: Rng) -> Floats:
    """(height, width, 3): two to four bands, one of them of a card's colour."""
    many = rng.integers(2, 5)
    paints = np.array([colour(rng) for _ in range(many)])
    paints[rng.integers(many)] = _card_colour(backdrop, rng)
    rows, columns = np.mgrid[0:height, 0:width]
    along = columns / width if rng.random() < 0.5 else rows / height
    return np.asarray(paints[np.searchsorted(np.sort(rng.uniform(0.1, 0.9, many - 1)), along)])


def card(long: float, objects: Objects, backdrop: Floats, rng: Rng) -> Floats:
    """(h, w, 4), 0–255: a card of nearly the ground's colour or a pale one, often with an edge and with marks."""
    fine = 3
    fill = _card_colour(backdrop, rng)
    size = (long * rng.uniform(0.55, 1), long) if rng.random() < 0.7 else (long, long * rng.uniform(0.4, 0.9))
    width, height = (fine * max(6, round(length)) for length in size)
    short = min(width, height)
    radius, edge = int(short * rng.uniform(0, 0.2)), None
    if rng.random() >= 0.15:
        edge = _ints(colour(rng) if rng.random() < 0.5 else np.full(3, rng.uniform(20, 190)))
    line = max(1, int(fine * rng.uniform(0.8, 2.5)))
    image = Image.new("RGBA", (width, height))
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle((0, 0, width - 1, height - 1), radius=radius, fill=_ints(fill), outline=edge, width=line)
    if rng.random() < 0.25:
        margin = short * rng.uniform(0.1, 0.2)
        inner = margin, margin, width - margin, height - margin
        draw.rectangle(inner, fill=tuple(rng.integers(0, 256, 3).tolist()))
    elif rng.random() < 0.85:
        _mark(image, objects, rng)
    if rng.random() < 0.4:
        angle = rng.uniform(-25, 25) if rng.random() < 0.8 else rng.uniform(0, 90)
        image = image.rotate(angle, Image.Resampling.BILINEAR, expand=True)
    image = image.resize((max(3, image.width // fine), max(3, image.height // fine)), Image.Resampling.BOX)
    return np.array(image, dtype=np.float64)


def _card_colour(backdrop: Floats, rng: Rng) -> Floats:
    lot = rng.random()
    if lot < 0.5:  # in other light; more often brighter
        return np.asarray(backdrop + rng.choice([-1, 1, 1]) * rng.uniform(3, 30))
    return np.asarray(backdrop + rng.uniform(-25, 25, 3) if lot < 0.8 else np.full(3, rng.uniform(225, 255)))


def _mark(image: Image.Image, objects: Objects, rng: Rng) -> None:
    """One to five alike marks on a card, in two columns where they are several."""
    mark = Image.fromarray(symbol(rng) if rng.random() < 0.4 else _by_a_maker(objects, rng))
    many = int(rng.integers(1, 6))
    mark = _scaled(mark, min(image.size) * rng.uniform(0.2, 0.7) / (1 if many == 1 else 2))
    for number in range(many):
        row, column = divmod(number, 2)
        right = 0 if many == 1 else (column - 0.5) * 0.45 * image.width
        down = 0 if many < 3 else (row - 0.5 * (many // 3)) * 0.33 * image.height
        left, top = image.width / 2 - mark.width / 2 + right, image.height / 2 - mark.height / 2 + down
        image.alpha_composite(mark, (max(0, int(left)), max(0, int(top))))


def symbol(rng: Rng) -> Pixels:
    """A shape without a margin that is full, an outline, or hatched, of one colour that isn't bright."""
    paint = colour(rng).clip(0, 200)
    height = int(SIDE * rng.uniform(0.35, 1))
    outline, line, filling = rng.integers(4), int(rng.uniform(4, 20)), rng.integers(3)
    image = Image.new("L", (SIDE, SIDE))
    draw = ImageDraw.Draw(image)
    wave = _wave(height, rng)
    if outline == 0:
        draw.ellipse((2, 2, SIDE - 3, height - 3), fill=255)
    elif outline == 1:
        draw.polygon([(HALF, 2), (SIDE - 3, height // 2), (HALF, height - 3), (2, height // 2)], fill=255)
    elif outline == 2:
        draw.rounded_rectangle((2, 2, SIDE - 3, height - 3), radius=height // 2 - 2, fill=255)
    else:
        draw.polygon(wave, fill=255)
    full = np.asarray(image) > 0
    mask = full if filling == 0 else full & ~ndimage.binary_erosion(full, iterations=line)
    if filling == 2:
        period = rng.uniform(8, 30)
        rows, columns = np.mgrid[0:SIDE, 0:SIDE]
        along = columns if rng.random() < 0.5 else rows if rng.random() < 0.5 else columns + rows
        mask |= full & (along % period < period * rng.uniform(0.3, 0.6))
    pixels = np.zeros((SIDE, SIDE, 4), dtype=np.uint8)
    pixels[..., :3], pixels[..., 3] = paint, mask * 255
    rows, columns = np.nonzero(mask)
    return pixels[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]


def _wave(height: int, rng: Rng) -> list[tuple[float, float]]:
    """A bent outline, as that of cards' squiggles."""
    phase, depth = rng.uniform(0, math.tau), rng.uniform(0.1, 0.35)
    points = []
    for angle in np.linspace(0, math.tau, 40)[:-1]:
        across = (HALF - 6) * (1 - depth + depth * math.cos(3 * angle + phase)) * math.cos(angle)
        down = (height / 2 - 5) * (1 - depth + depth * math.sin(2 * angle + phase)) * math.sin(angle)
        points.append((HALF + across, height / 2 + down))
    return points


def ring(long: float, rng: Rng) -> Image.Image:
    """A round or rectangular one whose line is at least a pixel wide where it is so many pixels long."""
    line = max(int(SIDE / long * 1.2), int(SIDE * rng.uniform(0.015, 0.09)))
    paint = _paint(rng)
    image = Image.new("RGBA", (SIDE, SIDE))
    draw = ImageDraw.Draw(image)
    shape = draw.ellipse if rng.random() < 0.5 else draw.rectangle
    shape((1, 1, SIDE - 2, int((SIDE - 2) * rng.uniform(0.7, 1))), outline=paint, width=line)
    return image


def primitive(rng: Rng) -> Pixels:
    """A simple shape of one or two colours."""
    image = Image.new("RGBA", (SIDE, SIDE))
    fill, edge = _paint(rng), _paint(rng)
    shape = PRIMITIVES[int(rng.integers(len(PRIMITIVES)))]
    shape(ImageDraw.Draw(image), int(SIDE * rng.uniform(0.25, 1)), fill, edge, rng)
    return np.asarray(image)


def _paint(rng: Rng) -> Colour:
    return _ints(colour(rng))


def _ints(samples: Floats) -> Colour:
    return tuple(int(sample) for sample in samples.clip(0, 255))


def _disc(draw: ImageDraw.ImageDraw, height: int, fill: Colour, edge: Colour, rng: Rng) -> None:
    outline = edge if rng.random() < 0.3 else fill
    draw.ellipse((1, 1, SIDE - 2, height), fill=fill, outline=outline, width=int(rng.uniform(2, 14)))


def _block(draw: ImageDraw.ImageDraw, height: int, fill: Colour, edge: Colour, rng: Rng) -> None:
    radius = int(rng.uniform(0, height / 2.2)) if rng.random() < 0.5 else 0
    outline = edge if rng.random() < 0.3 else fill
    width = int(rng.uniform(2, 14))
    draw.rounded_rectangle((1, 1, SIDE - 2, height), radius=radius, fill=fill, outline=outline, width=width)


def _around(angles: Sequence[float], reaches: Sequence[float]) -> list[tuple[float, float]]:
    return [
        (HALF + reach * math.cos(angle), HALF + reach * math.sin(angle))
        for angle, reach in zip(angles, reaches, strict=True)
    ]


def _polygon(draw: ImageDraw.ImageDraw, height: int, fill: Colour, edge: Colour, rng: Rng) -> None:
    corners = rng.integers(3, 8)
    angles = np.sort(rng.uniform(0, math.tau, corners))
    draw.polygon(_around(angles.tolist(), (rng.uniform(0.5, 1, corners) * 110).tolist()), fill=fill)


def _star(draw: ImageDraw.ImageDraw, height: int, fill: Colour, edge: Colour, rng: Rng) -> None:
    points, depth = int(rng.integers(4, 9)), rng.uniform(0.35, 0.7)
    angles = [math.pi * number / points for number in range(2 * points)]
    draw.polygon(_around(angles, [110 * depth, 110] * points), fill=fill)


def _line(draw: ImageDraw.ImageDraw, height: int, fill: Colour, edge: Colour, rng: Rng) -> None:
    points = [tuple(rng.uniform(10, SIDE - 10, 2).tolist()) for _ in range(rng.integers(2, 5))]
    draw.line(points, fill=fill, width=int(rng.uniform(4, 26)), joint="curve")


def _hoop(draw: ImageDraw.ImageDraw, height: int, fill: Colour, edge: Colour, rng: Rng) -> None:
    draw.ellipse((2, 2, SIDE - 3, height), outline=fill, width=_rim(height, rng))


def _frame(draw: ImageDraw.ImageDraw, height: int, fill: Colour, edge: Colour, rng: Rng) -> None:
    draw.rectangle((2, 2, SIDE - 3, height), outline=fill, width=_rim(height, rng))


def _rim(height: int, rng: Rng) -> int:
    return int(rng.uniform(5, 40) * max(height / SIDE, 0.5))


def _card(draw: ImageDraw.ImageDraw, height: int, fill: Colour, edge: Colour, rng: Rng) -> None:
    """With marks on it."""
    corner, line = int(rng.uniform(0, 20)), int(rng.uniform(1, 6))
    draw.rounded_rectangle((2, 2, SIDE - 3, height), radius=corner, fill=fill, outline=edge, width=line)
    for _ in range(rng.integers(1, 5)):
        left, top = rng.uniform(14, SIDE - 64), rng.uniform(14, max(15, height - 60))
        side, paint = rng.uniform(15, 60), tuple(rng.integers(0, 256, 3).tolist())
        right, bottom = min(left + side, SIDE - 14), min(top + side, max(height - 12, top + 2))
        draw.rectangle((left, top, right, bottom), fill=paint)


Shape = Callable[[ImageDraw.ImageDraw, int, Colour, Colour, Rng], None]
PRIMITIVES: Sequence[Shape] = (_disc, _block, _polygon, _star, _line, _hoop, _frame, _card)
