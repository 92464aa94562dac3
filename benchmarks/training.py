"""Training steps a second by the paper's recipe, beside plain PyTorch, and beside what the machine can do at best.

    python benchmarks/training.py [--quick] [--threads N] [--architecture NAME]

Ours is `neural.runs.Runs`. The peers train the same `RelationsNetwork` with autograd and `torch.optim.SGD`: as it
stands, and compiled by `torch.compile` where a C++ compiler is found. All see the same batches of 10 images of
`between`, made beforehand. The cases take turns, and each counts with its best turn, so that what else the machine
does meanwhile hurts all alike. The floor is the time of the multiplications that no step can do without, alone.
"""

import argparse
import shutil
import warnings
from collections.abc import Callable
from time import perf_counter

import torch
from torch import Tensor
from torch.nn import functional

from domains.relations_game import generate
from neural import NetworkConfig, RelationsNetwork
from neural.config import ARCHITECTURES
from neural.runs import Runs

BATCH = 10
RUNS = 10
LEARNING_RATE = 0.01
TOLERANCE = 1e-2
"""Weights agree if they differ by at most this share of what training changed."""

Batches = list[tuple[Tensor, Tensor, Tensor]]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a few steps of each, for a first impression")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads(), help="threads of torch")
    parser.add_argument("--architecture", choices=list(ARCHITECTURES), default="predinet")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    config = NetworkConfig(architecture=options.architecture)
    # Short turns, and many: some then pass undisturbed, whatever else the machine does.
    steps, turns = (4, 10) if options.quick else (10, 80)
    batches = make_batches(steps)
    print(f"{options.architecture}, batches of {BATCH}, {options.threads} threads, best of {turns} × {steps} steps\n")
    cases = make_cases(config, batches)
    seconds = measure(cases, turns)
    print_speeds(seconds, steps)
    if options.architecture == "predinet":
        print_floor(config, seconds["ours, one run"] / steps, seconds[f"ours, {RUNS} runs at once"] / steps)
    print_agreement(config, batches[:10])


def make_batches(steps: int) -> Batches:
    """So many batches for every run: images (R, B, S, S, 3), task ids and labels (R, B)."""
    scenes = generate("between", steps * RUNS * BATCH, objects="pentos", seed=0)
    images = torch.from_numpy(scenes.render()).view(steps, RUNS, BATCH, 36, 36, 3)
    task_ids, labels = (torch.from_numpy(a).view(steps, RUNS, BATCH) for a in (scenes.task_ids, scenes.labels))
    return list(zip(images, task_ids, labels, strict=True))


