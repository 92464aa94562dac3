"""Pictures that are no boards of the game, as strangers send them: what an out-of-game score has to notice.

`others(kind, n, seed=...)` draws one of `KINDS`. All are square and come at the game's own size, made smaller by the
filter that `domains.images` takes. Nothing in the programs is fitted on them.
"""

import hashlib
import math
from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from benchmarks.own_pictures_sets import PHOTOGRAPHS, photograph
from predinet_prolog.domains.relations_game import generate, object_set

Pixels = npt.NDArray[np.uint8]  # (N, 36, 36, 3) RGB
Draw = Callable[[np.random.Generator], Image.Image]

SIDE = 36
"""Of the game's images."""
CANVAS = 8 * SIDE
"""Of the pictures before they are made smaller."""
WORDS = "The quick brown fox jumps over the lazy dog; 0123456789 same(X, Y) :- near(r7, X, Y, 0.11). Été Ärger"


def others(kind: str, n: int, *, seed: int) -> Pixels:
    """`n` pictures of a kind, (n, 36, 36, 3) uint8 RGB; the first of many are those of few."""
    draw = KINDS[kind]
    pictures = np.empty((n, SIDE, SIDE, 3), np.uint8)
    for number in range(n):
        digest = hashlib.sha256(f"others {kind} {seed} {number}".encode()).digest()
        random = np.random.default_rng(int.from_bytes(digest))
        pictures[number] = np.asarray(draw(random).convert("RGB").resize((SIDE, SIDE), Image.Resampling.LANCZOS))
    return pictures


# --- Without any thing in them. ---


def _empty(random: np.random.Generator) -> Image.Image:
    """One colour: black in half of them, and a little noise in half."""
    colour = _colour(random) if random.random() < 0.5 else np.zeros(3)
    noise = random.normal(0, 12.75, (SIDE, SIDE, 3)) * (random.random() < 0.5)
    return _image(colour + noise)


def _white_noise(random: np.random.Generator) -> Image.Image:
    """Every pixel by itself, in grey or in colour."""
    return _image(random.integers(0, 256, (SIDE, SIDE, random.choice([1, 3]))))


def _smooth_noise(random: np.random.Generator) -> Image.Image:
    """Noise made larger: clouds of 2 to 9 pixels."""
    few = int(random.integers(4, 19))
    return _image(random.integers(0, 256, (few, few, random.choice([1, 3])))).resize((CANVAS, CANVAS), _BICUBIC)


def _gradient(random: np.random.Generator) -> Image.Image:
    """From one colour to another: along a line or around a point."""
    y, x = np.mgrid[:SIDE, :SIDE] / (SIDE - 1)
    if random.random() < 0.5:
        angle = random.uniform(0, 2 * math.pi)
        way = x * math.cos(angle) + y * math.sin(angle)
    else:
        way = np.hypot(x - random.random(), y - random.random())
    way = ((way - way.min()) / np.ptp(way))[..., None]
    return _image(_colour(random) * (1 - way) + _colour(random) * way)


def _texture(random: np.random.Generator) -> Image.Image:
    """Amplitudes fall with frequency, as they do in nature: bark, clouds, stone."""
    frequency = np.hypot(np.fft.fftfreq(SIDE)[:, None], np.fft.fftfreq(SIDE))
    frequency[0, 0] = 1
    phases = np.fft.fft2(random.standard_normal((3, SIDE, SIDE)))
    planes = np.fft.ifft2(phases / frequency ** random.uniform(0.7, 1.6)).real
    planes = np.einsum("ij,jyx->yxi", np.eye(3) * random.uniform(0.2, 1) + 1, planes)  # channels go together
    return _image(random.uniform(80, 170) + random.uniform(25, 60) * (planes - planes.mean()) / planes.std())


def _photograph(random: np.random.Generator) -> Image.Image:
    """A part of a temple, a flower or an admiral."""
    whole = photograph(*PHOTOGRAPHS[random.integers(3)])
    side = int(random.uniform(0.2, 1) * min(whole.size))
    left, top = (int(random.integers(length - side + 1)) for length in whole.size)
    return whole.crop((left, top, left + side, top + side))


# --- With other things in them. ---


def _text(random: np.random.Generator) -> Image.Image:
    """Some words in one to four lines, dark on light or light on dark."""
    light = random.random() < 0.5
    image = Image.new("RGB", (CANVAS, CANVAS), "white" if light else "black")
    lines = int(random.integers(1, 5))
    start = int(random.integers(len(WORDS) - 24))
    length = int(random.integers(3, 7))
    words = "\n".join(WORDS[start + line * length :][:length] for line in range(lines))
    colour = "black" if light else tuple(_bright(random))
    size = int(random.integers(40, 90))
    ImageDraw.Draw(image).text((8, 8), words, fill=colour, font=ImageFont.load_default(size))
    return image


