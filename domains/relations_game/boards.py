"""Boards found in pictures of any size, put upright and into even light.

A board is a dark quadrilateral in something brighter, or the whole picture. Its outline tells nearly where it lies, and
the edges of objects tell exactly: on a board all of them lie on lines three pixels apart. So a map from the board to
the picture is moved until they do. What does not come to lie on lines is no board.
"""

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from predinet_prolog.domains.domain import Floats, Integers, Located, Pixels
from predinet_prolog.domains.images import resized
from predinet_prolog.domains.pixels import quantile
from predinet_prolog.domains.relations_game.light import Evened, even_light
from predinet_prolog.domains.relations_game.objects import CELL, MARGIN, SQUARE
from predinet_prolog.domains.relations_game.out_of_distribution import inspect, measure
from predinet_prolog.domains.relations_game.scenes import GRID, SIDE
from predinet_prolog.lazily import lazily

imaging = lazily("predinet_prolog.imaging")  # for a board that lies in a picture; most are all of it
Bools = NDArray[np.bool_]

# Chosen on photographed pentominoes alone.
SMALL = 256
"""Pixels along the longer side of the picture that outlines are sought in."""
DARK = (16, 21, 27, 34, 43, 55, 70, 90)
"""The brightest channel of a board's ground is below one of these, and what surrounds it is above."""
SHADES = (0.6, 0.75)
"""A board's ground is darker than one of these shares of what its surroundings would be in its place."""
ON, BELOW, LEAST = 1.01, 3, 0.2
"""Pixels that a point on an outline lies off it, how many on it make up for one outside, and the share that there are
at least."""
SHORTEST = 48
"""Pixels of the picture along a side of a board: of a smaller one an object's squares are hardly to be seen."""
FINE = 4
"""Samples along a side of a board's pixel where edges are sought."""
AROUND = 3
"""Pixels of the board that are looked at beyond its outline."""
GROUND = 90.0
"""The ground of a board is darker, 0-255."""
OPEN = 0.4
"""The share of a board that is ground, at least: nine objects that fill their squares leave so much."""
DIM, FEW = 120, 0.002
"""A picture with a smaller share of pixels below that has no dark ground anywhere: a board is a 144th of it or more."""
CLOSE = 0.7
"""Pixels of the board: edges much farther off a line may belong to another."""
STIFF = 0.01
"""Resistance to a change of size and angle, which few edges tell little of."""
CLEAR = 0.4
"""What a board leaves unexplained at most, of what is warned of; so good a one ends the search."""
DOUBTED, NO_BOARD = 0.6, 0.9
"""What is found and leaves more unexplained may not be one, and is none at all."""
EVEN, PLAIN = 0.12, 12.0
"""The light on a whole picture and its ground change by less, or are made even."""
EXACT, AGREED = 0.12, 0.85
"""What a board with moved objects leaves unexplained at most, and how far their edges agree."""
CHANGE, LEFT = 4.0, 0.12
"""Of `Evened`: from where on light is doubted."""
GAIN, WORSE = 0.02, 0.02
"""A board of 36 × 36 pixels is put into even light if its equal colours come to differ by so much less, which JPEG's
errors hardly ever do, and if a board explains it as before: it does not where objects lie off their cells."""
IN_STEP = 0.4
"""How far the edges of all cells agree, at least, on a board that no outline shows."""
ROUNDS = 3
"""Moves towards the lines."""


