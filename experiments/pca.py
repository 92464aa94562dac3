"""`pca`: principal components of what PrediNet and multi-head attention give (figure 6b; section S2.1, S8, S9)."""

from dataclasses import asdict, fields
from pathlib import Path

import numpy as np
import numpy.typing as npt

from domains.relations_game import Scenes, generate
from experiments.analysis import ANALYSED, beginning, object_heads
from experiments.axes import NEIGHBOURS, Clusters, Floats, Projection, clusters, project
from experiments.cells import from_scratch, model_path
from experiments.claims import Claim, claims_section, spread
from experiments.experiment import Experiment
from experiments.heads import head_outputs
from experiments.pages import learnt
from experiments.pca_figures import Panel, draw_heads, draw_panels
from experiments.plans import Plan
from experiments.tables import Row, read_table, write_table
from neural.checkpoint import load_model

CELLS = tuple(from_scratch(name, ANALYSED) for name in ("predinet", "attention"))
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
    measured: list[Row] = []
    points: list[Row] = []
    for cell in CELLS:
        for number in range(plan.runs):
            model = load_model(model_path(folder, cell.name, number))
            network = model.network
            given = {objects: head_outputs(network, scenes.render()) for objects, scenes in sets.items()}
            on_objects = np.zeros(network.config.heads, dtype=np.bool_)
            if cell.architecture == "predinet":
                on_objects = object_heads(network)
            accuracy = {"accuracy": model.accuracies[HELD_OUT][ANALYSED]}
            for head, projection in projections(given).items():
                key: Row = {"architecture": cell.architecture, "run": number, "head": head}
                attends = head != WHOLE and bool(on_objects[int(head)])
                measured.append({**key, "on_objects": int(attends), **accuracy, **_cluster_row(projection, sets)})
                if number == 0:
                    points += _point_rows(cell.architecture, head, projection, sets)
    write_table(folder / POINTS_FILE, points)
    write_table(folder / CLUSTERS_FILE, measured)


def projections(given: dict[str, Floats]) -> dict[str, Projection]:
    """Of what the heads give (N, k, v) to each set's images: the whole output's projection and every head's.

    The axes are those of FITTED alone.
    """
    heads = given[FITTED].shape[1]
    whole = {WHOLE: {objects: rows.reshape(len(rows), -1) for objects, rows in given.items()}}
    each = {str(head): {objects: rows[:, head] for objects, rows in given.items()} for head in range(heads)}
    return {name: project(FITTED, rows) for name, rows in (whole | each).items()}


def page(folder: Path, plan: Plan) -> list[str]:
    """Draws the figures."""
    rows = read_table(folder / CLUSTERS_FILE)
    lines = beginning(folder, plan, CELLS, measured=bool(rows))
    if not rows:
        return lines
    first = [row for row in rows if row["run"] == "0"]
    best = {cell.architecture: _best_head(first, cell.architecture) for cell in CELLS}
    _draw(folder, first, best)
    lines += [claims_section(judge(rows)), "## The figures\n"]
    lines += [
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
        _READING,
    ]
    return lines


