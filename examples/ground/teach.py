"""Teaches the network that tells things from ground by lessons that are drawn while it learns.

    python -m examples.ground.teach FOLDER [--minutes M] [--seed N]

writes FOLDER/foreground.onnx; objects.py says what is fetched for it. Stopped and started again, it goes on from the
last state in FOLDER, for what is left of the minutes.
"""

import argparse
import copy
import io
import math
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import ndimage
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits
from torch.utils.data import DataLoader, IterableDataset

from examples.ground.backbone import pretrained
from examples.ground.export import graph_of
from examples.ground.lessons import Lesson, lesson
from examples.ground.network import Foreground
from examples.ground.objects import Objects, objects
from predinet_prolog.domains.writing import write_atomically
from predinet_prolog.neural.glimpses.foreground import unlike_ground
from predinet_prolog.neural.glimpses.ground import Field

Batch = tuple[Tensor, ...]
"""Inputs (B, 9, H, W), and (B, H, W) each: how much is things', its weight, where two things meet, and its weight."""


@dataclass(frozen=True)
class Course:
    """How it learns."""

    rate: float = 1.5e-3
    warm: int = 300
    """Steps until the rate is full; then it falls as a cosine of the time, to …"""
    lowest: float = 0.01
    """… that share of it."""
    slow: float = 0.1
    """Share of the rate at which the backbone learns on: it knows most already."""
    decay: float = 1e-4
    steepest: float = 1.0
    """Norm of gradients at most."""
    average: float = 0.998
    """Of the weights, over about five hundred steps: what is written."""
    meeting: float = 0.5
    """Weight of where two things meet, beside what is a thing's."""
    line: int = 100
    state: int = 300
    """Steps between lines, and between states."""
    calibration: int = 20
    """Batches that the export is calibrated by: sixty change nothing."""


@dataclass(frozen=True)
class Sizes:
    """Those of the pictures in a batch, which are all drawn for it: with what it saw before it learns it by heart."""

    large: Sequence[tuple[int, int]] = (
        *((288, 384), (384, 288), (320, 384), (384, 320)),
        *((256, 384), (384, 256), (352, 352)),
    )
    """Heights and widths. The network looks at pictures of 520 pixels at most; lessons up to 544 taught it no more."""
    small: Sequence[tuple[int, int]] = ((96, 64), (64, 96), (96, 96), (128, 96), (96, 160), (160, 128), (192, 128))
    """Single cards and the like."""
    share: float = 0.2
    """Of small ones."""
    pixels: int = 110_000
    """About so many are in a batch, …"""
    fewest: int = 2
    most: int = 10
    """… in two to ten pictures."""


@dataclass(frozen=True)
class Weights:
    """What counts more, and less, than ground and large things do."""

    area: float = 600.0
    most: float = 4.0
    """A thing's pixels count by the root of that area over its own: small ones are missed first."""
    thin: float = 3.0
    """What is narrower than five pixels, at least."""
    gap: float = 5.0
    """Ground within three pixels of two things: it alone parts them."""
    edge: float = 0.5
    """A pixel that is partly a thing's: either answer is nearly right."""
    meeting: float = 0.4
    """A pixel where two things meet: the other output tells."""
    ground: float = 0.1
    met: float = 3.0
    """Of that output: the ground, and where two things meet."""


COURSE = Course()
SIZES = Sizes()
WEIGHTS = Weights()


