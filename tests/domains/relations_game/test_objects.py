"""The three object sets against their known sizes, laws and published data, and the random draws."""

import json
from pathlib import Path

import numpy as np
import pytest

from predinet_prolog.domains.relations_game.objects import BOTH_DIFFER, OBJECT_SETS, object_set


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
