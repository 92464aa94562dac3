"""The foreground: a network says of every pixel whether it is a thing's or the ground's, whatever the thing is.

It looks at how far the picture's colours are from a ground that is a quadric, a colour that changes smoothly as in
uneven light. On a busy ground, what lies all over the picture is less likely a thing's than it says. Colours are Lab,
with 16 added to lightness: less light is then a factor of all three. Shapes: a picture of H × W pixels.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np

from predinet_prolog.domains.data import Floats, Pixels
from predinet_prolog.domains.pixels import median
from predinet_prolog.imaging import ndimage
from predinet_prolog.neural.glimpses.ground import Field
from predinet_prolog.neural.sessions import opened

PATH = Path(__file__).parents[1] / "models" / "foreground.onnx"
MULTIPLE = 32
"""The network looks at pictures whose sides are multiples of that."""
SCALE = 20
"""Differences in Lab that it is told as 1."""


@dataclass(frozen=True)
class Fit:
    """How the ground is found: from the rim first, then from all that is near."""

    rim: float = 0.02
    """Share of the shorter side."""
    samples: int = 3000
    """Of the inner pixels."""
    outer: tuple[float, float] = (25.0, 5.0)
    inner: tuple[float, float] = (12.0, 4.0)
    """How far in Lab a pixel may be from the ground of the round before until it hardly counts: in the first round, in
    the last. Of the rim many may be things."""
    rounds: int = 6
    stiff: float = 1e-4
    """Weight on slopes, tenfold on curvature, by sample: a ground that is hardly seen is even."""
    spread: tuple[float, float, float] = (1.5, 2.0, 2.0)
    """A spread is at least this much: JPEG leaves so much in an even ground, most of it in colours."""
    darkest: float = 0.7
    """In Lab, of the ground: half its light or more may be a shadow. Where it is brighter, the inverse."""


@dataclass(frozen=True)
class Evenness:
    """How it is told whether what differs from the ground lies all over, as a texture's colours do."""

    cells: int = 6
    """Rows and columns of parts of the picture: the ground's colours are in nearly all, a thing's in few."""
    steps: tuple[float, float, float] = (8.0, 6.0, 6.0)
    """Differences in Lab that are alike near the ground …"""
    fine: float = 2.5
    most: int = 8
    """… are so many of that many bins on either side of it, which grow with the difference."""
    soft: float = 0.8
    """A deviation in bins: what is hardly unlike is alike."""
    blurs: Sequence[int] = (2, 8)
    """Pixels along a side over which differences are averaged: grain, and blotches of whatever grain."""
    even: float = 0.5
    """What is more even is less likely a thing's …"""
    busy: tuple[float, float] = (2.0, 4.0)
    """… on a ground whose lightness has a larger deviation than the first, and in full from the second on, …"""
    weight: float = 3.0
    """… by so much of what it is more even, in logarithms of odds."""


FIT, EVENNESS = Fit(), Evenness()


@dataclass(frozen=True, eq=False)
class Unlike:
    """How the pixels of a picture differ from its ground."""

    inputs: Field
    """(6, H, W): what the network looks at: differences from the ground, how far that is in spreads of the ground in
    whatever light and by light alone, as logarithms, and lightness."""
    busy: float
    """How busy the ground is, 0–1."""

    @cached_property
    def even(self) -> Field:
        """(H, W): how evenly such differences lie in all parts of the picture, 0–1."""
        return np.asarray(np.mean([_even(self.inputs[:3] * SCALE, blur) for blur in EVENNESS.blurs], axis=0))


