"""Many pictures at once, as training wants them: of one size, with every pixel's owner."""

from itertools import count

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.domains.domain import Seed, TrainingPictures
from predinet_prolog.domains.scenes.clutter import new_clutter
from predinet_prolog.domains.scenes.drawing import ATTRIBUTES, Group, Style, draw
from predinet_prolog.domains.scenes.light import spoil
from predinet_prolog.domains.scenes.shapes import Mask, new_shapes

CLUTTER = 255
"""The owner of pixels that show clutter."""
CLUTTERED = 0.14
"""Share of the training pictures that show clutter, all over or in a part."""


def new_groups(kind: str, n: int, rng: np.random.Generator) -> list[Group]:
    """`n` shapes of that kind with their near twins, all numbered."""
    numbers = count()
    return [[(next(numbers), mask) for mask in new_shapes(kind, rng)] for _ in range(n)]


def chosen_groups(bank: list[Group], rng: np.random.Generator) -> list[Group]:
    """Those that one picture's shapes are from."""
    return [bank[at] for at in rng.integers(len(bank), size=rng.integers(1, 4))]


def training_pictures(
    n: int, *, side: int, seed: Seed, kind: str = "training", groups: int = 3000, cluttered: float = CLUTTERED
) -> TrainingPictures:
    """`n` pictures with things of that kind. The same arguments give the same pictures."""
    rng = np.random.default_rng(seed)
    bank = new_groups(kind, groups, rng)
    masks = [mask for group in bank for _, mask in group]
    pixels = np.zeros((n, side, side, 3), dtype=np.uint8)
    owner = np.zeros((n, side, side), dtype=np.uint8)
    image: list[int] = []
    columns: dict[str, list[int]] = {name: [] for name in ATTRIBUTES}
    for number in range(n):
        drawn = draw(side, side, chosen_groups(bank, rng), Style(), rng)
        pixels[number], owner[number] = drawn.pixels, drawn.owner
        if rng.random() < cluttered:
            _clutter(pixels[number], owner[number], masks, rng)
        for name in ATTRIBUTES:
            columns[name] += drawn.attributes[name]
        image += [number] * (len(columns["shape"]) - len(image))
    attributes = {name: np.array(values) for name, values in columns.items()}
    return TrainingPictures(pixels, owner, np.array(image), attributes)


def _clutter(pixels: NDArray[np.uint8], owner: NDArray[np.uint8], masks: list[Mask], rng: np.random.Generator) -> None:
    """Covers the picture (side, side, 3), or a part of it at one side, with clutter."""
    side = len(owner)
    spoilt = spoil(new_clutter(side, side, masks, rng), rng, strength=0.7)
    where = np.ones((side, side), dtype=bool)
    if rng.random() < 0.3:
        cut = int(rng.uniform(0.35, 0.65) * side)
        where[(slice(0, cut), slice(cut, None))[rng.integers(2)]] = False
        if rng.random() < 0.5:
            where = where.T
    pixels[where], owner[where] = spoilt[where], CLUTTER
