"""Cells: trained once, resumable, with figures that can be read half-way."""

import multiprocessing
import os
import shutil
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest
import torch

from predinet_prolog.experiments import PAPER, Plan, portions, take_folder, training
from predinet_prolog.experiments.configurations import (
    Configuration,
    borrow,
    model_path,
    read_curve,
    read_record,
    read_result,
    runs_done,
)
from predinet_prolog.experiments.data import held_out_sets
from predinet_prolog.experiments.experiment import EXPERIMENTS
from predinet_prolog.experiments.portions import Portion, portions_left
from predinet_prolog.experiments.training import train_configurations
from predinet_prolog.neural import RelationsNetwork, engines, load_model
from predinet_prolog.neural.errors import CheckpointError, NeuralError
from tests.margins import Bound

pytestmark = pytest.mark.slow(22)

TINY = replace(PAPER, runs=2, steps=6, batch=3, measurements=3, test_images=7, last_test_images=11)
BETWEEN = Configuration("predinet-between", "predinet", "between", heads=3, relations=2)
ENDED = "a process was ended from outside.*OMP_NUM_THREADS"
LATER = Configuration(
    "later", "predinet", "same", seed=50, start=BETWEEN.name, frozen=("encoder",), heads=3, relations=2
)


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few training images, a state saved at every measurement, and all runs of a cell together, as on a GPU."""
    monkeypatch.setattr("predinet_prolog.experiments.data.TRAINING_IMAGES", 13)
    monkeypatch.setattr(portions, "_split", lambda first, stop: [(first, stop)] if first < stop else [])
    monkeypatch.setattr(training, "_processes", lambda configurations: 1)
    monkeypatch.setattr(portions, "SECONDS_PER_SAVE", 0.0)


class Interrupted(Exception):  # noqa: N818 (stands for Ctrl-C)
    pass


def train(folder: Path, *wanted: Configuration, plan: Plan = TINY, stop: int | None = None) -> list[tuple[int, int]]:
    """Trains, until a report of `stop` steps of runs if there is one; what was reported."""
    told: list[tuple[int, int]] = []

    def report(done: int, total: int, text: str) -> None:
        told.append((done, total))
        if stop is not None and done >= stop:
            raise Interrupted

    with nullcontext() if stop is None else pytest.raises(Interrupted):
        train_configurations(folder, plan, wanted, report)
    return told


def weights(folder: Path, name: str, run: int) -> dict[str, torch.Tensor]:
    return load_model(model_path(folder, name, run)).network.state_dict()


def test_a_cell_leaves_a_curve_a_record_and_its_networks_and_is_not_trained_again(tmp_path: Path) -> None:
    """Its figures can be read half-way."""
    assert read_result(tmp_path, BETWEEN.name) is None
    assert train(tmp_path, BETWEEN, stop=8) == [(4, 12), (8, 12)]
    half = read_result(tmp_path, BETWEEN.name)
    assert half is not None
    assert (half.steps, half.done, half.last["hexos"].runs) == (4, False, 2)
    assert train(tmp_path, BETWEEN) == [(12, 12), (12, 12)]
    rows = [row[:3] for row in read_curve(tmp_path, BETWEEN.name).rows]
    assert rows == [(step, run, held) for step in (2, 4, 6) for held in ("hexos", "stripes") for run in (0, 1)]
    whole, record = read_result(tmp_path, BETWEEN.name), read_record(tmp_path, BETWEEN.name)
    assert whole is not None
    assert record is not None
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


def test_a_state_that_was_cut_short_is_refused_with_the_remedy(tmp_path: Path) -> None:
    train(tmp_path, BETWEEN, stop=4)
    path = tmp_path / "state" / f"{BETWEEN.name}.safetensors"
    path.write_bytes(path.read_bytes()[:-7])
    with pytest.raises(CheckpointError, match=rf"^{path} was cut short.*: delete it"):
        train(tmp_path, BETWEEN)


@pytest.mark.parametrize("rate", [0.0, 0.01])
def test_what_is_frozen_stays_and_the_rest_begins_fresh_and_learns(tmp_path: Path, rate: float) -> None:
    both = replace(LATER, name="both", frozen=("encoder", "central"))
    train(tmp_path, BETWEEN)
    train(tmp_path, LATER, both, plan=replace(TINY, learning_rate=rate))
    for run in range(2):
        before = weights(tmp_path, BETWEEN.name, run)
        generator = torch.Generator().manual_seed(LATER.seed + run)
        fresh = RelationsNetwork(LATER.config, generator=generator).state_dict()
        for configuration, frozen in ((LATER, ("encoder",)), (both, ("encoder", "predinet"))):
            for name, weight in weights(tmp_path, configuration.name, run).items():
                if name.partition(".")[0] in frozen:
                    assert torch.equal(weight, before[name]), name
                else:
                    assert torch.equal(weight, fresh[name]) == (rate == 0), name


def kill(done: int, total: int, text: str) -> None:
    for process in multiprocessing.active_children():
        process.kill()


@pytest.mark.parametrize(
    ("configuration", "plan", "begin", "error", "told"),
    [
        (replace(LATER, name="orphan", start="nobody"), TINY, None, NeuralError, "nobody"),
        (BETWEEN, replace(TINY, learning_rate="much"), None, TypeError, None),  # type: ignore[arg-type]
        (BETWEEN, replace(TINY, steps=100_000, measurements=1), None, NeuralError, ENDED),
        (BETWEEN, TINY, os._exit, NeuralError, ENDED),
    ],
)
def test_what_goes_wrong_in_a_process_is_reported(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    configuration: Configuration,
    plan: Plan,
    begin: Callable[..., None] | None,
    error: type[Exception],
    told: str | None,
) -> None:
    """Also if a process is killed at its first report, or ends before it begins."""
    monkeypatch.setattr(training, "_processes", lambda configurations: 2)
    monkeypatch.setattr(engines, "_begin", begin or engines._begin)
    with pytest.raises(error, match=told):
        train_configurations(tmp_path, plan, [configuration, replace(configuration, name="other")], kill)


def test_a_folder_of_another_plan_or_of_something_else_is_refused(tmp_path: Path) -> None:
    three = replace(TINY, runs=3)
    take_folder(tmp_path / "new", "table1", TINY)
    take_folder(tmp_path / "new", "table1", three)
    for name, plan, told in (
        ("table1", TINY, r"runs was 3, now 2.*another folder"),
        ("table1", replace(three, steps=7), r"steps was 6, now 7.*another folder"),
        ("size", three, "experiment was table1, now size"),
    ):
        with pytest.raises(NeuralError, match=told):
            take_folder(tmp_path / "new", name, plan)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("mine")
    with pytest.raises(NeuralError, match="is not empty and holds no experiment"):
        take_folder(tmp_path / "full", "table1", TINY)
    (tmp_path / "new" / "plan.json").write_text("[1")
    with pytest.raises(NeuralError, match="cannot be read"):
        take_folder(tmp_path / "new", "table1", TINY)


def test_a_cell_is_borrowed_with_its_networks_of_who_has_more_runs_but_not_too_many(tmp_path: Path) -> None:
    lender, borrower = tmp_path / "lender", tmp_path / "borrower"
    train(lender, BETWEEN)  # two runs
    train(borrower, BETWEEN, plan=replace(TINY, runs=1))
    model_path(lender, BETWEEN.name, 0).unlink()  # of the run that the borrower has
    for most, runs in ((1, 1), (3, 2), (3, 2)):
        borrow(borrower, BETWEEN, lender, most)
        assert runs_done(borrower, BETWEEN.name) == runs
    files = [path.relative_to(lender) for path in (*lender.glob("cells/*"), *lender.glob("models/*/*"))]
    assert len(files) == 2 + 1
    assert all((lender / file).read_bytes() == (borrower / file).read_bytes() for file in files)


@pytest.mark.parametrize("name", ["table1", "curriculum", "optimiser", "size"])
def test_on_a_gpu_cells_of_one_shape_train_side_by_side_after_what_they_begin_with(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    configurations = EXPERIMENTS[name].configurations(PAPER)
    portions = [portion for each in configurations for portion in portions_left(tmp_path, PAPER, each)]
    assert len(training._groups(portions)) < len(portions)
    # All, and then: some are done, some were interrupted, and of some only the first run is done.
    for pattern in range(8):
        some = [
            replace(portion, step=100) if (place * pattern) % 5 == 1 else replace(portion, first=min(pattern, 1))
            for place, portion in enumerate(portions)
            if not pattern or (place * pattern) % 3
        ]
        waiting = {portion.configuration.name for portion in some}
        groups = training._groups(some)
        assert sorted(map(repr, chain(*groups))) == sorted(map(repr, some))
        for group in groups:
            cells = [portion.configuration for portion in group]
            assert len({(each.config, each.frozen, each.descent, held_out_sets(each.task)) for each in cells}) == 1
            assert len({(portion.first, portion.step) for portion in group}) == 1
            assert all(each.start not in waiting for each in cells)
            waiting -= {each.name for each in cells}


def test_a_network_that_is_gone_is_trained_again_for_whoever_begins_with_it_and_its_figures_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As results that were brought from another machine have no networks: each run needs its own."""
    monkeypatch.setattr(portions, "_split", lambda first, stop: [(run, run + 1) for run in range(first, stop)])
    train(tmp_path, BETWEEN, LATER, plan=replace(TINY, runs=1))
    train(tmp_path, BETWEEN)
    before = [weights(tmp_path, BETWEEN.name, run) for run in range(2)]
    shutil.rmtree(tmp_path / "models")
    kept = {path: path.read_bytes() for path in (tmp_path / "cells").glob(f"{BETWEEN.name}.*")}
    # The second run's network is made again; the first's, with which nothing is to begin, is not.
    told = train(tmp_path, LATER, BETWEEN)
    assert told[0] == (14, 24), "trained again is not done yet"
    assert told[-1] == (24, 24)
    assert not model_path(tmp_path, BETWEEN.name, 0).exists()
    again = weights(tmp_path, BETWEEN.name, 1)
    assert all(torch.equal(weight, again[name]) for name, weight in before[1].items())
    assert {path: path.read_bytes() for path in kept} == kept
    assert runs_done(tmp_path, LATER.name) == 2
    assert not list((tmp_path / "state").iterdir())
    assert train(tmp_path, LATER, BETWEEN) == [(24, 24)]


