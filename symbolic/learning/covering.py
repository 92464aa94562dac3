"""Decision lists: which ordered clauses of features give places their labels at the least cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.symbolic.learning.tables import Bits, Numbers

Counts = NDArray[np.floating[Any]]

BEAM = (1, 12, 12, 6)
"""Beginnings of lists that are extended, by how many clauses they have: longer ones by single features alone."""
LONG = 2
"""Of longer ones."""
BRANCHES = 24
"""Clauses that each of them is extended by, of each ranking."""
FIRST_PAIRS, FURTHER_PAIRS = 1_500_000, 150_000
"""Pairs of features that are looked at for the first clause and for each further one."""
PARTNERS = 300
"""Features, the most telling ones, that may stand in a pair with any other."""
FROM_THE_END, CORRECTIONS = 3000, 8
"""Features, the cheapest ones, and most clauses of lists that are made from the end."""
TIES = 40
"""Lists of one cost that are told."""
DEARER = 2
"""What lists may cost more than the cheapest to be told."""
PROMISED = 0.5
"""What each label that is not yet right is expected to cost: half a literal."""


@dataclass(frozen=True, order=True)
class Signed:
    """A feature, by its number, or that it does not hold."""

    denied: bool
    feature: int


_Clause = tuple[int, tuple[Signed, ...]]
"""The number of a label, and of which features it is that of."""

_Corrected = tuple[float, tuple[_Clause, ...], Numbers, int]
"""The cost and the clauses of a list that is made from its end, the label it gives each kind, and that of the rest."""


@dataclass(frozen=True)
class Decisions:
    """Clauses in order, what the rest is called, and what that costs."""

    clauses: tuple[_Clause, ...]
    default: int
    cost: int
    """Literals and negations."""
    errors: int


@dataclass(frozen=True, eq=False)
class _Beginning:
    clauses: tuple[_Clause, ...]
    cost: float
    errors: float
    rest: Counts = field(repr=False)
    """(kinds, classes) places that no clause speaks of."""


@dataclass(frozen=True, eq=False)
class _Block:
    """Bodies of clauses, and what they cover."""

    first: Numbers
    second: Numbers
    """Features; -1 for none."""
    denied: tuple[bool, bool]
    cost: Counts
    covered: tuple[Counts, ...]
    """By class."""


class Cover:
    """Decision lists for labelled places.

    bits: (features, places). labels: (places,) below `classes`. only: the label of all clauses, and of the rest; None:
    any. limit: lists that cost more, weight × errors included, are not looked for.
    """

    def __init__(
        self,
        bits: Bits,
        costs: Sequence[int],
        labels: Numbers,
        classes: int,
        weight: int,
        only: tuple[int, int] | None,
        limit: float,
    ) -> None:
        # Places of which all the same features hold are one kind: whatever the clauses, they get one label.
        kinds, kind = np.unique(np.pad(bits.T, ((0, 0), (0, 1))), axis=0, return_inverse=True)
        self._bits = kinds.T[:-1].astype(np.float32)  # a column that says nothing, where there are no features
        self._costs = np.array(costs, np.float32)
        self._start = np.zeros((len(kinds), classes), np.float32)
        np.add.at(self._start, (kind.ravel(), labels), 1)
        self._weight, self._only, self._classes = weight, only, classes
        self._limit = self._best = limit
        self._found: dict[float, list[Decisions]] = {}

    def cheapest(self) -> list[Decisions]:
        """The cheapest lists that were found, and those that cost up to DEARER more, in order of cost."""
        self._from_the_end()
        self._from_the_beginning()
        sizes = [whole for whole in sorted(self._found) if whole <= self._best + DEARER]
        return [cover for whole in sizes for cover in self._found[whole]]

    def _from_the_end(self) -> None:
        """Lists of single features: what the rest is called, before that what puts right the most of it, and so on."""
        bits, cheap = self._bits[:FROM_THE_END], self._costs[:FROM_THE_END]
        truths, costs = np.concatenate([bits, 1 - bits]), np.concatenate([cheap, cheap + 1])
        kinds, every = len(self._start), range(self._classes)
        defaults = every if self._only is None else self._only[1:]
        beam: list[_Corrected] = [(0.0, (), np.full(kinds, default), default) for default in defaults]
        for _ in range(CORRECTIONS + 1):
            further: dict[bytes, tuple[float, _Corrected]] = {}
            for cost, clauses, said, default in beam:
                wrong = float(self._start.sum() - self._start[np.arange(kinds), said].sum())
                self._note(clauses, default, cost, wrong)
                gains = truths @ (self._start - self._start[np.arange(kinds), said][:, None])
                for label in every if self._only is None else self._only[:1]:
                    useful = np.where((gains[:, label] > 0) & (cost + costs < self._best + DEARER), costs, np.inf)
                    for i in _least(useful - gains[:, label], BRANCHES):
                        feature = Signed(bool(i >= len(costs) // 2), int(i) % (len(costs) // 2))
                        new = np.where(truths[i] > 0, label, said)
                        promise = cost + float(costs[i]) + wrong - float(gains[i, label])
                        extended = cost + float(costs[i]), ((label, (feature,)), *clauses), new, default
                        if new.tobytes() not in further or promise < further[new.tobytes()][0]:
                            further[new.tobytes()] = promise, extended
            beam = [step for _, step in sorted(further.values(), key=lambda step: step[0])[: max(BEAM)]]

    def _from_the_beginning(self) -> None:
        """Lists whose clauses have one or two features: what speaks of some places, then what of some of the rest."""
        beam, length = [_Beginning((), 0, 0, self._start)], 0
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
                step for step in further.values() if step[2].cost + self._weight * step[2].errors + 1 <= self._best
            ]
            width = BEAM[length] if (length := length + 1) < len(BEAM) else LONG
            beam = [step[2] for step in sorted(within, key=lambda step: step[:2])[:width]]

    def _finish(self, beginning: _Beginning) -> None:
        default = self._only[1] if self._only else int(beginning.rest.sum(axis=0).argmax())
        self._note(beginning.clauses, default, beginning.cost, beginning.errors + self._wrong(beginning.rest))

    def _note(self, clauses: tuple[_Clause, ...], default: int, cost: float, errors: float) -> None:
        """Keeps a list that is among the cheapest."""
        whole = cost + self._weight * errors
        if whole > min(self._best + DEARER, self._limit):
            return
        self._best = min(self._best, whole)
        even = self._found.setdefault(whole, [])
        decisions = Decisions(clauses, default, int(cost), int(errors))
        if len(even) < TIES and decisions not in even:
            even.append(decisions)

    def _wrong(self, rest: Counts) -> float:
        counts = rest.sum(axis=0)
        return float(counts.sum() - (counts[self._only[1]] if self._only else counts.max()))

    def _extensions(self, beginning: _Beginning) -> Iterator[_Beginning]:
        """The beginning and one more clause: those that end best, those that promise most, and those that cover most
        without an error."""
        covers = [self._bits @ beginning.rest[:, label_index] for label_index in range(self._classes)]
        ranked = dict(pair for block in self._single(beginning, covers) for pair in self._ranked(block, beginning))
        for clause in sorted(ranked, key=lambda clause_key: ranked[clause_key][0])[:1]:
            self._finish(self._with(beginning, *clause))  # so that pairs that cost more are not looked at
        for block in self._pairs(beginning, covers) if len(beginning.clauses) < len(BEAM) else ():
            for clause, ranks in self._ranked(block, beginning):
                ranked.setdefault(clause, ranks)
        for ranking in range(3):
            for clause in sorted(ranked, key=lambda clause_key: ranked[clause_key][ranking])[:BRANCHES]:
                yield self._with(beginning, *clause)

    def _with(self, beginning: _Beginning, label: int, body: tuple[Signed, ...]) -> _Beginning:
        true = np.ones(len(beginning.rest), np.bool_)
        for decision in body:
            true &= (self._bits[decision.feature] > 0) != decision.denied
        covered = beginning.rest * true[:, None]
        cost = beginning.cost + sum(float(self._costs[decision.feature]) + decision.denied for decision in body)
        errors = beginning.errors + float(covered.sum() - covered[:, label].sum())
        return _Beginning((*beginning.clauses, (label, body)), cost, errors, beginning.rest * ~true[:, None])

    def _ranked(self, block: _Block, beginning: _Beginning) -> Iterator[tuple[_Clause, list[float]]]:
        """The best clauses of the block by each ranking, with their ranks."""
        covered = np.stack(block.covered).reshape(self._classes, -1)
        right = covered[self._only[0]] if self._only else covered.max(axis=0)
        cost = block.cost.ravel() + self._weight * (covered.sum(axis=0) - right)
        within = np.flatnonzero((cost <= self._room(beginning)) & (right > 0))
        covered, right, cost = covered[:, within], right[within], cost[within]
        left = beginning.rest.sum(axis=0)[:, None] - covered
        rest = left.sum(axis=0) - (left[self._only[1]] if self._only else left.max(axis=0))
        exact = covered.sum(axis=0) == right
        ranks = [cost + self._weight * rest, cost + PROMISED * rest, np.where(exact, cost - 100 * right, np.inf)]
        for i in sorted({int(i) for ranking_row in ranks for i in _least(ranking_row, BRANCHES)}):
            first, second = divmod(int(within[i]), len(block.second))
            features = zip(block.denied, (int(block.first[first]), int(block.second[second])), strict=True)
            body = {Signed(denied, feature) for denied, feature in features if feature >= 0}
            label = self._only[0] if self._only else int(covered[:, i].argmax())
            yield (label, tuple(sorted(body))), [float(ranking_row[i]) for ranking_row in ranks]

    def _room(self, beginning: _Beginning) -> float:
        """What may be added without exceeding the best."""
        return self._best - beginning.cost - self._weight * beginning.errors

    def _single(self, beginning: _Beginning, covers: Sequence[Counts]) -> Iterator[_Block]:
        """All features, then their denials."""
        none, every = np.array([-1]), np.arange(len(self._bits))
        yield _Block(every, none, (False, False), self._costs, tuple(covers))
        rest = tuple(beginning.rest[:, label_index].sum() - covers[label_index] for label_index in range(self._classes))
        yield _Block(every, none, (True, False), self._costs + 1, rest)

    def _pairs(self, beginning: _Beginning, covers: Sequence[Counts]) -> Iterator[_Block]:
        """Pairs of features of which one is among the most telling ones."""
        most = (FURTHER_PAIRS if beginning.clauses else FIRST_PAIRS) // PARTNERS
        every = np.flatnonzero(self._costs < self._room(beginning))[:most]
        some = self._telling(beginning, covers, every)
        classes = range(self._classes)
        total: Counts = beginning.rest.sum(axis=0)
        both = [(self._bits[some] * beginning.rest[:, label_index]) @ self._bits[every].T for label_index in classes]
        first: list[Counts] = [covers[label_index][some][:, None] for label_index in classes]
        second: list[Counts] = [covers[label_index][every] for label_index in classes]
        cost = self._costs[some][:, None] + self._costs[every]
        yield _Block(some, every, (False, False), cost, tuple(both))
        yield _Block(some, every, (False, True), cost + 1, tuple(first[c] - both[c] for c in classes))
        yield _Block(some, every, (True, False), cost + 1, tuple(second[c] - both[c] for c in classes))
        neither = tuple(total[c] - first[c] - second[c] + both[c] for c in classes)
        yield _Block(some, every, (True, True), cost + 2, neither)

    def _telling(self, beginning: _Beginning, covers: Sequence[Counts], every: Numbers) -> Numbers:
        """Of the features those that leave the least wrong if what has them gets one label, and the others one."""
        inside = np.stack(covers)[:, every]
        parts = inside, beginning.rest.sum(axis=0)[:, None] - inside
        wrong = sum(part.sum(axis=0) - part.max(axis=0) for part in parts)
        return every[np.sort(np.argsort(PROMISED * wrong + self._costs[every], kind="stable")[:PARTNERS])]


def _least(values: NDArray[np.float32], count: int) -> Numbers:
    """The places of the least values, ties in order; none of infinity."""
    if len(values) > count:
        bound = np.partition(values, count - 1)[count - 1]
        less = np.flatnonzero(values < bound)
        chosen = np.sort(np.concatenate([less, np.flatnonzero(values == bound)[: count - len(less)]]))
    else:
        chosen = np.arange(len(values))
    return np.asarray(chosen[np.isfinite(values[chosen])])
