"""Finders: what says where the things of a picture are."""

from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from predinet_prolog.bridge.finding.dividing import TRUST, divided, pairs_touching
from predinet_prolog.bridge.finding.instances import Places, Reading, things
from predinet_prolog.bridge.finding.misreading import MISREADING, misread
from predinet_prolog.bridge.finding.patches import patches_of
from predinet_prolog.bridge.finding.repeats import made_whole, taken_apart
from predinet_prolog.bridge.finding.segments import segments
from predinet_prolog.bridge.scene import BoolArray, FloatArray, IntArray
from predinet_prolog.domains.domain import Pixels
from predinet_prolog.imaging import ndimage
from predinet_prolog.neural.glimpses.config import FINE, REACH, SIDE, STRIDE
from predinet_prolog.neural.glimpses.cutting import Floats, cut, resampled, squares_of
from predinet_prolog.neural.glimpses.graph import GlimpseGraph, logistic
from predinet_prolog.neural.glimpses.ground import fit_plane, off_ground
from predinet_prolog.neural.glimpses.scales import UNLIKE, first_scale, resized, second_scale


@dataclass(frozen=True)
class Clean:
    """When a picture is so clean that pixels alone tell: what differs from the ground is what the network calls
    things' own, but for so much."""

    agree: float = 0.15
    """Share of the things' pixels."""
    stray: float = 0.01
    """Share of the picture's."""
    owned: float = 0.5
    """How likely a thing's a pixel is that the network calls so."""


CLEAN = Clean()


@dataclass(frozen=True, eq=False)
class Found:
    """Where things are, in pixels of the picture."""

    boxes: FloatArray
    """(n, 4): left, top, right, bottom."""
    masks: Floats | None = None
    """(n, SIDE, SIDE): how much of each pixel of its glimpse is a thing's, 0–1; not a number, or None: not known."""
    touching: tuple[tuple[int, int], ...] = ()
    """Pairs of boxes, the first the lower, whose things lie against each other."""
    doubt: FloatArray | None = None
    """(rows, columns): how likely each part of the picture is to show no separate things; None: not judged."""
    trust: float | None = None
    """How likely `boxes` are all of the picture's things and nothing else; None: not judged."""
    unsure: FloatArray | None = None
    """(4,): the part of the picture that is hardest to read; None: not judged."""

    def only(self, kept: BoolArray) -> "Found":
        """Those of `boxes` that are `kept` (n,)."""
        place = (np.cumsum(kept) - 1).tolist()
        touching = tuple((place[one], place[other]) for one, other in self.touching if kept[one] and kept[other])
        masks = None if self.masks is None else self.masks[kept]
        return replace(self, boxes=self.boxes[kept], masks=masks, touching=touching)


@dataclass(frozen=True)
class NetworkFinder:
    """The finder of a trained model; of clean pictures it says how many things a patch is, and pixels their reach."""

    graph: GlimpseGraph
    shape: tuple[int, ...] = ()
    """The numbers of the relations that tell shape; () if none do."""
    patches: bool = False
    """Whether things are patches of pixels, which the network may divide and unite, in pictures that it does not see
    pixel by pixel."""

    def find(self, picture: Pixels) -> Found:
        """The things of `picture` (H, W, 3), 0–255, in any order."""
        height, width = picture.shape[:2]
        reading, doubt = self._look(picture, first_scale(height, width))
        if larger := second_scale(height, width, reading.boxes):
            reading, _ = self._look(picture, larger)
        if not self.patches:
            return Found(reading.boxes, None, pairs_touching(reading.owner), doubt)
        patches = patches_of(picture)
        if reading.scale >= 1:
            far = reading.scale * MISREADING.afar
            afar = cache(lambda: self._look(picture, far)[0])
            speaks, unsure = misread(reading, patches, afar)
            if speaks <= 0:
                touching = pairs_touching(reading.owner)
                trust = TRUST.of(0.0, np.inf, touching=bool(touching), agreed=not touching)
                trust *= float(logistic(np.array(-speaks)))
                warned = speaks > -MISREADING.slight
                return Found(reading.boxes, None, touching, doubt, trust, unsure if warned else None)
            reading = afar()
        both = divided(reading, patches)
        doubt = _calmed(doubt, both.whole * first_scale(height, width) / REACH)
        masks = masks_of(both.owner, patches.likely, both.boxes * patches.scale)
        return Found(both.boxes, masks, both.touching, doubt, both.trust, both.unsure)

    def _look(self, picture: Pixels, scale: float) -> tuple[Reading, FloatArray]:
        """What the network finds at that scale, and the doubt."""
        small = resized(picture, scale)
        scale, plane = max(small.shape) / max(picture.shape), fit_plane(small)
        heads, doubt = self.graph.find(small, plane)
        places = places_of(heads)
        visible, clean = visible_pixels(small, plane, places)
        pieces = segments(small, plane, visible)
        boxes, owner = things(visible, pieces, places, clean=clean)
        if self.shape and not (self.patches and scale < 1):  # there patches tell
            patches, _ = ndimage.label(visible, structure=np.ones((3, 3)))
            shapes = partial(self._shapes, small, plane)
            boxes, owner = made_whole(boxes, owner, patches, shapes)
            boxes, owner = taken_apart(boxes, owner, pieces, small, shapes)
        size = np.tile(small.shape[1::-1], 2)
        boxes = boxes.clip(0, size) * np.tile(picture.shape[1::-1], 2) / size
        return Reading(boxes, owner, scale), logistic(doubt)

    def _shapes(self, picture: Pixels, plane: NDArray[np.floating], boxes: FloatArray) -> FloatArray:
        """(n, r): where what `boxes` (n, 4) hold lies on the axes of shape."""
        _, coordinates = self.graph.compare(cut(picture, plane, boxes))
        return coordinates[:, list(self.shape)]


