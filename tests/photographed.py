"""Boards photographed from a screen: what light, lens and surroundings make of one.

For choosing and for evaluating how boards are found and read; networks are not trained on them. A `Shot` has the
strength of each disturbance, and a seed gives what strengths leave open: where light comes from, where a shadow
falls, what else the screen shows. Light multiplies values as they are stored, which is how a file shows a weaker one.
"""

import io
import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from predinet_prolog.domains.domain import Floats, Pixels
from predinet_prolog.domains.relations_game.objects import generator
from predinet_prolog.domains.relations_game.scenes import SIDE

Surroundings = Literal["none", "dark desk", "light desk", "window"]


@dataclass(frozen=True)
class Shot:
    """How a board is photographed; the defaults leave it as it is, but for its size."""

    side: float = 360
    """Of the board, in pixels of the picture."""
    surroundings: Surroundings = "none"
    """What lies around the board: nothing, a desk, or a window on the same screen, with words and buttons."""
    margins: tuple[float, float, float, float] = (0, 0, 0, 0)
    """How much of them shows left, above, right and below, in sides of the board."""
    turn: float = 0
    """Degrees, clockwise. The corners of a turned board need margins."""
    gradient: float = 0
    """Share of the light that is lost from one end of the board to the other."""
    vignette: float = 0
    """Share that is lost in the board's corners."""
    shadow: float = 0
    """Share that is lost on one side of a soft edge across the board."""
    tint: float = 0
    """Share that red gains and blue loses; a negative one is cold."""
    black: float = 0
    """What black becomes, of 1, before all light."""
    glare: float = 0
    """Light that a wide spot on the glass adds, of 1, at its middle."""
    exposure: float = 1
    """Factor of every value."""
    blur: float = 0
    """Standard deviation of a Gaussian, in pixels of the board."""
    noise: float = 0
    """Standard deviation of Gaussian noise in the picture, of 1."""
    jpeg: int | None = None
    """JPEG quality; None: not compressed."""


@dataclass(frozen=True, eq=False)
class Photograph:
    """A picture with a board in it."""

    picture: Pixels
    """(H, W, 3)"""
    to_picture: Floats
    """(3, 3): takes (x, y, 1) of the board's 36 × 36 pixels to the picture's; corners of pixels are integers."""


def draw_shot(seed: int | tuple[int, ...], *, largest: float = 2000) -> Shot:
    """An everyday mixture of all disturbances at once; boards have sides from 60 to `largest` pixels."""
    random = generator("shot", seed)
    surroundings: Surroundings = random.choice(["none", "dark desk", "light desk", "window"])
    least = 0.0 if surroundings == "none" else 0.08
    margins = (0.0,) * 4 if surroundings == "none" else tuple(random.uniform(least, 0.7, 4).tolist())
    return Shot(
        side=math.exp(random.uniform(math.log(60), math.log(largest))),
        surroundings=surroundings,
        margins=(margins[0], margins[1], margins[2], margins[3]),
        turn=random.uniform(-5, 5) if surroundings != "none" and random.random() < 0.7 else 0,
        gradient=random.uniform(0, 0.35),
        vignette=random.uniform(0, 0.3),
        shadow=random.uniform(0.1, 0.35) if random.random() < 0.5 else 0,
        tint=random.uniform(-0.15, 0.15),
        black=random.uniform(0, 0.1),
        glare=random.uniform(0, 0.1) if random.random() < 0.4 else 0,
        exposure=random.uniform(0.8, 1.05),
        blur=random.uniform(0, 0.5),
        noise=random.uniform(0, 0.05),
        jpeg=int(random.integers(60, 96)) if random.random() < 0.7 else None,
    )


def photograph(board: Pixels, shot: Shot, *, seed: int | tuple[int, ...]) -> Photograph:
    """`board` (36, 36, 3) as `shot` shows it. The same arguments give the same picture."""
    random = generator("photograph", seed)
    left, top, right, bottom = shot.margins
    width, height = (round(shot.side * (1 + more)) for more in (left + right, top + bottom))
    angle, scale = math.radians(shot.turn), shot.side / SIDE
    turned = scale * np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    middle = shot.side * np.array([left + 0.5, top + 0.5])
    to_picture = np.eye(3)
    to_picture[:2, :2], to_picture[:2, 2] = turned, middle - turned @ (SIDE / 2, SIDE / 2)
    if shot.surroundings == "none" and not shot.turn:
        to_picture[:2] = np.diag([width / SIDE, height / SIDE, 1])[:2]  # to the last pixel

    to_board: Floats = np.linalg.inv(to_picture).astype(np.float64)
    scene = _shown(board, to_board, _surroundings(shot.surroundings, width, height, random))
    x, y = _board_places(to_board, width, height)
    scene = 255 * shot.black + (1 - shot.black) * scene
    light = shot.exposure * _light(x / SIDE - 0.5, y / SIDE - 0.5, shot, random)
    scene *= light[..., None].astype(np.float32)
    scene *= np.array([1 + shot.tint, 1, 1 - shot.tint], np.float32)
    spot = random.uniform(0, SIDE, 2)
    glare = np.exp(-((x - spot[0]) ** 2 + (y - spot[1]) ** 2) / (SIDE / 2) ** 2)
    scene += 255 * shot.glare * glare[..., None].astype(np.float32)
    return Photograph(_developed(scene, shot, random), to_picture)


