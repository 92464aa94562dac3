"""Cards drawn on a table: what is printed on them, how they lie, and where everything is."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from predinet_prolog.domains.domain import Floats, Integers, Pixels
from predinet_prolog.domains.scenes.light import Field, disturb, smooth_noise
from predinet_prolog.imaging import ndimage

FINE = 3
"""Everything is drawn so many times as large, and then averaged."""
HEIGHT = 2 / 3
"""Of a card; lengths are shares of its width."""
SYMBOL = (0.18, 0.38)
"""Width and height of what is printed on a card."""
GAP = 0.06
"""Between two of them."""
ROOM = (1.25, 0.92)
"""Width and height of a card's place on the table."""
Range = tuple[float, float]
Mask = Image.Image
Points = Floats
"""(n, 2): x and y."""


@dataclass(frozen=True)
class Style:
    """What differs between two decks, tables and printers. A range is what each picture chooses from."""

    hues: tuple[Range, Range, Range]
    """Degrees, of each colour of the deck."""
    line: Range
    """Width of outlines."""
    slant: Range
    """Degrees that hatching is turned, 0 is across the symbol."""
    wobble: Range = (0.0, 0.0)
    """How far outlines lie off, as a hand draws them."""
    paper: Range = (228, 255)
    """Least level of a card's paper, of 255."""
    hatches: Range = (7, 10)
    """Lines of hatching in the height of a symbol."""
    printings: float = 0.0
    """Share of pictures whose deck is of another maker: see Printing."""


@dataclass(frozen=True)
class Printing:
    """What the decks of other makers, and pictures of them, have otherwise. A range is what each picture chooses
    from."""

    bluish: Range = (222, 250)
    """Degrees: the hue of the third colour of every third deck."""
    line: Range = (0.007, 0.032)
    hatches: Range = (6, 18)
    thick: Range = (0.25, 0.55)
    """Share of a hatching's period that is ink."""
    slant: Range = (-8, 8)
    """Degrees, across the symbol or along it."""
    height: Range = (0.27, 0.56)
    """Of a symbol."""
    ratio: Range = (0.4, 0.66)
    """Of a symbol's width to its height."""
    gap: Range = (0.04, 0.1)
    room: float = 0.9
    """What three symbols and their gaps take of a card, at most."""
    bend: Range = (0.16, 0.5)
    """How far squiggles sway, of half their width."""
    power: Range = (0.35, 0.9)
    """Of their ends: the less, the squarer."""
    lag: Range = (-0.7, 0.7)
    """Radians that one side of them lies before the other: their middle is wide or slim."""
    waves: float = 0.4
    """Share of decks whose squiggles are a line of one width along a wave, …"""
    wide: Range = (0.4, 0.55)
    """… which takes that share of a symbol's width."""
    stadium: float = 0.6
    """Share of decks whose ovals have straight sides."""
    blur: Range = (0.0, 1.1)
    """Deviation in pixels."""
    noise: Range = (0.0, 0.035)
    gradient: Range = (0.0, 0.3)
    near: float = 2.2
    """How many times as large a sheet is, at most."""


