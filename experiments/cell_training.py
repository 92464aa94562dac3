"""Training of cells: side by side on a GPU, and else one in each process, as many at once as there are cores.

Each takes one thread, see `neural.threads`: two networks in two processes are faster than one after another by nine
tenths.
"""

import contextlib
import multiprocessing
import signal
import sys
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from pathlib import Path

import torch

from experiments.cells import Cell
from experiments.data import held_out_sets
from experiments.experiment import Plan, Report
from experiments.portions import Portion, Training, portions_left
from neural.errors import NeuralError
from neural.threads import one_thread

Progress = Iterator[tuple[Sequence[Portion], int]]
"""Portions, and the step that they are at."""


def train_cells(folder: Path, plan: Plan, cells: Sequence[Cell], report: Report) -> None:
    """Trains those runs of `cells` that are not done; NeuralError if one begins with networks that are not there.

    A cell that begins with another's networks stands after it. `report` is told steps, those of all cells together.
    """
    left = [portion for cell in cells for portion in portions_left(folder, plan, cell)]
    whole = len(cells) - len({portion.cell.name for portion in left})  # cells that are done
    done = dict.fromkeys(left, 0)
    total = plan.steps * (whole + len(left))
    processes = _processes(left)
    progress = _in_turn(folder, plan, left) if processes <= 1 else _in_processes(folder, plan, left, processes)
    with one_thread():
        for portions, step in progress:
            done |= dict.fromkeys(portions, step)
            text = f"{portions[0].cell.name}{' …' if len(portions) > 1 else ''}"
            report(plan.steps * whole + sum(done.values()), total, text)
    report(total, total, "done")


def _processes(portions: Sequence[Portion]) -> int:
    """How many of `portions` train at once, each in a process: as many as PyTorch would take threads."""
    return 1 if torch.cuda.is_available() else min(torch.get_num_threads(), len(portions))


def _in_turn(folder: Path, plan: Plan, portions: Sequence[Portion]) -> Progress:
    for group in _groups(portions):
        for step in Training(folder, plan, group).run():
            yield group, step


def _groups(portions: Sequence[Portion]) -> list[list[Portion]]:
    """The portions as one process trains them, group after group.

    Those whose networks have one shape and which are equally far train side by side on a GPU, which one of them does
    not fill; elsewhere one after another, so that the first figures come early.
    """
    if not torch.cuda.is_available():
        return [[portion] for portion in portions]
    found: list[list[Portion]] = []
    left = list(portions)
    while left:
        ready = _ready(left)
        groups: dict[object, list[Portion]] = {}
        for portion in ready:
            cell = portion.cell
            shape = cell.config, cell.frozen, cell.descent, held_out_sets(cell.task)
            groups.setdefault((shape, portion.first, portion.stop, portion.step), []).append(portion)
        found += groups.values()
        left = [portion for portion in left if portion not in ready]
    return found


def _in_processes(folder: Path, plan: Plan, portions: Sequence[Portion], count: int) -> Progress:
    """Each portion in one of `count` processes, which begin them in their order, as far as those can begin."""
    context = multiprocessing.get_context("spawn")
    waiting = list(portions)
    busy: dict[Connection, Portion] = {}
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
            while idle and (ready := _ready(waiting, list(busy.values()))):
                portion = ready[0]
                waiting.remove(portion)
                busy[idle[-1]] = portion
                # If the process is gone, that is seen when it is waited for.
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                    idle.pop().send(portion)
            for connection in wait(list(busy)):
                assert isinstance(connection, Connection)  # no other is waited for
                portion = busy[connection]
                match _receive(connection, portion.cell):
                    case int(step):
                        yield [portion], step
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


def _ready(waiting: Sequence[Portion], busy: Sequence[Portion] = ()) -> list[Portion]:
    """Those of `waiting` that begin with nothing that is still to be trained, nor before others of their cell."""
    missing = {portion.cell.name for portion in (*waiting, *busy)}
    before = {portion.cell.name for portion in busy}
    found = []
    for portion in waiting:
        if portion.cell.start not in missing and portion.cell.name not in before:
            found.append(portion)
        before.add(portion.cell.name)
    return found


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


@one_thread()
def _serve(connection: Connection, folder: Path, plan: Plan, share: float) -> None:
    """A process: trains the portions that it is sent, and sends steps, None after each, or what went wrong. `share` of
    the room there is is its own."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that no half of a file is left over
    try:
        while True:
            portion: Portion = connection.recv()
            try:
                for step in Training(folder, plan, [portion], share).run():
                    connection.send(step)
                connection.send(None)
            except Exception as error:
                connection.send(error)
    except (EOFError, BrokenPipeError):
        pass  # the parent is gone
