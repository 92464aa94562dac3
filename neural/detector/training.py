"""Training a detector on a folder of pictures that tell all of their things: finder and reader side by side, then where
things stand."""

import hashlib
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from predinet_prolog.domains.data import Floats
from predinet_prolog.neural.checkpoint import Weights, part_of
from predinet_prolog.neural.detector.config import kinds, kinds_of
from predinet_prolog.neural.detector.lessons import FindingLesson, ReadingLesson
from predinet_prolog.neural.detector.model import DetectorModel, load_detector, places_row, save_detector
from predinet_prolog.neural.detector.reader import Reader
from predinet_prolog.neural.detector.taught import Taught, read_taught
from predinet_prolog.neural.engines import Send
from predinet_prolog.neural.glimpses.finder import Finder
from predinet_prolog.neural.glimpses.model import GlimpseModel
from predinet_prolog.neural.glimpses.optimising import Plan, optimise
from predinet_prolog.neural.glimpses.training import MODEL_FILE, UNFINISHED, Report, RunOfParts, learn_parts
from predinet_prolog.neural.states import alone
from predinet_prolog.neural.threads import fastest_device, one_thread

RIDGE = 1e-4
"""Holds the places' weights small where a folder has few things."""


@dataclass(frozen=True)
class DetectorTraining:
    """Everything that decides the weights, beside the pictures and the finder to begin with."""

    seed: int = 0
    finder_steps: int = 2_000
    finder_rate: float = 1e-3
    """Of a finder that can find things already, in other pictures."""
    batch: int = 8
    """Pictures in a step of the finder."""
    reader_steps: int = 4_000
    reader_rate: float = 2e-3
    things: int = 64
    """In a step of the reader."""
    save: int = 50
    """Steps after which all is kept: those of large pictures take seconds."""

    def of(self, steps: int) -> "DetectorTraining":
        """The same with so many `steps` of the finder, and of the reader in proportion."""
        return replace(self, finder_steps=steps, reader_steps=max(1, self.reader_steps * steps // self.finder_steps))


@alone
def train_detector(
    model: GlimpseModel | DetectorModel,
    source: Path,
    folder: Path,
    *,
    config: DetectorTraining = DetectorTraining(),
    report: Report = lambda step, steps, text: None,
    processes: int = 2,
) -> DetectorModel:
    """Trains a detector on the pictures of `source`, whose finder begins with that of `model`, and writes
    `folder`/model.safetensors. Goes on and raises as `train_glimpses`; DomainError for a folder that does not teach."""
    taught = read_taught(source)
    begin = {name: value for name, value in model.weights.items() if name.startswith("finder.")}
    if isinstance(model, DetectorModel) and model.config.words == taught.config.words:
        begin = dict(model.weights)
    run = _Run(folder / UNFINISHED, begin, model.sha256, taught, config)
    finder, reader = run.networks()
    steps = {"finder": config.finder_steps, "reader": config.reader_steps}
    learn_parts(run, steps, _learn, report, processes, {"finder": finder, "reader": reader})
    training = {
        "domain": "scenes",
        "from": model.name,
        "pictures": len(taught.pixels),
        "things": int(taught.real.sum()),
        "training": asdict(config),
    }
    save_detector(folder / MODEL_FILE, taught.config, finder, reader, places(taught), training)
    shutil.rmtree(run.folder)
    return load_detector(folder / MODEL_FILE)


@dataclass(frozen=True, eq=False)
class _Run(RunOfParts):
    weights: Weights
    """To begin with: of a finder, and of a reader of the same words if there is one."""
    sha256: str
    """Of the model that had them."""
    taught: Taught
    config: DetectorTraining

    def networks(self) -> tuple[Finder, Reader]:
        """Both networks, a reader that knows nothing yet with normalisations."""
        knows = any(name.startswith("reader.") for name in self.weights)
        shape = self.taught.config
        finder, reader = Finder(shape.widths), Reader(shape.words, normed=not knows)
        for network, name in ((finder, "finder"), (reader, "reader"))[: 1 + knows]:
            network.load_state_dict(part_of(self.weights, name))
        return finder, reader


@one_thread()
def _learn(run: _Run, part: str, send: Send) -> None:
    """Trains one of both networks; its weights are then in its state."""
    config, taught = run.config, run.taught
    torch.manual_seed(config.seed)
    where = fastest_device()
    finder, reader = run.networks()
    network = (finder if part == "finder" else reader).to(where)
    pictures = hashlib.sha256(taught.pixels.tobytes() + taught.values.tobytes() + taught.boxes.tobytes()).hexdigest()
    identity = {"model": run.sha256, "pictures": pictures, "training": asdict(config)}
    if isinstance(network, Finder):
        plan = Plan(config.finder_steps, config.finder_rate, save=config.save)
        lesson: Callable[[int], torch.Tensor] = FindingLesson(network, taught, config.seed, config.batch, where)
    else:
        plan = Plan(config.reader_steps, config.reader_rate)
        knows = any(name.startswith("reader.") for name in run.weights)  # and so does its finder
        lesson = ReadingLesson(network, taught, config.seed, config.things, where, finder.eval() if knows else None)
    optimise(network, lesson, plan, run.state(part), identity, partial(send, part))


def places(taught: Taught) -> Floats | None:
    """(kinds, terms, 2): by kind, what makes left and behind of where a thing's middle shows; where a folder has few
    things of a kind, that of all."""
    if taught.ground is None:
        return None
    height, width = taught.pixels.shape[1:3]
    rows = places_row(taught.middles[taught.real].astype(np.float64), height, width)
    wanted, words = taught.ground[taught.real], taught.config.words
    mine = kinds_of(words, dict(zip(words, taught.values[taught.real].T, strict=True)), len(rows))

    def fitted(kind: NDArray[np.bool_], towards: Floats) -> Floats:
        these, ridge = rows[kind], RIDGE * np.eye(rows.shape[1])
        return np.asarray(np.linalg.solve(these.T @ these + ridge, these.T @ wanted[kind] + ridge @ towards))

    common = fitted(np.ones(len(rows), dtype=np.bool_), np.zeros((rows.shape[1], 2)))
    return np.stack([fitted(mine == kind, common) for kind in range(kinds(words))])
