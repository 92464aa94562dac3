"""Literals, and what is said with a conjunction of them: that there are such objects, or so many sets of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.quoting.prolog import atom
from predinet_prolog.symbolic.learning.situations import OBJECT, Predicate, Situation

ANY = -1
"""The variable `_`, in denials: \\+ same(A, _) says that nothing is same as A."""


@dataclass(frozen=True, order=True)
class Literal:
    """A predicate of some variables, or the denial of one."""

    denied: bool
    predicate: Predicate
    objects: tuple[int, ...]
    """The numbers of its variables; ANY in denials only."""

    @property
    def by_name(self) -> bool:
        """Whether it is a denial that has a name, as unlike has, so that it can bind its variables."""
        return self.denied and self.predicate.negation is not None and ANY not in self.objects

    @cached_property
    def binds(self) -> bool:
        """Whether its variables are objects, and different ones, where it is true."""
        return not self.denied or self.by_name

    @property
    def name(self) -> str:
        """Of its predicate, or of the negation."""
        return str(self.predicate.negation) if self.by_name else self.predicate.name

    @cached_property
    def cost(self) -> int:
        """1, and 1 more for a `\\+` and for each constant: that is so much more to say."""
        return 1 + (not self.binds) + len(self.predicate.values)

    @cached_property
    def variables(self) -> tuple[int, ...]:
        """Without ANY."""
        return tuple(variable for variable in self.objects if variable != ANY)

    def renamed(self, names: Sequence[int]) -> Literal:
        """The same of other variables, those that may change places in ascending order."""
        objects = [variable if variable == ANY else names[variable] for variable in self.objects]
        return Literal(self.denied, self.predicate, arranged(self.predicate, objects))

    def table(self, truth: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """What it is true of, from the predicate's table (..., n, n): (..., n) for each of its variables."""
        first = truth.ndim - self.predicate.arity
        table = truth.any(axis=tuple(first + i for i, variable in enumerate(self.objects) if variable == ANY))
        return np.asarray(~table if self.denied else table, np.bool_)

    def write(self, names: Sequence[str]) -> str:
        """Its text, the variables called by `names`."""
        objects = ("_" if variable == ANY else names[variable] for variable in self.objects)
        arguments = ", ".join([*objects, *map(atom, self.predicate.values)])
        return f"{'' if self.binds else chr(92) + '+ '}{self.name}({arguments})"


@dataclass(frozen=True)
class Feature:
    """What a conjunction says of a picture, or of the objects that its first variables stand for; all variables are
    different objects."""

    literals: tuple[Literal, ...]
    count: int = 0
    """0: there are such objects; else there are exactly so many sets of them."""
    denied: bool = False
    fixed: int = 0
    """How many variables are those of the clause's head."""
    more: bool = False
    """Whether there may be more sets than are counted."""

    @cached_property
    def variables(self) -> int:
        """How many, those of the head included."""
        return max([self.fixed - 1, *itertools.chain(*(literal.objects for literal in self.literals))]) + 1

    @cached_property
    def cost(self) -> int:
        """What its literals cost, a denial, and the number counted up to."""
        return sum(literal.cost for literal in self.literals) + self.count + self.denied

    def holds(self, situation: Situation, head: Sequence[int] = ()) -> bool:
        """Whether it is true; head: the numbers of the objects of the head."""
        n, k = len(situation.objects), self.variables
        table = different(n, k)
        for literal in self.literals:
            truth = literal.table(truth_of(situation, literal.predicate))
            order = np.argsort(literal.variables)
            shape = [n if axis in literal.variables else 1 for axis in range(k)]
            table = table & truth.transpose(order).reshape(shape)
        table = table[tuple(head)]
        if not self.count:
            return bool(table.any()) != self.denied
        sets = {tuple(sorted(place)) for place in np.argwhere(table).tolist()}
        return (len(sets) == self.count or (self.more and len(sets) > self.count)) != self.denied


def arranged(predicate: Predicate, objects: Sequence[int]) -> tuple[int, ...]:
    """Arguments of the predicate, those that may change places in ascending order, ANY last."""
    in_order = sorted((objects[i] for i in predicate.symmetric), key=lambda variable: (variable == ANY, variable))
    moved = dict(zip(predicate.symmetric, in_order, strict=True))
    return tuple(moved.get(place, variable) for place, variable in enumerate(objects))


def truth_of(situation: Situation, predicate: Predicate) -> NDArray[np.bool_]:
    """The predicate's table: that of the situation, and what every object is."""
    return np.ones(len(situation.objects), np.bool_) if predicate == OBJECT else situation.holds[predicate]


@cache
def different(n: int, k: int) -> NDArray[np.bool_]:
    """(n,) * k: where all objects differ."""
    places = np.indices((n,) * k)
    differ = (places[a] != places[b] for a, b in itertools.combinations(range(k), 2))
    return np.asarray(np.logical_and.reduce([np.ones((n,) * k, np.bool_), *differ]))


def pool(predicates: Sequence[Predicate], variables: int, only: Sequence[str] = ()) -> Iterator[Literal]:
    """All literals over so many variables: what is, then what is denied by a name, then what is denied
    by a `\\+`: that an object is so, or has anything in a relation to it."""
    allowed = [predicate for predicate in predicates if not only or predicate.name in only]
    for predicate in [*allowed, OBJECT]:
        yield from (Literal(False, predicate, objects) for objects in _arguments(predicate, range(variables)))
    for predicate in predicates:
        if predicate.negation is not None and (not only or predicate.negation in only):
            yield from (Literal(True, predicate, objects) for objects in _arguments(predicate, range(variables)))
    for predicate in allowed:
        for objects in _arguments(predicate, (*range(variables), *[ANY] * (predicate.arity - 1))):
            literal = Literal(True, predicate, objects)
            if (ANY in objects or predicate.arity == 1) and not literal.binds:
                yield literal


def _arguments(predicate: Predicate, variables: Sequence[int]) -> list[tuple[int, ...]]:
    choices = itertools.permutations(variables, predicate.arity)
    return list(dict.fromkeys(choice for choice in choices if choice == arranged(predicate, choice)))


def connected(literals: Sequence[Literal], fixed: int) -> bool:
    """Whether its variables, numbered without gaps, hang together, or with those of the head."""
    reached, rest = set(range(fixed)) or set(literals[0].variables), list(literals)
    while linked := [literal for literal in rest if reached & set(literal.variables)]:
        reached |= {variable for literal in linked for variable in literal.variables}
        rest = [literal for literal in rest if literal not in linked]
    return not rest and reached == set(range(len(reached)))
