"""The cells of an experiment: R runs of one architecture on one task, trained, measured and kept, each once.

A folder of an experiment holds, beside its plan:

- `cells/NAME.csv`   the curve of a cell, as far as it is: step, run, object set, accuracy, mean loss since the last
- `cells/NAME.json`  the cell's configuration, its last accuracies and its cost: written when it is done
- `models/NAME/run-0.safetensors` …  its networks, when it is done: checkpoints as any other
- `state/…`          what is needed to go on with cells that are not done
"""

import csv
import io
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from neural.checkpoint import load_model, read_tensors, save_model, write_tensors
from neural.errors import CheckpointError
from neural.experiments.data import TRAINED_ON, Order, held_out_pool, held_out_sets, training_pool
from neural.experiments.experiment import Plan, Report
from neural.experiments.writing import write_text
from neural.network import NetworkConfig
from neural.recipes import NOTEBOOK_TASK_IDS, TrainingConfig
from neural.relations_game import task_info
from neural.runs import Runs

ARCHITECTURES = ("mlp1", "mlp2", "relation_net", "attention", "predinet")
"""In the order of the paper's figures."""
TRAINED_LAST = "relation_net"
"""It takes more time than all others together."""
STEPS_PER_CHUNK = 20
"""Batches are drawn this many at a time."""
SECONDS_PER_SAVE = 60.0
COLUMNS = ("step", "run", "objects", "accuracy", "loss")


@dataclass(frozen=True)
class Cell:
    """What one cell trains. Its runs have the numbers 0 to plan.runs − 1."""

    name: str
    """Of its files."""
    architecture: str
    task: str
    seed: int = 0
    """The first run's; the others' follow. It decides the initial weights and the order of the images."""
    start: str | None = None
    """The cell whose networks it begins with, run by run; its output MLP always begins anew."""
    frozen: tuple[str, ...] = ()
    """What stays as it was in `start`: `encoder`, or that and `central`. What does not stay begins anew."""
    heads: int = 32
    relations: int = 16
    descent: tuple[str, float] | None = None
    """Optimiser and learning rate, if others than the plan's."""

    @property
    def config(self) -> NetworkConfig:
        """Its networks' shape: Table S1."""
        return NetworkConfig(
            heads=self.heads,
            relations=self.relations,
            task_ids=NOTEBOOK_TASK_IDS,
            labels=task_info(self.task).labels,
            architecture=self.architecture,
        )


@dataclass
class Curve:
    """A cell's measurements so far, in the order taken."""

    rows: list[tuple[int, int, str, float, float]] = field(default_factory=list)
    """(step, run, object set, accuracy 0–1, mean loss since the measurement before)."""

    @property
    def steps(self) -> list[int]:
        """The steps that were measured, ascending."""
        return sorted({row[0] for row in self.rows})

    def accuracies(self, objects: str) -> dict[int, list[float]]:
        """By run, the accuracies on that object set at the steps measured."""
        found: dict[int, list[float]] = {}
        for _, run, measured, accuracy, _ in self.rows:
            if measured == objects:
                found.setdefault(run, []).append(accuracy)
        return found

    def until(self, step: int) -> "Curve":
        """What was measured up to `step`."""
        return Curve([row for row in self.rows if row[0] <= step])


def train_cells(folder: Path, plan: Plan, cells: Sequence[Cell], report: Report) -> None:
    """Trains those of `cells` that are not done; NeuralError if one begins with networks that are not there.

    A cell that begins with another's networks stands after it. `report` is told steps, those of all cells together.
    """
    total, done = plan.steps * len(cells), 0
    for group in _groups(cells):
        left = [cell for cell in group if not is_done(folder, cell.name)]
        done += plan.steps * (len(group) - len(left))
        if left:
            for step, text in _Training(folder, plan, left).run():
                report(done + step * len(left), total, text)
            done += plan.steps * len(left)
    report(total, total, "done")


def in_training_order(architectures: Sequence[str]) -> list[str]:
    """The PrediNet first, which most want to see, and the one that takes longest last."""
    return sorted(architectures, key=lambda name: (name == TRAINED_LAST, name != "predinet"))


def is_done(folder: Path, name: str) -> bool:
    """Whether the cell of that name is trained and measured."""
    return _record_path(folder, name).exists()


