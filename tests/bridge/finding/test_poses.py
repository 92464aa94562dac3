"""Things are looked for in one pose of a picture, however it was turned or mirrored."""

from itertools import product
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from predinet_prolog.bridge.finding.finders import NetworkFinder
from predinet_prolog.bridge.finding.poses import Pose, pose_of
from predinet_prolog.neural.glimpses.graph import GlimpseGraph
from tests.bridge.finding.places import heads_of, perfect

WAYS = [Pose(*way) for way in product((False, True), repeat=3)]
PICTURE = np.random.default_rng(3).integers(90, 100, (97, 109, 3), dtype=np.uint8)
PICTURE[5:23, 57:96] = 200
PICTURE[50:81, 17:44] = 240


class Leaning:
    """A graph that takes things for wider to the right and lower than they are, and doubts what is on the left."""

    def find(self, picture: NDArray[np.uint8], plane: NDArray[np.float64]) -> tuple[np.ndarray, np.ndarray]:
        places = perfect(np.where(picture[..., 0] > 150, 1 + (picture[..., 0] > 220), 0))
        places.boxes[...] += (0, 0, 9, 5)
        rows, columns = (-(-side // 16) for side in picture.shape[:2])
        return heads_of(places), np.repeat(np.linspace(3, -9, columns)[None], rows, 0)


@pytest.mark.parametrize("pose", WAYS)
def test_boxes_and_parts_are_where_they_were(pose: Pose) -> None:
    laid = pose.laid(PICTURE)
    assert np.array_equal(pose.restored(laid), PICTURE)
    rows, columns = np.nonzero(laid[..., 0] == 200)
    box = np.array([[columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]], dtype=float)
    assert pose.restored_boxes(box, 97, 109).tolist() == [[57, 5, 96, 23]]


@pytest.mark.parametrize("pose", WAYS)
def test_a_finder_that_leans_says_the_same_of_a_picture_turned_or_mirrored(pose: Pose) -> None:
    finder = NetworkFinder(cast(GlimpseGraph, Leaning()))
    upright, turned = finder.find(PICTURE), finder.find(pose.laid(PICTURE))
    assert np.array_equal(pose_of(pose.laid(PICTURE)).laid(pose.laid(PICTURE)), pose_of(PICTURE).laid(PICTURE))
    assert sorted(pose.restored_boxes(turned.boxes, 97, 109).tolist()) == sorted(upright.boxes.tolist())
    assert upright.doubt is not None
    assert turned.doubt is not None
    assert len(upright.boxes) == 2
    assert np.array_equal(pose.restored(turned.doubt), upright.doubt)
