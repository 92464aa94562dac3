"""`pca`: principal components of what PrediNet and multi-head attention give (figure 6b; section S2.1, S8, S9)."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from predinet_prolog.domains.relations_game import Scenes, generate
from predinet_prolog.experiments.analysis import ANALYSED, CONFIGURATIONS, object_heads
from predinet_prolog.experiments.analysis import configurations as configurations
from predinet_prolog.experiments.axes import NEIGHBOURS as NEIGHBOURS
from predinet_prolog.experiments.axes import Floats, Projection, clusters, project
from predinet_prolog.experiments.claims import Claim, claims_section, spread
from predinet_prolog.experiments.configurations import model_path
from predinet_prolog.experiments.heads import head_outputs
from predinet_prolog.experiments.pages import learnt
from predinet_prolog.experiments.pca_figures import Panel, draw_heads, draw_panels
from predinet_prolog.experiments.plans import Plan
from predinet_prolog.experiments.tables import Columns, groups, keyed, read_table, where, write_table
from predinet_prolog.neural.checkpoint import load_model

PEOPLE_SAY = {"predinet": "PrediNet", "attention": "MHA"}
FITTED, HELD_OUT = "pentos", "hexos"
IMAGES = 10_000
"""Of each set (section S2.1)."""
IMAGE_SEED = 6_000_307
DRAWN = 1_000
"""Images of each set that are kept and drawn."""
POINTS_FILE, CLUSTERS_FILE = "points.csv", "clusters.csv"
WHOLE = "whole"
"""Stands in place of a head for the joined output of all heads."""

Bools = npt.NDArray[np.bool_]

CLUSTERED = 0.5
"""A projection clusters the labels if places tell this share of them: twice chance."""
LINE, ANGLE = 0.8, 60.0
"""Colour and shape lie on separate axes if pairs that differ in one alone have so much of their spread along one
direction each, with so many degrees between the two."""
OVERLAP = 0.8
"""Two sets of heads overlap almost entirely if so much of their union is in both."""


def measure(folder: Path, plan: Plan) -> None:
    """Writes the projections (run 0) and how well these cluster (every run)."""
    sets = {objects: generate(ANALYSED, IMAGES, objects=objects, seed=IMAGE_SEED) for objects in (FITTED, HELD_OUT)}
    measured, points = [], []
    for configuration in CONFIGURATIONS:
        for number in range(plan.runs):
            model = load_model(model_path(folder, configuration.name, number))
            network = model.network
            given = {objects: head_outputs(network, scenes.render()) for objects, scenes in sets.items()}
            on_objects = np.zeros(network.config.heads, dtype=np.bool_)
            if configuration.architecture == "predinet":
                on_objects = object_heads(network)
            for head, projection in projections(given).items():
                key = {"architecture": configuration.architecture, "run": number, "head": head}
                key |= {"on_objects": int(head != WHOLE and on_objects[int(head)])}
                key |= {"accuracy": model.accuracies[HELD_OUT][ANALYSED]}
                measured.append(keyed(key, _measured(projection, sets)))
                if number == 0:
                    points += _points(configuration.architecture, head, projection, sets)
    write_table(folder / POINTS_FILE, points)
    write_table(folder / CLUSTERS_FILE, measured)


def projections(given: dict[str, Floats]) -> dict[str, Projection]:
    """Of what the heads give (N, k, v) to each set's images: the whole output's projection and every head's.

    The axes are those of FITTED alone.
    """
    heads = given[FITTED].shape[1]
    whole = {WHOLE: {objects: rows.reshape(len(rows), -1) for objects, rows in given.items()}}
    by_head = {str(head): {objects: rows[:, head] for objects, rows in given.items()} for head in range(heads)}
    return {name: project(FITTED, rows) for name, rows in (whole | by_head).items()}


def page(folder: Path, plan: Plan) -> list[str]:
    """Draws the figures."""
    table = read_table(folder / CLUSTERS_FILE)
    if not table:
        return []
    first = where(table, run=0)
    best = {name: _best_head(where(first, architecture=name)) for name in PEOPLE_SAY}
    _draw(folder, first, best)
    return [
        claims_section(judge(table)),
        "## The figures\n",
        f"Run 0. All axes are those of pentominoes; hexominoes are projected onto them. The heads shown first "
        f"are those whose places tell the labels best: {best['predinet']} of the PrediNet, {best['attention']} of "
        "MHA (figure 6b).\n",
        "![One head of the PrediNet, on pentominoes and hexominoes, and one of MHA](head.png)\n",
        "The whole output of the central module (figure S8):\n",
        "![PCA of the whole output](whole.png)\n",
        "Every head (figure S9). The number is the share of labels that pentominoes' places tell; framed heads have "
        "both masks on objects.\n",
        "![PrediNet, pentominoes](heads_predinet_pentos.png)\n",
        "![PrediNet, hexominoes](heads_predinet_hexos.png)\n",
        "![MHA, pentominoes](heads_attention_pentos.png)\n",
    ]


def judge(table: Columns) -> list[Claim]:
    """The paper's claims about the representations, tested on every run."""
    runs = {name: list(groups(where(table, architecture=name), "run")) for name in PEOPLE_SAY}
    whole = {
        PEOPLE_SAY[name]: [float(where(run, head=WHOLE)["labels"][0]) for run in of_name]
        for name, of_name in runs.items()
    }
    predinet, attention = ([_heads(run) for run in runs[name]] for name in ("predinet", "attention"))
    knows = [learnt(float(run["accuracy"][0]), ANALYSED) for run in attention]
    clustering, of_attention = ([run["labels"] >= CLUSTERED for run in of_name] for of_name in (predinet, attention))
    separate = [on_separate_axes(run) & which for run, which in zip(predinet, clustering, strict=True)]
    on_objects = [run["on_objects"] == 1 for run in predinet]
    overlap = [float((a & b).sum() / max((a | b).sum(), 1)) for a, b in zip(clustering, on_objects, strict=True)]
    kept = [
        float((run["held_out"] / run["labels"])[which].min()) if which.any() else 0.0
        for run, which in zip(predinet, clustering, strict=True)
    ]
    best_attention = [float(run["labels"].max()) for run in attention]
    return [
        Claim(
            "PCA on the full representations does not cluster the labels, for any of the models (section S2.1; here "
            "for PrediNet and MHA)",
            "; ".join(f"{name}: places tell {spread(shares)} of the labels" for name, shares in whole.items()),
            f"less than {CLUSTERED}, twice chance, in both",
            [max(pair) < CLUSTERED for certain, *pair in zip(knows, *whole.values(), strict=True) if certain],
        ),
        Claim(
            "several heads of the PrediNet individually cluster the labels (section S2.1)",
            f"{_number(clustering)} of {len(clustering[0])} heads do",
            f"at least 3 heads whose places tell {CLUSTERED} of the labels",
            [bool(which.sum() >= 3) for which in clustering],
        ),
        Claim(
            "for some heads differences in colour and shape align along separate axes (section 5)",
            f"{_number(separate)} heads",
            f"at least one clustering head where pairs that differ in colour alone lie along a line ({LINE:.0%} of "
            f"their spread), those that differ in shape alone along another, {ANGLE:.0f}° or more apart",
            [bool(which.any()) for which in separate],
        ),
        Claim(
            "no head of MHA clusters the labels (section S2.1)",
            f"{_number(of_attention)} heads do; the best head's places tell {spread(best_attention)}",
            "none",
            [not which.any() for certain, which in zip(knows, of_attention, strict=True) if certain],
        ),
        Claim(
            "the clustering is preserved when held-out hexominoes are projected onto the same axes (section S2.1)",
            "in the worst of the clustering heads, places tell hexominoes' labels "
            f"{spread(kept)} times as well as pentominoes'",
            "at least 0.8 times as well in every clustering head",
            [share >= 0.8 for share in kept],
        ),
        Claim(
            "the heads that attend to both objects overlap almost entirely with those that cluster the labels "
            "(section 5)",
            f"{_number(on_objects)} heads have both masks on objects; "
            f"of all in either set, {spread(overlap)} are in both",
            f"at least {OVERLAP}",
            [share >= OVERLAP for share in overlap],
        ),
    ]


