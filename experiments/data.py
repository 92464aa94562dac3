"""The images of an experiment: one fixed set of training images a task, as the authors had, and fixed held-out sets.

The authors trained every run on the same 250,000 images of a task, four times over in 100,000 batches of 10; so do
we, each run in an order of its own. Images are kept as the numbers of the objects in their nine cells and drawn where
they are used: a quarter of a million of them take 5 MB, and a GPU draws its own.
"""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from predinet_prolog.domains.relations_game import OBJECT_SETS, Scenes, generate, object_set, task_info
from predinet_prolog.domains.relations_game.objects import CELL
from predinet_prolog.domains.relations_game.scenes import GRID, SIDE

TRAINED_ON = "pentos"
HELD_OUT = tuple(name for name in OBJECT_SETS if name != TRAINED_ON)
TRAINING_IMAGES = 250_000
"""Of each task: the size of the authors' sets."""
TRAINING_SEED, TEST_SEED = 6_000_011, 6_000_101
"""No other images of the project come from these seeds."""


def training_pool(tasks: Sequence[str], device: torch.device) -> "Pool":
    """The training images of `tasks`, TRAINING_IMAGES each."""
    return Pool([generate(task, TRAINING_IMAGES, objects=TRAINED_ON, seed=TRAINING_SEED) for task in tasks], device)


def held_out_pool(tasks: Sequence[str], objects: str, images: int, device: torch.device) -> "Pool":
    """The fixed held-out images of `tasks`, so many each."""
    return Pool([generate(task, images, objects=objects, seed=TEST_SEED) for task in tasks], device)


def held_out_sets(task: str) -> tuple[str, ...]:
    """The held-out sets that `task` is defined for: with stripes, which are of one shape, not all are."""
    return tuple(objects for objects in HELD_OUT if objects in task_info(task).kinds)


class Pool:
    """Images of one object set, drawn when they are asked for. The scenes of several tasks stand one after another."""

    def __init__(self, scenes: Sequence[Scenes], device: torch.device) -> None:
        kind = object_set(scenes[0].object_set)
        numbers = np.concatenate([kind.join(part.shapes, part.colours) for part in scenes])
        numbers[numbers < 0] = kind.n_objects  # the empty cell, as a place in the table of cells
        # Every line of every cell, 12 pixels of 3 bytes, as 9 words: an image is 108 of these, looked up at once.
        lines = torch.tensor(kind.cells).flatten(2).view(torch.int32).flatten(0, 1)
        self._lines = lines.to(device)  # ((objects + 1) · 12, 9)
        self._line_of_cell = torch.arange(CELL, device=device)[:, None]
        self._numbers = torch.from_numpy(numbers.astype(np.int16)).to(device)  # (N, 9)
        self.labels = torch.from_numpy(np.concatenate([part.labels for part in scenes])).to(device)
        self.task_ids = torch.from_numpy(np.concatenate([part.task_ids for part in scenes])).to(device)

    def __len__(self) -> int:
        return len(self.labels)

    def images(self, index: Tensor | slice) -> Tensor:
        """The images (..., 36, 36, 3), uint8, of the places `index` (...)."""
        numbers = self._numbers[index].long()  # (..., 9)
        lines = numbers.view(*numbers.shape[:-1], GRID, 1, GRID) * CELL + self._line_of_cell  # (..., 3, 12, 3)
        words = self._lines.index_select(0, lines.flatten())
        return words.view(torch.uint8).view(*numbers.shape[:-1], SIDE, SIDE, 3)


class Order:
    """Which image every run sees when: its task's images in an order of its own, shuffled for every round.

    `members` are the runs as they stand in a batch: (place of its task in the pool, seed). A task has `images` of them.
    """

    def __init__(self, members: Sequence[tuple[int, int]], batch: int, *, images: int) -> None:
        self._members = tuple(members)
        self._batch = batch
        self._images = images
        self._rounds: dict[tuple[int, int], np.ndarray] = {}

    def places(self, first: int, steps: int) -> Tensor:
        """Places in the pool (steps, runs, batch) of the batches from step `first` on."""
        start, stop = first * self._batch, (first + steps) * self._batch
        lines = [self._line(member, start, stop) for member in self._members]
        return torch.from_numpy(np.stack(lines, axis=1)).reshape(steps, self._batch, -1).transpose(1, 2)

    def _line(self, member: tuple[int, int], start: int, stop: int) -> np.ndarray:
        """Places `start` to `stop` of one run's endless line of images."""
        task, seed = member
        parts = []
        while start < stop:
            number, place = divmod(start, self._images)
            part = self._shuffled(seed, number)[place : place + stop - start]
            parts.append(part)
            start += len(part)
        return np.concatenate(parts) + task * self._images

    def _shuffled(self, seed: int, number: int) -> np.ndarray:
        """The places of round `number`; the last two rounds of a run are kept."""
        key = (seed, number)
        if key not in self._rounds:
            self._rounds.pop((seed, number - 2), None)
            self._rounds[key] = np.random.default_rng(key).permutation(self._images)
        return self._rounds[key]
