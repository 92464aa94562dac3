"""The batched mean shift against scikit-learn's, one set at a time."""

import sys

import numpy as np
import numpy.typing as npt
import pytest
from scipy.special import softmax
from sklearn.cluster import MeanShift

from bridge.mean_shift import mean_shift

SETS, MASKS, WINDOWS = 11, 29, 23
Floats = npt.NDArray[np.float64]


def masks(sharpness: float, seed: int, *, sets: int = SETS, number: int = MASKS) -> Floats:
    """Softmax masks scattered about a few shared places, as a trained network's are: (sets, number, WINDOWS)."""
    random = np.random.default_rng(seed)
    places = random.normal(size=(sets, 5, WINDOWS)) * sharpness
    chosen = random.integers(0, 5, (sets, number))
    logits = np.take_along_axis(places, chosen[..., None], axis=1) + 0.5 * random.normal(size=(sets, number, WINDOWS))
    return np.asarray(softmax(logits, axis=-1))


def compare(points: Floats, bandwidth: float) -> None:
    """Labels and centres of every set are scikit-learn's."""
    labels, centres = mean_shift(points, bandwidth=bandwidth)
    for own, own_labels, own_centres in zip(points, labels, centres, strict=True):
        reference = MeanShift(bandwidth=bandwidth).fit(own)
        assert own_labels.tolist() == reference.labels_.tolist()
        there = ~np.isnan(own_centres).any(-1)
        np.testing.assert_allclose(own_centres[there], reference.cluster_centers_, atol=1e-12)


@pytest.mark.parametrize("bandwidth", [0.2, 0.5, 0.9])
@pytest.mark.parametrize("sharpness", [0.5, 2.0, 4.0, 8.0])
def test_same_labels_and_centres_as_scikit_learn(sharpness: float, bandwidth: float) -> None:
    compare(masks(sharpness, seed=int(10 * sharpness)), bandwidth)


@pytest.mark.parametrize("number", [1, 7, 8, 9, 63, 64, 65, 131])
def test_any_number_of_points_at_the_edges_of_bytes_and_words(number: int) -> None:
    """Most are alone in their reach, so that every place of a word is the only bit set in some row."""
    compare(masks(1.0, seed=number, sets=1, number=number), 0.05)
    compare(masks(4.0, seed=number, sets=1, number=number), 0.3)


def test_blocks_of_sets_give_what_all_at_once_do(monkeypatch: pytest.MonkeyPatch) -> None:
    points = masks(4.0, seed=3)
    labels, centres = mean_shift(points, bandwidth=0.3)
    monkeypatch.setattr(sys.modules["bridge.mean_shift"], "BLOCK", 3 * MASKS**2)
    in_blocks, centres_in_blocks = mean_shift(points, bandwidth=0.3)
    assert in_blocks.tolist() == labels.tolist()
    np.testing.assert_allclose(centres_in_blocks, centres, atol=1e-15)


def test_a_seed_that_rests_at_once_and_one_that_goes_on_from_the_same_points() -> None:
    """Both see all three points. The middle one is at their mean already; the others move there, and see no less."""
    compare(np.array([[[0.0, 0.0], [0.3, 0.0], [-0.3, 0.0]]]), 0.6)
    # Here the mean sees a fourth point: only the seed that was not there already goes on to the mean of four.
    compare(np.array([[[0.0, 0.0], [0.5, 0.0], [-0.5, 0.0004], [0.0, 0.9]]]), 0.9)


def test_sets_of_a_batch_do_not_influence_each_other() -> None:
    points = masks(4.0, seed=1)
    whole, _ = mean_shift(points, bandwidth=0.5)
    for index in range(SETS):
        alone, _ = mean_shift(points[index : index + 1], bandwidth=0.5)
        assert alone[0].tolist() == whole[index].tolist()


def test_moving_every_point_moves_the_centres_and_keeps_the_labels() -> None:
    points = masks(4.0, seed=2)
    labels, centres = mean_shift(points, bandwidth=0.5)
    moved_labels, moved_centres = mean_shift(points + 3.0, bandwidth=0.5)
    assert moved_labels.tolist() == labels.tolist()
    np.testing.assert_allclose(moved_centres - 3.0, centres, atol=1e-12)


def test_one_point_is_its_own_cluster() -> None:
    labels, centres = mean_shift(np.array([[[0.25, 0.75]]]), bandwidth=0.5)
    assert labels.tolist() == [[0]]
    assert centres.tolist() == [[[0.25, 0.75]]]


def test_equal_points_are_one_cluster_and_the_densest_comes_first() -> None:
    points = np.array([[[0.0, 1.0], [1.0, 0.0], [1.0, 0.0], [1.0, 0.0]]])
    labels, _ = mean_shift(points, bandwidth=0.5)
    assert labels.tolist() == [[1, 0, 0, 0]]
