"""Pictures that must be warned about; they only judge."""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from predinet_prolog.domains.domain import Pixels
from predinet_prolog.imaging import ndimage

SIDES = 96, 192
"""Least and most pixels along a side of what must be warned about."""
PHOTOGRAPHS = (
    ("sklearn", "datasets/images/china.jpg"),
    ("sklearn", "datasets/images/flower.jpg"),
    ("matplotlib", "mpl-data/sample_data/grace_hopper.jpg"),
)
"""All that installed packages bring along."""
FONTS = ("cmr10", "cmtt10", "cmti10", "STIXGeneral", "STIXGeneralBol", "STIXGeneralItalic")
"""Those of the texts; networks were shown texts in other fonts alone."""
_PAGE = """
the of and to in is that it was for on are as with his they at be this from have or by one had not but what all were
when we there can an your which their said if do will each about how up out them then she many some so these would
other into has more her"""
WORDS = _PAGE.split()


def photographs(n: int, *, seed: int) -> Iterator[Pixels]:
    """Parts of photographs that show something all over."""
    rng = np.random.default_rng(seed)
    shown = 0
    while shown < n:
        whole = photograph(*PHOTOGRAPHS[int(rng.integers(len(PHOTOGRAPHS)))])
        share = rng.uniform(0.3, 0.8)
        width, height = (round(share * length) for length in whole.size)
        left, top = (
            int(rng.integers(0, length - own + 1)) for length, own in zip(whole.size, (width, height), strict=True)
        )
        shorter = rng.integers(SIDES[0], SIDES[1] + 1) / min(width, height)
        size = round(width * shorter), round(height * shorter)
        part = whole.crop((left, top, left + width, top + height)).resize(size, Image.Resampling.LANCZOS)
        if is_cluttered(picture := np.asarray(part)):
            shown += 1
            yield picture


def is_cluttered(picture: Pixels) -> bool:
    """Whether every ninth of the picture has edges: no sky, no blurred ground."""
    grey = picture.mean(axis=2)
    edges = np.hypot(ndimage.sobel(grey, 0), ndimage.sobel(grey, 1)) > 120
    return all(ninth.mean() > 0.08 for rows in np.array_split(edges, 3) for ninth in np.array_split(rows, 3, axis=1))


@cache
def photograph(package: str, path: str) -> Image.Image:
    """One that a package brings along."""
    with Image.open(str(files(package).joinpath(path))) as image:
        return image.convert("RGB")


def texts(n: int, *, seed: int) -> Iterator[Pixels]:
    """Pages of words."""
    rng = np.random.default_rng(seed)
    for _ in range(n):
        width, height = _size(rng)
        ink, paper = rng.integers(0, 90, 3), rng.integers(190, 256, 3)
        if rng.random() < 0.25:
            ink, paper = paper, ink
        page = Image.new("RGB", (width, height), tuple(paper.tolist()))
        pen, size = ImageDraw.Draw(page), int(rng.integers(8, 18))
        font = _font(FONTS[int(rng.integers(len(FONTS)))], size)
        margin, space = int(rng.integers(0, 10)), round(size * rng.uniform(0.3, 0.45))
        top: float = int(rng.integers(0, 6))
        while top < height:
            left = margin
            while left < width:
                word = WORDS[int(rng.integers(len(WORDS)))]
                pen.text((left, top), word, tuple(ink.tolist()), font)
                left += round(font.getlength(word)) + space
            top += size * 1.25
        yield np.asarray(page)


@cache
def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(files("matplotlib").joinpath("mpl-data", "fonts", "ttf", f"{name}.ttf")), size)


def textures(n: int, *, seed: int) -> Iterator[Pixels]:
    """Woven cloth, scales, hatching, cells, or marble from edge to edge."""
    rng = np.random.default_rng(seed)
    for _ in range(n):
        width, height = _size(rng)
        y, x = np.mgrid[0:height, 0:width].astype(float)
        period = rng.uniform(6, 16)
        u, v = x / period, y / period
        match int(rng.integers(5)):
            case 0:  # over and under, in turns
                over = (np.floor(u) + np.floor(v)) % 2 < 1
                value = np.where(over, np.abs(np.sin(np.pi * v)), np.abs(np.sin(np.pi * u)))
            case 1:  # each row of scales covers half of the one above
                row = np.floor(v)
                value = np.hypot((u + row % 2 / 2) % 1 - 0.5, (v - row) / 1.2)
            case 2:  # lines one way, and where that is dark, the other way too
                shade = _smooth(height, width, rng)
                value = 1.0 * np.maximum(np.sin(np.pi * (u + v)) > 0.6, (np.sin(np.pi * (u - v)) > 0.6) & (shade > 0.5))
            case 3:  # cells around many middles, each of its own shade
                middles = np.ones((height, width), bool)
                middles[tuple(rng.integers(0, (height, width), (round(height * width / period**2), 2)).T)] = False
                near = ndimage.distance_transform_edt(middles, return_distances=False, return_indices=True)
                value = rng.random((height, width))[tuple(near)]
            case _:  # waves that run into each other
                value = np.sin(u + 8 * _smooth(height, width, rng)) / 2 + 0.5
        span = np.ptp(value) or 1.0
        share = ((value - value.min()) / span)[..., None]
        one = rng.uniform(0, 255, 3)
        other = (one + rng.uniform(80, 176, 3)) % 256
        grain = rng.normal(0, rng.uniform(0, 8), (height, width, 1))
        yield np.clip(one * share + other * (1 - share) + grain, 0, 255).astype(np.uint8)


def _smooth(height: int, width: int, rng: np.random.Generator) -> np.ndarray:
    """(height, width): 0–1, without edges."""
    blurred = ndimage.gaussian_filter(rng.random((height, width)), min(height, width) / 10)
    return np.asarray((blurred - blurred.min()) / np.ptp(blurred))


def _size(rng: np.random.Generator) -> tuple[int, int]:
    return int(rng.integers(SIDES[0], SIDES[1] + 1)), int(rng.integers(SIDES[0], SIDES[1] + 1))
