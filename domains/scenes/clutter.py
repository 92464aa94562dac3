"""What is no picture of a few separate things: crowds that cover the ground, text, textures, photograph-like hills."""

import numpy as np
from PIL import Image, ImageDraw

from predinet_prolog.domains.scenes.light import Field, smooth_noise
from predinet_prolog.domains.scenes.shapes import SIDE, Mask
from predinet_prolog.domains.scenes.signs import sign_font

_LETTERS = "abcdefghijklmnopqrstuvwxyz    ABCDEFGHIJKLMNOP0123456789.,;:"


def new_clutter(height: int, width: int, shapes: list[Mask], rng: np.random.Generator) -> Field:
    """(height, width, 3), about 0–255; `shapes` are what crowds are of."""
    way = int(rng.integers(5))
    if way in (1, 2, 3):
        return (_text, _texture, _hills)[way - 1](height, width, rng)
    leaves = _leaves(height, width, shapes, rng)
    if way == 0:
        return leaves
    share = rng.uniform(0.3, 0.7)
    return leaves * share + _hills(height, width, rng) * (1 - share)


def _leaves(height: int, width: int, shapes: list[Mask], rng: np.random.Generator) -> Field:
    """Shapes over shapes until no ground is left."""
    picture = Image.new("RGB", (width, height), tuple(int(v) for v in rng.integers(0, 256, 3)))
    palette = rng.integers(0, 256, (int(rng.integers(3, 30)), 3))
    low = rng.uniform(0.08, 0.2)
    for _ in range(int(rng.integers(60, 160))):
        long = max(4, int(min(height, width) * low / rng.uniform(0.08, 1) ** 0.5))
        mask = shapes[rng.integers(len(shapes))]
        size = max(2, long * mask.shape[1] // SIDE), max(2, long * mask.shape[0] // SIDE)
        colour = tuple(int(v) for v in np.clip(palette[rng.integers(len(palette))] + rng.integers(-25, 26), 0, 255))
        place = int(rng.integers(-long // 2, width)), int(rng.integers(-long // 2, height))
        picture.paste(colour, place, Image.fromarray(mask).resize(size).rotate(int(rng.integers(360))))
    return np.asarray(picture, dtype=np.float32)


def _text(height: int, width: int, rng: np.random.Generator) -> Field:
    paper, ink = rng.integers(200, 256, 3), rng.integers(0, 110, 3)
    if rng.random() < 0.3:
        paper, ink = ink, paper
    size = int(rng.integers(7, 17))
    font = sign_font("DejaVuSans.ttf" if rng.random() < 0.5 else "DejaVuSerif-Bold.ttf", size)
    picture = Image.new("RGB", (width, height), tuple(int(v) for v in paper))
    pen = ImageDraw.Draw(picture)
    letters = np.array(list(_LETTERS))
    for top in range(int(rng.integers(-4, 4)), height, round(size * rng.uniform(1.0, 1.5))):
        line = "".join(rng.choice(letters, int(width / size * rng.uniform(1.3, 2.4)) + 1))
        pen.text((int(rng.integers(-3, 6)), top), line, font=font, fill=tuple(int(v) for v in ink))
    return np.asarray(picture, dtype=np.float32)


def _texture(height: int, width: int, rng: np.random.Generator) -> Field:
    """Waves, checks, bricks or coarse grain from edge to edge."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    angle, period = rng.uniform(0, np.pi), rng.uniform(5, 24)
    u = (x * np.cos(angle) + y * np.sin(angle)) * 2 * np.pi / period
    v = (y * np.cos(angle) - x * np.sin(angle)) * 2 * np.pi / (period * rng.uniform(0.5, 2))
    if rng.random() < 0.5:
        u = u + smooth_noise(height, width, int(rng.integers(2, 8)), rng) * rng.uniform(0.3, 3)
    pattern = [
        np.sin(u),
        np.sin(u) * np.sin(v),
        np.sin(u) + np.sin(v),
        smooth_noise(height, width, int(rng.integers(8, 40)), rng),
    ]
    wave = pattern[rng.integers(4)] * rng.uniform(0.5, 3)
    share = (np.clip(wave, -1, 1) / 2 + 0.5)[..., None]
    one, other = rng.uniform(0, 255, 3), rng.uniform(0, 255, 3)
    painted = np.asarray(one * share + other * (1 - share), dtype=np.float32)
    return painted + rng.standard_normal((height, width, 1)).astype(np.float32) * rng.uniform(0, 12)


def _hills(height: int, width: int, rng: np.random.Generator) -> Field:
    """Noise on every scale, each colour a little its own: the spectrum of photographs."""
    picture = np.zeros((height, width, 3), dtype=np.float32)
    roughness = rng.uniform(0.5, 0.9)
    for octave in range(1, 6):
        strength = 75 * roughness**octave
        common = smooth_noise(height, width, 2**octave + 1, rng)
        if rng.random() < 0.4:
            common = np.sign(common) * np.minimum(np.abs(common) * 3, 1)
        for channel in range(3):
            tint = smooth_noise(height, width, 2**octave + 1, rng)
            picture[..., channel] += strength * (common + 0.4 * tint)
    return picture + rng.uniform(60, 200, 3).astype(np.float32)
