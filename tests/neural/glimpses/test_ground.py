"""The ground: a plane is found as it is, and what reaches into the rim hardly moves it."""

import numpy as np
import pytest
from numpy.typing import NDArray

from predinet_prolog.neural.glimpses.ground import field, fit_plane

PLANES = {"flat": [[180, 90, 40], [0, 0, 0], [0, 0, 0]], "rising": [[128, 100, 140], [60, -40, 30], [-50, 20, 80]]}


def picture(name: str, height: int = 70, width: int = 110) -> NDArray[np.float64]:
    """By its formula, pixel for pixel."""
    middle, across, down = np.array(PLANES[name], dtype=np.float64)
    y, x = (np.arange(height) + 0.5) / height - 0.5, (np.arange(width) + 0.5) / width - 0.5
    return middle + x[None, :, None] * across + y[:, None, None] * down


@pytest.mark.parametrize("name", PLANES)
@pytest.mark.parametrize("size", [(70, 110), (24, 24), (31, 400)])
def test_a_plane_is_found(name: str, size: tuple[int, int]) -> None:
    painted = picture(name, *size)
    plane = fit_plane(painted.round().astype(np.uint8))
    assert plane == pytest.approx(np.array(PLANES[name]), abs=1.5)
    assert np.abs(field(plane, *size) - painted).max() < 1.5


def test_what_lies_within_does_not_count_at_all() -> None:
    clean = picture("flat").astype(np.uint8)
    full = clean.copy()
    full[3:-3, 3:-3] = np.random.default_rng(0).integers(0, 256, (64, 104, 3))
    assert np.array_equal(fit_plane(full), fit_plane(clean))


def test_a_thing_over_a_third_of_the_rim_does_not_count() -> None:
    """Rounds that begin with all pixels, or end with far ones, take it for a slope of the ground."""
    painted = 128 + np.linspace(-15, 15, 100)[None, :, None] + np.zeros((100, 1, 3))
    covered = painted.copy()
    covered[65:] = 228
    off = field(fit_plane(covered.round().astype(np.uint8)), 100, 100) - painted
    assert np.abs(off[:65]).max() < 2


def test_mirrored_pictures_have_mirrored_planes() -> None:
    seen = np.random.default_rng(1).normal(0, 8, (40, 60, 3)) + picture("rising", 40, 60)
    pixels = seen.clip(0, 255).astype(np.uint8)
    plane, mirrored = fit_plane(pixels), fit_plane(pixels[:, ::-1])
    # The samples of a rim are not quite symmetric, nor need they be.
    assert mirrored == pytest.approx(plane * [[1], [-1], [1]], abs=6)
