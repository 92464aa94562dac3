"""Whether stacked and recurrent PrediNets learn the game's hardest task for a PrediNet better than one alone.

    python benchmarks/stacked.py [NETWORK…] [--seeds N] [-o FILE.json]

Each network sees the same drawn pentominoes of `match_rows` in the same order, by the recipe `fast` on one thread, and
is measured on 5,000 fresh boards of every object set. A run that is in the file already is not run again, so that what
was interrupted goes on; the table is printed at the end. Designs were chosen on pentominoes of another seed.
"""

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from benchmarks.shared import GAME, options
from domains.writing import write_atomically
from neural import NetworkOutput, PrediNet, RecurrentPrediNet, StackedPrediNet
from neural.auxiliary_losses import auxiliary_loss
from neural.descent import rate_groups, set_rate
from neural.encoder import Encoder
from neural.network import OutputMLP
from neural.recipes import TrainingConfig, network_config, training_config
from neural.threads import one_thread

TASK = "match_rows"
NETWORKS = {
    "single": (PrediNet, 16, 1),
    "wide": (PrediNet, 27, 1),  # more weights than any of the others
    "stacked": (StackedPrediNet, 16, 2),
    "recurrent": (RecurrentPrediNet, 16, 2),
}
"""What stands between encoder and output MLP: module, heads, levels or passes."""
RELATIONS = 16
TEST_SEED, TEST_BOARDS = 8_000_009, 5_000
STEPS_PER_CHUNK = 50
"""Boards are drawn this many batches at a time."""


class Network(nn.Module):
    """The paper's encoder and output MLP, and between them what says propositions: all of them go to the output MLP."""

    def __init__(self, name: str, run: TrainingConfig) -> None:
        super().__init__()
        generator = torch.Generator().manual_seed(run.seed)
        central, heads, levels = NETWORKS[name]
        config = network_config(run, heads=heads, relations=RELATIONS)
        self.encoder = Encoder(config, generator=generator)
        self.central = central(config.windows, config.features, heads=heads, relations=RELATIONS, generator=generator)
        self.output = OutputMLP(replace(config, heads=levels * heads), generator=generator)

    def forward(self, images: Tensor, task_ids: Tensor) -> NetworkOutput:
        """Logits of `images` (B, S, S, 3), and what the first level or pass says of them."""
        L = self.encoder(images)
        said = self.central(L)
        levels = said if isinstance(said, tuple) else (said,)
        flat = torch.cat([level.flat for level in levels], dim=1)
        attention = levels[0].attention[..., : L.shape[1]]  # of windows; a recurrent one attends to pairs as well
        return NetworkOutput(self.output(flat, task_ids), L, flat, replace(levels[0], attention=attention))


def main() -> None:
    parser = options(__doc__)
    known = ", ".join(NETWORKS)
    parser.add_argument("networks", nargs="*", default=list(NETWORKS), help=f"of {known}; all, if none is named")
    parser.add_argument("--seeds", type=int, default=3, help="runs of every network")
    parser.add_argument("-o", "--output", type=Path, default=Path("docs", "pytorch.json"))
    given = parser.parse_args()
    for seed in range(given.seeds):
        for name in given.networks:
            if not any(run["network"] == name and run["seed"] == seed for run in runs(given.output)):
                # This takes minutes: another process may write its runs meanwhile.
                result = measured(name, training_config([TASK], seed=seed))
                write_atomically(given.output, json.dumps([*runs(given.output), result], indent=1).encode() + b"\n")
    print("\n".join(table(runs(given.output))))


def runs(path: Path) -> list[dict[str, Any]]:
    """Those in the file."""
    return json.loads(path.read_text()) if path.exists() else []


@one_thread()
def measured(name: str, run: TrainingConfig) -> dict[str, object]:
    """A trained network's accuracies, and what it was."""
    network = trained(Network(name, run), run)
    weights = sum(weight.numel() for weight in network.parameters())
    accuracies = {kind: accuracy(network, kind) for kind in GAME.task(TASK).kinds}
    return {"network": name, "seed": run.seed, "steps": run.steps, "weights": weights, "accuracy": accuracies}


def trained(network: Network, run: TrainingConfig) -> Network:
    """The network after all steps of `run`."""
    weights = dict(network.named_parameters())
    times = {name: run.relations_rate for name in weights if name.endswith("W_S")}
    optimiser = torch.optim.Adam(rate_groups(weights, times), fused=True)
    for step, (images, task_ids, labels) in enumerate(batches(run)):
        set_rate(optimiser, run.learning_rate * 0.5 * (1 + math.cos(math.pi * step / run.steps)))
        output = network(images, task_ids)
        led = auxiliary_loss(output, network.encoder.blank_features(), coverage=run.coverage, centring=run.centring)
        loss = functional.cross_entropy(output.logits, labels) + led
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    return network


def batches(run: TrainingConfig) -> Iterator[tuple[Tensor, ...]]:
    """Images, task ids and labels of every step. They depend on the run's seed alone."""
    for chunk in range(math.ceil(run.steps / STEPS_PER_CHUNK)):
        count = min(STEPS_PER_CHUNK, run.steps - chunk * STEPS_PER_CHUNK)
        drawn = GAME.generate(TASK, count * run.batch, kind=run.objects, seed=(run.seed, chunk))
        arrays = (drawn.images, drawn.task_ids, drawn.labels)
        yield from zip(*(torch.split(torch.from_numpy(array), run.batch) for array in arrays), strict=True)


@torch.inference_mode()
def accuracy(network: Network, kind: str) -> float:
    """Share of fresh boards of that kind that are answered right."""
    shown = GAME.generate(TASK, TEST_BOARDS, kind=kind, seed=TEST_SEED)
    images, task_ids, labels = map(torch.from_numpy, (shown.images, shown.task_ids, shown.labels))
    parts = zip(torch.split(images, 500), torch.split(task_ids, 500), strict=True)
    answers = torch.cat([network(*part).logits.argmax(1) for part in parts])
    return (answers == labels).double().mean().item()


def table(found: list[dict[str, Any]]) -> list[str]:
    """Mean, least and largest accuracy of each network's runs on every object set, as Markdown. A network without runs
    has no line."""
    kinds = GAME.task(TASK).kinds
    lines = [f"| network | weights | runs | {' | '.join(kinds)} |", "|---" + "|---:" * (2 + len(kinds)) + "|"]
    for name in NETWORKS:
        if not (own := [run for run in found if run["network"] == name]):
            continue
        shares = [[run["accuracy"][kind] for run in own] for kind in kinds]
        cells = [f"{mean(each):.3f} ({min(each):.3f}–{max(each):.3f})" for each in shares]
        lines.append(f"| {name} | {own[0]['weights']:,} | {len(own)} | {' | '.join(cells)} |")
    return lines


if __name__ == "__main__":
    main()
