"""Portions of configurations: runs that train together. What is saved while they train, and what they leave behind.

On a GPU a configuration is one portion, unless fewer runs were asked for at first and more later. On a CPU every run is
one: ten at once are no faster there, and one whose figures can be read stands before the next begins.
"""

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import torch

from predinet_prolog.domains.writing import write_atomically
from predinet_prolog.experiments.configurations import (
    Configuration,
    Curve,
    model_path,
    read_curve,
    read_record,
    record_path,
    runs_done,
    write_curve,
)
from predinet_prolog.experiments.data import TRAINED_ON, Order, held_out_pool, held_out_sets, training_pool
from predinet_prolog.experiments.feeding import ImageFeed, RepresentationFeed, room
from predinet_prolog.experiments.plans import Plan
from predinet_prolog.neural.checkpoint import load_model, save_model
from predinet_prolog.neural.precision import has_bfloat16
from predinet_prolog.neural.recipes import TrainingConfig, training_config
from predinet_prolog.neural.runs import Runs
from predinet_prolog.neural.states import going_on_from, read_state, write_state

STEPS_PER_CHUNK = 20
"""Batches are drawn this many at a time."""
SECONDS_PER_SAVE = 60.0


@dataclass(frozen=True)
class Portion:
    """The runs `first` to `stop` − 1 of a configuration."""

    configuration: Configuration
    first: int
    stop: int
    step: int = 0
    """How far they were when their state was saved."""
    again: bool = False
    """Whether only their networks are to be made: what was measured of them stays as it is."""

    @property
    def runs(self) -> range:
        """Their numbers."""
        return range(self.first, self.stop)


def portions_left(folder: Path, plan: Plan, configuration: Configuration) -> list[Portion]:
    """What is still to be trained: first that which was interrupted, then the runs that are missing."""
    first, portions = runs_done(folder, configuration.name), []
    path = _state_path(folder, configuration)
    if path.exists():
        with going_on_from(path):
            metadata, tensors = read_state(path)
            if metadata["first"] == first:
                stop = first + len(next(iter(tensors.values())))
                portions.append(Portion(configuration, first, stop, int(metadata["step"])))
                first = stop
    return portions + [Portion(configuration, *runs) for runs in _split(first, plan.runs)]


def portions_again(folder: Path, configurations: Sequence[Configuration], left: Sequence[Portion]) -> list[Portion]:
    """The runs that are done and that some of those `left` begin with, but whose networks are gone: results may have
    been brought from another machine without them."""
    begun_with = {(portion.configuration.start, run) for portion in left for run in portion.runs}
    return [
        Portion(configuration, run, run + 1, again=True)
        for configuration in configurations
        for run in range(runs_done(folder, configuration.name))
        if (configuration.name, run) in begun_with and not model_path(folder, configuration.name, run).exists()
    ]


def _split(first: int, stop: int) -> list[tuple[int, int]]:
    """The runs `first` to `stop` − 1 as portions: together on a GPU, which one does not fill, else one by one."""
    if torch.cuda.is_available():
        return [(first, stop)] if first < stop else []
    return [(run, run + 1) for run in range(first, stop)]


