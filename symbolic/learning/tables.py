"""Truth tables as bits: what literals are true of, in all pictures at once."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.symbolic.learning.literals import Literal, truth_of
from predinet_prolog.symbolic.learning.situations import Predicate, Situation

Bits = NDArray[np.bool_]
Words = NDArray[np.uint64]
Numbers = NDArray[np.intp]

_MIXER = np.uint64(0x9E3779B97F4A7C15)  # an odd number without a pattern


@dataclass(frozen=True, eq=False)
class Place:
    """Where a clause may be true: a situation, and the numbers of the objects that its head speaks of."""

    situation: Situation
    head: tuple[int, ...] = ()


class Tables:
    """Bits over (place, objects) for each literal, for conjunctions of so many variables.

    The objects are all tuples of different ones that begin with the head's. The bits of a place fill whole words: there
    are such objects in it if one of its words is not 0. A literal of more variables says of the first that there are
    further objects.
    """

    def __init__(self, places: Sequence[Place], variables: int) -> None:
        sizes = np.array([len(place.situation.objects) for place in places])
        self._groups = [_Group(places, np.flatnonzero(sizes == size), variables) for size in np.unique(sizes)]
        self._rows: dict[Literal, Words] = {}
        self._place = np.concatenate([np.repeat(group.numbers, group.width) for group in self._groups])
        self._places = len(places)
        self._all = np.concatenate([group.all().ravel() for group in self._groups])
        self._marks = np.random.default_rng(variables).integers(0, 2**63, (len(self._all), 1), np.uint64) * 2 + 1

    def row(self, literal: Literal) -> Words:
        """(words,): what the literal is true of."""
        if literal not in self._rows:
            self._rows[literal] = np.concatenate([group.words(literal).ravel() for group in self._groups])
        return self._rows[literal]

    def conjunction(self, literals: Sequence[Literal]) -> Words:
        """(words,): what all of the literals are true of."""
        return np.asarray(np.bitwise_and.reduce([self._all, *map(self.row, literals)]))

    def columns(self, literals: Sequence[Literal]) -> Words:
        """(words, literals)"""
        return np.stack([self.row(literal) for literal in literals], axis=1)

    def marks(self, words: Numbers, table: Words) -> Words:
        """(literals,): numbers that are alike for the same table, given by some of its words, and for no other."""
        mixed = table * self._marks[words]
        mixed ^= mixed >> np.uint64(32)
        return np.asarray((mixed * _MIXER).sum(axis=0))

    def places(self, words: Numbers, table: Words) -> tuple[Numbers, Bits]:
        """Which places have some of the words, and (these places, literals): whether there are such objects."""
        places = self._place[words]
        starts = np.flatnonzero(np.diff(places, prepend=-1))
        return places[starts], np.bitwise_or.reduceat(table, starts, axis=0) != 0

    def sets(self, table: Words) -> Numbers:
        """(places,): how many different sets of objects, the head's aside, the table is true of."""
        bits, (tuples, places) = np.unpackbits(table.view(np.uint8), bitorder="little").view(np.bool_), self._sets
        return np.bincount(places[bits[tuples].any(axis=0)], minlength=self._places)

    @cached_property
    def _sets(self) -> tuple[Numbers, Numbers]:
        """(orders, sets): the bits of each set of objects; and (sets,): the places that these are of."""
        starts = itertools.accumulate((64 * len(group.numbers) * group.width for group in self._groups), initial=0)
        tuples = np.concatenate([group.sets(start) for group, start in zip(self._groups, starts, strict=False)], axis=1)
        return tuples, self._place[tuples[0] // 64]


def words_needed(places: Sequence[Place], variables: int) -> int:
    """How many words the bits of one literal take."""
    return sum(
        max(1, -(-math.perm(max(len(place.situation.objects) - len(place.head), 0), variables - len(place.head)) // 64))
        for place in places
    )


@cache
def _tuples(n: int, fixed: int, variables: int) -> Numbers:
    """(tuples, variables): in lexical order, so that those with the same beginning stand together."""
    rest = itertools.permutations(range(fixed, n), variables - fixed)
    return np.array([(*range(fixed), *variables_of) for variables_of in rest], np.intp).reshape(-1, variables)


class _Group:
    """The places with equally many objects; those of the head come first."""

    def __init__(self, places: Sequence[Place], numbers: Numbers, variables: int) -> None:
        self.numbers = numbers
        self._places = [places[number] for number in numbers]
        self._n, self._fixed = len(self._places[0].situation.objects), len(self._places[0].head)
        self._variables = variables
        self._tuples = len(_tuples(self._n, self._fixed, variables))
        self.width = max(1, -(-self._tuples // 64))
        self._truths: dict[Predicate, Bits] = {}

    def words(self, literal: Literal) -> Words:
        """(places, width): what the literal is true of."""
        last = max(self._variables, *(variable + 1 for variable in literal.objects))
        objects = _tuples(self._n, self._fixed, last)
        table = np.moveaxis(literal.table(self._truth(literal.predicate)), 0, -1)
        true = table[tuple(objects[:, i] for i in literal.variables)].T
        further = math.perm(max(self._n - self._variables, 0), last - self._variables)
        return self._packed(np.asarray(true.reshape(len(self.numbers), self._tuples, further).any(axis=2)))

    def all(self) -> Words:
        """(places, width): true of all objects."""
        return self._packed(np.ones((len(self.numbers), self._tuples), np.bool_))

    def sets(self, start: int) -> Numbers:
        """(orders, sets): the bits of each set of objects in each place, those of all of them beginning at `start`."""
        objects = np.sort(_tuples(self._n, self._fixed, self._variables)[:, self._fixed :], axis=1)
        by_set = np.lexsort(objects.T) if objects.shape[1] else np.arange(self._tuples)
        orders = by_set.reshape(-1, math.factorial(self._variables - self._fixed)).T
        starts = start + 64 * self.width * np.arange(len(self.numbers))
        return (orders[:, None] + starts[:, None]).reshape(len(orders), -1)

    def _packed(self, bits: Bits) -> Words:
        padded = np.zeros((len(bits), self.width * 64), np.bool_)
        padded[:, : bits.shape[1]] = bits
        return np.packbits(padded, axis=-1, bitorder="little").view(np.uint64)

    def _truth(self, predicate: Predicate) -> Bits:
        if predicate not in self._truths:
            tables = []
            for place in self._places:
                order = [*place.head, *(i for i in range(self._n) if i not in place.head)]
                tables.append(truth_of(place.situation, predicate)[np.ix_(*[order] * predicate.arity)])
            self._truths[predicate] = np.stack(tables)
        return self._truths[predicate]
