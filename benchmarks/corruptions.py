"""How much the symbols and the rules over them bear.

    python benchmarks/corruptions.py curves [--images N] [--only NAME]… [--plot FILE.png]
    python benchmarks/corruptions.py everyday [--images N]

`curves`: accuracy against the strength of every corruption. Two models see the same corrupted images of the task
`between`. `everyday`: what a user's picture commonly has, and more shift, for the default model and more tasks.

Scenes are exact as `experiments.evaluation` has it, by boxes. Answers are those of the shipped rules. Nothing is fitted
here.
"""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy is loaded

from benchmarks.shared import GAME, options, print_head, print_row
from predinet_prolog.domains.relations_game import CORRUPTIONS, EVERYDAY, Corruption
from predinet_prolog.experiments.evaluation import evaluate_rules
from predinet_prolog.experiments.rules_column import goal_of
from predinet_prolog.neural import Model, load_model
from predinet_prolog.symbolic import theory

MODELS = ("relations-game", "between")
OBJECTS = ("hexos", "stripes")
TASKS = ("between", "occurs", "column_patterns_3", "column_patterns_5")
TASK = "between"
"""That of the curves."""
SEED = 4_000_037
"""Images come from a seed that nothing was trained, grounded or tested with."""


@dataclass(frozen=True)
class Shares:
    """What one model gave on one set of images."""

    exact: float
    """Exact scenes."""
    right: float
    """Right answers."""


Results = dict[tuple[str, float, str, str], Shares]
"""By corruption, strength, object set and model."""


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("table", choices=["curves", "everyday"])
    parser.add_argument("--images", type=int, default=300, help="images a cell (default: 300)")
    parser.add_argument("--only", choices=CORRUPTIONS, nargs="+", default=list(CORRUPTIONS), help="some curves")
    parser.add_argument("--plot", type=Path, help="draw the curves to this .png")
    given = parser.parse_args()
    if given.table == "everyday":
        everyday(given.images)
        return
    chosen = [CORRUPTIONS[name] for name in given.only]
    results = measure_all(chosen, given.images)
    if given.plot:
        draw(chosen, results, given.images, given.plot)


def everyday(images: int) -> None:
    """A row for each task and object set: exact scenes and right answers in every corruption."""
    model = load_model(MODELS[0])
    corruptions = [*EVERYDAY, ("shift", 2), ("shift", 3)]
    print_head("task", "objects", *(f"{name} {strength:g}" for name, strength in corruptions))
    for task in TASKS:
        for objects in OBJECTS:
            row = [measure(model, task, images, objects, corruption) for corruption in corruptions]
            print_row(task, objects, *(f"{shares.exact:.3f} {shares.right:.3f}" for shares in row))


def measure_all(chosen: Sequence[Corruption], images: int) -> Results:
    """Measures every cell and prints its row."""
    models = {name: load_model(name) for name in MODELS}
    columns = (f"{what}, {name}" for name in MODELS for what in ("exact", "right"))
    print_head("corruption", "strength", "objects", *columns)
    results: Results = {}
    untouched: dict[tuple[str, str], Shares] = {}  # the same for every corruption: measured once
    for corruption in chosen:
        for strength in corruption.strengths:
            for objects in OBJECTS:
                for name, model in models.items():
                    shares = untouched.get((objects, name)) if strength == corruption.untouched else None
                    if shares is None:
                        shares = measure(model, TASK, images, objects, (corruption.name, strength))
                    if strength == corruption.untouched:
                        untouched[objects, name] = shares
                    results[corruption.name, strength, objects, name] = shares
                row = [results[corruption.name, strength, objects, name] for name in MODELS]
                mark = " (untouched)" if strength == corruption.untouched else ""
                shown = [f"{share:.3f}" for shares in row for share in (shares.exact, shares.right)]
                print_row(corruption.name, f"{strength:g}{mark}", objects, *shown)
    return results


def measure(model: Model, task: str, images: int, objects: str, corruption: tuple[str, float]) -> Shares:
    """What `model`, and the rules of `task` over its programs, make of corrupted pictures."""
    found = evaluate_rules(
        model,
        GAME.generate(task, images, kind=objects, seed=SEED, corruption=corruption),
        rules=[theory("relations_game")],
        goal=goal_of(task),
        time_limit=1.0,
        looks=None,
        report=lambda _: None,
    )
    if found.timeouts:
        print(f"{found.timeouts} goals ran out of time and count as wrong", file=sys.stderr)
    assert found.exact_scenes is not None  # the truth is known
    return Shares(found.exact_scenes, found.accuracy)


def draw(chosen: Sequence[Corruption], results: Results, images: int, path: Path) -> None:
    """A panel for each corruption: share of right answers over strength, the measured strengths evenly spaced."""
    import matplotlib as mpl

    mpl.use("agg")
    import matplotlib.pyplot as plt

    columns = min(4, len(chosen))
    lowest = min(shares.right for shares in results.values())
    rows = -(-len(chosen) // columns)
    figure, grid = plt.subplots(
        rows, columns, figsize=(4 * columns, 3.1 * rows + 0.9), sharey=True, squeeze=False, layout="constrained"
    )
    for axes in grid.flat[len(chosen) :]:
        axes.set_axis_off()
    for corruption, axes in zip(chosen, grid.flat, strict=False):
        ticks = range(len(corruption.strengths))
        axes.axhline(0.5, color="#848c96", linewidth=0.8, linestyle=":", label="chance")
        if corruption.untouched in corruption.strengths:
            axes.axvline(corruption.strengths.index(corruption.untouched), color="#e3e6ea", linewidth=7, zorder=0)
        for name, colour in zip(MODELS, ("#1f77b4", "#d62728"), strict=True):
            for objects, style, marker in zip(OBJECTS, ("-", "--"), ("o", "s"), strict=True):
                right = [results[corruption.name, s, objects, name].right for s in corruption.strengths]
                look = {"color": colour, "linestyle": style, "marker": marker, "markersize": 4, "alpha": 0.85}
                axes.plot(ticks, right, label=f"{name}, {objects}", **look)
        axes.set_title(corruption.name, fontweight="bold")
        axes.set_xlabel(corruption.meaning, fontsize=9)
        axes.set_xticks(ticks, [f"{strength:g}" for strength in corruption.strengths])
        axes.set_ylim(min(0.4, lowest - 0.03), 1.03)
        axes.grid(axis="y", color="#e3e6ea", linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
    for axes in grid[:, 0]:
        axes.set_ylabel("right answers")
    handles, labels = grid.flat[0].get_legend_handles_labels()
    figure.legend(
        handles[1:] + handles[:1], labels[1:] + labels[:1], loc="outside upper center", ncols=columns + 1, frameon=False
    )
    figure.supxlabel(f"“{TASK}” by rules, {images} images a point; the grey band is the untouched picture", fontsize=10)
    figure.savefig(path, dpi=110, facecolor="white")


if __name__ == "__main__":
    main()
