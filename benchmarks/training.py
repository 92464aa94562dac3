"""Training steps a second by the paper's recipe, beside plain PyTorch, and beside what the machine can do at best.

    python benchmarks/training.py [--quick] [--threads N] [--architecture NAME]

Ours is `neural.runs.Runs`. The peers train the same `RelationsNetwork` with autograd and `torch.optim.SGD`: as it
stands, and compiled by `torch.compile` where a C++ compiler is found. All see the same batches of 10 images of
`between`, made beforehand. The cases take turns, and each counts with its best turn, so that what else the machine
does meanwhile hurts all alike. The floor is the time of the multiplications that no step can do without, alone.
"""

import shutil
import warnings
from collections.abc import Callable, Iterable
from functools import partial

import torch
from torch import Tensor
from torch.nn import functional

from benchmarks.shared import GAME, least, options, print_head, print_row, take_turns
from neural import NetworkConfig, RelationsNetwork
from neural.config import ARCHITECTURES
from neural.runs import Runs

BATCH = 10
RUNS = 10
EAGER, ONE = "eager PyTorch, one run", "ours, one run"
AT_ONCE, IN_TURN = f"ours, {RUNS} runs at once", f"ours, {RUNS} runs one after another"
LEARNING_RATE = 0.01
TRIES = 30
"""Of a single operation; the best counts."""
TOLERANCE = 1e-2
"""Weights agree if they differ by at most this share of what training changed."""

Batches = list[tuple[Tensor, Tensor, Tensor]]
"""Images (R, B, H, W, C), task ids and labels (R, B) for R runs."""


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--quick", action="store_true", help="a few steps of each, for a first impression")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads(), help="threads of torch")
    parser.add_argument("--architecture", choices=list(ARCHITECTURES), default="predinet")
    chosen = parser.parse_args()
    torch.set_num_threads(chosen.threads)
    config = NetworkConfig(architecture=chosen.architecture)
    # Short turns, and many: some then pass undisturbed, whatever else the machine does.
    steps, turns = (4, 10) if chosen.quick else (10, 80)
    batches = make_batches(steps)
    print(f"{chosen.architecture}, batches of {BATCH}, {chosen.threads} threads, best of {turns} × {steps} steps\n")
    cases = make_cases(config, batches)
    timed = take_turns({name: case for name, (_, case) in cases.items()}, turns)
    seconds = {name: min(timed[name]) / run_steps for name, (run_steps, _) in cases.items()}
    print_head("", "run-steps/s", "of eager PyTorch")
    for name, spent in seconds.items():
        print_row(name, f"{1 / spent:,.0f}", f"{seconds[EAGER] / spent:.2f}")
    print(f"\n{RUNS} runs one after another take {seconds[IN_TURN] / seconds[AT_ONCE]:.2f} times as long as at once.\n")
    if chosen.architecture == "predinet":
        print_floor(config, {1: seconds[ONE], RUNS: seconds[AT_ONCE] * RUNS})
    print_agreement(config, batches)


def make_batches(steps: int) -> Batches:
    """So many batches for every run."""
    drawn = GAME.generate("between", steps * RUNS * BATCH, kind="pentos", seed=0)
    arrays = (torch.from_numpy(array) for array in (drawn.images, drawn.task_ids, drawn.labels))
    images, task_ids, labels = (array.unflatten(0, (steps, RUNS, BATCH)) for array in arrays)
    return list(zip(images, task_ids, labels, strict=True))


