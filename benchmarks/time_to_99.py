"""How long from nothing to 99 % on both public files of `between`: the fast recipe beside the paper's.

    python benchmarks/time_to_99.py [--quick] [--seed N] [--limit SECONDS]

Both go through `neural.train`, with the same seed, from the first random weight; what counts is the time spent
training, with the making of images, without that of measuring. A network is measured on the two files, hexominoes
and stripes, every MEASURED_EVERY steps. The paper's recipe may be stopped at a limit: the ratio is then "more than".
The files are found in $RELATIONS_GAME_DATA or in ../shared/data/relations_game.
"""

import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from benchmarks.shared import GAME, options, print_head, print_row, public_file
from domains.domain import Labelled
from neural import NetworkConfig, Progress, RelationsNetwork, train, training_config
from neural import training as loop
from neural.recipes import network_config
from neural.states import read_state
from neural.training import predict

GOAL = 0.99
MEASURED_EVERY = {"fast": 100, "paper": 1_000}
"""Steps of each recipe: a few hundredths of what it takes, for measuring takes as long as they do."""
FILES = ("mini_between_hexos.npz", "mini_between_stripes.npz")


class EndedError(Exception):
    """The goal or the limit was reached, or the recipe is at its end. Arguments: seconds of training, goal reached."""


def main() -> None:
    parser = options(__doc__)
    quick = "stop the paper's recipe after 30 times the fast one's time"
    parser.add_argument("--quick", action="store_true", help=quick)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limit", type=float, default=3600.0, help="seconds after which the paper's recipe is stopped")
    chosen = parser.parse_args()
    tests = [GAME.load(public_file(name)) for name in FILES]
    print_head("recipe", "steps", "seconds", "steps/s", "hexominoes", "stripes")
    fast, reached = race("fast", chosen.seed, tests, limit=chosen.limit)
    if not reached:
        sys.exit("the fast recipe did not reach the goal")
    paper, reached = race("paper", chosen.seed, tests, limit=30 * fast + 1 if chosen.quick else chosen.limit)
    least = "" if reached else "more than "
    print(f"\nThe paper's recipe takes {least}{paper / fast:.1f} times as long to {GOAL:.0%} on both.")


def race(recipe: str, seed: int, tests: list[Labelled], *, limit: float) -> tuple[float, bool]:
    """Trains until the goal or the limit is reached, or the recipe is at its end: seconds, and whether it was."""
    config = training_config(["between"], recipe=recipe, seed=seed)
    if not config.decay:
        # At a constant rate the number of steps changes nothing on the way: the paper's recipe may go on past its end.
        config = replace(config, steps=10**8)
    network = network_config(config, heads=32, relations=16)
    # The state is written when it is to be measured, and at no other time.
    every = loop.STEPS_PER_SAVE = MEASURED_EVERY[recipe]
    spent, since = 0.0, perf_counter()

    def watch(at: Progress) -> None:
        nonlocal spent, since
        if at.step % every:
            return
        spent += perf_counter() - since
        scores = accuracies(network, Path(folder, loop.STATE_FILE), tests)
        reached = min(scores) >= GOAL
        if reached or spent >= limit or at.step == at.steps:
            shares = (f"{score:.4f}" for score in scores)
            print_row(recipe, f"{at.step:,}", f"{spent:,.1f}", f"{at.step / spent:,.0f}", *shares)
            raise EndedError(spent, reached)
        since = perf_counter()

    with tempfile.TemporaryDirectory() as folder:
        try:
            train(network, config, Path(folder), report=watch)
        except EndedError as end:
            return end.args[0], end.args[1]
    raise AssertionError("a recipe's last step is measured")


def accuracies(config: NetworkConfig, state: Path, tests: list[Labelled]) -> list[float]:
    """Of the network whose state was saved last, on each file."""
    _, tensors = read_state(state)
    network = RelationsNetwork(config)
    network.load_state_dict({name: tensors[name][0] for name in network.state_dict()})
    return [float((predict(network, test.images, test.task_ids) == test.labels).mean()) for test in tests]


if __name__ == "__main__":
    main()
