"""Small pictures: whether the network, which sees things there as they are, takes them for what they are not.

It knows things of about the size of those that it learned from, of few parts. A larger one it takes for several, or for
nothing: then patches tell, as they do in large pictures. What is small, lies close or touches it sees better."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from predinet_prolog.bridge.finding.instances import Reading
from predinet_prolog.bridge.finding.patches import Patches
from predinet_prolog.bridge.matching import areas_of, overlaps, shared
from predinet_prolog.bridge.scene import FloatArray


@dataclass(frozen=True)
class Weights:
    """How much each evidence speaks for the patches; below 0, for the network."""

    base: float = -4.6
    nested: float = 5.2
    """By how much of one of the network's boxes lies in another of the same patch."""
    unexplained: float = 1.6
    """By the logarithm of the share of a patch that the network takes for no thing's."""
    sure: float = 1.6
    """By the logarithm of the odds that a patch's pixels are a thing's; …"""
    bare: float = 2.3
    """… by so much more where the network finds nothing there."""
    afar: float = 2.2
    """By how well the one thing that the network finds there from further away fits it."""
    larger: float = 2.0
    """In pictures larger than those that it learned from, …"""


@dataclass(frozen=True)
class Misreading:
    """What is weighed."""

    lessons: tuple[float, float] = (128.0, 146.0)
    """… of more pixels a side than the first, by so much the nearer they come to the second."""
    afar: float = 0.35
    """The share of its size at which the picture is looked at from further away."""
    fits: float = 0.7
    """A single thing of the network's that overlaps a patch by more is it."""
    member: float = 0.1
    """Share of a thing's pixels on the patch that it is a part of, at least."""
    within: float = 0.5
    """Share of a box in a patch's, for it to be seen there."""
    least: float = 0.02
    """That share of a patch counts as unexplained in any case."""
    slight: float = 0.8
    """Where no more speaks for the network, that is warned of."""


WEIGHTS, MISREADING = Weights(), Misreading()


def misread(
    network: Reading, patches: Patches, afar: Callable[[], Reading], weights: Weights = WEIGHTS
) -> tuple[float, FloatArray]:
    """How much speaks for the `patches`, below 0 for what the `network` finds, and the box (4,) of the patch that it
    misreads most. `afar` looks from further away; where what is found there cannot decide, it is not asked."""
    speaks = _evidence(network, patches, weights)
    if speaks.max(initial=-np.inf) > -weights.afar:
        boxes = afar().boxes
        fit, there = overlaps(boxes, patches.boxes), shared(boxes, patches.boxes)
        there = (there > MISREADING.within * areas_of(boxes)[:, None]) & (fit == fit.max(axis=1, keepdims=True))
        speaks += weights.afar * np.where(there.sum(axis=0) == 1, (fit * there).sum(axis=0), 0)
    if not len(speaks):
        return -np.inf, np.zeros(4)
    return float(speaks.max()), patches.boxes[speaks.argmax()]


def _evidence(network: Reading, patches: Patches, weights: Weights) -> FloatArray:
    """(n,): how much speaks for each of the patches, from where the picture is seen as it is."""
    rows, columns = (np.arange(n) * m // n for n, m in zip(patches.owner.shape, network.owner.shape, strict=True))
    counts = np.zeros((len(network.boxes) + 1, len(patches.boxes) + 1), dtype=np.int64)
    np.add.at(counts, (network.owner[np.ix_(rows, columns)], patches.owner), 1)
    most = np.maximum(counts[1:, 1:].max(axis=1, initial=1), MISREADING.member * counts[1:].sum(axis=1))
    base = weights.base + np.interp(patches.owner.size**0.5, MISREADING.lessons, (0, weights.larger))
    speaks = np.full(len(patches.boxes), -np.inf)
    for number, box in enumerate(patches.boxes):
        members = network.boxes[counts[1:, number + 1] >= most]
        if len(members) == 1 and overlaps(members, box[None])[0, 0] > MISREADING.fits:
            continue
        likely = float(patches.likely[patches.owner == number + 1].mean())
        bare = counts[0, number + 1] / counts[:, number + 1].sum()
        sure = weights.sure + weights.bare * (not len(members))
        speaks[number] = base + weights.nested * _nested(members)
        speaks[number] += weights.unexplained * np.log(MISREADING.least + bare)
        speaks[number] += sure * np.log(likely / (1 - likely + 1e-6))
    return speaks


def _nested(boxes: FloatArray) -> float:
    """The largest share of one of `boxes` (n, 4) that lies in another."""
    common = shared(boxes, boxes) / areas_of(boxes)[:, None]
    np.fill_diagonal(common, 0)
    return float(common.max(initial=0))
