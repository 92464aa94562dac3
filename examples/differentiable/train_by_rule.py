"""Trains encoder and relations through a rule, from the labels of whole images alone.

    python examples/differentiable/train_by_rule.py [--images N] [--steps N] [--seed N]

The rule is that of the task `between`: some A and C look the same, and some B lies between them. No thing, pair, shape
or colour is labelled. Where things lie comes from the pixels, and what *between* means from the clauses of programs; so
all that is learned is which things look the same. Other rules that speak of `same` then hold as well, untrained.
"""

import argparse

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from examples.differentiable.rules import RULES
from examples.differentiable.soft import SoftPredicate, SoftRelations, spatial_relations
from predinet_prolog.domains import load_domain
from predinet_prolog.domains.domain import Labelled, board
from predinet_prolog.neural import RelationsNetwork, training_config
from predinet_prolog.neural.optimiser import Optimiser
from predinet_prolog.neural.recipes import RELATIONS, network_config

GAME = board(load_domain("relations_game"))
TASK = "between"
CONFIG = network_config(training_config([TASK]), heads=8, relations=8)
"""Of the network: the paper's figure on Prolog has such a one."""
CLEAR = 1e-6
"""Truth values come no nearer to 0 and 1 than this: their logarithm is finite."""
IMAGES_AT_ONCE = 100
TEST_IMAGES = 500


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--images", type=int, default=1000, help="labelled images of pentominoes (default: 1000)")
    parser.add_argument("--steps", type=int, default=500, help="steps of 32 images (default: 500)")
    parser.add_argument("--seed", type=int, default=0, help="of the images and of the first weights (default: 0)")
    given = parser.parse_args()
    soft = new_soft_relations(given.seed)
    train(soft, GAME.generate(TASK, given.images, seed=given.seed), steps=given.steps, seed=given.seed)
    for task in RULES:
        shares = [
            f"{kind} {share_right(soft, GAME.generate(task, TEST_IMAGES, kind=kind, seed=-1)):.3f}"
            for kind in GAME.kinds
        ]
        print(f"{task:10} {'trained  ' if task == TASK else 'untrained'} {', '.join(shares)}")


def new_soft_relations(seed: int) -> SoftRelations:
    """A network of random weights with one predicate: things look the same that lie near on every relation's axis."""
    network = RelationsNetwork(CONFIG, generator=torch.Generator().manual_seed(seed))
    every = tuple(range(CONFIG.relations))
    return SoftRelations(network, {"same": SoftPredicate(every, threshold=1.0, steepness=2.0, doubt=1e-4)})


def train(soft: SoftRelations, shown: Labelled, *, steps: int, seed: int) -> None:
    """By gradient descent on the cross entropy between the rule's truth value and the label, as the recipe `fast`
    descends on that of its output MLP."""
    recipe = training_config([TASK], steps=steps)
    optimiser = Optimiser(soft, "adamw", {RELATIONS: recipe.relations_rate})
    images, labels = torch.from_numpy(shown.images), torch.from_numpy(shown.labels).float()
    for step, batch in enumerate(batches(len(shown), recipe.batch, steps, seed)):
        truth = judge(soft, TASK, images[batch]).clamp(CLEAR, 1 - CLEAR)
        loss = functional.binary_cross_entropy(truth, labels[batch])
        soft.zero_grad()
        loss.backward()
        optimiser.step(recipe.learning_rate * 0.5 * (1 + float(np.cos(np.pi * step / steps))))


def batches(images: int, size: int, steps: int, seed: int) -> NDArray[np.int64]:
    """(steps, size): which of so many images each step sees."""
    return np.random.default_rng(seed).integers(images, size=(steps, size))


def judge(soft: SoftRelations, task: str, images: Tensor) -> Tensor:
    """The truth value (B,) of the task's rule in `images` (B, S, S, 3)."""
    objects = soft.cells_that_show(images)
    return RULES[task](soft(images, objects)["same"], objects, WHERE)


@torch.no_grad()
def share_right(soft: SoftRelations, shown: Labelled) -> float:
    """Of the images, those whose label the rule of their task gives."""
    assert shown.task is not None
    parts = torch.from_numpy(shown.images).split(IMAGES_AT_ONCE)
    told = torch.cat([judge(soft, shown.task, part) > 0.5 for part in parts])
    return float((told.numpy() == shown.labels).mean())


WHERE = spatial_relations(CONFIG)
"""Of things in windows of the game's pictures."""


if __name__ == "__main__":
    main()
