"""Two readings of one picture weighed against each other: what the network finds, and what patches of pixels show.

Boxes of both that show the same part of the picture are a group. Where the readings differ there, one of them is taken:
that which evidence speaks for.
"""

from dataclasses import astuple, dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from predinet_prolog.bridge.finding.instances import boxes_of
from predinet_prolog.bridge.finding.patches import UNLIKE, Patches
from predinet_prolog.bridge.matching import areas_of, shared
from predinet_prolog.bridge.scene import FloatArray, IntArray


@dataclass(frozen=True)
class Weights:
    """How much each evidence speaks for the patches; below 0, for the network. A logistic regression on groups of which
    one reading was right and the other was not, in 34 sets of drawn pictures."""

    base: float = -0.5
    finer: float = 0.5
    """How often the network's pixels can be halved until they are the patches': on large pictures patches see more."""
    split: float = -4.0
    """The network finds more than patches: things touch, or one is large and of many parts …"""
    crumb: float = -1.0
    """… by the logarithm of the smallest one's share: a small part of a large thing is none of its own …"""
    fill: float = 5.2
    """… and by the share of the patches' box that they fill: two things leave corners."""
    joined: float = -1.6
    """Patches show more than the network finds: pieces of a thing, or a thing in a frame …"""
    enclosed: float = 2.8
    """… by the share of the others' pixels that the largest has all around."""
    clear: float = 2.3
    """The network finds nothing there, by the logarithm of the patches' strength by the least: noise is faint."""


WEIGHTS = Weights()
TOGETHER = 0.5
"""Boxes that share so much of the smaller one show the same part of the picture."""
LEAST, FEWEST = 1e-4, 8
"""A smaller share of the picture is no patch, nor are fewer pixels."""
MOST = 300
"""Where patches are more, they are a texture's, and only the network reads."""


@dataclass(frozen=True, eq=False)
class Reading:
    """The things of a picture as one of the two has them."""

    boxes: FloatArray
    """(n, 4), in pixels of the picture."""
    owner: IntArray
    """(h, w): which thing each pixel shows, from 1; 0 is ground. At `scale` of the picture."""
    scale: float


Touching = tuple[tuple[int, int], ...]
"""Pairs of things that lie against each other, by their numbers from 0, the lower first."""


def weighed(network: Reading, patches: Patches, weights: Weights = WEIGHTS) -> tuple[FloatArray, Touching]:
    """Boxes (n, 4) of the things, in pixels of the picture, and which of them touch."""
    other = read(patches)
    if len(other.boxes) > MOST:
        return network.boxes, pairs_touching(network.owner)
    ours, theirs = _groups(network.boxes, other.boxes)
    kept = np.zeros(len(ours), dtype=bool), np.zeros(len(theirs), dtype=bool)
    for group in range(max(ours.max(initial=-1), theirs.max(initial=-1)) + 1):
        own, parts = np.flatnonzero(ours == group), np.flatnonzero(theirs == group)
        if _sum(evidence(network, own, other, parts, patches.strength), weights) > 0:
            kept[1][parts] = True
        else:
            kept[0][own] = True
    touching: list[tuple[int, int]] = []
    for reading, chosen, before in ((network, kept[0], 0), (other, kept[1], int(kept[0].sum()))):
        place = (np.cumsum(chosen) - 1 + before).tolist()
        pairs = pairs_touching(reading.owner)
        touching += [(place[first], place[second]) for first, second in pairs if chosen[first] and chosen[second]]
    return np.concatenate([network.boxes[kept[0]], other.boxes[kept[1]]]), tuple(touching)


def read(patches: Patches) -> Reading:
    """Patches as things, but for crumbs."""
    areas = np.bincount(patches.owner.ravel())
    large = areas >= max(FEWEST, LEAST * patches.owner.size)
    large[0] = False
    owner = np.where(large, np.cumsum(large), 0)[patches.owner]
    return Reading(boxes_of(owner) / patches.scale, owner, patches.scale)


def _groups(network: FloatArray, patches: FloatArray) -> tuple[IntArray, IntArray]:
    """The group of each of the boxes (n, 4) and (m, 4), from 0."""
    boxes = np.concatenate([network, patches])
    areas = areas_of(boxes)
    together = np.nonzero(shared(boxes, boxes) > TOGETHER * np.minimum(areas[:, None], areas))
    graph = coo_matrix((np.ones(len(together[0]), dtype=bool), together), shape=(len(boxes), len(boxes)))
    group = connected_components(graph, directed=False)[1].astype(np.int64)
    return group[: len(network)], group[len(network) :]


def evidence(
    network: Reading, own: IntArray, patches: Reading, parts: IntArray, strength: NDArray[np.floating]
) -> Weights:
    """What is weighed, of a group: of those `own` things of the network's, those `parts` of the patches'."""
    finer = float(np.log2(patches.scale / network.scale))
    if not len(parts):
        return Weights(1, finer, 0, 0, 0, 0, 0, 0)
    window = _window(patches.boxes[parts], patches.scale)
    here = patches.owner[window]
    mask = np.isin(here, parts + 1)
    split = crumb = fill = joined = enclosed = clear = 0.0
    if not len(own):
        clear = float(np.log(np.median(strength[window][mask]) / UNLIKE.low))
    elif len(own) > len(parts):
        areas = np.maximum(np.bincount(network.owner.ravel(), minlength=int(own.max()) + 2)[own + 1], 1)
        split, crumb, fill = 1, float(np.log(areas.min() / areas.sum())), float(mask.mean())
    elif len(parts) > len(own):
        largest = int(np.bincount(here[mask]).argmax())
        around = ndimage.binary_fill_holes(here == largest)
        joined, enclosed = 1, float(around[mask & (here != largest)].mean())
    return Weights(1, finer, split, crumb, fill, joined, enclosed, clear)


def _sum(evidence: Weights, weights: Weights) -> float:
    return float(sum(value * weight for value, weight in zip(astuple(evidence), astuple(weights), strict=True)))


def _window(boxes: FloatArray, scale: float) -> tuple[slice, slice]:
    """Rows and columns, at that scale, of all that `boxes` (n, 4) hold."""
    left, top = np.floor(boxes[:, :2].min(axis=0) * scale + 1e-6).astype(int).tolist()
    right, bottom = np.ceil(boxes[:, 2:].max(axis=0) * scale - 1e-6).astype(int).tolist()
    return slice(top, bottom), slice(left, right)


def pairs_touching(owner: IntArray) -> Touching:
    """Pairs of things of `owner` (h, w), from 0, with pixels side by side or a pixel apart, the lower first."""
    pairs: set[tuple[int, int]] = set()
    for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1), (0, 2), (2, 0)):
        one = owner[: owner.shape[0] - dy, max(-dx, 0) : owner.shape[1] - max(dx, 0)]
        other = owner[dy:, max(dx, 0) : owner.shape[1] - max(-dx, 0)]
        unlike = (one > 0) & (other > 0) & (one != other)
        pairs |= {
            (min(a, b) - 1, max(a, b) - 1) for a, b in zip(one[unlike].tolist(), other[unlike].tolist(), strict=True)
        }
    return tuple(sorted(pairs))
