"""`curriculum`: is what was learned for one task of use for another? The four-stage protocol (section 4, figure 3).

1. scratch: the target task, from random weights
2. pre-train: the curriculum's task, from random weights
3. frozen: the target task with encoder and central module as pre-trained and frozen, and a new output MLP
4. encoder frozen: the same with the encoder frozen alone, central module and output MLP new
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import fmean

from experiments import plans
from experiments.cells import ARCHITECTURES, TRAINED_LAST, Cell, in_training_order
from experiments.claims import Claim, claims_section
from experiments.experiment import PAPER, QUICK, Experiment, Plan, Report, read_plan
from experiments.figures import ARCHITECTURE_LINES, Line, Panel, draw_curves
from experiments.pages import (
    NAMES,
    SETS,
    cost,
    done_mean,
    heading,
    number,
    read_rules,
    recipe,
    rules_note,
    rules_number,
    table,
)
from experiments.results import Result, read_result

STAGES = {"scratch": 0, "pre-train": 0, "frozen": 100_000, "encoder-frozen": 200_000}
"""With the seed of their first run: what begins anew in a later stage begins otherwise than before."""
STAGE_LINES = {
    "scratch": Line("1 scratch", "#8b929b", (1.2, 1.4)),
    "pre-train": Line("2 pre-train (its own task)", "#e0a15a", (6, 1.5, 1.2, 1.5)),
    "frozen": Line("3 encoder and central module frozen", "#1d7a3a", (), 2.2),
    "encoder-frozen": Line("4 encoder frozen", "#c0392b", (5, 2)),
}
QUICK_ARCHITECTURES = ("mlp1", "attention", "predinet")
REDUCED = "Here it is one run of fewer batches by Adam, on the first combination alone, with two of the four baselines."
SOLVED, FIVE_ROWS_SOLVED, WELL, CHANCE, ALIKE = 0.90, 0.85, 0.60, 0.55, 0.05
"""The paper's 90 % and 85 %; what is called well, where the paper has no figure. Chance is 50 %: a mean below CHANCE is
called so. Means ALIKE apart are similar."""
HELD = "stripes"
"""The set that the paper shows, and that its claims are tested on."""


@dataclass(frozen=True)
class Combination:
    """A target task and the task that networks are trained on before."""

    target: str
    curriculum: str

    def __str__(self) -> str:
        """As the paper's figures have it."""
        return f"{self.target} ← {self.curriculum}"


COMBINATIONS = (
    Combination("column_patterns_3", "between"),
    Combination("match_rows", "column_patterns_3"),
    Combination("column_patterns_5", "between"),
    Combination("match_rows", "row_patterns_3"),
    Combination("row_patterns_5", "column_patterns_5"),
)
FIRST, COLUMNS_TO_ROWS, _, ROWS_TO_ROWS, FIVE_ROWS = COMBINATIONS

Results = Mapping[str, Result]
"""By cell, those that were begun."""


def combinations(plan: Plan) -> Sequence[Combination]:
    """Those that take part."""
    return COMBINATIONS[:1] if plan.quick else COMBINATIONS


def architectures(plan: Plan) -> Sequence[str]:
    """Those that take part."""
    return QUICK_ARCHITECTURES if plan.quick else ARCHITECTURES


def cells(plan: Plan) -> list[Cell]:
    """All cells, in the order of training: combination by combination, first the two whose claims name a figure.

    What is trained on a task from random weights is one combination's scratch and another's pre-training.
    """
    chosen = sorted(combinations(plan), key=lambda combination: combination not in (FIRST, FIVE_ROWS))
    names = in_training_order(architectures(plan))
    found: dict[str, Cell] = {}
    for group in ([name for name in names if name != TRAINED_LAST], [name for name in names if name == TRAINED_LAST]):
        for combination, architecture in product(chosen, group):
            for cell in _stages(architecture, combination):
                found.setdefault(cell.name, cell)
    return list(found.values())


def _stages(architecture: str, combination: Combination) -> list[Cell]:
    """The cells of the four stages."""
    tasks = combination.curriculum, combination.target
    return [
        *(Cell(cell_name(architecture, task), architecture, task) for task in tasks),
        _reused(architecture, combination, "frozen"),
        _reused(architecture, combination, "encoder-frozen"),
    ]


def cell_name(architecture: str, task: str) -> str:
    """Of the cell that trains `task` from random weights."""
    return f"{architecture}-{task}"


def stage_name(architecture: str, combination: Combination, stage: str) -> str:
    """Of the cell that is the combination's stage."""
    match stage:
        case "scratch":
            return cell_name(architecture, combination.target)
        case "pre-train":
            return cell_name(architecture, combination.curriculum)
    return f"{cell_name(architecture, combination.target)}-after-{combination.curriculum}-{stage}"


def _reused(architecture: str, combination: Combination, stage: str) -> Cell:
    return Cell(
        stage_name(architecture, combination, stage),
        architecture,
        combination.target,
        seed=STAGES[stage],
        start=cell_name(architecture, combination.curriculum),
        frozen=("encoder", "central") if stage == "frozen" else ("encoder",),
    )


