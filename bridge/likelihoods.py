"""How likely the learned predicates are to hold of each pair, and how likely each way is to part objects into kinds.

By itself a pair knows nothing of others: X may look like Y, and Y like Z, but X not like Z. Kinds do not have that:
objects of one kind are alike, others are not. Of all ways to part objects into kinds, each is as likely as the product
of what it says of all pairs, and only these ways are compared.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import combinations

import numpy as np

from predinet_prolog.bridge.definitions import SAME
from predinet_prolog.bridge.errors import UngroundedError
from predinet_prolog.bridge.finding.joining import connected
from predinet_prolog.bridge.glimpses.sizes import coarse
from predinet_prolog.bridge.named import coordinates_of
from predinet_prolog.bridge.program import Program, values
from predinet_prolog.bridge.scene import FloatArray
from predinet_prolog.domains.annotations import LOOK

Kinds = tuple[tuple[int, ...], ...]
"""Objects by kind: every object of some once, each kind's ascending, kinds by their first."""
MOST = 256
"""Ways to part the objects that are kept while objects are added, the likeliest. The bound matters only where seven
objects and more are all in doubt."""
BAND = 0.01
"""A pair less likely than this counts as false, and one more likely than the rest of 1 as true. Chosen on 200 boards
with noise of 0.1, with things as the model was trained on, 40 pairs in the mean: 2.5 of them are in doubt (with 0.001,
11.7), for 0.045 that the probabilities of all pairs of a board change by together."""
LEAST = 1e-3
"""A way is not told if it is less likely than this share of the likeliest."""


def texts_of(name: str) -> tuple[str, str]:
    """What the comments of the file of that name in writers/ say of a program with what was learned, and its rules."""
    text = resources.files(__package__).joinpath("writers", name).read_text(encoding="utf-8")
    about, rules = text.rstrip("\n").split("\n\n")
    return re.sub("^% ", "", about, flags=re.MULTILINE).format(BAND=BAND, SURE=1 - BAND), rules


@dataclass(frozen=True)
class Likelihoods:
    """What a program tells of its n objects, pair by pair."""

    objects: tuple[str, ...]
    of: Mapping[str, FloatArray]
    """By learned predicate, the probability (n, n) that it holds of two objects: symmetric, 0 of one and itself."""

    def doubts(self, most: int, slow: str) -> list[str]:
        """A line of each predicate of which more than `most` pairs are neither as good as false nor as good as true."""
        inside = {name: np.triu((p >= BAND) & (p <= 1 - BAND), 1).sum() for name, p in self.of.items()}
        return [
            f"more than {most} pairs are in doubt about {name}: {slow} (see docs/other-logics.md)"
            for name, count in inside.items()
            if count > most
        ]

    def pairs(self, predicate: str) -> Iterator[tuple[str, str, float]]:
        """Each two objects once, in their order, and how likely it holds of them."""
        for first, second in combinations(range(len(self.objects)), 2):
            yield self.objects[first], self.objects[second], float(self.of[predicate][first, second])


def likelihoods(program: Program) -> Likelihoods:
    """What confidence/2 of the program says, of the numbers that stand in it. Raises UngroundedError for one that says
    nothing of the kind. Where nothing was looked at, nothing is likely."""
    if not program.rules.dialect.looked:
        return Likelihoods(tuple(map(str, program.facts["object"][0])), {})
    if program.definitions is None or not program.definitions.trusted:
        model = program.provenance.model
        raise UngroundedError(
            f"the model {model} tells no named relations, whose confidences this format is made of: ground it first, "
            "as with `predinet-prolog ground MODEL`, or name another with --model"
        )
    objects, coordinates = coordinates_of(program)
    if not objects:
        return Likelihoods((), {definition.predicate: np.zeros((0, 0)) for definition in program.definitions.trusted})
    apart = np.abs(coordinates[:, None] - coordinates).reshape(-1, coordinates.shape[1])
    noise_level = float(values(program.facts["noise_level"][0])[0])
    coarseness = _coarse(program, objects)
    shape, other = (len(objects), len(objects)), ~np.eye(len(objects), dtype=np.bool_)
    return Likelihoods(
        objects,
        {
            definition.predicate: definition.probability(apart, noise_level, coarseness).reshape(shape) * other
            for definition in program.definitions.trusted
        },
    )


def _coarse(program: Program, objects: Sequence[str]) -> FloatArray | float:
    """What coarse/3 says of all pairs, row by row; 0 of programs that do not say it."""
    if "pixel" not in program.facts:
        return 0.0
    owners, *sides = program.facts["box"]
    place = {owner: row for row, owner in enumerate(owners)}
    boxes = np.array([values(side) for side in sides]).T[[place[name] for name in objects]]
    return coarse(boxes, float(values(program.facts["pixel"][0])[0])).ravel()


def looks_imply(program: Program) -> list[str]:
    """The predicates that hold wherever same/2 does; none where that is not told."""
    learned = program.definitions.trusted if program.definitions else ()
    return [part.predicate for parting in learned for part in parting.parts]


def looks_are(program: Program, likely: Likelihoods) -> list[str]:
    """The predicates, all told, that hold together just where same/2 does: those of all attributes, unless looks are an
    attribute of their own, by which same/2 is judged. Else none."""
    parts = [f"same_{attribute}" for attribute in program.definitions.attributes] if program.definitions else []
    return parts if f"same_{LOOK}" not in parts and {SAME, *parts} <= likely.of.keys() else []


def components(likely: FloatArray) -> list[list[int]]:
    """The objects of whose pairs `likely` (n, n) tells, in groups between which every pair is less likely than BAND."""
    group = connected(len(likely), *np.nonzero(likely >= BAND))
    return [np.flatnonzero(group == number).tolist() for number in range(group.max(initial=-1) + 1)]


def parted(likely: FloatArray, objects: list[int]) -> list[tuple[float, Kinds]]:
    """The ways to part `objects` into kinds, with their probabilities, the likeliest first; `likely` (n, n) tells of
    all pairs. Those that are left out are at most LEAST as likely as the likeliest, or beyond MOST."""
    clipped = np.clip(likely, 1e-9, 1 - 1e-9)
    odds = np.log(clipped / (1 - clipped))  # what it weighs that two are of one kind rather than not
    ways: list[tuple[float, Kinds]] = [(0.0, ())]
    for thing in objects:
        grown = []
        for weight, kinds in ways:
            grown.append((weight, (*kinds, (thing,))))
            for index, kind in enumerate(kinds):
                joined = weight + float(odds[thing, list(kind)].sum())
                grown.append((joined, (*kinds[:index], (*kind, thing), *kinds[index + 1 :])))
        ways = sorted(grown, key=lambda way: (-way[0], way[1]))[:MOST]
    shares = np.exp([weight - ways[0][0] for weight, _ in ways])
    shares = shares[shares >= LEAST]
    return [(float(share), kinds) for share, (_, kinds) in zip(shares / shares.sum(), ways, strict=False)]