def read_curve(folder: Path, name: str) -> Curve:
    """The cell's curve as far as it is; empty if it was not begun."""
    path = _curve_path(folder, name)
    if not path.exists():
        return Curve()
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        if tuple(next(rows, ())) != COLUMNS:
            raise CheckpointError(f"{path} is not a curve of this program: remove it to train the cell anew")
        return Curve([(int(step), int(run), objects, float(a), float(loss)) for step, run, objects, a, loss in rows])


def read_record(folder: Path, name: str) -> dict[str, Any] | None:
    """What was written when the cell was done; None if it is not."""
    path = _record_path(folder, name)
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def borrow_cells(folder: Path, names: Sequence[str], lender: Path) -> None:
    """Takes the figures of the cells `names` from another experiment's folder, if all are done there.

    Their networks stay there. The two must be of the same plan, and a cell of one name in both the same.
    """
    if not all(is_done(lender, name) for name in names):
        return
    for name in names:
        if not is_done(folder, name):
            for path in (_curve_path, _record_path):
                write_text(path(folder, name), path(lender, name).read_text(encoding="utf-8"))


def model_path(folder: Path, name: str, run: int) -> Path:
    """The checkpoint of one of the cell's networks, there when the cell is done."""
    return folder / "models" / name / f"run-{run}.safetensors"


def _groups(cells: Sequence[Cell]) -> list[list[Cell]]:
    """The cells as they are trained, group after group.

    Cells whose networks have one shape train side by side on a GPU, which one of them does not fill; elsewhere one
    after another, so that the first figures come early.
    """
    if not torch.cuda.is_available():
        return [[cell] for cell in cells]
    groups: dict[object, list[Cell]] = {}
    for cell in cells:
        groups.setdefault((cell.config, cell.frozen, cell.descent), []).append(cell)
    return list(groups.values())


