"""Training of configurations: side by side on a GPU, and else one in each process, as many at once as there are cores.

Each takes one thread, see `neural.threads`: two networks in two processes are faster than one after another by nine
tenths.
"""

import multiprocessing
import signal
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.queues import SimpleQueue
from pathlib import Path

import torch

from experiments.configurations import TRAINED_LAST, Configuration
from experiments.data import held_out_sets
from experiments.plans import Plan, Report
from experiments.portions import Portion, Training, portions_left
from neural.errors import NeuralError
from neural.threads import one_thread

Progress = Iterator[tuple[Sequence[Portion], int]]
"""Portions, and the step that they are at."""
SECONDS_PER_REPORT = 0.2


def train_configurations(folder: Path, plan: Plan, configurations: Sequence[Configuration], report: Report) -> None:
    """Trains those runs that are not done; NeuralError if a configuration begins with networks that are not there.

    Every configuration has its first run before any has a second, so that tables can be read half-way; but the runs of
    TRAINED_LAST come after all others. One that begins with another's networks stands after it. `report` gets steps,
    those of all runs together.
    """
    left = [portion for configuration in configurations for portion in portions_left(folder, plan, configuration)]
    left.sort(key=lambda portion: (portion.configuration.architecture == TRAINED_LAST, portion.first))
    total = plan.steps * plan.runs * len(configurations)
    whole = total - plan.steps * sum(len(portion.runs) for portion in left)  # what is done already
    done = dict.fromkeys(left, 0)
    processes = _processes(left)
    progress = _in_turn(folder, plan, left) if processes <= 1 else _in_processes(folder, plan, left, processes)
    with one_thread():
        for portions, step in progress:
            done |= {portion: step * len(portion.runs) for portion in portions}
            text = f"{portions[0].configuration.name}{' …' if len(portions) > 1 else ''}"
            report(whole + sum(done.values()), total, text)
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
        groups: dict[object, list[Portion]] = {}
        for portion in _ready(left):
            configuration = portion.configuration
            shape = configuration.config, configuration.frozen, configuration.descent, held_out_sets(configuration.task)
            groups.setdefault((shape, portion.first, portion.stop, portion.step), []).append(portion)
            left.remove(portion)
        found += groups.values()
    return found


def _in_processes(folder: Path, plan: Plan, portions: Sequence[Portion], count: int) -> Progress:
    """Each portion in one of `count` processes, which begin them in their order, as far as those can begin."""
    context = multiprocessing.get_context("spawn")
    steps: SimpleQueue[tuple[Portion, int]] = context.SimpleQueue()
    pool = ProcessPoolExecutor(count, context, initializer=_begin, initargs=(steps,))
    waiting, busy = list(portions), dict[Future[None], Portion]()
    try:
        while waiting or busy:
            for portion in _ready(waiting, busy.values())[: count - len(busy)]:
                waiting.remove(portion)
                with _without_interrupts():
                    busy[pool.submit(_train, folder, plan, portion, 1 / count)] = portion
            ended = wait(busy, timeout=SECONDS_PER_REPORT, return_when="FIRST_COMPLETED").done
            while not steps.empty():
                portion, step = steps.get()
                yield [portion], step
            for future in ended:
                portion = busy.pop(future)
                try:
                    future.result()
                except BrokenProcessPool:
                    raise NeuralError(
                        f"the process that trained {portion.configuration.name} was ended from outside, perhaps for "
                        "want of memory: the same command goes on; with the variable OMP_NUM_THREADS lower, fewer "
                        "configurations train at once"
                    ) from None
    finally:
        for process in multiprocessing.active_children():  # they would train to the end
            process.terminate()
        pool.shutdown()


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """A process started meanwhile never hears of Ctrl-C, which is its parent's: that ends it."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _ready(waiting: Iterable[Portion], busy: Iterable[Portion] = ()) -> list[Portion]:
    """Those of `waiting` whose runs begin with nothing that is still to be trained, nor before others of the same."""
    waiting, busy = list(waiting), list(busy)
    first_missing: dict[str, int] = {}
    for portion in (*waiting, *busy):
        name = portion.configuration.name
        first_missing[name] = min(portion.first, first_missing.get(name, portion.first))
    before = {portion.configuration.name for portion in busy}
    found = []
    for portion in waiting:
        start = portion.configuration.start
        begins = start is None or portion.stop <= first_missing.get(start, portion.stop)
        if begins and portion.configuration.name not in before:
            found.append(portion)
        before.add(portion.configuration.name)
    return found


# --- In a process. ---


def _begin(steps: "SimpleQueue[tuple[Portion, int]]") -> None:
    global _steps
    _steps = steps
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that no half of a file is left over


@one_thread()
def _train(folder: Path, plan: Plan, portion: Portion, share: float) -> None:
    """Tells its steps; `share` of the room there is is its own."""
    for step in Training(folder, plan, [portion], share).run():
        _steps.put((portion, step))


_steps: "SimpleQueue[tuple[Portion, int]]"
