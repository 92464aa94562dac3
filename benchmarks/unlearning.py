"""Why networks of the paper's Table 1 unlearn under plain descent at its constant rate.

    python benchmarks/unlearning.py deaths [--task same] [--batches 60000]
    python benchmarks/unlearning.py rates FOLDER [--cell predinet-xoccurs]

`deaths` trains the first run of multi-head attention's cell, and tells what in the network still answers to images.
`rates` goes on with the networks of a cell in FOLDER, of `reproduce table1`, at the rate they had and at a tenth of it.
"""

from collections.abc import Iterator
from pathlib import Path
from statistics import fmean, stdev

import torch
from torch import Tensor

from benchmarks.shared import options, print_head, print_machine, print_row
from experiments import PAPER
from experiments.configurations import Configuration, from_scratch, model_path
from experiments.data import Order, Pool, held_out_pool, held_out_sets, training_pool
from experiments.feeding import ImageFeed
from neural import RelationsNetwork, load_model
from neural.baselines import MultiHeadAttention
from neural.runs import Runs

CPU = torch.device("cpu")
IMAGES = 1_000
CHUNK = 1_000
"""Batches between two measurements."""
FURTHER = 10_000
"""Batches that a trained network goes on for."""


def main() -> None:
    parser = options(__doc__)
    kinds = parser.add_subparsers(dest="kind", required=True)
    deaths = kinds.add_parser("deaths")
    deaths.add_argument("--task", default="same")
    deaths.add_argument("--batches", type=int, default=60_000)
    rates = kinds.add_parser("rates")
    rates.add_argument("folder", type=Path)
    rates.add_argument("--cell", default="predinet-xoccurs")
    given = parser.parse_args()
    torch.set_num_threads(1)
    print_machine()
    if given.kind == "deaths":
        print_deaths(from_scratch("attention", given.task), given.batches)
    else:
        print_rates(given.folder, from_scratch(*given.cell.split("-", 1)))


def print_deaths(configuration: Configuration, batches: int) -> None:
    """A row a measurement."""
    runs = Runs(configuration.config, [configuration.seed], learning_rate=PAPER.learning_rate)
    test = held_out_pool([configuration.task], "hexos", IMAGES, CPU)
    shown = test.images(slice(None)), test.task_ids, test.labels
    print_head("batches", "loss", "right, %", "filters alive", "largest L", "mask's largest weight", "largest flat",
               "output units alive", "logits' deviation")  # fmt: skip
    pool = training_pool([configuration.task], CPU)
    for step, loss in trained(runs, pool, configuration.seed, 0, batches):
        print_row(f"{step:,}", f"{loss:.3f}", *(f"{each:.3g}" for each in looks_alive(runs.network(0), *shown)))


@torch.no_grad()
def looks_alive(network: RelationsNetwork, images: Tensor, task_ids: Tensor, labels: Tensor) -> list[float]:
    """Of a network of multi-head attention, from its images to its answers, what `print_deaths` tells."""
    found = network(images, task_ids)
    features, central, output = found.L[..., :-2], network.central, network.output
    assert isinstance(central, MultiHeadAttention), "of no other do we know what can die"
    by_head = len(images), network.config.windows, central.heads, network.config.key_size
    K, Q = ((found.L @ weight).view(by_head).transpose(1, 2) for weight in (central.W_K, central.W_Q))
    masks = (Q @ K.transpose(2, 3)).softmax(-1)
    given = torch.cat([found.flat, torch.nn.functional.one_hot(task_ids, output.task_ids)], dim=1)
    hidden = (given @ output.hidden_weight + output.hidden_bias).relu()
    return [
        100 * float((found.logits.argmax(1) == labels).float().mean()),
        int((features > 0).flatten(0, 1).any(0).sum()),
        float(found.L.max()),
        float(masks.max(-1).values.mean()),
        float(found.flat.abs().max()),
        int((hidden > 0).any(0).sum()),
        float(found.logits.std(0).max()),
    ]


def print_rates(folder: Path, configuration: Configuration) -> None:
    """A row a network: its accuracy, and after FURTHER batches at either rate; below, their mean and deviation."""
    sets = held_out_sets(configuration.task)
    pool = training_pool([configuration.task], CPU)
    tests = [held_out_pool([configuration.task], held, PAPER.last_test_images, CPU) for held in sets]
    rates = (PAPER.learning_rate, PAPER.learning_rate / 10)
    shown = ("before", *(f"rate {rate:g}" for rate in rates))
    print_head("run", *(f"{held}, {when}, %" for when in shown for held in sets))
    table = []
    for run in range(PAPER.runs):
        path = model_path(folder, configuration.name, run)
        if not path.exists():
            continue
        weights = {name: weight[None] for name, weight in load_model(path).network.state_dict().items()}
        row = []
        for rate, batches in ((PAPER.learning_rate, 0), *((rate, FURTHER) for rate in rates)):
            runs = Runs(configuration.config, [run], learning_rate=rate)
            runs.load(weights)
            list(trained(runs, pool, run, PAPER.steps, batches))
            row += [ImageFeed(runs, test).accuracy(test, torch.arange(len(test))[None]).item() for test in tests]
        table.append(row)
        print_row(run, *(f"{100 * each:.1f}" for each in row))
    print_row("mean", *(f"{100 * fmean(column):.1f}" for column in zip(*table, strict=True)))
    print_row("deviation", *(f"{100 * stdev(column):.1f}" for column in zip(*table, strict=True)))


def trained(runs: Runs, pool: Pool, seed: int, first: int, batches: int) -> Iterator[tuple[int, float]]:
    """Trains the single run of that seed on its batches from `first` on; after every CHUNK, how many there were and
    their mean loss."""
    order = Order([(0, seed)], PAPER.batch, images=len(pool))
    feed, step = ImageFeed(runs, pool), first
    while step < first + batches:
        losses = [float(loss) for loss in feed.steps(order.places(step, CHUNK))]
        step += CHUNK
        yield step, fmean(losses)


if __name__ == "__main__":
    main()
