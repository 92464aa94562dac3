"""What a relation net loses by products in bfloat16, beside what another order of the same images changes.

    python benchmarks/relation_net_precision.py FOLDER [--task same] [--batches 4000]

Goes on with the first relation net of the task in FOLDER, of `reproduce table1`: in float32, in bfloat16 on the same
batches, and in float32 on other ones. Then the gradients of GRADIENTS batches at the weights it began with.
"""

from pathlib import Path
from statistics import fmean

import torch
from torch import Tensor
from torch.nn import functional

from benchmarks.shared import options, print_head, print_machine, print_row
from benchmarks.unlearning import CPU, trained
from experiments import PAPER
from experiments.configurations import from_scratch, model_path
from experiments.data import Order, Pool, held_out_pool, held_out_sets, training_pool
from experiments.feeding import ImageFeed
from neural import RelationsNetwork, load_model
from neural.baselines import RelationNet
from neural.runs import Runs

GRADIENTS = 100


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--task", default="same")
    parser.add_argument("--batches", type=int, default=4_000)
    given = parser.parse_args()
    torch.set_num_threads(1)
    print_machine()
    configuration = from_scratch("relation_net", given.task)
    network = load_model(model_path(given.folder, configuration.name, 0)).network
    pool = training_pool([given.task], CPU)
    tests = {held: held_out_pool([given.task], held, PAPER.last_test_images, CPU) for held in held_out_sets(given.task)}
    print_head("", "batches", "mean loss", *(f"{held}, %" for held in tests))
    weights = {name: weight[None] for name, weight in network.state_dict().items()}
    for name, seed, bfloat16 in (("float32", 0, False), ("bfloat16", 0, True), ("float32, other batches", 1, False)):
        runs = Runs(configuration.config, [0], learning_rate=PAPER.learning_rate, bfloat16=bfloat16)
        runs.load(weights)
        losses = [loss for _, loss in trained(runs, pool, seed, PAPER.steps, given.batches)]
        feed = ImageFeed(runs, pool)
        right = [feed.accuracy(test, torch.arange(len(test))[None]).item() for test in tests.values()]
        print_row(name, f"{given.batches:,}", f"{fmean(losses):.4f}", *(f"{100 * each:.1f}" for each in right))
    print_gradients(network, pool)


def print_gradients(network: RelationsNetwork, pool: Pool) -> None:
    """How far gradients in bfloat16 are from those in float32, one batch's and the mean's of all."""
    network.requires_grad_()  # loaded networks answer, and do not learn
    central = network.central
    assert isinstance(central, RelationNet)
    whole: list[Tensor] = []
    half: list[Tensor] = []
    for places in Order([(0, 0)], PAPER.batch, images=len(pool)).places(0, GRADIENTS)[:, 0]:
        for central.products, found in ((None, whole), (torch.bfloat16, half)):
            logits = network(pool.images(places), pool.task_ids[places]).logits
            loss = functional.cross_entropy(logits, pool.labels[places])
            gradients = torch.autograd.grad(loss, list(network.parameters()))
            found.append(torch.cat([gradient.flatten() for gradient in gradients]))
    exact, rounded = torch.stack(whole), torch.stack(half)
    mean, off = exact.mean(0), rounded - exact
    of_one = off.norm(dim=1).mean() / (exact - mean).norm(dim=1).mean()
    print(
        f"\nGradients of {GRADIENTS} batches, in bfloat16 beside float32. One is off by {of_one:.2%} of what it differs"
    )
    print(f"from the mean of all; the mean by {off.mean(0).norm() / mean.norm():.2%} of its length.")


if __name__ == "__main__":
    main()
