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

from predinet_prolog.experiments.claims import Claim, claims_section, weigh
from predinet_prolog.experiments.configurations import (
    ARCHITECTURES,
    TRAINED_LAST,
    Configuration,
    Result,
    Results,
    from_scratch,
    in_training_order,
    name_of,
    read_results,
)
from predinet_prolog.experiments.drawing import ARCHITECTURE_LINES, Line, Panel, draw_curves
from predinet_prolog.experiments.pages import (
    NAMES,
    SETS,
    beginnings,
    lines,
    markdown,
    mean_of,
    read_rules,
    rules_note,
    rules_number,
)
from predinet_prolog.experiments.plans import Plan

STAGES = {"scratch": 0, "pre-train": 0, "frozen": 100_000, "encoder-frozen": 200_000}
"""With the seed of their first run: fresh weights of a later stage differ from those of the stage before."""
STAGE_LINES = {
    "scratch": Line("1 scratch", "#8b929b", (1.2, 1.4)),
    "pre-train": Line("2 pre-train (its own task)", "#e0a15a", (6, 1.5, 1.2, 1.5)),
    "frozen": Line("3 encoder and central module frozen", "#1d7a3a", (), 2.2),
    "encoder-frozen": Line("4 encoder frozen", "#c0392b", (5, 2)),
}
QUICK_ARCHITECTURES = ("mlp1", "attention", "predinet")
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
        return f"{self.target} ← {self.curriculum}"


COMBINATIONS = (
    Combination("column_patterns_3", "between"),
    Combination("match_rows", "column_patterns_3"),
    Combination("column_patterns_5", "between"),
    Combination("match_rows", "row_patterns_3"),
    Combination("row_patterns_5", "column_patterns_5"),
)
FIRST, COLUMNS_TO_ROWS, _, ROWS_TO_ROWS, FIVE_ROWS = COMBINATIONS


def combinations(plan: Plan) -> Sequence[Combination]:
    return COMBINATIONS[:1] if plan.quick else COMBINATIONS


def architectures(plan: Plan) -> Sequence[str]:
    return QUICK_ARCHITECTURES if plan.quick else ARCHITECTURES


def configurations(plan: Plan) -> list[Configuration]:
    """All, in the order of training: combination by combination, first the two whose claims name a figure.

    What is trained on a task from random weights is one combination's scratch and another's pre-training.
    """
    chosen = sorted(combinations(plan), key=lambda combination: combination not in (FIRST, FIVE_ROWS))
    names = in_training_order(architectures(plan))
    unique: dict[str, Configuration] = {}
    for combination, architecture in sorted(product(chosen, names), key=lambda pair: pair[1] == TRAINED_LAST):
        for configuration in _stages(architecture, combination):
            unique.setdefault(configuration.name, configuration)
    return list(unique.values())


def _stages(architecture: str, combination: Combination) -> list[Configuration]:
    start = from_scratch(architecture, combination.curriculum)
    return [
        start,
        from_scratch(architecture, combination.target),
        *(
            Configuration(
                stage_name(architecture, combination, stage),
                architecture,
                combination.target,
                seed=STAGES[stage],
                start=start.name,
                frozen=frozen,
            )
            for stage, frozen in (("frozen", ("encoder", "central")), ("encoder-frozen", ("encoder",)))
        ),
    ]


def stage_name(architecture: str, combination: Combination, stage: str) -> str:
    if stage in ("scratch", "pre-train"):
        return name_of(architecture, combination.target if stage == "scratch" else combination.curriculum)
    return f"{name_of(architecture, combination.target)}-after-{combination.curriculum}-{stage}"


def page(folder: Path, plan: Plan) -> list[str]:
    """Draws stages.png, as figure S13, and frozen.png, as figure 5."""
    results = read_results(folder, configurations(plan))
    _draw_stages(folder / "stages.png", results, plan)
    _draw_frozen(folder / "frozen.png", results, plan)
    return [
        claims_section(weigh(judge, results, plan)),
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
        beginnings(results, _tasks(plan), architectures(plan)),
        f"![Learning curves of all stages, on {SETS[HELD]}](stages.png)\n",
    ]


def _tasks(plan: Plan) -> list[str]:
    """Those that are trained from random weights, each once."""
    return list(dict.fromkeys(task for both in combinations(plan) for task in (both.curriculum, both.target)))


