"""DeepProbLog with a PrediNet as its nn/4: encoder and relations learn through between.problog.

    pip install deepproblog
    python examples/differentiable/with_deepproblog.py [--images N] [--epochs N] [--seed N]

Images are labelled as a whole: the rule holds of them or not. DeepProbLog finds the proofs, asks the network how likely
each pair of objects in them looks the same, and sends the gradient of the query's probability back.
"""

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import torch
from deepproblog.dataset import DataLoader, Dataset
from deepproblog.engines import ExactEngine
from deepproblog.model import Model
from deepproblog.network import Network
from deepproblog.query import Query
from deepproblog.train import train_model
from problog.logic import Constant, Term, list2term
from torch import Tensor, nn

from examples.differentiable.soft import SoftRelations
from examples.differentiable.train_by_rule import GAME, TASK, WHERE, new_soft_relations
from predinet_prolog.domains.domain import Labelled

PROGRAM = Path(__file__).with_name("between.problog")
RATE = 0.005
BATCH = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--images", type=int, default=200, help="labelled images of pentominoes (default: 200)")
    parser.add_argument("--epochs", type=int, default=5, help="times that each is seen (default: 5)")
    parser.add_argument("--seed", type=int, default=0, help="of the images and of the first weights (default: 0)")
    given = parser.parse_args()
    soft = new_soft_relations(given.seed)
    model = model_of(soft)
    tests = {kind: Images(kind, soft, GAME.generate(TASK, 200, kind=kind, seed=-1)) for kind in GAME.kinds}
    for images in tests.values():
        print(f"{images.name:8} untrained {share_right(model, images):.3f}")
    train(model, Images("training", soft, GAME.generate(TASK, given.images, seed=given.seed)), given.epochs, given.seed)
    for images in tests.values():
        print(f"{images.name:8} trained   {share_right(model, images):.3f}")


class SameNet(nn.Module):
    """How likely it is that windows A and C of an image look the same."""

    def __init__(self, soft: SoftRelations) -> None:
        super().__init__()
        self.soft = soft

    def forward(self, images: Tensor, A: list[Constant], C: list[Constant]) -> Tensor:
        """Probabilities (N, 2) of no and yes for `images` (N, S, S, 3) and a window of each in `A` and in `C`."""
        everywhere = torch.ones(len(images), len(WHERE["above"]))
        same = self.soft(images, everywhere)["same"]
        yes = same[range(len(images)), list(map(int, A)), list(map(int, C))]
        return torch.stack([1 - yes, yes], dim=1)


class Images(Dataset, Mapping[Any, Tensor]):
    """Labelled images as DeepProbLog takes them: a tensor for each, and a query that is true or false."""

    def __init__(self, name: str, soft: SoftRelations, shown: Labelled) -> None:
        self.name, self.pixels, self.labels = name, torch.from_numpy(shown.images), shown.labels
        self.objects = [row.nonzero().flatten().tolist() for row in soft.cells_that_show(self.pixels)]

    def __getitem__(self, place: tuple[Constant]) -> Tensor:
        return self.pixels[int(place[0])]

    def __len__(self) -> int:
        return len(self.labels)

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self)))

    def to_query(self, i: int) -> Query:
        """Queries of images with things in the same windows are one query, which is compiled once."""
        query = Term("between", Term("image"), list2term(list(map(Constant, self.objects[i]))))
        image = Term("tensor", Term(self.name, Constant(i)))
        return Query(query, {Term("image"): image}, p=float(self.labels[i]))


def model_of(soft: SoftRelations) -> Model:
    """The program with its network."""
    facts = (f"lies_between({B}, {A}, {C})." for B, A, C in WHERE["lies_between"].nonzero().tolist())
    network = Network(SameNet(soft), "same_net", torch.optim.Adam(soft.parameters(), lr=RATE), batching=True)
    model = Model("\n".join([PROGRAM.read_text(encoding="utf-8"), *facts]), [network], load=False)
    model.set_engine(ExactEngine(model), cache=True)
    return model


def train(model: Model, images: Images, epochs: int, seed: int) -> None:
    model.add_tensor_source(images.name, images)
    train_model(model, DataLoader(images, BATCH, seed=seed), epochs, verbose=0)


@torch.no_grad()
def share_right(model: Model, images: Images) -> float:
    """Of the images, those of which the rule's probability is above one half where, and only where, it holds."""
    model.add_tensor_source(images.name, images)
    queries = images.to_queries()
    told = [float(next(iter(result.result.values()))) > 0.5 for result in model.solve(queries)]
    right: list[bool] = [said == (query.p == 1) for said, query in zip(told, queries, strict=True)]
    return sum(right) / len(right)


if __name__ == "__main__":
    main()
