"""Uneven light taken off a board that was photographed.

A board's ground is black: what is seen of it is what glass and screen add, everywhere alike or not. That is taken off.
What is left is an object's colour times the light on it, and of the light alone nothing is seen. But an object has one
colour: how its squares differ tells how light changes across it. A smooth field of light is fitted to these changes.
Objects whose colours then are nearly equal are taken for equal ones, which tells more of the light, and so on.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.domains.domain import Floats, Integers
from predinet_prolog.domains.relations_game.objects import CELL, MARGIN, SQUARE
from predinet_prolog.domains.relations_game.scenes import GRID, SIDE

Bools = NDArray[np.bool_]

# Chosen on photographed pentominoes alone.
LIT = 22.0
"""A square of an object is brighter than the ground by more, 0-255, in its brightest channel."""
SPILL = 0.35
"""And than this share of the brightest in its cell; what is less shines in from there."""
SPREAD = 3.0
"""Pixels: how far a bit of ground tells what is added to the colours beside it."""
RIDGE = 0.02
"""Resistance of the field of light against what few squares tell of it."""
FAINT = 6.0
"""Sum of the channels of a ground that tells nothing of the light."""
ALIKE = ((0.01, 0.4), (0.01, 0.4), (0.01, 0.3))
"""In each round, how far the hues and how far the logarithms of the brightness of equal colours may lie apart."""
GRAIN = 2.0
"""What noise may add to the difference of hues, times the sum of the channels."""
ONE_OBJECT = (0.06, 0.25)
"""The same for squares side by side that are of one colour, before the light is known."""


@dataclass(frozen=True, eq=False)
class Evened:
    pixels: Floats
    """(36, 36, 3), 0-255; ground is 0."""
    lit: Bools
    """(81,): which squares are of objects, cell by cell, each row by row."""
    change: float
    """How much the light was changed: the largest factor between two squares, less 1."""
    ground: float
    """The brightest channel of what was taken off the ground, mean over the board."""
    left: float
    """How much light changes across objects beyond what the field explains: root mean square of logarithms."""
    gain: float
    """By how much less colours that are taken for equal differ in brightness than before, as `left`."""


def even_light(board: Floats) -> Evened | None:
    """`board` (36, 36, 3) 0-255, in its place to a fraction of a pixel; None where no object is to be seen."""
    ground = _smooth(board, _LINES & _INSIDE)
    colours = _squares(board - ground)
    most = colours.max(axis=1)
    lit = most > np.maximum(LIT, SPILL * most.reshape(9, 9).max(axis=1).repeat(9))
    if not lit.any():
        return None
    ground = _smooth(board, ~_grown(lit) & _INSIDE)
    rest = np.where(_INSIDE[..., None], board - ground, 0)  # what lies around may shine into the rim
    colours = np.maximum(_squares(rest)[lit], 1)  # (q, 3)
    brightness = np.log(colours.sum(axis=1))
    hues = colours / colours.sum(axis=1, keepdims=True)
    region = _regions(np.flatnonzero(lit), hues, brightness)
    weights = colours.sum(axis=1) / colours.sum(axis=1).max()
    basis = _basis(ground)
    at_squares = _squares(basis)[lit]
    group = region
    for hue, bright in ALIKE:
        field = _fit(at_squares, brightness, group, weights)
        even = brightness - at_squares @ field
        group = _joined(region, hues, even, hue, bright, weights)
    field = _fit(at_squares, brightness, group, weights)
    light = basis @ field
    at = at_squares @ field
    even = brightness - at
    # Equal colours are made equal: the rest of the light, which is no smooth field.
    gain = np.ones((SIDE, SIDE, 3))
    corrected = colours * np.exp(at.max() - at)[:, None]
    mean = np.stack([_means(c, region, weights)[region] for c in corrected.T], axis=1)
    shared = np.stack([_means(c, group, weights)[group] for c in corrected.T], axis=1)
    ratio = np.where(shared > 20, shared / np.maximum(mean, 1), 1).clip(0.6, 1.6)
    for square, factor in zip(np.flatnonzero(lit), ratio, strict=True):
        gain[_ROWS[square], _COLUMNS[square]] = factor
    pixels = rest * np.exp(at.max() - light).clip(0.5, 3).reshape(SIDE, SIDE, 1) * gain
    return Evened(
        pixels.clip(0, 255),
        lit,
        float(np.exp(np.ptp(at)) - 1),
        float(ground.max(axis=2).mean()),
        _spread(even, region, weights),
        _spread(brightness, group, weights) - _spread(even, group, weights),
    )


def _smooth(board: Floats, measured: Bools) -> Floats:
    """What `board` (36, 36, 3) shows where it is `measured` (36, 36), spread over all of it."""
    weights = measured.astype(np.float64)
    total = _BLUR @ weights @ _BLUR
    values = np.stack([_BLUR @ (weights * board[..., c]) @ _BLUR for c in range(3)], axis=2)
    return np.asarray(values / np.maximum(total, 1e-9)[..., None])


def _squares(board: Floats) -> Floats:
    """(81, 3): the colour in the middle of every square, cell by cell."""
    return np.asarray(np.einsum("sij,sijc->sc", _CORE, board[_ROWS, _COLUMNS]))


def _grown(lit: Bools) -> Bools:
    """(36, 36): the pixels of the squares that are lit, and one more around."""
    mask = np.zeros((SIDE + 2, SIDE + 2), np.bool_)
    for square in np.flatnonzero(lit):
        row, column = _ROWS[square].min(), _COLUMNS[square].min()
        mask[row : row + SQUARE + 2, column : column + SQUARE + 2] = True
    return mask[1:-1, 1:-1]


def _regions(squares: Integers, hues: Floats, brightness: Floats) -> Integers:
    """(q,): equal numbers for squares of one cell that hang together and are of one colour."""
    cell, within = np.divmod(squares, 9)
    row, column = np.divmod(within, 3)
    side = (cell[:, None] == cell) & (np.abs(row[:, None] - row) + np.abs(column[:, None] - column) == 1)
    return _components(side & _near(hues, brightness, *ONE_OBJECT))


def _near(hues: Floats, brightness: Floats, hue: float, bright: float) -> Bools:
    """(n, n): which are alike but for noise, which tells more on the hues of dark ones."""
    most = hue + GRAIN * np.exp(-np.minimum(brightness[:, None], brightness))
    return np.asarray(
        (np.abs(hues[:, None] - hues).max(axis=2) < most) & (np.abs(brightness[:, None] - brightness) < bright)
    )


def _components(edges: Bools) -> Integers:
    """The number of the component of every node, from 0."""
    label = np.arange(len(edges))
    reach = edges | np.eye(len(edges), dtype=np.bool_)
    while True:
        new = np.where(reach, label, len(edges)).min(axis=1)
        if (new == label).all():
            return np.unique(label, return_inverse=True)[1]
        label = new


def _joined(region: Integers, hues: Floats, even: Floats, hue: float, bright: float, weights: Floats) -> Integers:
    """The groups of the squares once regions of nearly one colour are taken together."""
    mean = np.stack([_means(values, region, weights) for values in hues.T], axis=1)
    return _components(_near(mean, _means(even, region, weights), hue, bright))[region]


def _means(values: Floats, group: Integers, weights: Floats) -> Floats:
    return np.asarray(np.bincount(group, weights * values) / np.bincount(group, weights))


def _spread(values: Floats, group: Integers, weights: Floats) -> float:
    """How far values lie off the mean of their group: root mean square."""
    return float(np.sqrt(np.average((values - _means(values, group, weights)[group]) ** 2, weights=weights)))


def _fit(basis: Floats, brightness: Floats, group: Integers, weights: Floats) -> Floats:
    """The field of light, as coefficients of `_basis`."""
    # Each group's own brightness is taken off by taking off its mean.
    centred = basis - np.stack([_means(values, group, weights) for values in basis.T], axis=1)[group]
    target = brightness - _means(brightness, group, weights)[group]
    scaled = centred * weights[:, None]
    return np.asarray(np.linalg.solve(centred.T @ scaled + RIDGE * _STIFF, scaled.T @ target))


def _basis(ground: Floats) -> Floats:
    """(36, 36, 6): what the logarithm of light is made of. Light that falls on the ground shows on it, too."""
    x, y = np.meshgrid(*[(_ALONG + 0.5) / (SIDE / 2) - 1] * 2)
    shade = np.log(ground.sum(axis=2).clip(0) + FAINT)
    return np.stack([x, y, x * x, x * y, y * y, shade - shade.mean()], axis=2)


_STIFF = np.diag([1.0, 1, 2, 2, 2, 1])
_ALONG = np.arange(SIDE)
_BLUR = np.exp(-0.5 * (np.subtract.outer(_ALONG, _ALONG) / SPREAD) ** 2)
_LINES = np.logical_or.outer(*[_ALONG % CELL == CELL - 1] * 2)
_INSIDE = np.logical_and.outer(*[(_ALONG >= MARGIN) & (_ALONG < SIDE - CELL + MARGIN + 3 * SQUARE)] * 2)
"""(36, 36): where objects can be."""
_CELL, _WITHIN = np.divmod(np.arange(81), 9)
_TOP = CELL * (_CELL // GRID) + MARGIN + SQUARE * (_WITHIN // 3)
_LEFT = CELL * (_CELL % GRID) + MARGIN + SQUARE * (_WITHIN % 3)
_ROWS = _TOP[:, None, None] + np.arange(SQUARE)[:, None] + np.zeros((SQUARE, SQUARE), np.int64)
_COLUMNS = _LEFT[:, None, None] + np.arange(SQUARE) + np.zeros((SQUARE, SQUARE), np.int64)
_CORE = np.broadcast_to(np.outer([1, 4, 1], [1, 4, 1]) / 36, (81, SQUARE, SQUARE))
