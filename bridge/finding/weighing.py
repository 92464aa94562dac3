"""Two readings of one picture weighed against each other: what the network finds, and what patches of pixels show.

Boxes of both that show the same part of the picture are a group. Where the readings differ there, one of them is taken:
that which evidence speaks for.
"""

import math
from collections.abc import Callable
from dataclasses import astuple, dataclass
from typing import NamedTuple

import numpy as np

from predinet_prolog.bridge.finding.instances import Reading
from predinet_prolog.bridge.finding.joining import connected
from predinet_prolog.bridge.finding.patches import Field, Patches
from predinet_prolog.bridge.matching import areas_of, match, shared
from predinet_prolog.bridge.scene import BoolArray, FloatArray, IntArray
from predinet_prolog.imaging import ndimage


@dataclass(frozen=True)
class Weights:
    """How much each evidence speaks for the patches; below 0, for the network. A logistic regression on groups of which
    one reading was right and the other was not, in 46 sets of drawn pictures, where sets of what touches counted a
    seventh; what speaks where one of them shows more was fitted anew on 750 pictures, drawn and of other makers; what
    speaks where but one shows something, or both show one thing of unlike reach, on 1,430 more of these."""

    base: float = 2.2
    """Patches see more."""
    neck: float = 1.2
    """Where the network finds more: by the logarithm of the length of each of its cuts through the patches, by the side
    of the smallest part: one thing is divided at length, two things meet at a point …"""
    again: float = -2.8
    """… by the share of them that are found again at a larger size: a large thing has other pieces there …"""
    strange: float = 4.7
    """… and by the square of how far, in powers of e, its size is from the one that the network sees best."""
    joined: float = -3.6
    """Patches show more than the network finds: pieces of a thing, or a thing in a frame …"""
    enclosed: float = 6.0
    """… by the share of the others' pixels that the one of the largest box has all around, and the share of what it has
    so that is ground, to the network too: what fills an outline is of one thing with it."""
    alone: float = -3.4
    """The network finds nothing there …"""
    gap: float = 1.4
    """… by the logarithm of the gap to a larger patch, in long sides: pieces and shadows lie near it, or on it …"""
    clear: float = 6.0
    """… by the logarithm of how clear it is beside the ground's texture; for the other, where …"""
    unseen: float = -1.6
    """Patches show nothing there: a thing of the ground's hue, or a faint one. Of 177 in pictures whose things were
    made like their ground the network was right about 120."""
    rest: float = 2.6
    """Both show one thing, of unlike reach: by the logarithm of how clear is what the patch has beyond the other's box:
    the ground's texture goes with a thing that lies on it."""
    long: float = 2.3
    """For the other: by the logarithm of the long side of what but one shows as the network sees it, beside the best.
    What is small is overlooked, and imagined."""


@dataclass(frozen=True)
class Trust:
    """How likely all of a picture was read right: a logistic regression on 477 pictures of many makers, where those of
    what touches counted a quarter; small pictures by 1,072 of such."""

    base: float = 3.1
    lost: float = -2.9
    """Where patches are weighed: by the root of what is lost on that …"""
    faint: float = 2.1
    """… by how clear the faintest thing is, a logarithm, less this much where it is not clearer …"""
    clear: float = 1.8
    small: float = 2.0
    """… and by the logarithm of the smallest thing's long side where it has not so many pixels among the patches'."""
    large: float = 16.0
    touching: float = -1.0
    """Things that lie against each other were told apart."""

    def of(self, weighed: "Weighed | None", *, touching: bool) -> float:
        """A probability."""
        speaks = self.base + self.touching * touching
        if weighed is not None:
            speaks += self.lost * weighed.lost**0.5 + float(self.of_things(weighed.clear, weighed.smallest))
        return float(1 / (1 + np.exp(-speaks)))

    def of_things(self, clear: FloatArray | float, long: FloatArray | float) -> FloatArray:
        """What speaks against things (n,) that are so clear and so long, at most 0."""
        faint = self.faint * np.minimum(np.subtract(clear, self.clear), 0)
        return np.asarray(faint + self.small * np.minimum(np.log(np.divide(long, self.large)), 0))


@dataclass(frozen=True)
class Groups:
    """What is weighed at all."""

    together: float = 0.5
    """Boxes that share so much of the smaller one show the same part of the picture."""
    large: float = 0.33
    """Share of the picture's long side from which on a thing may look like clutter to the network."""
    most: int = 300
    """Where patches are more, they are a texture's, and only the network reads."""
    again: float = 64.0
    """Pixels along the long side of a part that is looked at again."""
    best: float = 37.0
    """Pixels along the long side of what the network sees best."""
    clear: float = 1.2
    """What is clearer than that, a logarithm, is no clearer."""
    touching: float = 0.02
    far: float = 5.0
    """How far patches are from each other, in long sides: at least, and where there is but one."""


WEIGHTS, TRUST, GROUPS = Weights(), Trust(), Groups()