OTHER = Printing()
STYLES = {
    "printed": Style(hues=((-14, 10), (105, 158), (268, 300)), line=(0.018, 0.036), slant=(-12, 12)),
    "varied": Style(
        hues=((-22, 11), (98, 159), (265, 304)),
        line=(0.016, 0.040),
        slant=(-34, 34),
        wobble=(0, 0.005),
        hatches=(6, 11),
        printings=0.6,
    ),
    "pencil": Style(
        hues=((11, 16), (86, 96), (306, 316)),
        line=(0.012, 0.016),
        slant=(56, 70),
        wobble=(0.008, 0.014),
        paper=(214, 226),
        hatches=(9, 12),
    ),
    "felt_tip": Style(
        hues=((12, 20), (162, 172), (255, 264)),
        line=(0.026, 0.044),
        slant=(38, 52),
        wobble=(0.006, 0.014),
        paper=(212, 226),
        hatches=(6, 8),
    ),
}
"""Lessons are `varied`; models are chosen on `pencil`; `felt_tip` judges alone. Both lie outside of what is varied:
other inks, hatching further aslant, outlines more by hand, duller paper."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """A picture and where things are in it, in pixels: left, top, right, bottom."""

    pixels: Pixels
    """(H, W, 3)"""
    cards: Floats
    """(n, 4)"""
    symbols: Floats
    """(m, 4): what is printed on the cards."""
    owner: Integers
    """(m,): the card that each is on."""


class Printer:
    """Draws all of one picture in one style: its tints, widths and paper are chosen once."""

    def __init__(self, style: Style, rng: np.random.Generator) -> None:
        self._style, self._rng = style, rng
        self.other = rng.random() < style.printings if style.printings else False
        self.width, self.height, self.pitch = *SYMBOL, SYMBOL[0] + GAP
        self._line, self._roundness = rng.uniform(*style.line), rng.uniform(2, 3.5)
        self._hatches, self._slant = rng.uniform(*style.hatches), rng.uniform(*style.slant)
        self._thick = rng.uniform(0.3, 0.45)
        paper = rng.uniform(*style.paper)
        self.paper = np.clip(paper + rng.uniform(-6, 6, 3), 0, 255).astype(np.float32)
        self._inks = [_ink(rng.uniform(*hue), rng) for hue in style.hues]
        if self.other:
            self._print_otherwise()

    def _print_otherwise(self) -> None:
        """Chooses as another maker does."""
        rng, uniform = self._rng, self._rng.uniform
        self._line, self._hatches, self._thick = (
            uniform(*choice) for choice in (OTHER.line, OTHER.hatches, OTHER.thick)
        )
        self._slant = uniform(*OTHER.slant) + 90 * rng.integers(2)
        gap = uniform(*OTHER.gap) + self._line
        ratio = uniform(*OTHER.ratio)
        self.height = min(uniform(*OTHER.height), (OTHER.room - 2 * gap) / 3 / ratio)
        self.width, self.pitch = ratio * self.height, ratio * self.height + gap
        self._bend, self._power, self._lag = (uniform(*choice) for choice in (OTHER.bend, OTHER.power, OTHER.lag))
        self._side, self._stadium = rng.choice([-1, 1]), rng.random() < OTHER.stadium
        self._thin = uniform(*OTHER.wide) if rng.random() < OTHER.waves else 0
        if rng.random() < 1 / 3:
            self._inks[2] = _ink(uniform(*OTHER.bluish), rng)

    def shot(self, picture: Field) -> Pixels:
        """What a camera makes of the `picture` (H, W, 3)."""
        rng = self._rng
        gradient, noise = (OTHER.gradient, OTHER.noise) if self.other else ((0, 0.1), (0, 0.015))
        strengths = {"gradient": rng.uniform(*gradient), "noise": rng.uniform(*noise)}
        if self.other and (blur := rng.uniform(*OTHER.blur)):
            picture = ndimage.gaussian_filter(picture, (blur, blur, 0))
        if rng.random() < 0.5:
            strengths["jpeg"] = float(rng.integers(75, 96))
        return disturb(picture, strengths, rng)

    def symbols(self, picture: Field, kinds: Integers, middles: Points, width: float, turn: float) -> Floats:
        """Prints into `picture` (H, W, 3) at `middles` (m, 2) what cards of `kinds` (m, 4) show, on a card so wide,
        turned by so many degrees; their boxes (m, 4)."""
        height, breadth = picture.shape[:2]
        boxes = []
        for kind, (x, y) in zip(kinds, middles, strict=True):
            reach = math.ceil(width * 0.3)
            left, top = max(int(x) - reach, 0), max(int(y) - reach, 0)
            right, bottom = min(int(x) + reach, breadth), min(int(y) + reach, height)
            outline = self._outline(int(kind[2])) * width
            points = _turned(outline, turn) + np.array([x - left, y - top])
            cover = self._cover(points, int(kind[3]), width, turn, (right - left, bottom - top))
            patch = picture[top:bottom, left:right]
            patch += cover[..., None] * (self._inks[kind[0]] - patch)
            half = self._line * width / 2
            boxes.append([*(points.min(0) - half + (left, top)), *(points.max(0) + half + (left, top))])
        return np.array(boxes).reshape(-1, 4)

    def _cover(self, points: Points, fill: int, width: float, turn: float, size: tuple[int, int]) -> Field:
        """(rows, columns): how much ink each pixel has, 0–1."""
        fine = (size[0] * FINE, size[1] * FINE)
        corners = [(float(x), float(y)) for x, y in points * FINE]
        line = max(round(self._line * width * FINE), 1)
        ink, inside = Image.new("L", fine), Image.new("L", fine)
        ImageDraw.Draw(inside).polygon(corners, fill=255)
        if fill == 0:
            ink.paste(255, mask=inside)
        if fill == 1:
            ink.paste(255, mask=Image.fromarray(np.minimum(self._hatched(points, fine, turn), np.asarray(inside))))
        ImageDraw.Draw(ink).line([*corners, *corners[:2]], fill=255, width=line, joint="curve")
        return np.asarray(np.asarray(ink.reduce(FINE)) / 255, dtype=np.float32)

    def _hatched(self, points: Points, fine: tuple[int, int], turn: float) -> NDArray[np.uint8]:
        """Hatching over all of a symbol."""
        angle = math.radians(turn + self._slant)
        y, x = np.ogrid[0 : fine[1], 0 : fine[0]]
        period = (points[:, 1].max() - points[:, 1].min()) * FINE / self._hatches
        phase = (y * math.cos(angle) - x * math.sin(angle)) / period + self._rng.random()
        return np.where(phase % 1 < self._thick, 255, 0).astype(np.uint8)

    def _outline(self, shape: int) -> Points:
        """Around (0, 0)."""
        w, h = self.width / 2, self.height / 2
        way = np.linspace(0, 2 * np.pi, 64, endpoint=False)
        across, down = np.cos(way), np.sin(way)
        if shape == 0:
            reach = np.abs(across) + np.abs(down)
            points = np.stack([w * across / reach, h * down / reach], axis=1)
        elif shape == 1 and self.other and self._thin:
            points = _wave(w, h, w * self._thin, self._side)
        elif shape == 1 and self.other:
            lag = self._lag * np.sign(across)
            body = (1 - self._bend) * np.sign(across) * np.abs(across) ** self._power
            sway = self._bend * self._side * np.sin(np.pi * down + lag)
            points = np.stack([w * (body + sway), h * down], axis=1)
        elif shape == 2 and self.other and self._stadium:
            points = np.stack([w * across, (h - w) * np.sign(np.round(down, 9)) + w * down], axis=1)
        elif shape == 1:
            bend = 0.38 * w * np.sin(np.pi * down)
            points = np.stack([bend + 0.62 * w * np.sign(across) * np.abs(across) ** 0.6, h * down], axis=1)
        else:
            power = 2 / self._roundness
            curve = np.stack([np.sign(across) * np.abs(across) ** power, np.sign(down) * np.abs(down) ** power], axis=1)
            points = curve * (w, h)
        if off := self._rng.uniform(*self._style.wobble):
            waves = [np.sin(way * k + self._rng.uniform(0, 6.3)) for k in (2, 3, 5)]
            points = points * (1 + off / w * np.mean(waves, axis=0))[:, None]
        return points


def draw_table(cards: Integers, style: Style, rng: np.random.Generator) -> Drawn:
    """`cards` (n, 4) in rows on a table, none on another, straight or a little turned."""
    count = len(cards)
    columns = count if count <= 3 else 3 if count <= 6 else 4
    rows = -(-count // columns)
    width = rng.uniform(88, 128)
    places = rng.permutation(rows * columns)[:count] if rng.random() < 0.5 else np.arange(count)
    picture = _table(round(rows * ROOM[1] * width), round(columns * ROOM[0] * width), rng)
    printer = Printer(style, rng)
    straight = rng.random() < 0.3
    boxes, symbols, owner = [], [], []
    for number, (card, place) in enumerate(zip(cards, places.tolist(), strict=True)):
        row, column = divmod(place, columns)
        jitter = rng.uniform(-0.05, 0.05, 2) * (0.9, 0.6)
        middle = ((column + 0.5) * ROOM[0] + jitter[0]) * width, ((row + 0.5) * ROOM[1] + jitter[1]) * width
        turn = 0.0 if straight else rng.uniform(-6, 6)
        boxes.append(_lay(picture, printer.paper, middle, width, turn))
        drawn_symbols = printer.symbols(picture, *_places(card, middle, width, turn, printer.pitch), width, turn)
        symbols.append(drawn_symbols)
        owner += [number] * len(drawn_symbols)
    return Drawn(printer.shot(picture), np.array(boxes), np.concatenate(symbols), np.array(owner, dtype=np.int64))


def draw_sheet(cards: Integers, style: Style, rng: np.random.Generator) -> Drawn:
    """What each of `cards` (n, 4) shows, once, on paper of nine places."""
    width = rng.uniform(84, 128)
    printer = Printer(style, rng)
    if printer.other:
        width *= rng.uniform(1, OTHER.near)
    side = round(width * 3 * max(0.45, printer.height + 0.06))
    picture = np.full((side, side, 3), printer.paper, dtype=np.float32)
    places = rng.permutation(9)[: len(cards)]
    middles = np.stack([places % 3 + 0.5, places // 3 + 0.5], axis=1) * side / 3
    boxes = [
        printer.symbols(picture, card[None], middle[None], width, rng.uniform(-6, 6))
        for card, middle in zip(cards, middles, strict=True)
    ]
    return Drawn(printer.shot(picture), np.zeros((0, 4)), np.concatenate(boxes), np.arange(len(cards)))


def _places(
    card: Integers, middle: tuple[float, float], width: float, turn: float, pitch: float
) -> tuple[Integers, Points]:
    """What a card shows, side by side: kinds (m, 4) and middles (m, 2)."""
    number = int(card[1]) + 1
    along = (np.arange(number) - (number - 1) / 2) * pitch * width
    return np.tile(card, (number, 1)), _turned(np.stack([along, np.zeros(number)], axis=1), turn) + middle


def _lay(picture: Field, paper: Field, middle: tuple[float, float], width: float, turn: float) -> Sequence[float]:
    """Paints a card's paper into `picture`; its box."""
    w, h, round_off = width / 2, width * HEIGHT / 2, width * 0.06
    way = np.linspace(0, np.pi / 2, 6)
    first = round_off * np.stack([np.cos(way), np.sin(way)], axis=1) + (w - round_off, h - round_off)
    outline = np.concatenate([first, (first * (-1, 1))[::-1], -first, (first * (1, -1))[::-1]])
    points = _turned(outline, turn) + middle
    corner = np.floor(points.min(0)).astype(int)
    size = np.ceil(points.max(0)).astype(int) - corner
    mask = Image.new("L", (int(size[0]) * FINE, int(size[1]) * FINE))
    ImageDraw.Draw(mask).polygon([(float(x), float(y)) for x, y in (points - corner) * FINE], fill=255)
    cover = np.asarray(mask.reduce(FINE), dtype=np.float32)[..., None] / 255
    patch = picture[corner[1] : corner[1] + size[1], corner[0] : corner[0] + size[0]]
    patch += cover * (paper - patch)
    return [*points.min(0), *points.max(0)]


