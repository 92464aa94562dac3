"""Corrupted pictures: what each corruption leaves as it is, what it changes and how much."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from predinet_prolog.domains.errors import DomainError
from predinet_prolog.domains.relations_game import EVERYDAY, OBJECT_SETS, Scenes, generate, object_set
from predinet_prolog.domains.relations_game.corruptions import augmented_images, corrupt, object_offsets

RANDOM, WHAT = ("noise", "shift"), ("shapes", "colours")
STRONG = {"noise": 0.1, "jpeg": 50, "resize": 24, "brightness": 0.6, "contrast": 0.6, "blur": 1.0, "shift": 3}
STRONG["background"] = 0.4
"""One clear strength of each."""
EVERY = pytest.mark.parametrize("name", STRONG)
UNTOUCHED = {"noise": 0, "resize": 36, "brightness": 1, "contrast": 1, "blur": 0.01, "shift": 0, "background": 0}
"""The strength that leaves every picture as it is, of those that have one."""


def scattered(n: int = 23, objects: str = "hexos", seed: int = 0) -> Scenes:
    return generate("scatter", n, objects=objects, seed=seed)


# --- Laws of every corruption. ---


@EVERY
def test_an_untouched_picture_is_the_scene_s(name: str) -> None:
    scenes = scattered()
    if name == "jpeg":
        # Colour is kept at half the resolution: even at the best quality it runs over a shape's edges, but no
        # further. Brightness does not.
        weights = np.array([0.299, 0.587, 0.114])
        off = np.abs(corrupt(scenes, name, 100, seed=0) @ weights - scenes.render() @ weights)
        assert float(np.median(off)) < 1
        assert float(off.mean()) < 4
    else:
        np.testing.assert_array_equal(corrupt(scenes, name, UNTOUCHED[name], seed=0), scenes.render())


@EVERY
def test_pictures_depend_on_the_arguments_and_not_on_their_neighbours(name: str) -> None:
    scenes, strength = scattered(), STRONG[name]
    images = corrupt(scenes, name, strength, seed=1)
    for other in (1, (1,), (2, 1), (1, 2, 0), -1):
        differ = (images != corrupt(scenes, name, strength, seed=other)).any()
        assert differ == (name in RANDOM and other not in (1, (1,)))
    np.testing.assert_array_equal(corrupt(scenes[:7], name, strength, seed=1), images[:7])
    others = scattered(seed=9)
    shapes, colours = (np.concatenate([getattr(others, key)[:11], getattr(scenes, key)[11:]]) for key in WHAT)
    mixed = replace(scenes, shapes=shapes, colours=colours)
    np.testing.assert_array_equal(corrupt(mixed, name, strength, seed=1)[11:], images[11:])
    assert len(corrupt(scenes[:0], name, strength, seed=1)) == 0


def test_everyday_corruptions_are_those_of_the_readme() -> None:
    """It promises that these are borne, at these strengths; there may be more of them, but none may be eased."""
    promised = {("noise", 0.05), ("jpeg", 75), ("resize", 200), ("brightness", 0.8), ("brightness", 1.2), ("shift", 1)}
    assert promised <= set(EVERYDAY)


# --- What each one does. ---


def test_brightness_and_contrast_and_background_by_hand() -> None:
    scenes = scattered(objects="stripes")
    clean = scenes.render()
    values = {0, 64, 144, 192}
    assert set(np.unique(clean)) == values

    def becomes(name: str, strength: float) -> dict[int, set[int]]:
        images = corrupt(scenes, name, strength, seed=0)
        return {value: set(np.unique(images[clean == value]).tolist()) for value in values}

    assert becomes("brightness", 1.5) == {0: {0}, 64: {96}, 144: {216}, 192: {255}}
    assert becomes("brightness", 0.5) == {0: {0}, 64: {32}, 144: {72}, 192: {96}}
    assert becomes("contrast", 0.5) == {0: {64}, 64: {96}, 144: {136}, 192: {160}}
    assert becomes("contrast", 1.5) == {0: {0}, 64: {32}, 144: {152}, 192: {224}}
    assert becomes("background", 0.2) == {0: {51}, 64: {64}, 144: {144}, 192: {192}}


def test_blur_of_a_point_is_a_gaussian() -> None:
    """Light is spread as far as the kernel says, and none is lost."""
    shapes, colours = np.full((1, 9), -1), np.full((1, 9), -1)
    shapes[0, 4], colours[0, 4] = 0, object_set("stripes").n_colours - 1  # the brightest, in the middle
    scenes = Scenes("stripes", "scatter", shapes, colours, np.zeros(1, int), np.zeros(1, int))
    pictures = scenes.render(), corrupt(scenes, "blur", 1.5, seed=0)
    lit, place = [images[0].sum(axis=(0, 2)).astype(float) for images in pictures], np.arange(36)
    before, after = (np.average(place**2, weights=light) - np.average(place, weights=light) ** 2 for light in lit)
    assert lit[1].sum() == pytest.approx(lit[0].sum(), rel=0.01)
    assert after - before == pytest.approx(1.5**2, rel=0.05)


# --- Objects off the grid. ---


@pytest.mark.parametrize("objects", OBJECT_SETS)
@pytest.mark.parametrize("pixels", [1, 2, 3, 6])
def test_a_shift_moves_every_object_whole(objects: str, pixels: int) -> None:
    """Each object's frame is found at its place, and nothing is anywhere else: the pictures add up from them."""
    scenes = scattered(60, objects)
    images = corrupt(scenes, "shift", pixels, seed=4)
    offsets = object_offsets(scenes, "shift", pixels, seed=4)
    clean = scenes.render()
    left = images.copy()
    for image, cell in zip(*np.nonzero(scenes.occupied), strict=True):
        row, column = divmod(int(cell), 3)
        top, side = 12 * row + 1, 12 * column + 1
        right, down = offsets[image, cell].tolist()
        there = left[image, top + down : top + down + 9, side + right : side + right + 9]
        np.testing.assert_array_equal(there, clean[image, top : top + 9, side : side + 9])
        there[:] = 0
    assert not left.any()
    assert [(image != 0).sum() for image in images] == [(image != 0).sum() for image in clean]
    assert (images != clean).any(axis=(1, 2, 3)).mean() > 0.9


