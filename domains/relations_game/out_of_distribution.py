"""What the pixels of an image tell of it: whether it is a board of the game, what is odd, and how noisy it is.

A network answers whatever it is shown. So the pixels themselves are asked, without any weights, how far a board
explains them: nine objects or fewer, one a cell, each a frame of 3×3 squares of one colour each, and background
everywhere else. The frames are sought where they explain most, up to REACH pixels off their places. What is left over
is measured against what there is to explain; noise, as much as a usable picture has, is taken off both.

Noise, JPEG and blur move the co-ordinates of equal objects apart; in a clean picture objects that look the same lie at
exactly the same point. So learned thresholds are those of clean pictures, with what to add for each unit of the noise
level.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.domains.domain import Inspection
from predinet_prolog.domains.pixels import median, rim_colour
from predinet_prolog.domains.relations_game.objects import CELL, FRAME, MARGIN, SQUARE
from predinet_prolog.domains.relations_game.scenes import SIDE

Floats = NDArray[np.floating]

REACH = 2
"""Pixels that an object may lie off its place each way. No frame can then take its neighbour's squares."""

# Where warnings begin. Chosen on corrupted pentominoes alone.
UNEXPLAINED = 0.13
"""Share of what is in the image that no board explains."""
FAINT = 25.0
"""Square of the difference from the background, in grey levels of 0-255, mean over the image. With less there is
nothing to see: the faintest pentomino, alone and darkened, has four times as much."""
BACKGROUND = 56.0
"""The background's brightest channel, 0-255. The default model's scenes are exact up to 51, and not at 64."""
NOISE = 220.0
"""Most that `_noise` may take for noise, in the units of FAINT: that of a standard deviation of a tenth on black."""
HIGHEST = 10.0
"""Of all scores; where there is nothing at all, the share of it would be without bound."""
CHUNK = 32
"""Images measured at once: so many stay in the processor's cache."""


@dataclass(frozen=True)
class Measures:
    """What the pixels of N images tell; each is 1 where warnings begin."""

    unexplained: Floats
    """(N,): what no board explains."""
    empty: Floats
    """(N,): how little there is to see."""
    background: Floats
    """(N,): how far the background is from black."""
    where: Floats
    """(N, 10): what is unexplained in each cell, cells row by row, and last between the cells; sums to 1, or 0."""
    noise_level: Floats
    """(N,): 0 for a clean image, at most 100. The root mean square, in hundredths of the brightest, of what squares of
    one colour leave over in the frame of the cell that has most of it. Noise of 0.05 on black gives about 4."""


def inspect(images: NDArray[np.uint8]) -> list[Inspection]:
    """The inspection of each of `images` (N, 36, 36, 3) uint8. What an image gets does not depend on the others."""
    chunks = (measure(images[start : start + CHUNK]) for start in range(0, len(images), CHUNK))
    return [_judged(chunk, index) for chunk in chunks for index in range(len(chunk.empty))]


def measure(images: NDArray[np.uint8]) -> Measures:
    """The measures of `images` (N, 36, 36, 3) uint8."""
    background = rim_colour(images).astype(np.float32)  # which even boards with their objects moved leave empty, mostly
    rest = images.astype(np.float32) - background[:, None, None]
    energy = np.einsum("nyxc,nyxc->nyx", rest, rest)
    noise = _noise(rest) * rest[0].size
    faint = FAINT * rest[0].size
    # Sums in double precision are exact, whatever their order: it may depend on the batch.
    signal = np.maximum(energy.sum(axis=(1, 2), dtype=np.float64) - noise, 0)
    parts = _unexplained(rest, energy)
    over = parts.sum(axis=1, dtype=np.float64)
    return Measures(
        unexplained=np.maximum(over - noise, 0) / np.maximum(signal, faint) / UNEXPLAINED,
        empty=faint / np.maximum(signal, faint / HIGHEST),
        background=background.max(axis=1) / BACKGROUND,
        where=parts / np.maximum(over, 1)[:, None],
        noise_level=np.sqrt(np.maximum(parts[:, :9].max(axis=1).astype(np.float64), 0) / (FRAME**2 * 3)) / 2.55,
    )


