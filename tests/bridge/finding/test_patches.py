"""What is joined and unlike the ground, and its pieces of one colour."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import ndimage
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from predinet_prolog.bridge.finding.joining import connected
from predinet_prolog.bridge.finding.patches import PIECE, Field, Joint, Patches, patches_of
from predinet_prolog.bridge.finding.segments import segments
from predinet_prolog.bridge.scene import FloatArray, IntArray
from predinet_prolog.domains.domain import Pixels
from tests.cases import cases

CASES = cases(__file__)

GROUND = (225, 215, 200)
Y, X = np.mgrid[:384, :512]


def canvas() -> NDArray[np.float64]:
    return np.zeros((384, 512, 3)) + GROUND


def disc(x: float, y: float, radius: float) -> NDArray[np.bool_]:
    return np.asarray(np.hypot(X - x, Y - y) <= radius)


def found(picture: NDArray[np.float64]) -> list[list[float]]:
    """Boxes of the patches in pixels of the picture, the leftmost first."""
    return sorted(patches_of(np.clip(picture.round(), 0, 255).astype(np.uint8)).boxes.tolist())


@pytest.mark.parametrize("case", CASES["patches"])
def test_one_thing_is_what_is_joined_and_unlike_the_ground(case: str) -> None:
    told = CASES["patches"][case]
    picture = canvas()[: told.get("height"), : told.get("width")]
    for left, top, right, bottom, *colour in told["blocks"]:
        picture[top:bottom, left:right] = colour
    assert found(picture) == told["found"]


def test_what_a_ring_has_inside_is_a_thing_of_its_own() -> None:
    picture = canvas()
    picture[disc(200, 190, 120)] = (40, 90, 160)
    picture[disc(200, 190, 112)] = np.array(GROUND) * (0.65 + Y / 850)[disc(200, 190, 112), None]  # in soft shadow
    picture[disc(200, 190, 40)] = (200, 60, 20)
    assert [round(right - left) for left, _, right, _ in found(picture)] == [241, 81]


@pytest.mark.parametrize("kind", ["even", "lit from a side", "vignette", "grain", "cork"])
def test_ground_is_no_thing(kind: str) -> None:
    grain = np.random.default_rng(0).normal(0, 6, (384, 512, 1))
    grain = 36 * ndimage.gaussian_filter(grain, (4, 4, 0)) if kind == "cork" else grain * (kind == "grain")
    vignette = 1 - ((X - 256) ** 2 + (Y - 192) ** 2) / 250_000
    light = {"lit from a side": 0.7 + X / 1200, "vignette": vignette}.get(kind, 1 + 0 * X)
    picture = canvas() * light[..., None] + grain
    assert found(picture) == []
    picture[100:150, 100:150] = (40, 90, 160)
    assert np.abs(np.array(found(picture)) - [[100, 100, 150, 150]]).max() <= 1


def test_a_soft_shadow_belongs_to_nothing_and_a_dark_thing_is_one() -> None:
    thing = (X >= 150) & (X < 250) & (Y >= 100) & (Y < 200)
    shadow = ndimage.gaussian_filter(np.roll(thing, (25, 25), (0, 1)).astype(float), 12)
    picture = canvas() * (1 - 0.35 * shadow[..., None])
    picture[thing] = (40, 90, 160)
    assert np.abs(np.array(found(picture)) - [[150, 100, 250, 200]]).max() <= 1
    dark = canvas()
    dark[thing] *= 0.6
    assert found(dark) == [[150, 100, 250, 200]]


def test_an_outline_that_could_be_a_shadow_were_it_not_so_narrow_is_a_thing() -> None:
    thing = (X >= 150) & (X < 250) & (Y >= 100) & (Y < 200)
    picture = canvas() * (1 - 0.35 * ndimage.gaussian_filter(np.roll(thing, (25, 25), (0, 1)) * 1.0, 12)[..., None])
    picture[thing] = np.array(GROUND) * 0.7
    picture[102:198, 152:248] = GROUND
    assert np.abs(np.array(found(picture)) - [[150, 100, 250, 200]]).max() <= 1


def test_the_soft_edge_of_a_shadow_that_covers_half_is_no_thing() -> None:
    """The quadric follows it only in part: there the ground is brighter than that, too."""
    thing = (X >= 380) & (X < 420) & (Y >= 100) & (Y < 140)
    picture = canvas() * (1 - 0.4 / (1 + np.exp((X + 0.3 * Y - 350) / 12)))[..., None]
    picture[thing] = (40, 90, 160)
    assert np.abs(np.array(found(picture)) - [[380, 100, 420, 140]]).max() <= 1


def test_what_files_leave_around_a_thing_is_no_thing() -> None:
    picture = canvas()
    picture[96:192, 96:192] = (0, 0, 255)
    picture[104:112, 195:201] += (18, -18, 18)
    assert found(picture) == [[96, 96, 192, 192]]


@pytest.fixture
def likely(monkeypatch: pytest.MonkeyPatch) -> Field:
    """(2, 60, 80): what a network that is made up says of a picture of 60 × 80 pixels."""
    maps = np.zeros((2, 60, 80), dtype=np.float32)
    monkeypatch.setattr("predinet_prolog.bridge.finding.patches.foreground", lambda inputs: maps)
    return maps


NEVER = Joint(1.0, 0.0, 0.0)


def patches(**piece: Any) -> Patches:
    return patches_of(np.zeros((60, 80, 3), dtype=np.uint8), replace(PIECE, **piece))


@pytest.mark.parametrize("row", ["joint", "hint"])
@pytest.mark.parametrize(
    ("width", "joint", "count"),  # of the smaller of two pieces; the larger one has 400 pixels
    [(3, Joint(0.2, 0.2, 9), 1), (3, Joint(0.23, 0.2, 9), 2), (4, Joint(0.2, 0.2, 9), 2), (8, Joint(0.2, 0.5, 12), 2)],
)
def test_small_pieces_that_faint_pixels_join_are_one(
    likely: Field, row: str, width: int, joint: Joint, count: int
) -> None:
    likely[0, 10:30, 10:30] = likely[0, 10:30, 34 : 34 + width] = 1
    likely[0, 11, 30:34] = 0.22
    assert len(patches(**{"joint": NEVER, "hint": NEVER, row: joint}).boxes) == count
    likely[0, 10:30, 34:] *= 0.6  # a hint joins none of which nothing is sure
    assert len(patches(joint=NEVER, hint=Joint(0.2, 1.0, 99.0)).boxes) == 1


def test_crumbs_and_faint_parts_are_no_things(likely: Field) -> None:
    likely[0, 10:30, 10:30], likely[0, 40:42, 40:43] = 0.97, 1
    likely[0, 40:50, 60:70] = 0.7
    seen = patches()
    assert seen.boxes.tolist() == [[10, 10, 30, 30]]
    assert len(patches(fewest=6).boxes) == len(patches(sure=(0.6, 0.99)).boxes) == 2
    assert [len(patches(small=share).boxes) for share in (0.08, 0.09)] == [1, 0]  # 400 pixels of 4,800
    likely[0, 54:, 20:40] = 1
    assert len(patches().boxes) == 1
    assert len(patches(sliver=5).boxes) == 2
    assert seen.doubts[:, :4].tolist() == [[10, 10, 30, 30], [60, 40, 70, 50]]
    assert seen.doubts[:, 4] == pytest.approx([-10 * np.log(0.97), -np.log(0.3)], abs=1e-4)


def test_where_two_things_meet_they_are_parted(likely: Field) -> None:
    likely[0, 10:30, 10:50] = 1
    likely[1, 10:30, 28:32] = 0.6
    assert sorted(patches().boxes.tolist()) == [[10, 10, 30, 30], [30, 10, 50, 30]]
    assert len(patches(meeting=0.7).boxes) == 1
    likely[:, 40:50, 60:70] = 1  # meets itself all over
    assert len(patches().boxes) == 3


@pytest.mark.parametrize(
    ("factor", "sizes"), [(0.5, [(195, 260)]), (1, [(390, 520), (210, 280)]), (3, [(390, 520), (210, 280)])]
)
def test_two_looks_are_one_reading(
    factor: float, sizes: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of three blocks the first is likely in both looks, the second in the fine one alone, the third in the other."""
    looked: list[tuple[int, int]] = []

    def said(inputs: Field) -> Field:
        looked.append(inputs.shape[1:])
        height, width = looked[-1]
        likely = np.zeros((2, height, width), dtype=np.float32)
        for block, chance in enumerate([0.8, 0.7, 0] if len(looked) == 1 else [1, 0, 1]):
            left = round((0.1 + 0.3 * block) * width)
            likely[0, round(0.2 * height) : round(0.6 * height), left : left + round(0.2 * width)] = chance
        return likely

    def lefts(boxes: FloatArray) -> list[float]:
        return sorted((boxes[:, 0] / factor / 52).round(1).tolist())

    monkeypatch.setattr("predinet_prolog.bridge.finding.patches.foreground", said)
    size = round(390 * factor), round(520 * factor), 3
    both = patches_of(np.zeros(size, dtype=np.uint8), replace(PIECE, sure=(0.6, 0.6)))
    assert looked == sizes
    one = len(sizes) == 1
    assert lefts(both.boxes) == ([1, 4] if one else [1])  # .7 of the fine one, and .3 of the other
    assert [*map(lefts, both.looks)] == ([[1, 4], [1, 4]] if one else [[1, 4], [1, 7]])
    assert lefts(both.doubts) == ([1, 4] if one else [1, 4, 7])
    faint = both.doubts[both.doubts[:, 0] > 250 * factor, 4]
    assert np.exp(-faint) == pytest.approx([] if one else [0.7], abs=1e-3)


