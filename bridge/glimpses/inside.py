"""What is on a thing: each thing is looked into as if it were a picture of its own, whose ground the thing is."""

from typing import NamedTuple

import numpy as np

from predinet_prolog.bridge.finding.finders import Finder
from predinet_prolog.bridge.finding.instances import INSIDE
from predinet_prolog.bridge.matching import areas_of, shared
from predinet_prolog.bridge.scene import BoolArray, FloatArray, IntArray
from predinet_prolog.domains.domain import Pixels
from predinet_prolog.neural.glimpses.config import GLIMPSE_INPUTS, SIDE
from predinet_prolog.neural.glimpses.cutting import Floats, cut
from predinet_prolog.neural.glimpses.ground import fit_plane

MIDDLE = 0.8
"""The share of a thing's box, in both directions, that is looked into: beyond may be what the thing lies on."""
LEAST = 24
"""Pixels along a side of that, at least: in less, nothing is found."""
EDGE = 1.0
"""What comes so near to the edge of what is looked into, in pixels, goes on beyond it: it is not on the thing."""


class Inside(NamedTuple):
    """The m things that were found on others."""

    boxes: FloatArray
    """(m, 4): in pixels of the picture."""
    host: IntArray
    """(m,): the thing that each is on, ascending; on each in any order."""
    glimpses: Floats
    """(m, 7, SIDE, SIDE)"""


def look_inside(finder: Finder, picture: Pixels, boxes: FloatArray) -> Inside:
    """What is on each of the things of `picture` (H, W, 3) in `boxes` (n, 4)."""
    boxes_inside: list[FloatArray] = [np.zeros((0, 4))]
    glimpses: list[Floats] = [np.zeros((0, GLIMPSE_INPUTS, SIDE, SIDE), np.float32)]
    hosts: list[int] = []
    for host, box in enumerate(boxes):
        inset = (box[2:] - box[:2]) * (1 - MIDDLE) / 2
        left, top = np.ceil(np.maximum(box[:2] + inset, 0)).astype(int)
        right, bottom = np.floor(box[2:] - inset).astype(int)
        middle = picture[top:bottom, left:right]
        if min(middle.shape[:2]) < LEAST:
            continue
        marks = finder.find(middle).boxes
        size = np.array(middle.shape[1::-1])
        marks = marks[((marks[:, :2] > EDGE) & (marks[:, 2:] < size - EDGE)).all(axis=1)]
        marks = marks[~_on_another(marks)]
        glimpses.append(cut(middle, fit_plane(middle), marks))
        boxes_inside.append(marks + np.array([left, top, left, top]))
        hosts += [host] * len(marks)
    return Inside(np.concatenate(boxes_inside), np.array(hosts, dtype=np.int64), np.concatenate(glimpses))


def _on_another(boxes: FloatArray) -> BoolArray:
    """(m,): which of `boxes` (m, 4) lie in a larger one: they are on that, or a piece of it."""
    areas = areas_of(boxes)
    return np.asarray(
        ((shared(boxes, boxes) > INSIDE * areas[:, None]) & (areas[:, None] < areas[None, :])).any(axis=1)
    )
