"""The task "contains set" for a PrediNet that is trained on labelled hands, end to end.

    python benchmarks/contains_set.py [--trials N] [--epochs N] [--json FILE]

Sizes and steps are those of Altabaa and Lafferty, "Learning Hierarchical Relational Representations through Relational
Convolutions": a convolutional network embeds each of five cards and first learns to name the four attributes; then come
a PrediNet of 4 heads, 16 relations and keys of 4, and two layers. 70 % of all sets train, 15 % judge; 24 hands a set.
Here every card has VIEWS pictures, of which each step shows one, and the embedding learns on with the rest.
"""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from torch import Tensor, nn
from torch.nn import functional

from benchmarks.shared import machine, options, print_head, print_row
from domains.cards.deck import DECK, SETS, hand
from domains.cards.drawing import STYLES, draw_near
from domains.domain import Integers
from neural import PrediNet, with_places
from neural.threads import one_thread

SEED = 7_320_000
CARDS, VIEWS, TESTED = 5, 40, 8
"""In a hand; pictures of each card to learn from, and others to be judged by."""
SIZE = (48, 32)
"""Of a card's picture."""
WIDTH, HANDS_A_SET, BATCH, RATE, NAMING = 64, 24, 512, 1e-3, 600


class ContainsSet(nn.Module):
    """Whether cards contain a set. B hands."""

    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Sequential(
            nn.Conv2d(3, 32, 5, padding=2),
            nn.ReLU(),
            nn.MaxPool2d(4),
            nn.Conv2d(32, 32, 5, padding=2),
            nn.ReLU(),
            nn.MaxPool2d(4),
            nn.Flatten(),
            nn.Linear(32 * (SIZE[0] // 16) * (SIZE[1] // 16), WIDTH),
            nn.ReLU(),
            nn.Linear(WIDTH, WIDTH),
            nn.Tanh(),
        )
        self.names = nn.Linear(WIDTH, 4 * 3)
        self.predinet = PrediNet(CARDS, WIDTH + 2, heads=4, relations=16, key_size=4)
        self.output = nn.Sequential(
            nn.Linear(4 * (16 + 4), 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 2)
        )

    def forward(self, pictures: Tensor, hands: Tensor) -> Tensor:
        """(B, 2): logits for `hands` (B, CARDS) of cards that look as `pictures` (81, 3, H, W)."""
        cards = self.embed(pictures)[hands]
        answers: Tensor = self.output(self.predinet(with_places(cards, 1, CARDS)).flat)
        return answers


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--trials", type=int, default=10, metavar="N", help="networks (default: 10)")
    parser.add_argument("--epochs", type=int, default=100, metavar="N", help="passes over all hands (default: 100)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here")
    chosen = parser.parse_args()
    rng = np.random.default_rng(SEED)
    shown, tested = photographs(VIEWS, rng), photographs(TESTED, rng)
    found: list[dict[str, float]] = []
    print_head("trial", "cards named", "hands that taught", "hands of other sets")
    for number in range(chosen.trials):
        found.append(trial(shown, tested, chosen.epochs, number))
        print_row(number, *found[-1].values())
        if chosen.json:
            figures = {"epochs": chosen.epochs, "trials": found, "machine": machine()}
            chosen.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    shares = [each["tested"] for each in found]
    print(f"\ncontains set {np.mean(shares):.3f} ± {np.std(shares):.3f}")


def photographs(views: int, rng: np.random.Generator) -> Tensor:
    """(views, 81, 3, H, W): every card so many times, drawn anew each time."""
    pictures = [
        np.asarray(Image.fromarray(draw_near(card, STYLES["printed"], rng).pixels).resize(SIZE)) / 127.5 - 1
        for _ in range(views)
        for card in DECK
    ]
    stacked = np.stack(pictures).astype(np.float32).reshape(views, len(DECK), SIZE[1], SIZE[0], 3)
    return torch.from_numpy(stacked).permute(0, 1, 4, 2, 3).contiguous()


@one_thread()
def trial(shown: Tensor, tested: Tensor, epochs: int, number: int) -> dict[str, float]:
    """How right one network is of cards' attributes, of the hands that taught, and of hands whose sets did not."""
    torch.manual_seed(SEED + number)
    rng = np.random.default_rng((SEED, number))
    parts = pairwise([0, round(0.70 * len(SETS)), round(0.85 * len(SETS)), len(SETS)])
    order = rng.permutation(len(SETS))
    taught, _, judged = (dealt(SETS[order[first:last]], rng) for first, last in parts)
    network = ContainsSet()
    optimiser = torch.optim.Adam(network.parameters(), lr=RATE)
    values = torch.from_numpy(DECK)

    def named(pictures: Tensor) -> Tensor:
        logits: Tensor = network.names(network.embed(pictures)).view(-1, 4, 3)
        return logits

    for _ in range(NAMING):
        take(optimiser, functional.cross_entropy(named(shown[rng.integers(VIEWS)]).transpose(1, 2), values))
    right = (named(tested[0]).argmax(2) == values).float().mean().item()
    hands, labels = taught
    for _ in range(epochs):
        epoch = torch.from_numpy(rng.permutation(len(hands)))
        for batch in (epoch[first : first + BATCH] for first in range(0, len(epoch), BATCH)):
            logits = network(shown[rng.integers(VIEWS)], hands[batch])
            take(optimiser, functional.cross_entropy(logits, labels[batch]))
    return {"named": right, "taught": share(network, tested, *taught), "tested": share(network, tested, *judged)}


def dealt(sets: Integers, rng: np.random.Generator) -> tuple[Tensor, Tensor]:
    """Hands (n, CARDS) of cards by number, every other one with one of `sets` (s, 3), and which have."""
    n = HANDS_A_SET * len(sets)
    hands = [hand(CARDS, rng, contains=number % 2 == 1, sets=sets) @ [27, 9, 3, 1] for number in range(n)]
    return torch.from_numpy(np.stack(hands)), torch.arange(n) % 2


def take(optimiser: torch.optim.Optimizer, loss: Tensor) -> None:
    """One step."""
    optimiser.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    optimiser.step()


@torch.no_grad()
def share(network: ContainsSet, tested: Tensor, hands: Tensor, labels: Tensor) -> float:
    """Of `hands` (n, CARDS) that are rightly answered, seen in pictures that taught nothing."""
    split = zip(hands.chunk(TESTED), labels.chunk(TESTED), strict=True)
    right = sum((network(tested[view], own).argmax(1) == label).sum() for view, (own, label) in enumerate(split))
    return float(right / len(hands))


if __name__ == "__main__":
    main()
