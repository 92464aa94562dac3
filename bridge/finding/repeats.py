"""What repeats in a picture decides what one thing is.

A patch of pixels that the network takes for several is one thing where the picture shows its like once more, unless it
shows the likes of its pieces, each alone. And what the network takes for one thing of several colours is several where
it shows the likes of these elsewhere.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from predinet_prolog.bridge.finding.instances import boxes_of
from predinet_prolog.bridge.scene import FloatArray, IntArray
from predinet_prolog.domains.domain import Pixels
from predinet_prolog.imaging import ndimage


@dataclass(frozen=True)
class Repeats:
    """When one thing is another's like, and when a piece counts."""

    alike: float = 0.25
    """Things that lie this near on every axis of shape count as repeated."""
    apart: float = 0.3
    """So do pieces of one colour that lie this near …"""
    colour: float = 40.0
    """… and whose mean colours differ by less in each channel."""
    pixel: float = 1.0
    """Where a box ends is known to so many pixels."""
    fewest: int = 12
    """Pixels that a piece has at least to be told."""
    share: float = 0.12
    """Share of its thing's pixels that a piece has at least."""
    whole: float = 0.8
    """Share of a piece's pixels that are its thing's, else it is another's."""
    prevails: float = 0.6
    """A thing whose only piece has no more of its pixels is of no one colour."""


REPEATS = Repeats()
Shapes = Callable[[FloatArray], FloatArray]
"""Where what boxes (n, 4) hold lies on the axes of shape: (n, r)."""


def made_whole(boxes: FloatArray, owner: IntArray, patches: IntArray, shapes: Shapes) -> tuple[FloatArray, IntArray]:
    """`boxes` (n, 4) and `owner` (H, W) of things, those made one that are pieces of a thing that repeats; `patches`
    (H, W) numbers the patches of pixels that are unlike the ground, from 1."""
    counts = np.zeros((len(boxes) + 1, patches.max(initial=0) + 1), dtype=np.int64)
    np.add.at(counts, (owner, patches), 1)
    patch_of = counts[1:].argmax(axis=1)  # that which most of its pixels are of
    numbers, things = np.unique(patch_of[patch_of > 0], return_counts=True)
    broken = numbers[things > 1]
    if not len(broken):
        return boxes, owner
    whole = boxes_of(np.where(np.isin(patches, broken), patches, 0))
    shape_of = shapes(np.concatenate([boxes, whole]))
    pieces, wholes = shape_of[: len(boxes)], shape_of[len(boxes) :]
    alone = ~np.isin(patch_of, broken)
    mended, kept, left = owner.copy(), np.ones(len(boxes), dtype=bool), boxes.copy()
    for place, number in enumerate(broken):
        members = np.flatnonzero(patch_of == number)
        again = _near(wholes[place], pieces[alone]) or _near(wholes[place], np.delete(wholes, place, axis=0))
        several = all(_near(pieces[piece], pieces[alone]) for piece in members)
        if again and not several:
            left[members[0]] = whole[place]
            kept[members[1:]] = False
            mended[np.isin(owner, members + 1)] = members[0] + 1
    return left[kept], np.concatenate([[0], np.cumsum(kept)])[mended]


def taken_apart(
    boxes: FloatArray, owner: IntArray, pieces: IntArray, picture: Pixels, shapes: Shapes
) -> tuple[FloatArray, IntArray]:
    """`boxes` (n, 4) and `owner` (H, W) of the things of `picture` (H, W, 3), those taken apart that are several, each
    of one colour; `pieces` (H, W) numbers what is of one colour, from 1.

    Each of their pieces is like a thing that stands alone. Or no other thing is like the whole, all pieces but one at
    most are like others', and a thing of the colour of one of them stands alone. Or no other thing is like the whole,
    and each piece is as wide and high as a thing that stands alone and, but for one at most, of the shape of such a
    thing or of another of the pieces: one may cover a corner of the next.
    """
    parts = _parts(owner, pieces, len(boxes))
    alone = np.array([len(row) == 1 for row in parts], dtype=bool)
    if alone.all() or not alone.any():
        return boxes, owner
    home = np.repeat(np.arange(len(boxes)), [len(row) for row in parts])
    numbers = np.concatenate(parts)
    piece_boxes, standing = boxes_of(pieces)[numbers - 1], alone[home]
    colour = np.array([picture[pieces == number].mean(axis=0) for number in numbers])
    coloured = (np.abs(colour[:, None] - colour).max(axis=2) < REPEATS.colour) & (home[:, None] != home)
    sides = piece_boxes[:, 2:] - piece_boxes[:, :2]
    sized = (np.abs(sides[:, None] - sides).max(axis=2) <= REPEATS.pixel) & ~np.eye(len(sides), dtype=bool)
    pieces_of = {thing: np.flatnonzero(home == thing) for thing in np.unique(home[~standing])}
    several = {  # the others need not be looked at: whatever their shape, they stay whole
        thing: mine
        for thing, mine in pieces_of.items()
        if coloured[mine][:, standing].any() or sized[mine][:, standing].any(axis=1).all()
    }
    if not several:
        return boxes, owner
    shape_of = shapes(np.concatenate([boxes, piece_boxes[~standing]]))
    wholes, shape = shape_of[: len(boxes)], shape_of[home].copy()
    shape[~standing] = shape_of[len(boxes) :]
    shaped = np.abs(shape[:, None] - shape).max(axis=2) < REPEATS.apart
    like = coloured & shaped
    left, mended = list(boxes), owner.copy()
    for thing, mine in several.items():
        single = not _near(wholes[thing], np.delete(wholes, thing, axis=0))
        known_colour = like[mine].any(axis=1).sum() >= len(mine) - 1 and coloured[mine][:, standing].any()
        fit = sized[mine]
        known_shape = (fit & shaped[mine])[:, standing | (home == thing)].any(axis=1)
        fits = fit[:, standing].any(axis=1).all() and known_shape.sum() >= len(mine) - 1
        if like[mine][:, standing].any(axis=1).all() or (single and (known_colour or fits)):
            here = owner == thing + 1
            settled = np.where(here & np.isin(pieces, numbers[mine]), pieces, 0)
            index = ndimage.distance_transform_edt(settled == 0, return_distances=False, return_indices=True)
            nearest = settled[tuple(index)]
            left[thing] = piece_boxes[mine[0]]
            for piece in mine[1:]:
                left.append(piece_boxes[piece])
                mended[here & (nearest == numbers[piece])] = len(left)
    return np.array(left), mended


def _parts(owner: IntArray, pieces: IntArray, things: int) -> list[IntArray]:
    """The numbers of the large pieces of each thing; of one in whose pixels none prevails, none."""
    counts = np.zeros((things + 1, pieces.max(initial=0) + 1), dtype=np.int64)
    np.add.at(counts, (owner, pieces), 1)
    areas, wholes = counts.sum(axis=1, keepdims=True), counts.sum(axis=0)
    large = (counts >= REPEATS.fewest) & (counts >= REPEATS.share * areas) & (counts >= REPEATS.whole * wholes)
    large[:, 0] = False
    large &= (large.sum(axis=1, keepdims=True) > 1) | (counts > REPEATS.prevails * areas)
    return [np.flatnonzero(row) for row in large[1:]]


def _near(one: FloatArray, rest: FloatArray) -> bool:
    return bool((np.abs(rest - one).max(axis=1, initial=0) < REPEATS.alike).any()) if len(rest) else False
