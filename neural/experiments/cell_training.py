"""Training of cells: side by side on a GPU, and else one in each process, as many at once as there are cores.

Two threads on one network are faster than one by a fifth, for its products are small. Two networks, each on a thread of
its own, are faster by nine tenths.
"""

import contextlib
import json
import multiprocessing
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from multiprocessing.connection import Connection, wait
from pathlib import Path

import torch

from neural.checkpoint import load_model, save_model
from neural.errors import NeuralError
from neural.experiments.cells import Cell, Curve, is_done, model_path, read_curve, record_path, write_curve
from neural.experiments.data import TRAINED_ON, Order, held_out_pool, held_out_sets, training_pool
from neural.experiments.experiment import Plan, Report
from neural.experiments.feeding import Feed, ImageFeed, RepresentationFeed, room
from neural.experiments.writing import write_text
from neural.recipes import TrainingConfig
from neural.runs import Runs
from neural.states import read_state, write_state

STEPS_PER_CHUNK = 20
"""Batches are drawn this many at a time."""
SECONDS_PER_SAVE = 60.0

Progress = Iterator[tuple[list[str], int]]
"""Names of cells, and the step that they are at."""


def train_cells(folder: Path, plan: Plan, cells: Sequence[Cell], report: Report) -> None:
    """Trains those of `cells` that are not done; NeuralError if one begins with networks that are not there.

    A cell that begins with another's networks stands after it. `report` is told steps, those of all cells together.
    """
    left = [cell for cell in cells if not is_done(folder, cell.name)]
    done = {cell.name: plan.steps for cell in cells} | {cell.name: 0 for cell in left}
    total = plan.steps * len(cells)
    processes = _processes(left)
    progress = _in_turn(folder, plan, left) if processes <= 1 else _in_processes(folder, plan, left, processes)
    for names, step in progress:
        done |= dict.fromkeys(names, step)
        report(sum(done.values()), total, f"{names[0]}{' …' if len(names) > 1 else ''}")
    report(total, total, "done")


def _processes(cells: Sequence[Cell]) -> int:
    """How many of `cells` train at once, each in a process."""
    return 1 if torch.cuda.is_available() else min(torch.get_num_threads(), len(cells))


def _in_turn(folder: Path, plan: Plan, cells: Sequence[Cell]) -> Progress:
    for group in _groups(folder, cells):
        names = [cell.name for cell in group]
        for step in _Training(folder, plan, group).run():
            yield names, step


def _groups(folder: Path, cells: Sequence[Cell]) -> list[list[Cell]]:
    """The cells as one process trains them, group after group.

    Cells whose networks have one shape and which are equally far train side by side on a GPU, which one of them does
    not fill; elsewhere one after another, so that the first figures come early.
    """
    if not torch.cuda.is_available():
        return [[cell] for cell in cells]
    groups: dict[object, list[Cell]] = {}
    for cell in cells:
        key = (cell.config, cell.frozen, cell.descent, held_out_sets(cell.task), _saved_step(folder, cell))
        groups.setdefault(key, []).append(cell)
    return list(groups.values())


def _in_processes(folder: Path, plan: Plan, cells: Sequence[Cell], count: int) -> Progress:
    """Each cell in one of `count` processes, which begin cells in their order, as far as those can begin."""
    context = multiprocessing.get_context("spawn")
    waiting = list(cells)
    busy: dict[Connection, Cell] = {}
    processes = []
    try:
        idle = []
        for _ in range(count):
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(theirs, folder, plan, 1 / count), daemon=True)
            with _without_interrupts():
                process.start()
            processes.append(process)
            theirs.close()
            idle.append(ours)
        while waiting or busy:
            while idle and (cell := _first_ready(waiting, list(busy.values()))) is not None:
                waiting.remove(cell)
                busy[idle[-1]] = cell
                # If the process is gone, that is seen when it is waited for.
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                    idle.pop().send(cell)
            for connection in wait(list(busy)):
                assert isinstance(connection, Connection)  # no other is waited for
                cell = busy[connection]
                match _receive(connection, cell):
                    case int(step):
                        yield [cell.name], step
                    case Exception() as error:
                        raise error
                    case None:
                        del busy[connection]
                        idle.append(connection)
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.join()