Look = Callable[[FloatArray, float], FloatArray]
"""Boxes (m, 4) of what the network finds in a part (4,) of the picture that is looked at so many pixels long."""
Touching = tuple[tuple[int, int], ...]
"""Pairs of things that lie against each other, by their numbers from 0, the lower first."""


class Weighed(NamedTuple):
    """What was taken of both readings, in pixels of the picture."""

    boxes: FloatArray
    """(n, 4)"""
    touching: Touching
    whole: FloatArray
    """(m, 4): boxes of patches that are large things, and that the picture's edge does not cut."""
    lost: float
    """The logarithm of one by how likely it is that every choice was right."""
    unsure: FloatArray
    """(4,): where the readings differ and least speaks for either; where they agree, the faintest or smallest thing."""
    clear: float
    """The logarithm of how clear the faintest thing is."""
    smallest: float
    """The least long side of a thing, in pixels of the patches."""


def weighed(network: Reading, patches: Patches, look: Look, weights: Weights = WEIGHTS) -> Weighed:
    """What is taken of both; of what goes across the picture from edge to edge, such as a shelf, the network's."""
    if len(patches.boxes) > GROUPS.most:
        return Weighed(
            network.boxes, pairs_touching(network.owner), np.zeros((0, 4)), 0.0, *_hardest(network.boxes, patches)
        )
    ours, theirs = _groups(network.boxes, patches.boxes)
    kept = np.zeros(len(ours), dtype=bool), np.zeros(len(theirs), dtype=bool)
    losses, size = [(0.0, np.zeros(4))], np.array(patches.owner.shape[::-1]) / patches.scale - 0.5
    for group in range(max(ours.max(initial=-1), theirs.max(initial=-1)) + 1):
        things, parts = np.flatnonzero(ours == group), np.flatnonzero(theirs == group)
        pair = network.boxes[things], patches.boxes[parts]
        agree = len(things) == len(parts) == len(match(*pair))
        speaks = weights.base
        if not agree:
            values = astuple(evidence(network, things, patches, parts, look))
            speaks = sum(value * weight for value, weight in zip(values, astuple(weights), strict=True))
        if ((pair[1][:, :2] <= 0) & (pair[1][:, 2:] >= size)).any():
            speaks = 0.0 if len(things) > 1 else -np.inf
        kept[0][things], kept[1][parts] = speaks <= 0, speaks > 0
        if not agree:
            losses.append((float(np.log1p(np.exp(-abs(speaks)))), _hull(np.concatenate(pair))))
    touching: list[tuple[int, int]] = []
    for reading, chosen, before in ((network, kept[0], 0), (patches, kept[1], int(kept[0].sum()))):
        place = (np.cumsum(chosen) - 1 + before).tolist()
        pairs = pairs_touching(reading.owner)
        touching += [(place[first], place[second]) for first, second in pairs if chosen[first] and chosen[second]]
    taken = patches.boxes[kept[1]]
    large = (taken[:, 2:] - taken[:, :2]).max(axis=1) > GROUPS.large * size.max()
    whole = taken[((taken[:, :2] > 0) & (taken[:, 2:] < size)).all(axis=1) & large]
    boxes, lost = np.concatenate([network.boxes[kept[0]], taken]), [loss for loss, _ in losses]
    hardest, *how = _hardest(boxes, patches)
    unsure = losses[int(np.argmax(lost))][1] if any(lost) else hardest
    return Weighed(boxes, tuple(touching), whole, sum(lost), unsure, *how)


def _hardest(boxes: FloatArray, patches: Patches) -> tuple[FloatArray, float, float]:
    """Of `boxes` (n, 4) that which is hardest to see; how clear the faintest is, and how many pixels the smallest is
    long."""
    if not len(boxes):
        return np.zeros(4), np.inf, np.inf
    clear = np.array([_clearest(box, patches) for box in boxes])
    long = (boxes[:, 2:] - boxes[:, :2]).max(axis=1) * patches.scale
    return boxes[np.argmin(TRUST.of_things(clear, long))], float(clear.min()), float(long.min())


def _groups(network: FloatArray, patches: FloatArray) -> tuple[IntArray, IntArray]:
    """The group of each of the boxes (n, 4) and (m, 4), from 0."""
    boxes = np.concatenate([network, patches])
    areas = areas_of(boxes)
    together = np.nonzero(shared(boxes, boxes) > GROUPS.together * np.minimum(areas[:, None], areas))
    group = connected(len(boxes), *together)
    return group[: len(network)], group[len(network) :]


