"""Patches: pixels that are joined to each other and unlike the ground, whatever colours they have.

Colours are Lab, with 16 added to lightness: less light is then a factor of all three. The ground is a quadric: a colour
that changes smoothly, as in uneven light. Shapes: a picture of H × W pixels.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.bridge.finding.instances import Reading, boxes_of
from predinet_prolog.bridge.scene import BoolArray, FloatArray, IntArray
from predinet_prolog.domains.domain import Pixels
from predinet_prolog.domains.pixels import median, quantile
from predinet_prolog.imaging import ndimage
from predinet_prolog.neural.glimpses.ground import clearest
from predinet_prolog.neural.glimpses.scales import resized

Field = NDArray[np.float32]
EIGHT = np.ones((3, 3), dtype=bool)
"""Pixels are joined to all eight around them."""


@dataclass(frozen=True)
class Look:
    """How finely patches are looked for."""

    most: int = 400
    """Pixels along the long side: up to four times as fine as the network; 512 found no more and took twice as long."""
    least: float = 1e-4
    fewest: int = 8
    """A smaller share of the picture is no patch, nor are fewer pixels."""
    near: float = 2.0
    """Pixels on either side within which an edge is sought at the picture's own."""
    edge: float = 0.4
    """Share of what changes near an edge that has changed there: of soft edges a half lies within."""
    blur: float = 0.7
    """Deviation at the most pixels, in pixels: takes a camera's noise off, and no gap of two pixels."""


@dataclass(frozen=True)
class Fit:
    """How the ground is found: from the rim first, then from all that is near."""

    rim: float = 0.02
    """Share of the shorter side."""
    samples: int = 3000
    """Of the inner pixels."""
    outer: tuple[float, float] = (25.0, 5.0)
    inner: tuple[float, float] = (12.0, 4.0)
    """How far in Lab a pixel may be from the ground of the round before until it hardly counts: in the first round, in
    the last. Of the rim many may be things."""
    rounds: int = 6
    stiff: float = 1e-4
    """Weight on slopes, tenfold on curvature, by sample: a ground that is hardly seen is even."""


@dataclass(frozen=True)
class Unlike:
    """What is unlike the ground, in spreads of the ground."""

    least: tuple[float, float, float] = (1.5, 2.0, 2.0)
    """A spread is at least this much: JPEG leaves so much in an even ground, most of it in colours."""
    low: float = 2.5
    high: float = 10.0
    """Every pixel of a patch, and its clearest one."""
    edge: tuple[float, int, float] = (0.45, 2, 4.0)
    halo: tuple[float, int, float] = (0.15, 8, 2.5)
    """Near ground, a pixel has this share of the clearest one so many pixels around: less is a mixture of both at an
    edge, or what JPEG leaves in its block. Ground is near where something is less than the last number: in a gap of
    two pixels, and beside a part of nearly its colour."""

    blocks: int = 40
    calm: float = 0.1
    """The ground's texture is the furthest pixel of a block, so many of which lie along the long side, such that this
    share of them has no further one: things may cover the others."""


@dataclass(frozen=True)
class Shadow:
    """A patch that is but the ground in other light, without a steep rim: a shadow, or what is bright beside one."""

    darkest: float = 0.7
    """In Lab, of the ground: half its light or more. Where it is brighter, the inverse."""
    steep: float = 0.5
    """At the rim of a thing, so much of its depth is passed …"""
    within: int = 5
    """… within so many pixels."""
    line: float = 3.0
    """What is narrower than that, and darker by so many spreads than what lies beside it, is an outline."""


@dataclass(frozen=True)
class Join:
    """Pieces of one thing that a highlight or a thin part of the ground's colour divides."""

    cleft: int = 200
    """Pixels of the long side for each that a cleft is wide, on either side: small pictures have none."""
    part: float = 0.25
    """A piece of so much of the largest one beside it is a thing of its own."""
    room: float = 2.0
    """What holds so many times its own pixels of others is a frame: what is near it is no piece of it."""


