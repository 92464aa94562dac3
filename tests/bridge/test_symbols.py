"""What heads attend to as symbols: by hand, and clusters beside scikit-learn's."""

from importlib import import_module

import numpy as np
import numpy.typing as npt
import pytest
from scipy.special import softmax

from predinet_prolog.bridge.mean_shift import mean_shift
from predinet_prolog.bridge.perceiving.heads import attended
from predinet_prolog.bridge.program import ImageInfo, facts_of
from predinet_prolog.bridge.symbols import PICKED, Windows, name_symbols

SIDE, STRIDE, SIZE = 3, 5, 11
MASKS_A_LOOK, RELATIONS = 8, 2
Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


def plainly(masks: Floats, labels: Integers, found: Integers, coordinates: Floats, boxes: Floats) -> list[dict]:
    """What the symbols of one image have to be: masks (p, n), labels (p,), found (n,), coordinates (n, j)."""
    groups: dict[tuple[bool, int, int], list[int]] = {}
    for cluster in range(labels.max() + 1):
        centre = masks[labels == cluster].mean(0)
        window = int(centre.argmax())
        on_one = bool(centre[window] > PICKED)
        is_object = on_one and found[window] > 0
        groups.setdefault((not is_object, window, -1 if on_one else cluster), []).append(cluster)
    symbols = []
    for (is_background, window, _), clusters in sorted(groups.items()):
        own = np.isin(labels, clusters)
        mask = masks[own].mean(0)
        row, column = divmod(window, SIDE)
        symbols.append({
            "is_thing": not is_background,
            "x": column * STRIDE + SIZE / 2, "y": row * STRIDE + SIZE / 2,
            "window": (column * STRIDE, row * STRIDE, column * STRIDE + SIZE, row * STRIDE + SIZE),
            "look": int(own.argmax()) // MASKS_A_LOOK + 1,
            "mask": mask.reshape(SIDE, SIDE),
            "coordinates": mask @ coordinates if is_background else coordinates[window],
            "box": boxes[window],
            "masks": np.flatnonzero(own),
        })  # fmt: skip
    return symbols


@pytest.mark.parametrize("looks", [1, 3])
@pytest.mark.parametrize("sharpness", [1.0, 30.0])
@pytest.mark.parametrize("seed", range(7))
def test_the_same_symbols_as_by_hand(seed: int, looks: int, sharpness: float) -> None:
    random = np.random.default_rng(seed)
    masks = random.dirichlet(np.full(SIDE**2, 1 / sharpness), looks * MASKS_A_LOOK)
    labels = np.unique(random.integers(0, random.integers(1, 7), len(masks)), return_inverse=True)[1]
    found = random.integers(0, 2, SIDE**2) * looks
    coordinates, boxes = random.normal(size=(SIDE**2, RELATIONS)), random.uniform(0, 36, size=(SIDE**2, 4))
    wanted = plainly(masks, labels, found, coordinates, boxes)
    given = {"windows": Windows(SIDE, STRIDE, SIZE), "masks_a_look": MASKS_A_LOOK}
    things, background, first_looks, of_mask = name_symbols(masks, labels, found, coordinates, boxes, **given)
    assert [symbol.name for symbol in things + background] == [f"ob_{number}" for number in range(len(wanted))]
    assert [symbol.pop("is_thing") for symbol in wanted] == [True] * len(things) + [False] * len(background)
    assert [symbol.pop("look") for symbol in wanted] == list(first_looks)
    for number, (symbol, expected) in enumerate(zip(things + background, wanted, strict=True)):
        assert np.flatnonzero(of_mask == number).tolist() == list(expected.pop("masks"))
        for name, value in expected.items():
            np.testing.assert_allclose(getattr(symbol, name), value, atol=1e-12, err_msg=name)


ROWS, COLUMNS, HOP = 5, 4, 8
RED, GROUND = (200, 10, 30), (7, 7, 7)


def one_hot(row: int, column: int) -> np.ndarray:
    mask = np.zeros((ROWS, COLUMNS), np.float32)
    mask[row, column] = 1
    return mask


@pytest.fixture
def facts() -> dict:
    """Two heads: both look first at a red thing in window (3, 1); then one at window (1, 2), where nothing is, and one
    at (0, 3) and its neighbour below."""
    frame = np.full((ROWS * HOP, COLUMNS * HOP, 3), GROUND, np.uint8)
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
    assert (facts["object"], facts["background"]) == ([["ob_0", "ob_2"]], [["ob_1"]])
    assert facts["head"] == [["h0", "h1"], ["ob_2", "ob_2"], ["ob_1", "ob_0"]]
    assert [facts["r1"][0].tolist(), *facts["r1"][1:]] == [[-1.5, 0.25], ["ob_2", "ob_2"], ["ob_1", "ob_0"]]
    assert [side.tolist() for side in facts["slope"][1:]] == [[1, 3, 5], [2, 4, 6]]


MASKS, WINDOWS = 29, 23


@pytest.mark.parametrize(("sharpness", "bandwidth"), [(0.5, 0.2), (0.5, 0.9), (2.0, 0.5), (4.0, 0.2), (8.0, 0.9)])
@pytest.mark.parametrize("seed", range(4))
def test_same_labels_and_centres_as_scikit_learn(seed: int, sharpness: float, bandwidth: float) -> None:
    """Of softmax masks scattered about a few shared places, as a trained network's are."""
    random = np.random.default_rng(seed)
    places = random.normal(size=(5, WINDOWS)) * sharpness
    points = softmax(places[random.integers(0, 5, MASKS)] + 0.5 * random.normal(size=(MASKS, WINDOWS)), axis=-1)
    labels, centres = mean_shift(points, bandwidth=bandwidth)
    reference = import_module("sklearn.cluster").MeanShift(bandwidth=bandwidth).fit(points)  # slow to load, so late
    assert labels.tolist() == reference.labels_.tolist()
    np.testing.assert_allclose(centres, reference.cluster_centers_, atol=1e-12)
