"""Letters, signs and symbols as shapes, from fonts that every machine has."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from predinet_prolog.imaging import ndimage

_CANVAS = 320
"""Pixels along a side that they are drawn on."""
SIGNS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "training": (
        ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSerif-Bold.ttf", "DejaVuSansMono-Bold.ttf"),
        "ABCDEFGHJKLMNPRSTUVXYZabdefghkmnpqrtuy234567890?&@$%§♠♣♥♦♪☀☂☎✂✈✉✔✖★☺",
    ),
    "validation": (("STIXGeneralBol.ttf", "STIXGeneral.ttf"), "AEFGKPQRSXZbdghkpq2345679∞∂∇√∑∏"),
    "judging": (("cmss10.ttf", "cmb10.ttf"), "ABEFGHJKLPQRSTUXYZabdeghkpqy23456789"),
}
"""Fonts and signs of each kind."""


@cache
def sign_font(name: str, size: int) -> ImageFont.FreeTypeFont:
    """A font that comes with matplotlib: every machine has the same."""
    return ImageFont.truetype(str(files("matplotlib").joinpath("mpl-data", "fonts", "ttf", name)), size)


def draw_sign(rng: np.random.Generator, kind: str) -> Image.Image:
    """A letter, a digit or a sign of that kind."""
    names, signs = SIGNS[kind]
    return _written(signs[rng.integers(len(signs))], names[rng.integers(len(names))])


def draw_symbol(rng: np.random.Generator) -> Image.Image:
    """A character of another script, for training."""
    symbols = _symbols()
    return _written(symbols[rng.integers(len(symbols))], SIGNS["training"][0][rng.integers(2)])


def _written(sign: str, font: str) -> Image.Image:
    drawn = Image.new("L", (_CANVAS, _CANVAS))
    ImageDraw.Draw(drawn).text((80, 60), sign, font=sign_font(font, 130), fill=255)
    return drawn


_SCRIPTS = (0x0391, 0x03CA), (0x0410, 0x0450), (0x0531, 0x0588), (0x10D0, 0x10FD), (0x2190, 0x2200), (0x25A0, 0x27BF)
"""Greek, Cyrillic, Armenian, Georgian, arrows; geometric shapes, symbols and dingbats: the first and one past the last
character of each."""


@cache
def _symbols() -> tuple[str, ...]:
    """Characters of other scripts, all of one piece, that both the first fonts have."""
    unknown = {font: _written("\uffff", font).tobytes() for font in SIGNS["training"][0][:2]}
    characters = (chr(code) for first, end in _SCRIPTS for code in range(first, end))
    return tuple(
        character
        for character in characters
        if all(
            (drawn := _written(character, font)).tobytes() != none
            and ndimage.label(np.asarray(drawn.crop(drawn.getbbox())) > 127)[1] == 1
            for font, none in unknown.items()
        )
    )
