"""What heads attend to, and the facts of it: places worked out by hand."""

import numpy as np
import pytest

from predinet_prolog.bridge.perceiving.heads import attended
from predinet_prolog.bridge.program import ImageInfo, facts_of

ROWS, COLUMNS, STRIDE = 5, 4, 8
RED, GROUND = (200, 10, 30), (7, 7, 7)


def one_hot(row: int, column: int) -> np.ndarray:
    mask = np.zeros((ROWS, COLUMNS), np.float32)
    mask[row, column] = 1
    return mask


@pytest.fixture
def facts() -> dict:
    """Two heads: both look first at a red thing in window (3, 1); then one at window (1, 2), where nothing is, and one
    at (0, 3) and its neighbour below."""
    frame = np.full((ROWS * STRIDE, COLUMNS * STRIDE, 3), GROUND, np.uint8)
    frame[22:25, 9:11] = RED
    frame[0, 21] = RED
    frame[39, 31] = RED  # where nobody looks
    spread = 0.75 * one_hot(0, 3) + 0.25 * one_hot(1, 3)
    attention = np.stack([[one_hot(3, 1), one_hot(1, 2)], [one_hot(3, 1), spread]]).astype(np.float32)
    values = np.array([[0.5, -1.5, 2.0], [3.0, 0.25, 1.0]], np.float32)
    scene = attended(attention, values, np.array([[1, 2], [3, 4], [5, 6]], np.float32), frame)
    return dict(facts_of(scene, ImageInfo("", "", *scene.size)))


def test_clusters_of_masks_are_symbols_in_order(facts: dict) -> None:
    names, x, y = facts["position"]
    assert names == ["ob_0", "ob_2", "ob_1"], "things first"
    assert x.tolist() == [24.5, 8.5, 16.5]
    assert y.tolist() == [2.5, 24.5, 8.5]
    assert facts["object"] == [["ob_0", "ob_2"]]
    assert facts["background"] == [["ob_1"]]
    assert facts["head"] == [["h0", "h1"], ["ob_2", "ob_2"], ["ob_1", "ob_0"]]
    assert [facts["r1"][0].tolist(), *facts["r1"][1:]] == [[-1.5, 0.25], ["ob_2", "ob_2"], ["ob_1", "ob_0"]]
    assert [side.tolist() for side in facts["slope"][1:]] == [[1, 3, 5], [2, 4, 6]]