def find_board(picture: Pixels) -> Located | None:
    """The board of the game that `picture` (H, W, 3) shows; None where there is none.

    One that fills the picture, in even light, comes as it is: only resized. `doubt` is that of
    `out_of_distribution.inspect` or more, where little speaks for a board or its light cannot be made even.
    """
    if min(picture.shape[:2]) < SIDE // 2:
        return None
    step = max(1, max(picture.shape[:2]) // SMALL)
    if (picture[::step, ::step].max(axis=2) < DIM).mean() < FEW:  # quick to see, and most pictures are bright
        return None
    image = Image.fromarray(picture)
    if (whole := _as_it_is(image)) is not None:
        return whole
    best: tuple[float, Floats, Evened] | None = None
    for start, outlined in _starts(image):
        if (reading := _read(image, start, outlined)) is not None and (best is None or reading[0] < best[0]):
            best = reading
            if best[0] < CLEAR:
                break
    if best is None or best[0] > NO_BOARD:
        return None
    unexplained, to_picture, evened = best
    pixels = evened.pixels.round().astype(np.uint8)
    inspection = inspect(pixels[None])[0]
    doubts = (
        (inspection.score, inspection.reason),
        (unexplained / DOUBTED, "what is found looks little like a board of the game"),
        (max(evened.change / CHANGE, evened.left / LEFT), "the light on the board is too uneven"),
    )
    doubt, reason = max(doubts, key=lambda pair: pair[0])
    return Located(pixels, to_picture, doubt, reason if doubt >= 1 else None)


def even_boards(images: Pixels) -> Pixels:
    """`images` (N, 36, 36, 3), uneven light taken off those in it. Others come as they are: in even light, no boards by
    `inspect`, or with objects off their cells, which say nothing of light."""
    result = images.copy()
    for number, inspection in enumerate(inspect(images)):
        if inspection.score >= 1 or not inspection.noise_level:  # light would change across objects
            continue
        evened = even_light(images[number].astype(np.float64))
        if evened is None or (evened.ground < PLAIN and (evened.change < EVEN or evened.gain < GAIN)):
            continue
        pair = np.stack([images[number], evened.pixels.round().astype(np.uint8)])
        before, after = measure(pair).unexplained
        if after <= before + WORSE:
            result[number] = pair[1]
    return result


def _as_it_is(image: Image.Image) -> Located | None:
    """The whole picture, resized as pictures are that are not searched; None unless it is a board in even light."""
    width, height = image.size
    if width != height:
        return None
    pixels = np.asarray(resized(image, SIDE))
    unexplained = float(measure(pixels[None]).unexplained[0])
    evened = even_light(pixels.astype(np.float64))
    if evened is None or unexplained >= 1:
        return None
    to_picture = np.diag([width / SIDE, width / SIDE, 1.0])
    even = evened.change < EVEN and evened.ground < PLAIN
    # Objects that lie off their cells say nothing of light: squares are sought where they are not.
    if unexplained and not even:
        factor = max(round(width / SIDE / FINE), 1)
        fine = _sampled(image.reduce(factor), np.diag([1 / factor, 1 / factor, 1]) @ to_picture, AROUND)
        if unexplained > EXACT or _agreement(fine) > AGREED:
            return None
    return Located(pixels, to_picture)


# --- Outlines. ---


def _starts(image: Image.Image) -> Iterator[tuple[Floats, bool]]:
    """Maps (3, 3) from boards to the picture, roughly, and whether they go by an outline; the whole picture last."""
    factor = math.ceil(max(image.size) / SMALL)
    small = np.asarray(image.reduce(factor).filter(ImageFilter.GaussianBlur(0.7)))
    brightest = np.maximum(np.maximum(small[..., 0], small[..., 1]), small[..., 2])
    field = _field(brightest)
    outlines: list[Floats] = []
    for dark in (*(brightest < shade * field for shade in SHADES), *(brightest < level for level in DARK)):
        for corners in _outlines(dark):
            corners = corners * factor
            if np.ptp(corners, axis=0).min() >= SHORTEST and not any(
                np.abs(corners - other).max() < 0.04 * np.ptp(corners) for other in outlines
            ):
                outlines.append(corners)
                yield _map(corners), True
    width, height = image.size
    if max(width, height) < 1.08 * min(width, height) and quantile(brightest, OPEN) < GROUND:
        yield np.diag([width / SIDE, height / SIDE, 1.0]), False


def _field(brightest: Floats) -> Floats:
    """How bright the surroundings would be everywhere, by what the picture's rim tells (H, W)."""
    height, width = brightest.shape
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    basis = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=2)
    rim = np.ones(brightest.shape, np.bool_)
    rim[2:-2, 2:-2] = False
    places, values = basis[rim], np.log(brightest[rim] + 1.0)
    field = np.linalg.lstsq(places, values, rcond=None)[0]
    plain = np.abs(values - places @ field) < 0.25  # neither title bar nor words
    if plain.sum() > len(values) / 2:
        field = np.linalg.lstsq(places[plain], values[plain], rcond=None)[0]
    return np.asarray(np.exp((basis @ field).clip(0, 6)))


def _outlines(dark: Bools) -> Iterator[Floats]:
    """Corners (4, 2) of the dark quadrilaterals in a mask: top left, top right, bottom right, bottom left."""
    least = max(dark.shape) / 12
    if dark.sum() < least**2:
        return
    # Words beside a board are off it once its thin parts are opened, and so may its rim be.
    for mask in (imaging.ndimage.binary_opening(dark, np.ones((3, 3), np.bool_)), dark):
        labels, _ = imaging.ndimage.label(mask)
        for number, slices in enumerate(imaging.ndimage.find_objects(labels), start=1):
            extent = [part.stop - part.start for part in slices]
            if min(extent) < max(least, 12) or max(extent) > 1.4 * min(extent):
                continue
            if (corners := _corners(labels[slices] == number)) is not None:
                yield corners + np.array([slices[1].start, slices[0].start])