# --- However configurations are trained, they end alike: each way trains `cells` into a folder. ---

Cells = Sequence[Configuration]


def in_parts(folder: Path, patch: pytest.MonkeyPatch, cells: Cells, plan: Plan) -> None:
    for stop in (4, 8):
        train(folder, *cells, plan=plan, stop=stop)
        assert not runs_done(folder, cells[0].name)
    train(folder, *cells, plan=plan)


def side_by_side(folder: Path, patch: pytest.MonkeyPatch, cells: Cells, plan: Plan) -> None:
    patch.setattr(training, "_groups", lambda wanted: [list(wanted)])
    assert train(folder, *cells, plan=plan)[-1] == (24, 24)


def side_by_side_and_then_apart(folder: Path, patch: pytest.MonkeyPatch, cells: Cells, plan: Plan) -> None:
    with patch.context() as together:
        together.setattr(training, "_groups", lambda wanted: [list(wanted)])
        train(folder, *cells, plan=plan, stop=8)
    train(folder, *cells, plan=plan)


def in_processes(folder: Path, patch: pytest.MonkeyPatch, cells: Cells, plan: Plan) -> None:
    patch.undo()  # a process sees nothing of what tests have patched
    with patch.context() as two:
        two.setattr(torch, "get_num_threads", lambda: 2)
        told = train(folder, *cells, plan=plan)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1] == (36, 36)


