"""Windows for the attribute loss: which objects are called alike, and how augmented ones differ from clean ones."""

from dataclasses import replace

import pytest
import torch
from torch import Tensor

from predinet_prolog.domains.relations_game import attribute_windows as module
from predinet_prolog.domains.relations_game import object_set
from predinet_prolog.domains.relations_game.attribute_windows import SETTINGS, attribute_windows, augment

PENTOS = object_set("pentos")
SIZE = 12


def alike(values: Tensor) -> Tensor:
    """Which rows (N, …) are equal: (N, N)."""
    rows = values.flatten(1)
    return (rows[:, None] == rows[None]).all(-1)


def squares_in(windows: Tensor) -> Tensor:
    """The colours (n, 9, 3) of the squares, each at its middle pixel."""
    return windows[:, :, 2:11:3, 2:11:3].flatten(2).transpose(1, 2)


def test_objects_are_called_alike_by_what_is_drawn() -> None:
    fewest = SETTINGS.shapes
    for step in range(12):
        colour, shape, look = attribute_windows(PENTOS, SIZE, seed=(0, step), augmented=False)
        assert alike(colour.value[:, None]).equal(alike(squares_in(colour.windows).amax(1))), "one colour an object"
        lit = squares_in(shape.windows).amax(-1) > 0
        assert alike(shape.value[:, None]).equal(alike(lit)), "the shape is that of the squares that are left"
        assert alike(look.value[:, None]).equal(alike(squares_in(look.windows)))
        fewest = min(fewest, len(shape.value.unique()))
    assert fewest < SETTINGS.shapes, "what is left of two of the 16 shapes was the same once"


def test_augmented_windows_are_moved_by_up_to_a_pixel_each_way() -> None:
    windows = torch.zeros(3000, 3, SIZE, SIZE)
    windows[:, :, 1:10, 1:10] = 200
    generator = torch.Generator().manual_seed(0)
    augmented = augment(windows, lambda *size: torch.rand(*size, generator=generator))
    assert augmented.shape == windows.shape
    assert 0 <= augmented.min() < augmented.max() <= 255
    rows = augmented.mean((1, 2))
    centre = (rows @ (torch.arange(12.0) - 5)) / rows.sum(1)
    moves, counts = centre.round().unique(return_counts=True)
    assert moves.tolist() == [-1, 0, 1]
    assert counts.min() > 900


def test_the_draw_depends_on_the_seed_and_the_settings_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def drawn(*seed: int) -> Tensor:
        parts = attribute_windows(PENTOS, SIZE, seed=seed, augmented=True)
        return torch.cat([part.windows for part in parts])

    first = drawn(0, 1)
    torch.rand(5)
    assert drawn(0, 1).equal(first)
    assert not drawn(0, 2).equal(first)
    assert not drawn(1, 1).equal(first)
    monkeypatch.setattr(module, "SETTINGS", replace(SETTINGS, dimming=0))
    assert not drawn(0, 1).equal(first)