def _noise(rest: Floats) -> Floats:
    """(N,): how much of the mean square is noise, at most NOISE.

    The median of second differences over 2×2 pixels: a board's are zero but at its squares' corners. A black
    background cuts off the lower half of the noise. What is left has a mean square that is larger than its variance.
    """
    difference = rest[:, 1:, 1:] - rest[:, :-1, 1:] - rest[:, 1:, :-1] + rest[:, :-1, :-1]
    spread = median(np.abs(difference).reshape(len(rest), -1), axis=1) / (2 * 0.6745)
    return np.asarray(np.minimum(1.3 * spread**2, NOISE), np.float32)


def _unexplained(rest: Floats, energy: Floats) -> Floats:
    """(N, 10): what no board explains of the `energy` (N, 36, 36), the squares of `rest` (N, 36, 36, 3): in every cell
    what is left in the frame that explains most, and last, all that lies outside those frames."""
    colour = _summed(rest, SQUARE, step=1)
    square = np.einsum("nyxc,nyxc->nyx", colour, colour) / SQUARE**2  # explained by the square that begins there
    explained = _summed(square, 3, step=SQUARE)  # (N, 28, 28): by the frame that begins there
    left = _summed(_summed(energy, SQUARE, step=1), 3, step=SQUARE) - explained
    # What a frame leaves over counts against it, else it would rather reach for a brighter neighbour.
    gain = (explained - left).reshape(len(rest), -1)
    chosen = np.stack([places[gain[:, places].argmax(axis=1)] for places in _PLACES], axis=1)  # (N, 9)
    images = np.arange(len(rest))[:, None]
    outside = energy.reshape(len(rest), -1).copy()
    corners = chosen // left.shape[2] * SIDE + chosen % left.shape[2]
    outside[images[:, None], corners[:, :, None] + _INSIDE] = 0
    return np.concatenate(
        [left.reshape(len(rest), -1)[images, chosen], outside.sum(axis=1, dtype=np.float64, keepdims=True)], axis=1
    )


def _places(cell: int) -> NDArray[np.int64]:
    """Where a cell's frame may begin, as numbers of the (28, 28) places where a frame fits into the image."""
    fit = SIDE - FRAME + 1
    rows, columns = (
        np.arange(max(home - REACH, 0), min(home + REACH + 1, fit))
        for home in (CELL * index + MARGIN for index in divmod(cell, 3))
    )
    return (rows[:, None] * fit + columns).ravel()


_PLACES = tuple(_places(cell) for cell in range(9))
_INSIDE = (np.arange(FRAME)[:, None] * SIDE + np.arange(FRAME)).ravel()
"""(81,): the pixels of a frame, counted from its first one through the image's rows."""


def _summed(values: Floats, count: int, *, step: int) -> Floats:
    """Sums over `count` × `count` places, `step` apart, of axes 1 and 2."""
    for axis in (1, 2):
        length = values.shape[axis] - (count - 1) * step
        parts = [values[(slice(None),) * axis + (slice(k * step, k * step + length),)] for k in range(count)]
        values = parts[0] + parts[1]
        for part in parts[2:]:
            values += part
    return values


def _judged(measures: Measures, index: int) -> Inspection:
    """Puts the measures of one image together: the score is the largest."""
    empty, unexplained, background = (
        float(measure[index]) for measure in (measures.empty, measures.unexplained, measures.background)
    )
    reason = None
    if empty >= 1:
        reason = "no object is to be seen"
    elif unexplained >= 1:
        share = min(round(100 * UNEXPLAINED * unexplained), 100)
        reason = f"not a board of the game, it seems: {share} % of what it shows does not fit one"
        reason += _where(measures.where[index])
    elif background >= 1:
        reason = "the background is not black: objects may be missed or invented"
    score = min(max(empty, unexplained, background), HIGHEST)
    return Inspection(score, reason, float(measures.noise_level[index]), empty=empty >= 1)


REMEDY = "give one whole board and nothing else, 3x3 cells upright, black around the objects"


def _where(shares: Floats) -> str:
    """Says where most of what does not fit lies, if it is in one place."""
    most = int(shares.argmax())
    if shares[most] < 0.5:
        return ""
    if most == 9:
        return ", most of it around the objects"
    row, column = divmod(most, 3)
    return f", most of it in row {row + 1}, column {column + 1}"
