"""What is on a thing: a thing is looked into as if it were a picture of its own, whose ground the thing is.

What has four straight sides, as a card, is laid straight before: however it was printed or put down, the same is on it.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from predinet_prolog.bridge.finding.dividing import GROUPS
from predinet_prolog.bridge.finding.finders import Found
from predinet_prolog.bridge.finding.instances import VOTING, boxes_of
from predinet_prolog.bridge.finding.poses import Pose
from predinet_prolog.bridge.glimpses.inspecting import NOISE, noise, place_of
from predinet_prolog.bridge.glimpses.straight import Projection, laid_straight, sheets_of
from predinet_prolog.bridge.matching import areas_of, nested, shared
from predinet_prolog.bridge.scene import BoolArray, FloatArray, IntArray
from predinet_prolog.domains.domain import Inspection, Pixels
from predinet_prolog.imaging import ndimage
from predinet_prolog.neural.glimpses.config import GLIMPSE_INPUTS, SIDE
from predinet_prolog.neural.glimpses.cutting import Floats, alone, cut
from predinet_prolog.neural.glimpses.ground import Field, fit_plane, off_ground


@dataclass(frozen=True)
class Look:
    """How a thing is looked into."""

    middle: float = 0.8
    """Share of the box of what has no four sides, in both directions, that is looked into: beyond may be its ground."""
    least: int = 24
    """Pixels along a side of what is looked into, at least: in less, nothing is found."""
    faint: float = 16.0
    clear: float = 0.4
    strongest: float = 0.995
    """A mark differs from what it is on by so many grey levels, and by that share of what all but dirt is below, …"""
    fewest: int = 20
    """… in so many joined pixels."""
    edge: float = 1.0
    """What comes so near to the edge of what is looked into, in pixels, goes on beyond it: it is not on the thing."""
    frame: float = 0.85
    """What reaches over so much of both sides is printed around the others, not one of them."""
    speck: float = 0.35
    """What is shorter than this share of the longest beside it is dirt."""
    like: float = 0.2
    """Touching ones are as high as usual but for this share …"""
    seam: float = 0.6
    """… and touch over so much of their height, at most."""
    alike: float = 0.5
    """What is on one thing lies nearer to each other than this on every axis, as networks learn: else it is unsure."""
    cut: float = 0.2
    """What goes on beyond the edge over so much of the short side may be cut off: how many there are is unsure."""


LOOK = Look()


class Inside(NamedTuple):
    """The m things that were found on n others."""

    boxes: FloatArray
    """(m, 4): in pixels of the picture."""
    host: IntArray
    """(m,): the thing that each is on, ascending; on each in any order."""
    glimpses: Floats
    """(m, 7, SIDE, SIDE)"""
    straight: BoolArray
    """(n,): which of the others were laid straight."""
    unsure: BoolArray
    """(n,): on which of them something may be cut off."""
    noise: float | None
    """Grey levels on the others, the median deviation; None: none was looked into."""


def look_inside(picture: Pixels, boxes: FloatArray) -> Inside:
    """What is on each of the things of `picture` (H, W, 3) in `boxes` (n, 4)."""
    straight, unsure = np.zeros((2, len(boxes)), dtype=bool)
    views: list[tuple[int, Pixels, Projection, Field, FloatArray]] = []
    for host, box in enumerate(boxes):
        laid = laid_straight(picture, box)
        straight[host] = laid is not None
        middle, back = laid or _middle(picture, box)
        if min(middle.shape[:2]) >= LOOK.least:
            off = off_ground(middle, fit_plane(middle))
            marks, unsure[host] = _marks(off)
            views.append((host, middle, back, off, marks))
    sizes = [np.zeros((1, 2)), *(_sides(marks) / len(middle) for _, middle, _, _, marks in views)]
    usual = np.median(np.concatenate(sizes), axis=0)
    boxes_inside: list[FloatArray] = [np.zeros((0, 4))]
    glimpses: list[Floats] = [np.zeros((0, GLIMPSE_INPUTS, SIDE, SIDE), np.float32)]
    hosts: list[int] = []
    for host, middle, back, off, joined in views:
        marks = _divided(off, joined, usual * len(middle)) if straight[host] else joined
        printed = cut(middle, fit_plane(middle), marks)
        glimpses.append(alone(printed, printed[:, 6]))
        boxes_inside.append(_moved(marks, back))
        hosts += [host] * len(marks)
    level = float(np.median([noise(middle) for _, middle, *_ in views])) if views else None
    here = np.concatenate(boxes_inside), np.array(hosts, dtype=np.int64), np.concatenate(glimpses)
    return Inside(*here, straight, unsure, level)


def _sides(boxes: FloatArray) -> FloatArray:
    """(n, 2): width and height of `boxes` (n, 4)."""
    return boxes[:, 2:] - boxes[:, :2]


def _divided(off: Field, marks: FloatArray, usual: FloatArray) -> FloatArray:
    """`marks` (m, 4) on a thing from which pixels are so far `off` (h, w); several in a row that touch each other are
    so many, each about as large as is `usual` (2,) on the things of the picture."""
    parts: list[FloatArray] = [np.zeros((0, 4))]
    for mark, (width, height) in zip(marks, _sides(marks), strict=True):
        left, top, right, bottom = mark.astype(int)
        count = round(width / max(usual[0], 1))
        here = off[top:bottom, left:right]
        ends = np.linspace(mark[0], mark[2], count + 1) if count > 1 else mark[[0, 2]]
        seams = ((here > here.max() / 2)[:, (ends[1:-1] - left).astype(int)]).mean(axis=0)
        if abs(height / max(usual[1], 1) - 1) > LOOK.like or seams.max(initial=0) > LOOK.seam:
            ends = mark[[0, 2]]
        tops = np.full((len(ends) - 1, 2), mark[[1, 3]])
        parts.append(np.stack([ends[:-1], tops[:, 0], ends[1:], tops[:, 1]], axis=1))
    return np.concatenate(parts)


def inspected(
    inspection: Inspection,
    inside: Inside,
    coordinates: FloatArray,
    boxes: FloatArray,
    pose: Pose,
    size: tuple[int, int],
) -> Inspection:
    """`inspection` of a picture that has that height and width laid in that pose, with what speaks against trusting
    what was found on the things in `boxes` (n, 4), at `coordinates` (m, j). Noise counts on these things alone: what
    they lie on may be rough."""
    if inside.noise is not None:
        inspection = replace(inspection, noise_level=(inside.noise / NOISE) ** 0.5)
    number = np.bincount(inside.host, minlength=len(boxes))
    odd = inside.unsure | ((number == 0) & number.any()) | (~inside.straight & (inside.straight.mean() > 0.5))
    for host in range(len(boxes)):
        on = coordinates[inside.host == host]
        odd[host] |= len(on) > 1 and np.ptp(on, axis=0).max() > LOOK.alike
    if inspection.score >= 1 or not odd.any():
        return inspection
    where = place_of(pose.restored_boxes(boxes[odd][:1] / np.tile(size[::-1], 2), 1, 1)[0])
    return replace(inspection, score=1.0, reason=f"not all may be seen of what is on the thing {where}")


def with_sheets(picture: Pixels, finding: Found) -> Found:
    """The `finding` with the sheets of `picture` (H, W, 3) in place of what lies on them, and without what lies in
    another thing."""
    sheets = sheets_of(picture)
    rest = finding.only(shared(finding.boxes, sheets).sum(axis=1) < GROUPS.together * areas_of(finding.boxes))
    both = replace(rest, boxes=np.concatenate([rest.boxes, sheets]))
    return both.only(outermost(both.boxes))


def outermost(boxes: FloatArray) -> BoolArray:
    """(n,): which of `boxes` (n, 4) lie in no larger one: what does is on that."""
    return np.asarray(~nested(boxes, VOTING.inside).any(axis=1))


def _middle(picture: Pixels, box: FloatArray) -> tuple[Pixels, Projection]:
    inset = (box[2:] - box[:2]) * (1 - LOOK.middle) / 2
    left, top = np.ceil(np.maximum(box[:2] + inset, 0)).astype(int)
    right, bottom = np.floor(box[2:] - inset).astype(int)
    return picture[top:bottom, left:right], np.array([[1.0, 0, left], [0, 1, top], [0, 0, 1]])


def _marks(off: Field) -> tuple[FloatArray, bool]:
    """(m, 4): what is on a thing from which pixels are so far `off` (h, w); and whether something may be cut off."""
    size, strongest = np.array(off.shape[::-1]), float(np.quantile(off, LOOK.strongest))
    joined, _ = ndimage.label(off > max(LOOK.faint, LOOK.clear * strongest), np.ones((3, 3)))
    joined[np.bincount(joined.ravel())[joined] < LOOK.fewest] = 0
    marks = boxes_of(joined)
    whole = ((marks[:, :2] > LOOK.edge) & (marks[:, 2:] < size - LOOK.edge)).all(axis=1)
    sides = _sides(marks)
    beyond = bool((sides[~whole].min(axis=1) > LOOK.cut * size.min()).any())
    marks = marks[whole & ~(sides > LOOK.frame * size).all(axis=1)]
    marks = marks[outermost(marks)]
    long = _sides(marks).max(axis=1)
    return marks[long >= LOOK.speck * long.max(initial=0)], beyond


def _moved(boxes: FloatArray, back: Projection) -> FloatArray:
    """(m, 4): boxes around what lies in `boxes` (m, 4), moved `back`."""
    corners = boxes[:, [[0, 1], [2, 1], [2, 3], [0, 3]]] @ back[:, :2].T + back[:, 2]  # (m, 4, 3)
    corners = corners[..., :2] / corners[..., 2:]
    return np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1)