@contextlib.contextmanager
def _without_interrupts() -> Iterator[None]:
    """A process started meanwhile never hears of Ctrl-C, which is its parent's: that ends it."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _first_ready(waiting: Sequence[Cell], busy: Sequence[Cell]) -> Cell | None:
    """The first of `waiting` that begins with nothing that is still to be trained."""
    missing = {cell.name for cell in (*waiting, *busy)}
    return next((cell for cell in waiting if cell.start not in missing), None)


def _receive(connection: Connection, cell: Cell) -> int | Exception | None:
    """A step, what went wrong, or None when the cell is done."""
    try:
        message: int | Exception | None = connection.recv()
    except (EOFError, ConnectionResetError):
        return NeuralError(
            f"the process that trained {cell.name} was ended from outside, perhaps for want of memory: the same "
            "command goes on; with the variable OMP_NUM_THREADS lower, fewer cells train at once"
        )
    return message


def _serve(connection: Connection, folder: Path, plan: Plan, share: float) -> None:
    """A process: trains the cells that it is sent, and sends steps, None after each, or what went wrong. `share` of the
    room there is is its own."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that no half of a file is left over
    torch.set_num_threads(1)
    try:
        while True:
            cell: Cell = connection.recv()
            try:
                for step in _Training(folder, plan, [cell], share).run():
                    connection.send(step)
                connection.send(None)
            except Exception as error:
                connection.send(error)
    except (EOFError, BrokenPipeError):
        pass  # the parent is gone


