"""A picture in the making: things are laid where there is room for them, with their shadows and with the truth."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from examples.ground.objects import Objects
from examples.ground.shapes import sprite
from examples.ground.surfaces import Floats, Rng

Drawing = Callable[[float], Floats]
"""A thing (h, w, 4) of so many pixels along its long side."""
Place = Callable[[int, int], tuple[int, int]]
"""Left and top for a thing's width and height."""
Box = tuple[int, int, int, int]
"""Left, top, width, height."""


@dataclass(frozen=True)
class Rules:
    """When a thing can lie in a place."""

    sprites: int = 3
    tries: int = 14
    """So many things are tried, each in so many places."""
    fewest: int = 9
    """Pixels of a thing."""
    covered: float = 0.4
    """What may lie over others covers them with no more than that share of itself: it is still seen as another."""
    contrast: tuple[float, float] = (7.0, 0.6)
    """Samples along a rim differ from what is there by the first, and the second times the ground's deviation, …"""
    clear: float = 0.65
    """… on that share of it: nobody could see the others."""


RULES = Rules()


@dataclass(frozen=True)
class Shadow:
    """What a thing's shadow is, in pixels."""

    right: int
    down: int
    blur: float
    depth: float
    """Share of the light that it takes."""


class Canvas:
    """A picture in the making, and its truth."""

    def __init__(self, surface: Floats, objects: Objects, rng: Rng, shadow: Shadow | None = None) -> None:
        self.height, self.width = surface.shape[:2]
        self.side = min(self.height, self.width)
        self.rng, self.shadow = rng, shadow
        self.picture = surface.copy()
        self.owner = np.zeros((self.height, self.width), dtype=np.int32)
        self.alpha = np.zeros((self.height, self.width), dtype=np.float32)
        self.things = 0
        self._objects = objects
        self._backdrop = surface.mean(axis=(0, 1))
        least, share = RULES.contrast
        self._contrast = least + share * surface.std(axis=(0, 1)).mean()
        self._busy = np.zeros((self.height, self.width), dtype=np.bool_)

    def put(
        self,
        long: float,
        gap: float,
        *,
        drawing: Drawing | None = None,
        place: Place | None = None,
        cut: bool = False,
        over: bool = False,
        tries: int = RULES.tries,
    ) -> Box | None:
        """Lays a thing that is so many pixels long where nothing lies and it can be seen, and keeps a gap of so many
        pixels around it free: its box, or None. Without a `drawing` it is any thing, without a `place` it lies
        anywhere. The picture's edge may `cut` a third of it off. It may lie `over` a part of others."""
        for _ in range(RULES.sprites):
            thing = drawing(long) if drawing else sprite(long, self._objects, self._backdrop, self.rng)
            height, width = thing.shape[:2]
            if not cut and (height >= self.height - 1 or width >= self.width - 1):
                long *= 0.95 * min((self.height - 2) / height, (self.width - 2) / width)
                continue
            for _ in range(tries):
                spot = place(width, height) if place else self._spot(width, height, cut)
                if spot is None:
                    break
                if self._lay(thing, *spot, gap, over):
                    return *spot, width, height
        return None

    def _spot(self, width: int, height: int, cut: bool) -> tuple[int, int] | None:
        """None where there is none inside."""
        right, down = self.width - width, self.height - height
        if cut:  # a third of it at most
            left = self.rng.integers(-width // 3, self.width - 2 * width // 3)
            return int(left), int(self.rng.integers(-height // 3, self.height - 2 * height // 3))
        if right < 4 or down < 4:
            return None
        return int(self.rng.integers(1, right - 1)), int(self.rng.integers(1, down - 1))

    def _lay(self, thing: Floats, left: int, top: int, gap: float, over: bool) -> bool:
        """Whether it could lie there, and now does."""
        rows = slice(max(top, 0), min(top + thing.shape[0], self.height))
        columns = slice(max(left, 0), min(left + thing.shape[1], self.width))
        if rows.stop - rows.start < 3 or columns.stop - columns.start < 3:
            return False
        window = rows, columns
        inside = np.s_[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left]
        part, whole = thing[inside], thing[..., 3] > 127.5
        colours, alpha = part[..., :3], part[..., 3:] / 255
        mask = alpha[..., 0] > 0.5
        if mask.sum() < RULES.fewest or not self._has_room(mask, window, over):
            return False
        rim = (whole & ~ndimage.binary_erosion(whole))[inside]
        far = np.abs(colours - self.picture[window]).max(axis=2)[rim]
        if len(far) < 4 or (far > self._contrast).mean() < RULES.clear:
            return False
        if self.shadow:
            self._cast(alpha[..., 0], window, self.shadow)
        self.picture[window] = self.picture[window] * (1 - alpha) + colours * alpha
        self.things += 1
        self.owner[window][mask] = self.things
        self.alpha[window] = np.maximum(self.alpha[window], alpha[..., 0])
        self._busy |= ndimage.maximum_filter(self.owner == self.things, 2 * max(int(gap), 1) + 1)
        return True

    def _has_room(self, mask: NDArray[np.bool_], window: tuple[slice, slice], over: bool) -> bool:
        if over:
            return bool((self.owner[window][mask] > 0).mean() <= RULES.covered)
        return not (self._busy[window] & mask).any()

    def _cast(self, alpha: Floats, window: tuple[slice, slice], shadow: Shadow) -> None:
        """A shadow, on the things that lie there too."""
        dark = np.zeros((self.height, self.width))
        dark[window] = alpha
        dark = ndimage.gaussian_filter(ndimage.shift(dark, (shadow.down, shadow.right), order=0), shadow.blur)
        self.picture *= (1 - shadow.depth * dark)[..., None]

    def put_beside(self, box: Box, long: float, gap: float, apart: float | None) -> None:
        """Moves things out from the middle of the last one, which has that box, until one can lie there, so many
        pixels `apart` from it, or touching or partly covering it where that is None."""
        left, top, width, height = box
        angle, reach, busy = self.rng.uniform(0, math.tau), max(width, height), self._busy
        self._busy = (self.owner > 0) & (self.owner != self.things)
        if apart is not None:
            self._busy |= ndimage.distance_transform_edt(self.owner != self.things) < apart + 0.5
        start, step = (0.15, 3.0) if apart is None else (0.1, 1.5)
        for far in np.arange(start * reach, 1.2 * reach + long, step).tolist():
            across, down = left + width / 2 + math.cos(angle) * far, top + height / 2 + math.sin(angle) * far
            place = partial(about, across, down)
            if self.put(long, gap, place=place, over=apart is None, tries=1):
                break
        self._busy = busy | (self.owner > 0)


def about(across: float, down: float, width: int, height: int) -> tuple[int, int]:
    """Left and top of what has its middle there."""
    return int(across - width / 2), int(down - height / 2)
