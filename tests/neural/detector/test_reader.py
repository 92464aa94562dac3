"""What a reader is blind to: shape sees no colour, colour no place."""

import numpy as np
import pytest
import torch

from predinet_prolog.neural.detector.config import FRAME, INPUTS, DetectorConfig, weight_shapes
from predinet_prolog.neural.detector.lessons import partly_hidden
from predinet_prolog.neural.detector.reader import Reader

WORDS = {"shape": ("cube", "sphere", "cylinder"), "color": ("red", "cyan"), "ripe": ("no", "yes")}


@pytest.fixture
def reader() -> Reader:
    torch.manual_seed(3)
    return Reader(WORDS).eval()


def logits(reader: Reader, glimpses: torch.Tensor) -> dict[str, torch.Tensor]:
    with torch.no_grad():
        parts = reader(glimpses, torch.zeros(len(glimpses), FRAME), torch.full((1, 3), 1 / 3)).split([3, 2, 2], dim=1)
    return dict(zip(WORDS, parts, strict=True))


@pytest.fixture
def glimpses() -> torch.Tensor:
    torch.manual_seed(4)
    x = torch.rand(5, INPUTS, 32, 32)
    x[:, 6] = (x[:, 6] > 0.4).float()
    return x


def test_shape_sees_no_colour(reader: Reader, glimpses: torch.Tensor) -> None:
    before = logits(reader, glimpses)
    red, green, blue = 2, 0, 1
    after = logits(reader, glimpses[:, [red, green, blue, 3, 4, 5, 6, 7]])
    assert torch.allclose(before["shape"], after["shape"], atol=1e-5)
    assert not torch.allclose(before["color"], after["color"], atol=1e-3)


def test_shape_sees_no_paint(reader: Reader, glimpses: torch.Tensor) -> None:
    light = glimpses.clone()
    light[:, :3] = light[:, :3] * 0.5 + 0.3
    assert torch.allclose(logits(reader, glimpses)["shape"], logits(reader, light)["shape"], atol=2e-2)


def test_colour_sees_no_place(reader: Reader, glimpses: torch.Tensor) -> None:
    order = torch.randperm(16)
    moved = glimpses.clone()
    moved[..., ::2, ::2] = glimpses[..., ::2, ::2][..., order, :]  # the pixels that colour looks at
    assert torch.allclose(logits(reader, glimpses)["color"], logits(reader, moved)["color"], atol=1e-5)
    assert not torch.allclose(logits(reader, glimpses)["shape"], logits(reader, moved)["shape"], atol=1e-3)


def test_an_attribute_of_ones_own_sees_both(reader: Reader, glimpses: torch.Tensor) -> None:
    painted = glimpses[:, [2, 0, 1, 3, 4, 5, 6, 7]]
    assert not torch.allclose(logits(reader, glimpses)["ripe"], logits(reader, painted)["ripe"], atol=1e-4)


def test_things_are_hidden_by_others_but_never_whole() -> None:
    glimpses = np.zeros((300, INPUTS, 32, 32), dtype=np.float32)
    glimpses[:, :6] = np.arange(300)[:, None, None, None]  # each has a colour of its own
    glimpses[:, 6, 6:26, 6:26] = 1
    hidden = partly_hidden(glimpses, np.random.default_rng(5))
    left = hidden[:, 6].sum((1, 2)) / 400
    assert 0.3 < (left < 1).mean() < 0.6
    assert left.min() >= 0.15
    before = hidden[:, 7] == 1
    assert not before[:, :10].any()  # what hides stands further down
    assert (before.sum((1, 2)) > 0).tolist() == (left < 1).tolist()
    assert all((hidden[n, 0][before[n]] == n - 1).all() for n in range(1, 300))  # the colours of the one before
    assert np.array_equal(hidden[:, 0][~before], glimpses[:, 0][~before])


def test_its_weights_are_known_without_it(reader: Reader) -> None:
    shapes = {f"reader.{name}": tuple(value.shape) for name, value in reader.state_dict().items()}
    wanted = weight_shapes(DetectorConfig(WORDS))
    assert shapes == {name: shape for name, shape in wanted.items() if name.startswith("reader.")}