# --- Mistakes. ---


@pytest.mark.parametrize("seed", [None, 1.5, "1", (), (1, None)])
@pytest.mark.parametrize(
    "draw",
    [
        lambda seed: corrupt(scattered(2), "noise", 0.1, seed=seed),
        lambda seed: augmented_images(scattered(2), seed=seed),
        lambda seed: generate("same", 1, seed=seed),
    ],
)
def test_what_is_no_seed_is_refused(draw: Callable[[object], object], seed: object) -> None:
    with pytest.raises(DomainError, match="a seed is an integer or a tuple of integers"):
        draw(seed)


def test_augmented_objects_are_moved_as_often_as_is_said() -> None:
    """By where an object alone on its board lies, in those pictures where nothing else was done to it."""
    n = 2_500
    shapes = np.full((n, 9), -1)
    shapes[:, 4] = 0
    scenes = Scenes("pentos", "scatter", shapes, shapes.copy(), np.zeros(n, int), np.zeros(n, int))
    still, images = scenes.render().astype(int), augmented_images(scenes, seed=0)
    rows, columns = np.nonzero(still[0].any(axis=2))
    colour = still[0, rows[0], columns[0]]
    shown = (images == colour).all(axis=3)
    alone = shown.any(axis=(1, 2)) & ((images != 0).any(axis=3) == shown).all(axis=(1, 2))
    assert alone.sum() > 330
    down = shown[alone].any(axis=2).argmax(axis=1) - rows.min()
    right = shown[alone].any(axis=1).argmax(axis=1) - columns.min()
    steps = np.maximum(np.abs(down), np.abs(right))
    # Of the 9 and the 25 places up to 1 and 2 pixels off, 8 and 16 are at the rim.
    expected = [0.5 + 0.4 / 9 + 0.1 / 25, 0.4 * 8 / 9 + 0.1 * 8 / 25, 0.1 * 16 / 25]
    assert (np.bincount(steps) / alone.sum()).tolist() == pytest.approx(expected, abs=0.025)
