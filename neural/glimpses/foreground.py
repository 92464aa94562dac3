"""The foreground: a network says of every pixel whether it is a thing's or the ground's, whatever the thing is.

It looks at the picture, and at how far its colours are from a ground that is a quadric, a colour that changes smoothly
as in uneven light. Colours are Lab, with 16 added to lightness: less light is then a factor of all three. Shapes: a
picture of H × W pixels.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from predinet_prolog.domains.data import Floats, Pixels
from predinet_prolog.domains.pixels import median
from predinet_prolog.neural.glimpses.ground import Field
from predinet_prolog.neural.sessions import opened

PATH = Path(__file__).parents[1] / "models" / "foreground.onnx"
MULTIPLE = 32
"""The network looks at pictures whose sides are multiples of that."""
SCALE = 20
"""Differences in Lab that it is told as 1."""

MIDDLE, REACH = 127, 128
"""A picture's samples less the first, over the second, are what its backbone was taught on."""


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


FIT = Fit()


def foreground(inputs: Field) -> Field:
    """(2, H, W): how likely each pixel of a picture is a thing's, and how likely two things meet there, by the `inputs`
    (9, H, W) that `unlike_ground` makes of it. H and W are 2 or more."""
    height, width = inputs.shape[1:]
    beyond = (0, 0), (0, -height % MULTIPLE), (0, -width % MULTIPLE)
    (likely,) = _session().run(None, {"inputs": np.pad(inputs, beyond, mode="edge")[None]})
    likely = likely[0, :, :height, :width].copy()
    for side in (likely, likely[:, ::-1], likely.swapaxes(1, 2), likely[:, :, ::-1].swapaxes(1, 2)):
        side[:, 0] = side[:, 1]  # beyond the outermost pixels the network sees nothing, and says so
    return np.asarray(likely)


def unlike_ground(picture: Pixels) -> Field:
    """(9, H, W): what the network looks at of `picture` (H, W, 3), 0–255: differences from the ground, how far that is
    in spreads of the ground in whatever light and by light alone, as logarithms, lightness, and the picture, about -1
    to 1."""
    colours = lab(picture)
    ground, spread = ground_of(colours)
    hue, light = _distances(colours, ground, np.maximum(spread, FIT.spread).astype(np.float32))
    far = np.log1p(np.stack([hue, light]))
    samples = (np.moveaxis(picture, 2, 0) - np.float32(MIDDLE)) / REACH
    return np.concatenate([(colours - ground) / SCALE, far, colours[:1] / 50 - 1.3, samples]).astype(np.float32)


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
