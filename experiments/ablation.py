"""`ablation`: accuracy with random subsets of heads, PrediNet and multi-head attention (section 5, figure 6c)."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from predinet_prolog.domains.relations_game import generate
from predinet_prolog.experiments.analysis import ANALYSED, CONFIGURATIONS, object_heads
from predinet_prolog.experiments.analysis import configurations as configurations
from predinet_prolog.experiments.claims import Claim, claims_section, spread
from predinet_prolog.experiments.configurations import model_path
from predinet_prolog.experiments.drawing import DARK, FAINT, LIGHT, MIDDLE, new_figure, save_figure, tidy
from predinet_prolog.experiments.heads import head_outputs, head_weights
from predinet_prolog.experiments.pages import learnt
from predinet_prolog.experiments.plans import Plan
from predinet_prolog.experiments.tables import Columns, groups, keyed, markdown, read_table, where, write_table
from predinet_prolog.neural.checkpoint import load_model
from predinet_prolog.neural.network import RelationsNetwork

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

STYLES = ((DARK, "-", "o"), (MIDDLE, "--", "s"), (LIGHT, "-.", "^"))
"""Ink, dash and mark of each line."""
CHANCE = 0.25

CHUNK = 50
"""Subsets judged at once."""

Means = dict[str, list[dict[int, float]]]
"""By line, of each run the mean accuracy by number of heads kept."""


def measure(folder: Path, plan: Plan) -> None:
    """Writes TABLE_FILE."""
    tested = [generate(ANALYSED, IMAGES, objects=objects, seed=IMAGE_SEED) for objects in SETS]
    rows = []
    for configuration in CONFIGURATIONS:
        for number in range(plan.runs):
            network = load_model(model_path(folder, configuration.name, number)).network
            for name, candidates in _lines(network):
                subsets = list(_subsets(candidates, seed=number))
                for scenes in tested:
                    accuracies = pruned_accuracies(network, scenes.render(), scenes.labels, np.concatenate(subsets))
                    key = {"line": name, "objects": scenes.object_set, "run": number}
                    rows.append(keyed(key, _summary(accuracies.reshape(len(subsets), SUBSETS))))
    write_table(folder / TABLE_FILE, rows)


def page(folder: Path, plan: Plan) -> list[str]:
    """Draws ablation.png."""
    table = read_table(folder / TABLE_FILE)
    if not table:
        return []
    held_out = where(table, objects=SETS[0])
    means = {
        str(line["line"][0]): [
            dict(zip(run["heads"].tolist(), run["mean"].tolist(), strict=True)) for run in groups(line, "run")
        ]
        for line in groups(held_out, "line")
    }
    _draw(folder / "ablation.png", held_out)
    return [
        claims_section(judge(means)),
        "## Accuracy by heads kept\n",
        "![Accuracy by the number of heads kept](ablation.png)\n",
        _table(means),
    ]


def judge(means: Means) -> list[Claim]:
    """The paper's claims about pruning, tested on every run."""
    predinet, attention, chosen = means[PREDINET], means[ATTENTION], means[CHOSEN]
    full = [max(run.items())[1] for run in predinet]
    areas = [[float(np.mean(list(run.values()))) for run in runs] for runs in (predinet, attention)]
    fewest = [_fewest(run, whole - CLOSE) for run, whole in zip(chosen, full, strict=True)]
    counts = [number for number in fewest if number is not None]
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
            f"{len(counts)} of {len(predinet)} networks come within {CLOSE}"
            + (f", with {spread(counts, 0)} of them" if counts else ""),
            f"within {CLOSE} of the full network, with at most {HANDFUL} heads",
            [number is not None and number <= HANDFUL for number in fewest],
        ),
    ]


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


def _summary(accuracies: npt.NDArray[np.float64]) -> Columns:
    """Of `accuracies` (sizes, SUBSETS)."""
    low, high = np.quantile(accuracies, (0.1, 0.9), axis=1)
    return {"heads": np.arange(len(accuracies)), "mean": accuracies.mean(1), "low": low, "high": high}