def judge(rows: list[dict[str, str]]) -> list[Claim]:
    """The paper's claims about the representations, tested on every run."""
    predinet, attention = (_by_run(rows, architecture) for architecture in ("predinet", "attention"))
    whole = {
        name: [float(run[WHOLE]["labels"]) for run in runs]
        for name, runs in (("PrediNet", predinet), ("MHA", attention))
    }
    clustering = [{head for head in _heads(run) if float(run[head]["labels"]) >= CLUSTERED} for run in predinet]
    of_attention = [{head for head in _heads(run) if float(run[head]["labels"]) >= CLUSTERED} for run in attention]
    separate = [
        {head for head in _heads(run) if _clusters(run[head]).on_separate_axes(line=LINE, angle=ANGLE)} & heads
        for run, heads in zip(predinet, clustering, strict=True)
    ]
    on_objects = [{head for head in _heads(run) if run[head]["on_objects"] == "1"} for run in predinet]
    overlap = [len(a & b) / max(len(a | b), 1) for a, b in zip(clustering, on_objects, strict=True)]
    kept = [
        [float(run[head]["held_out"]) / float(run[head]["labels"]) for head in heads] or [0.0]
        for run, heads in zip(predinet, clustering, strict=True)
    ]
    best_attention = [max(float(run[head]["labels"]) for head in _heads(run)) for run in attention]
    return [
        Claim(
            "PCA on the full representations does not cluster the labels, for any of the models (section S2.1; here "
            "for PrediNet and MHA)",
            "; ".join(f"{name}: places tell {spread(shares)} of the labels" for name, shares in whole.items()),
            f"less than {CLUSTERED}, twice chance, in both",
            [
                max(pair) < CLUSTERED
                for run, *pair in zip(attention, *whole.values(), strict=True)
                if learnt(float(run[WHOLE]["accuracy"]), ANALYSED)
            ],
        ),
        Claim(
            "several heads of the PrediNet individually cluster the labels (section S2.1)",
            f"{spread([len(heads) for heads in clustering], 0)} of {len(_heads(predinet[0]))} heads do",
            f"at least 3 heads whose places tell {CLUSTERED} of the labels",
            [len(heads) >= 3 for heads in clustering],
        ),
        Claim(
            "for some heads differences in colour and shape align along separate axes (section 5)",
            f"{spread([len(heads) for heads in separate], 0)} heads",
            f"at least one clustering head where pairs that differ in colour alone lie along a line ({LINE:.0%} of "
            f"their spread), those that differ in shape alone along another, {ANGLE:.0f}° or more apart",
            [len(heads) > 0 for heads in separate],
        ),
        Claim(
            "no head of MHA clusters the labels (section S2.1)",
            f"{spread([len(heads) for heads in of_attention], 0)} heads do; the best head's places tell "
            f"{spread(best_attention)}",
            "none",
            [
                not heads
                for run, heads in zip(attention, of_attention, strict=True)
                if learnt(float(run[WHOLE]["accuracy"]), ANALYSED)
            ],
        ),
        Claim(
            "the clustering is preserved when held-out hexominoes are projected onto the same axes (section S2.1)",
            "in the worst of the clustering heads, places tell hexominoes' labels "
            f"{spread([min(run) for run in kept])} times as well as pentominoes'",
            "at least 0.8 times as well in every clustering head",
            [min(run) >= 0.8 for run in kept],
        ),
        Claim(
            "the heads that attend to both objects overlap almost entirely with those that cluster the labels "
            "(section 5)",
            f"{spread([len(heads) for heads in on_objects], 0)} heads have both masks on objects; "
            f"of all in either set, {spread(overlap)} are in both",
            f"at least {OVERLAP}",
            [share >= OVERLAP for share in overlap],
        ),
    ]


_READING = f"""How to read it. *Places tell the labels*: the {NEIGHBOURS} nearest of half of the pentominoes vote on
the label of each of the others; the mean over the four labels of the share told right, chance is 0.25. The measure and
the thresholds are ours; the paper judges by eye.

Data: `{CLUSTERS_FILE}` (by architecture, run and head), `{POINTS_FILE}` (the points drawn), `cells/` (curves of the
training), `models/` (the networks).
"""


