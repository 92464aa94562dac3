"""Masks on hand-made attention, as section S2.2 of the paper defines them, and the claims about them."""

from collections.abc import Callable

import numpy as np
import pytest
import torch

from predinet_prolog.domains.relations_game import Scenes
from predinet_prolog.experiments import heads
from predinet_prolog.neural import NetworkConfig, NeuralError, RelationsNetwork

pytestmark = pytest.mark.slow(6)

CONFIG = NetworkConfig()
WINDOWS = 25


def scenes(*occupied: tuple[int, ...]) -> Scenes:
    """Scenes with objects in the cells named, 0 to 8."""
    shapes = np.full((len(occupied), 9), -1)
    for row, cells in zip(shapes, occupied, strict=True):
        row[list(cells)] = 0
    labels = np.zeros(len(occupied), np.int64)
    return Scenes("pentos", "colour_and_or_shape", shapes, shapes, labels, labels)


def window_of(cell: int) -> int:
    """The window that shows a cell: every second one along rows and columns."""
    row, column = divmod(cell, 3)
    return 2 * row * 5 + 2 * column


def on(*windows: int) -> np.ndarray:
    """A mask that is spread evenly over the windows."""
    mask = np.zeros(WINDOWS, np.float32)
    mask[list(windows)] = 1 / len(windows)
    return mask


NONE, HALF = [0.0] * 5, [0.5] * 4 + [0.0]


@pytest.mark.parametrize(
    ("occupied", "expected"),
    [
        ((4,), [NONE, [0, 0.5, 0.5, 0.5, 0], [0, 0.5, 1, 0.5, 0], [0, 0.5, 0.5, 0.5, 0], NONE]),
        ((0, 1), [[1, 1, 1, 0.5, 0], HALF, NONE, NONE, NONE]),  # full between two
        ((0, 1, 3, 4), [[1, 1, 1, 0.5, 0]] * 3 + [HALF, NONE]),  # and between four
        ((), [NONE] * 5),
        (tuple(range(9)), [[1.0] * 5] * 5),
    ],
)
def test_the_content_mask(occupied: tuple[int, ...], expected: list[list[float]]) -> None:
    assert heads.content_mask(scenes(occupied), CONFIG).reshape(5, 5).tolist() == expected


def test_what_the_heads_attend_to(tiny: Callable[..., RelationsNetwork], monkeypatch: pytest.MonkeyPatch) -> None:
    a, b, between, empty = window_of(0), window_of(1), window_of(0) + 1, window_of(8)
    # Three heads over two images: a pair of objects; the same object twice, then its half; window 8, which only the
    # second image has an object in, and all over.
    first = [[on(a), on(b)], [on(a), on(a)], [on(empty), np.full(WINDOWS, 1 / WINDOWS, np.float32)]]
    second = [[on(b), on(a)], [on(a), on(between)], [on(empty), np.full(WINDOWS, 1 / WINDOWS, np.float32)]]
    monkeypatch.setattr(heads, "attention_masks", lambda network, images: np.array([first, second], np.float32))
    found = heads.head_statistics(tiny(), scenes((0, 1), (0, 1, 8)))
    expected = {
        "pairs": [1, 0, 0],
        "centred": [1, 0.75, 0.25],
        "partial": [0, 0.25, 0],
        "diffuse": [0, 0, 0.5],
        "position_1_sd": [(b - a) / 2, 0, 0],  # the last one's masks never move
    }
    assert {name: found[name].tolist() for name in expected} == expected
    assert heads.object_heads(found).tolist() == [True, True, False]
    assert found["content_1"].tolist() == [1, 1, 0.5]
    assert found["position_1"][0] == found["position_2"][0] == (a + b) / 2


def test_output_weights_are_the_mean_over_each_heads_rows(tiny: Callable[..., RelationsNetwork]) -> None:
    network = tiny()
    weight = network.output.hidden_weight  # (3 heads · 6 values + 5 task ids, 5)
    weight.zero_()
    weight[6:12] = -2.0  # the second head's
    weight[12, 0] = 30.0  # one of the third head's 30
    weight[18:] = 99.0  # the task id's
    assert heads.output_weights(network).tolist() == [0.0, 2.0, 1.0]


def test_masks_are_a_predinets_own_in_batches_of_any_size(
    tiny: Callable[..., RelationsNetwork], monkeypatch: pytest.MonkeyPatch
) -> None:
    network, images = tiny(), scenes((0, 1), (2, 4), (3, 8), (5, 6), (0, 7)).render()
    whole = heads.head_outputs(network, images)
    monkeypatch.setattr(heads, "BATCH", 2)
    np.testing.assert_allclose(heads.head_outputs(network, images), whole, rtol=1e-5, atol=1e-5)
    direct = network.predinet.attend(network.encoder(torch.from_numpy(images)))
    np.testing.assert_allclose(heads.attention_masks(network, images), direct.numpy(), rtol=1e-5)
    with pytest.raises(NeuralError, match="only a PrediNet has pairs of masks, and this is attention"):
        heads.attention_masks(tiny("attention"), images)
    with pytest.raises(NeuralError, match="mlp1 has no heads"):
        heads.head_outputs(tiny("mlp1"), images)
