"""Glimpses, blind to place and nearly to size; the ground that they differ from, and the scale they are cut at."""

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from predinet_prolog.neural.glimpses.cutting import cut, resampled, squares_of
from predinet_prolog.neural.glimpses.ground import field, fit_plane
from predinet_prolog.neural.glimpses.scales import first_scale, looked_at, second_scale

Pixels = NDArray[np.uint8]
GROUND = np.array([[200, 180, 160], [0, 0, 0], [0, 0, 0]], dtype=np.float64)
THING = np.asarray(Image.fromarray(np.random.default_rng(0).integers(0, 200, (5, 4, 3), np.uint8)).resize((18, 24)))


def scene(left: int, top: int, thing: Pixels = THING, size: tuple[int, int] = (120, 160)) -> tuple[Pixels, Pixels]:
    """A picture with the thing at a place, and its box (1, 4)."""
    picture = np.full((*size, 3), GROUND[0], dtype=np.uint8)
    height, width = thing.shape[:2]
    picture[top : top + height, left : left + width] = thing
    return picture, np.array([[left, top, left + width, top + height]])


def test_a_thing_looks_the_same_wherever_it_is() -> None:
    expected = cut(*_with_ground(*scene(40, 50)))
    assert (expected.shape, expected.dtype) == ((1, 7, 32, 32), np.float32)
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


def squares(side: float) -> NDArray[np.float64]:
    """Three boxes of that side in pixels."""
    corners = np.array([[10.0, 10, 10, 10], [400, 100, 400, 100], [700, 700, 700, 700]])
    return corners + np.array([0, 0, side, side])


@pytest.mark.parametrize(
    ("side", "scale"),
    [
        (100, None),  # 10 pixels at the first scale of a tenth
        (60, 0.3),  # 6 become 18
        (30, 0.4),  # 3 would become 18 at 0.6, in 600 pixels squared: 400 are the most
    ],
)
def test_small_things_are_looked_at_again(side: float, scale: float | None) -> None:
    assert first_scale(1000, 1000) == pytest.approx(0.1)
    assert second_scale(1000, 1000, squares(side)) == (None if scale is None else pytest.approx(scale))
    assert looked_at(1000, 1000, squares(side)) == pytest.approx(scale or 0.1)


def test_nothing_is_made_larger_than_it_is() -> None:
    assert second_scale(160, 160, squares(1)) == 1.0
    assert second_scale(120, 120, squares(1)) is None