def accuracy_table(folder: Path, results: Results, plan: Plan, stage: str) -> str:
    """The last checkpoints' accuracies of a stage; beside stage 3 what rules over the pre-trained network reach."""
    rules = read_rules(folder)
    names_of = {
        str(both): [stage_name(name, both, stage) for name in architectures(plan)] for both in combinations(plan)
    }
    rows = [(label, held, names) for label, names in names_of.items() for held in SETS]
    cells = lines(results, plan, rows)
    header = ["target ← curriculum", "held-out set", *(NAMES[name] for name in architectures(plan))]
    if stage == "frozen":
        header.append("rules over the pre-trained PrediNet")
        for line, (combination, held, _) in zip(cells, rows, strict=True):
            line.append(rules_number(rules.get(combination, {}).get(held), plan))
    return markdown(header, cells)


def _draw_stages(path: Path, results: Results, plan: Plan) -> None:
    """A column for each combination, a row for each architecture, a line for each stage."""

    def panel(name: str, combination: Combination) -> Panel:
        names = {stage: stage_name(name, combination, stage) for stage in STAGES}
        return Panel(f"{NAMES[name]}\n{combination}", names, HELD, 0.5)

    panels = [[panel(name, combination) for combination in combinations(plan)] for name in architectures(plan)]
    draw_curves(path, panels, STAGE_LINES, results, plan.steps, side_by_side=plan.quick)


def _draw_frozen(path: Path, results: Results, plan: Plan) -> None:
    """A panel for each combination, a line for each architecture, stage 3 alone."""

    def panel(combination: Combination, held: str) -> Panel:
        names = {name: stage_name(name, combination, "frozen") for name in architectures(plan)}
        return Panel(f"{combination}\n{SETS[held]}", names, held, 0.5)

    panels = [[panel(combination, held) for combination in combinations(plan)] for held in SETS]
    line_styles = {name: ARCHITECTURE_LINES[name] for name in architectures(plan)}
    draw_curves(path, panels, line_styles, results, plan.steps, side_by_side=plan.quick)


def judge(results: Results, plan: Plan) -> list[Claim]:
    """The claims of section 5 about the stages, tested on stripes: on the last checkpoints' means, or on the means
    along the curves where the paper speaks of learning faster."""

    def means(combination: Combination, stage: str, of: Callable[[Result], float | None]) -> dict[str, float]:
        """By architecture, of those that are done."""
        done = {name: results.get(stage_name(name, combination, stage)) for name in architectures(plan)}
        means_of = {name: of(result) for name, result in done.items() if result is not None and result.done}
        return {name: mean for name, mean in means_of.items() if mean is not None}

    def last(result: Result) -> float | None:
        return mean_of(result, HELD)

    frozen = {combination: means(combination, "frozen", last) for combination in combinations(plan)}
    claims = []
    for combination, paper, test, holds, all_needed in _CLAIMS:
        if combination in frozen:
            learned = means(combination, "pre-train", last).get("predinet")
            # How well the PrediNet had learned its curriculum decides what it can bring along.
            more = "" if learned is None else f"; the PrediNet on its curriculum {100 * learned:.1f}"
            paper = f"`{combination}`: {paper}"
            claims.append(_claim(paper, test, frozen[combination], plan, holds, more, all_needed=all_needed))
    paper, test = (
        f"`{FIRST}`: the PrediNet learns faster than any of the baselines",
        "its mean along the curve of stage 3",
    )
    along = means(FIRST, "frozen", _along)
    claims[1:1] = [
        _claim(
            paper,
            f"{test} above every baseline's",
            along,
            plan,
            lambda ours, rest: ours > max(rest),
            " along the curve",
        ),
        _of_known(
            f"`{FIRST}`: the reusability of the PrediNet's representations cannot be accounted for by the pre-training "
            "of the encoder alone",
            "along the curve, stage 3 more than 5 points above stage 4",
            "along the curve stage 3 {:.1f}, stage 4 {:.1f}; at the end {:.1f} and {:.1f}",
            lambda along, along_4, *_: along - along_4 > ALIKE,
            *(
                means(FIRST, stage, of).get("predinet")
                for of in (_along, last)
                for stage in ("frozen", "encoder-frozen")
            ),
        ),
    ]
    if plan.quick:
        return claims
    later = [mean_of for combination, mean_of in frozen.items() if combination != FIRST]
    similar = _of_known(
        "`match_rows`: the PrediNet does similarly after column patterns and after row patterns",
        "means at most 5 points apart, and neither at chance",
        "after columns {:.1f}, after rows {:.1f}",
        lambda columns, rows: abs(columns - rows) <= ALIKE and min(columns, rows) >= CHANCE,
        *(frozen[combination].get("predinet") for combination in (COLUMNS_TO_ROWS, ROWS_TO_ROWS)),
    )
    return [*claims, similar, _three_of_four(later, plan)]