def on_separate_axes(heads: Columns) -> Bools:
    """(k,): whether both kinds of difference lie along lines, and these apart."""
    lines = np.minimum(heads["shape_line"], heads["colour_line"])
    return (lines >= LINE) & (heads["angle"] >= ANGLE)


def _heads(rows: Columns) -> Columns:
    """The rows of single heads."""
    chosen = rows["head"] != WHOLE
    return {name: column[chosen] for name, column in rows.items()}


def _number(chosen: Sequence[Bools]) -> str:
    """How many heads each run has of those `chosen`."""
    return spread([int(which.sum()) for which in chosen], 0)


def _draw(folder: Path, first: Columns, best: dict[str, str]) -> None:
    """The figures of run 0."""
    points = read_table(folder / POINTS_FILE)
    sets = {FITTED: "pentominoes", HELD_OUT: "hexominoes"}

    def panel(architecture: str, objects: str, head: str, title: str = "") -> Panel:
        rows = where(points, architecture=architecture, objects=objects, head=head)
        what = "whole output" if head == WHOLE else f"head {head}"
        title = title or f"{PEOPLE_SAY[architecture]}, {what}, {sets[objects]}"
        return Panel(title, np.stack([rows["x"], rows["y"]], axis=1), rows["label"])

    panels = (("predinet", FITTED), ("predinet", HELD_OUT), ("attention", FITTED))
    draw_panels(folder / "head.png", [panel(name, objects, best[name]) for name, objects in panels])
    draw_panels(folder / "whole.png", [panel(name, objects, WHOLE) for name in PEOPLE_SAY for objects in sets])
    for name, objects in panels:
        heads = _heads(where(first, architecture=name))
        shares = heads["labels" if objects == FITTED else "held_out"]
        draw_heads(
            folder / f"heads_{name}_{objects}.png",
            f"{PEOPLE_SAY[name]}, {sets[objects]}",
            [
                panel(name, objects, head, f"{head}: {share:.2f}")
                for head, share in zip(heads["head"], shares, strict=True)
            ],
            framed=(heads["on_objects"] == 1).tolist(),
        )


def _best_head(rows: Columns) -> str:
    heads = _heads(rows)
    return str(heads["head"][heads["labels"].argmax()])


def _measured(projection: Projection, sets: dict[str, Scenes]) -> Columns:
    """How well a projection clusters, a row."""
    measured = clusters(
        projection.points[FITTED], sets[FITTED].labels, projection.points[HELD_OUT], sets[HELD_OUT].labels
    )
    explained = {f"explained_{place}": share for place, share in enumerate(projection.explained, start=1)}
    return {name: np.array([value]) for name, value in (measured | explained).items()}


def _points(architecture: str, head: str, projection: Projection, sets: dict[str, Scenes]) -> list[Columns]:
    """The points drawn, of each set."""
    parts = []
    for objects, points in projection.points.items():
        x, y = points[:DRAWN].astype(np.float64).round(3).T
        key = {"architecture": architecture, "objects": objects, "head": head}
        parts.append(keyed(key, {"label": sets[objects].labels[:DRAWN], "x": x, "y": y}))
    return parts
