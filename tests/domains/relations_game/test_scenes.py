"""The object sets against their laws and published data; scenes are drawn of them, and they are found again."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from predinet_prolog.domains.errors import DomainError
from predinet_prolog.domains.relations_game import OBJECT_SETS, Scenes, generate, load_npz, object_set, parse
from predinet_prolog.domains.relations_game.objects import BOTH_DIFFER

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
    assert (images.shape, images.dtype) == ((len(scenes), 36, 36, 3), np.uint8)
    kind = object_set(objects)
    for i in (0, 7, len(scenes) - 1):
        for cell in range(9):
            row, column = divmod(cell, 3)
            drawn = images[i, 12 * row : 12 * row + 12, 12 * column : 12 * column + 12]
            assert (drawn == kind.cells[min(9 * i + cell, kind.n_objects)]).all()


@pytest.mark.parametrize("objects", OBJECT_SETS)
def test_every_object_is_found_again(objects: str) -> None:
    scenes = gallery(objects)
    shapes, colours = parse(scenes.render(), objects)
    assert shapes.dtype == colours.dtype == np.int16
    np.testing.assert_array_equal(shapes, scenes.shapes)
    np.testing.assert_array_equal(colours, scenes.colours)


@pytest.mark.parametrize("objects", ["hexos", "stripes"])
def test_the_original_images_are_redrawn_pixel_for_pixel(objects: str, public_data: Callable[[str], Path]) -> None:
    original = load_npz(public_data(f"mini_between_{objects}.npz"))
    assert len(original) == 5000
    shapes, colours = parse(original.images, objects)
    scenes = Scenes(objects, "between", shapes, colours, original.labels, original.task_ids)
    assert (scenes.occupied.sum(axis=1) == 3).all()
    np.testing.assert_array_equal(scenes.render(), original.images)


def test_what_shows_no_scene_is_refused() -> None:
    images = generate("occurs", 3, objects="hexos", seed=0).render()
    with pytest.raises(DomainError, match="image 0, cell 1: no object of the set pentos"):
        parse(images, "pentos")
    assert [found.shape for found in parse(images[:0], "pentos")] == [(0, 9)] * 2


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


def orbit(mask: np.ndarray) -> frozenset[bytes]:
    """The mask under all eight symmetries of the square."""
    return frozenset(np.rot90(side, turn).tobytes() for side in (mask, mask.T) for turn in range(4))


def cropped(mask: np.ndarray) -> tuple[tuple[bool, ...], ...]:
    return tuple(map(tuple, mask[mask.any(axis=1)][:, mask.any(axis=0)].tolist()))


def assert_shares(counts: np.ndarray, shares: np.ndarray) -> None:
    """Counts within five standard deviations of what the shares lead one to expect."""
    n = counts.sum()
    np.testing.assert_array_less(np.abs(counts - n * shares), 5 * np.sqrt(n * shares * (1 - shares)) + 1e-9)


@pytest.mark.parametrize(("name", "squares", "masks", "orientations"), [("pentos", 5, 37, 37), ("hexos", 6, 48, 46)])
def test_polyominoes_are_all_those_that_fit(name: str, squares: int, masks: int, orientations: int) -> None:
    kind = object_set(name)
    assert len(kind.masks) == len({mask.tobytes() for mask in kind.masks}) == masks
    assert (kind.masks.sum(axis=(1, 2)) == squares).all()
    assert len({cropped(mask) for mask in kind.masks}) == orientations
    orbits = {orbit(mask) for mask in kind.masks}
    assert len(orbits) == 8
    assert frozenset.union(*orbits) == {mask.tobytes() for mask in kind.masks}


def test_cells_have_black_margins_and_pure_blocks() -> None:
    for name in OBJECT_SETS:
        cells = object_set(name).cells
        assert len({cell.tobytes() for cell in cells}) == len(cells), "no two look alike"
        assert not cells[:, [0, 10, 11]].any()
        assert not cells[:, :, [0, 10, 11]].any()
        blocks = cells[:, 1:10, 1:10].reshape(-1, 3, 3, 3, 3, 3)
        assert (blocks == blocks[:, :, :1, :, :1]).all()


def test_agrees_with_the_published_measurements(root: Path) -> None:
    path = root.parent / "shared" / "relations_game_objects.json"
    if not path.is_file():
        pytest.skip("no ../shared/relations_game_objects.json to compare with")
    known = json.loads(path.read_text())
    for name, prefix in (("pentos", "pentomino"), ("hexos", "hexomino")):
        kind = object_set(name)
        masks = [m for shape in known[f"{prefix}_shapes"] for m in shape["placed_masks"]]
        assert {np.array(m, bool).tobytes() for m in masks} == {m.tobytes() for m in kind.masks}
        lit = kind.squares[:25][:, kind.masks[0]][:, 0]
        assert lit.tolist() == known[f"{prefix}_colours"]


def test_variants_differ_in_both_and_are_drawn_fairly() -> None:
    """Eight free shapes alike, each one's placements alike; what a mode keeps, the rules of the tasks tell."""
    kind, first = object_set("hexos"), 3
    drawn = kind.variant(np.random.default_rng(3), np.full(40_000, first * 25 + 11), np.full(40_000, BOTH_DIFFER))
    shapes, colours = kind.split(drawn)
    shares = np.array([1 / len(orbit(mask)) for mask in kind.masks])
    shares[first] = 0
    assert_shares(np.bincount(shapes, minlength=kind.n_shapes), shares / shares.sum())
    assert_shares(np.bincount(colours, minlength=25), np.where(np.arange(25) == 11, 0, 1 / 24))


def test_random_except_avoids_every_exclusion() -> None:
    kind = object_set("stripes")
    rng = np.random.default_rng(5)
    one, two = kind.random(rng, 60_000), kind.random(rng, 60_000)
    drawn = kind.random_except(rng, one, two)
    assert not (drawn == one).any()
    assert not (drawn == two).any()
    assert_shares(np.bincount(drawn, minlength=625), np.full(625, 1 / 625))
