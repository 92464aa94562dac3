"""`optimiser`: Table 1's tasks with Adam beside plain gradient descent (section S3, figure S12)."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from domains.relations_game import task_info
from experiments import plans, table1
from experiments.cells import Cell, in_training_order
from experiments.claims import Claim, claims_section
from experiments.data import held_out_sets
from experiments.experiment import PAPER, QUICK, Experiment, Plan, Report, read_plan
from experiments.figures import Line, Panel, draw_curves
from experiments.pages import NAMES, SETS, cost, done_mean, heading, number, recipe, table
from experiments.results import Result, read_result

ADAM, QUICK_ADAM = ("adam", 1e-4), ("adam", 1e-3)
QUICK_ARCHITECTURES, QUICK_TASKS = ("mlp1", "predinet"), ("same", "between")
REDUCED = (
    "Here it is one run of fewer batches, gradient descent with 0.03 and Adam with 0.001, of MLP1 and the PrediNet, on "
    "two of the five tasks."
)
LINES = {
    "sgd": Line("gradient descent", "#3f86c6", (5, 2)),
    "adam": Line("Adam", "#3b0f70", (), 2.2),
}
SIMILAR = 0.05

Results = Mapping[tuple[str, str, str], Result]
"""By task, architecture and optimiser, those that were begun."""


def architectures(plan: Plan) -> tuple[str, ...]:
    """Those that take part."""
    return QUICK_ARCHITECTURES if plan.quick else table1.architectures(plan)


def tasks(plan: Plan) -> tuple[str, ...]:
    """Those that take part."""
    return QUICK_TASKS if plan.quick else table1.TASKS


def cells(plan: Plan) -> list[Cell]:
    """All cells: those of gradient descent, which are Table 1's, and those of Adam."""
    order = in_training_order(architectures(plan))
    descended = [Cell(f"{name}-{task}", name, task) for name in order for task in tasks(plan)]
    adam = QUICK_ADAM if plan.quick else ADAM
    return descended + [replace(cell, name=_with_adam(cell.name), descent=adam) for cell in descended]


def _with_adam(name: str) -> str:
    return f"{name}-adam"


def run(plan: Plan, folder: Path, report: Report) -> None:
    """Trains what is missing; cells of gradient descent are Table 1's own."""
    plans.train(EXPERIMENT.name, plan, folder, cells(plan), report)


def write(folder: Path) -> str:
    """Draws curves.png and returns the page."""
    _, plan = read_plan(folder)
    results = read_results(folder, plan)
    draw(folder / "curves.png", results, plan)
    claims = judge(results, plan)
    return "\n".join(
        [
            heading(EXPERIMENT.title, plan),
            recipe(plan, REDUCED),
            f"Adam has the learning rate {(QUICK_ADAM if plan.quick else ADAM)[1]:g}.\n",
            cost(folder, cells(plan), plan),
            claims_section(claims),
            "## The last checkpoint: gradient descent / Adam\n",
            accuracy_table(results, plan),
            "## Learning curves\n",
            "![Learning curves with both optimisers](curves.png)\n",
        ]
    )


def read_results(folder: Path, plan: Plan) -> Results:
    """What the folder holds."""
    found = {
        (cell.task, cell.architecture, "sgd" if cell.descent is None else "adam"): read_result(folder, cell.name)
        for cell in cells(plan)
    }
    return {key: result for key, result in found.items() if result is not None}


def accuracy_table(results: Results, plan: Plan) -> str:
    """Accuracies in per cent with both optimisers."""
    lines = []
    for task in tasks(plan):
        for held in held_out_sets(task):
            line = [f"`{task}`", SETS[held]]
            for name in architectures(plan):
                line.append(" / ".join(number(results.get((task, name, kind)), held, plan) for kind in LINES))
            lines.append(line)
    return table(["task", "held-out set", *(NAMES[name] for name in architectures(plan))], lines)


def draw(path: Path, results: Results, plan: Plan) -> None:
    """Learning curves on hexominoes: a column for each task, a row for each architecture."""
    panels = [
        [
            Panel(
                f"{NAMES[name]}\n{task}",
                {kind: results[task, name, kind] for kind in LINES if (task, name, kind) in results},
                "hexos",
                1 / task_info(task).labels,
            )
            for task in tasks(plan)
        ]
        for name in architectures(plan)
    ]
    draw_curves(path, panels, LINES, plan.steps)


def judge(results: Results, plan: Plan) -> list[Claim]:
    """That results with Adam are similar (section 4), tested on the last checkpoints' means."""
    rows = [(task, held) for task in tasks(plan) for held in held_out_sets(task)]
    means = {
        (task, held, name, kind): mean
        for task, held in rows
        for name in architectures(plan)
        for kind in LINES
        if (mean := done_mean(results.get((task, name, kind)), held)) is not None
    }
    trained = [
        name for name in architectures(plan) if all((*row, name, kind) in means for row in rows for kind in LINES)
    ]
    if "predinet" not in trained or len(trained) == 1:
        return [Claim(_PAPER, "", _TEST, [])]
    near_best, close = [], []
    for row in rows:
        best = {kind: max(trained, key=lambda name: means[*row, name, kind]) for kind in LINES}
        near_best.append(
            all(
                means[*row, best[other], kind] >= means[*row, best[kind], kind] - SIMILAR
                for kind, other in (("sgd", "adam"), ("adam", "sgd"))
            )
        )
        close.append(abs(means[*row, "predinet", "sgd"] - means[*row, "predinet", "adam"]) <= SIMILAR)
    told = (
        f"the architecture that is best with one is best with the other, or at most 5 points behind, in "
        f"{sum(near_best)} of {len(rows)} rows; the PrediNet's means are at most 5 points apart in {sum(close)}"
    )
    without = [NAMES[name] for name in architectures(plan) if name not in trained]
    return [Claim(_PAPER, told, _TEST, [all(near_best) and all(close)], without)]


_PAPER = "experiments with the Adam optimiser present qualitatively similar results (section 4)"
_TEST = (
    "in every row the best with one optimiser best with the other too or at most 5 points behind, and the PrediNet's "
    "two means at most 5 points apart"
)

EXPERIMENT = Experiment(
    name="optimiser",
    title="Adam beside plain gradient descent",
    claim="with Adam the results are qualitatively similar",
    cost="50 cells of 10 runs: twice table1's time; half is taken from table1 if it is done",
    full=PAPER,
    quick=replace(QUICK, optimiser="sgd", learning_rate=3e-2),
    run=run,
    write=write,
)