def masks_of(owner: IntArray, likely: NDArray[np.floating], boxes: FloatArray) -> Floats:
    """(n, SIDE, SIDE): how `likely` (h, w) it is a thing's what is the `owner`'s (h, w), from 1, or a pixel off."""
    masks = np.full((len(boxes), SIDE, SIDE), np.nan, dtype=np.float32)
    reach, levels = np.where(owner, owner, ndimage.maximum_filter(owner, 3)), (likely * 255).astype(np.uint8)
    for number, square in enumerate(squares_of(boxes)):
        if (mask := reach == number + 1).any():
            masks[number] = resampled(mask * levels, square[None])[0] / 255
    return masks


def _calmed(doubt: FloatArray, boxes: FloatArray) -> FloatArray:
    """`doubt` (rows, columns) without that of parts whose middles lie in `boxes` (n, 4), whose unit is a part: what a
    large thing shows may look like clutter, but is joined and has ground all around."""
    rows, columns = (np.arange(count) + 0.5 for count in doubt.shape)
    calm = doubt.copy()
    for left, top, right, bottom in boxes:
        calm[np.ix_((rows > top) & (rows < bottom), (columns > left) & (columns < right))] = 0
    return calm


def places_of(heads: NDArray[np.floating]) -> Places:
    """The finder's heads (8, h, w) as probabilities and boxes."""
    heads = np.asarray(heads, dtype=np.float64)
    h, w = heads.shape[1:]
    y, x = np.mgrid[0:h, 0:w] * STRIDE + 0.5
    middle = np.stack([x, y], axis=2) + heads[4:6].transpose(1, 2, 0)
    half = np.exp(np.clip(heads[6:8], 0, 7)).transpose(1, 2, 0) / 2
    boxes = np.round(np.concatenate([middle - half, middle + half], axis=2) * FINE) / FINE
    return Places(logistic(heads[0]), logistic(heads[1]), np.asarray(heads[2:4].transpose(1, 2, 0)), boxes)


def visible_pixels(picture: Pixels, plane: NDArray[np.floating], places: Places) -> tuple[BoolArray, bool]:
    """(H, W): which pixels show a thing; and whether the picture is so clean that pixels alone tell."""
    height, width = picture.shape[:2]
    coarse = Image.fromarray(places.ownership.astype(np.float32))
    fine = coarse.resize((STRIDE * coarse.width, STRIDE * coarse.height), Image.Resampling.BILINEAR)
    owned = np.asarray(fine)[:height, :width] > CLEAN.owned
    unlike = off_ground(picture, plane) > UNLIKE
    # The network sees every other pixel: a line's breadth of disagreement around things says nothing.
    grown, shrunk = ndimage.binary_dilation(owned, np.ones((3, 3))), ndimage.binary_erosion(owned, np.ones((3, 3)))
    wrong = (unlike & ~grown).sum() + (shrunk & ~unlike).sum()
    clean = bool(wrong <= max(CLEAN.agree * owned.sum(), CLEAN.stray * owned.size))
    return np.asarray(unlike if clean else owned), clean
