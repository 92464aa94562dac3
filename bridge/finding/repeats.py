"""What repeats in a picture decides what one thing is: a patch of pixels that the network takes for several is one
thing where the picture shows its like once more, unless it shows the likes of its pieces, each alone."""

from collections.abc import Callable

import numpy as np

from bridge.finding.instances import boxes_of
from bridge.scene import BoolArray, FloatArray, IntArray

ALIKE = 0.25
"""Things that lie this near on every axis of shape count as repeated."""
Shapes = Callable[[FloatArray], FloatArray]
"""Where what boxes (n, 4) hold lies on the axes of shape: (n, r)."""


def made_whole(boxes: FloatArray, owner: IntArray, patches: IntArray, shapes: Shapes) -> tuple[FloatArray, IntArray]:
    """`boxes` (n, 4) and `owner` (H, W) of things, those made one that are pieces of a thing that repeats; `patches`
    (H, W) numbers the patches of pixels that are unlike the ground, from 1."""
    patch_of = np.array([_commonest(patches, owner == number) for number in range(1, len(boxes) + 1)], dtype=np.int64)
    numbers, counts = np.unique(patch_of[patch_of > 0], return_counts=True)
    broken = numbers[counts > 1]
    if not len(broken):
        return boxes, owner
    whole = boxes_of(np.where(np.isin(patches, broken), patches, 0))
    seen = shapes(np.concatenate([boxes, whole]))
    pieces, wholes = seen[: len(boxes)], seen[len(boxes) :]
    alone = ~np.isin(patch_of, broken)
    mended, kept, left = owner.copy(), np.ones(len(boxes), dtype=bool), boxes.copy()
    for place, number in enumerate(broken):
        own = np.flatnonzero(patch_of == number)
        again = _near(wholes[place], pieces[alone]) or _near(wholes[place], np.delete(wholes, place, axis=0))
        known = all(_near(pieces[piece], pieces[alone]) for piece in own)
        if again and not known:
            left[own[0]] = whole[place]
            kept[own[1:]] = False
            mended[np.isin(owner, own + 1)] = own[0] + 1
    order = np.cumsum(kept)
    return left[kept], np.where(mended > 0, np.concatenate([[0], order])[mended], 0)


def _near(one: FloatArray, others: FloatArray) -> bool:
    return bool((np.abs(others - one).max(axis=1, initial=0) < ALIKE).any()) if len(others) else False


def _commonest(patches: IntArray, own: BoolArray) -> int:
    inside = patches[own]
    return int(np.bincount(inside).argmax()) if len(inside) else 0
