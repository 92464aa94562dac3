"""What heads attend to as symbols: by hand, beside one image after another, and clusters beside scikit-learn's."""

import numpy as np
import numpy.typing as npt
import pytest
from scipy.special import softmax
from sklearn.cluster import MeanShift

from predinet_prolog.bridge.mean_shift import mean_shift
from predinet_prolog.bridge.perceiving.heads import attended
from predinet_prolog.bridge.program import ImageInfo, facts_of
from predinet_prolog.bridge.symbols import PICKED, Windows, name_symbols

SIDE, STRIDE, SIZE = 3, 5, 11
IMAGES, MASKS_A_LOOK, RELATIONS = 13, 8, 2
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
def test_the_same_symbols_as_one_after_another(looks: int, sharpness: float) -> None:
    random = np.random.default_rng(7)
    masks = random.dirichlet(np.full(SIDE**2, 1 / sharpness), (IMAGES, looks * MASKS_A_LOOK))
    labels = random.integers(0, random.integers(1, 7, (IMAGES, 1)), masks.shape[:2])
    labels = np.stack([np.unique(own, return_inverse=True)[1] for own in labels])  # no label without a mask
    found = random.integers(0, 2, (IMAGES, SIDE**2)) * looks
    coordinates = random.normal(size=(IMAGES, SIDE**2, RELATIONS))
    boxes = random.uniform(0, 36, size=(IMAGES, SIDE**2, 4))

    given = {"windows": Windows(SIDE, STRIDE, SIZE), "masks_a_look": MASKS_A_LOOK}
    symbols, of_mask = name_symbols(masks, labels, found, coordinates, boxes, **given)  # type: ignore[arg-type]

    assert len({len(own.first_looks) for own in symbols}) > 1, "images differ in what they have"
    for index in range(IMAGES):
        expected = plainly(masks[index], labels[index], found[index], coordinates[index], boxes[index])
        things, background, looks = symbols[index]
        assert [symbol.name for symbol in things + background] == [f"ob_{number}" for number in range(len(expected))]
        assert [wanted.pop("is_thing") for wanted in expected] == [True] * len(things) + [False] * len(background)
        assert [wanted.pop("look") for wanted in expected] == list(looks)
        for number, (symbol, wanted) in enumerate(zip(things + background, expected, strict=True)):
            assert np.flatnonzero(of_mask[index] == number).tolist() == list(wanted.pop("masks"))
            for name, value in wanted.items():
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


SETS, MASKS, WINDOWS = 4, 29, 23


def masks(sharpness: float, seed: int, *, sets: int = SETS, number: int = MASKS) -> Floats:
    """Softmax masks scattered about a few shared places, as a trained network's are: (sets, number, WINDOWS)."""
    random = np.random.default_rng(seed)
    places = random.normal(size=(sets, 5, WINDOWS)) * sharpness
    chosen = random.integers(0, 5, (sets, number))
    logits = np.take_along_axis(places, chosen[..., None], axis=1) + 0.5 * random.normal(size=(sets, number, WINDOWS))
    return np.asarray(softmax(logits, axis=-1))


@pytest.mark.parametrize(("sharpness", "bandwidth"), [(0.5, 0.2), (0.5, 0.9), (2.0, 0.5), (4.0, 0.2), (8.0, 0.9)])
def test_same_labels_and_centres_as_scikit_learn(sharpness: float, bandwidth: float) -> None:
    points = masks(sharpness, seed=int(10 * sharpness))
    labels, centres = mean_shift(points, bandwidth=bandwidth)
    for own, own_labels, own_centres in zip(points, labels, centres, strict=True):
        reference = MeanShift(bandwidth=bandwidth).fit(own)
        assert own_labels.tolist() == reference.labels_.tolist()
        there = ~np.isnan(own_centres).any(-1)
        np.testing.assert_allclose(own_centres[there], reference.cluster_centers_, atol=1e-12)