@dataclass(frozen=True)
class Even:
    """Even parts of a picture are judged by their means, which noise hardly moves: so a pale part of a thing on a pale
    ground is told from that. In Lab."""

    step: float = 1.5
    """Neighbours in it differ by less than this in each channel."""
    least: float = 3.0
    coarse: float = 3.0
    clear: float = 5.0
    """Its mean is so far from the ground, by so many of its spreads, too; beside nothing clearer it is so far."""
    varied: float = 2.5
    """And so many of its own deviations: a shadow inside a frame becomes deeper."""
    fewest: int = 40
    rim: int = 3
    share: float = 0.5
    """So many pixels around it that are this share of its mean from the ground are its edge."""
    held: tuple[float, float] = (0.4, 1.0)
    """What an outline holds is its thing's if by hue or as brighter it is off the ground by the second times the sum of
    the first and the spread. By hue rings had .75 at most, pale cards 1.3; as brighter .38, most white cards 1."""


LOOK, FIT, UNLIKE, SHADOW, JOIN, EVEN = Look(), Fit(), Unlike(), Shadow(), Join(), Even()


@dataclass(frozen=True, eq=False)
class Patches(Reading):
    """Those of a picture."""

    clear: Field
    """(h, w): how far from the ground each pixel is, beside what its texture is: below 1 it may be the ground's."""


def patches_of(
    picture: Pixels, *, unlike: Unlike = UNLIKE, shadow: Shadow | None = SHADOW, join: Join | None = JOIN
) -> Patches:
    """Those of `picture` (H, W, 3), 0–255, but for crumbs."""
    small = resized(picture, min(LOOK.most / max(picture.shape[:2]), 1.0))
    long = max(small.shape[:2])
    colours = lab(small)
    ground, spread = ground_of(colours)
    blur = LOOK.blur * long / LOOK.most
    colours = ndimage.gaussian_filter(colours, (0, blur, blur)) if long > LOOK.most / 2 else colours
    hue, light = distances(colours, ground, np.maximum(spread, unlike.least).astype(np.float32), SHADOW.darkest)
    strength = np.hypot(hue, light)
    clear = strength > unlike.high
    foreground = _clear((strength > unlike.low) & _inner(strength, unlike), clear)
    if shadow is not None:
        foreground = _clear(foreground & ~_soft(foreground, hue > unlike.low, light, shadow), clear)
    even, clear = _even(colours, ground, spread)
    foreground = _filled(_clear(foreground | even, foreground | clear), colours, ground, spread)
    owner, count = ndimage.label(foreground, EIGHT)
    cleft = round(long / join.cleft) if join is not None else 0
    owner = _joined(owner, cleft, join) if join is not None and cleft and count > 1 else owner
    areas = np.bincount(owner.ravel())
    large = areas >= max(LOOK.fewest, LOOK.least * owner.size)
    large[0] = False
    owner = np.where(large, np.cumsum(large), 0)[owner]
    scale = long / max(picture.shape[:2])
    beside = (strength / (1 + _texture(strength, unlike))).astype(np.float32)
    return Patches(refined(picture, boxes_of(owner) / scale, scale), owner, scale, beside)


def refined(picture: Pixels, boxes: FloatArray, scale: float) -> FloatArray:
    """`boxes` (n, 4) of what was found at that scale, each side where the picture's own pixels change by a share of
    what they change by near there; those of a picture that was not reduced are exact."""
    if scale == 1:
        return boxes
    refined, reach = boxes.round().clip(0, np.tile(picture.shape[1::-1], 2)), math.ceil(LOOK.near / scale)
    size = picture.shape[1::-1]
    for box in refined:
        for axis, low, high in ((0, 0, 2), (0, 2, 0), (1, 1, 3), (1, 3, 1)):
            across = slice(int(box[1 - axis]), int(box[3 - axis]))
            inwards = 1 if low < high else -1
            first = int(box[low]) - inwards * reach - (inwards < 0)
            lines = first + inwards * np.arange(2 * reach + 1)
            lines = lines[(lines >= 0) & (lines < size[axis])]
            if len(lines) <= 2 * reach:
                continue  # the picture's edge is near: what lies outside is not known
            strip = picture[across, lines].swapaxes(0, 1) if axis == 0 else picture[lines, across]
            change = clearest(strip - median(strip[0], axis=0)).max(axis=1)
            begins = int((change >= LOOK.edge * change.max()).argmax())
            if begins:
                box[low] = lines[begins] + (inwards < 0)
    return refined


