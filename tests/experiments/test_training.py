"""Networks of experiments: their images, trained once, resumable to the bit; and those on labels alone."""

import shutil
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from predinet_prolog.experiments import PAPER, Plan, data, take_folder, training
from predinet_prolog.experiments.configurations import Configuration, model_path, read_curve, read_record, read_result
from predinet_prolog.experiments.data import held_out_scenes, held_out_sets, places, training_scenes
from predinet_prolog.experiments.labelled import SIDE, LabelTraining, train_on_labels
from predinet_prolog.experiments.training import train_configurations
from predinet_prolog.neural import RelationsNetwork, load_model
from predinet_prolog.neural.errors import NeuralError

pytestmark = pytest.mark.slow(10)

TINY = replace(PAPER, runs=2, steps=6, batch=3, measurements=3, test_images=7, last_test_images=11)
BETWEEN = Configuration("predinet-between", "predinet", "between", heads=3, relations=2)
LATER = Configuration(
    "later", "predinet", "same", seed=50, start=BETWEEN.name, frozen=("encoder",), heads=3, relations=2
)
BOTH = replace(LATER, name="both", frozen=("encoder", "central"))


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few training images, a state saved at every measurement, and one process."""
    monkeypatch.setattr("predinet_prolog.experiments.data.TRAINING_IMAGES", 13)
    monkeypatch.setattr(training, "SECONDS_PER_SAVE", 0.0)
    monkeypatch.setattr(torch, "get_num_threads", lambda: 1)


class Interrupted(Exception):  # noqa: N818 (stands for Ctrl-C)
    pass


def train(folder: Path, *wanted: Configuration, plan: Plan = TINY, stop: int | None = None) -> list[tuple[int, int]]:
    """Trains, until a report of `stop` steps of runs if there is one; what was reported."""
    reports: list[tuple[int, int]] = []

    def report(done: int, total: int, text: str) -> None:
        reports.append((done, total))
        if stop is not None and done >= stop:
            raise Interrupted

    with nullcontext() if stop is None else pytest.raises(Interrupted):
        train_configurations(folder, plan, wanted, report)
    return reports


def weights(folder: Path, name: str, run: int) -> dict[str, torch.Tensor]:
    return load_model(model_path(folder, name, run)).network.state_dict()


def test_a_cell_leaves_a_curve_a_record_and_its_networks_and_is_not_trained_again(tmp_path: Path) -> None:
    """Its figures can be read half-way."""
    assert read_result(tmp_path, BETWEEN.name) is None
    assert train(tmp_path, BETWEEN, stop=4) == [(2, 12), (4, 12)]
    half = read_result(tmp_path, BETWEEN.name)
    assert (half.steps, half.done, half.last["hexos"].runs) == (4, False, 1)
    assert train(tmp_path, BETWEEN)[-1] == (12, 12)
    rows = [row[:3] for row in read_curve(tmp_path, BETWEEN.name).rows]
    assert rows == [(step, run, held) for step in (2, 4, 6) for held in ("hexos", "stripes") for run in (0, 1)]
    whole, record = read_result(tmp_path, BETWEEN.name), read_record(tmp_path, BETWEEN.name)
    assert whole.done
    assert whole.last["hexos"].mean == pytest.approx(sum(record["last"]["hexos"]) / 2)
    assert record["cell"]["task"] == "between"
    model = load_model(model_path(tmp_path, BETWEEN.name, 1))
    assert model.training.seed == 1
    assert model.accuracies["stripes"]["between"] == pytest.approx(record["last"]["stripes"][1])
    assert not list((tmp_path / "state").iterdir()), "a done cell needs no state"
    first, second = (weights(tmp_path, BETWEEN.name, run) for run in range(2))
    assert not torch.equal(first["encoder.weight"], second["encoder.weight"])
    assert train(tmp_path, BETWEEN) == [(12, 12)]
    assert read_record(tmp_path, BETWEEN.name) == record, "with the seconds it took"
    assert train(tmp_path, BETWEEN, plan=replace(TINY, runs=3))[-1] == (18, 18), "asked for more, it goes on"
    more = read_record(tmp_path, BETWEEN.name)
    assert more["last"]["hexos"][:2] == record["last"]["hexos"]


@pytest.mark.parametrize("rate", [0.0, 0.01])
def test_what_is_frozen_stays_and_the_rest_begins_fresh_and_learns(tmp_path: Path, rate: float) -> None:
    train(tmp_path, BETWEEN)
    train(tmp_path, LATER, BOTH, plan=replace(TINY, learning_rate=rate))
    for run in range(2):
        before = weights(tmp_path, BETWEEN.name, run)
        generator = torch.Generator().manual_seed(LATER.seed + run)
        fresh = RelationsNetwork(LATER.config, generator=generator).state_dict()
        for configuration, frozen in ((LATER, ("encoder",)), (BOTH, ("encoder", "predinet"))):
            for name, weight in weights(tmp_path, configuration.name, run).items():
                if name.partition(".")[0] in frozen:
                    assert torch.equal(weight, before[name]), name
                else:
                    assert torch.equal(weight, fresh[name]) == (rate == 0), name


def test_networks_that_nobody_trains_are_missed(tmp_path: Path) -> None:
    with pytest.raises(NeuralError, match="nobody"):
        train(tmp_path, replace(LATER, name="orphan", start="nobody"))


def test_a_folder_of_another_plan_or_of_something_else_is_refused(tmp_path: Path) -> None:
    three = replace(TINY, runs=3)
    take_folder(tmp_path / "new", "table1", TINY)
    take_folder(tmp_path / "new", "table1", three)
    for name, plan, error in (
        ("table1", TINY, r"runs was 3, now 2.*another folder"),
        ("table1", replace(three, steps=7), r"steps was 6, now 7.*another folder"),
        ("curriculum", three, "experiment was table1, now curriculum"),
    ):
        with pytest.raises(NeuralError, match=error):
            take_folder(tmp_path / "new", name, plan)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("mine")
    with pytest.raises(NeuralError, match="is not empty and holds no experiment"):
        take_folder(tmp_path / "full", "table1", TINY)
    (tmp_path / "new" / "plan.json").write_text("[1")
    with pytest.raises(NeuralError, match="cannot be read"):
        take_folder(tmp_path / "new", "table1", TINY)


def test_a_network_that_is_gone_is_missed(tmp_path: Path) -> None:
    """As results that were brought from another machine have no networks."""
    train(tmp_path, BETWEEN)
    shutil.rmtree(tmp_path / "models")
    with pytest.raises(NeuralError, match=r"models.* is gone.*remove .*cells"):
        train(tmp_path, LATER, BETWEEN)


@pytest.mark.parametrize("optimiser", ["adam", "sgd"])
def test_a_cell_that_was_interrupted_ends_as_one_that_was_not(tmp_path: Path, optimiser: str) -> None:
    plan = replace(TINY, optimiser=optimiser)
    for stop in (4, 8):
        train(tmp_path / "parts", BETWEEN, LATER, plan=plan, stop=stop)
    for folder in ("parts", "whole"):
        train(tmp_path / folder, BETWEEN, LATER, plan=plan)
    for configuration in (BETWEEN, LATER):
        ours, theirs = (read_curve(tmp_path / folder, configuration.name).rows for folder in ("parts", "whole"))
        assert ours == theirs
        for run in range(2):
            files = [model_path(tmp_path / folder, configuration.name, run) for folder in ("parts", "whole")]
            assert files[0].read_bytes() == files[1].read_bytes()


def test_training_and_held_out_images_are_other_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data, "TRAINING_IMAGES", 20)
    assert len(training_scenes("occurs")) == 20
    assert len(held_out_scenes("same", "stripes", 5)) == 5
    assert data.TRAINING_SEED != data.TEST_SEED
    assert held_out_sets("same") == ("hexos", "stripes")
    assert held_out_sets("colour_and_or_shape") == ("hexos",)


def test_every_run_sees_its_images_once_a_round_in_an_order_of_its_own() -> None:
    line, other = (places(seed, 0, 20, images=10).tolist() for seed in (5, 6))
    assert line != other
    assert sorted(line[:10]) == sorted(line[10:]) == list(range(10))
    assert line[:10] != line[10:]
    assert places(5, 7, 14, images=10).tolist() == line[7:14], "wherever it is entered"


PICTURES = np.random.default_rng(5).integers(0, 90, (30, SIDE, SIDE, 3), dtype=np.uint8)
RED = np.arange(30) % 3 == 0
PICTURES[RED, ..., 0] += 160
PICTURES[~RED, ..., 2] += 160
HELD_BACK = np.arange(30) >= 20


@pytest.mark.parametrize("architecture", ["predinet", "mlp1"])
def test_what_is_easy_is_learned_from_labels_alone(architecture: str) -> None:
    steps: list[int] = []
    training = LabelTraining(steps=60, batch=7, rate=0.003, seed=2, heads=5, relations=3)
    told = PICTURES, RED.astype(np.int64), HELD_BACK, training
    network, judged = train_on_labels(architecture, *told, lambda done, total, what: steps.append(done))
    assert (judged.architecture, judged.trained, judged.held_back) == (architecture, 1.0, 1.0)
    assert steps == list(range(1, 61))
    assert network.config.labels == 2


def test_what_judges_is_not_trained_on() -> None:
    """Labels of what is held back are the other way round: all of them are missed."""
    labels = np.where(HELD_BACK, ~RED, RED).astype(np.int64)
    training = LabelTraining(steps=60, batch=7, rate=0.003, seed=2, heads=5, relations=3)
    _, judged = train_on_labels("mlp1", PICTURES, labels, HELD_BACK, training, lambda *_: None)
    assert (judged.trained, judged.held_back) == (1.0, 0.0)
