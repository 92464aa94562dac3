"""Small pictures of many parts, each a line of text: what icons, toys and signs are drawn from.

    draw("box 0 10 40 90 100; poly 1 0 45 50 5 100 45; round #ffffff80 30 55 60 80", colours, 64)

A part is its kind, its colour and numbers. Places go from 0 to 100, x to the right and y down. A colour is a number of
the palette given, or #rrggbb, or #rrggbbaa for what shines through; parts lie over those before them.

    box, round, disc    left top right bottom, with sharp corners, round ones, or as an ellipse
    poly                x y of each corner
    line                its width, then x y of each point
    arc, pie            left top right bottom of the ellipse, then degrees from and to, clockwise from the right; an arc
                        has its width before all of them
    sign                x and y of the middle, height, then the text
"""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise

from PIL import Image, ImageColor, ImageDraw, ImageFont

Colour = tuple[int, int, int]
FINE = 4
"""Pictures are drawn this many times larger and brought down, which smooths edges."""


def draw(parts: str, colours: Sequence[Colour], size: tuple[int, int]) -> Image.Image:
    """The picture (RGBA) of that width and height; what no part covers is transparent."""
    width, height = size[0] * FINE, size[1] * FINE
    drawn = Image.new("RGBA", (width, height), (0, 0, 0, 0))
    for part in filter(str.strip, parts.split(";")):
        kind, colour, *words = part.split()
        layer = Image.new("RGBA", drawn.size, (0, 0, 0, 0))
        fill = colours[int(colour)] if colour.isdecimal() else ImageColor.getrgb(colour)
        _draw(ImageDraw.Draw(layer), kind, words, fill, (width / 100, height / 100))
        drawn.alpha_composite(layer)
    return drawn.resize(size, Image.Resampling.BOX)


def _draw(
    pen: ImageDraw.ImageDraw, kind: str, words: list[str], fill: tuple[int, ...], scale: tuple[float, float]
) -> None:
    if kind == "sign":
        x, y, height = map(float, words[:3])
        font = sign_font(round(height * scale[1]))
        pen.text((x * scale[0], y * scale[1]), " ".join(words[3:]), fill, font, anchor="mm")
        return
    numbers = [float(word) for word in words]
    breadth = round(numbers.pop(0) * scale[0]) if kind in {"line", "arc"} else 0
    turn = numbers[4:] if kind in {"arc", "pie"} else [0.0, 0.0]
    points = [(x * scale[0], y * scale[1]) for x, y in zip(numbers[0::2], numbers[1::2], strict=True)]
    corners = points[0] + points[1]
    match kind:
        case "box":
            pen.rectangle(corners, fill)
        case "round":
            pen.rounded_rectangle(corners, 0.25 * min(corners[2] - corners[0], corners[3] - corners[1]), fill)
        case "disc":
            pen.ellipse(corners, fill)
        case "poly":
            pen.polygon(points, fill)
        case "line":
            for one, other in pairwise(points):
                pen.line(one + other, fill, breadth)
            for x, y in points:
                pen.ellipse((x - breadth / 2, y - breadth / 2, x + breadth / 2, y + breadth / 2), fill)
        case "arc":
            pen.arc(corners, turn[0], turn[1], fill, breadth)
        case "pie":
            pen.pieslice(corners, turn[0], turn[1], fill)
        case _:
            raise ValueError(f"no part is called {kind}")


@cache
def sign_font(height: int) -> ImageFont.FreeTypeFont:
    """A font that comes with matplotlib: every machine has the same."""
    path = files("matplotlib").joinpath("mpl-data", "fonts", "ttf", "DejaVuSans-Bold.ttf")
    return ImageFont.truetype(str(path), height)