def _shapes_on_the_grid(random: np.random.Generator) -> Image.Image:
    """Discs, rings, triangles, diamonds, crosses and lines where the game has its polyominoes."""
    image = Image.new("RGB", (CANVAS, CANVAS))
    cell = CANVAS / 3
    for number in random.choice(9, int(random.integers(2, 10)), replace=False):
        row, column = divmod(int(number), 3)
        _shape(ImageDraw.Draw(image), random, cell * (column + 5.5 / 12), cell * (row + 5.5 / 12), cell * 4.5 / 12)
    return image


def _shapes_anywhere(random: np.random.Generator) -> Image.Image:
    """One to six of the same shapes, small and large, wherever they fall."""
    image = Image.new("RGB", (CANVAS, CANVAS))
    for _ in range(int(random.integers(1, 7))):
        x, y = random.uniform(0.15, 0.85, 2) * CANVAS
        _shape(ImageDraw.Draw(image), random, x, y, random.uniform(0.07, 0.4) * CANVAS)
    return image


def _checkerboard(random: np.random.Generator) -> Image.Image:
    """Two colours in turn, two to twelve fields a side."""
    fields = int(random.integers(2, 13))
    y, x = np.mgrid[:CANVAS, :CANVAS] * fields // CANVAS
    return _image(np.where(((x + y) % 2 == 1)[..., None], _bright(random), random.choice([0, 255])))


def _stripes(random: np.random.Generator) -> Image.Image:
    """Two to twelve pairs of stripes at any angle, sharp or soft."""
    y, x = np.mgrid[:CANVAS, :CANVAS] / CANVAS
    angle = random.uniform(0, math.pi)
    wave = np.sin(2 * math.pi * random.uniform(2, 12) * (x * math.cos(angle) + y * math.sin(angle)))
    share = (wave > 0) if random.random() < 0.5 else (wave + 1) / 2
    return _image(share[..., None] * _bright(random))


def _window(random: np.random.Generator) -> Image.Image:
    """A program's window: a bar on top, lines of text as bars, a button or two, a picture."""
    paper = random.choice([20, 40, 225, 250])
    image = Image.new("RGB", (CANVAS, CANVAS), (int(paper),) * 3)
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 0, CANVAS, CANVAS // 9), fill=tuple(_colour(random).astype(int)))
    for line in range(int(random.integers(4, 11))):
        y = CANVAS // 5 + line * CANVAS // 15
        ink = (90,) * 3 if paper > 100 else (190,) * 3
        pen.rectangle((20, y, 20 + int(random.integers(40, 240)), y + 8), fill=ink)
    for _ in range(int(random.integers(1, 4))):
        x, y = (int(place) for place in random.integers(30, CANVAS - 60, 2))
        pen.rectangle((x, y, x + int(random.integers(20, 80)), y + 30), fill=tuple(_bright(random)))
    return image


# --- Boards, but not as the game has them. ---


def _crop(random: np.random.Generator) -> Image.Image:
    """A part of a board, 1.3 to 3 times enlarged."""
    side = SIDE / random.uniform(1.3, 3)
    left, top = random.uniform(0, SIDE - side, 2)
    return _board(random).resize((CANVAS, CANVAS), _NEAREST, box=(left, top, left + side, top + side))


def _inside_a_screenshot(random: np.random.Generator) -> Image.Image:
    """A board at 35 to 80 % of its size, on grey, white or black, with a frame or a bar."""
    side = int(random.uniform(0.35, 0.8) * CANVAS)
    paper = (int(random.choice([0, 30, 128, 240, 255])),) * 3
    image = Image.new("RGB", (CANVAS, CANVAS), paper)
    left, top = (int(place) for place in random.integers(0, CANVAS - side + 1, 2))
    if paper == (0, 0, 0) or random.random() < 0.5:
        ImageDraw.Draw(image).rectangle((left - 8, top - 8, left + side + 8, top + side + 8), fill=(120, 120, 120))
    image.paste(_board(random).resize((side, side), _NEAREST), (left, top))
    return image


def _shrunk(random: np.random.Generator) -> Image.Image:
    """A board at 40 to 80 % of its size, on black: nothing but the objects' size is odd."""
    side = int(random.uniform(0.4, 0.8) * CANVAS)
    image = Image.new("RGB", (CANVAS, CANVAS))
    image.paste(_board(random).resize((side, side), _NEAREST), tuple(random.integers(0, CANVAS - side + 1, 2).tolist()))
    return image


def _rotated(random: np.random.Generator) -> Image.Image:
    """A board turned by 15 to 75 degrees."""
    return _board(random).resize((CANVAS, CANVAS), _NEAREST).rotate(random.uniform(15, 75), _BICUBIC)


