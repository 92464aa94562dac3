"""The noise level: nothing on clean boards, more the more they are corrupted, and on boards alone."""

import numpy as np
import pytest

from domains.relations_game import corrupt, generate
from domains.relations_game.out_of_distribution import measure
from tests.margins import Bound

BOARDS = generate("scatter", 30, objects="hexos", seed=21)


@pytest.mark.parametrize("objects", ["pentos", "hexos", "stripes"])
def test_a_clean_board_has_none(objects: str) -> None:
    assert not measure(generate("scatter", 30, objects=objects, seed=21).render()).noise_level.any()


@pytest.mark.parametrize(("name", "strength"), [("shift", 1), ("shift", 2), ("background", 0.16)])
def test_what_moves_no_co_ordinates_apart_makes_none(name: str, strength: float) -> None:
    assert not measure(corrupt(BOARDS, name, strength, seed=1)).noise_level.any()


@pytest.mark.margins
@pytest.mark.parametrize(("name", "strengths"), [("noise", (0.02, 0.05, 0.1)), ("jpeg", (95, 75, 30))])
def test_it_grows_with_what_spoils_the_picture(
    name: str, strengths: tuple[float, ...], bound: Bound, seed: int
) -> None:
    means = [
        float(measure(corrupt(BOARDS, name, strength, seed=1 + seed)).noise_level.mean()) for strength in strengths
    ]
    assert means == sorted(means)
    bound.above("least noise_level", means[0], 0.5)
    if name == "noise":
        bound.close("noise_level at noise of 0.05, as the docstring says", means[1], 4, rtol=0, atol=1)


def one_pixel_off(by_cell: dict[int, int]) -> np.ndarray:
    """(1, 36, 36, 3): grey squares of 9 × 9 in all nine cells, with one pixel brighter by so much in some of them."""
    image = np.zeros((1, 36, 36, 3), np.uint8)
    for cell in range(9):
        row, column = divmod(cell, 3)
        image[0, 12 * row + 1 : 12 * row + 10, 12 * column + 1 : 12 * column + 10] = 100
        image[0, 12 * row + 5, 12 * column + 5] += by_cell.get(cell, 0)
    return image


@pytest.mark.parametrize("cell", range(9))
def test_one_pixel_by_hand(cell: int) -> None:
    """The mean of its square of 3 × 3 pixels grows by d / 9: 8/9 d² are left over in each channel of a frame of 81."""
    expected = 90 * np.sqrt(8 / 9 / 81) / 255 * 100
    assert measure(one_pixel_off({cell: 90})).noise_level == pytest.approx([expected])


def test_it_is_that_of_the_worst_cell() -> None:
    """Neither the sum nor the mean of what the cells have."""
    for other in (0, 3, 8):
        assert (
            measure(one_pixel_off({4: 90, other: 60})).noise_level.tolist()
            == measure(one_pixel_off({4: 90})).noise_level.tolist()
        )


@pytest.mark.parametrize("place", [(0, 0), (11, 11), (35, 20)])
def test_what_lies_around_the_objects_makes_none(place: tuple[int, int]) -> None:
    """It moves no object's co-ordinates."""
    image = one_pixel_off({})
    image[0, place[0], place[1]] = 255
    assert not measure(image).noise_level.any()