def _draw(path: Path, table: Columns) -> None:
    """The lines, each of all runs that have so many heads, in a band from the mean of the lows to that of the highs."""
    figure = new_figure(7.2, 4.6)
    axes = figure.subplots()
    for line, (colour, dash, mark) in zip(groups(table, "line"), STYLES, strict=False):
        sizes = np.unique(line["heads"])
        mean, low, high = ([where(line, heads=size)[name].mean() for size in sizes] for name in ("mean", "low", "high"))
        axes.fill_between(sizes, low, high, color=colour, alpha=0.14, linewidth=0)
        label = line["line"][0]
        axes.plot(sizes, mean, color=colour, linestyle=dash, marker=mark, markersize=4.5, label=label)
    last = int(table["heads"].max())
    axes.axhline(CHANCE, color=FAINT, linewidth=1, linestyle=":")
    axes.text(last, CHANCE - 0.035, "chance", fontsize=9, color=FAINT, horizontalalignment="right")
    axes.set(xlabel="heads kept", ylabel="accuracy on hexominoes", ylim=(0.15, 1.02), xlim=(-0.5, last + 0.5))
    tidy(axes, "both")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=len(STYLES), fontsize=10, frameon=False)
    save_figure(figure, path)


def _fewest(run: dict[int, float], enough: float) -> int | None:
    """The smallest number of heads that reaches the accuracy `enough`; None if none does."""
    return next((size for size, accuracy in sorted(run.items()) if accuracy >= enough), None)


def _table(means: Means) -> str:
    """A Markdown table of the mean over the runs that have so many heads."""
    sizes = [0, 1, 2, 4, 8, 12, 16, 20, 24, 28, 32]
    rows = []
    for name, runs in means.items():
        values_of = [[run[size] for run in runs if size in run] for size in sizes]
        rows.append((name, *(f"{np.mean(values):.3f}" if values else "" for values in values_of)))
    return markdown(("heads kept", *map(str, sizes)), rows)


def pruned_accuracies(
    network: RelationsNetwork,
    images: npt.NDArray[np.uint8],
    labels: npt.NDArray[np.int64],
    kept: npt.NDArray[np.bool_],
) -> npt.NDArray[np.float64]:
    """Share of right answers (S,) to `images` (N, S, S, 3) with only the heads in each row of `kept` (S, k).

    The output MLP gets zeros in place of a pruned head's output (figure 6c). The first task id is asked.
    """
    weights = head_weights(network).double().cpu()  # (k, v, hidden)
    outputs = torch.from_numpy(head_outputs(network, images)).double()  # (N, k, v)
    # A head reaches the hidden layer as a sum of its own, so subsets are sums of these: no pass for each subset.
    parts = torch.einsum("bkv,kvh->bkh", outputs, weights)
    mlp = network.output
    task_weight = mlp.hidden_weight[len(mlp.hidden_weight) - network.config.task_ids]
    task = (task_weight + mlp.hidden_bias).detach().double().cpu()  # (hidden,)
    label_weight, label_bias = mlp.label_weight.detach().double().cpu(), mlp.label_bias.detach().double().cpu()
    right = []
    for start in range(0, len(kept), CHUNK):
        chunk = torch.from_numpy(kept[start : start + CHUNK]).double()
        hidden = (torch.einsum("sk,bkh->sbh", chunk, parts) + task).relu()
        answers = (hidden @ label_weight + label_bias).argmax(-1)  # (s, N)
        right.append((answers == torch.from_numpy(labels)).double().mean(1).numpy())
    return np.concatenate(right)


def random_subsets(
    candidates: npt.NDArray[np.bool_], size: int, count: int, rng: np.random.Generator
) -> npt.NDArray[np.bool_]:
    """`count` random subsets (count, k) of `size` heads each, drawn among the `candidates` (k,)."""
    heads = np.flatnonzero(candidates)
    kept = np.zeros((count, len(candidates)), dtype=np.bool_)
    for row in kept:
        row[rng.choice(heads, size, replace=False)] = True
    return kept
