"""`size`: more heads or more relations? The curriculum's stage 3 with other PrediNets (section S3)."""

from dataclasses import replace
from pathlib import Path
from statistics import fmean

from predinet_prolog.experiments import curriculum
from predinet_prolog.experiments.claims import Claim, claims_section, weigh
from predinet_prolog.experiments.configurations import Configuration, Results, read_results
from predinet_prolog.experiments.curriculum import HELD, Combination, combinations, stage_name
from predinet_prolog.experiments.drawing import Line, Panel, draw_curves
from predinet_prolog.experiments.pages import SETS, lines
from predinet_prolog.experiments.plans import Plan
from predinet_prolog.experiments.tables import markdown

SIZES = {"k=16 j=32": (16, 32), "k=32 j=16": (32, 16), "k=64 j=16": (64, 16)}
"""Heads and relations."""
PAPERS = "k=32 j=16"
LINES = {
    "k=16 j=32": Line("16 heads, 32 relations", "#d08b3e", (2, 1.5)),
    "k=32 j=16": Line("32 heads, 16 relations", "#3f86c6", (6, 2)),
    "k=64 j=16": Line("64 heads, 16 relations", "#3b0f70", (), 2.2),
}
STAGES = ("scratch", "pre-train", "frozen")


def configurations(plan: Plan) -> list[Configuration]:
    """All configurations. Those of the paper's size are the curriculum's own."""
    of_predinet = [
        c for c in curriculum.configurations(plan) if c.architecture == "predinet" and c.frozen != ("encoder",)
    ]
    return [
        replace(
            configuration,
            name=sized(configuration.name, size),
            start=configuration.start and sized(configuration.start, size),
            heads=heads,
            relations=relations,
        )
        for size, (heads, relations) in SIZES.items()
        for configuration in of_predinet
    ]


def sized(name: str, size: str) -> str:
    """The name of that configuration of the curriculum in another size."""
    heads, relations = SIZES[size]
    return name if size == PAPERS else f"{name}-k{heads}-j{relations}"


def page(folder: Path, plan: Plan) -> list[str]:
    """Draws frozen.png: a column for each combination, a row for each held-out set."""
    results = read_results(folder, configurations(plan))
    panels = [
        [
            Panel(f"{combination}\n{SETS[held]}", _names(combination, "frozen"), held, 0.5)
            for combination in combinations(plan)
        ]
        for held in SETS
    ]
    draw_curves(folder / "frozen.png", panels, LINES, results, plan.steps, side_by_side=plan.quick)
    return [
        claims_section(weigh(judge, results, plan)),
        *(f"## {curriculum.STAGE_LINES[stage].label}\n\n{accuracy_table(results, plan, stage)}" for stage in STAGES),
        "## Learning curves, encoder and central module frozen\n",
        "![Learning curves of stage 3 with three sizes](frozen.png)\n",
    ]


def _names(combination: Combination, stage: str) -> dict[str, str]:
    """By size, of the configuration that is the combination's stage."""
    return {size: sized(stage_name("predinet", combination, stage), size) for size in SIZES}


def accuracy_table(results: Results, plan: Plan, stage: str) -> str:
    """The last checkpoints' accuracies of a stage."""
    rows = [
        (str(combination), held, [*_names(combination, stage).values()])
        for combination in combinations(plan)
        for held in SETS
    ]
    return markdown(["target ← curriculum", "held-out set", *SIZES], lines(results, plan, rows))


def judge(results: Results, plan: Plan) -> list[Claim]:
    """Section S3's claims about size, tested on stage 3's means on stripes over all combinations."""
    means: dict[str, float] = {}
    spreads: dict[str, float] = {}
    for size in SIZES:
        results_of = [results.get(_names(combination, "frozen")[size]) for combination in combinations(plan)]
        last = [result.last[HELD] for result in results_of if result is not None and result.done]
        if len(last) == len(results_of):
            means[size] = fmean(estimate.mean for estimate in last)
            if halves := [estimate.half for estimate in last if estimate.half is not None]:
                spreads[size] = fmean(halves)
    figures = "; ".join(f"{size} {100 * mean:.1f}" for size, mean in means.items())
    spread = "; ".join(f"{size} ± {100 * half:.1f}" for size, half in spreads.items())
    more, fewer = "k=64 j=16", "k=16 j=32"
    complete = len(means) == len(SIZES)
    return [
        Claim(
            "more heads: k=64 j=16 increases overall performance (section S3)",
            figures,
            "mean above that of k=32 j=16",
            [means[more] > means[PAPERS]] if complete else [],
        ),
        Claim(
            "fewer heads: k=16 j=32 leads to a decrease in performance (section S3)",
            figures,
            "mean below that of k=32 j=16",
            [means[fewer] < means[PAPERS]] if complete else [],
        ),
        Claim(
            "more heads provide more stability (section S3)",
            spread,
            "mean half-width of the intervals over runs less for k=64 j=16 than for k=32 j=16",
            [spreads[more] < spreads[PAPERS]] if len(spreads) == len(SIZES) else [],
        ),
    ]
