"""Teaches a finder that was taught by drawings what things of other hands look like, as small as it sees them.

    python -m examples.ground.finder MODEL FOLDER [--steps N] [--seed N]

writes FOLDER/model.safetensors: MODEL, whose finder learned on by as many of its own drawings as of the foreground's
lessons, so that it does not forget. Its comparator stays as it was. Stopped and started again, it goes on.
"""

import argparse
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image

from examples.ground.lessons import Lesson, lesson
from examples.ground.objects import Objects, objects
from predinet_prolog.domains.domain import Pixels
from predinet_prolog.neural.glimpses.drawn import Drawn, boxes_of, draw
from predinet_prolog.neural.glimpses.finding_loss import UNTOLD
from predinet_prolog.neural.glimpses.ground import fit_plane
from predinet_prolog.neural.glimpses.lessons import FinderLesson
from predinet_prolog.neural.glimpses.model import load_glimpse_model, save_glimpse_model
from predinet_prolog.neural.glimpses.optimising import Plan, averaged, optimise
from predinet_prolog.neural.glimpses.training import GlimpseTraining

SIDE = GlimpseTraining.side
"""Pixels along a lesson's sides."""


@dataclass(frozen=True)
class Course:
    """What it learns from, and how."""

    drawings: int = 3_000
    lessons: int = 5_000
    batch: int = 16
    """Of drawings, and of lessons, in a step."""
    rate: float = 8e-4
    """The highest: a quarter of the one that it was taught with, for it knows most already."""
    share: float = 0.7
    """Of what it learned. Of 780 drawn pictures that chose all of it forgets 7, and this share none; of 450 small ones
    of other hands this reads 380 rightly, 351 before."""
    most: int = 24
    """Things in a lesson."""
    fewest: int = 12
    """Pixels of a thing: of fewer, it is not told whether they are one."""
    reduced: tuple[int, ...] = (1, 1, 2, 3)
    """Times that a lesson is reduced: pictures of hands are, and half of them hardly."""
    symbols: float = 0.08
    """Share of lessons that are single cards: so small ones are more often the whole picture."""


COURSE = Course()


def main(arguments: Sequence[str] | None = None) -> None:
    """Learns, and writes the model."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps", type=int, default=4_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    print("fetching and looking through things and surfaces ...", flush=True)
    teach(options.model, options.folder, objects(), options.steps, options.seed)


def teach(path: Path, folder: Path, things: Objects, steps: int, seed: int) -> None:
    """Learns `steps` steps, and writes `folder`/model.safetensors."""
    model = load_glimpse_model(path)
    finder, comparator = model.networks()
    name, many = model.domain.name, COURSE.drawings
    drawings = draw(name, many, side=SIDE, seed=seed, folder=folder, processes=1, report=lambda ready, n: None)
    lessons = lessons_of(things, COURSE.lessons, np.random.default_rng(seed))
    parts = [FinderLesson(finder, part, seed + number, COURSE.batch) for number, part in enumerate((drawings, lessons))]
    torch.manual_seed(seed)
    state, taught = folder / "finder.safetensors", {"steps": steps, "seed": seed, **asdict(COURSE)}
    optimise(
        finder,
        lambda step: torch.stack([part(step) for part in parts]).sum(),
        Plan(steps, COURSE.rate),
        state,
        {"model": model.sha256, **taught},
        lambda step, loss: print(f"{step} of {steps} steps: loss {loss:.3f}", flush=True),
    )
    before, learned = model.networks()[0].state_dict(), averaged(state)
    finder.load_state_dict({name: torch.lerp(weight, learned[name], COURSE.share) for name, weight in before.items()})
    target = folder / "model.safetensors"
    save_glimpse_model(target, model.config, finder, comparator, {**model.training, "finder taught by lessons": taught})
    print(f"{target}: ground it, and it is ready", flush=True)


def lessons_of(things: Objects, many: int, rng: np.random.Generator) -> Drawn:
    """`many` lessons of SIDE × SIDE pixels with COURSE.most things in each at most."""
    parts: list[tuple[Pixels, NDArray[np.uint8], NDArray[np.float32], NDArray[np.float32]]] = []
    while len(parts) < many:
        by = int(rng.choice(COURSE.reduced))
        large = lesson(by * SIDE, by * SIDE, things, rng, symbols=COURSE.symbols)
        if large.owner.max() <= COURSE.most:
            picture, owner = reduced(large, by)
            parts.append((picture, owner, fit_plane(picture).astype(np.float32), boxes_of(owner, COURSE.most)))
    pixels, owners, planes, boxes = (np.stack(column) for column in zip(*parts, strict=True))
    return Drawn(pixels, owners, planes, boxes, np.zeros((many, COURSE.most, 1), dtype=np.int32))


def reduced(large: Lesson, by: int) -> tuple[Pixels, NDArray[np.uint8]]:
    """A lesson's picture and its owners, `by` times smaller: a pixel is a thing's where half of it is."""
    height, width = (length // by for length in large.owner.shape)
    picture = np.asarray(Image.fromarray(large.picture).resize((width, height), Image.Resampling.BOX))
    parts = large.owner.reshape(height, by, width, by).swapaxes(1, 2).reshape(height, width, by * by)
    owner = np.where((parts > 0).mean(axis=2) >= 0.5, parts.max(axis=2), 0).astype(np.uint8)
    few = np.flatnonzero(np.bincount(owner.ravel(), minlength=COURSE.most + 1) < COURSE.fewest)
    owner[np.isin(owner, few[few > 0])] = UNTOLD
    return picture, owner


if __name__ == "__main__":
    main()
