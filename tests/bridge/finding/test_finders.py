"""Finders of every kind, what speaks against trusting them, and how a picture is laid before they look."""

import io
from dataclasses import replace
from itertools import product
from typing import cast
from unittest.mock import Mock

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

from predinet_prolog.bridge.finding.finders import Found, NetworkFinder, masks_of
from predinet_prolog.bridge.finding.poses import Pose, block_of, pose_of
from predinet_prolog.bridge.glimpses.inspecting import inspect, noise
from predinet_prolog.bridge.glimpses.parts import parts_of
from predinet_prolog.bridge.out_of_distribution import out_of_distribution
from predinet_prolog.bridge.scene import Scene
from predinet_prolog.domains.domain import Inspection
from predinet_prolog.neural.glimpses.config import SIDE
from predinet_prolog.neural.glimpses.graph import GlimpseGraph
from predinet_prolog.neural.glimpses.ground import fit_plane
from tests.bridge.finding.places import box_of, heads_of, perfect

GROUND, UPRIGHT = (230, 225, 210), Pose(False, False, False)


class Perfect:
    """A graph that knows the ground's colour, and takes boxes for larger by so many pixels on each side."""

    def __init__(self, beyond: float = 0.0) -> None:
        self.beyond = beyond
        self.sizes: list[tuple[int, ...]] = []

    def find(self, picture: NDArray[np.uint8], plane: NDArray[np.float64]) -> tuple[np.ndarray, np.ndarray]:
        self.sizes.append(picture.shape[:2])
        places = perfect(self.owner(picture))
        places.boxes[...] += np.array([-1, -1, 1, 1]) * self.beyond
        return heads_of(places), np.full((6, 6), -9.0)

    def owner(self, picture: NDArray[np.uint8]) -> NDArray[np.int64]:
        """(H, W): which thing a pixel shows, from 1."""
        owner, _ = ndimage.label(np.abs(picture.astype(int) - GROUND).max(axis=2) > 100)
        return np.asarray(owner, dtype=np.int64)


def picture(*boxes: tuple[int, int, int, int], size: tuple[int, int] = (96, 96)) -> NDArray[np.uint8]:
    pixels = np.full((*size, 3), GROUND, dtype=np.uint8)
    for left, top, right, bottom in boxes:
        pixels[top:bottom, left:right] = (20, 40, 160)
    return pixels


BOXES = ((8, 10, 30, 34), (50, 52, 80, 70))


@pytest.mark.parametrize("factor", [1, 2, 5])
def test_a_network_finds_the_same_at_any_size(factor: int) -> None:
    large = np.asarray(Image.fromarray(picture(*BOXES)).resize((96 * factor,) * 2, Image.Resampling.NEAREST))
    found = NetworkFinder(cast(GlimpseGraph, Perfect())).find(large)
    assert np.abs(np.array(sorted(found.boxes.tolist())) / factor - sorted(BOXES)).max() <= 1.5


def test_what_another_processor_adds_up_otherwise_moves_no_box() -> None:
    found = [NetworkFinder(cast(GlimpseGraph, Perfect(beyond))).find(picture(*BOXES)) for beyond in (9.3, 9.3001)]
    assert found[0].boxes.tolist() == found[1].boxes.tolist()


def test_no_box_reaches_out_of_the_picture() -> None:
    corners = picture((0, 0, 12, 12), (80, 84, 96, 96))
    boxes = NetworkFinder(cast(GlimpseGraph, Perfect(beyond=9))).find(corners).boxes
    assert sorted(boxes.tolist()) == [[0, 0, 21, 21], [71, 75, 96, 96]]


def test_small_things_are_looked_at_again() -> None:
    graph = Perfect()
    tiny = [(40 * k, 40 * k, 40 * k + 12, 40 * k + 12) for k in range(1, 10)]
    found = NetworkFinder(cast(GlimpseGraph, graph)).find(picture(*tiny, size=(420, 420)))
    assert len(graph.sizes) == 2
    assert graph.sizes[1] > graph.sizes[0]
    assert len(found.boxes) == len(tiny)


@pytest.mark.parametrize(("level", "enlarged"), [(0.0, 1), (4.0, 1), (12.0, 1), (12.0, 12)])
def test_noise_is_measured(level: float, enlarged: int) -> None:
    clean = np.kron(picture(*BOXES) - 60, np.ones((enlarged, enlarged, 1)))
    spoilt = clean + np.random.default_rng(0).normal(0, level, (*clean.shape[:2], 1))
    assert noise(spoilt.clip(0, 255).astype(np.uint8)) == pytest.approx(level, abs=0.15 * level + 0.2)