def first_one_run_and_the_others_later(folder: Path, patch: pytest.MonkeyPatch, cells: Cells, plan: Plan) -> None:
    train(folder, *cells, plan=replace(plan, runs=1))
    assert [runs_done(folder, configuration.name) for configuration in cells] == [1, 1, 1]
    first = read_record(folder, cells[0].name)
    assert train(folder, *cells, plan=plan)[-1] == (54, 54)
    record = read_record(folder, cells[0].name)
    assert first is not None
    assert record is not None
    assert {held: of_runs[:1] for held, of_runs in record["last"].items()} == first["last"]
    assert record["seconds"] >= first["seconds"]


def one_run_is_interrupted_and_others_are_asked_for(
    folder: Path, patch: pytest.MonkeyPatch, cells: Cells, plan: Plan
) -> None:
    (configuration,) = cells
    train(folder, configuration, plan=replace(plan, runs=1), stop=4)
    assert portions_left(folder, plan, configuration) == [Portion(configuration, 0, 1, 4), Portion(configuration, 1, 3)]
    assert train(folder, configuration, plan=plan, stop=14)[-1] == (14, 18)
    half = read_result(folder, configuration.name)
    assert half is not None
    # One run is done and two are on their way: the figures are of the one.
    assert (half.done, half.last["hexos"].runs, half.best["hexos"].runs) == (True, 1, 1)
    assert portions_left(folder, plan, configuration) == [Portion(configuration, 1, 3, 4)]
    train(folder, configuration, plan=plan)