def foreground(unlike: Unlike) -> Field:
    """(2, H, W): how likely each pixel is a thing's, and how likely two things meet there. H and W are 2 or more."""
    height, width = unlike.inputs.shape[1:]
    beyond = (0, 0), (0, -height % MULTIPLE), (0, -width % MULTIPLE)
    (likely,) = _session().run(None, {"inputs": np.pad(unlike.inputs, beyond, mode="edge")[None]})
    likely = likely[0, :, :height, :width].copy()
    for side in (likely, likely[:, ::-1], likely.swapaxes(1, 2), likely[:, :, ::-1].swapaxes(1, 2)):
        side[:, 0] = side[:, 1]  # beyond the outermost pixels the network sees nothing, and says so
    if unlike.busy:
        against = np.exp(EVENNESS.weight * unlike.busy * np.maximum(unlike.even - EVENNESS.even, 0))
        likely[0] /= likely[0] + (1 - likely[0]) * against
    return np.asarray(likely)


def unlike_ground(picture: Pixels) -> Unlike:
    """How `picture` (H, W, 3), 0–255, differs from its ground."""
    colours = lab(picture)
    ground, spread = ground_of(colours)
    hue, light = _distances(colours, ground, np.maximum(spread, FIT.spread).astype(np.float32))
    far = np.log1p(np.stack([hue, light]))
    inputs = np.concatenate([(colours - ground) / SCALE, far, colours[:1] / 50 - 1.3]).astype(np.float32)
    calm, wild = EVENNESS.busy
    busy = min(max(float(spread[0] - calm) / (wild - calm), 0.0), 1.0)
    return Unlike(inputs, busy)


def lab(picture: Pixels) -> Field:
    """(3, H, W): lightness plus 16, 16–116, and both colours of CIE Lab of sRGB `picture` (H, W, 3), 0–255."""
    tristimulus = _TO_XYZ @ _LINEAR[picture].reshape(-1, 3).T
    return np.asarray((_TO_LAB @ _ROOT[(tristimulus * _FINEST + 0.5).astype(np.int32)]).reshape(3, *picture.shape[:2]))