def run(plan: Plan, folder: Path, report: Report) -> None:
    """Trains what is missing; `between` from random weights is `table1`'s too."""
    plans.train(EXPERIMENT.name, plan, folder, cells(plan), report)


def write(folder: Path) -> str:
    """Draws stages.png and frozen.png and returns the page."""
    _, plan = read_plan(folder)
    results = read_results(folder, cells(plan))
    draw_stages(folder / "stages.png", results, plan)
    draw_frozen(folder / "frozen.png", results, plan)
    claims = judge(results, plan)
    return "\n".join(
        [
            heading(EXPERIMENT.title, plan),
            recipe(plan, REDUCED),
            cost(folder, cells(plan), plan),
            claims_section(claims),
            "## Stage 3: encoder and central module frozen\n",
            accuracy_table(folder, results, plan, "frozen"),
            rules_note(folder),
            "![Learning curves of stage 3](frozen.png)\n",
            "## The other stages\n",
            *(
                f"Stage {STAGE_LINES[stage].label}:\n\n{accuracy_table(folder, results, plan, stage)}"
                for stage in STAGES
                if stage != "frozen"
            ),
            f"![Learning curves of all stages, on {SETS[HELD]}](stages.png)\n",
        ]
    )


def read_results(folder: Path, wanted: Sequence[Cell]) -> Results:
    """What the folder holds."""
    found = {cell.name: read_result(folder, cell.name) for cell in wanted}
    return {name: result for name, result in found.items() if result is not None}


def accuracy_table(folder: Path, results: Results, plan: Plan, stage: str) -> str:
    """The last checkpoints' accuracies of a stage; beside stage 3 what rules over the pre-trained network reach."""
    rules = read_rules(folder)
    header = ["target ← curriculum", "held-out set", *(NAMES[name] for name in architectures(plan))]
    lines = []
    for combination in combinations(plan):
        for held in SETS:
            line = [f"`{combination}`", SETS[held]]
            line += [
                number(results.get(stage_name(name, combination, stage)), held, plan) for name in architectures(plan)
            ]
            if stage == "frozen":
                line.append(rules_number(rules.get(str(combination), {}).get(held)))
            lines.append(line)
    return table([*header, "rules over the pre-trained PrediNet"] if stage == "frozen" else header, lines)


def draw_stages(path: Path, results: Results, plan: Plan) -> None:
    """As figure S13: a column for each combination, a row for each architecture, a line for each stage."""
    panels = [
        [
            Panel(
                f"{NAMES[name]}\n{combination}",
                {stage: results[cell] for stage in STAGES if (cell := stage_name(name, combination, stage)) in results},
                HELD,
                0.5,
            )
            for combination in combinations(plan)
        ]
        for name in architectures(plan)
    ]
    draw_curves(path, panels, STAGE_LINES, plan.steps, side_by_side=plan.quick)


def draw_frozen(path: Path, results: Results, plan: Plan) -> None:
    """As figure 5: a panel for each combination, a line for each architecture, stage 3 alone."""
    panels = [
        [
            Panel(
                f"{combination}\n{SETS[held]}",
                {
                    name: results[cell]
                    for name in architectures(plan)
                    if (cell := stage_name(name, combination, "frozen")) in results
                },
                held,
                0.5,
            )
            for combination in combinations(plan)
        ]
        for held in SETS
    ]
    lines = {name: ARCHITECTURE_LINES[name] for name in architectures(plan)}
    draw_curves(path, panels, lines, plan.steps, side_by_side=plan.quick)


