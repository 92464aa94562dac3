"""Training of configurations, one run in a process, as many at once as there are cores.

Each takes one thread, see `neural.threads`: two networks in two processes are faster than one after another by nine
tenths. What is saved while a run trains lies in `state/`; what it leaves behind, `experiments.configurations` tells.
"""

import json
import time
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import torch

from predinet_prolog.domains.writing import write_atomically
from predinet_prolog.experiments.configurations import (
    TRAINED_LAST,
    Configuration,
    Curve,
    model_path,
    read_curve,
    read_record,
    record_path,
    runs_done,
    write_curve,
)
from predinet_prolog.experiments.data import TRAINED_ON, held_out_scenes, held_out_sets, places, training_scenes
from predinet_prolog.experiments.plans import Plan, Report
from predinet_prolog.neural.baselines import RelationNet
from predinet_prolog.neural.checkpoint import load_model, save_model
from predinet_prolog.neural.engines import Engine, Processes, Send
from predinet_prolog.neural.errors import NeuralError
from predinet_prolog.neural.network import RelationsNetwork
from predinet_prolog.neural.recipes import TrainingConfig, training_config
from predinet_prolog.neural.states import going_on_from, read_state, tell_going_on, write_state
from predinet_prolog.neural.threads import has_bfloat16, one_thread
from predinet_prolog.neural.training import Learner, predict

STEPS_PER_CHUNK = 20
"""Batches are drawn this many at a time."""
SECONDS_PER_SAVE = 60.0


@dataclass(frozen=True)
class Run:
    """One network of a configuration; called, it is trained."""

    folder: Path
    plan: Plan
    configuration: Configuration
    number: int

    def __call__(self, send: Send) -> None:
        _train(self, send)


def train_configurations(
    folder: Path, plan: Plan, configurations: Sequence[Configuration], report: Report, engine: Engine | None = None
) -> None:
    """Trains those runs that are not done; NeuralError if one begins with a network that is gone or nobody trains.

    Every configuration has its first run before any has a second, so that tables can be read half-way; but the runs of
    TRAINED_LAST come after all others. One that begins with another's networks stands after it. `report` gets steps,
    those of all runs together. The `engine` trains them; None: this machine, in as many processes as PyTorch would take
    threads.
    """
    left = [
        Run(folder, plan, configuration, number)
        for configuration in configurations
        for number in range(runs_done(folder, configuration.name), plan.runs)
    ]
    for run in left:
        start = run.configuration.start or ""  # of which no run is done
        if run.number < runs_done(folder, start) and not (path := model_path(folder, start, run.number)).exists():
            raise NeuralError(f"{path} is gone, and needed: remove {record_path(folder, start)}, that it is trained")
    left.sort(key=lambda run: (run.configuration.architecture == TRAINED_LAST, run.number))
    total = plan.steps * plan.runs * len(configurations)
    whole = total - plan.steps * len(left)  # what is done already
    done = dict.fromkeys(left, 0)
    begun = {run: _saved_step(run) for run in left}

    def receive(run: Run, step: int) -> None:
        tell_going_on(run.configuration.name, begun.pop(run, 0), plan.steps)
        done[run] = step
        report(whole + sum(done.values()), total, run.configuration.name)

    (engine or Processes(torch.get_num_threads())).side_by_side(left, receive, ready=_ready)
    report(total, total, "done")


def _ready(waiting: Sequence[Run], busy: Collection[Run]) -> list[Run]:
    """Those of `waiting` that begin with nothing that is still to be trained, nor before others of the same
    configuration."""
    untrained = {(run.configuration.name, run.number) for run in (*waiting, *busy)}
    before = {run.configuration.name for run in busy}
    ready = []
    for run in waiting:
        if (run.configuration.start, run.number) not in untrained and run.configuration.name not in before:
            ready.append(run)
        before.add(run.configuration.name)
    return ready


