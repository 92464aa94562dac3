"""Boards are found in pictures of any size, whatever light falls on them; what is none is not found."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFilter

from predinet_prolog.domains.domain import Pixels
from predinet_prolog.domains.relations_game import generate
from predinet_prolog.domains.relations_game.boards import find_board
from predinet_prolog.domains.relations_game.domain import DOMAIN
from predinet_prolog.domains.relations_game.light import even_light
from tests.cases import cases

BOARDS = generate("scatter", 12, objects="pentos", seed=41).render()
PHOTOGRAPHED, TO_PICTURE = Path(__file__).with_name("photographed"), cases(__file__)["to_picture"]
CORNERS = np.array([[0, 36, 36, 0], [0, 0, 36, 36], [1, 1, 1, 1]])


def off(found: np.ndarray, true: np.ndarray) -> float:
    """How far the corners lie off, at most, in pixels of the board."""
    first, second = found @ CORNERS, true @ CORNERS
    return float(np.abs(first[:2] / first[2] - second[:2]).max() * 36 / np.ptp(second[0]))


@pytest.mark.parametrize("scale", [1, 2, 7, 20])
def test_clean_boards_come_as_they_are(scale: int) -> None:
    for board in BOARDS:
        found = find_board(board.repeat(scale, 0).repeat(scale, 1))
        assert np.array_equal(found.pixels, board)
        assert np.array_equal(found.to_picture, np.diag([scale, scale, 1]))
        assert found.doubt < 1
        assert found.reason is None


@pytest.mark.parametrize("number", range(12))
def test_boards_in_everyday_light_are_found_and_not_doubted(number: int) -> None:
    found = DOMAIN.locate(np.asarray(Image.open(PHOTOGRAPHED / f"{number}.jpg")))
    assert found.doubt < 1
    assert off(found.to_picture, np.array([*TO_PICTURE[number], [0, 0, 1]])) < 2
    # Where there is an object there is light, and elsewhere none.
    lit = BOARDS[number].max(axis=2) > 0
    bright = found.pixels.max(axis=2)
    assert bright[lit].mean() > 5 * bright[~lit].mean()


@pytest.mark.parametrize(("side", "scale"), [(144, 2.0), (240, 2.5), (360, 1.5)])
def test_a_board_of_full_squares_is_found_among_words(side: int, scale: float) -> None:
    """Of such a board the ground is a narrow rim."""
    board = np.kron(
        np.full((3, 3, 1), 200, dtype=np.uint8), np.pad(np.ones((9, 9, 3), dtype=np.uint8), ((1, 2), (1, 2), (0, 0)))
    )
    left = round(side * (scale - 1) / 2)
    window = Image.new("RGB", (round(side * scale),) * 2, (120, 118, 112))
    for top in range(left - side // 3, left + side + side // 3, side // 6):
        words = (left - side // 2, top, left + side // 3, top + side // 24)
        ImageDraw.Draw(window).rectangle(words, fill=(30, 30, 30))
    window.paste(Image.fromarray(board).resize((side, side), Image.Resampling.BICUBIC), (left, left))
    found = find_board(np.asarray(window.filter(ImageFilter.GaussianBlur(side / 200))))
    assert off(found.to_picture, np.array([[side / 36, 0, left], [0, side / 36, left], [0, 0, 1]])) < 1


def test_equal_colours_are_equal_again_in_uneven_light() -> None:
    """All objects are of one colour, and light is lost by half from one side to the other."""
    scenes = generate("scatter", 40, objects="pentos", seed=43)
    several = (scenes.occupied.sum(axis=1) >= 4).nonzero()[0][0]
    board = np.where(scenes.render()[several].max(axis=2, keepdims=True) > 0, [160, 200, 90], 0)
    light = np.linspace(1, 0.5, 36)[None, :, None]
    lit = board[..., 0] > 0
    before, evened = 20 + board * light, even_light(20 + board * light)
    spread = [np.ptp(pixels[lit][:, 1]) for pixels in (before, evened.pixels)]
    assert spread[0] > 40
    assert spread[1] < 8
    assert evened.ground == pytest.approx(20, abs=2)


def test_light_that_is_lost_nearly_all_is_doubted() -> None:
    """By how it changes alone: what is left of it, objects do not tell."""
    board = generate("scatter", 40, objects="pentos", seed=43).render()[3]
    doubts = []
    for least in (0.2, 0.05):
        dimmed = (10 + board * np.linspace(1, least, 36)[None, :, None]).round().astype(np.uint8)
        photo = np.pad(dimmed.repeat(10, 0).repeat(10, 1), ((40, 40), (40, 40), (0, 0)), constant_values=90)
        place = find_board(photo)
        doubts.append(place.reason)
    assert doubts == [None, "the light on the board is too uneven"]


def test_light_is_taken_off_boards_of_their_own_size_alone() -> None:
    """Clean boards are the same bytes; what is no board stays as it is, and so do most with objects off their cells."""
    light = np.linspace(0.9, 0.45, 36)[:, None, None]
    dimmed = (20 + BOARDS * light).round().astype(np.uint8)
    evened = DOMAIN.even(dimmed)
    for board, before, after in zip(BOARDS, dimmed, evened, strict=True):
        lit = board.max(axis=2) > 0
        masks = [(board == colour).all(axis=2) for colour in np.unique(board[lit], axis=0)]
        spread = [max(np.ptp(pixels[mask].max(axis=1)) for mask in masks) for pixels in (before, after)]
        assert spread[1] < 0.4 * spread[0]
    random = np.random.default_rng(2)
    noise = random.integers(0, 256, (2, 36, 36, 3), np.uint8)
    moved = DOMAIN.generate("scatter", 80, seed=41, spoilt=("shift", 1)).images
    moved = (moved.astype(int) + random.integers(0, 7, moved.shape)).clip(0, 255).astype(np.uint8)
    for boards in (BOARDS, noise):
        np.testing.assert_array_equal(DOMAIN.even(boards), boards)
    assert (DOMAIN.even(moved) != moved).any(axis=(1, 2, 3)).mean() < 0.25, "half of them if nothing speaks against it"


def _others() -> dict[str, Pixels]:
    random = np.random.default_rng(3)
    pictures = {"nothing": np.zeros((90, 120, 3), np.uint8), "white": np.full((90, 120, 3), 255, np.uint8)}
    pictures["noise"] = random.integers(0, 256, (120, 120, 3), np.uint8)
    pictures["tiny"] = np.zeros((1, 4, 3), np.uint8)
    pictures["line"] = random.integers(0, 256, (20, 3000, 3), np.uint8)
    for name, ground in (("circles on white", 255), ("circles on black", 0)):
        image = Image.new("RGB", (320, 240), (ground,) * 3)
        for x, y, colour in ((40, 60, "red"), (130, 150, "red"), (230, 90, "blue"), (260, 190, "green")):
            ImageDraw.Draw(image).ellipse((x, y, x + 50, y + 50), fill=colour)
        pictures[name] = np.asarray(image)
    square = Image.new("RGB", (200, 200))
    for x, y in ((13, 20), (90, 110), (140, 31)):
        ImageDraw.Draw(square).ellipse((x, y, x + 47, y + 47), fill="yellow")
    pictures["circles on a black square"] = np.asarray(square)
    return pictures


@pytest.mark.parametrize("name", list(_others()))
def test_what_is_no_board_is_not_found_or_doubted(name: str) -> None:
    found = find_board(_others()[name])
    assert found is None or found.doubt >= 1
    if "circles on" in name and "square" not in name:
        assert found is None
