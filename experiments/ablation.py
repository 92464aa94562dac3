"""`ablation`: accuracy with random subsets of heads, PrediNet and multi-head attention (section 5, figure 6c)."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from domains.relations_game import generate
from experiments.ablation_figures import Line, draw_ablation
from experiments.cells import Cell, model_path
from experiments.claims import Claim, claims_section, spread
from experiments.experiment import PAPER, QUICK, Experiment, Plan, Report, read_plan
from experiments.pages import heading, table
from experiments.plans import ANALYSED, UNFINISHED, accuracies, learnt, object_heads, recipe, train
from experiments.pruning import pruned_accuracies, random_subsets
from experiments.tables import Row, read_table, write_table
from neural.checkpoint import load_model
from neural.network import RelationsNetwork

CELLS = tuple(Cell(f"{name}-{ANALYSED}", name, ANALYSED) for name in ("predinet", "attention"))
SETS = ("hexos", "pentos")
"""Object sets the accuracy is measured on; the figure shows the first, the held-out one."""
IMAGES = 2_000
"""Of each set."""
IMAGE_SEED = 6_000_401
SUBSETS = 100
"""Random subsets of every size."""
TABLE_FILE = "ablation.csv"
PREDINET, ATTENTION, CHOSEN = "PrediNet", "MHA", "PrediNet*"
"""The lines of the figure. The last one's subsets are of heads that attend to objects with both masks."""

ROBUST = 0.05
"""PrediNet is significantly more robust if its mean accuracy over all sizes lies so far above MHA's."""
HANDFUL = 8
"""Heads; a quarter of them."""
CLOSE = 0.02
"""Accuracy captures the full network's if it is at most so much lower."""

Means = dict[str, list[dict[int, float]]]
"""By line, of each run the mean accuracy by number of heads kept."""


def run(plan: Plan, folder: Path, report: Report) -> None:
    """Trains both architectures and writes TABLE_FILE."""
    train(EXPERIMENT.name, plan, folder, CELLS, report)
    tested = [generate(ANALYSED, IMAGES, objects=objects, seed=IMAGE_SEED) for objects in SETS]
    rows: list[Row] = []
    for cell in CELLS:
        for number in range(plan.runs):
            network = load_model(model_path(folder, cell.name, number)).network
            for name, candidates in _lines(network):
                subsets = list(_subsets(candidates, seed=number))
                for scenes in tested:
                    accuracies = pruned_accuracies(network, scenes.render(), scenes.labels, np.concatenate(subsets))
                    key: Row = {"line": name, "objects": scenes.object_set, "run": number}
                    rows += [{**key, **row} for row in _summaries(accuracies.reshape(len(subsets), SUBSETS))]
    write_table(folder / TABLE_FILE, rows)


def write(folder: Path) -> str:
    """Draws the figure into `folder` and returns the page."""
    _, plan = read_plan(folder)
    rows = read_table(folder / TABLE_FILE)
    lines = [heading(EXPERIMENT.title, plan), recipe(plan), accuracies(folder, plan, CELLS)]
    if not rows:
        return "\n".join([*lines, UNFINISHED])
    means = _means(rows, SETS[0])
    draw_ablation(folder / "ablation.png", [_line(name, rows) for name in means])
    claims = judge(means)
    lines += [claims_section(claims), "## Accuracy by heads kept\n"]
    lines += ["![Accuracy by the number of heads kept](ablation.png)\n", _table(means), _READING]
    return "\n".join(lines)


def judge(means: Means) -> list[Claim]:
    """The paper's claims about pruning, tested on every run."""
    predinet, attention, chosen = means[PREDINET], means[ATTENTION], means[CHOSEN]
    full = [max(run.items())[1] for run in predinet]
    areas = [[float(np.mean(list(run.values()))) for run in runs] for runs in (predinet, attention)]
    fewest = [_fewest(run, whole - CLOSE) for run, whole in zip(chosen, full, strict=True)]
    found = [number for number in fewest if number is not None]
    return [
        Claim(
            "the PrediNet is significantly more robust than MHA to pruning a random subset of heads at test time "
            "(section 5)",
            f"mean accuracy over all sizes of subsets: PrediNet {spread(areas[0])}, MHA {spread(areas[1])}; with all "
            f"heads {spread(full)} and {spread([max(run.items())[1] for run in attention])}",
            f"PrediNet's mean at least {ROBUST} above MHA's",
            [
                a - b >= ROBUST
                for a, b, run in zip(*areas, attention, strict=True)
                if learnt(max(run.items())[1], ANALYSED)
            ],
        ),
        Claim(
            "pruned to only those heads that attend to the two objects, a handful of heads captures the performance of "
            "the full network (section 5)",
            f"all {spread([max(run) for run in chosen], 0)} such heads together reach "
            f"{spread([max(run.items())[1] for run in chosen])} of the full network's {spread(full)}; "
            f"{len(found)} of {len(predinet)} networks come within {CLOSE}"
            + (f", with {spread(found, 0)} of them" if found else ""),
            f"within {CLOSE} of the full network, with at most {HANDFUL} heads",
            [number is not None and number <= HANDFUL for number in fewest],
        ),
    ]


