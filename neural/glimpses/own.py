"""One's own annotated pictures, of any size, as a finder and a comparator learn from them."""

import hashlib
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.domains.annotations import to_compare
from predinet_prolog.domains.domain import Annotated, Integers, Truth
from predinet_prolog.imaging import ndimage
from predinet_prolog.neural.glimpses.augment import LEAST_SHIFT, Augmentation, shaken
from predinet_prolog.neural.glimpses.config import REACH
from predinet_prolog.neural.glimpses.cutting import cut
from predinet_prolog.neural.glimpses.finding_loss import UNTOLD
from predinet_prolog.neural.glimpses.ground import fit_plane, off_ground
from predinet_prolog.neural.glimpses.scales import UNLIKE, first_scale, resized, second_scale

CLEAR = 0.15
"""Where a smaller share of a thing's box differs from the ground, pixels do not tell which are its own."""
VIEWS, MOST_GLIMPSES = 4, 60_000
"""Of each thing several glimpses are cut, with its box a little elsewhere in each; of very many things fewer."""

Batch = tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.uint8], NDArray[np.float32]]
"""Pixels (B, H, W, 3), planes (B, 3, 3), owners (B, H, W) and boxes (B, T, 4)."""


class OwnPictures:
    """Pictures at the scale that a finder looks at them, those of one size together."""

    def __init__(self, annotated: Annotated) -> None:
        truth = told_of(annotated)
        most = max(int(np.bincount(truth.image, minlength=1).max()), 1)
        sizes: dict[tuple[int, ...], list[tuple[NDArray[np.generic], ...]]] = {}
        for number, picture in enumerate(annotated.pictures):
            parts = _scaled(picture, truth.boxes[truth.rows(number)], most)
            sizes.setdefault(parts[0].shape, []).append(parts)
        self._sizes: list[Batch] = [
            tuple(np.stack(column) for column in zip(*rows, strict=True))  # type: ignore[misc]
            for rows in sizes.values()
        ]
        counts = np.array([len(batch[0]) for batch in self._sizes])
        self._odds = counts / counts.sum()

    def some(self, n: int, rng: np.random.Generator) -> Batch:
        """`n` pictures of one size, or all there are."""
        batch = self._sizes[rng.choice(len(self._sizes), p=self._odds)]
        chosen = rng.permutation(len(batch[0]))[:n]
        pixels, planes, owner, boxes = batch
        return pixels[chosen], planes[chosen], owner[chosen], boxes[chosen]


class OwnGlimpses:
    """Things as a comparator sees them, with what is told of them."""

    def __init__(self, annotated: Annotated, *, seed: int) -> None:
        truth, rng = told_of(annotated), np.random.default_rng((seed, 1))
        self.values = to_compare(truth.attributes)
        self._images = truth.image
        views = max(1, min(VIEWS, MOST_GLIMPSES // len(truth.image)))
        parts = []
        for number in np.unique(truth.image).tolist():
            picture, boxes = annotated.pictures[number], truth.boxes[truth.rows(number)]
            plane, least = fit_plane(picture), LEAST_SHIFT / first_scale(*picture.shape[:2])
            glimpses = [cut(picture, plane, shaken(boxes, least, rng)).astype(np.float16) for _ in range(views)]
            parts.append(np.stack(glimpses, axis=1))
        self._glimpses = np.concatenate(parts)  # (O, views, 7, SIDE, SIDE)

    def some(
        self, n: int, rng: np.random.Generator
    ) -> tuple[NDArray[np.float32], Integers, Mapping[str, NDArray[np.int64]]]:
        """`n` glimpses or a few more (G, 7, SIDE, SIDE), of whole pictures, whose numbers (G,) they have; and by
        attribute their values (G,). All are changed in the same way, so that those of two pictures stay alike."""
        chosen: list[int] = []
        for number in rng.permutation(np.unique(self._images)).tolist():
            if len(chosen) >= n:
                break
            first, last = np.searchsorted(self._images, (number, number + 1)).tolist()
            chosen += range(first, last)
        views = rng.integers(self._glimpses.shape[1], size=len(chosen))
        glimpses = Augmentation.random(rng).glimpses(self._glimpses[chosen, views].astype(np.float32))
        return glimpses, self._images[chosen], {name: column[chosen] for name, column in self.values.items()}


def told_of(annotated: Annotated) -> Truth:
    """The truth; without any, that no picture shows a thing."""
    return annotated.truth or Truth(np.zeros(0, dtype=np.int64), np.zeros((0, 4)), {})


def digest(annotated: Annotated) -> str:
    truth, digest = told_of(annotated), hashlib.sha256()
    for picture in annotated.pictures:
        digest.update(repr(picture.shape).encode() + np.ascontiguousarray(picture).tobytes())
    for name, array in {"image": truth.image, "boxes": truth.boxes, **truth.attributes}.items():
        digest.update(name.encode() + np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def _scaled(
    picture: NDArray[np.uint8], boxes: NDArray[np.float64], most: int
) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.uint8], NDArray[np.float32]]:
    """A picture as a finder looks at it, its sides multiples of REACH, with plane, owners and `most` boxes."""
    height, width = picture.shape[:2]
    small = resized(picture, second_scale(height, width, boxes) or first_scale(height, width))
    rows, columns = small.shape[:2]
    scaled = boxes * np.tile([columns / width, rows / height], 2)
    plane = fit_plane(small)
    beyond = (0, -rows % REACH), (0, -columns % REACH)
    owner = np.pad(owners(small, plane, scaled), beyond, constant_values=UNTOLD)
    padded = np.zeros((most, 4), dtype=np.float32)
    padded[: len(scaled)] = scaled
    return np.pad(small, (*beyond, (0, 0)), mode="edge"), plane.astype(np.float32), owner, padded


def owners(picture: NDArray[np.uint8], plane: NDArray[np.floating], boxes: NDArray[np.float64]) -> NDArray[np.uint8]:
    """(H, W): which of the things in `boxes` (n, 4) each pixel shows, from 1; 0 is ground.

    A thing's own are the pixels in its box that differ from the ground. What they enclose may be either, and whose
    those in two boxes are is not known: UNTOLD.
    """
    height, width = picture.shape[:2]
    unlike = off_ground(picture, plane) > UNLIKE
    owner = np.zeros((height, width), dtype=np.uint8)
    for number, (left, top, right, bottom) in enumerate(boxes.tolist(), start=1):
        window = slice(max(round(top), 0), max(round(bottom), 0)), slice(max(round(left), 0), max(round(right), 0))
        here, before = unlike[window], owner[window]
        if number >= UNTOLD or here.mean(dtype=np.float64) < CLEAR if here.size else False:
            owner[window] = UNTOLD
            continue
        mask = np.where(here, number, np.where(ndimage.binary_fill_holes(here), UNTOLD, 0))
        owner[window] = np.where((before > 0) & (mask > 0), UNTOLD, np.maximum(before, mask))
    return owner