def _corners(mask: Bools) -> Floats | None:
    """Where the straight lines meet that bound `mask`; None if they bound no upright square."""
    lines = []
    for turned in (mask, mask[:, ::-1], mask.T, mask.T[:, ::-1]):  # left, right, top, bottom
        rows = np.flatnonzero(turned.any(axis=1))
        if (line := _line(rows + 0.5, turned[rows].argmax(axis=1).astype(np.float64))) is None:
            return None
        lines.append(line)
    height, width = mask.shape
    left, top = lines[0], lines[2]
    right, bottom = (width - lines[1][0], -lines[1][1]), (height - lines[3][0], -lines[3][1])
    slopes = np.array([left[1], right[1], -top[1], -bottom[1]])
    if np.abs(slopes).max() > 0.16 or np.ptp(slopes) > 0.08:
        return None
    corners = []
    for (a, b), (c, d) in ((left, top), (right, top), (right, bottom), (left, bottom)):
        y = (c + d * a) / (1 - b * d)  # of x = a + b y and y = c + d x
        corners.append((a + b * y, y))
    sides = np.linalg.norm(np.array(corners) - np.roll(corners, 1, axis=0), axis=1)
    return np.array(corners) if sides.max() <= 1.15 * sides.min() else None


def _line(along: NDArray[np.floating], across: Floats) -> tuple[float, float] | None:
    """The line `across` = a + b · `along` that bounds the points from below, with some of them on it; None if none
    does. Where an object shines over the rim, many points lie above."""
    index = np.linspace(0.02 * len(along), 0.98 * (len(along) - 1), 20).astype(np.int64)
    first, second = (index[chosen] for chosen in np.triu_indices(len(index), k=4))
    first, second = first[along[second] > along[first]], second[along[second] > along[first]]
    if not len(first):
        return None
    slope = (across[second] - across[first]) / (along[second] - along[first])
    start = across[first] - slope * along[first]
    above = across - start[:, None] - slope[:, None] * along
    count = (np.abs(above) < ON).sum(axis=1) - BELOW * (above <= -ON).sum(axis=1)
    most = int(count.argmax())
    if count[most] < LEAST * len(along):
        return None
    near = np.abs(above[most]) < ON
    b, a = np.polyfit(along[near], across[near], 1)
    return float(a), float(b)


def _map(corners: Floats) -> Floats:
    """The affine map (3, 3) that takes the board's corners nearly to `corners` (4, 2)."""
    board = np.array([[0, 0, 1], [SIDE, 0, 1], [SIDE, SIDE, 1], [0, SIDE, 1]], np.float64)
    result = np.eye(3)
    result[:2] = np.linalg.lstsq(board, corners, rcond=None)[0].T
    return result


# --- Lines. ---


def _read(image: Image.Image, to_picture: Floats, outlined: bool) -> tuple[float, Floats, Evened] | None:
    """How little of what lies at `to_picture` a board explains, where exactly it lies, and what it shows."""
    scale = float(np.sqrt(abs(np.linalg.det(to_picture[:2, :2]))))
    factor = max(round(scale / FINE), 1)
    reduced = image.reduce(factor)
    to_reduced = np.diag([1 / factor, 1 / factor, 1]) @ to_picture
    for _ in range(ROUNDS):
        if (move := _towards_lines(_sampled(reduced, to_reduced, AROUND), outlined)) is None:
            return None
        to_reduced = to_reduced @ move
    if not outlined and _agreement(_sampled(reduced, to_reduced, AROUND)) < IN_STEP:
        return None
    best: tuple[float, Floats, Evened] | None = None
    for dx, dy in _STEPS:
        moved = to_reduced @ np.array([[1, 0, dx], [0, 1, dy], [0, 0, 1]])
        fine = _sampled(reduced, moved, 0)
        evened = even_light(fine.reshape(3, SIDE, FINE, SIDE, FINE).mean(axis=(2, 4)).transpose(1, 2, 0))
        if evened is None or evened.ground > GROUND:
            continue
        unexplained = float(measure(evened.pixels.round().astype(np.uint8)[None]).unexplained[0])
        if best is None or unexplained < best[0] - 0.05:
            best = unexplained, np.diag([factor, factor, 1]) @ moved, evened
        if best[0] < 0.7:
            break
    return best