def _off_the_grid(random: np.random.Generator) -> Image.Image:
    """A board moved by about half a cell: its objects lie half-way between the cells, those at the edge are cut."""
    x, y = random.integers(5, 8, 2) * random.choice([-1, 1], 2)
    if random.random() < 0.5:
        x *= 0
    return _image(np.roll(np.asarray(_board(random)), (y, x), (0, 1)))


def _other_grid(random: np.random.Generator) -> Image.Image:
    """Two by two cells, or four by four."""
    cells = int(random.choice([2, 4]))
    kind = object_set(_object_set(random))
    numbers = random.integers(kind.n_objects, size=(cells, cells))
    numbers[(random.random((cells, cells)) < 0.3) & (np.arange(cells**2).reshape(cells, cells) > 0)] = -1
    return _image(np.concatenate(np.concatenate(kind.cells[numbers], axis=1), axis=1)).resize(
        (CANVAS, CANVAS), _NEAREST
    )


def _grid_lines(random: np.random.Generator) -> Image.Image:
    """A board with lines between its cells and around it."""
    image = _board(random).resize((CANVAS, CANVAS), _NEAREST)
    pen, colour = ImageDraw.Draw(image), tuple(_bright(random))
    for line in range(4):
        place = min(line * CANVAS // 3, CANVAS - 1)
        pen.line((place, 0, place, CANVAS), colour, 8)
        pen.line((0, place, CANVAS, place), colour, 8)
    return image


def _inverted(random: np.random.Generator) -> Image.Image:
    """A board's negative: other colours on white."""
    return _image(255 - np.asarray(_board(random)))


KINDS: Mapping[str, Draw] = MappingProxyType(
    {
        "one colour": _empty,
        "white noise": _white_noise,
        "smooth noise": _smooth_noise,
        "gradient": _gradient,
        "texture": _texture,
        "photograph": _photograph,
        "text": _text,
        "other shapes on the grid": _shapes_on_the_grid,
        "other shapes anywhere": _shapes_anywhere,
        "checkerboard": _checkerboard,
        "stripes": _stripes,
        "program's window": _window,
        "crop of a board": _crop,
        "board in a screenshot": _inside_a_screenshot,
        "board made smaller": _shrunk,
        "board rotated": _rotated,
        "board off the grid": _off_the_grid,
        "board of 2x2 or 4x4": _other_grid,
        "board with grid lines": _grid_lines,
        "board inverted": _inverted,
    }
)
"""What draws a picture of each kind."""


# --- Parts. ---

_BICUBIC, _NEAREST = Image.Resampling.BICUBIC, Image.Resampling.NEAREST


def _board(random: np.random.Generator) -> Image.Image:
    """A board of two to nine objects of any set."""
    while True:
        scene = generate("scatter", 1, objects=_object_set(random), seed=int(random.integers(2**31)))
        if scene.occupied.sum() > 1:
            return Image.fromarray(scene.render()[0])


def _object_set(random: np.random.Generator) -> str:
    return ("pentos", "hexos", "stripes")[random.integers(3)]


def _shape(pen: ImageDraw.ImageDraw, random: np.random.Generator, x: float, y: float, r: float) -> None:
    """A shape of half-width `r` about a point."""
    box, colour = (x - r, y - r, x + r, y + r), tuple(_bright(random))
    width = max(2, round(r / 3))
    match random.integers(7):
        case 0:
            pen.ellipse(box, fill=colour)
        case 1:
            pen.ellipse(box, outline=colour, width=width)
        case 2:
            pen.polygon([(x, y - r), (x + r, y + r), (x - r, y + r)], fill=colour)
        case 3:
            pen.polygon([(x, y - r), (x + r, y), (x, y + r), (x - r, y)], fill=colour)
        case 4:
            pen.line((x - r, y - r, x + r, y + r), colour, width)
            pen.line((x - r, y + r, x + r, y - r), colour, width)
        case 5:
            pen.line((x - r, y + r, x + r, y - r), colour, width)
        case _:
            pen.regular_polygon((x, y, r), int(random.integers(5, 8)), rotation=int(random.integers(360)), fill=colour)


def _colour(random: np.random.Generator) -> npt.NDArray[np.float64]:
    return random.uniform(0, 255, 3)


def _bright(random: np.random.Generator) -> list[int]:
    """A colour that stands out from black."""
    values: list[int] = random.integers(0, 256, 3).tolist()
    values[random.integers(3)] = int(random.integers(160, 256))
    return values


def _image(values: npt.NDArray[np.generic]) -> Image.Image:
    """(h, w, 1 or 3) as an image."""
    pixels = np.clip(values.astype(np.float64).round(), 0, 255).astype(np.uint8)
    return Image.fromarray(np.broadcast_to(pixels, (*pixels.shape[:2], 3)).copy())