def test_what_files_do_near_outlines_is_noise() -> None:
    file = io.BytesIO()
    Image.fromarray(picture(*BOXES)).save(file, "JPEG", quality=90)
    assert noise(np.asarray(Image.open(file))) > 0.3
    assert noise(picture(*BOXES)) == 0


def test_shadows_are_uneven_and_slopes_are_not() -> None:
    even = picture(*BOXES)
    across = np.linspace(0.7, 1, 96)[None, :, None]
    slope, shadow = ((even * light).astype(np.uint8) for light in (across, np.where(across > 0.85, 1.0, 0.7)))
    boxes, pictures = np.array(BOXES, float), {"even": even, "slope": slope, "shadow": shadow}
    level = {name: inspect(p, Found(boxes), fit_plane(p), UPRIGHT).noise_level for name, p in pictures.items()}
    assert level["even"] == 0
    assert level["slope"] < 0.5
    assert level["shadow"] > 1
    covered = Found(np.array([[0, 0, 96, 96]], dtype=float))
    assert inspect(even, covered, fit_plane(even), UPRIGHT).noise_level == 0, "no ground is to be seen"


@pytest.mark.parametrize(
    ("part", "said"),
    [
        (np.s_[:2, :2], "top left"),
        (np.s_[2:4, 2:4], "in the middle"),
        (np.s_[:, :], "all over"),
        (np.s_[4:, :], "bottom"),
    ],
)
def test_doubt_names_its_place(part: tuple[slice, slice], said: str) -> None:
    doubt = np.zeros((6, 6))
    doubt[part] = 0.9
    inspection = inspect(picture(), Found(np.zeros((0, 4)), doubt=doubt), fit_plane(picture()), UPRIGHT)
    assert inspection.score >= 1
    assert inspection.reason.endswith(said)
    assert inspection.empty
    mirrored = inspect(picture(), Found(np.zeros((0, 4)), doubt=doubt), fit_plane(picture()), Pose(True, False, False))
    assert mirrored.reason == inspection.reason.replace("left", "RIGHT").replace("right", "left").lower()


@pytest.mark.parametrize(
    ("low", "high", "reason"),
    [
        (0, 5, "it is dark all over: its brightest sample is 5 of 255"),
        (0, 0, "it is dark all over: its brightest sample is 0 of 255"),
        (200, 205, "its samples use a small part of their range: 200 to 205 of 255"),
        (200, 200, None),
        (100, 200, None),
    ],
)
def test_a_picture_of_little_contrast_is_called_so(low: int, high: int, reason: str | None) -> None:
    """Where nothing was found in it; what its domain says of all pictures would not help."""
    faint = np.full((96, 96, 3), low, np.uint8)
    faint[:40] = high
    inspection = inspect(
        faint, Found(np.zeros((0, 4)), doubt=np.ones((6, 6)) if reason else None), fit_plane(faint), UPRIGHT
    )
    warning = out_of_distribution(Scene((), inspection, (96, 96)), "show things").warning
    stretch = "save it with its samples stretched to the whole range"
    assert warning == (f"{reason}; {stretch}" if reason else "the network found no object; show things")
    things = Found(np.array(BOXES, dtype=float))
    assert inspect(faint, things, fit_plane(faint), UPRIGHT).reason is None


def test_parts_are_pieces_of_one_colour() -> None:
    pixels = np.zeros((32, 32, 3))
    pixels[4:28, 4:28] = (200, 30, 30)
    pixels[10:20, 12:24] = (30, 60, 200)
    shown = pixels.any(axis=2)
    parts = parts_of(pixels, shown)
    assert [colour for _, colour in parts] == [(200, 30, 30), (30, 60, 200)] or len(parts) == 2
    (blue,) = [box for box, colour in parts if colour[2] > 150]
    assert np.abs(blue - box_of(pixels[..., 2] == 200)).max() <= 1
    pixels[10:20, 12:24] = (200, 30, 30)
    assert parts_of(pixels, shown) == []


def test_what_is_hardly_trusted_is_named() -> None:
    def seen(trust: float, pose: Pose = UPRIGHT) -> Inspection:
        things, part = np.array(BOXES, dtype=float), np.array([70.0, 60, 96, 96])
        return inspect(picture(), Found(things, None, (), np.zeros((6, 6)), trust, part), fit_plane(picture()), pose)

    assert (seen(0.78).score, seen(0.78).trust) == (1.0, 0.78)
    for pose, side in ((UPRIGHT, "right"), (Pose(True, False, True), "left")):
        assert seen(0.78, pose).reason == f"what is shown at the bottom {side} may be one thing, several or none"
    assert (seen(0.82).score, seen(0.82).reason, seen(0.82).empty) == (0.0, None, False)