def _wave(w: float, h: float, half: float, side: int) -> Points:
    """A line of that `half` width and round ends along one wave, within `w` across and `h` down: it bends no more than
    its inner edge can."""
    way, long = np.linspace(-1, 1, 23), h - half
    sway = side * min(w - half, 0.9 * long**2 / (np.pi**2 * half))
    middle = np.stack([sway * np.sin(np.pi * way), long * way], axis=1)
    slope = np.stack([sway * np.pi * np.cos(np.pi * way), np.full(len(way), long)], axis=1)
    off = half * slope[:, ::-1] * (-1, 1) / np.linalg.norm(slope, axis=1, keepdims=True)
    turns = np.degrees(np.linspace(0, np.pi, 11)[1:-1])
    ends = [[middle[end] + _turned(sign * off[end], -turn) for turn in turns] for end, sign in ((-1, 1), (0, -1))]
    return np.concatenate([middle + off, ends[0], (middle - off)[::-1], ends[1]])


def _turned(points: Points, degrees: float) -> Points:
    angle = math.radians(degrees)
    return np.asarray(points @ np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]]))


def _ink(hue: float, rng: np.random.Generator) -> Field:
    """(3,): a colour of that hue, dark enough for paper."""
    tint = round(hue / 360 * 255) % 256, int(rng.integers(165, 256)), int(rng.integers(135, 225))
    return np.array(Image.new("HSV", (1, 1), tint).convert("RGB").getpixel((0, 0)), dtype=np.float32)


def _table(height: int, width: int, rng: np.random.Generator) -> Field:
    """(height, width, 3): cloth or wood, darker than any paper."""
    picture = np.full((height, width, 3), rng.uniform(15, 130, 3), dtype=np.float32)
    grain = smooth_noise(height, width, int(rng.integers(4, 40)), rng) * rng.uniform(0, 4)
    return picture + grain[..., None]
