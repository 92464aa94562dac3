"""`attention`: what the heads of trained PrediNets look at (figure 6a; section S2.2, figure S10)."""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from predinet_prolog.domains.relations_game import Scenes, generate
from predinet_prolog.experiments.analysis import ANALYSED, CONTENT_IMAGES, CONTENT_SEED
from predinet_prolog.experiments.attention_figures import draw_heads, draw_heat_maps
from predinet_prolog.experiments.claims import Claim, claims_section, spread
from predinet_prolog.experiments.configurations import Configuration, from_scratch, model_path
from predinet_prolog.experiments.heads import FULL as FULL
from predinet_prolog.experiments.heads import ON_OBJECTS, Floats, attention_masks, head_statistics, object_heads
from predinet_prolog.experiments.plans import Plan
from predinet_prolog.experiments.tables import Columns, groups, keyed, markdown, read_table, where, write_table
from predinet_prolog.neural.checkpoint import load_model

TASKS = ("same", "occurs", ANALYSED)
"""Figure 6a shows heat maps of the first two; section S2.2 analyses the third."""
SETS = ("pentos", "hexos")
PICTURES = 3
"""Held-out images whose heat maps are drawn."""
PICTURE_SEED = 6_000_213
HEADS_FILE, MAPS_FILE = "heads.csv", "heat_maps.csv"

MIXED = 0.1
"""A mask is on object and background if more than this falls on either."""
MANY = 0.25
"""Share of the heads that is many."""
STILL = 1.0
"""A mask attends to one place if its place in the position mask varies by no more (standard deviation, windows)."""
ALIKE = 0.05
"""Mean difference of content that counts as similar."""

Results = dict[tuple[str, str], list[Columns]]
"""By task and object set, each run's `head_statistics`."""


def configurations(plan: Plan) -> list[Configuration]:
    """The PrediNets of every task, of either plan."""
    return [from_scratch("predinet", task) for task in TASKS]


def measure(folder: Path, plan: Plan) -> None:
    """Writes what the heads look at: MAPS_FILE and HEADS_FILE."""
    heads, maps = [], []
    for configuration in configurations(plan):
        measured = [
            generate(configuration.task, CONTENT_IMAGES, objects=objects, seed=CONTENT_SEED) for objects in SETS
        ]
        for number in range(plan.runs):
            network = load_model(model_path(folder, configuration.name, number)).network
            for scenes in measured:
                key = {"task": configuration.task, "objects": scenes.object_set, "run": number}
                heads.append(keyed(key, head_statistics(network, scenes)))
            if number == 0:
                masks = attention_masks(network, pictures(configuration.task).render())
                maps.append(keyed({"task": configuration.task}, _map_rows(masks)))
    write_table(folder / MAPS_FILE, maps)
    write_table(folder / HEADS_FILE, heads)


def page(folder: Path, plan: Plan) -> list[str]:
    """Draws heads.png and the heat maps."""
    table = read_table(folder / HEADS_FILE)
    if not table:
        return []
    results = {
        (task, objects): list(groups(where(table, task=task, objects=objects), "run"))
        for task in TASKS
        for objects in SETS
    }
    draw_heads(folder / "heads.png", results[ANALYSED, "pentos"][0])
    maps = read_table(folder / MAPS_FILE)
    for task in TASKS:
        masks = _masks(where(maps, task=task))
        draw_heat_maps(folder / f"heat_maps_{task}.png", pictures(task).render(), masks)
    return [
        claims_section(judge(results)),
        "## Where the heads look\n",
        _summary(results),
        "Heat maps of every head of run 0 on held-out images (figure 6a shows four heads):\n",
        *(f"`{task}`\n\n![Heat maps, {task}](heat_maps_{task}.png)\n" for task in TASKS),
        f"Content, position and output weights of the heads of run 0 (figure S10), `{ANALYSED}`, pentominoes:\n",
        "![Content, position and output weights of every head](heads.png)\n",
    ]


def pictures(task: str) -> Scenes:
    """The held-out images whose heat maps are drawn."""
    return generate(task, PICTURES, objects="hexos", seed=PICTURE_SEED)


