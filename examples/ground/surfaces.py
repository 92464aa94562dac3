"""What things lie on and are made of: colours by lot, light, grounds and textures. Samples are floats, 0–255."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

from predinet_prolog.domains.domain import Pixels

Floats = NDArray[np.float64]
Rng = np.random.Generator
Range = tuple[float, float]


@dataclass(frozen=True)
class Grounds:
    """Of what grounds are."""

    even: float = 0.36
    drawn: float = 0.22
    """Shares of one colour, and of that with a drawn pattern; the others are photographs of surfaces …"""
    tile: Range = (130, 520)
    """… so many pixels along a side, …"""
    kept: Range = (0.25, 1.1)
    deviation: Range = (6, 26)
    """… with so much of their contrast, and of this deviation at most: small things would be lost on busier ones."""
    bright: Range = (70, 215)
    natural: float = 0.7
    """Share of them that keep their colour, so bright; the others take one by lot."""
    uneven: float = 0.4
    """Share in uneven light, …"""
    light: float = 0.45
    """… which changes by that share of itself at most."""


GROUNDS = Grounds()
TONES: Sequence[tuple[float, Range, float]] = ((0.25, (200, 255), 5), (0.1, (10, 60), 5), (0.25, (50, 220), 10))
"""Shares of colours that are pale, dark, and in between, with their greys and how far from these they are. The rest are
any colours."""


def colour(rng: Rng) -> Floats:
    """(3,): a colour by lot, which may leave the range a little."""
    lot = rng.random()
    for share, greys, spread in TONES:
        if lot < share:
            return np.full(3, rng.uniform(*greys)) + rng.normal(0, spread, 3)
        lot -= share
    return rng.uniform(20, 245, 3)


def ground(height: int, width: int, textures: Sequence[Pixels], rng: Rng) -> Floats:
    """(height, width, 3)."""
    lot, tone = rng.random(), colour(rng)
    if lot < GROUNDS.even:
        surface = np.ones((height, width, 3)) * tone
    elif lot < GROUNDS.even + GROUNDS.drawn:
        drawing = PATTERNS[int(rng.integers(len(PATTERNS)))]
        surface = drawing(np.ones((height, width, 3)) * tone, rng.uniform(0.3, 1.6), rng)
    else:
        surface = _photographed(texture(height, width, textures, rng, GROUNDS.tile), tone, rng)
    if rng.random() < GROUNDS.uneven:
        change = rng.uniform(-GROUNDS.light, GROUNDS.light)
        surface = surface * (1 + change * light(height, width, rng))[..., None]
    return np.clip(surface, 3, 252)


def _photographed(surface: Floats, tone: Floats, rng: Rng) -> Floats:
    mean, deviation = surface.mean(axis=(0, 1)), max(surface.std(axis=(0, 1)).mean(), 1)
    contrast = min(rng.uniform(*GROUNDS.kept), rng.uniform(*GROUNDS.deviation) / deviation)
    if rng.random() < GROUNDS.natural:
        tone = mean * (rng.uniform(*GROUNDS.bright) / max(mean.mean(), 1))
    brighter = max(1, tone.mean() / max(mean.mean(), 1)) ** 0.5
    return np.asarray(tone + (surface - mean) * contrast * brighter)


def texture(height: int, width: int, textures: Sequence[Pixels], rng: Rng, tile: Range) -> Floats:
    """(height, width, 3): one of the textures over all, in tiles of so many pixels along a side."""
    chosen = textures[int(rng.integers(len(textures)))]
    side = int(rng.uniform(*tile))
    how = Image.Resampling.BILINEAR if side > len(chosen) else Image.Resampling.BOX
    one = np.asarray(Image.fromarray(chosen).resize((side, side), how), dtype=np.float64)
    if rng.random() < 0.5:
        one = one[::-1]
    if rng.random() < 0.5:
        one = one.swapaxes(0, 1)
    down, right = rng.integers(0, side, 2).tolist()
    one = np.roll(one, (down, right), (0, 1))
    return np.tile(one, (height // side + 1, width // side + 1, 1))[:height, :width]


def half_plane(height: int, width: int, rng: Rng, margin: float = 0.0) -> NDArray[np.bool_]:
    """(height, width): what lies on one side of a line by lot, through a point that is that share of the sides or more
    from the edges."""
    rows, columns = np.mgrid[0:height, 0:width]
    angle = rng.uniform(0, math.tau)
    across, down = (rng.uniform(margin, 1 - margin) for _ in range(2))
    return np.asarray((columns - width * across) * math.cos(angle) + (rows - height * down) * math.sin(angle) > 0)


def light(height: int, width: int, rng: Rng) -> Floats:
    """(height, width): how light changes from one side to another, or from a place to all sides: by about 1."""
    rows, columns = np.mgrid[0:height, 0:width] / max(height, width) - 0.5
    kind, angle = rng.integers(3), rng.uniform(0, math.tau)
    if kind == 0:
        return np.asarray(columns * math.cos(angle) + rows * math.sin(angle))
    across, down = rng.uniform(-0.4, 0.4, 2) if kind == 1 else (0, 0)
    return np.asarray(((columns - across) ** 2 + (rows - down) ** 2) * 1.5)


def noise(height: int, width: int, rng: Rng, smooth: float, stretch: Range = (1, 1)) -> Floats:
    """(height, width): with a deviation of 1, and less of what is fine the smoother; its grain is as much longer across
    the other axis as it is stretched along one (down, across)."""
    down, across = np.fft.fftfreq(height)[:, None], np.fft.rfftfreq(width)[None]
    frequencies = np.hypot(down * stretch[0], across * stretch[1])
    frequencies[0, 0] = 1
    waves = rng.normal(size=frequencies.shape) + 1j * rng.normal(size=frequencies.shape)
    field = np.fft.irfft2(waves / frequencies**smooth, s=(height, width))
    return np.asarray((field - field.mean()) / (field.std() + 1e-9))


def _paper(surface: Floats, strength: float, rng: Rng) -> Floats:
    grain = noise(surface.shape[0], surface.shape[1], rng, rng.uniform(0.5, 1.4))
    return np.asarray(surface + strength * 5 * grain[..., None])


def _wood(surface: Floats, strength: float, rng: Rng) -> Floats:
    along = rng.random() < 0.5
    long = rng.uniform(6, 20)
    grain = noise(surface.shape[0], surface.shape[1], rng, 1.2, (1, long) if along else (long, 1))
    fibres = noise(surface.shape[0], surface.shape[1], rng, 0.3, (1, 6))
    return np.asarray(surface * (1 + strength * 0.07 * grain + strength * 0.03 * fibres)[..., None])


def _cloth(surface: Floats, strength: float, rng: Rng) -> Floats:
    rows, columns = np.mgrid[0 : surface.shape[0], 0 : surface.shape[1]]
    period, angle = rng.uniform(2, 8), rng.uniform(0, math.pi / 2)
    warp = columns * math.cos(angle) + rows * math.sin(angle)
    weft = rows * math.cos(angle) - columns * math.sin(angle)
    weave = np.sin(math.tau * warp / period) + np.sin(math.tau * weft / period)
    return np.asarray(surface * (1 + strength * 0.04 * weave + 0.02 * rng.normal(size=weave.shape))[..., None])


def _ruled(surface: Floats, strength: float, rng: Rng) -> Floats:
    """Joints of tiles or boards, whatever the strength."""
    rows, columns = np.mgrid[0 : surface.shape[0], 0 : surface.shape[1]]
    along, across = (columns, rows) if rng.random() < 0.5 else (rows, columns)
    period = rng.uniform(20, 90)
    first, second = rng.uniform(0, period, 2)
    lines = (along + first) % period < rng.uniform(1, 2.5)
    if rng.random() < 0.6:
        lines |= (across + second) % period < rng.uniform(1, 2.5)
    joints = 1 - rng.uniform(0.04, 0.3) * lines
    grain = noise(lines.shape[0], lines.shape[1], rng, 0.8)
    return np.asarray(surface * joints[..., None] + 2 * grain[..., None])


def _clouds(surface: Floats, strength: float, rng: Rng) -> Floats:
    """Stains of all sizes, or of one size whatever the strength."""
    height, width = surface.shape[:2]
    if rng.random() < 0.35:
        stains = np.clip(noise(height, width, rng, rng.uniform(1.2, 2.2)), -2, 2)
        return np.asarray(surface * (1 + strength * 0.12 * stains)[..., None])
    stains = ndimage.gaussian_filter(rng.normal(size=(height, width)), rng.uniform(0.8, 7))
    return np.asarray(surface + rng.uniform(3, 16) * (stains / stains.std())[..., None])


def _ripples(surface: Floats, strength: float, rng: Rng) -> Floats:
    """As of sand or corduroy: bent lines that are lit from one side and end here and there."""
    height, width = surface.shape[:2]
    rows, columns = np.mgrid[0:height, 0:width]
    period, angle = rng.uniform(5, 30), rng.uniform(0, math.tau)
    bent, high = (noise(height, width, rng, smooth) for smooth in (rng.uniform(1.2, 2), rng.uniform(0.8, 1.6)))
    across = columns * math.cos(angle) + rows * math.sin(angle) + rng.uniform(0, 1) * period * bent
    wave = np.sin(math.tau * across / period)
    crests = np.sign(wave) * abs(wave) ** rng.uniform(0.4, 1.5) * np.clip(1 + rng.uniform(0, 1) * high, 0, 2)
    return np.asarray(surface * (1 + strength * 0.1 * crests)[..., None])


PATTERNS: Sequence[Callable[[Floats, float, Rng], Floats]] = (_paper, _wood, _cloth, _ruled, _clouds, _ripples)
