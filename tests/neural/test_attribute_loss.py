"""The terms that lead the network to symbols: naming and centring."""

import numpy as np
import pytest
import torch

from domains.relations_game import Scenes, object_set
from neural import NetworkConfig, NeuralError, RelationsNetwork
from neural import attribute_loss as module
from neural.attribute_loss import COLOUR_RELATIONS, LEAST_RELATIONS, LOOK_RELATIONS, AttributeLoss
from neural.auxiliary_losses import CENTRED, centring_loss
from tests.margins import Bound


@pytest.fixture
def network(seed: int) -> RelationsNetwork:
    config = NetworkConfig(heads=2, relations=11, filters=27, key_size=5)
    return RelationsNetwork(config, generator=torch.Generator().manual_seed(seed))


def test_alike_together_and_unlike_apart_costs_nothing() -> None:
    kind = torch.tensor([0, 0, 1, 1, 2])
    placed = torch.tensor([[0.0, 0.0], [0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    assert module._apart(placed, kind).item() == 0
    assert module._apart(placed * 0.5, kind).item() == pytest.approx(0.25), "all unlike pairs half a margin too near"
    moved = placed.clone()
    moved[1, 0] = 0.1
    assert module._apart(moved, kind).item() > 0


def test_objects_of_the_term_are_those_of_the_game(network: RelationsNetwork) -> None:
    """An object drawn for the term has the co-ordinates that the whole network gives it in a cell."""
    pentos = object_set("pentos")
    shapes, colours = np.full((6, 9), -1), np.full((6, 9), -1)
    shapes[:, 4], colours[:, 4] = [0, 5, 11, 20, 30, 36], [0, 3, 9, 14, 20, 24]
    labels = np.zeros(6, dtype=np.int64)
    scenes = Scenes("pentos", "scatter", shapes.astype(np.int16), colours.astype(np.int16), labels, labels)
    loss = AttributeLoss(network, "pentos")
    squares = loss.masks[shapes[:, 4]][..., None] * loss.palette[colours[:, 4]][:, None]
    np.testing.assert_array_equal(squares.view(6, 3, 3, 3), pentos.squares[shapes[:, 4] * 25 + colours[:, 4]])
    with torch.no_grad():
        whole = network.encoder(torch.from_numpy(scenes.render()))[:, 12, :-2] @ network.predinet.W_S[:-2]
        torch.testing.assert_close(loss._coordinates(squares), whole, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize(("objects", "colours"), [("pentos", 25), ("stripes", 25)])
def test_no_colour_stands_twice_in_the_palette(network: RelationsNetwork, objects: str, colours: int) -> None:
    """Else two objects that look alike would be called unlike, and pushed apart."""
    palette = AttributeLoss(network, objects).palette
    assert len(palette) == len(palette.unique(dim=0)) == colours
    assert palette.amax(1).min() > 0, "black is none"


def test_weathered_windows_are_moved_by_up_to_a_pixel_each_way() -> None:
    windows = torch.zeros(3000, 3, 12, 12)
    windows[:, :, 1:10, 1:10] = 200
    generator = torch.Generator().manual_seed(0)
    augmented = module._augmented(windows, lambda *size: torch.rand(*size, generator=generator))
    assert augmented.shape == windows.shape
    assert 0 <= augmented.min() < augmented.max() <= 255
    centre = (augmented.mean((1, 2))[:, None, :] @ (torch.arange(12.0)[:, None] - 5)).flatten() / (
        augmented.mean((1, 2)).sum(1)
    )
    moves, counts = centre.round().unique(return_counts=True)
    assert moves.tolist() == [-1, 0, 1]
    assert counts.min() > 900


def test_the_draw_depends_on_the_seed_alone(network: RelationsNetwork) -> None:
    loss = AttributeLoss(network, "pentos")
    first = loss((0, 1))
    torch.rand(5)
    assert loss((0, 1)).equal(first)
    assert not loss((0, 2)).equal(first)
    assert not loss((1, 1)).equal(first)


@pytest.mark.margins
def test_a_few_steps_part_colours_from_shapes(
    network: RelationsNetwork, monkeypatch: pytest.MonkeyPatch, bound: Bound, seed: int
) -> None:
    """At a low rate: at three times this one what a step makes of rounding decides how far the loss falls."""
    for number in ("SHAPES", "COLOURS", "LOOKS"):
        monkeypatch.setattr(module, number, 8)
    loss = AttributeLoss(network, "pentos")
    optimiser = torch.optim.Adam(network.parameters(), lr=3e-3)
    values = []
    for step in range(80):
        value = loss((seed, step))
        optimiser.zero_grad()
        value.backward()
        optimiser.step()
        values.append(value.item())
    bound.below("loss, of its start", float(np.mean(values[-10:]) / np.mean(values[:10])), 0.7)
    with torch.no_grad():
        palette, masks = loss.palette[:, None], loss.masks
        one_shape = loss._coordinates(masks[7][None, :, None] * palette)  # (25, j): every colour
        one_colour = loss._coordinates(masks[:, :, None] * loss.palette[4])  # (37, j): every shape
    colour, shape = slice(0, COLOUR_RELATIONS), slice(COLOUR_RELATIONS, -LOOK_RELATIONS)
    spread = {"colours": one_shape.std(0), "shapes": one_colour.std(0)}
    bound.above("colours, of shapes", float(spread["colours"][colour].sum() / spread["shapes"][colour].sum()), 3)
    bound.above("shapes, of colours", float(spread["shapes"][shape].sum() / spread["colours"][shape].sum()), 1.3)


@pytest.mark.margins
def test_the_look_is_led_to_tell_the_order_of_colours(
    network: RelationsNetwork, monkeypatch: pytest.MonkeyPatch, bound: Bound, seed: int
) -> None:
    """Two objects of one shape with the same colours, elsewhere: a few steps of the term drive them apart."""
    for number in ("SHAPES", "COLOURS"):
        monkeypatch.setattr(module, number, 2)  # parts of the loss that do not count here
    loss = AttributeLoss(network, "pentos")
    one = torch.zeros(1, 9, 3)
    one[0, :3], one[0, 3:6] = torch.tensor([200.0, 0.0, 0.0]), torch.tensor([0.0, 0.0, 200.0])
    other = one[:, [3, 4, 5, 0, 1, 2, 6, 7, 8]]

    def apart() -> float:
        with torch.no_grad():
            return float((loss._coordinates(one) - loss._coordinates(other))[:, -LOOK_RELATIONS:].abs().max())

    before = apart()
    optimiser = torch.optim.Adam(network.parameters(), lr=3e-3)
    for step in range(60):
        optimiser.zero_grad()
        loss((seed, step)).backward()
        optimiser.step()
    bound.above("how far they lie apart", apart(), 0.5)
    bound.above("how much further than before", apart() / before, 1.5)


def test_too_few_relations_to_name_are_refused() -> None:
    network = RelationsNetwork(NetworkConfig(relations=LEAST_RELATIONS - 1))
    with pytest.raises(NeuralError, match=f"train with --relations {LEAST_RELATIONS} or more"):
        AttributeLoss(network, "pentos")


def test_centring_asks_only_windows_between_cells() -> None:
    def loss(**objectness: float) -> float:
        grid = torch.zeros(1, 25)
        for window, value in objectness.items():
            grid[0, int(window.removeprefix("w"))] = value
        return centring_loss(grid).item()

    assert loss(w0=1.0) == 0, "a cell alone"
    assert loss(w0=1.0, w1=CENTRED) == pytest.approx(0, abs=1e-5), "window 1 overlaps cells 0 and 2"
    assert loss(w0=1.0, w1=1.0) == pytest.approx(1 - CENTRED, abs=1e-5)
    assert loss(w0=0.2, w2=1.0, w1=CENTRED) == pytest.approx(0, abs=1e-5), "the richer neighbour decides"
    assert loss(w24=1.0, w6=0.5) == pytest.approx(0.5, abs=1e-5), "window 6 overlaps cells 0, 2, 10, 12 only"
