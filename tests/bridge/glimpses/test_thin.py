"""Things of thin lines have the colour of their pixels, without the ground's."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import ndimage

from predinet_prolog.bridge.glimpses.thin import is_thin, line_colour, thickened
from predinet_prolog.domains.domain import Pixels
from predinet_prolog.neural.glimpses.config import SIDE
from predinet_prolog.neural.glimpses.cutting import cut
from predinet_prolog.neural.glimpses.ground import fit_plane

RED, WHITE = (200, 30, 40), (250, 250, 250)
BOX = np.array([[60.0, 40.0, 360.0, 340.0]])


def framed(width: int, *, soft: float = 0.0) -> Pixels:
    """A red frame in BOX, with a blue block inside of it."""
    picture = np.full((400, 440, 3), WHITE, dtype=np.float64)
    picture[40:340, 60:360] = RED
    picture[40 + width : 340 - width, 60 + width : 360 - width] = WHITE
    picture[150:250, 160:260] = (30, 60, 200)
    return np.asarray(ndimage.gaussian_filter(picture, (soft, soft, 0)).round().astype(np.uint8))


def frame_mask() -> NDArray[np.float64]:
    """Of the frame in its glimpse, a pixel too wide on either side, as a network's may be."""
    mask = np.zeros((SIDE, SIDE))
    mask[2:30, 2:30], mask[6:26, 6:26] = 1, 0
    return mask


@pytest.mark.parametrize("width", [2, 4])
@pytest.mark.parametrize("soft", [0.0, 0.7])
def test_a_thin_frame_has_the_colour_of_its_pixels(width: int, soft: float) -> None:
    picture = framed(width, soft=soft)
    seen = np.array(line_colour(picture, fit_plane(picture), BOX[0], frame_mask()))
    assert np.abs(seen - picture[40 + width // 2, 200]).max() <= 12
    glimpse, before = thickened(picture, fit_plane(picture), BOX), cut(picture, fit_plane(picture), BOX)
    clear, mixed = (np.abs(each[0, 3:6]).max(axis=0)[3, SIDE // 2] for each in (glimpse, before))
    assert clear > 1.3 * mixed


def test_a_mask_that_is_clearest_outside_of_its_thing_tells_a_colour() -> None:
    mask = np.zeros((SIDE, SIDE))
    mask[16, 16], mask[0, 0] = 0.3, 1.0
    picture = framed(4)
    assert line_colour(picture, fit_plane(picture), np.array([160.0, 180, 260, 220]), mask) == (30, 60, 200)


def test_a_line_beside_what_is_clearer_has_the_colour_of_its_pixels() -> None:
    picture = np.full((400, 440, 3), WHITE, dtype=np.uint8)
    picture[100:200, 100:102], picture[100:200, 102:106] = (200, 190, 190), (0, 0, 0)
    mask = np.zeros((SIDE, SIDE))
    mask[:, 15] = 1
    assert line_colour(picture, fit_plane(picture), np.array([100.0, 100, 102, 200]), mask)[0] > 190


def test_thin_lines_are_told_from_thick_ones_and_from_what_no_glimpse_mixes() -> None:
    thin = np.pad(np.ones((26, 26)), 3)
    thin[5:27, 5:27] = 0
    mask = np.stack([thin, frame_mask(), np.pad(np.ones((24, 24)), 4), np.zeros((SIDE, SIDE))])
    assert is_thin(np.repeat(BOX, 4, axis=0), mask).tolist() == [True, False, False, True]
    assert not is_thin(np.repeat(BOX, 4, axis=0) / 10, mask).any()


def test_nothing_is_nothing() -> None:
    picture = framed(4)
    assert thickened(picture, fit_plane(picture), np.zeros((0, 4))).shape == (0, 7, SIDE, SIDE)
