"""Drawing scenes and finding them again, on our own images and on the original data."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from predinet_prolog.domains.errors import DomainError
from predinet_prolog.domains.relations_game import OBJECT_SETS, Scenes, generate, load_npz, object_set, parse

pytestmark = pytest.mark.slow(2)


def gallery(objects: str) -> Scenes:
    """Every object of a set once, nine to a scene; the last scene's rest is empty."""
    kind = object_set(objects)
    numbers = np.full(-(-kind.n_objects // 9) * 9, -1)
    numbers[: kind.n_objects] = np.arange(kind.n_objects)
    shapes, colours = kind.split(numbers.reshape(-1, 9))
    n = len(shapes)
    return Scenes(objects, "scatter", shapes, colours, np.zeros(n, int), np.zeros(n, int))


@pytest.mark.parametrize("objects", OBJECT_SETS)
def test_cells_are_drawn_in_reading_order(objects: str) -> None:
    scenes = gallery(objects)
    images = scenes.render()
    assert images.shape == (len(scenes), 36, 36, 3)
    assert images.dtype == np.uint8
    kind = object_set(objects)
    for i in (0, 7, len(scenes) - 1):
        for cell in range(9):
            row, column = divmod(cell, 3)
            drawn = images[i, 12 * row : 12 * row + 12, 12 * column : 12 * column + 12]
            assert (drawn == kind.cells[min(9 * i + cell, kind.n_objects)]).all()


@pytest.mark.parametrize("objects", OBJECT_SETS)
@pytest.mark.parametrize("dtype", [np.uint8, np.int64])
def test_every_object_is_found_again(objects: str, dtype: type) -> None:
    scenes = gallery(objects)
    shapes, colours = parse(scenes.render().astype(dtype), objects)
    assert shapes.dtype == colours.dtype == np.int16
    np.testing.assert_array_equal(shapes, scenes.shapes)
    np.testing.assert_array_equal(colours, scenes.colours)


@pytest.mark.parametrize("objects", ["hexos", "stripes"])
def test_the_original_images_are_redrawn_pixel_for_pixel(objects: str, public_data: Callable[[str], Path]) -> None:
    original = load_npz(public_data(f"mini_between_{objects}.npz"))
    assert len(original) == 5000
    shapes, colours = parse(original.pixels, objects)
    scenes = Scenes(objects, "between", shapes, colours, original.labels, original.task_ids)
    assert (scenes.occupied.sum(axis=1) == 3).all()
    np.testing.assert_array_equal(scenes.render(), original.pixels)


@pytest.mark.parametrize(
    ("images", "message"),
    [
        (np.zeros((2, 36, 35, 3), int), r"not int64 of shape \(2, 36, 35, 3\)"),
        (np.zeros((2, 36, 36, 3)), "not float64"),
        (np.full((2, 36, 36, 3), 256), "from 0 to 255, not 256 to 256"),
        (generate("occurs", 3, objects="hexos", seed=0).render(), "image 0, cell 1: no object of the set pentos"),
    ],
)
def test_what_shows_no_scene_is_refused(images: np.ndarray, message: str) -> None:
    with pytest.raises(DomainError, match=message):
        parse(images, "pentos")
    assert [found.shape for found in parse(images[:0].reshape(0, 36, 36, 3).astype(int), "pentos")] == [(0, 9)] * 2


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("object_set", "heptos", "unknown object set 'heptos'"),
        ("shapes", np.zeros((4, 8), int), r"shapes must be integers of shape \(4, 9\)"),
        ("shapes", np.full((4, 9), 37), "shapes must be from -1 to 36, not 37 to 37"),
        ("shapes", np.full((4, 9), -1), "in the same cells"),
        ("colours", np.zeros((4, 9)), "colours must be integers.*float64"),
        ("labels", np.full(4, 4), "labels must be from 0 to 3"),
        ("task_ids", np.full(4, -1), "task_ids must be from 0 to 4"),
    ],
)
def test_impossible_scenes_are_refused(field: str, value: object, message: str) -> None:
    zeros = np.zeros((4, 9), int)
    fields = {"object_set": "pentos", "task": "scatter", "shapes": zeros, "colours": zeros}
    fields |= {"labels": zeros[:, 0], "task_ids": zeros[:, 0]}
    Scenes(**fields)  # the others are right
    with pytest.raises(DomainError, match=message):
        Scenes(**fields | {field: value})