def _draw(folder: Path, first: list[dict[str, str]], best: dict[str, str]) -> None:
    """The figures of run 0."""
    panels = _read_points(folder / POINTS_FILE)
    tell = {FITTED: "labels", HELD_OUT: "held_out"}
    told = {
        (row["architecture"], objects, row["head"]): float(row[column])
        for row in first
        for objects, column in tell.items()
    }
    framed = {row["head"] for row in first if row["on_objects"] == "1"}
    sets = {FITTED: "pentominoes", HELD_OUT: "hexominoes"}

    def panel(architecture: str, objects: str, head: str) -> Panel:
        points, labels = panels[architecture, objects, head]
        what = "whole output" if head == WHOLE else f"head {head}"
        return Panel(f"{PEOPLE_SAY[architecture]}, {what}, {sets[objects]}", points, labels)

    predinet, attention = best["predinet"], best["attention"]
    draw_panels(
        folder / "head.png",
        [
            panel("predinet", FITTED, predinet),
            panel("predinet", HELD_OUT, predinet),
            panel("attention", FITTED, attention),
        ],
    )
    draw_panels(
        folder / "whole.png",
        [panel(architecture, objects, WHOLE) for architecture in PEOPLE_SAY for objects in sets],
    )
    for architecture, objects in (("predinet", FITTED), ("predinet", HELD_OUT), ("attention", FITTED)):
        heads = sorted({head for _, _, head in panels if head != WHOLE}, key=int)
        draw_heads(
            folder / f"heads_{architecture}_{objects}.png",
            f"{PEOPLE_SAY[architecture]}, {sets[objects]}",
            [
                Panel(f"{head}: {told[architecture, objects, head]:.2f}", *panels[architecture, objects, head])
                for head in heads
            ],
            framed=[architecture == "predinet" and head in framed for head in heads],
        )


def _best_head(first: list[dict[str, str]], architecture: str) -> str:
    heads = [row for row in first if row["architecture"] == architecture and row["head"] != WHOLE]
    return max(heads, key=lambda row: float(row["labels"]))["head"]


def _by_run(rows: list[dict[str, str]], architecture: str) -> list[dict[str, dict[str, str]]]:
    """Of each run the rows by head."""
    runs: dict[str, dict[str, dict[str, str]]] = {}
    for row in rows:
        if row["architecture"] == architecture:
            runs.setdefault(row["run"], {})[row["head"]] = row
    return list(runs.values())


def _heads(run: dict[str, dict[str, str]]) -> list[str]:
    return [head for head in run if head != WHOLE]


def _cluster_row(projection: Projection, sets: dict[str, Scenes]) -> Row:
    found = clusters(projection.points[FITTED], sets[FITTED].labels, projection.points[HELD_OUT], sets[HELD_OUT].labels)
    return {**asdict(found), "explained_1": projection.explained[0], "explained_2": projection.explained[1]}


def _clusters(row: dict[str, str]) -> Clusters:
    return Clusters(**{field.name: float(row[field.name]) for field in fields(Clusters)})


def _point_rows(architecture: str, head: str, projection: Projection, sets: dict[str, Scenes]) -> list[Row]:
    return [
        {
            "architecture": architecture,
            "objects": objects,
            "head": head,
            "label": int(label),
            "x": round(float(x), 3),
            "y": round(float(y), 3),
        }
        for objects, points in projection.points.items()
        for (x, y), label in zip(points[:DRAWN], sets[objects].labels[:DRAWN], strict=True)
    ]


def _read_points(path: Path) -> dict[tuple[str, str, str], tuple[Floats, npt.NDArray[np.int64]]]:
    """By architecture, object set and head: points (DRAWN, 2) and labels (DRAWN,)."""
    found: dict[tuple[str, str, str], list[tuple[str, str, str]]] = {}
    for row in read_table(path):
        key = (row["architecture"], row["objects"], row["head"])
        found.setdefault(key, []).append((row["x"], row["y"], row["label"]))
    return {
        key: (np.array([row[:2] for row in rows], dtype=np.float32), np.array([row[2] for row in rows], dtype=np.int64))
        for key, rows in found.items()
    }


EXPERIMENT = Experiment(
    name="pca",
    title="Principal components of what PrediNet and multi-head attention give",
    claim="single heads of the PrediNet cluster the labels, colour and shape along separate axes; heads of MHA do not",
    cost="one PrediNet and one MHA a run, taken from table1 if that is done",
    cells=lambda plan: CELLS,
    page=page,
    measure=measure,
)
