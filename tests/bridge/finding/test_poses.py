"""A picture is laid one way before it is looked at, however it was enlarged, turned or mirrored."""

from itertools import product

import numpy as np
import pytest

from predinet_prolog.bridge.finding.poses import Pose, block_of, pose_of

WAYS = [Pose(*way) for way in product((False, True), repeat=3)]
PICTURE = np.random.default_rng(3).integers(90, 100, (97, 109, 3), dtype=np.uint8)
PICTURE[5:23, 57:96] = 200
PICTURE[50:81, 17:44] = 240


@pytest.mark.parametrize("pose", WAYS)
def test_boxes_and_parts_are_where_they_were(pose: Pose) -> None:
    laid = pose.laid(PICTURE)
    assert np.array_equal(pose.restored(laid), PICTURE)
    rows, columns = np.nonzero(laid[..., 0] == 200)
    box = np.array([[columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]], dtype=float)
    assert pose.restored_boxes(box, 97, 109).tolist() == [[57, 5, 96, 23]]
    assert pose.laid_boxes(np.array([[57.0, 5, 96, 23]]), 97, 109).tolist() == box.tolist()
    assert np.array_equal(pose_of(laid).laid(laid), pose_of(PICTURE).laid(PICTURE))


@pytest.mark.parametrize("pose", WAYS)
def test_a_picture_of_even_brightness_is_laid_one_way_too(pose: Pose) -> None:
    picture = np.full((80, 80, 3), 90, dtype=np.uint8)
    picture[10:20, 10:20] = picture[60:70, 60:70] = 200, 40, 100
    picture[10:20, 60:70] = picture[60:70, 10:20] = 100, 40, 200
    picture[36:44, 30:50, 1] = 120
    laid = pose.laid(picture)
    assert np.array_equal(pose_of(laid).laid(laid), pose_of(picture).laid(picture))


@pytest.mark.parametrize(("times", "block"), [(1, 1), (2, 2), (3, 1), (4, 4), (6, 2), (8, 1)])
def test_how_many_times_a_picture_was_enlarged(times: int, block: int) -> None:
    assert block_of(PICTURE.repeat(times, 0).repeat(times, 1)) == block


def test_what_was_enlarged_is_not_looked_at_too_small() -> None:
    assert block_of(PICTURE[:50, :50].repeat(2, 0).repeat(2, 1)) == 1
    assert block_of(PICTURE[:50, :50].repeat(4, 0).repeat(4, 1)) == 2
    assert block_of(PICTURE.repeat(2, 0)) == block_of(PICTURE.repeat(2, 1)) == 1
