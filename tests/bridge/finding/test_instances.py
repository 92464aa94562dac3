"""From what a finder says of every place to things."""

from dataclasses import replace

import numpy as np
import pytest

from predinet_prolog.bridge.finding.instances import Places, find_peaks, things
from predinet_prolog.bridge.finding.segments import segments
from predinet_prolog.bridge.scene import BoolArray, FloatArray, IntArray
from predinet_prolog.domains.domain import Pixels
from tests.bridge.finding.places import box_of, perfect


def drawn(*boxes: tuple[int, int, int, int], side: int = 96) -> IntArray:
    owner = np.zeros((side, side), dtype=np.int64)
    for number, (left, top, right, bottom) in enumerate(boxes, start=1):
        owner[top:bottom, left:right] = number
    return owner


def coloured(owner: IntArray, *hues: int) -> Pixels:
    """A picture in which the thing numbered n is red, green or blue as hues[n - 1] says, on black."""
    return np.concatenate([np.zeros((1, 3)), np.eye(3)[list(hues)] * 255]).astype(np.uint8)[owner]


def seen_things(picture: Pixels, shown: BoolArray, places: Places, *, clean: bool) -> tuple[FloatArray, IntArray]:
    return things(shown, segments(picture, np.zeros((3, 3)), shown), places, clean=clean)


def ordered(boxes: FloatArray) -> list[list[float]]:
    return sorted(boxes.tolist())


APART = drawn((10, 12, 30, 40), (50, 8, 61, 20), (44, 60, 80, 90))
TOUCHING = drawn((10, 10, 30, 40), (30, 16, 56, 36))


@pytest.mark.parametrize("owner", [APART, TOUCHING, drawn((3, 3, 12, 9))], ids=["apart", "touching", "one"])
@pytest.mark.parametrize("clean", [True, False])
def test_what_a_perfect_finder_says_is_found(owner: IntArray, clean: bool) -> None:
    boxes, seen = seen_things(coloured(owner, 0, 1, 2), owner > 0, perfect(owner), clean=clean)
    assert ordered(boxes) == ordered(np.array([box_of(owner == n) for n in range(1, owner.max() + 1)]))
    for number, box in enumerate(boxes, start=1):
        assert np.abs(box_of(seen == number) - box).max() <= 1


def test_nothing_is_found_in_nothing() -> None:
    boxes, seen = seen_things(coloured(drawn()), np.zeros((96, 96), dtype=bool), perfect(drawn()), clean=True)
    assert boxes.shape == (0, 4)
    assert not seen.any()


def test_a_peak_that_no_pixel_votes_for_is_none() -> None:
    places = perfect(APART)
    places.salience[2:5, 2:5] = [[0, 0, 0], [0, 0.9, 0], [0, 0, 0]]
    places.boxes[3, 3] = [2, 2, 12, 12]
    assert len(find_peaks(places).boxes) == 4
    assert len(seen_things(coloured(APART, 0, 0, 0), APART > 0, places, clean=True)[0]) == 3


def test_a_patch_without_a_peak_is_a_thing_in_a_clean_picture() -> None:
    places = perfect(APART)
    missed = replace(places, salience=np.where(np.arange(48)[:, None] < 25, places.salience, 0.0))
    assert len(find_peaks(missed).boxes) == 2
    boxes, _ = seen_things(coloured(APART, 0, 0, 0), APART > 0, missed, clean=True)
    assert ordered(boxes) == ordered(seen_things(coloured(APART, 0, 0, 0), APART > 0, places, clean=True)[0])


def test_pieces_of_a_thing_are_parts_of_it() -> None:
    """Two patches, one peak: the dot of an i lies in its box."""
    owner = drawn((40, 30, 48, 60), (40, 20, 48, 26))
    whole = np.minimum(owner, 1)
    boxes, _ = seen_things(coloured(whole, 0), whole > 0, perfect(whole), clean=True)
    assert ordered(boxes) == [[40, 20, 48, 60]]


@pytest.mark.parametrize(("side", "clean", "found"), [(8, True, 1), (24, True, 2), (24, False, 1)])
def test_a_patch_without_a_peak_in_a_frame_is_a_part_of_it_if_it_is_small(side: int, clean: bool, found: int) -> None:
    """Or if the picture is not clean."""
    shown = drawn((10, 10, 60, 60))
    shown[16:54, 16:54] = 0
    places = perfect(shown)
    shown[24 : 24 + side, 24 : 24 + side] = 1
    new = shown[::2, ::2] > places.ownership
    places.ownership[new], places.votes[new] = 0.9, 99  # for nobody
    assert len(seen_things(coloured(shown, 0), shown > 0, places, clean=clean)[0]) == found


def test_where_pixels_and_peak_disagree_the_peak_is_believed() -> None:
    """Half of the thing is of the ground's colour."""
    owner = drawn((20, 20, 60, 50))
    half = (owner > 0) & (np.arange(96)[None, :] < 35)
    boxes, _ = seen_things(coloured(owner * half, 0), half, perfect(owner), clean=True)
    assert np.abs(boxes - [20, 20, 60, 50]).max() < 1e-9


def test_one_colour_is_one_thing_however_many_the_network_sees() -> None:
    """A block that the network takes for two, of which the larger half has most of it."""
    split = drawn((10, 10, 30, 40), (30, 10, 60, 40))
    boxes, seen = seen_things(coloured(np.minimum(split, 1), 0), split > 0, perfect(split), clean=True)
    assert ordered(boxes) == [[10, 10, 60, 40]]
    assert (seen == (split > 0)).all()
    assert len(seen_things(coloured(split, 0, 1), split > 0, perfect(split), clean=True)[0]) == 2


def test_pixels_go_with_their_colour_where_votes_stray() -> None:
    strayed = drawn((10, 10, 30, 40), (30, 16, 56, 36))
    strayed[16:36, 30:34] = 1
    _, seen = seen_things(coloured(TOUCHING, 0, 1), TOUCHING > 0, perfect(strayed), clean=True)
    assert (seen == TOUCHING).all()


@pytest.mark.parametrize("shift", [(2, 0), (0, 4), (6, 10)])
def test_things_move_with_the_picture(shift: tuple[int, int]) -> None:
    moved = np.roll(TOUCHING, shift, axis=(0, 1))
    told = [(coloured(owner, 0, 1), owner > 0, perfect(owner)) for owner in (TOUCHING, moved)]
    at, there = (seen_things(*each, clean=True)[0] for each in told)
    assert ordered(there) == ordered(at + np.tile(shift[::-1], 2))