class _Training:
    """Cells that train side by side: their runs stand one cell after another."""

    def __init__(self, folder: Path, plan: Plan, cells: Sequence[Cell], share: float = 1.0) -> None:
        self.folder, self.plan, self.cells = folder, plan, cells
        self.names = [cell.name for cell in cells]
        seeds = [cell.seed + run for cell in cells for run in range(plan.runs)]
        optimiser, learning_rate = _descent(plan, cells[0])
        self.runs = Runs(cells[0].config, seeds, optimiser=optimiser, learning_rate=learning_rate)
        _take_over(self.runs, folder, plan, cells)
        device = self.runs.device
        tasks = list(dict.fromkeys(cell.task for cell in cells))
        members = [(tasks.index(cell.task), cell.seed + run) for cell in cells for run in range(plan.runs)]
        pool = training_pool(tasks, device)
        images = len(pool) // len(tasks)
        self.order = Order(members, plan.batch, images=images)
        self.feed: Feed = ImageFeed(self.runs, pool)
        if set(cells[0].frozen) == {"encoder", "central"}:
            self.feed = RepresentationFeed(self.runs, pool, images=images, room=share * room(device))
        most = plan.last_test_images
        self.tests = {held: held_out_pool(tasks, held, most, device) for held in held_out_sets(tasks[0])}
        own = torch.tensor([task * most for task, _ in members], device=device)
        self.test_places = own[:, None] + torch.arange(most, device=device)  # (R, images)
        self.curves = {name: Curve() for name in self.names}
        self.step, self.seconds = 0, 0.0

    def run(self) -> Iterator[int]:
        """Trains to the end, from the saved state if there is one; yields the step."""
        self._resume()
        plan, runs = self.plan, self.runs
        measured = {round(plan.steps * number / plan.measurements) for number in range(1, plan.measurements + 1)}
        loss_sum = torch.zeros(len(runs), device=runs.device)
        since, saved, begun = self.step, time.monotonic(), time.monotonic() - self.seconds
        while self.step < plan.steps:
            stop = min(step for step in (self.step + STEPS_PER_CHUNK, *measured) if step > self.step)
            places = self.order.places(self.step, stop - self.step).to(runs.device)
            for losses in self.feed.steps(places):
                loss_sum += losses
            self.step = stop
            if self.step in measured:
                self._measure((loss_sum / (self.step - since)).tolist())
                loss_sum.zero_()
                since = self.step
                self.seconds = time.monotonic() - begun
                if time.monotonic() - saved >= SECONDS_PER_SAVE:
                    self._save()
                    saved = time.monotonic()
            yield self.step
        self._finish()

    def _measure(self, losses: list[float]) -> None:
        accuracies = self._accuracies(self.plan.test_images)
        for index, cell in enumerate(self.cells):
            for held, of_runs in accuracies.items():
                self.curves[cell.name].rows += [
                    (self.step, run, held, of_runs[place], losses[place])
                    for run, place in enumerate(self._places(index))
                ]
            write_curve(self.folder, cell.name, self.curves[cell.name])

    def _accuracies(self, images: int) -> dict[str, list[float]]:
        """By held-out set, every run's accuracy on the first `images` of its task."""
        places = self.test_places[:, :images]
        return {held: self.feed.accuracy(test, places).tolist() for held, test in self.tests.items()}

    def _places(self, index: int) -> range:
        """The places of cell `index` among the runs."""
        return range(index * self.plan.runs, (index + 1) * self.plan.runs)

    def _finish(self) -> None:
        """Writes the networks of every cell and, last, the record that says it is done."""
        accuracies = self._accuracies(self.plan.last_test_images)
        for index, cell in enumerate(self.cells):
            last = {held: [of_runs[place] for place in self._places(index)] for held, of_runs in accuracies.items()}
            for run, place in enumerate(self._places(index)):
                training = _training_config(self.plan, cell, run)
                reached = {held: {cell.task: of_runs[place]} for held, of_runs in accuracies.items()}
                save_model(model_path(self.folder, cell.name, run), self.runs.network(place), training, reached)
            record = {
                "cell": asdict(cell),
                "last": last,
                "seconds": round(self.seconds, 1),
                "side_by_side": self.names,
                "device": _device(self.runs.device),
            }
            write_text(record_path(self.folder, cell.name), json.dumps(record, indent=1) + "\n")
            _state_path(self.folder, cell).unlink(missing_ok=True)

    def _save(self) -> None:
        """A state for each cell, which need not train beside the same cells when it goes on."""
        metadata = {"step": self.step, "seconds": self.seconds}
        state = self.runs.state()
        for index, cell in enumerate(self.cells):
            places = self._places(index)
            part = {name: tensor[places.start : places.stop] for name, tensor in state.items()}
            write_state(_state_path(self.folder, cell), metadata, part)

    def _resume(self) -> None:
        if not _saved_step(self.folder, self.cells[0]):
            return
        found = [read_state(_state_path(self.folder, cell)) for cell in self.cells]
        self.runs.load({name: torch.cat([state[name] for _, state in found]) for name in found[0][1]})
        self.step = int(found[0][0]["step"])
        self.seconds = max(float(metadata["seconds"]) for metadata, _ in found)
        # What was measured after the state was saved is measured again.
        self.curves = {name: read_curve(self.folder, name).until(self.step) for name in self.names}


def _state_path(folder: Path, cell: Cell) -> Path:
    return folder / "state" / f"{cell.name}.safetensors"


def _saved_step(folder: Path, cell: Cell) -> int:
    """How far the cell was when its state was saved."""
    path = _state_path(folder, cell)
    return int(read_state(path)[0]["step"]) if path.exists() else 0


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


def _device(device: torch.device) -> str:
    if device.type == "cuda":
        return torch.cuda.get_device_name(device)
    threads = torch.get_num_threads()
    return "one CPU thread" if threads == 1 else f"{threads} CPU threads"
