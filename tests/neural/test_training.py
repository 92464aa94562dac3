"""Training: resumable to the bit, reproducible, and it stops at a bad loss."""

import dataclasses
import logging
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from predinet_prolog.domains import load_domain
from predinet_prolog.experiments import training as training_of_cells
from predinet_prolog.experiments.plans import QUICK
from predinet_prolog.experiments.portions import Portion
from predinet_prolog.neural import (
    CheckpointError,
    Model,
    NetworkConfig,
    NeuralError,
    Progress,
    RelationsNetwork,
    TrainingConfig,
    TrainingDivergedError,
    training_config,
)
from predinet_prolog.neural import training as module
from predinet_prolog.neural.recipes import RENAMED, network_config, task_offsets
from predinet_prolog.neural.runs import Runs
from predinet_prolog.neural.threads import one_thread
from predinet_prolog.neural.training import predict, train
from tests.margins import Bound

SMALL = NetworkConfig(heads=3, relations=2, key_size=5, filters=7)


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small chunks and test sets, so that runs cross several saves in no time. To trace a step takes a second: only
    tests of traced runs do."""
    monkeypatch.setattr(module, "_can_be_traced", lambda *_: False)
    monkeypatch.setattr(module, "STEPS_PER_CHUNK", 3)
    monkeypatch.setattr(module, "STEPS_PER_SAVE", 6)
    monkeypatch.setattr(module, "TEST_IMAGES", 20)


def config(recipe: str = "fast", *, tasks: tuple[str, ...] = ("between",), steps: int = 17) -> TrainingConfig:
    return dataclasses.replace(training_config(tasks, recipe=recipe, steps=steps), batch=5)


class StopHereError(Exception):
    pass


def interrupt_at(step: int) -> "object":
    def report(progress: Progress) -> None:
        if progress.step >= step:
            raise StopHereError

    return report


def weights(model: Model) -> dict[str, np.ndarray]:
    return {name: tensor.numpy() for name, tensor in model.network.state_dict().items()}


SYMBOLS = dataclasses.replace(SMALL, relations=9, aligned=True)
"""The recipe of the default model needs a network that is led to symbols on corrupted pictures."""


@pytest.mark.parametrize(
    ("recipe", "traced", "stop"),
    [
        ("fast", True, 6),
        ("fast", False, 15),
        ("paper", True, 9),
        ("paper", False, 6),
        ("symbols", False, 6),
        ("symbols", False, 15),
    ],
)
def test_an_interrupted_run_ends_with_the_same_weights(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    recipe: str,
    stop: int,
    traced: bool,
) -> None:
    monkeypatch.setattr(module, "_can_be_traced", lambda *_: traced)
    network, run = (SYMBOLS if recipe == "symbols" else SMALL), config(recipe)
    assert bool(run.attribute_loss) == run.augmented == (recipe == "symbols")
    whole = train(network, run, tmp_path / "whole")
    with pytest.raises(StopHereError):
        train(network, run, tmp_path / "parts", report=interrupt_at(stop))  # type: ignore[arg-type]
    steps: list[int] = []
    with caplog.at_level(logging.INFO, "predinet_prolog.neural.states"):
        parts = train(network, run, tmp_path / "parts", report=lambda progress: steps.append(progress.step))
    assert steps[0] > 3, "it began again instead of going on"
    assert re.fullmatch(rf".*state\.safetensors: goes on from step (6|12) of {run.steps}", caplog.messages[0])
    assert whole.sha256 == parts.sha256
    unlearned = RelationsNetwork(network, generator=torch.Generator().manual_seed(run.seed)).state_dict()
    assert all(not np.array_equal(value, unlearned[name]) for name, value in weights(whole).items())


def test_another_seed_ends_with_other_weights(tmp_path: Path) -> None:
    first = train(SMALL, config(), tmp_path / "0")
    second = train(SMALL, dataclasses.replace(config(), seed=1), tmp_path / "1")
    assert not np.array_equal(weights(first)["predinet.W_S"], weights(second)["predinet.W_S"])


def test_a_run_of_another_configuration_is_not_continued(tmp_path: Path) -> None:
    train(SMALL, config(), tmp_path)
    with pytest.raises(CheckpointError, match="seed was 0, now 1"):
        train(SMALL, dataclasses.replace(config(), seed=1), tmp_path)


def test_nan_stops_and_keeps_the_last_good_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_can_be_traced", lambda *_: True)
    original = Runs.terms
    calls = 0

    def poisoned(self: Runs) -> float:
        nonlocal calls
        calls += 1
        return float("nan") if calls == 9 else original(self)

    monkeypatch.setattr(Runs, "terms", poisoned)
    with pytest.raises(TrainingDivergedError, match=r"became nan at step 9: .*state\.safetensors"):
        train(SMALL, config(), tmp_path)
    assert not (tmp_path / "model.safetensors").exists()
    assert train(SMALL, config(), tmp_path).sha256 == train(SMALL, config(), tmp_path / "whole").sha256


def test_weights_that_are_not_finite_are_never_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The very last step can spoil the weights without any loss telling."""
    original = torch.optim.Adam.step
    calls = 0

    def poisoned(self: torch.optim.Adam, *args: object) -> object:
        nonlocal calls
        calls += 1
        result = original(self, *args)  # type: ignore[arg-type]
        if calls == 17:
            with torch.no_grad():
                self.param_groups[0]["params"][0].view(-1)[0] = float("inf")
        return result

    monkeypatch.setattr(torch.optim.Adam, "step", poisoned)
    with pytest.raises(
        TrainingDivergedError, match=r"a weight became NaN or infinite by step 17: .*state\.safetensors"
    ):
        train(SMALL, config(), tmp_path)
    assert not (tmp_path / "model.safetensors").exists()


