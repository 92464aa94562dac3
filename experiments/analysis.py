"""What the analyses share: the task whose networks they look into, and how a page tells how far it was learnt."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from predinet_prolog.domains.relations_game import generate
from predinet_prolog.experiments import heads
from predinet_prolog.experiments.claims import spread
from predinet_prolog.experiments.configurations import Configuration, from_scratch, model_path, runs_done
from predinet_prolog.experiments.pages import LEARNT, NAMES, OPTIMISERS, SETS, learnt
from predinet_prolog.experiments.plans import Plan
from predinet_prolog.experiments.tables import markdown
from predinet_prolog.neural.checkpoint import load_model
from predinet_prolog.neural.network import RelationsNetwork

ANALYSED = "colour_and_or_shape"
"""The paper's `colour / shape` task, of four labels (section 5)."""
CONTENT_IMAGES = 1_000
"""Images that masks are measured on (section S2.2)."""
CONTENT_SEED = 6_000_211
CONFIGURATIONS = tuple(from_scratch(name, ANALYSED) for name in ("predinet", "attention"))


def configurations(plan: Plan) -> Sequence[Configuration]:
    """The networks of both architectures that have heads, of either plan."""
    return CONFIGURATIONS


def object_heads(network: RelationsNetwork) -> npt.NDArray[np.bool_]:
    """Which heads (k,) of a PrediNet attend to objects with both masks, on pentominoes (section S2.2)."""
    scenes = generate(ANALYSED, CONTENT_IMAGES, objects="pentos", seed=CONTENT_SEED)
    return heads.object_heads(heads.head_statistics(network, scenes))


def beginning(folder: Path, plan: Plan, configurations: Sequence[Configuration], *, measured: bool) -> list[str]:
    """The first paragraphs of an analysis's page: what was trained and how well; that more is to come, if nothing is
    `measured` yet."""
    unfinished = [] if measured else ["The networks are not all trained yet: the same command goes on.\n"]
    return [_recipe(plan), _accuracies(folder, plan, configurations), *unfinished]


def _recipe(plan: Plan) -> str:
    networks = "One network" if plan.runs == 1 else f"{plan.runs} networks"
    text = (
        f"{networks} of each kind, trained on pentominoes with {OPTIMISERS[plan.optimiser]} ({plan.learning_rate:g}), "
        f"{plan.steps:,} batches of {plan.batch}."
    )
    if plan.quick:
        text += (
            " This is the quick look, not the paper's recipe (gradient descent, 100,000 batches of 10): it shows how "
            "the analysis goes, and its yes and no are about these hasty networks."
        )
    return text + "\n"


def _accuracies(folder: Path, plan: Plan, configurations: Sequence[Configuration]) -> str:
    """A Markdown table: the networks' accuracies on the held-out sets, by configuration, and who learnt nothing."""
    rows, hopeless = [], []
    for configuration in configurations:
        columns = ["not trained yet", ""]
        if runs_done(folder, configuration.name) == plan.runs:
            runs = [load_model(model_path(folder, configuration.name, run)).accuracies for run in range(plan.runs)]
            columns = [
                spread([run[objects][configuration.task] for run in runs], 3) if objects in runs[0] else "not defined"
                for objects in SETS
            ]
            if not all(learnt(run["hexos"][configuration.task], configuration.task) for run in runs):
                hopeless.append(f"{NAMES[configuration.architecture]} on `{configuration.task}`")
        rows.append((NAMES[configuration.architecture], f"`{configuration.task}`", *columns))
    text = markdown(("network", "task", *SETS.values()), rows)
    if hopeless:
        text += (
            f"\n**Not learnt**, in some run at least: {', '.join(hopeless)}, less than {LEARNT} above chance. What is "
            "said of such a network below says nothing of one that has learnt its task.\n"
        )
    return text
