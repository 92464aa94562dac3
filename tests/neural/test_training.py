"""Training: resumable to the bit, reproducible, and it stops at a bad loss."""

import dataclasses
import logging
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from predinet_prolog.neural import Model, NetworkConfig, Progress, RelationsNetwork, TrainingConfig, training_config
from predinet_prolog.neural import training as module
from predinet_prolog.neural.errors import CheckpointError, NeuralError, TrainingDivergedError
from predinet_prolog.neural.states import write_state
from predinet_prolog.neural.training import train
from tests.margins import Bound

SMALL = NetworkConfig(heads=3, relations=2, key_size=5, filters=7)


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small chunks and test sets, so that runs cross several saves in no time."""
    monkeypatch.setattr(module, "STEPS_PER_CHUNK", 3)
    monkeypatch.setattr(module, "STEPS_PER_SAVE", 6)
    monkeypatch.setattr(module, "TEST_IMAGES", 20)


def config(recipe: str = "fast", *, tasks: tuple[str, ...] = ("between",), steps: int = 17) -> TrainingConfig:
    return dataclasses.replace(training_config(tasks, recipe=recipe, steps=steps), batch=5)


class StopHereError(Exception):
    pass


def interrupt_at(step: int) -> Callable[[Progress], None]:
    def report(progress: Progress) -> None:
        if progress.step >= step:
            raise StopHereError

    return report


def weights(model: Model) -> dict[str, np.ndarray]:
    return {name: tensor.numpy() for name, tensor in model.network.state_dict().items()}


SYMBOLS = dataclasses.replace(SMALL, relations=9, aligned=True)
"""The recipe of the default model needs a network that is led to symbols on corrupted pictures."""


@pytest.mark.parametrize(("recipe", "stop"), [("fast", 15), ("paper", 6), ("symbols", 15)])
def test_interrupted_runs_end_so(tmp_path: Path, caplog: pytest.LogCaptureFixture, recipe: str, stop: int) -> None:
    network, run = (SYMBOLS if recipe == "symbols" else SMALL), config(recipe)
    assert bool(run.attribute_loss) == run.augmented == (recipe == "symbols")
    whole = train(network, run, tmp_path / "whole")
    with pytest.raises(StopHereError):
        train(network, run, tmp_path / "parts", report=interrupt_at(stop))
    steps: list[int] = []
    with caplog.at_level(logging.INFO, "predinet_prolog.neural.states"):
        parts = train(network, run, tmp_path / "parts", report=lambda progress: steps.append(progress.step))
    assert steps[0] > 3, "it began again instead of going on"
    assert re.fullmatch(rf".*state\.safetensors: goes on from step (6|12) of {run.steps}", caplog.messages[0])
    assert whole.sha256 == parts.sha256
    unlearned = RelationsNetwork(network, generator=torch.Generator().manual_seed(run.seed)).state_dict()
    assert all(not np.array_equal(value, unlearned[name]) for name, value in weights(whole).items())


def test_a_run_of_another_configuration_is_not_continued(tmp_path: Path) -> None:
    train(SMALL, config(), tmp_path)
    with pytest.raises(CheckpointError, match="seed was 0, now 1"):
        train(SMALL, dataclasses.replace(config(), seed=1), tmp_path)


def test_nan_stops_and_keeps_the_last_good_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def poisoned(self: module.Learner, step: int, *batch: Tensor) -> module.Judged:
        judged = learn(self, step, *batch)
        return dataclasses.replace(judged, loss=float("nan")) if step == 8 else judged

    learn = module.Learner.learn
    with monkeypatch.context() as patch:
        patch.setattr(module.Learner, "learn", poisoned)
        with pytest.raises(TrainingDivergedError, match=r"became nan at step 9: .*state\.safetensors"):
            train(SMALL, config(), tmp_path)
    assert not (tmp_path / "model.safetensors").exists()
    assert train(SMALL, config(), tmp_path).sha256 == train(SMALL, config(), tmp_path / "whole").sha256


@pytest.mark.margins
def test_training_learns(tmp_path: Path, bound: Bound, seed: int) -> None:
    reports: list[Progress] = []
    run = dataclasses.replace(training_config(["same"], steps=180), batch=32, learning_rate=4e-3, seed=seed)
    model = train(dataclasses.replace(SMALL, heads=8, relations=8, filters=16), run, tmp_path, report=reports.append)
    losses = [progress.loss for progress in reports]
    bound.below("loss, of its start", float(np.mean(losses[-10:]) / np.mean(losses[:10])), 0.9)
    assert set(model.accuracies) == {"pentos", "hexos", "stripes"}


def test_an_unknown_recipe_names_the_known_ones() -> None:
    with pytest.raises(NeuralError, match="fast or symbols or paper"):
        training_config(["between"], recipe="slow")


@pytest.fixture
def interrupted(tmp_path: Path) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """Metadata and tensors of a run that was interrupted."""
    with pytest.raises(StopHereError):
        train(SMALL, config("paper"), tmp_path, report=interrupt_at(6))
    return module.read_state(tmp_path / module.STATE_FILE)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"step": None}, "is not the state of a run by this version: delete it"),
        ({"training": ["between"]}, "is not the state of a run by this version: delete it"),
        ({"network": None}, "is not the state of a run by this version: delete it"),
        ({"training": {}}, r"of another run \(tasks was not said, now \['between'\]\)"),
    ],
)
def test_a_state_that_makes_no_sense(
    tmp_path: Path, interrupted: tuple[dict[str, Any], dict[str, Tensor]], changed: dict[str, object], said: str
) -> None:
    metadata, tensors = interrupted
    write_state(tmp_path / module.STATE_FILE, metadata | changed, tensors)
    with pytest.raises(CheckpointError, match=said):
        train(SMALL, config("paper"), tmp_path)