@pytest.mark.margins
def test_training_learns(tmp_path: Path, bound: Bound, seed: int) -> None:
    reports: list[Progress] = []
    run = dataclasses.replace(training_config(["same"], steps=180), batch=32, learning_rate=4e-3, seed=seed)
    model = train(dataclasses.replace(SMALL, heads=8, relations=8, filters=16), run, tmp_path, report=reports.append)
    losses = [progress.loss for progress in reports]
    bound.below("loss, of its start", float(np.mean(losses[-10:]) / np.mean(losses[:10])), 0.9)
    assert set(model.accuracies) == {"pentos", "hexos", "stripes"}


def test_tasks_share_the_one_hot_task_id() -> None:
    tasks = ("same", "column_patterns_3", "between")
    assert task_offsets(load_domain("relations_game"), tasks) == {"same": 0, "column_patterns_3": 1, "between": 4}
    assert network_config(config(tasks=tasks), heads=3, relations=2).task_ids == 5, "the notebook's width at least"
    both = network_config(config(tasks=("row_patterns_5", "column_patterns_5")), heads=3, relations=2)
    assert (both.task_ids, both.labels) == (10, 2)


def test_all_stands_for_every_task() -> None:
    whole = training_config(["all"], recipe="symbols")
    assert whole.tasks == tuple(load_domain("relations_game").tasks)
    network = network_config(whole, heads=32, relations=16)
    assert (network.filters, network.hidden, network.labels, network.task_ids) == (64, 32, 4, 23)


def test_predict_needs_no_images() -> None:
    network = RelationsNetwork(SMALL)
    empty = np.zeros((0, 36, 36, 3), dtype=np.uint8)
    assert predict(network, empty, np.zeros(0, dtype=np.int64)).shape == (0,)


def test_an_unknown_recipe_names_the_known_ones() -> None:
    with pytest.raises(NeuralError, match="fast or symbols or paper"):
        training_config(["between"], recipe="slow")


