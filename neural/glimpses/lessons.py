"""What each step of training shows a finder and a comparator, and the loss of it. A step's pictures depend on the seed
and its number alone. B pictures, G glimpses."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from predinet_prolog.neural.glimpses.augment import LEAST_SHIFT, Augmentation, shaken
from predinet_prolog.neural.glimpses.comparator import Comparator
from predinet_prolog.neural.glimpses.comparing_loss import comparing_loss
from predinet_prolog.neural.glimpses.config import GlimpseConfig
from predinet_prolog.neural.glimpses.cutting import cut, resampled, squares_of
from predinet_prolog.neural.glimpses.drawn import Drawn
from predinet_prolog.neural.glimpses.finder import Finder, prepared
from predinet_prolog.neural.glimpses.finding_loss import Targets, finding_loss
from predinet_prolog.neural.glimpses.ground import field
from predinet_prolog.neural.glimpses.own import OwnGlimpses, OwnPictures
from predinet_prolog.neural.threads import has_bfloat16

FEWEST_PIXELS = 8
"""A thing that shows fewer is not looked at."""


@dataclass(frozen=True, eq=False)
class FinderLesson:
    """Teaches a finder; with one's own pictures, as many of these again in every step."""

    finder: Finder
    drawn: Drawn
    seed: int
    batch: int
    user_pictures: OwnPictures | None = None

    def __call__(self, step: int) -> Tensor:
        rng = np.random.default_rng((self.seed, step))
        drawn = self.drawn
        chosen = rng.permutation(len(drawn))[: self.batch]
        loss = self._loss(drawn.pixels[chosen], drawn.planes[chosen], drawn.owner[chosen], drawn.boxes[chosen], rng)
        return loss if self.user_pictures is None else loss + self._loss(*self.user_pictures.some(self.batch, rng), rng)

    def _loss(
        self,
        pixels: NDArray[np.uint8],
        planes: NDArray[np.float32],
        owner: NDArray[np.uint8],
        boxes: NDArray[np.float32],
        rng: np.random.Generator,
    ) -> Tensor:
        """Of `pixels` (B, H, W, 3) with all that `Drawn` knows of them."""
        height, width = owner.shape[1:]
        augmentation = Augmentation.random(rng)
        ground = np.stack([field(plane, height, width) for plane in planes])
        pictures, below = (
            _tensor(augmentation.turned(augmentation.coloured(layer), 1)).permute(0, 3, 1, 2)
            for layer in (pixels.astype(np.float32), ground)
        )
        inputs = prepared(pictures, below).contiguous(memory_format=torch.channels_last)
        with _half():
            maps = self.finder(inputs)
        targets = Targets(
            _tensor(augmentation.turned(owner, 1)).int(), _tensor(augmentation.boxes(boxes, height, width))
        )
        return finding_loss(maps, targets)


@dataclass(frozen=True, eq=False)
class ComparatorLesson:
    """Teaches a comparator; with one's own pictures, half of the glimpses are of these."""

    comparator: Comparator
    config: GlimpseConfig
    drawn: Drawn
    attributes: Sequence[str]
    """Of the drawn pictures."""
    seed: int
    glimpses: int
    """In a step, at least."""
    user_glimpses: OwnGlimpses | None = None
    fresh: Collection[str] = ()
    """Groups for attributes of one's own, whose values mean the same in all pictures."""

    def __call__(self, step: int) -> Tensor:
        rng = np.random.default_rng((self.seed, step))
        groups = self.config.groups
        wanted = self.glimpses if self.user_glimpses is None else self.glimpses // 2
        glimpses, masks, pictures, rows = self._drawn(wanted, rng)
        labelled = {name: rows[:, self.attributes.index(name)] for name in groups if name in self.attributes}
        if self.user_glimpses is not None:
            mine, images, labels = self.user_glimpses.some(wanted, rng)
            glimpses = np.concatenate([glimpses, mine])
            labelled = {
                name: np.concatenate(
                    [labelled.get(name, np.full(len(rows), -1)), labels.get(name, np.full(len(images), -1))]
                )
                for name in groups
            }
            pictures = np.concatenate([pictures, -1 - images])
        x = _tensor(glimpses).contiguous(memory_format=torch.channels_last)
        with _half():
            compared = self.comparator(x)
        values = {name: (list(self.config.of_group(name)), _tensor(value)) for name, value in labelled.items()}
        return comparing_loss(compared, _tensor(masks) / 255, _tensor(pictures), values, self.fresh)

    def _drawn(
        self, wanted: int, rng: np.random.Generator
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.int64], NDArray[np.int32]]:
        """Glimpses (G, 7, SIDE, SIDE), masks (G, SIDE, SIDE), 0–255, pictures (G,) and values (G, A)."""
        drawn = self.drawn
        parts: list[tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.int64], NDArray[np.int32]]] = []
        count = 0
        for number in rng.permutation(len(drawn)).tolist():
            owner = drawn.owner[number]
            things = np.flatnonzero(
                np.bincount(owner.ravel(), minlength=256)[1 : drawn.boxes.shape[1] + 1] >= FEWEST_PIXELS
            )
            if len(things) < 2:
                continue
            boxes = shaken(drawn.boxes[number, things].astype(np.float64), LEAST_SHIFT, rng)
            augmentation = Augmentation.random(rng)
            glimpses = augmentation.glimpses(cut(drawn.pixels[number], drawn.planes[number], boxes))
            masks = np.concatenate(
                [
                    resampled(((owner == thing + 1) * 255).astype(np.uint8), square[None])
                    for thing, square in zip(things, squares_of(boxes), strict=True)
                ]
            )
            turned = augmentation.turned(masks, 1).astype(np.float32)
            parts.append((glimpses, turned, np.full(len(things), number), drawn.values[number, things]))
            count += len(things)
            if count >= wanted:
                break
        glimpses, masks, pictures, values = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        return glimpses, masks, pictures, values


def _tensor(array: NDArray[np.generic]) -> Tensor:
    return torch.from_numpy(np.ascontiguousarray(array))


def _half() -> torch.autocast:
    """Half precision where the processor has it; elsewhere it would take longer."""
    return torch.autocast("cpu", torch.bfloat16, enabled=has_bfloat16())
