"""Things as the foreground network tells them: what is joined and no ground."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import ndimage

from predinet_prolog.bridge.finding.instances import boxes_of
from predinet_prolog.bridge.finding.patches import (
    EIGHT,
    LOOK,
    SHADOW,
    UNLIKE,
    Field,
    distances,
    ground_of,
    lab,
    refined,
)
from predinet_prolog.bridge.scene import FloatArray, IntArray
from predinet_prolog.domains.domain import Pixels
from predinet_prolog.neural.glimpses.scales import resized
from predinet_prolog.neural.sessions import opened

MULTIPLE = 32
"""The network looks at pictures whose sides are multiples of that."""


@dataclass(frozen=True)
class Piece:
    """What is a piece, and what one of a larger one; chosen on pictures of makers that taught nothing."""

    likely: float = 0.5
    """Its pixels are a thing's at least as likely as that …"""
    sure: float = 0.9
    """… and the clearest that likely."""
    meeting: float = 0.5
    """Where two things meet that likely, pieces are parted."""
    least: float = 3e-4
    fewest: int = 20
    """A smaller share of the picture is no piece, nor are fewer pixels."""
    joined: float = 0.15
    """Pieces that pixels which are a thing's that likely join are one, where one of them …"""
    part: float = 0.25
    """… has so much of the pixels of the largest, or less."""


PIECE = Piece()


def finder_of(path: Path) -> Callable[[Pixels], FloatArray]:
    """What finds things, as boxes (n, 4), in a picture (H, W, 3), by the network that teach.py wrote at `path`."""
    session = opened(path.read_bytes(), {})

    def find(picture: Pixels) -> FloatArray:
        small = resized(picture, min(LOOK.most / max(picture.shape[:2]), 1.0))
        height, width = small.shape[:2]
        beyond = (0, 0), (0, -height % MULTIPLE), (0, -width % MULTIPLE)
        (answer,) = session.run(None, {"inputs": np.pad(foreground_inputs(small), beyond, mode="edge")[None]})
        likely, meeting = np.asarray(answer)[0, :, :height, :width]
        for rim in (likely, likely[::-1], likely.T, likely.T[::-1]):
            rim[0] = rim[1]  # beyond the outermost pixels the network sees nothing, and says so
        scale = max(small.shape[:2]) / max(picture.shape[:2])
        return refined(picture, boxes_of(pieces_of(likely, meeting)) / scale, scale)

    return find


def foreground_inputs(picture: Pixels) -> Field:
    """(6, H, W): what the network looks at, of `picture` (H, W, 3), 0–255: differences from the ground, how far that is
    in spreads of the ground in whatever light and by light alone, as logarithms, and lightness."""
    colours = lab(picture)
    ground, spread = ground_of(colours)
    far = distances(colours, ground, np.maximum(spread, UNLIKE.least).astype(np.float32), SHADOW.darkest)
    parts = (colours - ground) / 20, np.log1p(np.stack(far)), colours[:1] / 50 - 1.3
    return np.concatenate(parts).astype(np.float32)


def pieces_of(likely: Field, meeting: Field, piece: Piece = PIECE) -> IntArray:
    """(H, W): the thing that each pixel shows, from 1, where pixels are so `likely` (H, W) a thing's, and two things
    are `meeting` (H, W) there."""
    whole = likely >= piece.likely
    pieces, _ = ndimage.label(whole & (meeting < piece.meeting), EIGHT)
    if pieces.any():  # those where things meet go with the nearest
        nearest = ndimage.distance_transform_edt(pieces == 0, return_distances=False, return_indices=True)
        pieces = np.where(whole, pieces[tuple(nearest)], 0)
    pieces = _joined(pieces, likely, piece)
    numbers = np.arange(pieces.max() + 1)
    kept = np.bincount(pieces.ravel()) >= max(piece.fewest, piece.least * pieces.size)
    kept &= np.asarray(ndimage.maximum(likely, pieces, numbers)) >= piece.sure
    kept[0] = False
    return np.asarray(np.where(kept, np.cumsum(kept), 0)[pieces])


def _joined(pieces: IntArray, likely: Field, piece: Piece) -> IntArray:
    """(H, W): `pieces`, those small ones joined to the largest that faint pixels join them to."""
    areas = np.bincount(pieces.ravel())
    wholes, count = ndimage.label(likely >= piece.joined, EIGHT)
    whole = np.zeros(len(areas), dtype=np.int64)
    whole[pieces.ravel()] = wholes.ravel()
    order = np.argsort(areas[1:], kind="stable") + 1
    largest = np.zeros(count + 1, dtype=np.int64)
    largest[whole[order]] = order
    numbers = np.where(areas < piece.part * areas[largest[whole]], largest[whole], np.arange(len(areas)))
    numbers[0] = 0
    return np.asarray(numbers[pieces])