@pytest.mark.margins
@pytest.mark.parametrize("recipe", ["paper", "fast"])
def test_a_traced_recipe_is_the_recipe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recipe: str, bound: Bound, seed: int
) -> None:
    """The traced step ends where autograd does, and reports the same on the way."""
    rate = 0.1 if recipe == "paper" else 1e-3
    run = dataclasses.replace(config(recipe, steps=9), learning_rate=rate, seed=seed)
    reports: dict[bool, list[Progress]] = {True: [], False: []}
    ends = {}
    for traced, reported in reports.items():
        monkeypatch.setattr(module, "_can_be_traced", lambda *_, traced=traced: traced)
        ends[traced] = train(SMALL, run, tmp_path / str(traced), report=reported.append).network.state_dict()
    start = RelationsNetwork(SMALL, generator=torch.Generator().manual_seed(run.seed)).state_dict()
    for name, weight in ends[False].items():
        change, difference = (weight - start[name]).norm(), (weight - ends[True][name]).norm()
        bound.below(f"difference of {name}, of its change", float(difference / change), 1e-2)
    for ours, theirs in zip(reports[True], reports[False], strict=True):
        assert (ours.step, ours.accuracy) == (theirs.step, theirs.accuracy)
        bound.close("loss", ours.loss, theirs.loss, rtol=1e-4, atol=0)


def test_a_run_that_diverges_before_anything_was_saved_leaves_nothing(tmp_path: Path) -> None:
    run = dataclasses.replace(config("paper", steps=17), learning_rate=1e9)
    with pytest.raises(TrainingDivergedError, match=r"became (nan|inf) at step 3: no state was saved yet"):
        train(SMALL, run, tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("architecture", ["mlp1", "mlp2", "relation_net", "attention"])
@pytest.mark.parametrize("recipe", ["fast", "paper"])
def test_a_baseline_is_trained_and_loaded_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recipe: str, architecture: str
) -> None:
    monkeypatch.setattr(module, "_can_be_traced", lambda *_: True)
    run = dataclasses.replace(training_config(["between"], recipe=recipe, steps=2, architecture=architecture), batch=5)
    network = network_config(run, heads=3, relations=2, architecture=architecture)
    model = train(network, run, tmp_path)
    assert model.config.architecture == architecture
    assert set(model.accuracies["hexos"]) == {"between"}


@pytest.fixture
def interrupted(tmp_path: Path) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """Metadata and tensors of a run that was interrupted."""
    with pytest.raises(StopHereError):
        train(SMALL, config("paper"), tmp_path, report=interrupt_at(6))  # type: ignore[arg-type]
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
    module.write_state(tmp_path / module.STATE_FILE, metadata | changed, tensors)
    with pytest.raises(CheckpointError, match=said):
        train(SMALL, config("paper"), tmp_path)


def test_a_state_from_before_a_field_was_there_goes_on(
    tmp_path: Path, interrupted: tuple[dict[str, Any], dict[str, Tensor]]
) -> None:
    """Fields that an old state lacks had the values they have now by default; others had other names."""
    metadata, tensors = interrupted
    del metadata["network"]["architecture"], metadata["network"]["aligned"], metadata["training"]["relations_rate"]
    for old, new in RENAMED.items():
        metadata["training"][old] = metadata["training"].pop(new)
    module.write_state(tmp_path / module.STATE_FILE, metadata, tensors)
    steps = []
    train(SMALL, config("paper"), tmp_path, report=lambda progress: steps.append(progress.step))
    assert steps[0] == 9


# --- One thread of PyTorch's, and the others given back. ---


@pytest.fixture
def seen() -> Iterator[list[int]]:
    """The numbers of threads that were seen, of two."""
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield (found := [])
    assert found == [1]
    assert torch.get_num_threads() == 2
    torch.set_num_threads(before)


def test_threads_are_given_back_also_after_an_error(seen: list[int]) -> None:
    @one_thread()
    def fail() -> None:
        seen.append(torch.get_num_threads())
        raise KeyError

    with pytest.raises(KeyError):
        fail()


def test_predicting_takes_one_thread(seen: list[int]) -> None:
    network = RelationsNetwork(SMALL)
    network.register_forward_hook(lambda *_: seen.append(torch.get_num_threads()))
    predict(network, np.zeros((3, 36, 36, 3), dtype=np.uint8), np.zeros(3, dtype=np.int64))


def test_cells_in_this_process_take_one_thread(
    seen: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def groups(portions: Sequence[Portion]) -> list[list[Portion]]:
        seen.append(torch.get_num_threads())
        return []

    monkeypatch.setattr(training_of_cells, "_groups", groups)
    training_of_cells.train_configurations(tmp_path, QUICK, [], lambda done, total, text: None)
