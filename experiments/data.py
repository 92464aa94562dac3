"""The images of an experiment: one fixed set of training images a task, as the authors had, and fixed held-out sets.

The authors trained every run on the same 250,000 images of a task, four times over in 100,000 batches of 10; so do
we, each run in an order of its own. Images are kept as the numbers of the objects in their nine cells and drawn where
they are used: a quarter of a million of them take 5 MB.
"""

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


def training_pool(task: str) -> "Pool":
    return Pool(generate(task, TRAINING_IMAGES, objects=TRAINED_ON, seed=TRAINING_SEED))


def held_out_pool(task: str, objects: str, images: int) -> "Pool":
    return Pool(generate(task, images, objects=objects, seed=TEST_SEED))


def held_out_sets(task: str) -> tuple[str, ...]:
    """The held-out sets that `task` is defined for: with stripes, which are of one shape, not all are."""
    return tuple(objects for objects in HELD_OUT if objects in task_info(task).kinds)


class Pool:
    """Images of one task and object set, drawn when they are asked for."""

    def __init__(self, scenes: Scenes) -> None:
        kind = object_set(scenes.object_set)
        numbers = kind.join(scenes.shapes, scenes.colours)
        numbers[numbers < 0] = kind.n_objects  # the empty cell, as a place in the table of cells
        # Every line of every cell, 12 pixels of 3 bytes, as 9 words: an image is 108 of these, looked up at once.
        self._lines = torch.tensor(kind.cells).flatten(2).view(torch.int32).flatten(0, 1)  # ((objects + 1) · 12, 9)
        self._numbers = torch.from_numpy(numbers.astype(np.int16))  # (N, 9)
        self.labels = torch.from_numpy(scenes.labels)
        self.task_ids = torch.from_numpy(scenes.task_ids)

    def __len__(self) -> int:
        return len(self.labels)

    def images(self, index: Tensor | slice) -> Tensor:
        """The images (..., 36, 36, 3), uint8, of the places `index` (...)."""
        numbers = self._numbers[index].long()  # (..., 9)
        line_of_cell = torch.arange(CELL)[:, None]
        lines = numbers.view(*numbers.shape[:-1], GRID, 1, GRID) * CELL + line_of_cell  # (..., 3, 12, 3)
        words = self._lines.index_select(0, lines.flatten())
        return words.view(torch.uint8).view(*numbers.shape[:-1], SIDE, SIDE, 3)


def places(seed: int, first: int, stop: int, *, images: int) -> Tensor:
    """Which of its task's `images` the run of that seed sees as its `first` to `stop` − 1: all in an order of its own,
    shuffled anew for every round."""
    rounds = range(first // images, -(-stop // images))
    orders = [np.random.default_rng((seed, number)).permutation(images) for number in rounds]
    start = rounds.start * images
    return torch.from_numpy(np.concatenate(orders)[first - start : stop - start])