class Training:
    """Portions that train side by side: their runs stand one portion after another.

    They are of one shape and equally far, and all or none are trained again.
    """

    def __init__(self, folder: Path, plan: Plan, portions: Sequence[Portion], share: float = 1.0) -> None:
        """`share`: of the room there is, what this training may take."""
        self.folder, self.plan, self.portions = folder, plan, portions
        self._again = portions[0].again
        members = [(portion.configuration, run) for portion in portions for run in portion.runs]
        seeds = [configuration.seed + run for configuration, run in members]
        self.places: list[slice] = []
        """Of each portion, its runs' places among all."""
        for portion in portions:
            start = self.places[-1].stop if self.places else 0
            self.places.append(slice(start, start + len(portion.runs)))
        first = portions[0].configuration
        optimiser, learning_rate = _descent(plan, first)
        # It takes more time than all others together, and a third of that so.
        self._half = first.architecture == "relation_net" and not torch.cuda.is_available() and has_bfloat16()
        self.runs = Runs(first.config, seeds, optimiser=optimiser, learning_rate=learning_rate, bfloat16=self._half)
        _take_over(self.runs, folder, portions)
        device = self.runs.device
        tasks = list(dict.fromkeys(configuration.task for configuration, _ in members))
        of_task = [tasks.index(configuration.task) for configuration, _ in members]
        pool = training_pool(tasks, device)
        images = len(pool) // len(tasks)
        self.order = Order(list(zip(of_task, seeds, strict=True)), plan.batch, images=images)
        self.feed = ImageFeed(self.runs, pool)
        if set(first.frozen) == {"encoder", "central"}:
            self.feed = RepresentationFeed(self.runs, pool, images=images, room=share * room(device))
        most = plan.last_test_images
        self.tests = {held: held_out_pool(tasks, held, most, device) for held in held_out_sets(tasks[0])}
        rows_of_task = most * torch.tensor(of_task, device=device)
        self.test_places = rows_of_task[:, None] + torch.arange(most, device=device)  # (R, images)
        self.curves = [Curve() for _ in portions]
        self.step, self.seconds = 0, 0.0

    def run(self) -> Iterator[int]:
        """Trains to the end, from the saved state if there is one; yields the step."""
        self._resume()
        plan, runs = self.plan, self.runs
        measured = {round(plan.steps * number / plan.measurements) for number in range(1, plan.measurements + 1)}
        loss_sum = torch.zeros(len(runs), device=runs.device)
        since, saved, begun = self.step, time.monotonic(), self._clock() - self.seconds
        while self.step < plan.steps:
            stop = min(step for step in (self.step + STEPS_PER_CHUNK, *measured) if step > self.step)
            places = self.order.places(self.step, stop - self.step).to(runs.device)
            for losses in self.feed.steps(places):
                loss_sum += losses
            self.step = stop
            if self.step in measured and not self._again:
                self._measure((loss_sum / (self.step - since)).tolist())
                loss_sum.zero_()
                since = self.step
                self.seconds = self._clock() - begun
                if time.monotonic() - saved >= SECONDS_PER_SAVE:
                    self._save()
                    saved = time.monotonic()
            yield self.step
        self._finish()

    def _clock(self) -> float:
        """Seconds that count as its cost: of a GPU, or of this process alone, whatever else the machine does."""
        return time.monotonic() if self.runs.device.type == "cuda" else time.process_time()

    def _measure(self, losses: list[float]) -> None:
        accuracies = self._accuracies(self.plan.test_images)
        for portion, places, curve in zip(self.portions, self.places, self.curves, strict=True):
            for held, of_runs in accuracies.items():
                measured = zip(portion.runs, of_runs[places], losses[places], strict=True)
                curve.rows += [(self.step, run, held, accuracy, loss) for run, accuracy, loss in measured]
            earlier = read_curve(self.folder, portion.configuration.name).of_runs(range(portion.first))
            write_curve(self.folder, portion.configuration.name, curve.beside(earlier))

    def _accuracies(self, images: int) -> dict[str, list[float]]:
        """By held-out set, every run's accuracy on the first `images` of its task."""
        places = self.test_places[:, :images]
        return {held: self.feed.accuracy(test, places).tolist() for held, test in self.tests.items()}

    def _finish(self) -> None:
        """Writes the networks of every portion and, last, the record that says it is done, unless that is there."""
        accuracies = self._accuracies(self.plan.last_test_images)
        for portion, places in zip(self.portions, self.places, strict=True):
            configuration, name = portion.configuration, portion.configuration.name
            last = {held: of_runs[places] for held, of_runs in accuracies.items()}
            for index, run in enumerate(portion.runs):
                reached = {held: {configuration.task: of_runs[index]} for held, of_runs in last.items()}
                network = self.runs.network(places.start + index)
                save_model(model_path(self.folder, name, run), network, _config(self.plan, configuration, run), reached)
            if self._again:
                continue
            before = read_record(self.folder, name) or {"last": {}, "seconds": 0.0}
            record = {
                "cell": asdict(configuration),
                "last": {held: before["last"].get(held, []) + of_runs for held, of_runs in last.items()},
                "seconds": round(before["seconds"] + self.seconds, 1),
                "side_by_side": [portion.configuration.name for portion in self.portions],
                "device": _device(self.runs.device) + (", products in bfloat16" if self._half else ""),
            }
            write_atomically(record_path(self.folder, name), (json.dumps(record, indent=1) + "\n").encode())
            _state_path(self.folder, configuration).unlink(missing_ok=True)

    def _save(self) -> None:
        """A state for each portion, which need not train beside the same ones when it goes on."""
        state = self.runs.state()
        for portion, places in zip(self.portions, self.places, strict=True):
            metadata = {"step": self.step, "seconds": self.seconds, "first": portion.first}
            part = {name: tensor[places] for name, tensor in state.items()}
            write_state(_state_path(self.folder, portion.configuration), metadata, part)

    def _resume(self) -> None:
        self.step = self.portions[0].step
        if not self.step:
            return
        paths = [_state_path(self.folder, portion.configuration) for portion in self.portions]
        states = [read_state(path) for path in paths]
        with going_on_from(paths[0]):
            self.runs.load({name: torch.cat([state[name] for _, state in states]) for name in states[0][1]})
        self.seconds = max(float(metadata["seconds"]) for metadata, _ in states)
        # What was measured after the state was saved is measured again.
        self.curves = [
            read_curve(self.folder, portion.configuration.name).of_runs(portion.runs, self.step)
            for portion in self.portions
        ]


def _state_path(folder: Path, configuration: Configuration) -> Path:
    return folder / "state" / f"{configuration.name}.safetensors"


def _take_over(runs: Runs, folder: Path, portions: Sequence[Portion]) -> None:
    """Gives every run what it keeps of the network it begins with, and freezes that."""
    configuration = portions[0].configuration
    if not configuration.frozen:
        return
    paths = [model_path(folder, str(portion.configuration.start), run) for portion in portions for run in portion.runs]
    weights = [load_model(path).network.state_dict() for path in paths]
    submodules = {"encoder": "encoder", "central": configuration.architecture}
    prefixes = tuple(f"{submodules[part]}." for part in configuration.frozen)
    kept = {name for name in weights[0] if name.startswith(prefixes)}
    runs.load(runs.state() | {name: torch.stack([of_run[name] for of_run in weights]) for name in kept})
    runs.freeze(set(configuration.frozen))


def _config(plan: Plan, configuration: Configuration, run: int) -> TrainingConfig:
    """How the run was trained, for its checkpoint."""
    optimiser, learning_rate = _descent(plan, configuration)
    tasks, seed = [configuration.task], configuration.seed + run
    paper = training_config(tasks, objects=TRAINED_ON, recipe="paper", seed=seed, steps=plan.steps)
    return replace(paper, optimiser=optimiser, learning_rate=learning_rate, batch=plan.batch)


def _descent(plan: Plan, configuration: Configuration) -> tuple[str, float]:
    return configuration.descent or (plan.optimiser, plan.learning_rate)


def _device(device: torch.device) -> str:
    if device.type == "cuda":
        return torch.cuda.get_device_name(device)
    threads = torch.get_num_threads()
    return "one CPU thread" if threads == 1 else f"{threads} CPU threads"
