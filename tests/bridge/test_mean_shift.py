"""The batched mean shift against scikit-learn's, one set at a time."""

import numpy as np
import pytest
import torch
from sklearn.cluster import MeanShift

from bridge.mean_shift import mean_shift

SETS, MASKS, WINDOWS = 11, 29, 23


def masks(sharpness: float, seed: int) -> torch.Tensor:
    """Softmax masks scattered about a few shared places, as a trained network's are: (SETS, MASKS, WINDOWS)."""
    generator = torch.Generator().manual_seed(seed)
    places = torch.randn(SETS, 5, WINDOWS, generator=generator) * sharpness
    chosen = torch.randint(0, 5, (SETS, MASKS), generator=generator)
    logits = places.gather(1, chosen[..., None].expand(-1, -1, WINDOWS))
    return (logits + 0.5 * torch.randn(SETS, MASKS, WINDOWS, generator=generator)).softmax(-1)


@pytest.mark.parametrize("bandwidth", [0.2, 0.5, 0.9])
@pytest.mark.parametrize("sharpness", [0.5, 2.0, 4.0, 8.0])
def test_same_labels_and_centres_as_scikit_learn(sharpness: float, bandwidth: float) -> None:
    points = masks(sharpness, seed=int(10 * sharpness))
    labels, centres = mean_shift(points, bandwidth=bandwidth)
    for index in range(SETS):
        reference = MeanShift(bandwidth=bandwidth).fit(points[index].double().numpy())
        assert labels[index].tolist() == reference.labels_.tolist()
        own = centres[index][~centres[index].isnan().any(-1)]
        np.testing.assert_allclose(own, reference.cluster_centers_, atol=1e-6)


def test_sets_of_a_batch_do_not_influence_each_other() -> None:
    points = masks(4.0, seed=1)
    whole, _ = mean_shift(points, bandwidth=0.5)
    for index in range(SETS):
        alone, _ = mean_shift(points[index : index + 1], bandwidth=0.5)
        assert alone[0].tolist() == whole[index].tolist()


def test_moving_every_point_moves_the_centres_and_keeps_the_labels() -> None:
    points = masks(4.0, seed=2).double()
    labels, centres = mean_shift(points, bandwidth=0.5)
    moved_labels, moved_centres = mean_shift(points + 3.0, bandwidth=0.5)
    assert moved_labels.equal(labels)
    torch.testing.assert_close(moved_centres - 3.0, centres, equal_nan=True)


def test_one_point_is_its_own_cluster() -> None:
    labels, centres = mean_shift(torch.tensor([[[0.25, 0.75]]]), bandwidth=0.5)
    assert labels.tolist() == [[0]]
    assert centres.tolist() == [[[0.25, 0.75]]]


def test_equal_points_are_one_cluster_and_the_densest_comes_first() -> None:
    points = torch.tensor([[[0.0, 1.0], [1.0, 0.0], [1.0, 0.0], [1.0, 0.0]]])
    labels, _ = mean_shift(points, bandwidth=0.5)
    assert labels.tolist() == [[1, 0, 0, 0]]
