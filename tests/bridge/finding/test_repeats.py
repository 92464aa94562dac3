"""What repeats decides what one thing is. The axes of shape are made up: width and height of a box by its long side."""

import numpy as np
import pytest
from scipy import ndimage

from predinet_prolog.bridge.finding.instances import boxes_of
from predinet_prolog.bridge.finding.repeats import Shapes, made_whole, taken_apart
from predinet_prolog.bridge.scene import FloatArray, IntArray
from predinet_prolog.domains.domain import Pixels

RED, BLUE, GREEN = (255, 0, 0), (0, 0, 255), (0, 255, 0)
Block = tuple[int, int, int, int, tuple[int, int, int]]
"""Left, top, right, bottom and colour."""


def drawn(*blocks: Block) -> tuple[Pixels, IntArray]:
    """A picture of `blocks` on black, and the number of each pixel's block, from 1."""
    picture, pieces = np.zeros((100, 100, 3), dtype=np.uint8), np.zeros((100, 100), dtype=np.int64)
    for number, (left, top, right, bottom, colour) in enumerate(blocks, start=1):
        picture[top:bottom, left:right], pieces[top:bottom, left:right] = colour, number
    return picture, pieces


def shapes(boxes: FloatArray) -> FloatArray:
    sides = boxes[:, 2:] - boxes[:, :2]
    return np.asarray(10 * sides / sides.max(axis=1, keepdims=True))


def taken(*blocks: Block, pairs: int = 1, axes: Shapes = shapes) -> list[list[float]]:
    """The boxes after taking apart, where so many pairs of the first blocks were found as one thing each."""
    picture, pieces = drawn(*blocks)
    owner = np.where(pieces > 2 * pairs, pieces - pairs, (pieces + 1) // 2)
    boxes, mended = taken_apart(boxes_of(owner), owner, pieces, picture, axes)
    assert np.array_equal(boxes_of(mended), boxes)
    assert ((mended > 0) == (owner > 0)).all()
    return sorted(boxes.tolist())


LYING, TALL = (10, 10, 30, 20, RED), (30, 10, 36, 30, BLUE)
LYING_ALONE, TALL_ALONE = (60, 10, 80, 20, RED), (60, 40, 66, 60, BLUE)


def test_what_stands_alone_elsewhere_is_taken_apart() -> None:
    blocks = LYING, TALL, LYING_ALONE, TALL_ALONE
    assert taken(*blocks) == sorted([*map(float, block[:4])] for block in blocks)


@pytest.mark.parametrize(
    "others", [(), (LYING_ALONE,)], ids=["nothing", "only the like of a piece, with the whole again"]
)
def test_what_repeats_as_a_whole_stays_one(others: tuple[Block, ...]) -> None:
    again = [(left, top + 50, right, bottom + 50, colour) for left, top, right, bottom, colour in (LYING, TALL)]
    found = taken(LYING, TALL, *again, *others, pairs=2)
    assert (found[0], len(found)) == ([10, 10, 36, 30], 2 + len(others))


def test_one_piece_may_be_unknown_where_the_whole_is_like_nothing() -> None:
    assert len(taken(LYING, TALL, LYING_ALONE)) == 3


def test_shape_or_colour_alone_tells_nothing() -> None:
    for alone in ((60, 10, 80, 20, GREEN), (60, 10, 80, 30, RED)):
        assert len(taken(LYING, TALL, alone)) == 2


@pytest.mark.parametrize(
    ("alone", "things"),
    [
        (((60, 10, 80, 20, GREEN), (60, 40, 66, 60, GREEN)), 4),
        (((60, 10, 80, 20, GREEN), (60, 40, 69, 70, GREEN)), 3),  # of one shape with the other piece, and larger
        (((60, 10, 80, 20, GREEN), (60, 40, 66, 60, GREEN), (10, 60, 36, 80, GREEN)), 4),  # one like the whole, too
    ],
)
def test_pieces_that_fit_what_stands_alone_are_things_of_any_colour(alone: tuple[Block, ...], things: int) -> None:
    assert len(taken(LYING, TALL, *alone)) == things


def test_pieces_of_one_shape_are_things_where_another_thing_is_just_as_large() -> None:
    """As two squares that touch beside a disc. The disc has the height of the blocks, and another shape."""

    def own_shapes(boxes: FloatArray) -> FloatArray:
        return np.concatenate([shapes(boxes), 9.0 * (boxes[:, :1] > 59)], axis=1)

    left, right = (10, 10, 20, 20, RED), (20, 12, 30, 22, BLUE)
    for disc, things in (((60, 10, 70, 20, GREEN), 3), ((60, 10, 75, 25, GREEN), 2)):
        assert len(taken(left, right, disc, axes=own_shapes)) == things


def test_a_thing_of_one_colour_is_never_taken_apart() -> None:
    assert len(taken(LYING, TALL_ALONE, pairs=0)) == 2
    assert taken() == []


def test_pieces_of_what_repeats_are_made_one() -> None:
    """The network split the first flag, and not the second."""
    _, pieces = drawn(LYING, TALL, (10, 60, 30, 70, RED), (30, 60, 36, 80, BLUE))
    owner = np.where(pieces > 2, 3, pieces)
    patches, _ = ndimage.label(pieces > 0)
    boxes, mended = made_whole(boxes_of(owner), owner, patches, shapes)
    assert sorted(boxes.tolist()) == [[10, 10, 36, 30], [10, 60, 36, 80]]
    assert np.unique(mended[pieces == 2]).tolist() == np.unique(mended[pieces == 1]).tolist()
