"""How a thing is filled: one colour, two in a pattern, or parts on a base. A fill is drawn at any size, alike."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from predinet_prolog.domains.scenes.shapes import SIDE, Mask

Colour = tuple[float, float, float]
"""Red, green, blue, 0–255."""
Paint = NDArray[np.float32]
"""(H, W, 3), 0–255."""
PATTERNS = ("halves", "bars", "checks", "dots", "border", "gradient", "grain")


@dataclass(frozen=True)
class Part:
    """A shape laid on a base; places and size are shares of the base's box."""

    mask: Mask
    colour: int
    """Which of the fill's colours."""
    x: float
    y: float
    size: float


@dataclass(frozen=True)
class Fill:
    """What makes the look of a shape."""

    colours: tuple[Colour, ...]
    """The base's first."""
    pattern: str = "plain"
    angle: float = 0.0
    count: float = 3.0
    """Of bars, checks or dots along a side."""
    parts: tuple[Part, ...] = ()

    def draw(self, mask: Mask, height: int, width: int, seed: int) -> tuple[Paint, NDArray[np.float32]]:
        """Colours (height, width, 3) and how much of each pixel is covered (height, width), 0–1; of grain, `seed`
        fixes where it lies."""
        cover = _scaled(mask, height, width)
        paint = np.full((height, width, 3), self.colours[0], dtype=np.float32)
        if self.pattern != "plain":
            share = self._pattern(mask, height, width, seed)[..., None]
            paint = paint * (1 - share) + np.array(self.colours[1], dtype=np.float32) * share
        for part in self.parts:
            self._lay(part, paint, cover)
        return paint, cover

    def _lay(self, part: Part, paint: Paint, cover: NDArray[np.float32]) -> None:
        """Lays a part on `paint` (H, W, 3) and `cover` (H, W), as far as it is in their box."""
        height, width = cover.shape
        size = scaled_size(part.mask, part.size * max(height, width), least=2)
        top, left = round(part.y * height - size[0] / 2), round(part.x * width - size[1] / 2)
        rows = slice(max(top, 0), min(top + size[0], height))
        columns = slice(max(left, 0), min(left + size[1], width))
        share = _scaled(part.mask, *size)[
            rows.start - top : rows.stop - top, columns.start - left : columns.stop - left
        ]
        patch = paint[rows, columns]
        patch += share[..., None] * (np.array(self.colours[part.colour], dtype=np.float32) - patch)
        np.maximum(cover[rows, columns], share, out=cover[rows, columns])

    def _pattern(self, mask: Mask, height: int, width: int, seed: int) -> NDArray[np.float32]:
        """(height, width): share of the second colour."""
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        long = max(height, width)
        y, x = (y + 0.5 - height / 2) / long, (x + 0.5 - width / 2) / long
        u, v = x * np.cos(self.angle) + y * np.sin(self.angle), y * np.cos(self.angle) - x * np.sin(self.angle)
        match self.pattern:
            case "halves":
                share = u * long + 0.5
            case "gradient":
                share = u + 0.5
            case "bars":
                share = np.sin(u * 2 * np.pi * self.count) * long / (2 * np.pi * self.count) * 2 + 0.5
            case "checks":
                share = np.sin(u * 2 * np.pi * self.count) * np.sin(v * 2 * np.pi * self.count) * long / 4 + 0.5
            case "dots":
                near = ((u * self.count) % 1 - 0.5) ** 2 + ((v * self.count) % 1 - 0.5) ** 2
                share = (0.3 - np.sqrt(near)) * long / self.count + 0.5
            case "border":
                size = (max(1, round(height * 0.72)), max(1, round(width * 0.72)))
                share = np.ones((height, width))
                top, left = (height - size[0]) // 2, (width - size[1]) // 2
                share[top : top + size[0], left : left + size[1]] -= _scaled(mask, *size)
            case _:  # grain
                share = np.random.default_rng(seed).random((height, width)) * 0.6
        return np.asarray(np.clip(share, 0, 1), dtype=np.float32)


def scaled_size(mask: Mask, long: float, *, least: int) -> tuple[int, int]:
    """Height and width of a mask whose long side is `long` pixels, each `least` at least."""
    return max(least, round(long * mask.shape[0] / SIDE)), max(least, round(long * mask.shape[1] / SIDE))


def _scaled(mask: Mask, height: int, width: int) -> NDArray[np.float32]:
    """The mask at that size, 0–1."""
    small = max(height, width) < max(mask.shape)
    drawn = Image.fromarray(mask).resize((width, height), Image.Resampling.BOX if small else Image.Resampling.BILINEAR)
    return np.asarray(np.asarray(drawn, dtype=np.float32) / 255)


def new_fill(colours: Sequence[Colour], shapes: Sequence[Mask], kind: str, rng: np.random.Generator) -> Fill:
    """A fill of that kind: plain, two or many; `shapes` are those that parts may have."""
    palette = tuple(colours)
    if kind == "plain":
        return Fill(palette[:1])
    if kind == "two":
        pattern = PATTERNS[rng.integers(len(PATTERNS))]
        return Fill(palette[:2], pattern, float(rng.uniform(0, np.pi)), float(rng.uniform(1.5, 3.5)))
    parts = []
    if rng.random() < 0.35:  # a pair, as eyes or wheels
        mask, x, y = shapes[int(rng.integers(len(shapes)))], rng.uniform(0.15, 0.35), rng.uniform(0.2, 0.95)
        size, colour = rng.uniform(0.15, 0.35), int(rng.integers(1, len(palette)))
        parts += [Part(mask, colour, float(across), float(y), float(size)) for across in (x, 1 - x)]
    for _ in range(rng.integers(1, 4)):
        x, y = rng.uniform(0.1, 0.9, 2)
        mask = shapes[int(rng.integers(len(shapes)))]
        parts.append(Part(mask, int(rng.integers(1, len(palette))), float(x), float(y), float(rng.uniform(0.2, 0.6))))
    return Fill(palette, parts=tuple(parts))
