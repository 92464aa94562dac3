"""Patches: pixels that are joined to each other and no ground, whatever colours they have, as a network tells them."""

import math
from dataclasses import dataclass

import numpy as np
from PIL import Image

from predinet_prolog.bridge.finding.instances import Reading, boxes_of
from predinet_prolog.bridge.scene import FloatArray, IntArray
from predinet_prolog.domains.domain import Pixels
from predinet_prolog.domains.pixels import median
from predinet_prolog.imaging import ndimage
from predinet_prolog.neural.glimpses.foreground import foreground, unlike_ground
from predinet_prolog.neural.glimpses.ground import Field, clearest
from predinet_prolog.neural.glimpses.scales import LEAST, resized

EIGHT = np.ones((3, 3), dtype=bool)
"""Pixels are joined to all eight around them."""


@dataclass(frozen=True)
class Look:
    """How finely patches are looked for."""

    fine: int = 520
    coarse: int = 280
    """Pixels along the long side of two looks: more gaps between things show in the larger one, and in the smaller one
    fewer things that are none."""
    share: float = 0.3
    """So much of how likely a pixel is a thing's is what the smaller one says."""
    near: float = 2.0
    """Pixels on either side within which an edge is sought at the picture's own."""
    edge: float = 0.4
    """Share of what changes near an edge that has changed there: of soft edges a half lies within."""


@dataclass(frozen=True)
class Joint:
    """Which pieces faint pixels join to the largest that they touch."""

    likely: float
    """Such pixels are a thing's at least as likely as that."""
    part: float
    """The piece has less than so much of the pixels of the largest …"""
    side: float
    """… and no more than that, squared."""


@dataclass(frozen=True)
class Piece:
    """What is a piece, and what one of a larger one."""

    likely: float = 0.5
    """Its pixels are a thing's at least as likely as that …"""
    sure: tuple[float, float] = (0.95, 0.99)
    """… and the clearest that likely: the first, or of a small piece the second."""
    meeting: float = 0.5
    """Where two things meet that likely, pieces are parted."""
    small: float = 3e-4
    fewest: int = 12
    """A smaller share of the picture is a small piece, fewer pixels are none."""
    sliver: int = 6
    """Nor what lies within so many pixels of the picture's edge: a streak of the ground that ends there looks so."""
    joint: Joint = Joint(0.25, 0.7, 20.0)
    """The smaller a piece, the likelier it is a part."""
    hint: Joint = Joint(0.08, 0.7, 16.0)
    """What joins those that are no crumbs."""
    faint: float = 0.15
    """Pixels that are a thing's that likely, and belong to none, may be one that is hardly seen."""
    doubt: float = 10.0
    """So much more does what makes a patch doubtful tell of a picture than how likely a faint part is a thing."""


LOOK, PIECE = Look(), Piece()


@dataclass(frozen=True, eq=False)
class Patches(Reading):
    """Those of a picture."""

    likely: Field
    """(h, w): how likely the pixels of `owner` are a thing's."""
    doubts: FloatArray
    """(m, 5): boxes of patches and of faint parts that are none, in pixels of the picture, and how doubtful it is that
    these are things or nothing: the logarithm of one by how likely that is."""
    looks: tuple[FloatArray, ...]
    """(k, 4) each: boxes of the patches that either look alone finds."""


def patches_of(picture: Pixels, piece: Piece = PIECE) -> Patches:
    """Those of `picture` (H, W, 3), 0–255, but for crumbs."""
    high, wide = picture.shape[:2]
    both, long = _look(picture, LOOK.fine), max(high, wide)
    scale, owner = max(both.shape) / long, _owner(both, piece)
    fine = coarse = boxes_of(owner) / scale
    if long > LOOK.coarse:
        look = _look(picture, LOOK.coarse)
        coarse = boxes_of(_owner(look, piece)) * long / max(look.shape)
        enlarged = Image.fromarray(look[0]).resize(both.shape[:0:-1], Image.Resampling.BILINEAR)
        both[0] += LOOK.share * (np.asarray(enlarged) - both[0])
        owner = _owner(both, piece)
    boxes, likely = _refined(picture, owner, scale), both[0]
    faint, _ = ndimage.label(likely >= piece.faint, EIGHT)
    faint[np.isin(faint, faint[owner > 0])] = 0
    faint = _kept(faint, likely, (0.0, np.inf), piece)  # small ones say nothing
    areas, sums = np.bincount(owner.ravel()), np.bincount(owner.ravel(), likely.ravel())
    of_patches = -piece.doubt * np.log(sums[1:] / areas[1:])
    of_faint = -np.log1p(-np.minimum(_largest(faint, likely)[1:], 0.99))
    parts = np.concatenate([boxes, (boxes_of(faint) / scale).clip(0, (wide, high, wide, high))])
    doubts = np.column_stack([parts, np.concatenate([of_patches, of_faint])])
    return Patches(boxes, owner, scale, likely, doubts, (fine, coarse))


