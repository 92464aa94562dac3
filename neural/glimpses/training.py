"""Training a finder and a comparator side by side: from nothing on drawn pictures, or further on one's own."""

import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import nn

from predinet_prolog.domains import load_domain
from predinet_prolog.domains.annotations import to_compare
from predinet_prolog.domains.domain import Annotated, Pictures
from predinet_prolog.neural.checkpoint import Weights, part_of
from predinet_prolog.neural.engines import Processes, Send
from predinet_prolog.neural.errors import NeuralError
from predinet_prolog.neural.glimpses.comparator import Comparator
from predinet_prolog.neural.glimpses.config import NUMBER, GlimpseConfig, key_of
from predinet_prolog.neural.glimpses.drawn import Drawn, draw
from predinet_prolog.neural.glimpses.finder import Conv, Finder
from predinet_prolog.neural.glimpses.lessons import ComparatorLesson, FinderLesson
from predinet_prolog.neural.glimpses.model import GlimpseModel, load_glimpse_model, save_glimpse_model
from predinet_prolog.neural.glimpses.optimising import Plan, averaged, optimise
from predinet_prolog.neural.glimpses.own import OwnGlimpses, OwnPictures, digest, told_of
from predinet_prolog.neural.states import alone, saved_step, tell_going_on
from predinet_prolog.neural.threads import one_thread

MODEL_FILE = "model.safetensors"
UNFINISHED = "unfinished"
"""The folder of what is needed to go on; it is removed in the end."""
NEW_RELATIONS = 6
"""Of a group for an attribute of one's own."""
NEW_TIMES = 5.0
"""Such a group learns at so many times the rate of the others, which know something already."""
Report = Callable[[int, int, str], None]
"""Steps done of both networks together, all steps, and how it stands."""


