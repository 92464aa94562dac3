"""Glimpses: blind to place, nearly so to size, each by itself, and whole at the picture's edge."""

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from predinet_prolog.neural.glimpses.cutting import cut, resampled, squares_of

Pixels = NDArray[np.uint8]
GROUND = np.array([[200, 180, 160], [0, 0, 0], [0, 0, 0]], dtype=np.float64)
THING = np.asarray(
    Image.fromarray(np.random.default_rng(0).integers(0, 200, (5, 4, 3), dtype=np.uint8)).resize((18, 24))
)


def scene(left: int, top: int, thing: Pixels = THING, size: tuple[int, int] = (120, 160)) -> tuple[Pixels, Pixels]:
    """A picture with the thing at a place, and its box (1, 4)."""
    picture = np.full((*size, 3), GROUND[0], dtype=np.uint8)
    height, width = thing.shape[:2]
    picture[top : top + height, left : left + width] = thing
    return picture, np.array([[left, top, left + width, top + height]])


def test_a_thing_looks_the_same_wherever_it_is() -> None:
    expected = cut(*_with_ground(*scene(40, 50)))
    assert expected.shape == (1, 7, 32, 32)
    assert expected.dtype == np.float32
    for left, top in ((41, 50), (40, 51), (97, 13), (100, 90)):
        glimpse = cut(*_with_ground(*scene(left, top)))
        assert np.array_equal(glimpse[:, :6], expected[:, :6])
        assert glimpse[:, 6] == pytest.approx(expected[:, 6], abs=1e-5)


@pytest.mark.parametrize("factor", [2, 3])
def test_a_thing_looks_nearly_the_same_at_any_size(factor: int) -> None:
    small = cut(*_with_ground(*scene(40, 30)))
    larger = np.asarray(Image.fromarray(THING).resize((18 * factor, 24 * factor), Image.Resampling.BICUBIC))
    large = cut(*_with_ground(*scene(30, 20, larger)))
    assert np.abs(large - small).mean() < 0.05
    assert np.abs(large[:, :3] - small[:, :3]).mean() < 0.1 * np.abs(small[:, :3] - small[:, :3].mean()).mean()


def test_channels_are_colours_difference_from_the_ground_and_the_box() -> None:
    picture, box = scene(40, 50, np.full((20, 10, 3), (72, 180, 224), dtype=np.uint8))
    (glimpse,) = cut(picture, GROUND, box)
    assert glimpse[:3, 16, 16] == pytest.approx([72 / 128 - 1, 180 / 128 - 1, 224 / 128 - 1], abs=1e-6)
    assert glimpse[3:6, 16, 16] == pytest.approx([-2, 0, 1], abs=1e-6)
    assert glimpse[3:6, 0, 0] == pytest.approx([0, 0, 0], abs=1e-6)
    # A square of 25 pixels around a box of 10 × 20: their share of all that is seen.
    assert glimpse[6].mean() == pytest.approx(10 * 20 / 25**2, abs=1e-3)
    assert set(np.unique(glimpse[6, 16, 14:18])) == {1.0}


AT_THE_EDGE = [(-9, -9, 6, 4), (150, 110, 175, 140), (0, 0, 160, 120), (-50, 40, 300, 60)]
BEYOND = [(400, 300, 420, 310), (-90, -80, -60, -70)]
EMPTY = [(80, 60, 80, 60), (3.2, 4.7, 3.9, 5.1)]


@pytest.mark.parametrize("box", [*AT_THE_EDGE, *BEYOND, *EMPTY])
def test_boxes_at_the_edge_beyond_it_and_empty_ones(box: tuple[float, ...]) -> None:
    """What lies beyond the edge is as the edge."""
    picture, _ = scene(40, 50)
    glimpses = cut(picture, GROUND, np.array([box], dtype=np.float64))
    assert glimpses.shape == (1, 7, 32, 32)
    assert np.isfinite(glimpses).all()
    framed = np.pad(picture, ((400, 400), (400, 400), (0, 0)), mode="edge")
    expected = resampled(framed, squares_of(np.array([box]) + 400))
    assert np.array_equal(resampled(picture, squares_of(np.array([box]))), expected)


def _with_ground(picture: Pixels, box: Pixels) -> tuple[Pixels, NDArray[np.float64], Pixels]:
    return picture, GROUND, box