Holds = Callable[[float, list[float]], bool]
"""Of the PrediNet's mean and those of the baselines."""
_CLAIMS: tuple[tuple[Combination, str, str, Holds, bool], ...] = (
    (
        FIRST,
        "the PrediNet is the only one to achieve an accuracy of 90 %",
        "its mean at least 90 %, every baseline's below",
        lambda ours, rivals: ours >= SOLVED and max(rivals) < SOLVED,
        False,
    ),
    (
        COLUMNS_TO_ROWS,
        "the baselines collapse to chance, while the PrediNet does well",
        "every baseline's mean below 55 %, the PrediNet's at least 60 %",
        lambda ours, rivals: ours >= WELL and max(rivals) < CHANCE,
        False,
    ),
    (
        FIVE_ROWS,
        "the baselines remain at chance, whereas the PrediNet achieves 85 %",
        "every baseline's mean below 55 %, the PrediNet's at least 85 %",
        lambda ours, rivals: ours >= FIVE_ROWS_SOLVED and max(rivals) < CHANCE,
        False,
    ),
    (
        ROWS_TO_ROWS,
        "the PrediNet outperforms only two of the four baselines",
        "two baselines' means below the PrediNet's",
        lambda ours, rivals: sum(other < ours for other in rivals) == 2,
        True,
    ),
)
"""The claims about stage 3 of one combination: the paper's words, the test, and whether nothing can be said while a
baseline is missing."""


def _along(result: Result) -> float:
    """The mean of all measurements: the higher the earlier a network learns."""
    return fmean(accuracy for run in result.curve.accuracies(HELD) for accuracy in run)


def _claim(
    paper: str, test: str, means: Mapping[str, float], plan: Plan, holds: Holds, more: str, *, all_needed: bool = False
) -> Claim:
    """`more` is told beside the means."""
    figures = "; ".join(f"{NAMES[name]} {100 * mean:.1f}" for name, mean in means.items()) + (more if means else "")
    rivals = [mean for name, mean in means.items() if name != "predinet"]
    without = [NAMES[name] for name in architectures(plan) if name not in means]
    if "predinet" not in means or not rivals or (all_needed and without):
        return Claim(f"{paper} (section 5)", figures, test, None)
    return Claim(f"{paper} (section 5)", figures, test, holds(means["predinet"], rivals), without)


def _of_known(paper: str, test: str, template: str, holds: Callable[..., bool], *means: float | None) -> Claim:
    """`template` has a place for each of the means, in per cent; `holds` is asked of all, once they are known."""
    given = [mean for mean in means if mean is not None]
    if len(given) < len(means):
        return Claim(f"{paper} (section 5)", "", test, None)
    return Claim(f"{paper} (section 5)", template.format(*(100 * mean for mean in given)), test, holds(*given))


def _three_of_four(means: list[dict[str, float]], plan: Plan) -> Claim:
    paper = "the PrediNet out-performs the four baselines on three of the four other combinations (figure 5)"
    test = "in three its mean above every baseline's and not at chance"
    trained = [name for name in architectures(plan) if all(name in mean_of for mean_of in means)]
    if "predinet" not in trained or len(trained) == 1:
        return Claim(paper, "", test, None)
    rivals = [name for name in trained if name != "predinet"]
    ahead = sum(
        mean_of["predinet"] >= CHANCE and mean_of["predinet"] > max(mean_of[name] for name in rivals)
        for mean_of in means
    )
    without = [NAMES[name] for name in architectures(plan) if name not in trained]
    return Claim(paper, f"in {ahead} of {len(means)}", test, ahead == 3, without)
