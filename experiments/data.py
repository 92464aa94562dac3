"""The images of an experiment: one fixed set of training images a task, as the authors had, and fixed held-out sets.

The authors trained every run on the same 250,000 images of a task, four times over in 100,000 batches of 10; so do
we, each run in an order of its own. Images are kept as scenes and drawn where they are used: a quarter of a million of
them take 13 MB.
"""

import numpy as np
import numpy.typing as npt

from predinet_prolog.domains.relations_game import OBJECT_SETS, Scenes, generate, task_info

TRAINED_ON = "pentos"
HELD_OUT = tuple(name for name in OBJECT_SETS if name != TRAINED_ON)
TRAINING_IMAGES = 250_000
"""Of each task: the size of the authors' sets."""
TRAINING_SEED, TEST_SEED = 6_000_011, 6_000_101
"""No other images of the project come from these seeds."""


def training_scenes(task: str) -> Scenes:
    return generate(task, TRAINING_IMAGES, objects=TRAINED_ON, seed=TRAINING_SEED)


def held_out_scenes(task: str, objects: str, images: int) -> Scenes:
    return generate(task, images, objects=objects, seed=TEST_SEED)


def held_out_sets(task: str) -> tuple[str, ...]:
    """The held-out sets that `task` is defined for: with stripes, which are of one shape, not all are."""
    return tuple(objects for objects in HELD_OUT if objects in task_info(task).kinds)


def places(seed: int, first: int, stop: int, *, images: int) -> npt.NDArray[np.int64]:
    """Which of its task's `images` the run of that seed sees as its `first` to `stop` − 1: all in an order of its own,
    shuffled anew for every round."""
    rounds = range(first // images, -(-stop // images))
    orders = [np.random.default_rng((seed, number)).permutation(images) for number in rounds]
    start = rounds.start * images
    return np.concatenate(orders)[first - start : stop - start]
