"""Training steps a second by the paper's recipe beside plain PyTorch.

    python benchmarks/training.py [--quick] [--threads N] [--architecture NAME] [--auxiliary]

Ours is `neural.runs.Runs`. The peers train the same `RelationsNetwork` with autograd and torch's optimiser: as it
stands, mapped over the runs by `torch.func`, and compiled by `torch.compile` where a C++ compiler is found. All see
the same batches of 10 images of `between`, made beforehand; with `--auxiliary` the recipe is `fast`: 32 images, Adam
and the auxiliary losses. The cases take turns, and each counts with its best turn, so that what else the machine does
meanwhile hurts all alike; one thread's seconds are of the processor, those of several of the clock.
"""

import shutil
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter, process_time

import torch
from torch import Tensor
from torch.nn import functional

from benchmarks.shared import GAME, options, print_head, print_row, take_turns
from predinet_prolog.neural import NetworkConfig, NetworkOutput, RelationsNetwork
from predinet_prolog.neural.auxiliary_losses import auxiliary_loss
from predinet_prolog.neural.config import ARCHITECTURES
from predinet_prolog.neural.precision import has_bfloat16
from predinet_prolog.neural.runs import Runs

RUNS = 10
TOLERANCE = 1e-2
"""Weights agree if they differ by at most this share of what training changed."""

Batches = list[tuple[Tensor, Tensor, Tensor]]


@dataclass(frozen=True)
class Recipe:
    """What is trained."""

    config: NetworkConfig
    batch: int = 10
    optimiser: str = "sgd"
    rate: float = 0.01
    coverage: float = 0.0
    centring: float = 0.0

    def runs(self, seeds: Sequence[int]) -> Runs:
        return Runs(
            self.config,
            seeds,
            optimiser=self.optimiser,
            learning_rate=self.rate,
            coverage=self.coverage,
            centring=self.centring,
        )

    def torch_optimiser(self, weights: Iterable[Tensor]) -> torch.optim.Optimizer:
        if self.optimiser == "adam":
            return torch.optim.Adam(weights, lr=self.rate, fused=True)
        return torch.optim.SGD(weights, lr=self.rate)

    def loss(self, output: NetworkOutput, blank: Tensor, labels: Tensor) -> Tensor:
        loss = functional.cross_entropy(output.logits, labels)
        if self.coverage:
            loss = loss + auxiliary_loss(output, blank, coverage=self.coverage, centring=self.centring)
        return loss


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--quick", action="store_true", help="a few steps of each, for a first impression")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads(), help="threads of torch")
    parser.add_argument("--architecture", choices=list(ARCHITECTURES), default="predinet")
    parser.add_argument("--auxiliary", action="store_true", help="the recipe fast in place of the paper's")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    recipe = Recipe(NetworkConfig(architecture=given.architecture))
    if given.auxiliary:
        recipe = replace(recipe, batch=32, optimiser="adam", rate=1e-3, coverage=0.1, centring=1.0)
    # Short turns, and many: some then pass undisturbed, whatever else the machine does.
    steps, turns = (4, 10) if given.quick else (10, 80)
    batches = make_batches(steps, recipe.batch)
    what = f"{given.architecture}{' and auxiliary losses' if given.auxiliary else ''}, batches of {recipe.batch}"
    print(f"{what}, {given.threads} threads, best of {turns} × {steps} steps\n")
    seconds = {name: min(times) for name, times in take_turns(make_cases(recipe, batches), turns, clock()).items()}
    print_speeds(seconds, steps)
    if given.architecture == "predinet" and not given.auxiliary:
        print_agreement(recipe, batches[:10])


def clock() -> Callable[[], float]:
    """One thread's seconds are those of the processor, which other programs do not lengthen by taking turns with it."""
    return process_time if torch.get_num_threads() == 1 else perf_counter


def make_batches(steps: int, batch: int) -> Batches:
    """So many batches for every run: images (R, B, S, S, 3), task ids and labels (R, B)."""
    shown = GAME.generate("between", steps * RUNS * batch, seed=0)
    arrays = (torch.from_numpy(array) for array in (shown.images, shown.task_ids, shown.labels))
    return list(zip(*(array.view(steps, RUNS, batch, *array.shape[1:]) for array in arrays), strict=True))


