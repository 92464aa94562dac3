"""How much the symbols and the rules over them bear of what a user's picture commonly has, and of more shift.

    python benchmarks/corruptions.py [--images N]

Of the default model: the share of exact scenes, by boxes; of right answers by the shipped rules; and the largest
expected calibration error of its learned predicates. Nothing is fitted here.
"""

import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy is loaded

from benchmarks.shared import GAME, name_of, options, print_head, print_row
from predinet_prolog.domains.annotations import as_annotated
from predinet_prolog.domains.relations_game import EVERYDAY
from predinet_prolog.experiments.evaluation import Goal, evaluate
from predinet_prolog.experiments.rules_column import goal_of
from predinet_prolog.neural import load_model
from predinet_prolog.symbolic import theory

OBJECTS = ("hexos", "stripes")
TASKS = ("scatter", "between", "occurs", "column_patterns_3", "column_patterns_5")
SEED = 4_000_037
"""Images come from a seed that nothing was trained, grounded or tested with."""


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--images", type=int, default=300, help="images a cell (default: 300)")
    images = parser.parse_args().images
    model, corruptions = load_model("relations-game"), [None, *EVERYDAY, ("shift", 2), ("shift", 3)]
    print_head("task", "objects", *map(name_of, corruptions))
    for task in TASKS:
        goal = Goal(goal_of(task), [theory("relations_game")])
        for objects in OBJECTS:
            cells = []
            for corruption in corruptions:
                drawn = as_annotated(GAME.generate(task, images, kind=objects, seed=SEED, spoilt=corruption))
                evaluation = evaluate(model, drawn, goal)
                if evaluation.timeouts:
                    print(f"{evaluation.timeouts} goals ran out of time and count as wrong", file=sys.stderr)
                error = max(filter(None, evaluation.calibration.values()), default=0.0)
                cells.append(f"{evaluation.exact_scenes:.3f} {evaluation.accuracy:.3f} {error:.4f}")
            print_row(task, objects, *cells)


if __name__ == "__main__":
    main()