def judge(results: Results, plan: Plan) -> list[Claim]:
    """The claims of section 5 about the stages, tested on stripes: on the last checkpoints' means, or on the means
    along the curves where the paper speaks of learning faster."""

    def stage(combination: Combination, which: str, *, along: bool = False) -> dict[str, float]:
        """By architecture, of those that are done."""
        found = {}
        for name in architectures(plan):
            result = results.get(stage_name(name, combination, which))
            mean = done_mean(result, HELD)
            if result is not None and mean is not None:
                found[name] = _along(result) if along else mean
        return found

    def after(combination: Combination) -> str:
        """How well the PrediNet had learned its curriculum, which decides what it can bring along."""
        own = stage(combination, "pre-train").get("predinet")
        return "" if own is None else f"; the PrediNet on its curriculum {100 * own:.1f}"

    frozen = {combination: stage(combination, "frozen") for combination in combinations(plan)}
    claims = [
        _claim(
            f"`{FIRST}`: the PrediNet is the only one to achieve an accuracy of 90 %",
            "its mean at least 90 %, every baseline's below",
            frozen[FIRST],
            plan,
            lambda own, others: own >= SOLVED and max(others) < SOLVED,
            after(FIRST),
        ),
        _claim(
            f"`{FIRST}`: the PrediNet learns faster than any of the baselines",
            "its mean along the curve of stage 3 above every baseline's",
            stage(FIRST, "frozen", along=True),
            plan,
            lambda own, others: own > max(others),
            " along the curve",
        ),
        _not_by_encoder(
            *(
                stage(FIRST, which, along=along).get("predinet")
                for along in (True, False)
                for which in ("frozen", "encoder-frozen")
            )
        ),
    ]
    if plan.quick:
        return claims
    return [
        *claims,
        _claim(
            f"`{COLUMNS_TO_ROWS}`: the baselines collapse to chance, while the PrediNet does well",
            "every baseline's mean below 55 %, the PrediNet's at least 60 %",
            frozen[COLUMNS_TO_ROWS],
            plan,
            lambda own, others: own >= WELL and max(others) < CHANCE,
            after(COLUMNS_TO_ROWS),
        ),
        _claim(
            f"`{FIVE_ROWS}`: the baselines remain at chance, whereas the PrediNet achieves 85 %",
            "every baseline's mean below 55 %, the PrediNet's at least 85 %",
            frozen[FIVE_ROWS],
            plan,
            lambda own, others: own >= FIVE_ROWS_SOLVED and max(others) < CHANCE,
            after(FIVE_ROWS),
        ),
        _claim(
            f"`{ROWS_TO_ROWS}`: the PrediNet outperforms only two of the four baselines",
            "two baselines' means below the PrediNet's",
            frozen[ROWS_TO_ROWS],
            plan,
            lambda own, others: sum(other < own for other in others) == 2,
            after(ROWS_TO_ROWS),
            all_needed=True,
        ),
        _similar(frozen[COLUMNS_TO_ROWS].get("predinet"), frozen[ROWS_TO_ROWS].get("predinet")),
        _three_of_four([frozen[combination] for combination in COMBINATIONS if combination != FIRST], plan),
    ]


def _along(result: Result) -> float:
    """The mean of all measurements: the higher the earlier a network learns."""
    return fmean(accuracy for run in result.curve.accuracies(HELD).values() for accuracy in run)


def _claim(
    paper: str,
    test: str,
    means: Mapping[str, float],
    plan: Plan,
    holds: Callable[[float, list[float]], bool],
    more: str,
    *,
    all_needed: bool = False,
) -> Claim:
    """`more` is told beside the means. `all_needed`: whether nothing can be said while a baseline is missing."""
    told = "; ".join(f"{NAMES[name]} {100 * mean:.1f}" for name, mean in means.items()) + (more if means else "")
    others = [mean for name, mean in means.items() if name != "predinet"]
    without = [NAMES[name] for name in architectures(plan) if name not in means]
    if "predinet" not in means or not others or (all_needed and without):
        return Claim(f"{paper} (section 5)", told, test, [])
    return Claim(f"{paper} (section 5)", told, test, [holds(means["predinet"], others)], without)


def _not_by_encoder(*means: float | None) -> Claim:
    """Of the PrediNet's stages 3 and 4 the means along the curves and the last ones."""
    paper = (
        f"`{FIRST}`: the reusability of the PrediNet's representations cannot be accounted for by the pre-training of "
        "the encoder alone (section 5)"
    )
    test = "along the curve, stage 3 more than 5 points above stage 4"
    known = [mean for mean in means if mean is not None]
    if len(known) < len(means):
        return Claim(paper, "", test, [])
    along, along_4, last, last_4 = known
    told = (
        f"along the curve stage 3 {100 * along:.1f}, stage 4 {100 * along_4:.1f}; at the end {100 * last:.1f} and "
        f"{100 * last_4:.1f}"
    )
    return Claim(paper, told, test, [along - along_4 > ALIKE])


def _similar(after_columns: float | None, after_rows: float | None) -> Claim:
    paper = "`match_rows`: the PrediNet does similarly after column patterns and after row patterns (section 5)"
    test = "means at most 5 points apart, and neither at chance"
    if after_columns is None or after_rows is None:
        return Claim(paper, "", test, [])
    told = f"after columns {100 * after_columns:.1f}, after rows {100 * after_rows:.1f}"
    holds = abs(after_columns - after_rows) <= ALIKE and min(after_columns, after_rows) >= CHANCE
    return Claim(paper, told, test, [holds])


def _three_of_four(means: list[dict[str, float]], plan: Plan) -> Claim:
    paper = "the PrediNet out-performs the four baselines on three of the four other combinations (figure 5)"
    test = "in three its mean above every baseline's and not at chance"
    trained = [name for name in architectures(plan) if all(name in found for found in means)]
    if "predinet" not in trained or len(trained) == 1:
        return Claim(paper, "", test, [])
    others = [name for name in trained if name != "predinet"]
    ahead = sum(
        found["predinet"] >= CHANCE and found["predinet"] > max(found[name] for name in others) for found in means
    )
    without = [NAMES[name] for name in architectures(plan) if name not in trained]
    return Claim(paper, f"in {ahead} of {len(means)}", test, [ahead == 3], without)


EXPERIMENT = Experiment(
    name="curriculum",
    title="Curricula: what was learned for one task, used for another",
    claim="with all but its output frozen, the PrediNet learns new tasks better than every baseline does, in all "
    "combinations but one",
    cost="80 cells of 10 runs: three times table1's time",
    full=PAPER,
    quick=QUICK,
    run=run,
    write=write,
)