def _sampled(image: Image.Image, to_image: Floats, around: int) -> Floats:
    """What lies on the board and `around` pixels beyond, FINE samples along each of its pixels: (3, n, n)."""
    side = (SIDE + 2 * around) * FINE
    # Pillow takes the middle of each sample through the map, as it should.
    grid = to_image @ np.array([[1 / FINE, 0, -around], [0, 1 / FINE, -around], [0, 0, 1]])
    taken = image.transform(
        (side, side), Image.Transform.AFFINE, tuple(grid[:2].ravel()), resample=Image.Resampling.BILINEAR
    )
    return np.asarray(taken).transpose(2, 0, 1).astype(np.float32)


def _strong(change: Floats, other: Floats, where: Bools) -> tuple[Integers, Integers, Floats]:
    """Row and column (n,) among the samples of the edges across the second axis, and how strong they are."""
    strong = (change > 2 * other) & where  # no corners, and little noise
    strong &= change > 0.3 * quantile(change, 0.98)
    row, column = np.nonzero(strong)
    return row, column, change[strong]


def _changes(fine: Floats) -> tuple[Floats, Floats]:
    """How much neighbours differ across and down, (n - 2, n - 2) each."""
    across = np.abs(fine[:, 1:-1, 2:] - fine[:, 1:-1, :-2]).sum(axis=0)
    return across, np.abs(fine[:, 2:, 1:-1] - fine[:, :-2, 1:-1]).sum(axis=0)


def _agreement(fine: Floats) -> float:
    """How far the edges of all cells lie off lines by the same: 0 to 1, the lower of both directions."""
    across, down = _changes(fine)
    result = 1.0
    for change, other in ((across, down), (down.T, across.T)):
        row, column, weight = _strong(change, other, _WITHIN & _INSIDE)
        cell = (_MIDDLES[column] // CELL).astype(np.int64) * GRID + (_MIDDLES[row] // CELL).astype(np.int64)
        phase = 2 * math.pi / SQUARE * (_MIDDLES[column] - MARGIN)
        x, y = (np.bincount(cell, weight * part(phase)) for part in (np.cos, np.sin))
        result = min(result, float(np.hypot(x.sum(), y.sum()) / max(np.hypot(x, y).sum(), 1e-9)))
    return result


def _towards_lines(fine: Floats, outlined: bool) -> Floats | None:
    """How the board's places must be moved (3, 3) for the edges in `fine` to lie on lines; None without edges."""
    across, down = _changes(fine)
    where = _WITHIN & (_INSIDE | _OUTLINE if outlined else _INSIDE)
    move = np.eye(3)
    for axis, change, other in ((0, across, down), (1, down.T, across.T)):
        row, column, weight = _strong(change, other, where)
        if len(weight) < 8:
            return None
        u, v = _MIDDLES[column], _MIDDLES[row]
        on_outline = _OUTLINE[0, column]
        off = np.where(on_outline, u - np.where(u < SIDE / 2, 0, SIDE), (u - MARGIN + SQUARE / 2) % SQUARE - SQUARE / 2)
        weight = weight * np.exp(-0.5 * (off / CLOSE) ** 2)
        design = np.stack([np.ones_like(u), u / SIDE - 0.5, v / SIDE - 0.5], axis=1)
        stiff = np.diag([0, STIFF, STIFF]) * weight.sum()
        a, b, c = np.linalg.solve(design.T @ (design * weight[:, None]) + stiff, design.T @ (weight * off))
        move[axis, [axis, 1 - axis, 2]] += b / SIDE, c / SIDE, a - (b + c) / 2
    return move


_MIDDLES = (np.arange(1, (SIDE + 2 * AROUND) * FINE - 1) + 0.5) / FINE - AROUND
"""Where the samples lie whose neighbours are compared, in pixels of the board."""
_INSIDE = np.abs(_MIDDLES - SIDE / 2)[None] < SIDE / 2 - MARGIN / 2
_OUTLINE = ~_INSIDE & (np.abs(np.abs(_MIDDLES - SIDE / 2) - SIDE / 2)[None] < 1.5 * MARGIN)
_WITHIN = np.abs(_MIDDLES - SIDE / 2)[:, None] < SIDE / 2
_STEPS = ((0, 0), *((dx * SQUARE, dy * SQUARE) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy))