def test_a_large_thing_with_ground_all_around_is_no_clutter() -> None:
    """A network that doubts everything doubts what patches show to be one thing no more."""

    class Doubting(Perfect):
        def find(self, picture: NDArray[np.uint8], plane: NDArray[np.float64]) -> tuple[np.ndarray, np.ndarray]:
            heads, doubt = super().find(picture, plane)
            return heads, np.full_like(doubt, 9.0)

    large = picture((40, 40, 360, 360), size=(400, 400))
    finder = NetworkFinder(cast(GlimpseGraph, Doubting()))
    alone, both = finder.find(large).doubt, replace(finder, patches=True).find(large).doubt
    assert (alone > 0.5).all()
    assert (both < 0.5).sum() >= 16


WAYS = [Pose(*way) for way in product((False, True), repeat=3)]
PICTURE = np.random.default_rng(3).integers(90, 100, (97, 109, 3), dtype=np.uint8)
PICTURE[5:23, 57:96] = 200
PICTURE[50:81, 17:44] = 240


@pytest.mark.parametrize("pose", WAYS)
def test_boxes_and_parts_are_where_they_were(pose: Pose) -> None:
    laid = pose.laid(PICTURE)
    assert np.array_equal(pose.restored(laid), PICTURE)
    rows, columns = np.nonzero(laid[..., 0] == 200)
    box = np.array([[columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]], dtype=float)
    assert pose.restored_boxes(box, 97, 109).tolist() == [[57, 5, 96, 23]]
    assert pose.laid_boxes(np.array([[57.0, 5, 96, 23]]), 97, 109).tolist() == box.tolist()
    assert np.array_equal(pose_of(laid).laid(laid), pose_of(PICTURE).laid(PICTURE))


@pytest.mark.parametrize("pose", WAYS)
def test_a_picture_of_even_brightness_is_laid_one_way_too(pose: Pose) -> None:
    picture = np.full((80, 80, 3), 90, dtype=np.uint8)
    picture[10:20, 10:20] = picture[60:70, 60:70] = 200, 40, 100
    picture[10:20, 60:70] = picture[60:70, 10:20] = 100, 40, 200
    picture[36:44, 30:50, 1] = 120
    laid = pose.laid(picture)
    assert np.array_equal(pose_of(laid).laid(laid), pose_of(picture).laid(picture))


@pytest.mark.parametrize(
    ("times", "block", "small"), [(1, 1, 1), (2, 2, 1), (3, 1, 1), (4, 4, 2), (6, 2, 2), (8, 1, 1)]
)
def test_how_many_times_a_picture_was_enlarged(times: int, block: int, small: int) -> None:
    """And what was enlarged is not looked at too small."""
    assert block_of(PICTURE.repeat(times, 0).repeat(times, 1)) == block
    assert block_of(PICTURE[:50, :50].repeat(times, 0).repeat(times, 1)) == small
    assert block_of(PICTURE.repeat(times, 0)) == block_of(PICTURE.repeat(times, 1)) == 1


def test_masks_are_those_of_the_things_pixels_in_their_glimpses() -> None:
    owner = np.zeros((100, 100), dtype=np.int64)
    owner[20:60, 10:50], owner[30:50, 20:40] = 2, 0
    masks = masks_of(owner, np.full((100, 100), 0.8), np.array([[0.0, 0, 9, 9], [10, 20, 50, 60]]))
    assert masks[1, [0, 4, SIDE // 2], SIDE // 2] == pytest.approx([0, 0.8, 0])
    assert 0.2 < masks[1, SIDE // 2, 29] < 0.8, "a pixel off"
    kept = np.asarray(Found(np.zeros((2, 4)), masks).only(np.array([True, False])).masks, dtype=float)
    assert (kept.shape, np.isnan(kept).all()) == ((1, SIDE, SIDE), True)


def test_what_repeats_is_sought_where_no_patches_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    seek = Mock(side_effect=lambda *parts: parts[:2])
    for stage in ("made_whole", "taken_apart"):
        monkeypatch.setattr(f"predinet_prolog.bridge.finding.finders.{stage}", seek)
    for side, boxes, calls in ((400, BOXES, 0), (230, [(40, 40, 56, 56)], 2), (96, BOXES, 4)):  # again, as it is
        NetworkFinder(cast(GlimpseGraph, Perfect()), (0,), patches=True).find(picture(*boxes, size=(side, side)))
        assert seek.call_count == calls
