"""`optimiser`: Table 1's tasks with Adam beside plain gradient descent (section S3, figure S12)."""

from dataclasses import replace
from pathlib import Path

from predinet_prolog.domains.relations_game import task_info
from predinet_prolog.experiments import table1
from predinet_prolog.experiments.claims import Claim, claims_section, weigh
from predinet_prolog.experiments.configurations import (
    Configuration,
    Results,
    from_scratch,
    in_training_order,
    name_of,
    read_results,
)
from predinet_prolog.experiments.data import held_out_sets
from predinet_prolog.experiments.drawing import Line, Panel, draw_curves
from predinet_prolog.experiments.pages import NAMES, SETS, mean_of, number
from predinet_prolog.experiments.plans import Plan
from predinet_prolog.experiments.tables import markdown

ADAM, QUICK_ADAM = ("adam", 1e-4), ("adam", 1e-3)
QUICK_ARCHITECTURES, QUICK_TASKS = ("mlp1", "predinet"), ("same", "between")
LINES = {
    "sgd": Line("gradient descent", "#3f86c6", (5, 2)),
    "adam": Line("Adam", "#3b0f70", (), 2.2),
}
SIMILAR = 0.05


def architectures(plan: Plan) -> tuple[str, ...]:
    """Those that take part."""
    return QUICK_ARCHITECTURES if plan.quick else table1.architectures(plan)


def tasks(plan: Plan) -> tuple[str, ...]:
    """Those that take part."""
    return QUICK_TASKS if plan.quick else table1.TASKS


def configurations(plan: Plan) -> list[Configuration]:
    """All configurations: those of gradient descent, which are Table 1's, and those of Adam."""
    descended = [from_scratch(name, task) for name in in_training_order(architectures(plan)) for task in tasks(plan)]
    adam = QUICK_ADAM if plan.quick else ADAM
    return descended + [
        replace(configuration, name=f"{configuration.name}-adam", descent=adam) for configuration in descended
    ]


def names_of(architecture: str, task: str) -> dict[str, str]:
    """Of the configurations, by optimiser."""
    name = name_of(architecture, task)
    return {"sgd": name, "adam": f"{name}-adam"}


def page(folder: Path, plan: Plan) -> list[str]:
    """Draws curves.png, on hexominoes: a column for each task, a row for each architecture."""
    results = read_results(folder, configurations(plan))
    panels = [
        [
            Panel(f"{NAMES[name]}\n{task}", names_of(name, task), "hexos", 1 / task_info(task).labels)
            for task in tasks(plan)
        ]
        for name in architectures(plan)
    ]
    draw_curves(folder / "curves.png", panels, LINES, results, plan.steps)
    return [
        claims_section(weigh(judge, results, plan)),
        "## The last checkpoint: gradient descent / Adam\n",
        accuracy_table(results, plan),
        "## Learning curves\n",
        "![Learning curves with both optimisers](curves.png)\n",
    ]


def accuracy_table(results: Results, plan: Plan) -> str:
    """Accuracies in per cent with both optimisers."""
    rows = []
    for task, held in _rows(plan):
        both = [names_of(name, task).values() for name in architectures(plan)]
        columns = [" / ".join(number(results.get(name), held, plan) for name in names) for names in both]
        rows.append([f"`{task}`", SETS[held], *columns])
    return markdown(["task", "held-out set", *(NAMES[name] for name in architectures(plan))], rows)


def _rows(plan: Plan) -> list[tuple[str, str]]:
    return [(task, held) for task in tasks(plan) for held in held_out_sets(task)]


def judge(results: Results, plan: Plan) -> list[Claim]:
    """That results with Adam are similar (section 4), tested on the last checkpoints' means."""
    paper = "experiments with the Adam optimiser present qualitatively similar results (section 4)"
    test = (
        "in every row the best with one optimiser best with the other too or at most 5 points behind, and the "
        "PrediNet's two means at most 5 points apart"
    )
    rows = _rows(plan)
    means = {
        (*row, name, kind): mean
        for row in rows
        for name in architectures(plan)
        for kind, configuration in names_of(name, row[0]).items()
        if (mean := mean_of(results.get(configuration), row[1])) is not None
    }
    trained = [
        name for name in architectures(plan) if all((*row, name, kind) in means for row in rows for kind in LINES)
    ]
    if "predinet" not in trained or len(trained) == 1:
        return [Claim(paper, "", test, [])]
    near_best, close = 0, 0
    for row in rows:
        sgd, adam = ({name: means[*row, name, kind] for name in trained} for kind in LINES)
        # The best architecture with one optimiser is the best with the other, or nearly so.
        near_best += all(
            means[max(other, key=other.__getitem__)] >= max(means.values()) - SIMILAR
            for means, other in ((sgd, adam), (adam, sgd))
        )
        close += abs(sgd["predinet"] - adam["predinet"]) <= SIMILAR
    figures = (
        f"the architecture that is best with one is best with the other, or at most 5 points behind, in {near_best} of "
        f"{len(rows)} rows; the PrediNet's means are at most 5 points apart in {close}"
    )
    without = [NAMES[name] for name in architectures(plan) if name not in trained]
    return [Claim(paper, figures, test, [near_best == close == len(rows)], without)]
