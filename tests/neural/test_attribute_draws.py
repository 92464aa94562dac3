"""The attribute loss: which of its objects are called alike, on which relations, and how its parts are weighed."""

import pytest
import torch
from torch import Tensor

from neural import NetworkConfig, RelationsNetwork
from neural import attribute_loss as module
from neural.attribute_loss import AttributeLoss

FILTERS = 27
Part = tuple[Tensor, Tensor, float]


@pytest.fixture
def network() -> RelationsNetwork:
    config = NetworkConfig(heads=2, relations=11, filters=FILTERS, key_size=5)
    return RelationsNetwork(config, generator=torch.Generator().manual_seed(0)).requires_grad_(False)


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> list[Part]:
    """What the three parts of the term are told; they cost 2, 3 and 5."""
    told: list[Part] = []

    def apart(coordinates: Tensor, kind: Tensor, push: float) -> Tensor:
        told.append((coordinates, kind, push))
        return torch.tensor([2.0, 3.0, 5.0][(len(told) - 1) % 3])

    monkeypatch.setattr(module, "_apart", apart)
    return told


def alike(values: Tensor) -> Tensor:
    """Which rows (N, …) are equal: (N, N)."""
    rows = values.flatten(1)
    return (rows[:, None] == rows[None]).all(-1)


def test_objects_are_called_alike_by_what_is_drawn(
    network: RelationsNetwork, parts: list[Part], monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[Tensor] = []
    placed: list[Tensor] = []
    original = AttributeLoss._coordinates

    def spy(self: AttributeLoss, squares: Tensor, weather: object = None) -> Tensor:
        drawn.append(squares.reshape(-1, 9, 3))
        placed.append(original(self, squares))
        return placed[-1]

    monkeypatch.setattr(AttributeLoss, "_coordinates", spy)
    term = AttributeLoss(network, "pentos")
    fewest = 16
    for step in range(12):
        for told in (drawn, placed, parts):
            told.clear()  # type: ignore[attr-defined]
        term((0, step))
        (_, colour, _), (_, shape, _), (_, look, _) = parts
        assert alike(colour[:, None]).equal(alike(drawn[0].amax(1))), "every square of an object has its colour"
        lit = drawn[1].amax(-1) > 0
        assert alike(shape[:, None]).equal(alike(lit)), "the shape is that of the squares that are left"
        assert alike(look[:, None]).equal(alike(drawn[2]))
        fewest = min(fewest, len(shape.unique()))
    assert fewest < 16, "what is left of two of the 16 shapes was the same once"
    # Four relations for colour, three for the look, the rest of eleven for shape.
    for (found, _, _), whole, columns in zip(parts, placed, ([0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10]), strict=True):
        assert found.equal(whole[:, columns])


def test_the_term_is_the_sum_of_its_parts_and_a_little_of_the_lasso(
    network: RelationsNetwork, parts: list[Part]
) -> None:
    network.encoder.weight.fill_(0.2)
    # Every filter has on each of nine squares a group of 3 · 3 · 3 equal weights, whose norm is √27 times one of them.
    lasso = FILTERS * 9 * 27**0.5 * 0.2
    assert AttributeLoss(network, "pentos")((0, 1), 0.25).item() == pytest.approx(10 + 0.001 * lasso, rel=1e-5)
    assert [push for _, _, push in parts] == [2.0, 2.0, 2.0]