def judge(results: Results) -> list[Claim]:
    """The paper's claims about attention, tested on every run."""
    single = [*results["same", "hexos"], *results["occurs", "hexos"]]
    analysed, held_out = results[ANALYSED, "pentos"], results[ANALYSED, "hexos"]
    centred = [float(heads["centred"].mean()) for heads in single]
    focal_on_objects = [float(heads["centred"].sum() / max((1 - heads["diffuse"]).sum(), 1e-9)) for heads in single]
    pairs, partial, diffuse = (
        [int((heads[name] > 0.5).sum()) for heads in single] for name in ("pairs", "partial", "diffuse")
    )
    on_objects = [object_heads(heads) for heads in analysed]
    mixed = [((content > MIXED) & (content < 1 - MIXED)).any(0) for content in map(_content, analysed)]
    alike = [
        float(np.abs(_content(trained) - _content(held)).mean())
        for trained, held in zip(analysed, held_out, strict=True)
    ]
    moving = [float(np.mean([heads[f"position_{mask}_sd"] > STILL for mask in (1, 2)])) for heads in analysed]
    ratios = [_ratio(heads["weights"], which) for heads, which in zip(analysed, on_objects, strict=True)]
    return [
        Claim(
            "most of the attention focuses on the centres of single objects (section 5)",
            f"`same`, `occurs`, hexominoes: {spread(centred)} of all masks lie by more than half on the window of a "
            f"single whole object; of the masks that lie on some window by more than half, {spread(focal_on_objects)}",
            "more than half of all masks",
            [share > 0.5 for share in centred],
        ),
        Claim(
            "many of the heads pick out pairs of distinct objects (section 5)",
            f"{spread(pairs, 0)} heads do so in more than half of the images",
            f"at least {MANY:.0%} of the heads",
            [count >= MANY * len(heads["pairs"]) for count, heads in zip(pairs, single, strict=True)],
        ),
        Claim(
            "some heads attend to halves or corners of objects (section 5)",
            f"{spread(partial, 0)} heads have most of their masks on such windows",
            "at least one head",
            [count > 0 for count in partial],
            somewhere=True,
        ),
        Claim(
            "some heads exhibit diffuse attention (section 5)",
            f"{spread(diffuse, 0)} heads have most of their masks on no single window",
            "at least one head",
            [count > 0 for count in diffuse],
            somewhere=True,
        ),
        Claim(
            "both masks of some heads consistently attend to objects, others to a combination of object and background "
            "(section S2.2)",
            f"`{ANALYSED}`, pentominoes: {spread([which.sum() for which in on_objects], 0)} heads have both masks on "
            f"objects by at least {ON_OBJECTS}, {spread([which.sum() for which in mixed], 0)} have a mask between "
            f"{MIXED} and {1 - MIXED}",
            "at least one head of each kind",
            [bool(which.any() and rest.any()) for which, rest in zip(on_objects, mixed, strict=True)],
        ),
        Claim(
            "similar results are obtained with held-out images (section S2.2)",
            f"on hexominoes a mask's content differs by {spread(alike, 3)} in the mean",
            f"at most {ALIKE}",
            [difference <= ALIKE for difference in alike],
        ),
        Claim(
            "the masks of the majority of the heads do not consistently attend to specific locations (section S2.2)",
            f"the place of {spread(moving)} of the masks varies by more than {STILL:.0f} window (standard deviation)",
            "more than half of the masks",
            [share > 0.5 for share in moving],
        ),
        Claim(
            "the heads that consistently attend only to objects have higher output weights than the rest "
            "(section S2.2)",
            f"their mean absolute weight is {spread(ratios)} times that of the others",
            "more than 1",
            [ratio > 1 for ratio in ratios],
        ),
    ]


def _content(heads: Columns) -> Floats:
    """(2, k): mean content of both masks of every head."""
    return np.stack([heads["content_1"], heads["content_2"]])


def _ratio(weights: Floats, chosen: npt.NDArray[np.bool_]) -> float:
    """Mean output weight of the heads `chosen` over that of the others; 0 if either are none."""
    if chosen.all() or not chosen.any():
        return 0.0
    return float(weights[chosen].mean() / weights[~chosen].mean())


def _summary(results: Results) -> str:
    """A Markdown table: what share of the masks shows what, and how many heads are of which kind."""
    header = "task", "objects", "masks on one whole object", "on a part", "on no single window", "heads on objects"
    rows = []
    for (task, objects), runs in results.items():
        columns = [
            *(spread([float(heads[name].mean()) for heads in runs]) for name in ("centred", "partial", "diffuse")),
            spread([int(object_heads(heads).sum()) for heads in runs], 0),
            spread([int((heads["pairs"] > 0.5).sum()) for heads in runs], 0),
        ]
        rows.append((f"`{task}`", objects, *columns))
    return markdown((*header, "heads that pick two objects"), rows)


def _map_rows(masks: Floats) -> Columns:
    """Of `masks` (PICTURES, k, 2, n) a row each, with a column for each window."""
    image, head, mask = np.indices(masks.shape[:3]).reshape(3, -1)
    windows = {f"w{window}": column for window, column in enumerate(masks.reshape(-1, masks.shape[3]).T)}
    return {"image": image, "head": head, "mask": mask + 1} | windows


def _masks(rows: Columns) -> Floats:
    """The inverse of `_map_rows`."""
    windows = [column for name, column in rows.items() if name.startswith("w")]
    return np.stack(windows, axis=1).astype(np.float32).reshape(PICTURES, -1, 2, len(windows))