def _board_places(to_board: Floats, width: int, height: int, dx: float = 0.5, dy: float = 0.5) -> tuple[Floats, Floats]:
    """x and y (H, W) on the board of the picture's pixels, taken at (dx, dy) in each."""
    column, row = np.arange(width) + dx, (np.arange(height) + dy)[:, None]
    x, y, *_ = (own[0] * column + own[1] * row + own[2] for own in to_board)
    return x, y


def _shown(board: Pixels, to_board: Floats, around: Pixels) -> NDArray[np.float32]:
    """The board amid `around` (H, W, 3), each pixel the mean of what it covers."""
    height, width = around.shape[:2]
    steps = 4 if abs(to_board[0, 0]) > 0.1 else 2
    padded = np.concatenate([board.reshape(-1, 3), np.zeros((1, 3), np.uint8)])
    total = np.zeros(around.shape, np.float32)
    for dy in (np.arange(steps) + 0.5) / steps:
        for dx in (np.arange(steps) + 0.5) / steps:
            x, y = _board_places(to_board, width, height, dx, dy)
            inside = (x >= 0) & (x < SIDE) & (y >= 0) & (y < SIDE)
            index = np.where(inside, np.floor(y).astype(np.int32) * SIDE + np.floor(x).astype(np.int32), SIDE**2)
            total += np.where(inside[..., None], padded[index], around)
    return total / np.float32(steps**2)


def _surroundings(kind: Surroundings, width: int, height: int, random: np.random.Generator) -> Pixels:
    """(H, W, 3): what there is where the board is not."""
    shade = random.uniform(160, 235) if kind in {"light desk", "window"} else random.uniform(55, 110)
    if kind == "window" and random.random() < 0.4:
        shade = random.uniform(45, 70)
    image = Image.new("RGB", (width, height), tuple(np.clip(shade + random.uniform(-15, 15, 3), 0, 255).astype(int)))
    if kind == "window":
        draw, line = ImageDraw.Draw(image), max(height // 30, 3)
        draw.rectangle((0, 0, width, 2 * line), fill=tuple(random.integers(0, 256, 3).tolist()))
        ink = (30, 30, 30) if shade > 128 else (220, 220, 220)
        for top in range(3 * line, height - line, 2 * line):  # words of a text
            left = line
            while random.random() < 0.8 and left < width:
                word = int(random.integers(line, 5 * line))
                draw.rectangle((left, top, left + word, top + line // 2), fill=ink)
                left += word + line // 2
        for x, y in random.uniform(0, [width, height], (3, 2)).tolist():
            draw.rectangle((x, y, x + 6 * line, y + 2 * line), fill=tuple(random.integers(0, 256, 3).tolist()))
    return np.asarray(image)


def _light(x: Floats, y: Floats, shot: Shot, random: np.random.Generator) -> Floats:
    """(H, W): 1 in full light; x and y are -0.5 to 0.5 on the board."""
    bounds = (0, 0, -0.35, 0.03), (2 * math.pi, 2 * math.pi, 0.35, 0.2)
    angle, shadow_angle, offset, width = random.uniform(*bounds).tolist()
    across = (x * math.cos(angle) + y * math.sin(angle)).clip(-1, 1)
    into = (x * math.cos(shadow_angle) + y * math.sin(shadow_angle) - offset) / width
    light = 1 - shot.gradient * (across + 0.5).clip(0, 1.5)
    light *= 1 - shot.vignette * ((x**2 + y**2) / 0.5).clip(0, 1.5)
    return np.asarray(light * (1 - shot.shadow / (1 + np.exp(-4 * into.clip(-9, 9)))))


def _developed(scene: NDArray[np.float32], shot: Shot, random: np.random.Generator) -> Pixels:
    """The file's pixels: blurred, with noise, and compressed."""
    if shot.blur:
        from scipy.ndimage import gaussian_filter

        sigma = shot.blur * shot.side / SIDE
        scene = gaussian_filter(scene, (sigma, sigma, 0), mode="nearest", truncate=3)
    if shot.noise:
        scene = scene + np.float32(255 * shot.noise) * random.standard_normal(scene.shape, np.float32)
    pixels = scene.round().clip(0, 255).astype(np.uint8)
    if shot.jpeg is None:
        return pixels
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "JPEG", quality=shot.jpeg)
    return np.asarray(Image.open(file))
