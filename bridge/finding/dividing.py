"""What is joined is one thing, unless a network that finds several in it has strong evidence: ground lies between them,
be it hardly seen, and they are as large as it sees best. What is not joined is one thing where the network finds one in
all of it, no part is a ring, and the others are crumbs or lie in the largest one's box."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from predinet_prolog.bridge.finding.instances import Reading
from predinet_prolog.bridge.finding.joining import connected
from predinet_prolog.bridge.finding.patches import EIGHT, LOOK, Patches
from predinet_prolog.bridge.matching import areas_of, match, shared
from predinet_prolog.bridge.scene import BoolArray, FloatArray, IntArray
from predinet_prolog.imaging import ndimage
from predinet_prolog.neural.glimpses.ground import Field


@dataclass(frozen=True)
class Weights:
    """How much each evidence speaks for one thing; below 0, for several."""

    base: float = -1.18
    joined: float = 0.66
    """By the logarithm of the odds that all is a thing's on the best way from one to another: between two things lies
    ground, be it hardly seen."""
    strange: float = 12.9
    """By the square of how far, in powers of e, its size is from the one that the network sees best."""


@dataclass(frozen=True)
class Trust:
    """How likely all of a picture was read right: a logistic regression on pictures of makers that taught nothing."""

    base: float = 1.45
    lost: float = -0.94
    """By the root of what is lost where pixels are hardly a thing's nor the ground's, and on dividing."""
    small: float = 3.46
    """By the logarithm of the smallest thing's long side where it has not so many pixels among the patches' …"""
    large: float = 20.0
    touching: float = -0.71
    """Things that lie against each other were told apart."""
    agreed: float = 3.37
    """By the looks that alone find the same, as much as each counts."""

    def of(self, lost: float, smallest: float, *, touching: bool, agreed: float) -> float:
        """A probability, by what is `lost`, a sum of logarithms of one by how likely each choice is right, and by the
        `smallest` thing's long side in pixels of the patches."""
        speaks = self.base + self.lost * lost**0.5 + self.of_small(smallest) + self.touching * touching
        speaks += self.agreed * agreed
        return float(1 / (1 + np.exp(-speaks)))

    def of_small(self, smallest: float) -> float:
        """How much that speaks for a right reading, 0 at most."""
        return self.small * min(float(np.log(max(smallest, 1) / self.large)), 0.0)


@dataclass(frozen=True)
class Groups:
    """What is weighed at all."""

    together: float = 0.5
    """Boxes that share so much of the smaller one show the same part of the picture."""
    within: float = 0.4
    crumb: float = 24.0
    """To be one with the largest, a patch shares so much of its box with that one's, or has fewer pixels than that,
    squared: things that lie near each other may be one to the network."""
    large: float = 0.33
    """Share of the picture's long side from which on a thing may look like clutter to the network."""
    best: float = 32.0
    """Pixels along the long side of what the network sees best."""
    middle: float = 0.1
    """Share of a box on either side that is none of its middle."""
    levels: tuple[float, ...] = (0.995, 0.99, 0.98, 0.97, 0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.03)
    """How likely the pixels are a thing's by which things are joined, at least at the last."""
    hollow: float = 0.4
    """Share of all within a patch's outline that no patch shows, from which on it is a ring: to the network, what lies
    inside may be a part of it."""


WEIGHTS, TRUST, GROUPS = Weights(), Trust(), Groups()

Touching = tuple[tuple[int, int], ...]
"""Pairs of things that lie against each other, by their numbers from 0, the lower first."""


class Divided(NamedTuple):
    """The things, in pixels of the picture."""

    boxes: FloatArray
    """(n, 4)"""
    owner: IntArray
    """(h, w): the number of the thing that each pixel of the patches shows, from 1; of those that the network found in
    their place, none does."""
    touching: Touching
    whole: FloatArray
    """(m, 4): boxes of large things that the picture's edge does not cut."""
    trust: float
    """How likely all of this is right."""
    unsure: FloatArray
    """(4,): the part of the picture that is hardest to read."""


def divided(network: Reading, patches: Patches, weights: Weights = WEIGHTS) -> Divided:
    """The patches; what the network finds in place of those that are several things, or go from edge to edge as a shelf
    does."""
    patches = _united(network.boxes, patches)
    ours, theirs = _groups(network.boxes, patches.boxes)
    kept = np.zeros(len(ours), dtype=bool), np.zeros(len(theirs), dtype=bool)
    doubts, size = [patches.doubts], np.array(patches.owner.shape[::-1]) / patches.scale - 0.5
    across: BoolArray = np.logical_or.reduce((patches.boxes[:, :2] <= 0) & (patches.boxes[:, 2:] >= size), axis=1)
    for group in range(theirs.max(initial=-1) + 1):
        things, parts = np.flatnonzero(ours == group), np.flatnonzero(theirs == group)
        speaks = -np.inf if across[parts].any() else np.inf
        if len(things) > len(parts) and speaks > -np.inf:
            speaks = _evidence(network, things, patches, parts, weights)
            doubts.append(np.append(_hull(patches.boxes[parts]), np.log1p(np.exp(-abs(speaks))))[None])
        kept[0][things], kept[1][parts] = speaks <= 0, speaks > 0
    of_network, owner = (
        np.append(0, np.where(chosen, before + np.cumsum(chosen), 0))[reading.owner]
        for reading, chosen, before in ((network, kept[0], 0), (patches, kept[1], int(kept[0].sum())))
    )
    touching = pairs_touching(of_network) + pairs_touching(owner)
    taken = patches.boxes[kept[1]]
    large = (taken[:, 2:] - taken[:, :2]).max(axis=1) > GROUPS.large * size.max()
    whole = taken[((taken[:, :2] > 0) & (taken[:, 2:] < size)).all(axis=1) & large]
    boxes, lost = np.concatenate([network.boxes[kept[0]], taken]), np.concatenate(doubts)
    sides = (boxes[:, 2:] - boxes[:, :2]).max(axis=1) * patches.scale
    smallest = float(sides.min(initial=np.inf))
    same = [len(match(boxes, alone)) == len(boxes) == len(alone) for alone in patches.looks]
    agreed = float(np.average(same, weights=(1 - LOOK.share, LOOK.share)))
    trust = TRUST.of(float(lost[:, 4].sum()), smallest, touching=bool(touching), agreed=agreed)
    unsure = lost[lost[:, 4].argmax(), :4] if len(lost) else np.zeros(4)
    if TRUST.of_small(smallest) < TRUST.lost * lost[:, 4].max(initial=0) ** 0.5:
        unsure = boxes[sides.argmin()]
    return Divided(boxes, owner, touching, whole, trust, unsure)


