"""Axes come from pentominoes alone, clusters are measured as said, and the claims about them."""

from collections.abc import Callable

import numpy as np
import pytest

from predinet_prolog.domains.relations_game import generate
from predinet_prolog.experiments import pca
from predinet_prolog.experiments.axes import clusters, project, separation
from predinet_prolog.experiments.heads import head_outputs
from predinet_prolog.neural import RelationsNetwork

pytestmark = pytest.mark.slow(3)

RNG = np.random.default_rng(3)


def test_all_images_are_projected_onto_the_axes_of_pentominoes_alone() -> None:
    points = RNG.normal(size=(211, 5)).astype(np.float32) * np.array([1, 7, 2, 3, 1], np.float32)
    rows = {"pentos": points, "hexos": 50 + 9 * RNG.normal(size=(97, 5)).astype(np.float32)}
    found = project("pentos", rows)
    directions = np.linalg.svd(points.astype(np.float64) - points.mean(0), full_matrices=False)[2][:2]
    for name, given in rows.items():
        expected = (given - points.mean(0)) @ directions.T
        np.testing.assert_allclose(np.abs(found.points[name]), np.abs(expected), rtol=1e-3, atol=1e-3)
    assert found.explained == project("pentos", {"pentos": points}).explained


def test_every_head_has_axes_of_its_own(tiny: Callable[..., RelationsNetwork]) -> None:
    images = {name: generate("colour_and_or_shape", 30, objects=name, seed=1).render() for name in ("pentos", "hexos")}
    given = {name: head_outputs(tiny("attention"), pixels) for name, pixels in images.items()}
    found = pca.projections(given)
    assert list(found) == ["whole", "0", "1", "2"]
    only_second = project("pentos", {name: rows[:, 1] for name, rows in given.items()})
    np.testing.assert_allclose(found["1"].points["hexos"], only_second.points["hexos"], rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize(("architecture", "weight"), [("attention", "W_V"), ("predinet", "W_Q1")])
def test_heads_are_parts_of_the_whole_output(
    tiny: Callable[..., RelationsNetwork], architecture: str, weight: str
) -> None:
    """What is changed of the second head's values or query changes what that head gives, and no other."""
    images = generate("colour_and_or_shape", 4, seed=1).render()
    network = tiny(architecture)
    before = head_outputs(network, images)
    weights = getattr(network.central, weight)
    weights.view(len(weights), 3, -1)[:, 1] += 1.0
    after = head_outputs(network, images)
    np.testing.assert_array_equal(after[:, [0, 2]], before[:, [0, 2]])
    assert not np.allclose(after[:, 1], before[:, 1])


def test_places_tell_labels_that_cluster_and_no_others() -> None:
    labels = RNG.integers(4, size=800)
    corners = np.array([[0, 0], [9, 0], [0, 9], [9, 9]])[labels]
    apart = (corners + RNG.normal(size=(800, 2))).astype(np.float32)
    strewn = RNG.normal(size=(800, 2)).astype(np.float32)
    assert separation(apart[:400], labels[:400], apart[400:], labels[400:]) > 0.99
    assert 0.15 < separation(strewn[:400], labels[:400], strewn[400:], labels[400:]) < 0.35


def cross(angle: float, width: float) -> tuple[np.ndarray, np.ndarray]:
    """Equal pairs in the middle; pairs that differ in shape along x, in colour along a line at `angle` degrees."""
    labels = np.arange(2_000) % 4
    along, across = RNG.normal(size=2_000) * 5, RNG.normal(size=2_000) * width
    turn = np.radians(np.where(labels == 2, angle, 0.0))
    points = np.stack([along * np.cos(turn) - across * np.sin(turn), along * np.sin(turn) + across * np.cos(turn)], 1)
    points[labels == 0] = RNG.normal(size=(500, 2)) * 0.01
    points[labels == 3] = RNG.normal(size=(500, 2)) * 5
    return points.astype(np.float32), labels


@pytest.mark.parametrize(
    ("angle", "width", "separate"), [(90, 0.5, True), (100, 0.5, True), (20, 0.5, False), (90, 5, False)]
)
def test_separate_axes(angle: float, width: float, separate: bool) -> None:
    points, labels = cross(angle, width)
    found = clusters(points, labels, points, labels)
    columns = {name: np.array([value]) for name, value in found.items()}
    assert pca.on_separate_axes(columns).tolist() == [separate]
    moved = clusters(points + 30, labels, points + 30, labels)
    assert moved["angle"] == pytest.approx(found["angle"], abs=0.5), "directions are from where equal pairs lie"
    if width < 1:
        assert found["angle"] == pytest.approx(min(angle, 180 - angle), abs=2)
        assert found["shape_line"] == pytest.approx(25 / 25.25, abs=0.01)
