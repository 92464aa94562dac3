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
"""Beginnings of lists that are extended, by how many clauses they have."""
LONG = 2
"""Of longer ones."""
BRANCHES = 24
"""Clauses that each of them is extended by, of each ranking."""
TIES = 40
"""Lists of one cost that are told."""
DEARER = 2
"""What lists may cost more than the cheapest to be told."""
PROMISED = 0.5
"""What each label that is not yet right is expected to cost: half a literal."""
PAIRED = 2000
"""Features and denials, those that may spare most, that are tried in pairs where a list's clause may be another."""


@dataclass(frozen=True, order=True)
class Signed:
    """A feature, by its number, or that it does not hold."""

    denied: bool
    feature: int


_Clause = tuple[int, tuple[Signed, ...]]
"""The number of a label, and of which features it is that of."""


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


class Cover:
    """Decision lists for labelled places.

    bits: (features, places). labels: (places,) below the number of classes. may: (classes, features) whether a feature,
    or its denial, may stand in clauses of a class. default: what the rest is called; None: anything. limit: lists that
    cost more, weight × errors included, are not looked for.
    """

    def __init__(
        self,
        bits: Bits,
        costs: Sequence[int],
        labels: Numbers,
        may: Bits,
        weight: int,
        default: int | None,
        limit: float,
    ) -> None:
        # Places of which all the same features hold are one kind: whatever the clauses, they get one label.
        kinds, kind = np.unique(np.pad(bits.T, ((0, 0), (0, 1))), axis=0, return_inverse=True)
        self._bits = kinds.T[:-1].astype(np.float32)  # a column that says nothing, where there are no features
        self._costs = np.array(costs, np.float32)
        self._both = np.concatenate([self._costs, self._costs + 1])  # of features, and of their denials
        self._may = np.concatenate([may, may], axis=1)
        self._start = np.zeros((len(kinds), len(may)), np.float32)
        np.add.at(self._start, (kind.ravel(), labels), 1)
        self._weight, self._default = weight, default
        self._limit = self._best = limit
        self._found: dict[float, list[Decisions]] = {}

    def cheapest(self) -> list[Decisions]:
        """The cheapest lists that were found, and those that cost up to DEARER more, in order of cost."""
        self._from_the_beginning()
        for begun in self._found.get(self._best, ())[:1]:
            self._improved(begun.clauses, begun.default, self._weight)
            # Where errors cost much, clauses of a long list hold each other: a new one is made short, and then right.
            self._improved(self._improved((), begun.default, 1), begun.default, self._weight)
        return [cover for whole in sorted(self._found) if whole <= self._best + DEARER for cover in self._found[whole]]

    def _from_the_beginning(self) -> None:
        """Lists whose clauses have one feature: what speaks of some places, then what of some of the rest."""
        beam, length = [_Beginning((), 0, 0, self._start)], 0
        self._finish(beam[0])
        while beam:
            further: dict[bytes, tuple[float, int, _Beginning]] = {}
            for beginning in beam:
                for new in self._extensions(beginning):
                    promise = new.cost + self._weight * new.errors + PROMISED * self._finish(new)
                    key = new.rest.tobytes()
                    if key not in further or promise < further[key][0]:
                        further[key] = promise, len(further), new
            within = [
                step for step in further.values() if step[2].cost + self._weight * step[2].errors + 1 <= self._best
            ]
            width = BEAM[length] if (length := length + 1) < len(BEAM) else LONG
            beam = [step[2] for step in sorted(within, key=lambda step: step[:2])[:width]]

    def _improved(self, clauses: tuple[_Clause, ...], default: int, weight: int) -> tuple[_Clause, ...]:
        """The list with one clause after the other added, changed or taken away, until that makes it no cheaper."""
        step = idle = 0
        while idle <= 2 * len(clauses):
            before, old, after = clauses[: step // 2], clauses[step // 2 : (step + 1) // 2], clauses[(step + 1) // 2 :]
            gains = self._start - self._right(after, default)[:, None]
            for _, body in before:
                gains[self._true(body)] = 0
            value = sum(weight * float(gains[self._true(body), label].sum()) - self._cost(body) for label, body in old)
            better: list[tuple[float, tuple[_Clause, ...]]] = [(value, old), (0.0, ())]
            for worth, clause in self._amid(gains, weight, max(value - DEARER - 1, 0)):
                better.append((worth, (clause,)))
                lists = *before, clause, *after
                wrong = float(self._start.sum() - self._right(lists, default).sum())
                self._note(lists, default, sum(self._cost(body) for _, body in lists), wrong)
            best = max(better, key=lambda pair: pair[0])  # the old one, if none is better
            clauses, idle = (*before, *best[1], *after), 0 if best[1] != old else idle + 1
            step = (step + 1) % (2 * len(clauses) + 1)
        return clauses

    def _right(self, clauses: Sequence[_Clause], default: int) -> Counts:
        """(kinds,): how many of its places the list gives their label."""
        right = self._start[:, default]
        for label, body in reversed(clauses):
            right = np.where(self._true(body), self._start[:, label], right)
        return right

    def _amid(self, gains: Counts, weight: int, least: float) -> Iterator[tuple[float, _Clause]]:
        """Clauses of one or two features that spare more than `least` beyond their cost.

        gains: (kinds, classes) how many labels more are right where a kind gets that one.
        """
        costs, size = self._both, len(self._costs)
        inside, most = self._bits @ gains, self._bits @ np.maximum(gains, 0)
        for label in np.flatnonzero(self._may.any(axis=1)).tolist():
            gain, may = gains[:, label], self._may[label]
            worth = weight * np.concatenate([inside[:, label], gain.sum() - inside[:, label]]) - costs
            yield from (
                (float(worth[i]), (label, (self._signed(i),)))
                for i in _least(np.where(may & (worth > least), -worth, np.inf), BRANCHES)
            )
            bound = np.concatenate([most[:, label], np.maximum(gain, 0).sum() - most[:, label]])
            bound = weight * bound - costs - self._costs.min(initial=1)
            some = _least(np.where(may & (bound > least), -bound, np.inf), PAIRED)
            true = np.abs((some >= size)[:, None] - self._bits[some % size])
            pairs = weight * ((true * gain) @ true.T) - costs[some][:, None] - costs[some]
            first, second = np.nonzero(np.triu(pairs > least, 1))
            for i in _least(-pairs[first, second], BRANCHES):
                both = self._signed(some[first[i]]), self._signed(some[second[i]])
                yield float(pairs[first[i], second[i]]), (label, tuple(sorted(both)))

    def _true(self, body: Sequence[Signed]) -> Bits:
        """(kinds,): where all of it holds."""
        holds = ((self._bits[one.feature] > 0) != one.denied for one in body)
        return np.asarray(np.logical_and.reduce([np.ones(len(self._start), np.bool_), *holds]))

    def _signed(self, number: int) -> Signed:
        """Features come first, then their denials."""
        return Signed(bool(number >= len(self._costs)), int(number) % len(self._costs))

    def _cost(self, body: Sequence[Signed]) -> float:
        return sum(float(self._costs[one.feature]) + one.denied for one in body)

    def _finish(self, beginning: _Beginning) -> float:
        """Calls the rest what suits it best; how many of its places are called wrongly then."""
        counts = beginning.rest.sum(axis=0)
        default = int(counts.argmax()) if self._default is None else self._default
        wrong = float(counts.sum() - counts[default])
        self._note(beginning.clauses, default, beginning.cost, beginning.errors + wrong)
        return wrong

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

    def _extensions(self, beginning: _Beginning) -> Iterator[_Beginning]:
        """The beginning and one more clause: those that end best, those that promise most, and those that cover most
        without an error."""
        inside, total = self._bits @ beginning.rest, beginning.rest.sum(axis=0)
        covered = np.concatenate([inside, total - inside]).T
        said = covered * self._may
        right = said.max(axis=0)
        cost = self._both + self._weight * (covered.sum(axis=0) - right)
        within = (cost <= self._best - beginning.cost - self._weight * beginning.errors) & (right > 0)
        left = total[:, None] - covered
        rest = left.sum(axis=0) - (left.max(axis=0) if self._default is None else left[self._default])
        exact = within & (covered.sum(axis=0) == right)
        for allowed, rank in (
            (within, cost + self._weight * rest),
            (within, cost + PROMISED * rest),
            (exact, cost - 100 * right),
        ):
            for i in _least(np.where(allowed, rank, np.inf), BRANCHES):
                clause = int(said[:, i].argmax()), (self._signed(i),)
                errors = beginning.errors + float(covered[:, i].sum() - right[i])
                rest_of = beginning.rest * ~self._true(clause[1])[:, None]
                yield _Beginning((*beginning.clauses, clause), beginning.cost + float(self._both[i]), errors, rest_of)


def _least(values: NDArray[np.float32], count: int) -> Numbers:
    """The places of the least values, ties in order; none of infinity."""
    bound = np.partition(values, count - 1)[count - 1] if len(values) > count else np.inf
    near = np.flatnonzero((values <= bound) & np.isfinite(values))
    return np.sort(near[np.argsort(values[near], kind="stable")[:count]])
