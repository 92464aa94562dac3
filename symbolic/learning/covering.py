"""Decision lists: which ordered clauses of features give places their labels at the least cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from symbolic.learning.tables import Bits, Numbers

Numbers32 = NDArray[np.float32]

BEAM = 12
"""Beginnings of lists that are extended."""
BRANCHES = 24
"""Clauses that each of them is extended by, of each ranking."""
FIRST_PAIRS, FURTHER_PAIRS = 4_000_000, 400_000
"""Pairs of features that are looked at for the first clause and for each further one."""
PARTNERS = 300
"""Features, the most telling ones, that may stand in a pair with any other."""
TIES = 40
"""Lists of the least cost that are told."""
PROMISED = 0.5
"""What each label that is not yet right is expected to cost: half a literal."""


@dataclass(frozen=True, order=True)
class Signed:
    """A feature, by its number, or that it does not hold."""

    denied: bool
    feature: int


@dataclass(frozen=True)
class Decisions:
    """Clauses in order, each (label's number, features), what the rest is called, and what that costs."""

    clauses: tuple[tuple[int, tuple[Signed, ...]], ...]
    default: int
    cost: int
    """Literals and negations."""
    errors: int


@dataclass(frozen=True, eq=False)
class _Beginning:
    clauses: tuple[tuple[int, tuple[Signed, ...]], ...]
    cost: float
    errors: float
    rest: Numbers32 = field(repr=False)
    """(kinds, classes) places that no clause speaks of."""


@dataclass(frozen=True, eq=False)
class _Block:
    """Bodies of clauses, and what they cover."""

    first: Numbers
    second: Numbers
    """Features; -1 for none."""
    denied: tuple[bool, bool]
    cost: Numbers32
    covered: tuple[Numbers32, ...]
    """By class."""


def decide(
    bits: Bits, costs: Sequence[int], labels: Numbers, classes: int, weight: int, only: tuple[int, int] | None = None
) -> list[Decisions]:
    """The cheapest decision lists that were found, all of the same cost, weight × errors included.

    bits: (features, places). labels: (places,) below `classes`. only: the label of all clauses, and of the rest; None:
    any.
    """
    return _Cover(bits, costs, labels, classes, weight, only).run()


class _Cover:
    def __init__(
        self,
        bits: Bits,
        costs: Sequence[int],
        labels: Numbers,
        classes: int,
        weight: int,
        only: tuple[int, int] | None,
    ) -> None:
        # Places of which all the same features hold are one kind: whatever the clauses, they get one label.
        kinds, kind = np.unique(np.pad(bits.T, ((0, 0), (0, 1))), axis=0, return_inverse=True)
        self._bits = kinds.T[:-1].astype(np.float32)  # a column that says nothing, where there are no features
        self._costs = np.array(costs, np.float32)
        self._start = np.zeros((len(kinds), classes), np.float32)
        np.add.at(self._start, (kind.ravel(), labels), 1)
        self._weight, self._only, self._classes = weight, only, classes
        self._best = np.inf
        self._found: list[Decisions] = []

    def run(self) -> list[Decisions]:
        beam = [_Beginning((), 0, 0, self._start)]
        self._finish(beam[0])
        while beam:
            further: dict[bytes, tuple[float, int, _Beginning]] = {}
            for beginning in beam:
                for new in self._extensions(beginning):
                    self._finish(new)
                    promise = new.cost + self._weight * new.errors + PROMISED * self._wrong(new.rest)
                    key = new.rest.tobytes()
                    if key not in further or promise < further[key][0]:
                        further[key] = promise, len(further), new
            within = [
                each for each in further.values() if each[2].cost + self._weight * each[2].errors + 1 <= self._best
            ]
            beam = [each[2] for each in sorted(within, key=lambda each: each[:2])[:BEAM]]
        return self._found

    def _finish(self, beginning: _Beginning) -> None:
        """Notes the list that ends here, if it is among the cheapest."""
        errors = beginning.errors + self._wrong(beginning.rest)
        cost = beginning.cost + self._weight * errors
        if cost < self._best:
            self._best, self._found = cost, []
        if cost == self._best and len(self._found) < TIES:
            default = self._only[1] if self._only else int(beginning.rest.sum(axis=0).argmax())
            decisions = Decisions(beginning.clauses, default, int(beginning.cost), int(errors))
            if decisions not in self._found:
                self._found.append(decisions)

    def _wrong(self, rest: Numbers32) -> float:
        counts = rest.sum(axis=0)
        return float(counts.sum() - (counts[self._only[1]] if self._only else counts.max()))

    def _extensions(self, beginning: _Beginning) -> Iterator[_Beginning]:
        """The beginning and one more clause: those that end best, those that promise most, and those that cover most
        without an error."""
        ranked: list[tuple[tuple[float, ...], int, tuple[Signed, ...]]] = []
        room = self._best - beginning.cost - self._weight * beginning.errors
        for block in self._bodies(beginning, room):
            ranked += self._ranked(block, beginning, room)
        for ranking in range(3):
            best = sorted(ranked, key=lambda each: each[0][ranking])[:BRANCHES]
            for _, label, body in best:
                yield self._with(beginning, label, body)

    def _with(self, beginning: _Beginning, label: int, body: tuple[Signed, ...]) -> _Beginning:
        true = np.ones(len(beginning.rest), np.bool_)
        for each in body:
            true &= (self._bits[each.feature] > 0) != each.denied
        covered = beginning.rest * true[:, None]
        cost = beginning.cost + sum(float(self._costs[each.feature]) + each.denied for each in body)
        errors = beginning.errors + float(covered.sum() - covered[:, label].sum())
        return _Beginning((*beginning.clauses, (label, body)), cost, errors, beginning.rest * ~true[:, None])

    def _ranked(
        self, block: _Block, beginning: _Beginning, room: float
    ) -> Iterator[tuple[tuple[float, ...], int, tuple[Signed, ...]]]:
        """The best of the block by each ranking: the ranks, the label and the body."""
        covered = np.stack([each.ravel() for each in block.covered])
        total = beginning.rest.sum(axis=0)
        left = total[:, None] - covered
        cost = block.cost.ravel()
        label = np.full(covered.shape[1], self._only[0]) if self._only else covered.argmax(axis=0)
        right = np.take_along_axis(covered, label[None], axis=0)[0]
        wrong = covered.sum(axis=0) - right
        open_ = left.sum(axis=0) - (left[self._only[1]] if self._only else left.max(axis=0))
        bad = (cost > room) | (right == 0)
        ranks = np.stack(
            [
                cost + self._weight * (wrong + open_),
                cost + self._weight * wrong + PROMISED * open_,
                np.where(wrong > 0, np.inf, cost - 100 * right),
            ]
        )
        ranks[:, bad] = np.inf
        chosen = {int(i) for rank in ranks for i in _least(rank, BRANCHES)}
        seconds = len(block.second)
        for i in sorted(chosen):
            a, b = int(block.first[i // seconds]), int(block.second[i % seconds])
            body = (Signed(block.denied[0], a), *([Signed(block.denied[1], b)] if b >= 0 else []))
            yield tuple(ranks[:, i].tolist()), int(label[i]), body

    def _bodies(self, beginning: _Beginning, room: float) -> Iterator[_Block]:
        """All features, and pairs of them of which one is telling."""
        bits, costs, total = self._bits, self._costs, beginning.rest.sum(axis=0)
        covers = [bits @ beginning.rest[:, each] for each in range(self._classes)]
        none = np.array([-1])
        every = np.arange(len(bits))
        yield _Block(every, none, (False, False), costs[:, None], tuple(covers))
        yield _Block(
            every, none, (True, False), costs[:, None] + 1, tuple(total[c] - covers[c] for c in range(self._classes))
        )
        pairs = FURTHER_PAIRS if beginning.clauses else FIRST_PAIRS
        every = np.flatnonzero(costs <= room - 1)[: pairs // PARTNERS]
        some = self._telling(covers, total, every)
        product = [(bits[some] * beginning.rest[:, c]) @ bits[every].T for c in range(self._classes)]
        for denied in ((False, False), (False, True), (True, False), (True, True)):
            covered = []
            for c in range(self._classes):
                first, second, both = covers[c][some][:, None], covers[c][every][None], product[c]
                if denied == (False, True):
                    both = first - both
                elif denied == (True, False):
                    both = second - both
                elif denied == (True, True):
                    both = total[c] - first - second + both
                covered.append(both)
            cost = costs[some][:, None] + costs[every][None] + sum(denied)
            yield _Block(some, every, denied, cost, tuple(covered))

    def _telling(self, covers: Sequence[Numbers32], total: Numbers32, every: Numbers) -> Numbers:
        """Of the features those that alone, or denied, would leave the least wrong."""
        if not len(every):
            return every
        wrong = np.zeros(len(covers[0]), np.float32)
        inside = np.stack(covers)
        outside = total[:, None] - inside
        for part in (inside, outside):
            wrong += part.sum(axis=0) - part.max(axis=0)
        order = np.argsort(PROMISED * wrong[every] + self._costs[every], kind="stable")
        return every[np.sort(order[:PARTNERS])]


def _least(values: NDArray[np.float32], count: int) -> Numbers:
    """The places of the least values, ties in order; none of infinity."""
    if len(values) > count:
        bound = np.partition(values, count - 1)[count - 1]
        less = np.flatnonzero(values < bound)
        even = np.flatnonzero(values == bound)[: count - len(less)]
        chosen = np.sort(np.concatenate([less, even]))
    else:
        chosen = np.arange(len(values))
    return chosen[np.isfinite(values[chosen])]
