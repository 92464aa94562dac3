"""The command line trains in one thread: with more it takes many times as long beside other programs."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from neural.runs import Runs

Run = Callable[..., Any]  # the fixture's type


def test_train_takes_one_thread(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("neural.training.TEST_IMAGES", 20)
    original, seen = Runs.step, []

    def step(self: Runs, *tensors: torch.Tensor) -> torch.Tensor:
        seen.append(torch.get_num_threads())
        return original(self, *tensors)

    monkeypatch.setattr(Runs, "step", step)
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    try:
        found = run("train", "between", "--steps", 2, "--heads", 2, "--relations", 2, "-o", tmp_path / "out")
        assert torch.get_num_threads() == 3, "who calls it has its own again"
    finally:
        torch.set_num_threads(before)
    assert found.status == 0
    assert seen == [1, 1]
