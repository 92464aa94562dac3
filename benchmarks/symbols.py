"""How good the symbols and the rules over them are: each table in the README is one of these commands.

    python benchmarks/symbols.py public           # model between on the two public files
    python benchmarks/symbols.py transfer         # model between, rules for tasks it was never trained on
    python benchmarks/symbols.py relations-game   # every task and object set: exact scenes, rules, network
    python benchmarks/symbols.py pairs            # same_shape and same_colour on balanced pairs

Every cell of the first three is one `predinet-prolog evaluate … --json`, which --verbose prints.
"""

import json
import os
import shlex
import sys
from subprocess import run

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy is loaded

import numpy as np

from benchmarks.shared import COMMAND, INFO, options, print_head, print_row, public_file
from predinet_prolog.bridge import perceiver_of, write_program
from predinet_prolog.domains.relations_game import OBJECT_SETS, TASKS, Scenes, object_set, task_info
from predinet_prolog.experiments.rules_column import goal_of
from predinet_prolog.neural import load_model
from predinet_prolog.symbolic import Engine

SEED = 4_000_037
"""Images of the tables come from a seed that nothing was trained, grounded or tested with."""
PUBLIC = ("mini_between_hexos.npz", "mini_between_stripes.npz")


def main() -> None:
    parser = options(__doc__)
    tables = {"public": public, "transfer": transfer, "relations-game": relations_game, "pairs": pairs}
    parser.add_argument("table", choices=tables)
    parser.add_argument("--images", type=int, help="images a cell (default: 5000; relations-game: 2000)")
    parser.add_argument("--verbose", action="store_true", help="print the commands")
    chosen = parser.parse_args()
    tables[chosen.table](chosen.images or (2000 if chosen.table == "relations-game" else 5000), chosen.verbose)


def public(images: int, verbose: bool) -> None:
    print_head("data", "objects", "exact scenes", "rules alone", "network")
    print_public("between", images, verbose)


def print_public(model: str, images: int, verbose: bool) -> None:
    """The rows of the public files."""
    for name in PUBLIC:
        data = str(public_file(name)), model, verbose, "--limit", images
        rules, network = evaluate(*data, goal=goal_of("between")), evaluate(*data, "--task", "between")
        print_row(name, "public file", rules["exact_scenes"], rules["accuracy"], network["accuracy"])


def transfer(images: int, verbose: bool) -> None:
    print_head("task", "objects", "exact scenes", "rules alone")
    for task in ("column_patterns_5", "row_patterns_5"):
        for objects in ("hexos", "stripes"):
            rules = evaluate(task, "between", verbose, *generated(objects, images), goal=goal_of(task))
            print_row(task, objects, rules["exact_scenes"], rules["accuracy"])


def relations_game(images: int, verbose: bool) -> None:
    print_head("task", "objects", "exact scenes", "rules alone", "network")
    for task in TASKS:
        for objects in OBJECT_SETS:
            if objects in task_info(task).kinds:
                rules = evaluate(task, "relations-game", verbose, *generated(objects, images), goal=goal_of(task))
                network = evaluate(task, "relations-game", verbose, *generated(objects, images))
                print_row(task, objects, rules["exact_scenes"], rules["accuracy"], network["accuracy"])
    print_public("relations-game", images, verbose)


def pairs(images: int, verbose: bool) -> None:
    """Two objects an image: half alike in the respect asked, at least a third of the unlike shapes re-orientations."""
    model = load_model("relations-game")
    print_head("predicate", "objects", "pairs", "balanced accuracy", "alike right", "unlike right")
    with Engine() as engine:
        for objects in ("pentos", "hexos"):
            scenes, same_shape, same_colour = balanced_pairs(objects, images)
            perceived = perceiver_of(model).perceive(scenes.render())
            exact = np.array([len(scene.things) == 2 for scene in perceived])
            programs = [write_program(scene, model=model, image=INFO) for scene in perceived]
            for predicate, truth in (("same_shape", same_shape), ("same_colour", same_colour)):
                said = np.array([bool(engine.ask(program, f"{predicate}(ob_0, ob_1)").answers) for program in programs])
                shares = shares_right(said, truth, exact)
                print_row(predicate, objects, len(scenes), float(np.mean(shares)), *shares)


def shares_right(said: np.ndarray, truth: np.ndarray, exact: np.ndarray) -> tuple[float, float]:
    """Of the alike and of the unlike pairs, the share that is `said` (P,) as in `truth` (P,), which has both.

    What was not seen as two objects, not `exact` (P,), is wrong whatever is said of it.
    """
    right = (said == truth) & exact
    return float(right[truth].mean()), float(right[~truth].mean())


def balanced_pairs(objects: str, n: int) -> tuple[Scenes, np.ndarray, np.ndarray]:
    """`n` scenes of two objects with, for each, whether the shape and whether the colour is shared."""
    chosen, random = object_set(objects), np.random.default_rng(SEED)
    kind = _free_shapes(chosen.masks)
    shapes, colours = np.full((n, 9), -1, dtype=np.int16), np.full((n, 9), -1, dtype=np.int16)
    for image in range(n):
        first, second = random.choice(9, 2, replace=False)
        shape = random.integers(chosen.n_shapes)
        other = shape
        if image % 2:
            turned = np.flatnonzero((kind == kind[shape]) & (np.arange(len(kind)) != shape))
            among = turned if len(turned) and random.random() < 1 / 3 else np.arange(chosen.n_shapes)
            other = random.choice(among[among != shape])
        colour = random.integers(chosen.n_colours)
        another = colour if image // 2 % 2 else (colour + 1 + random.integers(chosen.n_colours - 1)) % chosen.n_colours
        shapes[image, [first, second]] = shape, other
        colours[image, [first, second]] = colour, another
    labels = np.zeros(n, dtype=np.int64)
    index = np.arange(n)
    return Scenes(objects, "scatter", shapes, colours, labels, labels), index % 2 == 0, index // 2 % 2 == 1


def evaluate(data: str, model: str, verbose: bool, *more: object, goal: str | None = None) -> dict[str, float]:
    """What `predinet-prolog evaluate --json` says."""
    asked = ["--rules", "relations_game", "--goal", goal] if goal else []
    command = [COMMAND, "evaluate", data, "--model", model, "--json", *asked, *map(str, more)]
    if verbose:
        print("$ " + shlex.join(["predinet-prolog", *command[1:]]), file=sys.stderr)
    done = run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    answer: dict[str, float] = json.loads(done.stdout)
    return answer


def generated(objects: str, images: int) -> list[object]:
    return ["-n", images, "--objects", objects, "--seed", SEED]


def _free_shapes(masks: np.ndarray) -> np.ndarray:
    """For each mask a number (S,) that its rotations and reflections, moved into a corner, share."""

    def corner(mask: np.ndarray) -> bytes:
        rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
        small = np.zeros_like(mask)
        cut = mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        small[: cut.shape[0], : cut.shape[1]] = cut
        return small.tobytes()

    orbits = [min(corner(np.rot90(turn, k)) for turn in (mask, mask.T) for k in range(4)) for mask in masks]
    return np.unique(orbits, return_inverse=True)[1]


if __name__ == "__main__":
    main()