def evidence(network: Reading, things: IntArray, patches: Patches, parts: IntArray, look: Look) -> Weights:
    """What is weighed of a group: of `things` that the network finds, and of those `parts` of the patches, others."""
    boxes, theirs = network.boxes[things], patches.boxes[parts]
    split, joined = len(boxes) > len(parts) > 0, len(parts) > len(boxes) > 0
    alone, unseen = not len(boxes), not len(parts)
    neck = again = strange = enclosed = gap = clear = rest = 0.0
    whole = _hull(np.concatenate([boxes, theirs]))
    side = (whole[2:] - whole[:2]).max()
    long = float(np.log(side * network.scale / GROUPS.best))

    if split or joined:
        window = _window(_hull(theirs), patches)
        (top, bottom), (left, right) = ((side.start, side.stop) for side in window)
        here = patches.owner[window]
        largest = here == parts[areas_of(theirs).argmax()] + 1
        mask = np.isin(here, parts + 1)
    if split:
        neck = _neck(mask, boxes * patches.scale - (left, top, left, top))
        pieces = look(whole, GROUPS.again)
        pieces = pieces[shared(pieces, whole[None])[:, 0] > GROUPS.together * areas_of(pieces)]
        again = len(match(boxes, pieces)) / max(len(boxes), len(pieces))
        strange = long**2
    if joined:
        sides = zip((top, left), (bottom, right), network.owner.shape, patches.owner.shape, strict=True)
        places = [((np.arange(low, high) + 0.5) * few / many).astype(int) for low, high, few, many in sides]
        around = np.pad(largest, 1)  # the picture's edge closes what it cuts
        around[0], around[-1] = top == 0, bottom == patches.owner.shape[0]
        around[:, 0], around[:, -1] = left == 0, right == patches.owner.shape[1]
        around = ndimage.binary_fill_holes(around)[1:-1, 1:-1]
        bare = around & ~mask & (network.owner[np.ix_(*places)] == 0)
        enclosed = float(around[mask & ~largest].mean() * bare.sum() / around.sum())
    if alone or unseen:
        apart = _apart(whole, patches) / side
        gap = (alone - unseen * float(apart == 0)) * float(np.log(GROUPS.touching + apart))
        clear = (alone - unseen) * min(_clearest(whole, patches), GROUPS.clear)
    if len(boxes) == len(parts) == 1:
        beyond = patches.owner == parts[0] + 1
        beyond[_window(boxes[0], patches)] = False
        rest = min(_clear(patches.clear[beyond]) - GROUPS.clear, 0.0) if beyond.any() else 0.0
    return Weights(1, neck, again, strange, joined, enclosed, alone, gap, clear, unseen, rest, (alone - unseen) * long)


def _window(box: FloatArray, patches: Reading) -> tuple[slice, slice]:
    """Rows and columns of the pixels of `patches` that `box` (4,), of the picture, reaches, one at least."""
    height, width = patches.owner.shape
    left, top, right, bottom = box * patches.scale + (1e-6, 1e-6, -1e-6, -1e-6)
    first = min(max(int(top), 0), height - 1), min(max(int(left), 0), width - 1)
    last = min(math.ceil(bottom), height), min(math.ceil(right), width)
    return slice(first[0], max(last[0], first[0] + 1)), slice(first[1], max(last[1], first[1] + 1))


def _clear(pixels: Field) -> float:
    """The logarithm of how clear those (n,) are."""
    return float(np.log(pixels.mean() + 0.1))


def _clearest(box: FloatArray, patches: Patches) -> float:
    """That of the clearest quarter of the pixels of `box` (4,)."""
    pixels = np.sort(patches.clear[_window(box, patches)], axis=None)
    return _clear(pixels[pixels.size * 3 // 4 :])


def _apart(box: FloatArray, patches: Patches) -> float:
    """How far the nearest pixel of one of the `patches` whose box is larger than `box` (4,) is from it, in pixels."""
    larger = np.array([False, *(areas_of(patches.boxes) > areas_of(box[None]))])
    y, x = (np.nonzero(larger[patches.owner]) + np.array([[0.5]])) / patches.scale
    gaps = np.maximum(np.maximum(box[0] - x, x - box[2]), np.maximum(box[1] - y, y - box[3])).clip(0)
    return float(gaps.min(initial=GROUPS.far * (box[2:] - box[:2]).max()))


def _hull(boxes: FloatArray) -> FloatArray:
    """(4,): the box around `boxes` (n, 4)."""
    return np.concatenate([boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)])


def _neck(mask: BoolArray, boxes: FloatArray) -> float:
    """The logarithm of the length along which `boxes` (n, 4) divide the pixels of `mask` (h, w), each of which is the
    nearest one's by that one's size, for each of the n - 1 cuts, by the side of the smallest part."""
    y, x = np.nonzero(mask)
    middles, halves = (boxes[:, :2] + boxes[:, 2:]) / 2, np.maximum((boxes[:, 2:] - boxes[:, :2]) / 2, 1)
    far = [
        np.maximum(abs(x + 0.5 - at[0]) / half[0], abs(y + 0.5 - at[1]) / half[1])
        for at, half in zip(middles, halves, strict=True)
    ]
    part = np.zeros(mask.shape, dtype=np.int64)
    part[y, x] = np.argmin(far, axis=0) + 1
    sides = (part[1:], part[:-1]), (part[:, 1:], part[:, :-1])
    length = sum(int(((one > 0) & (other > 0) & (one != other)).sum()) for one, other in sides)
    smallest = max(int(np.bincount(part.ravel(), minlength=len(boxes) + 1)[1:].min()), 1)
    return float(np.log(length / np.sqrt(smallest) / (len(boxes) - 1) + 0.1))


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
