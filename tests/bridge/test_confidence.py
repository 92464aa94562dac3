"""The curve of confidence: what it is at its ends, and that the fit finds what made the pairs."""

import numpy as np
import pytest

from predinet_prolog.bridge.confidence import Curve, fit_both_sides, fit_curve, part


def test_the_curve_falls_from_one_end_to_the_other_through_one_half() -> None:
    curve = Curve(threshold=0.2, steepness=4.0, doubt=0.01)
    distances = np.array([0.0, 0.1, 0.2, 0.4, 1e9])
    told = curve(distances)
    assert (told[0], told[2], told[-1]) == (pytest.approx(0.99), pytest.approx(0.5), pytest.approx(0.01))
    assert (np.diff(told) < 0).all()


def test_the_fit_finds_the_curve_that_made_the_pairs() -> None:
    random = np.random.default_rng(0)
    true = Curve(threshold=0.3, steepness=5.0, doubt=0.02)
    distances = np.exp(random.uniform(np.log(0.01), np.log(3.0), 200_000))
    holds = random.random(len(distances)) < true(distances)
    # The classes weigh the same in the fit: draw as many of each.
    count = min(holds.sum(), (~holds).sum())
    found = fit_curve(distances[holds][:count], distances[~holds][:count], 0.3)
    assert (found.steepness, found.doubt) == (pytest.approx(5.0, rel=0.1), pytest.approx(0.02, abs=0.01))


def test_alike_and_unlike_pairs_weigh_the_same_however_many_there_are() -> None:
    random = np.random.default_rng(5)
    alike, unlike = random.lognormal(-1.5, 0.5, 400), random.lognormal(0.0, 0.5, 400)
    curve = fit_curve(alike, unlike, 0.5)
    assert 1 < curve.steepness < 10, "none of the bounds"
    for more_alike, more_unlike in ((alike, np.tile(unlike, 20)), (np.tile(alike, 20), unlike)):
        found = fit_curve(more_alike, more_unlike, 0.5)
        assert found.steepness == pytest.approx(curve.steepness, rel=0.03)
        assert found.doubt == pytest.approx(curve.doubt, rel=0.03)


def test_pairs_that_no_distance_tells_apart_leave_doubt() -> None:
    """A tenth of the alike pairs lie as far as unlike ones do."""
    random = np.random.default_rng(2)
    unlike = random.uniform(1.0, 2.0, 5_000)
    alike = np.where(random.random(5_000) < 0.1, random.uniform(1.0, 2.0, 5_000), 0.1)
    curve = fit_curve(alike, unlike, part([alike], [unlike]).threshold)
    assert curve(np.array([1.5]))[0] == pytest.approx(0.1 / 1.1, abs=0.03)


def test_beyond_the_threshold_the_curve_may_be_another() -> None:
    one, two = Curve(0.2, 4.0, 0.01), Curve(0.2, 4.0, 0.01, (2.0, 0.1))
    near, far = np.array([0.0, 0.1, 0.2]), np.array([0.2, 0.4, 1e9])
    np.testing.assert_allclose(two(near), one(near))
    np.testing.assert_allclose(two(far), Curve(0.2, 2.0, 0.1)(far))
    assert two(np.array([0.2]))[0] == 0.5, "at the threshold, exactly"
    np.testing.assert_allclose(Curve(0.2, 4.0, 0.01, (4.0, 0.01))(far), one(far))


def heavy(random: np.random.Generator, kind: str, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Distances (n,) of alike pairs and of unlike ones."""
    alike, unlike = random.lognormal(-2.5, 0.5, n), random.lognormal(0.5, 0.4, n)
    if kind == "strays":  # one alike pair in twelve, anywhere among the unlike
        alike = np.where(random.random(n) < 0.08, random.uniform(0.3, 2, n), alike)
    elif kind == "near twins":  # one unlike pair in eight
        unlike = np.where(random.random(n) < 0.12, random.lognormal(-1.3, 0.5, n), unlike)
        alike = random.lognormal(-2, 0.5, n)
    else:  # no mean, no variance
        alike = 0.05 * np.abs(random.standard_t(1.5, n))
        unlike = np.where(random.random(n) < 0.03, np.exp(random.standard_t(2, n) - 1.5), unlike)
    return alike, unlike


@pytest.mark.parametrize("kind", ["strays", "near twins", "tails"])
def test_heavy_tails_are_calibrated_by_two_sides(kind: str) -> None:
    """The expected calibration error on fresh pairs, over fifteen bins; one curve for both sides has the larger one."""
    random = np.random.default_rng(6)
    alike, unlike = heavy(random, kind, 6_000)
    threshold = part([alike], [unlike]).threshold
    fresh = heavy(random, kind, 20_000)
    errors = []
    for curve in (fit_both_sides(alike, unlike, threshold), fit_curve(alike, unlike, threshold)):
        said = np.concatenate([curve(each) for each in fresh])
        off = said - (np.arange(len(said)) < len(fresh[0]))
        bins = np.minimum((said * 15).astype(int), 14)
        errors.append(sum(abs(off[bins == each].sum()) for each in range(15)) / len(said))
        assert curve.surprise(*fresh) < 0.4
    assert errors[0] <= 0.015
    assert errors[0] < errors[1]