class _Training:
    """Cells that train side by side: their runs stand one cell after another."""

    def __init__(self, folder: Path, plan: Plan, cells: Sequence[Cell]) -> None:
        self.folder, self.plan, self.cells = folder, plan, cells
        self.names = [cell.name for cell in cells]
        seeds = [cell.seed + run for cell in cells for run in range(plan.runs)]
        config = cells[0].config
        optimiser, learning_rate = _descent(plan, cells[0])
        self.runs = Runs(config, seeds, optimiser=optimiser, learning_rate=learning_rate)
        _take_over(self.runs, folder, plan, cells)
        tasks = list(dict.fromkeys(cell.task for cell in cells))
        places = [tasks.index(cell.task) for cell in cells for _ in range(plan.runs)]
        self.pool = training_pool(tasks, self.runs.device)
        members = list(zip(places, seeds, strict=True))
        self.order = Order(members, plan.batch, images=len(self.pool) // len(tasks))
        self.tests = {
            (cell.task, held): held_out_pool(cell.task, held, plan.last_test_images, self.runs.device)
            for cell in cells
            for held in held_out_sets(cell.task)
        }
        self.curves = {name: Curve() for name in self.names}
        self.step, self.seconds = 0, 0.0

    def run(self) -> Iterator[tuple[int, str]]:
        """Trains to the end, from the saved state if there is one; yields the step and what is being done."""
        self._resume()
        plan, runs = self.plan, self.runs
        measured = {round(plan.steps * number / plan.measurements) for number in range(1, plan.measurements + 1)}
        loss_sum = torch.zeros(len(runs), device=runs.device)
        since, saved, begun = self.step, time.monotonic(), time.monotonic() - self.seconds
        while self.step < plan.steps:
            stop = min(step for step in (self.step + STEPS_PER_CHUNK, *measured) if step > self.step)
            for batch in self._batches(stop):
                loss_sum += runs.step(*batch)
            self.step = stop
            if self.step in measured:
                self._measure((loss_sum / (self.step - since)).tolist())
                loss_sum.zero_()
                since = self.step
                self.seconds = time.monotonic() - begun
                if time.monotonic() - saved >= SECONDS_PER_SAVE:
                    self._save()
                    saved = time.monotonic()
            yield self.step, f"{self.names[0]}{' …' if len(self.names) > 1 else ''}"
        self._finish()

    def _batches(self, stop: int) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
        """Images (R, B, S, S, 3), task ids and labels (R, B) of the steps up to `stop`."""
        places = self.order.places(self.step, stop - self.step).to(self.runs.device)
        images, task_ids, labels = self.pool.images(places), self.pool.task_ids[places], self.pool.labels[places]
        yield from zip(images, task_ids, labels, strict=True)

    def _measure(self, losses: list[float]) -> None:
        for index, cell in enumerate(self.cells):
            for held in held_out_sets(cell.task):
                accuracies = self._accuracies(index, held, self.plan.test_images)
                own = losses[index * self.plan.runs :]
                self.curves[cell.name].rows += [
                    (self.step, run, held, accuracy, own[run]) for run, accuracy in enumerate(accuracies)
                ]
            _write_curve(self.folder, cell.name, self.curves[cell.name])

    def _accuracies(self, index: int, held: str, images: int) -> list[float]:
        """Accuracy of every run of cell `index` on the first `images` of a held-out set."""
        test = self.tests[self.cells[index].task, held]
        part = slice(images)
        accuracies = self.runs.accuracy(test.images(part), test.task_ids[part], test.labels[part])
        return [float(value) for value in accuracies[index * self.plan.runs : (index + 1) * self.plan.runs]]

    def _finish(self) -> None:
        """Writes the networks of every cell and, last, the record that says it is done."""
        for index, cell in enumerate(self.cells):
            last = {
                held: self._accuracies(index, held, self.plan.last_test_images) for held in held_out_sets(cell.task)
            }
            for run in range(self.plan.runs):
                network = self.runs.network(index * self.plan.runs + run)
                accuracies = {held: {cell.task: values[run]} for held, values in last.items()}
                training = _training_config(self.plan, cell, run)
                save_model(model_path(self.folder, cell.name, run), network, training, accuracies)
            record = {
                "cell": asdict(cell),
                "last": last,
                "seconds": round(self.seconds, 1),
                "side_by_side": self.names,
                "device": _device(self.runs.device),
            }
            write_text(_record_path(self.folder, cell.name), json.dumps(record, indent=1) + "\n")
        self._state_path.unlink(missing_ok=True)

    @property
    def _state_path(self) -> Path:
        return self.folder / "state" / f"{'+'.join(self.names)}.safetensors"

    def _save(self) -> None:
        write_tensors(self._state_path, {"step": self.step, "seconds": self.seconds}, self.runs.state())

    def _resume(self) -> None:
        if not self._state_path.exists():
            return
        metadata, tensors = read_tensors(self._state_path)
        self.runs.load(tensors)
        self.step, self.seconds = int(metadata["step"]), float(metadata["seconds"])
        # What was measured after the state was saved is measured again.
        self.curves = {name: read_curve(self.folder, name).until(self.step) for name in self.names}


def _take_over(runs: Runs, folder: Path, plan: Plan, cells: Sequence[Cell]) -> None:
    """Gives every run what it shall keep of the network it begins with, and freezes that."""
    frozen = cells[0].frozen
    if not frozen:
        return
    started = [load_model(model_path(folder, str(cell.start), run)) for cell in cells for run in range(plan.runs)]
    weights = [model.network.state_dict() for model in started]
    submodules = {"encoder": "encoder", "central": cells[0].architecture}
    prefixes = tuple(f"{submodules[part]}." for part in frozen)
    state = runs.state()
    for name in weights[0]:
        if name.startswith(prefixes):
            state[name] = torch.stack([of_run[name] for of_run in weights])
    runs.load(state)
    runs.freeze(set(frozen))


def _training_config(plan: Plan, cell: Cell, run: int) -> TrainingConfig:
    """How the run was trained, for its checkpoint."""
    optimiser, learning_rate = _descent(plan, cell)
    return TrainingConfig(
        tasks=(cell.task,),
        objects=TRAINED_ON,
        recipe="paper",
        optimiser=optimiser,
        learning_rate=learning_rate,
        decay=False,
        batch=plan.batch,
        steps=plan.steps,
        coverage=0.0,
        centring=0.0,
        naming=0.0,
        seed=cell.seed + run,
    )


def _descent(plan: Plan, cell: Cell) -> tuple[str, float]:
    return cell.descent or (plan.optimiser, plan.learning_rate)


def _write_curve(folder: Path, name: str, curve: Curve) -> None:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(
        (step, run, held, f"{accuracy:.4f}", f"{loss:.5g}") for step, run, held, accuracy, loss in curve.rows
    )
    write_text(_curve_path(folder, name), buffer.getvalue())


def _curve_path(folder: Path, name: str) -> Path:
    return folder / "cells" / f"{name}.csv"


def _record_path(folder: Path, name: str) -> Path:
    return folder / "cells" / f"{name}.json"


def _device(device: torch.device) -> str:
    return torch.cuda.get_device_name(device) if device.type == "cuda" else f"{torch.get_num_threads()} CPU threads"
