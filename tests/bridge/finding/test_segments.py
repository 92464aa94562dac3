"""Pieces of one colour."""

import numpy as np
import pytest
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from predinet_prolog.bridge.finding.joining import connected
from predinet_prolog.bridge.finding.segments import segments
from predinet_prolog.bridge.scene import IntArray
from predinet_prolog.domains.domain import Pixels


def canvas(height: int = 40, width: int = 60) -> Pixels:
    return np.zeros((height, width, 3), dtype=np.uint8)


def pieces_of(picture: Pixels) -> IntArray:
    return segments(picture, np.zeros((3, 3)), picture.max(axis=2) > 30)


def pieces(picture: Pixels) -> list[int]:
    """Pixels of each piece, the smallest first."""
    return sorted(np.bincount(pieces_of(picture).ravel())[1:].tolist())


def test_blocks_of_two_colours_side_by_side_are_two_pieces() -> None:
    picture = canvas()
    picture[5:15, 5:15], picture[5:15, 15:25] = (255, 0, 0), (0, 0, 255)
    assert pieces(picture) == [100, 100]


def test_what_meets_at_a_corner_is_one_piece_only_in_one_colour() -> None:
    picture = canvas()
    picture[5:15, 5:15], picture[15:25, 15:25] = (255, 0, 0), (255, 0, 0)
    assert pieces(picture) == [200]
    picture[15:25, 15:25] = (255, 60, 0)
    assert pieces(picture) == [100, 100]


@pytest.mark.parametrize("between", [40, 64, 140])
def test_a_pixel_of_ground_between_two_things_keeps_them_apart(between: int) -> None:
    picture = canvas()
    picture[5:13, 5:15] = picture[5:13, 16:26] = 255
    picture[5:13, 15] = between
    assert pieces(picture) == [80, 80]


def test_a_thin_line_is_one_piece_however_much_ground_its_pixels_show() -> None:
    picture = canvas()
    for step in range(25):
        share = 0.4 + 0.1 * (step % 3)
        picture[5 + step, 5 + step], picture[5 + step, 6 + step] = 255 * share, 255 * (1 - share)
    assert pieces(picture) == [50]


def test_slow_changes_of_light_break_nothing() -> None:
    picture = canvas()
    picture[5:35, 5:55] = np.linspace(80, 250, 50).astype(np.uint8)[:, None]
    assert pieces(picture) == [1500]


def test_a_texture_and_small_dots_are_no_pieces() -> None:
    picture = canvas()
    picture[5:35, 5:35] = np.random.default_rng(0).integers(40, 255, (30, 30, 3))
    picture[37:39, 40:44] = 255
    assert pieces(picture) == []


def test_pieces_move_with_the_picture() -> None:
    picture = canvas()
    picture[5:15, 5:15], picture[5:20, 15:25] = (255, 0, 0), (0, 0, 255)
    moved = np.roll(picture, (7, 11), axis=(0, 1))
    assert (np.roll(pieces_of(picture), (7, 11), axis=(0, 1)) == pieces_of(moved)).all()


@pytest.mark.parametrize(("count", "edges"), [(1, 0), (40, 0), (40, 20), (40, 40), (1000, 900)])
def test_what_is_joined_is_as_scipy_has_it(count: int, edges: int) -> None:
    one, other = np.random.default_rng(3).integers(count, size=(2, edges))
    graph = coo_matrix((np.ones(edges), (one, other)), shape=(count, count))
    assert connected(count, one, other).tolist() == connected_components(graph, directed=False)[1].tolist()
