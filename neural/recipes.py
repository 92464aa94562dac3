"""What a training run is made of: one dataclass, three recipes."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import accumulate
from typing import Any

from predinet_prolog.domains import ORIGINAL, load_domain
from predinet_prolog.domains.domain import Pictures, board
from predinet_prolog.neural.config import NetworkConfig, encoder_of
from predinet_prolog.neural.errors import NeuralError

RELATIONS = "predinet.W_S"
"""The weight that `relations_rate` is of."""
NOTEBOOK_TASK_IDS = 5
"""Width of the one-hot task id in the authors' notebook, whatever the task."""


@dataclass(frozen=True)
class TrainingConfig:
    """Everything that decides a run's weights, beside the network's shape."""

    tasks: tuple[str, ...]
    """Tasks trained together, in the order of their one-hot ids."""
    objects: str
    """The kind of things that training images show."""
    recipe: str
    """Name of the recipe the values below came from."""
    optimiser: str
    """`adam` or `sgd`."""
    learning_rate: float
    """Highest learning rate of the run."""
    decay: bool
    """Whether the learning rate falls to zero along a cosine; else it is constant."""
    batch: int
    """Images a step."""
    steps: int
    """Steps of the optimiser."""
    coverage: float
    """Weight of the coverage term in the loss: 0 leaves the paper's loss."""
    centring: float
    """Weight of the centring term, which makes whole objects stand out from windows between them: 0 leaves it out."""
    attribute_loss: float
    """Weight of the attribute loss, which leads relations to mean colour and shape: 0 leaves it out."""
    seed: int
    """Seed of the initial weights and of the images."""
    augmented: bool = False
    """Whether training images are corrupted, as a user's pictures are."""
    relations_rate: float = 1.0
    """How many times the learning rate W_S learns by."""
    domain: str = ORIGINAL
    """The domain whose pictures it is trained on."""


RENAMED = {"naming": "attribute_loss", "weathered": "augmented"}
"""Fields that older files have by other names, and their names of today."""


RECIPES: dict[str, dict[str, Any]] = tomllib.loads(
    resources.files(__package__).joinpath("recipes.toml").read_text(encoding="utf-8")
)
"""By name, values of a TrainingConfig, and as `network` what the recipe asks of the network beside Table S1."""


def training_config(
    tasks: Sequence[str],
    *,
    domain: str = ORIGINAL,
    objects: str | None = None,
    recipe: str = "fast",
    seed: int = 0,
    steps: int | None = None,
    architecture: str = "predinet",
) -> TrainingConfig:
    """The configuration of `recipe` for `tasks` of a domain and its kind `objects` of things (None: the first).

    NeuralError if there is no such recipe, no task or one twice; DomainError for a domain or task that there is not.

    The task `all` stands for all of them. What leads masks and relations is left out where it finds nothing to go by: a
    baseline has neither, and some domains have no frame or no corruptions.
    """
    if recipe not in RECIPES:
        raise NeuralError(f"no recipe {recipe}: choose {' or '.join(RECIPES)}")
    world = board(load_domain(domain))
    names = tuple(world.tasks if tuple(tasks) == ("all",) else (world.task(task).name for task in tasks))
    if not names:
        raise NeuralError("no task to train")
    if len(set(names)) < len(names):
        raise NeuralError(f"a task is named twice: {', '.join(names)}")
    values = {name: value for name, value in RECIPES[recipe].items() if name != "network"}
    if steps is not None:
        values["steps"] = steps
    if architecture != "predinet":
        if values["attribute_loss"]:
            raise NeuralError(f"the recipe {recipe} leads relations to mean things: only a PrediNet has relations")
        values |= {"coverage": 0.0, "centring": 0.0, "relations_rate": 1.0}
    if world.alignment is None:
        values |= {"centring": 0.0, "attribute_loss": 0.0}
    if not world.corruptions:
        values["augmented"] = False
    kind = objects or world.kinds[0]
    return TrainingConfig(
        tasks=names,
        objects=kind,
        recipe=recipe,
        seed=seed,
        domain=domain,
        **values,
    )


def network_config(
    config: TrainingConfig, *, heads: int, relations: int, architecture: str = "predinet", encoder: str = ""
) -> NetworkConfig:
    """The network for a run of `config` with k `heads` and j `relations`, or a baseline of their output size; `encoder`
    is one that another package brings."""
    domain = board(load_domain(config.domain))
    tasks = [domain.task(name) for name in config.tasks]
    fields = {
        "task_ids": max(NOTEBOOK_TASK_IDS, sum(task.task_ids for task in tasks)),
        "labels": max(task.labels for task in tasks),
        **encoder_of(domain),
        **RECIPES.get(config.recipe, {}).get("network", {}),
    }
    if domain.alignment is None:
        fields["aligned"] = False
    return NetworkConfig(architecture=architecture, heads=heads, relations=relations, brought_encoder=encoder, **fields)


def task_offsets(domain: Pictures, tasks: Sequence[str]) -> dict[str, int]:
    """Where each task's ids begin in the one-hot task id, in the order given."""
    widths = [domain.task(task).task_ids for task in tasks]
    return dict(zip(tasks, accumulate([0, *widths[:-1]]), strict=True))
