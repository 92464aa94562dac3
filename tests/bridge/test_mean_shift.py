"""The batched mean shift against scikit-learn's, one set at a time."""

import numpy as np
import numpy.typing as npt
import pytest
from scipy.special import softmax
from sklearn.cluster import MeanShift

from predinet_prolog.bridge.mean_shift import mean_shift

SETS, MASKS, WINDOWS = 4, 29, 23
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


@pytest.mark.parametrize(("sharpness", "bandwidth"), [(0.5, 0.2), (0.5, 0.9), (2.0, 0.5), (4.0, 0.2), (8.0, 0.9)])
def test_same_labels_and_centres_as_scikit_learn(sharpness: float, bandwidth: float) -> None:
    compare(masks(sharpness, seed=int(10 * sharpness)), bandwidth)
