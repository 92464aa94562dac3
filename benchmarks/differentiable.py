"""Training through a rule beside the output MLP: how many labelled images does either take?

    python benchmarks/differentiable.py [--steps N] [-o docs/differentiable.json] [--page docs/differentiable.md]

Both learn the task `between` from the same 100, 1,000 and 10,000 labelled images of pentominoes, in batches of 32, by
the recipe `fast` (Adam at the same rates, so many steps), from the same first weights of encoder and PrediNet. One is
judged by the rule of `examples/differentiable`, the other by the recipe's output MLP, with its auxiliary losses. Two
rows have learned nothing: the rule with the threshold of the others, and with one of 0.01.

Each is measured on fresh pentominoes, clean and with noise, hexominoes and stripes: mean and range of the seeds, in
percent. Figures are written network by network; a benchmark that was interrupted goes on. `--page` writes the table
between the marks of a page.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from benchmarks.shared import GAME, name_of, options
from domains.domain import Corruption, Labelled
from examples.differentiable.train_by_rule import SIZE, TASK, batches, new_soft_relations, share_right, train
from neural import RelationsNetwork, predict, training_config
from neural.recipes import network_config
from neural.runs import Runs
from neural.soft_predicates import SoftRelations
from neural.threads import one_thread

IMAGES = (100, 1_000, 10_000)
SEEDS = (0, 1, 2)
LOW = 0.01
"""A threshold that things of equal pixels keep with any weights, and few others."""
TEST_SEED, TEST_IMAGES = 6_000_011, 2_000
TESTS: tuple[tuple[str, Corruption | None], ...] = (
    ("pentos", None),
    ("pentos", ("noise", 0.05)),
    ("hexos", None),
    ("stripes", None),
)
MARKS = "<!-- measured -->", "<!-- end of what is measured -->"
Scores = dict[str, float]
"""Shares of right answers, by what the pictures show."""


@one_thread()
def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--steps", type=int, default=2_000, help="of each network (default: 2000)")
    parser.add_argument("-o", type=Path, default=Path("docs/differentiable.json"), help="where figures are kept")
    parser.add_argument("--page", type=Path, help="write the table into this page, too")
    given = parser.parse_args()
    figures = {"steps": given.steps, "networks": {}}
    if given.o.exists() and (kept := json.loads(given.o.read_text()))["steps"] == given.steps:
        figures = kept
    tests = {
        f"{kind}, {name_of(corruption)}": GAME.generate(
            TASK, TEST_IMAGES, kind=kind, seed=TEST_SEED, corruption=corruption
        )
        for kind, corruption in TESTS
    }
    for name, scores in networks(given.steps, tests, done=figures["networks"]):
        figures["networks"][name] = scores
        given.o.write_text(json.dumps(figures, indent=1) + "\n")
        print(name, scores, flush=True)
    if given.page:
        before, _, rest = given.page.read_text(encoding="utf-8").partition(MARKS[0])
        after = rest.partition(MARKS[1])[2]
        whole = f"{before}{MARKS[0]}\n\n{table(figures['networks'])}\n{MARKS[1]}{after}"
        given.page.write_text(whole, encoding="utf-8")


def networks(steps: int, tests: dict[str, Labelled], done: dict[str, Scores]) -> Iterator[tuple[str, Scores]]:
    """The names and scores of all that are not `done`."""
    for seed in SEEDS:
        for name, threshold in (("rule, untrained", None), (f"rule, untrained, threshold {LOW}", LOW)):
            if key(name, 0, seed) not in done:
                yield key(name, 0, seed), scores_of(untrained(seed, threshold), tests)
    for images in IMAGES:
        shown = [GAME.generate(TASK, images, seed=(seed, 1)) for seed in SEEDS]
        if key("output MLP", images, SEEDS[-1]) not in done:
            for seed, network in zip(SEEDS, trained_with_mlp(shown, steps), strict=True):
                yield key("output MLP", images, seed), scores_of(network, tests)
        for seed, own in zip(SEEDS, shown, strict=True):
            if key("rule", images, seed) not in done:
                soft = new_soft_relations(seed)
                train(soft, own, steps=steps, seed=seed)
                yield key("rule", images, seed), scores_of(soft, tests)


def key(name: str, images: int, seed: int) -> str:
    return f"{name}; {images}; {seed}"


def untrained(seed: int, threshold: float | None) -> SoftRelations:
    soft = new_soft_relations(seed)
    if threshold is not None:
        soft.predicates["same"] = replace(soft.predicates["same"], threshold=threshold)
    return soft


def trained_with_mlp(shown: Sequence[Labelled], steps: int) -> list[RelationsNetwork]:
    """A network for each of SEEDS, from its own images."""
    recipe = training_config([TASK], steps=steps)
    runs = Runs(
        network_config(recipe, **SIZE),
        SEEDS,
        optimiser=recipe.optimiser,
        relations_rate=recipe.relations_rate,
        coverage=recipe.coverage,
        centring=recipe.centring,
    )
    arrays = [(own.images, own.task_ids, own.labels) for own in shown]
    of_steps = zip(*(batches(len(shown[0]), recipe.batch, steps, seed) for seed in SEEDS), strict=True)
    for step, own_batches in enumerate(of_steps):
        runs.learning_rate = recipe.learning_rate * 0.5 * (1 + float(np.cos(np.pi * step / steps)))
        picked = [[array[batch] for array in own] for own, batch in zip(arrays, own_batches, strict=True)]
        runs.step(*(torch.from_numpy(np.stack(part)) for part in zip(*picked, strict=True)))
    return [runs.network(place) for place in range(len(SEEDS))]


def scores_of(network: SoftRelations | RelationsNetwork, tests: dict[str, Labelled]) -> Scores:
    return {name: round(share(network, shown), 4) for name, shown in tests.items()}


def share(network: SoftRelations | RelationsNetwork, shown: Labelled) -> float:
    """Of right answers."""
    if isinstance(network, SoftRelations):
        return share_right(network, shown)
    return float((predict(network, shown.images, shown.task_ids) == shown.labels).mean())


def table(scores: dict[str, Scores]) -> str:
    """In Markdown: a row for each kind of network and number of images."""
    rows: dict[tuple[str, str], list[Scores]] = {}
    for name, own in scores.items():
        kind, images, _ = name.split("; ")
        rows.setdefault((kind, images), []).append(own)
    columns = list(next(iter(scores.values())))
    lines = [f"| judged by | labelled images | {' | '.join(columns)} |", "| --- | ---: |" + " ---: |" * len(columns)]
    for (kind, images), own in sorted(rows.items(), key=lambda row: (row[0][0], int(row[0][1]))):
        cells = [percent([each[column] for each in own]) for column in columns]
        lines.append(f"| {kind} | {int(images):,} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def percent(shares: Sequence[float]) -> str:
    """Mean, least and most."""
    mean, least, most = (100 * each for each in (float(np.mean(shares)), min(shares), max(shares)))
    return f"{mean:.2f} ({least:.2f}-{most:.2f})"


if __name__ == "__main__":
    main()