ADAM, THREE = replace(TINY, optimiser="adam"), replace(TINY, runs=3)
OTHER = replace(BETWEEN, name="predinet-xoccurs", task="xoccurs")
BOTH = replace(LATER, name="both", frozen=("encoder", "central"))


@pytest.mark.margins
@pytest.mark.parametrize(
    ("way", "configurations", "plan"),
    [
        (in_parts, [BETWEEN], ADAM),
        (side_by_side, [BETWEEN, OTHER], TINY),
        (side_by_side_and_then_apart, [BETWEEN, OTHER], ADAM),
        (in_processes, [BETWEEN, LATER, OTHER], TINY),
        (first_one_run_and_the_others_later, [BETWEEN, LATER, BOTH], THREE),
        (one_run_is_interrupted_and_others_are_asked_for, [BETWEEN], THREE),
    ],
)
def test_however_cells_are_trained_they_end_alike(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    bound: Bound,
    way: Callable[[Path, pytest.MonkeyPatch, Sequence[Configuration], Plan], None],
    configurations: list[Configuration],
    plan: Plan,
) -> None:
    parts, whole = tmp_path / "parts", tmp_path / "whole"
    way(parts, monkeypatch, configurations, plan)
    monkeypatch.setattr(training, "_processes", lambda configurations: 1)
    monkeypatch.setattr(training, "_groups", lambda portions: [[portion] for portion in portions])
    train(whole, *configurations, plan=plan)
    for configuration in configurations:
        found, wanted = (read_curve(folder, configuration.name).rows for folder in (parts, whole))
        runs = [
            (weights(parts, configuration.name, run), weights(whole, configuration.name, run))
            for run in range(plan.runs)
        ]
        if way is in_parts:  # the same steps: the same digits
            assert found == wanted
            assert all(torch.equal(ours[name], weight) for ours, others in runs for name, weight in others.items())
            continue
        assert [row[:3] for row in found] == [row[:3] for row in wanted]
        for column, name, rtol, atol in ((3, "accuracy", 0.0, 0.2), (4, "loss", 1e-3, 0.0)):  # an image may tie
            bound.close(name, [row[column] for row in found], [row[column] for row in wanted], rtol=rtol, atol=atol)
        for ours, others in runs:
            for name, weight in others.items():
                bound.close(
                    f"{configuration.name}'s {name}", ours[name], weight, rtol=1e-4, atol=1e-5 if plan is ADAM else 1e-6
                )