def _look(picture: Pixels, most: int) -> Field:
    """(2, h, w): `foreground` of `picture` (H, W, 3) where its long side has so many pixels at most."""
    scale = min(max(most / max(picture.shape[:2]), LEAST / min(picture.shape[:2])), 1.0)
    return foreground(unlike_ground(resized(picture, scale)))


def _owner(look: Field, piece: Piece) -> IntArray:
    """(h, w): which patch of a look each pixel shows, from 1."""
    likely, meeting = look
    pieces = _joined(_pieces(likely, meeting, piece), likely, piece.joint)
    pieces = _kept(pieces, likely, piece.sure, piece)
    return _kept(_joined(pieces, likely, piece.hint), likely, piece.sure, piece)


def _kept(pieces: IntArray, likely: Field, sure: tuple[float, float], piece: Piece) -> IntArray:
    """(H, W): `pieces`, numbered anew, but for crumbs, slivers and those of which no pixel is `sure`, by their size."""
    areas = np.bincount(pieces.ravel())
    inner = pieces[piece.sliver : -piece.sliver, piece.sliver : -piece.sliver]
    sliver = np.bincount(inner.ravel(), minlength=len(areas)) == 0
    enough = np.where(areas < piece.small * pieces.size, sure[1], sure[0])
    kept = (areas >= piece.fewest) & ~sliver & (_largest(pieces, likely) >= enough)
    kept[0] = False
    return np.asarray(np.where(kept, np.cumsum(kept), 0)[pieces])


def _largest(pieces: IntArray, likely: Field) -> FloatArray:
    """(n + 1,): the most likely pixel of each of the `pieces`; of the ground 0."""
    largest, inside = np.zeros(pieces.max() + 1), pieces > 0
    np.maximum.at(largest, pieces[inside], likely[inside])
    return largest


def _pieces(likely: Field, meeting: Field, piece: Piece) -> IntArray:
    """(H, W): the piece of each pixel, from 1; those where things meet go with the nearest."""
    whole = likely >= piece.likely
    wholes, count = ndimage.label(whole, EIGHT)
    parted = whole & (meeting < piece.meeting)
    lone = np.ones(count + 1, dtype=bool)
    lone[wholes[parted]] = False
    pieces, _ = ndimage.label(parted | (whole & lone[wholes]), EIGHT)
    if (parted != whole).any():
        nearest = ndimage.distance_transform_edt(pieces == 0, return_distances=False, return_indices=True)
        pieces = np.where(whole, pieces[tuple(nearest)], 0)
    return np.asarray(pieces)


def _joined(pieces: IntArray, likely: Field, joint: Joint) -> IntArray:
    """(H, W): `pieces`, those small ones joined to the largest that faint pixels join them to."""
    areas = np.bincount(pieces.ravel())
    wholes, count = ndimage.label(likely >= joint.likely, EIGHT)
    whole = np.zeros(len(areas), dtype=np.int64)
    whole[pieces.ravel()] = wholes.ravel()
    order = np.argsort(areas[1:], kind="stable") + 1
    largest = np.zeros(count + 1, dtype=np.int64)
    largest[whole[order]] = order
    larger = largest[whole]
    numbers = np.where(areas < np.minimum(joint.part * areas[larger], joint.side**2), larger, np.arange(len(areas)))
    numbers[0] = 0
    return np.asarray(numbers[pieces])


def _refined(picture: Pixels, owner: IntArray, scale: float) -> FloatArray:
    """Boxes (n, 4) of the patches of `owner` (h, w), which were found at that scale: each side where the picture's own
    pixels change by a share of what they change by near there, from where no other patch lies."""
    size, reach = picture.shape[1::-1], math.ceil(LOOK.near / scale)
    refined = (boxes_of(owner) / scale).round().clip(0, np.tile(size, 2))
    for number, box in enumerate(refined, start=1):
        for axis, low, high in ((0, 0, 2), (0, 2, 0), (1, 1, 3), (1, 3, 1)):
            image, whose = (picture, owner) if axis else (picture.swapaxes(0, 1), owner.T)
            across = np.arange(int(box[1 - axis]), int(box[3 - axis]))
            inwards = 1 if low < high else -1
            first = int(box[low]) - inwards * reach - (inwards < 0)
            lines = first + inwards * np.arange(2 * reach + 1)
            lines = lines[(lines >= 0) & (lines < size[axis])]
            if len(lines) <= 2 * reach:
                continue  # the picture's edge is near: what lies outside is not known
            there = ((at * scale).astype(np.int64) for at in (lines[:reach], across))
            cells = whose[np.ix_(*(np.minimum(at, n - 1) for at, n in zip(there, whose.shape, strict=True)))]
            foreign = ~np.isin(cells, (0, number)).all(axis=1)
            lines = lines[np.flatnonzero(foreign).max(initial=-1) + 1 :]
            strip = image[np.ix_(lines, across)]
            change = clearest(strip - median(strip[0], axis=0)).max(axis=1)
            begins = int((change >= LOOK.edge * change.max()).argmax())
            if begins:
                box[low] = lines[begins] + (inwards < 0)
    return refined