def make_cases(config: NetworkConfig, batches: Batches) -> dict[str, tuple[int, Callable[[], None]]]:
    """What is measured, by name: steps of runs that a turn takes, and the turn."""
    runs = partial(Runs, config, learning_rate=LEARNING_RATE)
    first = [of_run(0, batch, keep=True) for batch in batches]
    few = batches[: max(1, len(batches) // RUNS)]  # so that ten runs one after another take no longer than the others
    singles = [(runs([seed]), [of_run(seed, batch, keep=True) for batch in few]) for seed in range(RUNS)]

    def in_turn() -> None:
        for single, own in singles:
            all_steps(single, own)

    plain = [of_run(0, batch) for batch in batches]
    cases: dict[str, tuple[int, Callable[[], None]]] = {
        EAGER: (len(batches), partial(all_steps, Plain(config, 0), plain)),
        ONE: (len(batches), partial(all_steps, runs([0]), first)),
        AT_ONCE: (len(batches) * RUNS, partial(all_steps, runs(range(RUNS)), batches)),
        IN_TURN: (len(few) * RUNS, in_turn),
    }
    if shutil.which("c++"):
        compiled = Plain(config, 0, compiled=True)
        try:
            compiled.step(*plain[0])
        except Exception as error:
            # Whatever the compiler stumbles over: the table goes on without this peer, and says so.
            print(f"torch.compile left out: {str(error).splitlines()[0]}\n")
        else:
            cases["torch.compile, one run"] = len(batches), partial(all_steps, compiled, plain)
    return cases


def of_run(run: int, batch: tuple[Tensor, Tensor, Tensor], *, keep: bool = False) -> tuple[Tensor, Tensor, Tensor]:
    """One run's part of a batch; `keep` keeps the axis of runs, of length 1."""
    images, task_ids, labels = (part[run : run + 1] if keep else part[run] for part in batch)
    return images, task_ids, labels


class Plain:
    """One run as one would write it first."""

    def __init__(self, config: NetworkConfig, seed: int, *, compiled: bool = False) -> None:
        self.network = RelationsNetwork(config, generator=torch.Generator().manual_seed(seed))
        self._optimiser = torch.optim.SGD(self.network.parameters(), lr=LEARNING_RATE)
        self._loss = torch.compile(self._loss_of) if compiled else self._loss_of

    def step(self, images: Tensor, task_ids: Tensor, labels: Tensor) -> None:
        self._optimiser.zero_grad()
        self._loss(images, task_ids, labels).backward()
        self._optimiser.step()

    def _loss_of(self, images: Tensor, task_ids: Tensor, labels: Tensor) -> Tensor:
        return functional.cross_entropy(self.network(images, task_ids).logits, labels)


def all_steps(learner: Runs | Plain, batches: Iterable[tuple[Tensor, Tensor, Tensor]]) -> None:
    for batch in batches:
        learner.step(*batch)


def print_floor(config: NetworkConfig, achieved: dict[int, float]) -> None:
    """The multiplications of a step alone, and the bytes of its weights moved alone, beside whole steps.

    achieved: seconds of a step, by the number of runs.
    """
    columns = ("MFLOP", "MB of weights moved", "multiplied alone, ms", "moved alone, ms", "ours, ms", "floor / ours")
    print_head("runs", *columns)
    for runs, spent in achieved.items():
        shapes = products(config)
        flop = runs * sum(2 * count * a * b * c for count, a, b, c in shapes)
        multiplied = sum(time_of_product(runs * count, a, b, c) for count, a, b, c in shapes)
        weights = runs * 2 * (config.side**2 * config.features) * config.heads * config.key_size
        # Both queries' weights, of 4 bytes, are read forwards, read backwards, and read and written by the update.
        moved, copying = 4 * 4 * weights, time_of_copy(weights) * 2
        milliseconds = (f"{1e3 * time:.2f}" for time in (multiplied, copying, spent))
        floor = f"{max(multiplied, copying) / spent:.0%}"
        print_row(runs, f"{flop / 1e6:.0f}", f"{moved / 1e6:.0f}", *milliseconds, floor)
    print()


def products(config: NetworkConfig) -> list[tuple[int, int, int, int]]:
    """(count, a, b, c): matrix products (a × b)·(b × c) in a step of one run that take most of it.

    Those of the encoder (forwards, weights), of the queries (forwards, L, weights), and of the masks (scores and
    objects, and each twice backwards). The rest is less than a tenth.
    """
    n, m, B = config.side**2, config.features, BATCH
    patch, joined, k, g = 3 * config.filter_size**2, n * m, config.heads, config.key_size
    encoder = [(1, B * n, patch, config.filters), (1, config.filters, B * n, patch)]
    queries = [(2, B, joined, k * g), (2, B, k * g, joined), (2, joined, B, k * g)]
    scores = [(B, 2 * k, g, n), (B, 2 * k, n, g), (B, n, 2 * k, g)]
    objects = [(B, 2 * k, n, m), (B, 2 * k, m, n), (B, n, 2 * k, m)]
    return [*encoder, *queries, *scores, *objects]


def time_of_product(count: int, a: int, b: int, c: int) -> float:
    left, right, out = torch.randn(count, a, b), torch.randn(count, b, c), torch.empty(count, a, c)
    return least(lambda: torch.bmm(left, right, out=out), TRIES)


def time_of_copy(floats: int) -> float:
    """Reading and writing so many floats, once each."""
    source, target = torch.randn(floats), torch.empty(floats)
    return least(lambda: target.copy_(source), TRIES)


def print_agreement(config: NetworkConfig, batches: Batches) -> None:
    """Trains all runs at once and one by one, and compares the weights."""
    many = Runs(config, range(RUNS), learning_rate=LEARNING_RATE)
    all_steps(many, batches)
    worst = 0.0
    for run in range(RUNS):
        plain = Plain(config, run)
        start = flat(plain.network)
        all_steps(plain, [of_run(run, batch) for batch in batches])
        changed, differ = flat(plain.network) - start, flat(plain.network) - flat(many.network(run))
        worst = max(worst, float(differ.norm() / changed.norm()))
    verdict = "agree" if worst <= TOLERANCE else "DIFFER"
    print(
        f"After {len(batches)} steps the weights of {RUNS} runs at once and of each alone in eager PyTorch {verdict}: "
        f"they are apart by {worst:.1e} of what training changed, at most."
    )


def flat(network: RelationsNetwork) -> Tensor:
    """All weights, copied into one vector."""
    return torch.cat([weight.flatten() for weight in network.state_dict().values()])


if __name__ == "__main__":
    warnings.filterwarnings("ignore", module="torch._inductor")
    main()
