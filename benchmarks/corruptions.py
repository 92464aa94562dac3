"""How much the symbols and the rules over them bear.

    python benchmarks/corruptions.py curves [--images N] [--only NAME]…
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

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy is loaded

from benchmarks.shared import GAME, options, print_head, print_row
from predinet_prolog.domains.annotations import as_annotated
from predinet_prolog.domains.relations_game import CORRUPTIONS, EVERYDAY, Corruption
from predinet_prolog.experiments.evaluation import Goal, evaluate
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


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("table", choices=["curves", "everyday"])
    parser.add_argument("--images", type=int, default=300, help="images a cell (default: 300)")
    parser.add_argument("--only", choices=CORRUPTIONS, nargs="+", default=list(CORRUPTIONS), help="some curves")
    given = parser.parse_args()
    if given.table == "everyday":
        everyday(given.images)
        return
    curves([CORRUPTIONS[name] for name in given.only], given.images)


def everyday(images: int) -> None:
    """A row for each task and object set: exact scenes and right answers in every corruption."""
    model = load_model(MODELS[0])
    corruptions = [*EVERYDAY, ("shift", 2), ("shift", 3)]
    print_head("task", "objects", *(f"{name} {strength:g}" for name, strength in corruptions))
    for task in TASKS:
        for objects in OBJECTS:
            row = [measure(model, task, images, objects, corruption) for corruption in corruptions]
            print_row(task, objects, *(f"{shares.exact:.3f} {shares.right:.3f}" for shares in row))


def curves(chosen: Sequence[Corruption], images: int) -> None:
    """Measures every cell and prints its row."""
    models = {name: load_model(name) for name in MODELS}
    columns = (f"{what}, {name}" for name in MODELS for what in ("exact", "right"))
    print_head("corruption", "strength", "objects", *columns)
    untouched: dict[tuple[str, str], Shares] = {}  # the same for every corruption: measured once
    for corruption in chosen:
        for strength in corruption.strengths:
            for objects in OBJECTS:
                row = []
                for name, model in models.items():
                    shares = untouched.get((objects, name)) if strength == corruption.untouched else None
                    if shares is None:
                        shares = measure(model, TASK, images, objects, (corruption.name, strength))
                    if strength == corruption.untouched:
                        untouched[objects, name] = shares
                    row.append(shares)
                mark = " (untouched)" if strength == corruption.untouched else ""
                cells = [f"{share:.3f}" for shares in row for share in (shares.exact, shares.right)]
                print_row(corruption.name, f"{strength:g}{mark}", objects, *cells)


def measure(model: Model, task: str, images: int, objects: str, corruption: tuple[str, float]) -> Shares:
    """What `model`, and the rules of `task` over its programs, make of corrupted pictures."""
    drawn = as_annotated(GAME.generate(task, images, kind=objects, seed=SEED, spoilt=corruption))
    evaluation = evaluate(model, drawn, Goal(goal_of(task), [theory("relations_game")]))
    if evaluation.timeouts:
        print(f"{evaluation.timeouts} goals ran out of time and count as wrong", file=sys.stderr)
    assert evaluation.exact_scenes is not None, "the truth is known"
    assert evaluation.accuracy is not None, "it is asked"
    return Shares(evaluation.exact_scenes, evaluation.accuracy)


if __name__ == "__main__":
    main()