def main(arguments: Sequence[str] | None = None) -> None:
    """Learns for some minutes, and writes the network."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, default=90, help="in all, with those before it was stopped")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(max(1, (os.cpu_count() or 2) - 1))  # one more draws
    print("fetching and looking through things and surfaces ...", flush=True)
    teach(options.folder, objects(), options.minutes, options.seed)


def teach(folder: Path, things: Objects, minutes: float, seed: int) -> None:
    """Learns until `minutes` have passed in all, and writes `folder`/foreground.onnx."""
    learner, state = Learner(seed), folder / "state.pt"
    if state.exists():
        learner.restore(torch.load(state))
    else:
        learner.begin(pretrained())
    lines: list[tuple[float, ...]] = []
    before = time.monotonic() - learner.seconds
    for batch in DataLoader(Lessons(things, seed, learner.steps), batch_size=None, num_workers=1, prefetch_factor=4):
        learner.seconds = time.monotonic() - before
        if learner.seconds >= 60 * minutes:
            break
        lines.append(learner.learn(batch, learner.seconds / (60 * minutes)))
        if learner.steps % COURSE.line == 0:
            thing, meeting, overlap = np.mean(lines, axis=0)
            print(
                f"{learner.seconds / 60:6.1f} minutes, {learner.steps} steps: "
                f"losses {thing:.4f} and {meeting:.4f}, overlap {overlap:.4f}",
                flush=True,
            )
            lines.clear()
        if learner.steps % COURSE.state == 0:
            save(state, learner)
    save(state, learner)
    network = folder / "foreground.onnx"
    batches = islice(Lessons(things, seed, learner.steps), COURSE.calibration)
    write_atomically(network, graph_of(learner.average, (inputs for batch in batches for inputs in batch[0].numpy())))
    print(f"{network}: learned in {learner.steps} steps; to learn longer, give more --minutes", flush=True)


def save(path: Path, learner: "Learner") -> None:
    content = io.BytesIO()
    torch.save(learner.state(), content)
    write_atomically(path, content.getvalue())


class Learner:
    """The network, and the average of what it was."""

    def __init__(self, seed: int) -> None:
        torch.manual_seed(seed)
        self.network = Foreground()
        self.average = copy.deepcopy(self.network)
        backbone, parameters = self.network.backbone.parameters(), self.network.named_parameters()
        others = [weights for name, weights in parameters if not name.startswith("backbone.")]
        groups = [{"params": others, "share": 1.0}, {"params": backbone, "share": COURSE.slow}]
        self.optimizer = torch.optim.AdamW(groups, lr=COURSE.rate, weight_decay=COURSE.decay)
        self.steps, self.seconds = 0, 0.0

    def begin(self, weights: Mapping[str, Tensor]) -> None:
        """Takes the backbone's."""
        for network in (self.network, self.average):
            network.backbone.take(weights)

    def state(self) -> dict[str, Any]:
        """What `restore` takes."""
        parts = {name: getattr(self, name).state_dict() for name in ("network", "average", "optimizer")}
        return {**parts, "steps": self.steps, "seconds": self.seconds}

    def restore(self, state: dict[str, Any]) -> None:
        """Goes on where another was."""
        for name in ("network", "average", "optimizer"):
            getattr(self, name).load_state_dict(state[name])
        self.steps, self.seconds = state["steps"], state["seconds"]

    def learn(self, batch: Batch, progress: float) -> tuple[float, float, float]:
        """One step, with `progress` (0–1) made in time: the losses of things and of where they meet, and how much of
        what is things' or was said to be is both."""
        inputs, alpha, weight, meeting, meeting_weight = batch
        falling = max(COURSE.lowest, 0.5 * (1 + math.cos(math.pi * progress)))
        for group in self.optimizer.param_groups:
            group["lr"] = group["share"] * COURSE.rate * min(1, (self.steps + 1) / COURSE.warm) * falling
        answers = self.network(inputs)
        of_things = (binary_cross_entropy_with_logits(answers[:, 0], alpha, reduction="none") * weight).mean()
        of_meeting = binary_cross_entropy_with_logits(answers[:, 1], meeting, reduction="none")
        of_meeting = (of_meeting * meeting_weight).mean()
        self.optimizer.zero_grad()
        (of_things + COURSE.meeting * of_meeting).backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), COURSE.steepest)
        self.optimizer.step()
        self.steps += 1
        share = min(COURSE.average, (1 + self.steps) / (20 + self.steps))
        with torch.no_grad():
            for mean, value in zip(self.average.parameters(), self.network.parameters(), strict=True):
                mean.lerp_(value, 1 - share)
        positive, true = answers[:, 0] > 0, alpha > 0.5
        overlap = int((positive & true).sum()) / max(int((positive | true).sum()), 1)
        return of_things.item(), of_meeting.item(), overlap


class Lessons(IterableDataset[Batch]):
    """Batches without end. They differ by `seed`, and by how many steps were learned before."""

    def __init__(self, things: Objects, seed: int, steps: int) -> None:
        self._things, self._seed = things, (seed, steps)

    def __iter__(self) -> Iterator[Batch]:
        rng = np.random.default_rng(self._seed)
        while True:
            sizes = SIZES.small if rng.random() < SIZES.share else SIZES.large
            size = sizes[int(rng.integers(len(sizes)))]
            many = min(SIZES.most, max(SIZES.fewest, round(SIZES.pixels / (size[0] * size[1]))))
            drawn = (example(lesson(*size, self._things, rng)) for _ in range(many))
            yield tuple(torch.from_numpy(np.stack(parts)) for parts in zip(*drawn, strict=True))


def example(drawn: Lesson) -> tuple[Field, ...]:
    """What a batch has of a lesson."""
    inputs = unlike_ground(drawn.picture)
    owner, thing = drawn.owner, drawn.owner > 0
    gap = ~thing & _near_two(owner, 7)
    meeting = ndimage.binary_dilation(thing & _near_two(owner, 3)) & (drawn.alpha > 0.5)
    areas = np.bincount(owner.ravel())
    by_area = np.clip((WEIGHTS.area / np.maximum(areas, 1)) ** 0.5, 1, WEIGHTS.most)
    by_area[0] = 1
    weight = by_area[owner]
    thin = thing & ~ndimage.binary_opening(thing, np.ones((5, 5)))
    weight[thin] = np.maximum(weight[thin], WEIGHTS.thin)
    weight[gap] = WEIGHTS.gap
    weight[(drawn.alpha > 0.15) & (drawn.alpha < 0.85) & ~gap] *= WEIGHTS.edge
    weight[meeting] = WEIGHTS.meeting
    meeting_weight = np.where(meeting, WEIGHTS.met, np.where(thing, 1, WEIGHTS.ground))
    return tuple(np.asarray(part, dtype=np.float32) for part in (inputs, drawn.alpha, weight, meeting, meeting_weight))


def _near_two(owner: NDArray[np.int32], side: int) -> NDArray[np.bool_]:
    """Where a square of so many pixels along a side has pixels of two things."""
    nobody = np.iinfo(owner.dtype).max
    highest = ndimage.maximum_filter(owner, side)
    lowest = ndimage.minimum_filter(np.where(owner > 0, owner, nobody), side)
    return np.asarray((highest > 0) & (highest != lowest))


if __name__ == "__main__":
    main()