def _united(network: FloatArray, patches: Patches) -> Patches:
    """`patches`, of which those that are together one thing to the network, with boxes (n, 4), are one."""
    ours, theirs = _groups(network, patches.boxes)
    numbers, boxes, pixels = np.arange(len(theirs) + 1), patches.boxes.copy(), np.bincount(patches.owner.ravel())
    for group in np.flatnonzero(np.bincount(ours, minlength=theirs.max(initial=-1) + 1) == 1):
        parts = np.flatnonzero(theirs == group)
        parts = parts[shared(boxes[parts], network[ours == group])[:, 0] > GROUPS.together * areas_of(boxes[parts])]
        if len(parts):
            largest = boxes[parts[[pixels[parts + 1].argmax()]]]
            within = shared(boxes[parts], largest)[:, 0] > GROUPS.within * areas_of(boxes[parts])
            parts = parts[within | (pixels[parts + 1] < GROUPS.crumb**2)]
        if len(parts) > 1 and not any(_is_ring(patches.owner, part + 1) for part in parts.tolist()):
            numbers[parts + 1], boxes[parts[0]] = parts[0] + 1, _hull(boxes[parts])
    whole, numbers = np.unique(numbers, return_inverse=True)
    return replace(patches, boxes=boxes[whole[1:] - 1], owner=numbers[patches.owner])


def _is_ring(owner: IntArray, number: int) -> bool:
    """Whether much of what the thing of that `number` of `owner` (h, w), or it and the picture's edge, goes around is
    bare."""
    mask = owner == number
    around = np.pad(mask, 1)
    for line in (around, around[::-1], around.T, around.T[::-1]):
        line[0, 1:-1] |= line[1, 1:-1].any()
    filled = ndimage.binary_fill_holes(around)[1:-1, 1:-1]
    return bool((filled & (owner == 0)).sum() >= GROUPS.hollow * filled.sum())


def _groups(network: FloatArray, patches: FloatArray) -> tuple[IntArray, IntArray]:
    """The group of each of the boxes (n, 4) and (m, 4), from 0, those with patches first."""
    boxes = np.concatenate([patches, network])
    areas = areas_of(boxes)
    together = np.nonzero(shared(boxes, boxes) > GROUPS.together * np.minimum(areas[:, None], areas))
    group = connected(len(boxes), *together)
    return group[len(patches) :], group[: len(patches)]


def _evidence(network: Reading, things: IntArray, patches: Patches, parts: IntArray, weights: Weights) -> float:
    """How much speaks for a group's `parts` of the patches, below 0 for the more `things` that the network finds."""
    boxes = network.boxes[things]
    whole = _hull(np.concatenate([boxes, patches.boxes[parts]]))
    likely = np.where(np.isin(patches.owner, parts + 1), patches.likely, 0)
    strange = float(np.log((whole[2:] - whole[:2]).max() * network.scale / GROUPS.best)) ** 2
    return weights.base + weights.joined * _joined(likely, boxes * patches.scale) + weights.strange * strange


def _hull(boxes: FloatArray) -> FloatArray:
    """(4,): the box around `boxes` (n, 4)."""
    return np.concatenate([boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)])


def _joined(likely: Field, boxes: FloatArray) -> float:
    """The logarithm of the odds of the highest level at which pixels so `likely` (h, w) join the middles of two of
    `boxes` (n, 4)."""
    corners = [(box + (box[[2, 3, 0, 1]] - box) * GROUPS.middle).astype(int).tolist() for box in boxes]
    middles = [np.s_[top : max(bottom, top + 1), left : max(right, left + 1)] for left, top, right, bottom in corners]
    for level in GROUPS.levels:
        pieces, _ = ndimage.label(likely >= level, EIGHT)
        largest = [int(np.bincount(piece[piece > 0]).argmax()) for m in middles if (piece := pieces[m]).any()]
        if len(set(largest)) < len(largest):
            break
    return float(np.log(level / (1 - level)))


def pairs_touching(owner: IntArray) -> Touching:
    """Pairs of things of `owner` (h, w), from 0, with pixels side by side or a pixel apart, the lower first."""
    pairs: set[tuple[int, int]] = set()
    for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1), (0, 2), (2, 0)):
        one = owner[: owner.shape[0] - dy, max(-dx, 0) : owner.shape[1] - max(dx, 0)]
        other = owner[dy:, max(dx, 0) : owner.shape[1] - max(-dx, 0)]
        unlike = (one > 0) & (other > 0) & (one != other)
        pairs |= set(zip(one[unlike].tolist(), other[unlike].tolist(), strict=True))
    return tuple(sorted({(min(pair) - 1, max(pair) - 1) for pair in pairs}))