def test_pictures_that_are_very_long_are_looked_at() -> None:
    picture = np.full((24, 1200, 3), 200, dtype=np.uint8)
    picture[6:18, 500:540] = (40, 90, 160)
    (box,) = patches_of(picture).boxes
    assert np.abs(box - [500, 6, 540, 18]).max() <= 2


@pytest.mark.parametrize("factor", [2, 3])
def test_boxes_of_a_reduced_picture_are_exact(factor: int) -> None:
    """Also beside another thing, and at the picture's edge."""
    picture = np.zeros((384 * factor, 512 * factor, 3)) + GROUND
    blocks = [(101, 97, 406, 377), (421, 97, 600, 377), (0, 310, 60, 371)]
    for left, top, right, bottom in blocks:
        picture[top:bottom, left:right] = (40, 90, 160)
    assert np.abs(np.array(found(picture)) - sorted(blocks)).max() <= 0


@pytest.mark.parametrize(("share", "right"), [(0.45, 407), (0.35, 406)])
def test_a_soft_edge_is_the_things_from_two_fifths_on(share: float, right: int) -> None:
    picture = np.zeros((768, 1024, 3)) + GROUND
    picture[97:377, 101:406], thing = (40, 90, 160), np.array((40, 90, 160))
    picture[97:377, 406] = share * thing + (1 - share) * np.array(GROUND)
    assert found(picture) == [[101, 97, right, 377]]


