"""Training and predicting take one thread of PyTorch's, and give the others back."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
import torch

from experiments import training as training_of_cells
from experiments.plans import QUICK
from experiments.portions import Portion
from neural import NetworkConfig, RelationsNetwork
from neural.threads import one_thread
from neural.training import predict


@pytest.fixture(autouse=True)
def two_threads() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


def test_threads_are_given_back_also_after_an_error() -> None:
    @one_thread()
    def fail() -> None:
        assert torch.get_num_threads() == 1
        raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert torch.get_num_threads() == 2


def test_predicting_takes_one_thread() -> None:
    seen = []
    network = RelationsNetwork(NetworkConfig(heads=2, relations=2, key_size=5, filters=7))
    network.register_forward_hook(lambda *_: seen.append(torch.get_num_threads()))
    predict(network, np.zeros((3, 36, 36, 3), dtype=np.uint8), np.zeros(3, dtype=np.int64))
    assert seen == [1]
    assert torch.get_num_threads() == 2


def test_cells_in_this_process_take_one_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def turn(*_: object) -> Iterator[tuple[Sequence[Portion], int]]:
        seen.append(torch.get_num_threads())
        yield from ()

    monkeypatch.setattr(training_of_cells, "_in_turn", turn)
    training_of_cells.train_configurations(tmp_path, QUICK, [], lambda done, total, text: None)
    assert seen == [1]
    assert torch.get_num_threads() == 2