_READING = f"""How to read it. The outputs of pruned heads are replaced by zeros; nothing is trained again (the paper
does not say how it prunes). Each figure is the mean of {SUBSETS} random subsets; the band shows the middle 80 % of
them, the mean over networks. {CHOSEN} draws only from heads both of whose masks consistently attend to objects (as
`attention` measures it, on pentominoes), so its line ends at their number.

Data: `{TABLE_FILE}` (by line, object set, run and number of heads), `cells/` (curves of the training), `models/` (the
networks).
"""


def _lines(network: RelationsNetwork) -> Iterator[tuple[str, npt.NDArray[np.bool_]]]:
    """The lines that `network` belongs to, each with the heads (k,) its subsets are drawn from."""
    every = np.ones(network.config.heads, dtype=np.bool_)
    if network.config.architecture == "attention":
        yield ATTENTION, every
        return
    yield PREDINET, every
    yield CHOSEN, object_heads(network)


def _subsets(candidates: npt.NDArray[np.bool_], *, seed: int) -> Iterator[npt.NDArray[np.bool_]]:
    """SUBSETS random subsets (SUBSETS, k) of every size, from none to all of the `candidates` (k,)."""
    rng = np.random.default_rng(seed)
    for size in range(int(candidates.sum()) + 1):
        yield random_subsets(candidates, size, SUBSETS, rng)


def _summaries(accuracies: npt.NDArray[np.float64]) -> Iterator[Row]:
    """Of `accuracies` (sizes, SUBSETS)."""
    for size, of_size in enumerate(accuracies):
        low, high = np.quantile(of_size, (0.1, 0.9))
        yield {"heads": size, "mean": float(of_size.mean()), "low": float(low), "high": float(high)}


def _means(rows: list[dict[str, str]], objects: str) -> Means:
    runs: dict[tuple[str, str], dict[int, float]] = {}
    for row in rows:
        if row["objects"] == objects:
            runs.setdefault((row["line"], row["run"]), {})[int(row["heads"])] = float(row["mean"])
    means: Means = {}
    for (name, _), run in runs.items():
        means.setdefault(name, []).append(run)
    return means


def _line(name: str, rows: list[dict[str, str]]) -> Line:
    """The line over all runs that have so many heads."""
    by_size: dict[int, list[tuple[float, float, float]]] = {}
    for row in rows:
        if row["line"] == name and row["objects"] == SETS[0]:
            by_size.setdefault(int(row["heads"]), []).append(
                (float(row["mean"]), float(row["low"]), float(row["high"]))
            )
    sizes = sorted(by_size)
    mean, low, high = np.array([np.mean(by_size[size], axis=0) for size in sizes]).T
    return Line(name, np.array(sizes), mean, low, high)


def _fewest(run: dict[int, float], enough: float) -> int | None:
    """The smallest number of heads that reaches the accuracy `enough`; None if none does."""
    return next((size for size, accuracy in sorted(run.items()) if accuracy >= enough), None)


def _table(means: Means) -> str:
    """A Markdown table of the mean over the runs that have so many heads."""
    sizes = [0, 1, 2, 4, 8, 12, 16, 20, 24, 28, 32]
    rows = []
    for name, runs in means.items():
        found = [[run[size] for run in runs if size in run] for size in sizes]
        rows.append((name, *(f"{np.mean(values):.3f}" if values else "" for values in found)))
    return table(("heads kept", *map(str, sizes)), rows)


EXPERIMENT = Experiment(
    name="ablation",
    title="Accuracy when heads are pruned at test time",
    claim="the PrediNet is more robust than MHA to pruning random heads; a handful of the heads that attend to objects "
    "does as well as all",
    cost="one PrediNet and one MHA a run, taken from table1 if that is done",
    full=PAPER,
    quick=QUICK,
    run=run,
    write=write,
)
"""The whole of it."""
