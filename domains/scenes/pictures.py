"""Many pictures at once, as training wants them: of one size, with every pixel's owner."""

import numpy as np
from numpy.typing import NDArray

from domains.domain import Seed, TrainingPictures
from domains.scenes.clutter import new_clutter
from domains.scenes.drawing import Style, draw
from domains.scenes.light import spoil
from domains.scenes.shapes import Mask, new_shapes

CLUTTERED = 0.14
"""Share of the training pictures that show clutter, all over or in a part."""


def new_groups(kind: str, n: int, rng: np.random.Generator) -> list[list[tuple[int, Mask]]]:
    """`n` shapes of that kind with their near twins, all numbered."""
    groups, number = [], 0
    for _ in range(n):
        group = [(number + place, mask) for place, mask in enumerate(new_shapes(kind, rng))]
        number += len(group)
        groups.append(group)
    return groups


def training_pictures(
    n: int,
    *,
    side: int,
    seed: Seed,
    kind: str = "training",
    style: Style | None = None,
    groups: int = 3000,
    cluttered: float = CLUTTERED,
) -> TrainingPictures:
    """`n` pictures with things of that kind. The same arguments give the same pictures."""
    rng = np.random.default_rng(seed)
    bank = new_groups(kind, groups, rng)
    masks = [mask for group in bank for _, mask in group]
    pixels = np.zeros((n, side, side, 3), dtype=np.uint8)
    owner = np.zeros((n, side, side), dtype=np.uint8)
    image: list[int] = []
    attributes: dict[str, list[int]] = {"shape": [], "colour": [], "look": [], "size": []}
    for number in range(n):
        chosen = [bank[at] for at in rng.integers(len(bank), size=rng.integers(1, 4))]
        drawn = draw(side, side, chosen, style or Style(), rng)
        pixels[number], owner[number] = drawn.pixels, drawn.owner
        if rng.random() < cluttered:
            _clutter(pixels[number], owner[number], masks, rng)
        image += [number] * len(drawn.shapes)
        for name, values in (
            ("shape", drawn.shapes),
            ("colour", drawn.colours),
            ("look", drawn.looks),
            ("size", drawn.sizes),
        ):
            attributes[name] += values
    return TrainingPictures(
        pixels, owner, np.array(image), {name: np.array(values) for name, values in attributes.items()}
    )


def _clutter(pixels: NDArray[np.uint8], owner: NDArray[np.uint8], masks: list[Mask], rng: np.random.Generator) -> None:
    """Covers the picture, or one side of it, with clutter."""
    height, width = owner.shape
    spoilt = spoil(new_clutter(height, width, masks, rng), rng, strength=0.7)
    where = np.ones((height, width), dtype=bool)
    if rng.random() < 0.3:
        where[:] = False
        cut = int(rng.uniform(0.35, 0.65) * height)
        where[[slice(cut, None), slice(0, cut)][rng.integers(2)]] = True
        if rng.random() < 0.5:
            where = where.T.copy() if height == width else where
    pixels[where], owner[where] = spoilt[where], 255
