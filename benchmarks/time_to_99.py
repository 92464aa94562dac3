"""How long from nothing to 99 % on both public files of `between`: the fast recipe beside the paper's.

    python benchmarks/time_to_99.py [--quick] [--seed N] [--limit SECONDS]

Both go through `neural.train`, with the same seed, from the first random weight; what counts is the time spent
training, with the making of images, without that of measuring. A network is measured on the two files, hexominoes
and stripes, every MEASURED_EVERY steps. The paper's recipe may be stopped at a limit: the ratio is then "more than".
The files are found in $RELATIONS_GAME_DATA or in ../shared/data/relations_game.
"""

import argparse
import os
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from domains.relations_game import load_npz
from neural import NetworkConfig, Progress, TrainingConfig, train, training_config
from neural import training as loop
from neural.recipes import network_config
from neural.training import predict

GOAL = 0.99
MEASURED_EVERY = {"fast": 100, "paper": 1_000}
"""Steps of each recipe: a few hundredths of what it takes, for measuring takes as long as they do."""
FILES = ("hexos", "stripes")


class ReachedError(Exception):
    """The goal, or the limit."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--quick", action="store_true", help="stop the paper's recipe after 30 times the fast one's time"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limit", type=float, default=3600.0, help="seconds after which the paper's recipe is stopped")
    options = parser.parse_args()
    files = public_files()
    print("| recipe | steps | seconds | steps/s | hexominoes | stripes |\n|---|---:|---:|---:|---:|---:|")
    fast = Race("fast", options.seed, files, limit=options.limit).run()
    if not fast.reached:
        sys.exit("the fast recipe did not reach the goal")
    limit = 30 * fast.seconds + 1 if options.quick else options.limit
    paper = Race("paper", options.seed, files, limit=limit).run()
    least = "" if paper.reached else "more than "
    print(f"\nThe paper's recipe takes {least}{paper.seconds / fast.seconds:.1f} times as long to {GOAL:.0%} on both.")


def public_files() -> dict[str, Path]:
    """The original `between` files, by object set."""
    folder = Path(os.environ.get("RELATIONS_GAME_DATA") or "../shared/data/relations_game")
    found = {objects: sorted(folder.glob(f"*between*{objects}*.npz")) for objects in FILES}
    if missing := [objects for objects, paths in found.items() if not paths]:
        sys.exit(f"no `between` file of {' and '.join(missing)} in {folder}: set RELATIONS_GAME_DATA")
    return {objects: paths[0] for objects, paths in found.items()}


class Race:
    """One recipe on its way to the goal."""

    def __init__(self, recipe: str, seed: int, files: dict[str, Path], *, limit: float) -> None:
        self.recipe, self.every, self.limit = recipe, MEASURED_EVERY[recipe], limit
        config = training_config(["between"], recipe=recipe, seed=seed)
        # At a constant rate the number of steps changes nothing on the way: the paper's recipe may go on past its end.
        self.config: TrainingConfig = config if config.decay else replace(config, steps=10**8)
        self.network: NetworkConfig = network_config(self.config, heads=32, relations=16)
        self.tests = {objects: load_npz(path) for objects, path in files.items()}
        self.seconds, self.reached = 0.0, False

    def run(self) -> "Race":
        """Trains until the goal or the limit is reached, or the recipe is at its end."""
        with tempfile.TemporaryDirectory() as folder:
            # The state is written when it is to be measured, and at no other time.
            loop.STEPS_PER_SAVE = self.every
            self._state = Path(folder) / loop.STATE_FILE
            self._since = perf_counter()
            try:
                train(self.network, self.config, Path(folder), report=self._watch)
            except ReachedError:
                return self
        return self

    def _watch(self, at: Progress) -> None:
        if at.step % self.every:
            return
        self.seconds += perf_counter() - self._since
        scores = self._measure()
        self.reached = min(scores.values()) >= GOAL
        if self.reached or self.seconds >= self.limit or at.step == at.steps:
            cells = " | ".join(f"{scores[objects]:.4f}" for objects in FILES)
            print(
                f"| {self.recipe} | {at.step:,} | {self.seconds:,.1f} | {at.step / self.seconds:,.0f} | {cells} |",
                flush=True,
            )
            raise ReachedError
        self._since = perf_counter()

    def _measure(self) -> dict[str, float]:
        """Accuracy on each file of the network whose state was saved last."""
        _, tensors = loop.read_state(self._state)
        network = loop.RelationsNetwork(self.network)
        network.load_state_dict({name: tensors[name][0] for name in network.state_dict()})
        return {
            objects: float((predict(network, test.pixels, test.task_ids) == test.labels).mean())
            for objects, test in self.tests.items()
        }


if __name__ == "__main__":
    main()