def lab(picture: Pixels) -> Field:
    """(3, H, W): lightness plus 16, 16–116, and both colours of CIE Lab of sRGB `picture` (H, W, 3), 0–255."""
    tristimulus = _TO_XYZ @ _LINEAR[picture].reshape(-1, 3).T
    return np.asarray((_TO_LAB @ _ROOT[(tristimulus * _FINEST + 0.5).astype(np.int32)]).reshape(3, *picture.shape[:2]))


def ground_of(colours: Field) -> tuple[Field, FloatArray]:
    """(3, H, W): the ground's colour at every pixel; and (3,) how far its pixels are from that: a deviation."""
    height, width = colours.shape[1:]
    rim = max(2, round(FIT.rim * min(height, width)))
    step = max(1, round(np.sqrt(height * width / FIT.samples)))
    inner, outer = np.zeros((2, height, width), dtype=bool)
    inner[step // 2 :: step, step // 2 :: step] = True
    outer[:: max(step // 2, 1), :: max(step // 2, 1)] = True
    outer[rim:-rim, rim:-rim] = False
    down, across = _powers(height), _powers(width)
    surface = np.zeros((6, 3))
    surface[0] = median(colours[:, outer], axis=1)
    for chosen, (first, last) in ((outer, FIT.outer), (inner | outer, FIT.inner)):
        y, x = np.nonzero(chosen)
        terms, samples = down[y][:, _DOWN] * across[x][:, _ACROSS], colours[:, chosen].T.astype(np.float64)
        stiff = np.diag([1e-9, 1, 1, 10, 10, 10]) * FIT.stiff * len(samples)
        for reach in np.geomspace(first, last, FIT.rounds):
            off = samples - terms @ surface
            weighted = terms / (1 + ((off**2).sum(axis=1) / reach**2) ** 2)[:, None]
            surface = np.linalg.solve(weighted.T @ terms + stiff, weighted.T @ samples)
    off = samples - terms @ surface
    residual = off[(off**2).sum(axis=1) < FIT.inner[0] ** 2]
    spread = 1.4826 * median(np.abs(residual - median(residual, axis=0)), axis=0) if len(residual) else np.ones(3)
    factors = np.zeros((3, 3, 3))
    factors[:, _DOWN, _ACROSS] = surface.T
    return (down @ factors @ across.T).astype(np.float32), spread


def _powers(length: int) -> FloatArray:
    """(length, 3): of places from -0.5 to 0.5, the noughth to the second."""
    return np.asarray(((np.arange(length)[:, None] + 0.5) / length - 0.5) ** np.arange(3))


def distances(colours: Field, ground: Field, spread: Field, darkest: float) -> tuple[Field, Field]:
    """(H, W) each, in spreads: how far `colours` are from the ground in whatever light, and how far that light is."""
    squared = np.maximum((ground**2).sum(axis=0), 1)
    light = np.clip((colours * ground).sum(axis=0) / squared, darkest, 1 / darkest)
    other = (colours - light * ground) / spread[:, None, None]
    return np.sqrt((other**2).sum(axis=0)), np.abs(1 - light) * np.sqrt(squared) / spread[0]


def _texture(strength: Field, unlike: Unlike) -> float:
    """How far from the ground its own pixels are, at most."""
    side = -(-max(strength.shape) // unlike.blocks)
    height, width = (length // side * side for length in strength.shape)
    blocks = strength[:height, :width].reshape(height // side, side, width // side, side).max(axis=(1, 3))
    return float(quantile(blocks, unlike.calm)) if blocks.size > 1 else 0.0


def _inner(strength: Field, unlike: Unlike) -> BoolArray:
    """(H, W): pixels that are not faint beside clearer ones, on the ground around these."""
    height, width = strength.shape
    inner = np.ones(strength.shape, dtype=bool)
    for share, reach, near in (unlike.edge, unlike.halo):
        side = reach // 2  # of blocks: filters of any reach take as long as those of two
        blocks = np.pad(strength, ((0, -height % side), (0, -width % side)), "edge")
        blocks = blocks.reshape(-(-height // side), side, -(-width // side), side)
        top = ndimage.maximum_filter(blocks.max(axis=(1, 3)), 5)
        bottom = ndimage.minimum_filter(blocks.min(axis=(1, 3)), 5)
        least = np.where(bottom > near, 0, share * top).repeat(side, axis=0).repeat(side, axis=1)
        inner &= strength >= least[:height, :width]
    return inner


def _clear(foreground: BoolArray, clear: BoolArray) -> BoolArray:
    """(H, W): those of `foreground` that are joined to one of the `clear`."""
    patches, count = ndimage.label(foreground, EIGHT)
    kept = np.zeros(count + 1, dtype=bool)
    kept[patches[foreground & clear]] = True
    return np.asarray(kept[patches])


def _even(colours: Field, ground: Field, spread: FloatArray) -> tuple[BoolArray, BoolArray]:
    """(H, W) each: pixels of even parts that are no ground, with their edges; and of those that are clearly none."""
    least = max(EVEN.least, EVEN.coarse * float(spread.max()))
    off, last = colours - ground, (colours[:, -1:], colours[:, :, -1:])
    steps = [np.abs(np.diff(colours, axis=axis, append=last[axis - 1])).max(axis=0) for axis in (1, 2)]
    parts, _ = ndimage.label(ndimage.binary_erosion(np.maximum(*steps) < EVEN.step, _BEFORE, border_value=1))
    areas, squared = np.bincount(parts.ravel()), (off**2).sum(axis=0)
    *mean, spreads = _means(parts.ravel(), np.array([*off, squared]).reshape(4, -1))
    far = np.sqrt(np.square(mean).sum(axis=0))
    varied = np.sqrt(np.maximum(spreads - far**2, 0))
    unlike = (areas >= EVEN.fewest) & (far > np.maximum(least, EVEN.varied * varied))
    unlike[0] = False
    faintest = ndimage.maximum_filter(np.where(unlike, 1 / np.maximum(far, 1), 0)[parts], 2 * EVEN.rim + 1)
    return np.sqrt(squared) * faintest > EVEN.share, np.asarray((unlike & (far > EVEN.clear))[parts])


def _means(parts: IntArray, channels: NDArray[np.floating], count: int = 0) -> FloatArray:
    """(k, parts): means of `channels` (k, n) over each of the numbered `parts` (n,), `count` + 1 at least."""
    areas = np.maximum(np.bincount(parts, minlength=count + 1), 1)
    return np.array([np.bincount(parts, channel, count + 1) / areas for channel in channels])


def _filled(foreground: BoolArray, colours: Field, ground: Field, spread: FloatArray) -> BoolArray:
    """(H, W): `foreground` and what outlines hold that is brighter or of another hue than the largest rest."""
    parts, count = ndimage.label(~foreground)
    parts[parts == np.bincount(parts.ravel(), ~foreground.ravel()).argmax()] = 0
    inner = ndimage.binary_erosion(parts, iterations=EVEN.rim, border_value=1)
    mean, bare = (
        _means(parts[inner], field[:, inner], count)[:, None].astype(np.float32) for field in (colours, ground)
    )
    (hue,), _ = distances(mean, bare, np.full(3, EVEN.held[0] + spread[1:].max(), np.float32), SHADOW.darkest)
    lighter = (mean - bare)[0, 0] / (EVEN.held[0] + spread[0])
    held = (np.maximum(hue, lighter) > EVEN.held[1]) & (np.bincount(parts[inner], minlength=count + 1) >= EVEN.fewest)
    return np.asarray(foreground | held[parts])


def _soft(foreground: BoolArray, sure: BoolArray, light: Field, shadow: Shadow) -> BoolArray:
    """(H, W): pixels of those patches of `foreground` that are the ground in other light, which lose little of their
    depth at their rims; where they lie against an outline or what is `sure` is no rim."""
    low = ndimage.minimum_filter(light, shadow.within)
    sure = sure | (light - ndimage.maximum_filter(low, shadow.within) > shadow.line)
    dim, step = foreground & ~sure, ndimage.maximum_filter(light, shadow.within) - low
    patches, count = ndimage.label(dim, EIGHT)
    rim = dim & ndimage.binary_dilation(~(dim | sure), EIGHT) & ~ndimage.binary_dilation(sure, EIGHT, 2)
    numbers, depth = patches[rim], np.zeros(count + 1, dtype=np.float32)
    np.maximum.at(depth, patches[dim], light[dim])
    rims, steps = np.bincount(numbers, minlength=count + 1), np.bincount(numbers, step[rim], minlength=count + 1)
    return np.asarray(((rims > 0) & (steps < shadow.steep * depth * rims))[patches])


def _joined(pieces: IntArray, cleft: int, join: Join) -> IntArray:
    """(H, W): `pieces`, those small ones joined to the largest that only a cleft parts from it, but for frames."""
    areas = np.bincount(pieces.ravel())
    least = (1 + join.room) * areas
    heres = ((number, pieces[window] == number) for number, window in enumerate(ndimage.find_objects(pieces), 1))
    filled = [here.size > least[n] and ndimage.binary_fill_holes(here).sum() > least[n] for n, here in heres]
    frames = np.array([False, *filled])
    solid = (pieces > 0) & ~frames[pieces]
    closed = ndimage.binary_closing(np.pad(solid, cleft), iterations=cleft)[cleft:-cleft, cleft:-cleft]
    wholes, count = ndimage.label((closed | solid) & ~frames[pieces], EIGHT)
    whole = np.zeros(len(areas), dtype=np.int64)
    whole[pieces.ravel()] = wholes.ravel()
    order = np.argsort(areas[1:], kind="stable") + 1
    largest = np.zeros(count + 1, dtype=np.int64)
    largest[whole[order]] = order
    numbers = np.where(~frames & (areas < join.part * areas[largest[whole]]), largest[whole], np.arange(len(areas)))
    numbers[0] = 0
    return np.asarray(numbers[pieces])


_BEFORE = np.array([[0, 1, 0], [1, 1, 0], [0, 0, 0]])
"""A pixel, and those above and before it."""
_DOWN, _ACROSS = [0, 0, 1, 0, 1, 2], [0, 1, 0, 2, 1, 0]
"""Powers of a quadric's six terms."""
_SAMPLES = np.arange(256) / 255
_LINEAR = np.where(_SAMPLES <= 0.04045, _SAMPLES / 12.92, ((_SAMPLES + 0.055) / 1.055) ** 2.4).astype(np.float32)
_WHITE = np.array([0.9505, 1, 1.089])
_TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) / _WHITE[:, None]
_TO_XYZ = _TO_XYZ.astype(np.float32)
_FINEST = 4096
"""Steps of a table of roots: a cube root for every sample takes as long as all else that is told of a picture."""
_STEPS = np.arange(_FINEST + 8) / _FINEST
_ROOT = np.where(_STEPS > 0.008856, np.cbrt(_STEPS), 7.787 * _STEPS + 16 / 116).astype(np.float32)
_TO_LAB = np.array([[0, 116, 0], [500, -500, 0], [0, 200, -200]], dtype=np.float32)
