"""Peers of learned rules, on the same boards: networks over what a frozen one says, and learning from failures.

    python benchmarks/rule_learning_peers.py [--peers NAME …] [--only TASK …] [--json FILE]

Logistic regression and a multilayer perceptron get R*, all that the heads of the default model say of a board, and
where a task has several questions its product with the one that is asked. Each is fitted with two weights of its
penalty, and the one that is better on the boards that judge is shown, which flatters it. Learning from failures has
the facts that rules are learned from, and as many seconds for each class as are given; its cheaper class is shown.
"""

import argparse
import json
import warnings
from collections.abc import Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.rule_learning import DEFAULT, PATTERNS, report, shown
from benchmarks.rule_learning_data import SEED, TEACHING_KIND, judging_scenes, predicates, seen, teaching_scenes
from benchmarks.rule_learning_failures import Body, Facts, search
from benchmarks.shared import options, print_head, print_row
from bridge.scene import FloatArray
from domains.relations_game.scenes import Scenes
from domains.relations_game.tasks import TASKS, generate
from domains.writing import write_atomically
from neural import load_model

NETWORKS = {
    "logistic regression": [partial(LogisticRegression, C=weight, max_iter=2000) for weight in (0.01, 1.0)],
    "perceptron": [partial(MLPClassifier, (32,), alpha=weight, max_iter=500, random_state=0) for weight in (1e-4, 1.0)],
}
FAILURES = "failures"
NUMBERS, MORE = (20, 50, 200), 1000
"""Of labelled boards; as many more are drawn for networks alone."""
SEEDS = 3
SEARCHED = {"between": (3,), "xoccurs": (3, 4), "match_rows": (4,)}
"""What is searched for, 50 boards each, with how many variables: some tasks of two labels and one question."""
LITERALS, BOARDS = 4, 50
BATCH = 250
"""Boards that the network is shown at a time."""
FIGURES = Path(__file__).parents[1] / "docs" / "rule-learning-peers.json"


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--peers", nargs="+", choices=[*NETWORKS, FAILURES], default=[*NETWORKS, FAILURES])
    parser.add_argument("--only", nargs="+", choices=TASKS, default=TASKS, help="some tasks")
    parser.add_argument("--seconds", type=float, default=20.0, help="a search for a class may take (default: 20)")
    parser.add_argument("--json", type=Path, default=FIGURES, help="what was measured, and where it is kept")
    given = parser.parse_args()
    rows = json.loads(given.json.read_text()) if given.json.exists() else []
    rows = [row for row in rows if row["peer"].partition(",")[0] not in given.peers or row["task"] not in given.only]
    for row in measured(given):
        rows.append(row)
        write_atomically(given.json, ("[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n").encode())
    report("")
    print_head("task", "peer", "boards", "worst", "seconds")
    for key in dict.fromkeys((row["task"], row["peer"], row["n"]) for row in rows):
        own = [row for row in rows if (row["task"], row["peer"], row["n"]) == key]
        print_row(*key, shown(min(least(row) for row in own)), f"{max(row['seconds'] for row in own):.1f}")


def measured(given: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """A row of each peer, task, number of boards and seed."""
    for task in given.only:
        for peer in given.peers:
            for seed in range(SEEDS):
                report(f"{task}, {peer}, {seed}")
                if peer != FAILURES:
                    yield from network_rows(peer, task, seed)
                elif task in SEARCHED:
                    yield from (searched(task, seed, variables, given.seconds) for variables in SEARCHED[task])


def network_rows(peer: str, task: str, seed: int) -> Iterator[dict[str, Any]]:
    """What a network comes to over R*."""
    few, many = teaching_scenes(task, seed), generate(task, MORE, objects=TEACHING_KIND, seed=(SEED, seed))
    for n, scenes in (*((n, few[:n]) for n in NUMBERS), (MORE, many)):
        start, accuracies = process_time(), []
        features = said(scenes)
        for make in NETWORKS[peer]:
            network = make_pipeline(StandardScaler(), make())
            with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
                network.fit(features, scenes.labels)
            accuracies.append({kind: float(network.score(*own)) for kind, own in _judging(task).items()})
        best = max(accuracies, key=lambda accuracy: min(accuracy.values()))
        seconds = round(process_time() - start, 2)
        yield {"task": task, "peer": peer, "n": n, "seed": seed, "accuracy": best, "seconds": seconds}


def searched(task: str, seed: int, variables: int, seconds: float) -> dict[str, Any]:
    """What learning from failures comes to: clauses of the label that costs less, else the other."""
    model = load_model(DEFAULT)
    known, scenes = predicates(model), teaching_scenes(task, seed)[:BOARDS]
    facts = facts_of(scenes, variables)
    found = {
        label: search(facts, scenes.labels == label, known, literals=LITERALS, seconds=seconds) for label in (1, 0)
    }
    label = min(found, key=lambda each: found[each].cost)
    best, accuracy = found[label], {}
    for kind, own in judging_scenes(task).items():
        of_kind = facts_of(own, variables)
        holds = np.logical_or.reduce([np.zeros(len(own), dtype=bool), *map(of_kind.holds, best.bodies)])
        accuracy[kind] = float((np.where(holds, label, 1 - label) == own.labels).mean())
    return {
        **{"task": task, "peer": f"{FAILURES}, {variables} variables", "n": BOARDS, "seed": seed, "accuracy": accuracy},
        "seconds": round(sum(each.seconds for each in found.values()), 1),
        "tested": {str(label): each.tested for label, each in found.items()},
        "finished": all(each.finished for each in found.values()),
        "rules": [written(label, body) for body in best.bodies],
    }


def facts_of(scenes: Scenes, variables: int) -> Facts:
    """What the default model's programs say of the boards, and what of two things is not said."""
    model = load_model(DEFAULT)
    boards = seen(model, scenes)
    tables = boards.tables(model)
    negations = {each.negation: boards.pairs & ~tables[each.name] for each in predicates(model) if each.negation}
    return Facts(tables | negations, variables)


def written(label: int, body: Body) -> str:
    """As a clause."""
    literals = (f"{name}({', '.join('ABCD'[each] for each in own)})" for name, own in body)
    return f"label({label}) :- {', '.join(literals)}."


def said(scenes: Scenes) -> FloatArray:
    """(N, k(j + 4)) R*, or as often as there are questions, with 0 for those that are not asked."""
    import torch  # it takes a while to import

    network, images = load_model(DEFAULT).network, scenes.render()
    batches = (torch.from_numpy(images[start : start + BATCH]) for start in range(0, len(images), BATCH))
    nothing = torch.zeros(BATCH, dtype=torch.int64)  # R* does not depend on what is asked
    flat = np.concatenate([network(batch, nothing[: len(batch)]).flat.numpy() for batch in batches])
    if scenes.task not in PATTERNS:
        return flat
    asked = np.eye(int(scenes.task[-1]))[scenes.task_ids]
    return np.concatenate([asked, (asked[:, :, None] * flat[:, None]).reshape(len(flat), -1)], axis=1)


@cache
def _judging(task: str) -> Mapping[str, tuple[FloatArray, Any]]:
    return {kind: (said(scenes), scenes.labels) for kind, scenes in judging_scenes(task).items()}


def least(row: Mapping[str, Any]) -> float:
    """The least accuracy of all kinds."""
    return float(min(row["accuracy"].values()))


if __name__ == "__main__":
    main()