@one_thread()
def _train(run: Run, send: Send) -> None:
    """Trains the run to its end, from the saved state if there is one, and sends its steps."""
    folder, plan, configuration, name = run.folder, run.plan, run.configuration, run.configuration.name
    config = _config(run)
    network = RelationsNetwork(configuration.config, generator=torch.Generator().manual_seed(config.seed))
    _take_over(network, run)
    half = isinstance(network.central, RelationNet) and has_bfloat16()
    if half:  # a relation net takes more time than all others together, and a third of that so
        network.central.products = torch.bfloat16
    learner, curve, step, seconds = Learner(network, config), Curve(), 0, 0.0
    if _saved_step(run):
        path = _state_path(run)
        with going_on_from(path):
            metadata, tensors = read_state(path)
            learner.optimiser.load(tensors)
            step, seconds = int(metadata["step"]), float(metadata["seconds"])
        # What was measured after the state was saved is measured again.
        curve = read_curve(folder, name).of_runs(range(run.number, run.number + 1), step)
    earlier = read_curve(folder, name).of_runs(range(run.number))
    scenes = training_scenes(configuration.task)
    sets = held_out_sets(configuration.task)
    tests = {objects: held_out_scenes(configuration.task, objects, plan.last_test_images) for objects in sets}

    def accuracies(images: int) -> dict[str, float]:
        """By held-out set, on its first `images`."""
        reached = {}
        for objects, test in tests.items():
            asked = test[:images]
            reached[objects] = float((predict(network, asked.render(), asked.task_ids) == asked.labels).mean())
        return reached

    measured = {round(plan.steps * number / plan.measurements) for number in range(1, plan.measurements + 1)}
    loss_sum, since, saved, begun = 0.0, step, time.monotonic(), time.process_time() - seconds
    while step < plan.steps:
        stop = min(number for number in (step + STEPS_PER_CHUNK, *measured) if number > step)
        chosen = scenes[places(config.seed, step * plan.batch, stop * plan.batch, images=len(scenes))]
        arrays = map(torch.from_numpy, (chosen.render(), chosen.task_ids, chosen.labels))
        for batch in zip(*(array.view(-1, plan.batch, *array.shape[1:]) for array in arrays), strict=True):
            loss_sum += learner.learn(step, *batch).cross_entropy
            step += 1
        if step in measured:
            loss = loss_sum / (step - since)
            judged = accuracies(plan.test_images).items()
            curve.rows += [(step, run.number, objects, accuracy, loss) for objects, accuracy in judged]
            write_curve(folder, name, curve.beside(earlier))
            loss_sum, since = 0.0, step
            if time.monotonic() - saved >= SECONDS_PER_SAVE:
                metadata = {"step": step, "seconds": time.process_time() - begun, "run": run.number}
                write_state(_state_path(run), metadata, learner.optimiser.state())
                saved = time.monotonic()
        send(run, step)

    last = accuracies(plan.last_test_images)
    reached = {objects: {configuration.task: accuracy} for objects, accuracy in last.items()}
    save_model(model_path(folder, name, run.number), network, config, reached)
    before = read_record(folder, name) or {"last": {}, "seconds": 0.0}
    record = {
        "cell": asdict(configuration),
        "last": {objects: [*before["last"].get(objects, []), accuracy] for objects, accuracy in last.items()},
        "seconds": round(before["seconds"] + time.process_time() - begun, 1),
        "device": "one CPU thread" + (", products in bfloat16" if half else ""),
    }
    write_atomically(record_path(folder, name), (json.dumps(record, indent=1) + "\n").encode())
    _state_path(run).unlink(missing_ok=True)


def _state_path(run: Run) -> Path:
    return run.folder / "state" / f"{run.configuration.name}.safetensors"


def _saved_step(run: Run) -> int:
    """How far the run was when its state was saved; 0 if it was not."""
    path = _state_path(run)
    if not path.exists():
        return 0
    with going_on_from(path):
        metadata, _ = read_state(path)
        return int(metadata["step"]) if metadata["run"] == run.number else 0


def _take_over(network: RelationsNetwork, run: Run) -> None:
    """Gives the network what it keeps of that which its run begins with, and freezes this."""
    if run.configuration.start is None:
        return
    start = load_model(model_path(run.folder, run.configuration.start, run.number)).network
    for part in run.configuration.frozen:
        kept = getattr(network, part)
        kept.load_state_dict(getattr(start, part).state_dict())
        kept.requires_grad_(False)


def _config(run: Run) -> TrainingConfig:
    plan, tasks, seed = run.plan, [run.configuration.task], run.configuration.seed + run.number
    paper = training_config(tasks, objects=TRAINED_ON, recipe="paper", seed=seed, steps=plan.steps)
    return replace(paper, optimiser=plan.optimiser, learning_rate=plan.learning_rate, batch=plan.batch)
