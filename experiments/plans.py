"""What experiments share: how their cells are trained; and the analyses, the task whose networks they look into and how
the page tells how far it was learnt."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from domains.relations_game import generate, task_info
from experiments.cell_training import train_cells
from experiments.cells import Cell, borrow_cell, model_path, runs_done
from experiments.claims import spread
from experiments.experiment import Plan, Report, is_of, take_folder
from experiments.heads import head_statistics
from experiments.pages import NAMES, SETS, table
from neural.checkpoint import load_model
from neural.network import RelationsNetwork

ANALYSED = "colour_and_or_shape"
"""The paper's `colour / shape` task, of four labels (section 5)."""
CONTENT_IMAGES = 1_000
"""Images that masks are measured on (section S2.2)."""
CONTENT_SEED = 6_000_211
LEARNT = 0.1
"""A network has learnt its task if it is right so much more often than chance."""
LENDERS = ("table1", "curriculum", "attention", "pca", "ablation")
"""Experiments that train the same cells."""
UNFINISHED = "The networks are not all trained yet: the same command goes on.\n"


def train(name: str, plan: Plan, folder: Path, cells: Sequence[Cell], report: Report) -> None:
    """Makes `folder` the experiment's and trains those of its `cells` that are not done.

    What one of LENDERS has trained by the same plan, in a folder of its name beside this one, is copied from there.
    """
    take_folder(folder, name, plan)
    for lender in LENDERS:
        beside = folder.parent / lender
        if beside != folder and is_of(beside, lender, plan):
            for cell in cells:
                borrow_cell(folder, cell, beside, plan.runs)
    train_cells(folder, plan, cells, report)


def object_heads(network: RelationsNetwork) -> npt.NDArray[np.bool_]:
    """Which heads (k,) of a PrediNet attend to objects with both masks, on pentominoes (section S2.2)."""
    scenes = generate(ANALYSED, CONTENT_IMAGES, objects="pentos", seed=CONTENT_SEED)
    return head_statistics(network, scenes).object_heads()


def learnt(accuracy: float, task: str) -> bool:
    """Whether a network of that accuracy has learnt anything of the task."""
    return accuracy >= 1 / task_info(task).labels + LEARNT


def recipe(plan: Plan) -> str:
    """A paragraph: how many networks were trained, and how."""
    networks = "One network" if plan.runs == 1 else f"{plan.runs} networks"
    optimiser = {"sgd": "gradient descent", "adam": "Adam"}[plan.optimiser]
    text = (
        f"{networks} of each kind, trained on pentominoes with {optimiser} ({plan.learning_rate:g}), "
        f"{plan.steps:,} batches of {plan.batch}."
    )
    if plan.quick:
        text += (
            " This is the quick look, not the paper's recipe (gradient descent, 100,000 batches of 10): it shows how "
            "the analysis goes, and its yes and no are about these hasty networks."
        )
    return text + "\n"


def accuracies(folder: Path, plan: Plan, cells: Sequence[Cell]) -> str:
    """A Markdown table: the accuracy of the networks of each cell on the held-out sets, and who learnt nothing."""
    rows, hopeless = [], []
    for cell in cells:
        columns = ["not trained yet", ""]
        if runs_done(folder, cell.name) == plan.runs:
            runs = [load_model(model_path(folder, cell.name, run)).accuracies for run in range(plan.runs)]
            columns = [
                spread([run[objects][cell.task] for run in runs], 3) if objects in runs[0] else "not defined"
                for objects in SETS
            ]
            if not all(learnt(run["hexos"][cell.task], cell.task) for run in runs):
                hopeless.append(f"{NAMES[cell.architecture]} on `{cell.task}`")
        rows.append((NAMES[cell.architecture], f"`{cell.task}`", *columns))
    text = table(("network", "task", *SETS.values()), rows)
    if hopeless:
        text += (
            f"\n**Not learnt**, in some run at least: {', '.join(hopeless)}, less than {LEARNT} above chance. What is "
            "said of such a network below says nothing of one that has learnt its task.\n"
        )
    return text