def dark(height: int = 40, width: int = 60) -> Pixels:
    return np.zeros((height, width, 3), dtype=np.uint8)


def pieces_of(picture: Pixels) -> IntArray:
    return segments(picture, np.zeros((3, 3)), picture.max(axis=2) > 30)


def pieces(picture: Pixels) -> list[int]:
    """Pixels of each piece, the smallest first."""
    return sorted(np.bincount(pieces_of(picture).ravel())[1:].tolist())


@pytest.mark.parametrize("case", CASES["pieces"])
def test_pieces_are_of_one_colour(case: str) -> None:
    picture, told = dark(), CASES["pieces"][case]
    for left, top, right, bottom, *colour in told["blocks"]:
        picture[top:bottom, left:right] = colour
    assert pieces(picture) == told["pixels"]


def test_a_thin_line_is_one_piece_however_much_ground_its_pixels_show() -> None:
    picture = dark()
    for step in range(25):
        share = 0.4 + 0.1 * (step % 3)
        picture[5 + step, 5 + step], picture[5 + step, 6 + step] = 255 * share, 255 * (1 - share)
    assert pieces(picture) == [50]


def test_slow_changes_of_light_break_nothing() -> None:
    picture = dark()
    picture[5:35, 5:55] = np.linspace(80, 250, 50).astype(np.uint8)[:, None]
    assert pieces(picture) == [1500]


def test_a_texture_and_small_dots_are_no_pieces() -> None:
    picture = dark()
    picture[5:35, 5:35] = np.random.default_rng(0).integers(40, 255, (30, 30, 3))
    picture[37:39, 40:44] = 255
    assert pieces(picture) == []


def test_pieces_move_with_the_picture() -> None:
    picture = dark()
    picture[5:15, 5:15], picture[5:20, 15:25] = (255, 0, 0), (0, 0, 255)
    moved = np.roll(picture, (7, 11), axis=(0, 1))
    assert (np.roll(pieces_of(picture), (7, 11), axis=(0, 1)) == pieces_of(moved)).all()


@pytest.mark.parametrize(("count", "edges"), [(1, 0), (40, 0), (40, 20), (40, 40), (1000, 900)])
def test_what_is_joined_is_as_scipy_has_it(count: int, edges: int) -> None:
    one, other = np.random.default_rng(3).integers(count, size=(2, edges))
    graph = coo_matrix((np.ones(edges), (one, other)), shape=(count, count))
    assert connected(count, one, other).tolist() == connected_components(graph, directed=False)[1].tolist()
