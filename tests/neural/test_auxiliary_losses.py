"""The auxiliary losses: what coverage and centring ask of masks and windows."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor

from predinet_prolog.domains import load_domain
from predinet_prolog.domains.relations_game import attribute_windows, object_set
from predinet_prolog.neural import NetworkConfig, NeuralError, RelationsNetwork
from predinet_prolog.neural import attribute_loss as module
from predinet_prolog.neural.attribute_loss import AttributeLoss
from predinet_prolog.neural.auxiliary_losses import SETTINGS, centring_loss, coverage_loss
from predinet_prolog.neural.optimiser import Optimiser
from tests.margins import Bound

WINDOWS = 25


def test_coverage_is_zero_when_every_window_is_attended_and_ignores_blank_ones() -> None:
    shown = torch.zeros(1, WINDOWS)
    lit = [0, 1, 5, 6]  # the windows that overlap the only object
    shown[0, lit] = torch.tensor([1.0, 0.5, 0.5, 0.3])
    everywhere = torch.eye(WINDOWS)[None]
    assert coverage_loss(shown, everywhere).abs() < 1e-5
    only_there = torch.zeros(1, 4, WINDOWS)
    only_there[0, range(4), lit] = 1
    assert coverage_loss(shown, only_there).abs() < 1e-5, "blank windows need no mask"
    away = everywhere.clone()
    away[..., lit] = 0
    assert coverage_loss(shown, away) > 10
    assert not coverage_loss(torch.zeros(1, WINDOWS), away).any(), "an image of nothing"


def test_coverage_leads_the_masks_and_not_the_features() -> None:
    shown, masks = torch.rand(2, WINDOWS, requires_grad=True), torch.rand(2, 3, WINDOWS, requires_grad=True)
    coverage_loss(shown, masks).backward()
    assert shown.grad is None
    assert ((masks.grad != 0).sum(1) == 1).all(), "the mask that reaches a window most"


def test_centring_asks_only_windows_between_cells() -> None:
    def loss(**content: float) -> float:
        grid = torch.zeros(1, WINDOWS)
        for window, value in content.items():
            grid[0, int(window.removeprefix("w"))] = value
        return centring_loss(grid).item()

    centred = SETTINGS.centred
    assert loss(w0=1.0) == 0, "a cell alone"
    assert abs(loss(w0=1.0, w1=centred)) < 1e-5, "window 1 overlaps cells 0 and 2"
    assert abs(loss(w0=1.0, w1=1.0) - (1 - centred)) < 1e-5
    assert abs(loss(w0=0.2, w2=1.0, w1=centred)) < 1e-5, "the neighbour with more content decides"
    assert abs(loss(w24=1.0, w6=0.5) - 0.5) < 1e-5, "window 6 overlaps cells 0, 2, 10, 12 only"


# --- The attribute loss: how its parts are weighed, and what it leads a network to. ---


FILTERS = 27
COLOUR, SHAPE, LOOK = slice(0, 4), slice(4, 8), slice(8, 11)
GAME = load_domain("relations_game")


@pytest.fixture
def network(seed: int) -> RelationsNetwork:
    config = NetworkConfig(heads=2, relations=11, filters=FILTERS, key_size=5)
    return RelationsNetwork(config, generator=torch.Generator().manual_seed(seed))


def test_the_term_is_the_sum_of_parts_and_the_lasso(network: RelationsNetwork, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each part sees the things of its attribute on its own relations; here they cost 2, 3 and 5."""
    told: list[tuple[Tensor, Tensor, float]] = []

    def apart(coordinates: Tensor, kind: Tensor, push: float) -> Tensor:
        told.append((coordinates, kind, push))
        return torch.tensor([2.0, 3.0, 5.0][len(told) - 1])

    monkeypatch.setattr(module, "_apart", apart)
    network.requires_grad_(False).encoder.weight.normal_(0.2, 0.1)
    # Every filter has on each of nine squares a group of 3 · 3 · 3 weights.
    groups = network.encoder.weight[:, :, 1:10, 1:10].unflatten(2, (3, 3)).unflatten(4, (3, 3))
    lasso = groups.square().sum((1, 3, 5)).sqrt().sum().item()
    term = AttributeLoss(network, GAME, "pentos")
    assert term((0, 1), 0.25).item() == pytest.approx(10 + 0.001 * lasso, rel=1e-5)
    drawn = attribute_windows.attribute_windows(object_set("pentos"), 12, seed=(0, 1), augmented=False)
    for (found, kind, push), part, columns in zip(told, drawn, (COLOUR, SHAPE, LOOK), strict=True):
        whole = network.encoder.filtered(part.windows) @ network.predinet.W_S[:-2]
        torch.testing.assert_close(found, whole[:, columns])
        assert kind.equal(part.value)
        assert push == 2.0


@pytest.mark.margins
def test_a_few_steps_part_colours_from_shapes_and_tell_the_order_of_colours(
    network: RelationsNetwork, monkeypatch: pytest.MonkeyPatch, bound: Bound, seed: int
) -> None:
    """At a low rate: at three times this one what a step makes of rounding decides how far the loss falls."""
    few = replace(attribute_windows.SETTINGS, shapes=8, colours=8, looks=8)
    monkeypatch.setattr(attribute_windows, "SETTINGS", few)
    loss = AttributeLoss(network, GAME, "pentos")
    readers = attribute_windows.palette_of, attribute_windows.shapes_of
    palette, masks = (read(object_set("pentos")) for read in readers)
    one = torch.zeros(1, 9, 3)
    one[0, :3], one[0, 3:6] = torch.tensor([200.0, 0.0, 0.0]), torch.tensor([0.0, 0.0, 200.0])
    other = one[:, [3, 4, 5, 0, 1, 2, 6, 7, 8]]

    @torch.no_grad()
    def placed(squares: Tensor) -> Tensor:
        return loss._coordinates(attribute_windows.windows_of(squares, 12))

    def apart() -> float:
        """Two objects of one shape with the same colours, elsewhere."""
        return float((placed(one) - placed(other))[:, LOOK].abs().max())

    before = apart()
    optimiser, values = Optimiser(network, "adamw"), []
    for step in range(80):
        value = loss((seed, step))
        network.zero_grad()
        value.backward()
        optimiser.step(3e-3)
        values.append(value.item())
    bound.below("loss, of its start", float(np.mean(values[-10:]) / np.mean(values[:10])), 0.7)
    colours = placed(masks[7][None, :, None] * palette[:, None]).std(0)  # one shape in every colour
    shapes = placed(masks[:, :, None] * palette[4]).std(0)  # every shape in one colour
    bound.above("colours, of shapes", float(colours[COLOUR].sum() / shapes[COLOUR].sum()), 3)
    bound.above("shapes, of colours", float(shapes[SHAPE].sum() / colours[SHAPE].sum()), 1.3)
    bound.above("how far two orders lie apart", apart(), 0.5)
    bound.above("how much further than before", apart() / before, 1.5)


def test_too_few_relations_are_refused() -> None:
    with pytest.raises(NeuralError, match="needs 8 relations, for colour, shape and look; there are 7"):
        AttributeLoss(RelationsNetwork(NetworkConfig(relations=7)), GAME, "pentos")