def make_cases(config: NetworkConfig, batches: Batches) -> dict[str, Callable[[], None]]:
    """What is measured, by name; a call is one turn over all batches."""
    one, many = Runs(config, [0], learning_rate=LEARNING_RATE), Runs(config, range(RUNS), learning_rate=LEARNING_RATE)
    singles = [Runs(config, [seed], learning_rate=LEARNING_RATE) for seed in range(RUNS)]
    few = max(1, len(batches) // RUNS)  # so that ten runs one after another take no longer than the other cases

    def ours_one() -> None:
        for images, task_ids, labels in batches:
            one.step(images[:1], task_ids[:1], labels[:1])

    def ours_many() -> None:
        for batch in batches:
            many.step(*batch)

    def ours_in_turn() -> None:
        for r, run in enumerate(singles):
            for images, task_ids, labels in batches[:few]:
                run.step(images[r : r + 1], task_ids[r : r + 1], labels[r : r + 1])

    cases: dict[str, Callable[[], None]] = {
        "eager PyTorch, one run": plain_turn(config, batches),
        "ours, one run": ours_one,
        f"ours, {RUNS} runs at once": ours_many,
        f"ours, {RUNS} runs one after another": ours_in_turn,
    }
    if shutil.which("c++"):
        try:
            compiled = plain_turn(config, batches, compiled=True)
            compiled()
        except Exception as error:
            # Whatever the compiler stumbles over: the table goes on without this peer, and says so.
            print(f"torch.compile left out: {str(error).splitlines()[0]}\n")
        else:
            cases["torch.compile, one run"] = compiled
    return cases


def plain_turn(config: NetworkConfig, batches: Batches, *, compiled: bool = False) -> Callable[[], None]:
    """One run as one would write it first."""
    network = RelationsNetwork(config, generator=torch.Generator().manual_seed(0))
    optimiser = torch.optim.SGD(network.parameters(), lr=LEARNING_RATE)

    def loss_of(images: Tensor, task_ids: Tensor, labels: Tensor) -> Tensor:
        return functional.cross_entropy(network(images, task_ids).logits, labels)

    loss = torch.compile(loss_of) if compiled else loss_of

    def turn() -> None:
        for images, task_ids, labels in batches:
            optimiser.zero_grad()
            loss(images[0], task_ids[0], labels[0]).backward()
            optimiser.step()

    return turn


def measure(cases: dict[str, Callable[[], None]], turns: int) -> dict[str, float]:
    """Seconds of the best turn of every case; the cases take turns."""
    best = dict.fromkeys(cases, float("inf"))
    for case in cases.values():
        case()  # warms up
    for _ in range(turns):
        for name, case in cases.items():
            start = perf_counter()
            case()
            best[name] = min(best[name], perf_counter() - start)
    return best


def print_speeds(seconds: dict[str, float], steps: int) -> None:
    few = max(1, steps // RUNS)
    done = dict.fromkeys(seconds, steps)
    done[f"ours, {RUNS} runs at once"] = steps * RUNS
    done[f"ours, {RUNS} runs one after another"] = few * RUNS
    rates = {name: done[name] / spent for name, spent in seconds.items()}
    eager = rates["eager PyTorch, one run"]
    print("| | run-steps/s | of eager PyTorch |\n|---|---:|---:|")
    for name, rate in rates.items():
        print(f"| {name} | {rate:,.0f} | {rate / eager:.2f} |")
    ratio = rates[f"ours, {RUNS} runs at once"] / rates[f"ours, {RUNS} runs one after another"]
    print(f"\n{RUNS} runs one after another take {ratio:.2f} times as long as at once.\n")


def print_floor(config: NetworkConfig, one: float, many: float) -> None:
    """The multiplications of a step alone, and the bytes of its weights moved alone, beside whole steps."""
    print("| runs | MFLOP | MB of weights moved | multiplied alone, ms | moved alone, ms | ours, ms | floor / ours |")
    print("|---:|---:|---:|---:|---:|---:|---:|")
    for runs, achieved in ((1, one), (RUNS, many)):
        shapes = products(config)
        flop = runs * sum(2 * count * a * b * c for count, a, b, c in shapes)
        weights = runs * 2 * (config.side**2 * config.features) * config.heads * config.key_size * 4
        multiplied = sum(time_of_product(runs * count, a, b, c) for count, a, b, c in shapes)
        # Both queries' weights are read forwards, read backwards, and read and written by the update.
        moved = 4 * weights
        copying = time_of_copy(weights // 4) * 2
        print(
            f"| {runs} | {flop / 1e6:.0f} | {moved / 1e6:.0f} | {multiplied * 1e3:.2f} | {copying * 1e3:.2f} | "
            f"{achieved * 1e3:.2f} | {max(multiplied, copying) / achieved:.0%} |"
        )
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
    return best_of(lambda: torch.bmm(left, right, out=out))


def time_of_copy(floats: int) -> float:
    """Reading and writing so many floats, once each."""
    source, target = torch.randn(floats), torch.empty(floats)
    return best_of(lambda: target.copy_(source))


def best_of(work: Callable[[], object], tries: int = 30) -> float:
    work()
    best = float("inf")
    for _ in range(tries):
        start = perf_counter()
        work()
        best = min(best, perf_counter() - start)
    return best


def print_agreement(config: NetworkConfig, batches: Batches) -> None:
    """Trains all runs at once and one by one, and compares the weights."""
    many = Runs(config, range(RUNS), learning_rate=LEARNING_RATE)
    for batch in batches:
        many.step(*batch)
    worst = 0.0
    for r in range(RUNS):
        network = RelationsNetwork(config, generator=torch.Generator().manual_seed(r))
        start = {name: weight.clone() for name, weight in network.state_dict().items()}
        optimiser = torch.optim.SGD(network.parameters(), lr=LEARNING_RATE)
        for images, task_ids, labels in batches:
            optimiser.zero_grad()
            functional.cross_entropy(network(images[r], task_ids[r]).logits, labels[r]).backward()
            optimiser.step()
        ours = many.network(r).state_dict()
        changed = sum(float((weight - start[name]).square().sum()) for name, weight in network.state_dict().items())
        differ = sum(float((weight - ours[name]).square().sum()) for name, weight in network.state_dict().items())
        worst = max(worst, (differ / changed) ** 0.5)
    verdict = "agree" if worst <= TOLERANCE else "DIFFER"
    print(
        f"After {len(batches)} steps the weights of {RUNS} runs at once and of each alone in eager PyTorch {verdict}: "
        f"they are apart by {worst:.1e} of what training changed, at most."
    )


if __name__ == "__main__":
    warnings.filterwarnings("ignore", module="torch._inductor")
    main()
