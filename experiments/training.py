"""Training of configurations: side by side on a GPU, and else one in each process, as many at once as there are cores.

Each takes one thread, see `neural.threads`: two networks in two processes are faster than one after another by nine
tenths.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import torch

from predinet_prolog.experiments.configurations import TRAINED_LAST, Configuration
from predinet_prolog.experiments.data import held_out_sets
from predinet_prolog.experiments.plans import Plan, Report
from predinet_prolog.experiments.portions import Portion, Training, portions_again, portions_left
from predinet_prolog.neural.engines import Engine, Processes, Send, Work
from predinet_prolog.neural.states import tell_going_on
from predinet_prolog.neural.threads import one_thread


def train_configurations(
    folder: Path, plan: Plan, configurations: Sequence[Configuration], report: Report, engine: Engine | None = None
) -> None:
    """Trains those runs that are not done, and again those that they begin with and whose networks are gone;
    NeuralError if a configuration begins with networks that nobody trains.

    Every configuration has its first run before any has a second, so that tables can be read half-way; but the runs of
    TRAINED_LAST come after all others. One that begins with another's networks stands after it. `report` gets steps,
    those of all runs together. The `engine` trains them; None: this machine, on its GPU or in as many processes as
    PyTorch would take threads.
    """
    left = [portion for configuration in configurations for portion in portions_left(folder, plan, configuration)]
    left = [*portions_again(folder, configurations, left), *left]  # before those that wait for them
    left.sort(key=lambda portion: (portion.configuration.architecture == TRAINED_LAST, portion.first))
    total = plan.steps * plan.runs * len(configurations)
    whole = total - plan.steps * sum(len(portion.runs) for portion in left)  # what is done already
    done = dict.fromkeys(left, 0)
    begun = {portion: portion.step for portion in left}

    def trained(portions: Sequence[Portion], step: int) -> None:
        for portion in portions:
            tell_going_on(portion.configuration.name, begun.pop(portion, 0), plan.steps)
        done.update({portion: step * len(portion.runs) for portion in portions})
        text = f"{portions[0].configuration.name}{' …' if len(portions) > 1 else ''}"
        report(whole + sum(done.values()), total, text)

    processes = _processes(left)
    with one_thread():
        if left and (engine is not None or processes > 1):
            _by(engine or Processes(processes), folder, plan, left, trained)
        else:
            for group in _groups(left):
                for step in Training(folder, plan, group).run():
                    trained(group, step)
    report(total, total, "done")


def _processes(portions: Sequence[Portion]) -> int:
    """How many of `portions` train at once, each in a process: as many as PyTorch would take threads."""
    return 1 if torch.cuda.is_available() else min(torch.get_num_threads(), len(portions))


def _groups(portions: Sequence[Portion]) -> list[list[Portion]]:
    """The portions as one process trains them, group after group.

    Those whose networks have one shape and which are equally far train side by side on a GPU, which one of them does
    not fill; elsewhere one after another, so that the first figures come early.
    """
    if not torch.cuda.is_available():
        return [[portion] for portion in portions]
    portions_of: list[list[Portion]] = []
    left = list(portions)
    while left:
        groups: dict[object, list[Portion]] = {}
        for portion in _ready(left):
            configuration = portion.configuration
            shape = configuration.config, configuration.frozen, configuration.descent, held_out_sets(configuration.task)
            key = shape, portion.first, portion.stop, portion.step, portion.again
            groups.setdefault(key, []).append(portion)
            left.remove(portion)
        portions_of += groups.values()
    return portions_of


def _by(engine: Engine, folder: Path, plan: Plan, left: Sequence[Portion], trained: Send) -> None:
    """Lets the engine train the portions, each as soon as what it begins with is there."""
    share = 1 / torch.get_num_threads()
    portions: dict[Work, Portion] = {partial(_train, folder, plan, portion, share): portion for portion in left}

    def ready(waiting: Sequence[Work], busy: Collection[Work]) -> Sequence[Work]:
        ready = _ready([portions[work] for work in waiting], [portions[work] for work in busy])
        return [work for work in waiting if portions[work] in ready]

    engine.side_by_side(list(portions), trained, ready=ready)


def _ready(waiting: Iterable[Portion], busy: Iterable[Portion] = ()) -> list[Portion]:
    """Those of `waiting` whose runs begin with nothing that is still to be trained, nor before others of the same."""
    waiting, busy = list(waiting), list(busy)
    first_missing: dict[str, int] = {}
    for portion in (*waiting, *busy):
        name = portion.configuration.name
        first_missing[name] = min(portion.first, first_missing.get(name, portion.first))
    before = {portion.configuration.name for portion in busy}
    ready = []
    for portion in waiting:
        start = portion.configuration.start
        begins = start is None or portion.stop <= first_missing.get(start, portion.stop)
        if begins and portion.configuration.name not in before:
            ready.append(portion)
        before.add(portion.configuration.name)
    return ready


@one_thread()
def _train(folder: Path, plan: Plan, portion: Portion, share: float, send: Send) -> None:
    """Sends its steps; `share` of the room there is is its own. Begun anew, it goes on where it was saved."""
    for left in [portion] if portion.again else portions_left(folder, plan, portion.configuration):
        if left.first == portion.first:
            for step in Training(folder, plan, [replace(portion, step=left.step)], share).run():
                send([portion], step)