def ground_of(colours: Field) -> tuple[Field, Floats]:
    """(3, H, W): the ground's colour at every pixel of `colours` (3, H, W); and (3,) how far its pixels are from that:
    a deviation."""
    height, width = colours.shape[1:]
    rim = max(2, round(FIT.rim * min(height, width)))
    step = max(1, round(np.sqrt(height * width / FIT.samples)))
    inner, outer = np.zeros((2, height, width), dtype=bool)
    inner[step // 2 :: step, step // 2 :: step] = True
    outer[:: max(step // 2, 1), :: max(step // 2, 1)] = True
    outer[rim:-rim, rim:-rim] = False
    down, across = _powers(height), _powers(width)
    surface = np.zeros((6, 3))
    surface[0] = median(colours[:, outer], axis=1)
    for chosen, (first, last) in ((outer, FIT.outer), (inner | outer, FIT.inner)):
        y, x = np.nonzero(chosen)
        terms, samples = down[y][:, _DOWN] * across[x][:, _ACROSS], colours[:, chosen].T.astype(np.float64)
        stiff = np.diag([1e-9, 1, 1, 10, 10, 10]) * FIT.stiff * len(samples)
        for reach in np.geomspace(first, last, FIT.rounds):
            off = samples - terms @ surface
            weighted = terms / (1 + ((off**2).sum(axis=1) / reach**2) ** 2)[:, None]
            surface = np.linalg.solve(weighted.T @ terms + stiff, weighted.T @ samples)
    off = samples - terms @ surface
    residual = off[(off**2).sum(axis=1) < FIT.inner[0] ** 2]
    spread = 1.4826 * median(np.abs(residual - median(residual, axis=0)), axis=0) if len(residual) else np.ones(3)
    factors = np.zeros((3, 3, 3))
    factors[:, _DOWN, _ACROSS] = surface.T
    return (down @ factors @ across.T).astype(np.float32), spread


def _even(off: Field, blur: int) -> Field:
    """(H, W): how evenly lie, in blocks of 2 × 2, the means of so many pixels of `off` (3, H, W) along both axes."""
    _, height, width = off.shape
    blocks = ndimage.uniform_filter(off, (1, blur, blur), origin=(0, -1, -1))[:, ::2, ::2]
    return evenness(blocks).repeat(2, axis=0).repeat(2, axis=1)[:height, :width]


def evenness(off: Field) -> Field:
    """(H, W): how evenly, 0–1, what is `off` (3, H, W) from the ground as a pixel is lies in all parts of the picture:
    the square of its mean share of a part, over the mean square."""
    (_, height, width), parts, side = off.shape, EVENNESS.cells**2, 2 * EVENNESS.most + 1
    steps = np.array(EVENNESS.steps, dtype=np.float32)[:, None, None]
    level = np.minimum(EVENNESS.fine * np.log1p(np.abs(off) / steps), EVENNESS.most)
    lightness, red, yellow = np.rint(np.copysign(level, off)).astype(np.int64).reshape(3, -1) + EVENNESS.most
    bins = (lightness * side + red) * side + yellow
    rows, columns = (np.arange(length) * EVENNESS.cells // length for length in (height, width))
    part = (rows[:, None] * EVENNESS.cells + columns).ravel()
    counts = np.bincount(part * side**3 + bins, minlength=parts * side**3).reshape(parts, side**3)
    shares = (counts / np.maximum(np.bincount(part, minlength=parts), 1)[:, None]).astype(np.float32).T
    near = np.exp(-0.5 * ((np.arange(side)[:, None] - np.arange(side)) / EVENNESS.soft) ** 2)
    near = (near / near.sum(axis=0)).astype(np.float32)
    for _ in range(3):  # along each axis of the bins, which change places
        shares = (near @ shares.reshape(side, -1)).reshape(side, side**2, parts).swapaxes(0, 1)
    shares = shares.reshape(side**3, parts)
    even = shares.mean(axis=1) ** 2 / ((shares**2).mean(axis=1) + 1e-12)
    return np.asarray(even[bins].reshape(height, width))


def _powers(length: int) -> Floats:
    """(length, 3): of places from -0.5 to 0.5, the noughth to the second."""
    return np.asarray(((np.arange(length)[:, None] + 0.5) / length - 0.5) ** np.arange(3))


def _distances(colours: Field, ground: Field, spread: Field) -> tuple[Field, Field]:
    """(H, W) each, in spreads: how far `colours` are from the ground in whatever light, and how far that light is."""
    squared = np.maximum((ground**2).sum(axis=0), 1)
    light = np.clip((colours * ground).sum(axis=0) / squared, FIT.darkest, 1 / FIT.darkest)
    other = (colours - light * ground) / spread[:, None, None]
    return np.sqrt((other**2).sum(axis=0)), np.abs(1 - light) * np.sqrt(squared) / spread[0]


@cache
def _session() -> Any:
    return opened(PATH.read_bytes(), {})


_DOWN, _ACROSS = [0, 0, 1, 0, 1, 2], [0, 1, 0, 2, 1, 0]
"""Powers of a quadric's six terms."""
_SAMPLES = np.arange(256) / 255
_LINEAR = np.where(_SAMPLES <= 0.04045, _SAMPLES / 12.92, ((_SAMPLES + 0.055) / 1.055) ** 2.4).astype(np.float32)
_WHITE = np.array([0.9505, 1, 1.089])
_TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) / _WHITE[:, None]
_TO_XYZ = _TO_XYZ.astype(np.float32)
_FINEST = 4096
"""Steps of a table of roots: a cube root for every sample takes as long as all else that is told of a picture."""
_STEPS = np.arange(_FINEST + 8) / _FINEST
_ROOT = np.where(_STEPS > 0.008856, np.cbrt(_STEPS), 7.787 * _STEPS + 16 / 116).astype(np.float32)
_TO_LAB = np.array([[0, 116, 0], [500, -500, 0], [0, 200, -200]], dtype=np.float32)
