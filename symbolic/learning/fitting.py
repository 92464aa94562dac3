"""The cheapest theories for labelled places: longer and longer conjunctions, as long as they could be cheaper."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from predinet_prolog.symbolic.learning.covering import DEARER, Cover, Decisions
from predinet_prolog.symbolic.learning.literals import Feature, Literal
from predinet_prolog.symbolic.learning.search import COUNTED, Report, Search
from predinet_prolog.symbolic.learning.tables import Numbers, Place
from predinet_prolog.symbolic.learning.theories import Clause, Theory, differing

MOST_RIVALS = 20
WEIGHTS = 100, 1
"""What an error costs, in literals: strict, and where labels may be wrong."""
SHORT = 8
"""Literals of a theory, or of what it says of a task, that is short."""


@dataclass(frozen=True, eq=False)
class Group:
    """Places that clauses of their own speak of: those of one task, or all."""

    task: str | None
    places: Numbers
    labels: tuple[str, ...]
    """Of these places."""


@dataclass(frozen=True)
class Language:
    """What theories may say, and what they cost."""

    literals: tuple[Literal, ...]
    """In order of preference, over all variables that a conjunction may have."""
    longest: int
    """Most literals of a conjunction."""
    weight: int = WEIGHTS[0]
    """What an error costs."""
    head: tuple[str, int] = ("label", 0)
    """Name of the predicate that is defined, and how many objects it speaks of."""
    barred: Mapping[str, frozenset[Literal]] = field(default_factory=dict)
    """Of labels, what may not stand in their clauses."""
    default: str | None = None
    """What the rest is called, and no clause; None: anything."""

    def may(self, label: str, feature: Feature) -> bool:
        """Whether it may stand in a clause of the label."""
        free = label not in self.barred or self.barred[label].isdisjoint(feature.literals)
        return free and label != self.default


@dataclass(frozen=True)
class Fit:
    """Theories, the simplest first; their errors are those of the groups."""

    theories: tuple[Theory, ...]
    """Of the same least cost."""
    dearer: tuple[Theory, ...]
    """Of up to DEARER more, the cheaper ones first."""
    conjunctions: int
    """How many conjunctions were looked at."""
    cut: bool
    """Whether there were too many to look at all."""


def fit(places: Sequence[Place], divisions: Sequence[Sequence[Group]], language: Language, report: Report) -> Fit:
    """The cheapest theories for the places, which are divided into groups in each of the ways given."""
    labels = sorted({label for group in divisions[0] for label in group.labels}.union(filter(None, [language.default])))
    may_have = np.zeros((len(places), len(labels)), np.bool_)
    for group in divisions[0]:
        may_have[group.places, [labels.index(label) for label in group.labels]] = True
    least, most, count, cut = np.inf, np.inf, 0, False
    by_cost: dict[float, list[list[Theory]]] = {}
    bars = np.array([[one in some for some in language.barred.values()] for one in language.literals], np.bool_)
    search = Search(places, language.literals, may_have if language.weight > 1 else None, bars)
    for longest in range(1, language.longest + 1):
        search.run(longest, report)
        count, cut = count + search.seen, cut or search.cut
        # Lists of many clauses are looked for when longer conjunctions are not there to make them short.
        limit = SHORT if longest < language.longest and language.weight > 1 else np.inf
        for groups in divisions:
            divided = _Divided(search, groups, labels, language, limit)
            if divided.cost < least:
                least, most = divided.cost, divided.most
            for more in range(DEARER + 1) if divided.cost <= least + DEARER < np.inf else ():
                theories = list(itertools.islice(divided.theories(more), MOST_RIVALS + 1))
                by_cost.setdefault(divided.cost + more, []).extend([theories] if theories else [])
        if most <= longest >= min(COUNTED, language.longest):
            break  # longer conjunctions cost more

    def of_cost(cost: float) -> list[Theory]:
        """The simplest first, of those of short conjunctions and those of longer ones."""
        by_length = sorted(
            by_cost.get(cost, ()),
            key=lambda alternatives: _rank([one.features for one in alternatives[0].clauses], language),
        )
        return differing(itertools.chain(*by_length))

    dearer = (of_cost(least + more)[:MOST_RIVALS] for more in range(1, DEARER + 1))
    return Fit(tuple(of_cost(least)[: MOST_RIVALS + 1]), tuple(itertools.chain(*dearer)), count, cut)


class _Divided:
    """The cheapest theories that speak of each group by clauses of its own."""

    def __init__(
        self, search: Search, groups: Sequence[Group], labels: Sequence[str], language: Language, limit: float
    ) -> None:
        self._search, self._groups, self._labels, self._language = search, groups, labels, language
        bits, costs = search.table, [feature.cost for feature in search.features]
        may = np.array([[language.may(label, feature) for feature in search.features] for label in labels], np.bool_)
        default = None if language.default is None else labels.index(language.default)
        lists = []
        for group in groups:
            numbers = np.array([labels.index(label) for label in group.labels])
            cover = Cover(bits[:, group.places], costs, numbers, may, language.weight, default, limit)
            lists.append(
                sorted(
                    cover.cheapest(),
                    key=lambda decisions: (self._whole(decisions), _rank(self._bodies(decisions), language)),
                )
            )
        self.cost, self.most = np.inf, np.inf
        if not all(lists):
            return
        # What the rest is called is said once: of a group whose rest is called otherwise, by a clause more.
        self._default = min(
            range(len(labels)), key=lambda label: sum(label not in self._defaults(some) for some in lists)
        )
        self._lists = [
            [decisions for decisions in some if decisions.default == self._default]
            if self._default in self._defaults(some)
            else [  # the rest is named by a last clause without features
                replace(decisions, clauses=(*decisions.clauses, (decisions.default, ())), default=self._default)
                for decisions in some
            ]
            for some in lists
        ]
        costs_of = [self._whole(some[0]) for some in self._lists]
        self.most = max(costs_of)
        """What the group costs that costs most, errors included."""
        self.cost = sum(costs_of) + sum(len(some[0].clauses) for some in self._lists) * (len(groups) > 1)
        """That of all theories, errors included."""

    def theories(self, more: int) -> Iterator[Theory]:
        """Those that cost so much more than the cheapest: the simplest first, then in turn those with another feature
        and those with other clauses."""
        first = [some[0] for some in self._lists]
        if not more:
            yield self._theory(first)
        rest = (
            [*first[:i], other, *first[i + 1 :]]
            for i, some in enumerate(self._lists)
            for other in some[1:]
            if self._whole(other) == self._whole(some[0]) + more
        )
        for theories in itertools.zip_longest(self._replaced(first, more), map(self._theory, rest)):
            yield from filter(None, theories)

    def _replaced(self, chosen: Sequence[Decisions], more: int) -> Iterator[Theory]:
        """The theory with one feature another that says the same of all places and costs so much more."""
        theory = self._theory(chosen)
        numbers = [decision.feature for decisions in chosen for _, body in decisions.clauses for decision in body]
        places = [(i, j) for i, clause in enumerate(theory.clauses) for j in range(len(clause.features))]
        for (i, j), number in zip(places, numbers, strict=True):
            clause = theory.clauses[i]
            for other in self._search.alike(number, more):
                if self._language.may(clause.label, other):
                    feature = replace(other, denied=clause.features[j].denied)
                    changed = replace(clause, features=(*clause.features[:j], feature, *clause.features[j + 1 :]))
                    yield replace(theory, clauses=(*theory.clauses[:i], changed, *theory.clauses[i + 1 :]))

    def _theory(self, chosen: Sequence[Decisions]) -> Theory:
        clauses = tuple(
            Clause(self._labels[label], body, group.task)
            for group, decisions in zip(self._groups, chosen, strict=True)
            for (label, _), body in zip(decisions.clauses, self._bodies(decisions), strict=True)
        )
        errors = sum(decisions.errors for decisions in chosen)
        return Theory(clauses, self._labels[self._default], errors, *self._language.head)

    def _bodies(self, decisions: Decisions) -> list[tuple[Feature, ...]]:
        """The features of each clause."""
        features = self._search.features
        return [
            tuple(replace(features[one.feature], denied=one.denied) for one in body) for _, body in decisions.clauses
        ]

    def _defaults(self, decisions: Sequence[Decisions]) -> set[int]:
        """What the cheapest of them call the rest."""
        return {one.default for one in decisions if self._whole(one) == self._whole(decisions[0])}

    def _whole(self, decisions: Decisions) -> int:
        """The cost, errors included."""
        return decisions.cost + self._language.weight * decisions.errors


def _rank(bodies: Sequence[Sequence[Feature]], language: Language) -> tuple[int, ...]:
    """Fewest `\\+` and counts first, then literals, clauses, variables, denials, then in the order of the literals."""
    features = [feature for body in bodies for feature in body]
    literals = [literal for feature in features for literal in feature.literals]
    negations = sum(feature.denied + bool(feature.count) for feature in features)
    negations += sum(not literal.binds for literal in literals)
    denials = sum(literal.denied for literal in literals)
    most = max((feature.variables for feature in features), default=0)
    return (negations, len(literals), len(bodies), most, denials, *map(language.literals.index, literals))
