"""`size`: more heads or more relations? The curriculum's stage 3 with other PrediNets (section S3)."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from experiments import curriculum, plans
from experiments.cells import Cell
from experiments.claims import Claim, claims_section
from experiments.curriculum import HELD, Combination, combinations, stage_name
from experiments.experiment import PAPER, QUICK, Experiment, Plan, Report, read_plan
from experiments.figures import Line, Panel, draw_curves
from experiments.pages import SETS, cost, heading, number, recipe, table
from experiments.results import Result, read_result

SIZES = {"k=16 j=32": (16, 32), "k=32 j=16": (32, 16), "k=64 j=16": (64, 16)}
"""Heads and relations."""
PAPERS = "k=32 j=16"
LINES = {
    "k=16 j=32": Line("16 heads, 32 relations", "#d08b3e", (2, 1.5)),
    "k=32 j=16": Line("32 heads, 16 relations", "#3f86c6", (6, 2)),
    "k=64 j=16": Line("64 heads, 16 relations", "#3b0f70", (), 2.2),
}
STAGES = ("scratch", "pre-train", "frozen")
REDUCED = "Here it is one run of fewer batches by Adam, on the first combination alone."

Results = Mapping[tuple[str, str], Result]
"""By size and the cell's name in the curriculum, those that were begun."""


def cells(plan: Plan) -> list[Cell]:
    """All cells. Those of the paper's size are the curriculum's own."""
    own = [c for c in curriculum.cells(plan) if c.architecture == "predinet" and c.frozen != ("encoder",)]
    return [_of_size(cell, size) for size in SIZES for cell in own]


def _of_size(cell: Cell, size: str) -> Cell:
    if size == PAPERS:
        return cell
    heads, relations = SIZES[size]
    start = None if cell.start is None else _name(cell.start, size)
    return replace(cell, name=_name(cell.name, size), start=start, heads=heads, relations=relations)


def _name(name: str, size: str) -> str:
    heads, relations = SIZES[size]
    return name if size == PAPERS else f"{name}-k{heads}-j{relations}"


def run(plan: Plan, folder: Path, report: Report) -> None:
    """Trains what is missing; cells of the paper's size are the curriculum's own."""
    plans.train(EXPERIMENT.name, plan, folder, cells(plan), report)


def write(folder: Path) -> str:
    """Draws frozen.png and returns the page."""
    _, plan = read_plan(folder)
    results = read_results(folder, plan)
    draw(folder / "frozen.png", results, plan)
    claims = judge(results, plan)
    return "\n".join(
        [
            heading(EXPERIMENT.title, plan),
            recipe(plan, REDUCED),
            cost(folder, cells(plan), plan),
            claims_section(claims),
            *(
                f"## {curriculum.STAGE_LINES[stage].label}\n\n{accuracy_table(results, plan, stage)}"
                for stage in STAGES
            ),
            "## Learning curves, encoder and central module frozen\n",
            "![Learning curves of stage 3 with three sizes](frozen.png)\n",
        ]
    )


def read_results(folder: Path, plan: Plan) -> Results:
    """What the folder holds."""
    found = {}
    for size in SIZES:
        for combination in combinations(plan):
            for stage in STAGES:
                name = stage_name("predinet", combination, stage)
                found[size, name] = read_result(folder, _name(name, size))
    return {key: result for key, result in found.items() if result is not None}


def accuracy_table(results: Results, plan: Plan, stage: str) -> str:
    """The last checkpoints' accuracies of a stage by size."""
    lines = [
        [f"`{combination}`", SETS[held]]
        + [number(results.get((size, stage_name("predinet", combination, stage))), held, plan) for size in SIZES]
        for combination in combinations(plan)
        for held in SETS
    ]
    return table(["target ← curriculum", "held-out set", *SIZES], lines)


def draw(path: Path, results: Results, plan: Plan) -> None:
    """Learning curves of stage 3: a column for each combination, a row for each held-out set."""
    panels = [[_panel(results, combination, held) for combination in combinations(plan)] for held in SETS]
    draw_curves(path, panels, LINES, plan.steps, side_by_side=plan.quick)


def _panel(results: Results, combination: Combination, held: str) -> Panel:
    name = stage_name("predinet", combination, "frozen")
    found = {size: results[size, name] for size in SIZES if (size, name) in results}
    return Panel(f"{combination}\n{SETS[held]}", found, held, 0.5)


def judge(results: Results, plan: Plan) -> list[Claim]:
    """Section S3's claims about size, tested on stage 3's means on stripes over all combinations."""
    means: dict[str, float] = {}
    spreads: dict[str, float] = {}
    for size in SIZES:
        found = [
            results.get((size, stage_name("predinet", combination, "frozen"))) for combination in combinations(plan)
        ]
        last = [result.last[HELD] for result in found if result is not None and result.done]
        if len(last) == len(found):
            means[size] = fmean(estimate.mean for estimate in last)
            halves = [estimate.half for estimate in last if estimate.half is not None]
            if halves:
                spreads[size] = fmean(halves)
    known = len(means) == len(SIZES)
    told = "; ".join(f"{size} {100 * mean:.1f}" for size, mean in means.items())
    spread = "; ".join(f"{size} ± {100 * half:.1f}" for size, half in spreads.items())
    return [
        Claim(
            "more heads: k=64 j=16 increases overall performance (section S3)",
            told,
            "mean above that of k=32 j=16",
            [means["k=64 j=16"] > means[PAPERS]] if known else [],
        ),
        Claim(
            "fewer heads: k=16 j=32 leads to a decrease in performance (section S3)",
            told,
            "mean below that of k=32 j=16",
            [means["k=16 j=32"] < means[PAPERS]] if known else [],
        ),
        Claim(
            "more heads provide more stability (section S3)",
            spread,
            "mean half-width of the intervals over runs less for k=64 j=16 than for k=32 j=16",
            [spreads["k=64 j=16"] < spreads[PAPERS]] if len(spreads) == len(SIZES) else [],
        ),
    ]


EXPERIMENT = Experiment(
    name="size",
    title="More heads or more relations",
    claim="more heads help more than more relations do",
    cost="33 cells of 10 runs, PrediNets alone: about a day on two cores; a third is curriculum's, if that is done",
    full=PAPER,
    quick=QUICK,
    run=run,
    write=write,
)