def make_cases(recipe: Recipe, batches: Batches) -> dict[str, Callable[[], None]]:
    """What is measured, by name; a call is one turn over all batches."""
    one, many = recipe.runs([0]), recipe.runs(range(RUNS))
    singles = [recipe.runs([seed]) for seed in range(RUNS)]
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
        "eager PyTorch, one run": plain_turn(recipe, batches),
        "torch.func, one run": mapped_turn(recipe, batches, 1),
        f"torch.func, {RUNS} runs at once": mapped_turn(recipe, batches, RUNS),
        "ours, one run": ours_one,
        f"ours, {RUNS} runs at once": ours_many,
        f"ours, {RUNS} runs one after another": ours_in_turn,
    }
    if recipe.config.architecture == "relation_net" and has_bfloat16():
        half = Runs(recipe.config, [0], learning_rate=recipe.rate, bfloat16=True)

        def ours_in_half() -> None:
            for images, task_ids, labels in batches:
                half.step(images[:1], task_ids[:1], labels[:1])

        cases["ours, one run, products in bfloat16"] = ours_in_half
    if shutil.which("c++"):
        try:
            compiled = plain_turn(recipe, batches, compiled=True)
            compiled()
        except Exception as error:
            # Whatever the compiler stumbles over: the table goes on without this peer, and says so.
            print(f"torch.compile left out: {str(error).splitlines()[0]}\n")
        else:
            cases["torch.compile, one run"] = compiled
    return cases


def plain_turn(recipe: Recipe, batches: Batches, *, compiled: bool = False) -> Callable[[], None]:
    """One run as one would write it first."""
    network = RelationsNetwork(recipe.config, generator=torch.Generator().manual_seed(0))
    optimiser = recipe.torch_optimiser(network.parameters())

    def loss_of(images: Tensor, task_ids: Tensor, labels: Tensor) -> Tensor:
        return recipe.loss(network(images, task_ids), network.encoder.blank_features(), labels)

    loss = torch.compile(loss_of) if compiled else loss_of

    def turn() -> None:
        for images, task_ids, labels in batches:
            optimiser.zero_grad()
            loss(images[0], task_ids[0], labels[0]).backward()
            optimiser.step()

    return turn


def mapped_turn(recipe: Recipe, batches: Batches, runs: int) -> Callable[[], None]:
    """Runs at once by `torch.func` alone, without a traced step."""
    networks = [RelationsNetwork(recipe.config, generator=torch.Generator().manual_seed(seed)) for seed in range(runs)]
    weights, _ = torch.func.stack_module_state(networks)  # type: ignore[arg-type]
    optimiser = recipe.torch_optimiser(weights.values())

    def loss_of(weights: dict[str, Tensor], images: Tensor, task_ids: Tensor, labels: Tensor) -> Tensor:
        output = torch.func.functional_call(networks[0], weights, (images, task_ids))
        return recipe.loss(output, weights["encoder.bias"].relu(), labels)

    def turn() -> None:
        for batch in batches:
            optimiser.zero_grad()
            torch.func.vmap(loss_of)(weights, *(part[:runs] for part in batch)).sum().backward()
            optimiser.step()

    return turn


def print_speeds(seconds: dict[str, float], steps: int) -> None:
    few = max(1, steps // RUNS)
    done = {name: steps * (RUNS if "at once" in name else 1) for name in seconds}
    done[f"ours, {RUNS} runs one after another"] = few * RUNS
    rates = {name: done[name] / spent for name, spent in seconds.items()}
    eager = rates["eager PyTorch, one run"]
    print_head("", "run-steps/s", "of eager PyTorch")
    for name, rate in rates.items():
        print_row(name, f"{rate:,.0f}", f"{rate / eager:.2f}")
    ratio = rates[f"ours, {RUNS} runs at once"] / rates[f"ours, {RUNS} runs one after another"]
    print(f"\n{RUNS} runs one after another take {ratio:.2f} times as long as at once.\n")


def print_agreement(recipe: Recipe, batches: Batches) -> None:
    """Trains all runs at once and one by one, and compares the weights."""
    many = recipe.runs(range(RUNS))
    for batch in batches:
        many.step(*batch)
    worst = 0.0
    for r in range(RUNS):
        network = RelationsNetwork(recipe.config, generator=torch.Generator().manual_seed(r))
        start = {name: weight.clone() for name, weight in network.state_dict().items()}
        optimiser = recipe.torch_optimiser(network.parameters())
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
