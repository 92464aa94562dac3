"""How many labels rules need where the learner says which board to label next, and where chance does.

    python benchmarks/rule_learning_asking.py [--only TASK …] [--seeds N] [--json FILE]

There are 240 boards of pentominoes without labels. The first labels are of boards by chance, until two differ; then
after each label rules are learned anew. Counted are the labels until the rules give 99 % of the boards of each other
kind their labels; MOST if that was not reached.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

from benchmarks.rule_learning import DEFAULT, GOOD, PATTERNS, accuracies, report, told
from benchmarks.rule_learning_data import SEED, TEACHING_KIND
from benchmarks.shared import options, print_head, print_row
from domains.relations_game.tasks import TASKS, generate
from domains.writing import write_atomically
from symbolic.learning import Options, ask_next, learn

ASKED = ("between", "scatter", "colour_and_or_shape", "xoccurs", "match_rows")
POOL, MOST, SEEDS = 240, 60, 10
HOW = ("asked", "by chance")
FIGURES = Path(__file__).parents[1] / "docs" / "rule-learning-asking.json"


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--only", nargs="+", choices=TASKS, default=ASKED, help="some tasks")
    parser.add_argument("--seeds", type=int, default=SEEDS, help=f"pools (default: {SEEDS})")
    parser.add_argument("--json", type=Path, default=FIGURES, help="what was measured, and where it is kept")
    given = parser.parse_args()
    found: list[dict[str, Any]] = json.loads(given.json.read_text()) if given.json.exists() else []
    known = {(row["task"], row["how"], row["seed"]) for row in found}
    print_head("task", *HOW)
    for task in given.only:
        for seed in range(given.seeds):
            for how in HOW:
                if (task, how, seed) not in known:
                    report(f"{task}, {how}, {seed}")
                    found.append({"task": task, "how": how, "seed": seed, "labels": labels_needed(task, how, seed)})
                    lines = ",\n".join(map(json.dumps, found))
                    write_atomically(given.json, f"[\n{lines}\n]\n".encode())
        report("")
        print_row(f"`{task}`", *means(found, task))


def means(found: Sequence[dict[str, Any]], task: str) -> list[str]:
    """Of each way, the mean number of labels and the most."""
    labels = [[row["labels"] for row in found if (row["task"], row["how"]) == (task, how)] for how in HOW]
    return [f"{mean(own):.1f} ({min(own)}–{max(own)})" for own in labels]


def labels_needed(task: str, how: str, seed: int) -> int:
    """Labels until the rules are good; MOST if they never were."""
    scenes = generate(task, POOL, objects=TEACHING_KIND, seed=(SEED, seed))
    situations, labels = told(DEFAULT, scenes)
    order = np.random.default_rng((SEED, seed)).permutation(POOL).tolist()
    first = next(n for n in range(2, POOL) if len({labels[board] for board in order[:n]}) > 1)
    labelled, waiting = order[:first], order[first:]
    while len(labelled) < MOST:
        learned = learn(
            [situations[board] for board in labelled],
            [labels[board] for board in labelled],
            tuple(situations[0].holds),
            Options(exclusive=task in PATTERNS),
        )
        if min(accuracies(learned.theory, DEFAULT, task).values()) >= GOOD:
            return len(labelled)
        best = ask_next(learned, [situations[board] for board in waiting]) if how == "asked" else []
        labelled.append(waiting.pop(best[0] if best else 0))
    return MOST


if __name__ == "__main__":
    main()