@dataclass(frozen=True)
class GlimpseTraining:
    """Everything that decides the weights, beside the networks' shape and pictures of one's own."""

    seed: int = 0
    pictures: int = 24_000
    """Drawn ones."""
    side: int = 96
    """Their height and width in pixels."""
    finder_steps: int = 16_000
    finder_rate: float = 3e-3
    batch: int = 32
    """Pictures in a step of the finder."""
    comparator_steps: int = 13_000
    comparator_rate: float = 2e-3
    glimpses: int = 170
    """In a step of the comparator, at least."""

    def of(self, steps: int) -> "GlimpseTraining":
        """The same with so many `steps` of the finder, and of the comparator in proportion."""
        other = max(1, self.comparator_steps * steps // self.finder_steps)
        return replace(self, finder_steps=steps, comparator_steps=other)


FINE_TUNING = GlimpseTraining(
    pictures=1_500, finder_steps=400, finder_rate=3e-4, batch=16, comparator_steps=500, comparator_rate=6e-4
)


@dataclass(frozen=True, eq=False)
class RunOfParts:
    """A training of several networks."""

    folder: Path
    """Of what is needed to go on."""

    def state(self, part: str) -> Path:
        return self.folder / f"{part}.safetensors"


@dataclass(frozen=True, eq=False)
class _Run(RunOfParts):
    domain: str
    config: GlimpseTraining
    shape: GlimpseConfig
    processes: int
    annotated: Annotated | None = None
    weights: Weights = field(default_factory=dict)
    """To begin with, as those of a GlimpseModel."""
    fresh: tuple[str, ...] = ()
    """Groups that are not among them."""
    identity: Mapping[str, Any] = field(default_factory=dict)
    """What else tells this run from others."""


@alone
def train_glimpses(
    domain: Pictures,
    config: GlimpseTraining,
    folder: Path,
    *,
    report: Report = lambda step, steps, text: None,
    shape: GlimpseConfig | None = None,
    processes: int = 2,
) -> GlimpseModel:
    """Trains both networks on drawn pictures of `domain` and writes `folder`/model.safetensors.

    A run that was interrupted goes on where it was, and on the same machine ends with the same bytes as one that was
    not, in any number of processes. Raises TrainingDivergedError if a loss becomes NaN or infinite (the last good state
    stays), CheckpointError if the folder holds the beginning of another run, and DomainError for a domain that draws no
    such pictures.
    """
    shape = shape or GlimpseConfig()
    shape = replace(shape, groups=dict(shape.groups))
    run = _Run(folder / UNFINISHED, domain.name, config, shape, processes)
    return _train(run, folder / MODEL_FILE, {"domain": domain.name, **asdict(config)}, report)


@alone
def fine_tune(
    model: GlimpseModel,
    annotated: Annotated,
    folder: Path,
    *,
    report: Report = lambda step, steps, text: None,
    config: GlimpseTraining = FINE_TUNING,
    processes: int = 2,
    inside: bool = False,
) -> GlimpseModel:
    """Trains `model` further on pictures of one's own, mixed with as many drawn ones so that it does not forget, and
    writes `folder`/model.safetensors. Attributes that it has no group of relations for get one. `inside`: it then tells
    things by what is on them, as a model does that was made so.

    Goes on and raises as `train_glimpses`; NeuralError if nothing says where things are.
    """
    truth = told_of(annotated)
    if not len(truth.image):
        raise NeuralError("nothing says where things are: give their boxes")
    groups_before = model.config.groups
    fresh = tuple(name for name in to_compare(truth.attributes) if name not in groups_before)
    groups = {**groups_before, **dict.fromkeys(fresh, NEW_RELATIONS)}
    shape = replace(model.config, groups=groups, inside=inside or model.config.inside)
    if shape.inside and NUMBER in groups:
        raise NeuralError(f"what is on a thing is counted, not learned: leave the attribute {NUMBER} out")
    identity = {"model": model.sha256, "own": digest(annotated)}
    run = _Run(
        folder / UNFINISHED, model.domain.name, config, shape, processes, annotated, model.weights, fresh, identity
    )
    tuned = {
        "from": model.name,
        "sha256": model.sha256,
        "pictures": len(annotated),
        "things": len(truth.image),
        "attributes": sorted(truth.attributes),
        "training": asdict(config),
    }
    return _train(run, folder / MODEL_FILE, {**model.training, "tuned": tuned}, report)


def _train(run: _Run, path: Path, training: Mapping[str, Any], report: Report) -> GlimpseModel:
    steps = {"finder": run.config.finder_steps, "comparator": run.config.comparator_steps}
    total = sum(steps.values())
    _pictures(run, lambda ready, n: report(0, total, f"{ready} of {n} pictures drawn"))
    finder, comparator = _networks(run, normed=not run.weights)
    learn_parts(run, steps, _learn, report, run.processes, {"finder": finder, "comparator": comparator})
    save_glimpse_model(path, run.shape, finder, comparator, training)
    shutil.rmtree(run.folder)
    return load_glimpse_model(path)


def learn_parts(
    run: RunOfParts,
    steps: Mapping[str, int],
    learn: Callable[[Any, str, Send], None],
    report: Report,
    processes: int,
    networks: Mapping[str, nn.Module],
) -> None:
    """Lets every part of the run `learn` its `steps` side by side, and gives what it learned to its network, which is
    folded."""
    begun = {part: saved_step(run.state(part)) for part in steps}
    done, losses = dict(begun), dict[str, float]()

    def learned(part: str, step: int, loss: float) -> None:
        tell_going_on(run.state(part), begun.pop(part, 0), steps[part])
        done[part], losses[part] = step, loss
        report(sum(done.values()), sum(steps.values()), ", ".join(f"{n} {v:.3f}" for n, v in losses.items()))

    Processes(processes).side_by_side([partial(learn, run, part) for part in steps], learned)
    for part, network in networks.items():
        network.load_state_dict(averaged(run.state(part)))
        for module in network.eval().modules():
            if isinstance(module, Conv):
                module.fold()


def _pictures(run: _Run, report: Send) -> Drawn:
    n, side, seed = run.config.pictures, run.config.side, run.config.seed
    return draw(run.domain, n, side=side, seed=seed, folder=run.folder, processes=run.processes, report=report)


@one_thread()
def _learn(run: _Run, part: str, send: Send) -> None:
    """Trains one of both networks; its weights are then in its state."""
    config = run.config
    torch.manual_seed(config.seed)
    network = _networks(run, normed=not run.weights)[part == "comparator"]
    drawn = _pictures(run, lambda ready, n: None)
    if isinstance(network, Finder):
        own_pictures = OwnPictures(run.annotated) if run.annotated else None
        lesson: Callable[[int], torch.Tensor] = FinderLesson(network, drawn, config.seed, config.batch, own_pictures)
        plan = Plan(config.finder_steps, config.finder_rate)
    else:
        attributes = load_domain(run.domain).attributes
        glimpses = OwnGlimpses(run.annotated, seed=config.seed) if run.annotated else None
        lesson = ComparatorLesson(
            network, run.shape, drawn, attributes, config.seed, config.glimpses, glimpses, run.fresh
        )
        times = dict.fromkeys((f"groups.{key_of(name)}." for name in run.fresh), NEW_TIMES)
        plan = Plan(config.comparator_steps, config.comparator_rate, times)
    identity = {"domain": run.domain, "shape": asdict(run.shape), "training": asdict(config), **run.identity}
    optimise(network, lesson, plan, run.state(part), identity, partial(send, part))


def _networks(run: _Run, *, normed: bool) -> tuple[Finder, Comparator]:
    """Both networks, with the weights that the run begins with; groups that are new see at first as `look` does."""
    finder = Finder(run.shape.widths, normed=normed)
    comparator = Comparator(run.shape.groups, normed=normed)
    for part, network in (("finder", finder), ("comparator", comparator)):
        given = part_of(run.weights, part)
        look = {name: value for name, value in given.items() if name.startswith("groups.look.layers.")}
        for group in run.fresh if part == "comparator" else ():
            given |= {name.replace("look", key_of(group), 1): value for name, value in look.items()}
        network.load_state_dict(given, strict=False)
    return finder, comparator
