"""The cheapest theories for labelled places: longer and longer conjunctions, as long as they could be cheaper."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from symbolic.learning.covering import Decisions, decide
from symbolic.learning.literals import Literal
from symbolic.learning.search import Report, Search
from symbolic.learning.tables import Numbers, Place
from symbolic.learning.theories import Clause, Theory, differing

MOST_RIVALS = 20
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
    weight: int
    """What an error costs."""
    head: tuple[str, int] = ("label", 0)
    """Name of the predicate that is defined, and how many objects it speaks of."""
    only: tuple[str, str] | None = None
    """The label of all clauses, and of the rest; None: any."""


@dataclass(frozen=True)
class Fit:
    """Theories of the same least cost, the simplest first; their errors are those of the groups."""

    theories: tuple[Theory, ...]
    seen: int
    """How many conjunctions were looked at."""
    cut: bool
    """Whether there were too many to look at all."""


def fit(places: Sequence[Place], divisions: Sequence[Sequence[Group]], language: Language, report: Report) -> Fit:
    """The cheapest theories for the places, which are divided into groups in each of the ways given."""
    labels = sorted({label for group in divisions[0] for label in group.labels}.union(language.only or ()))
    may_have = np.zeros((len(places), len(labels)), np.bool_)
    for group in divisions[0]:
        may_have[group.places, [labels.index(each) for each in group.labels]] = True
    least, most, theories, seen, cut = np.inf, np.inf, list[Theory](), 0, False
    search = Search(places, language.literals, may_have if language.weight > 1 else None, report)
    for longest in range(1, language.longest + 1):
        search.run(longest)
        seen, cut = seen + search.seen, cut or search.cut
        # Lists of many clauses are looked for when longer conjunctions are not there to make them short.
        limit = SHORT if longest < language.longest and language.weight > 1 else np.inf
        for groups in divisions:
            divided = _Divided(search, groups, labels, language, limit)
            if divided.cost < least:
                least, theories, most = divided.cost, [], divided.most
            if divided.cost == least < np.inf:
                theories += itertools.islice(divided.theories(), MOST_RIVALS + 1)
        if most <= longest:
            break  # longer conjunctions cost more
    return Fit(tuple(differing(theories)[: MOST_RIVALS + 1]), seen, cut)


class _Divided:
    """The cheapest theories that speak of each group by clauses of its own."""

    def __init__(
        self, search: Search, groups: Sequence[Group], labels: Sequence[str], language: Language, limit: float
    ) -> None:
        self._search, self._groups, self._labels, self._language = search, groups, labels, language
        bits, costs = search.table, [each.cost for each in search.features]
        only = language.only and (labels.index(language.only[0]), labels.index(language.only[1]))
        lists = []
        for group in groups:
            numbers = np.array([labels.index(each) for each in group.labels])
            decided = decide(bits[:, group.places], costs, numbers, len(labels), language.weight, only, limit)
            lists.append(sorted(decided, key=self._rank))
        self.cost, self.most = np.inf, np.inf
        if not all(lists):
            return
        # What the rest is called is said once: of a group whose rest is called otherwise, by a clause more.
        self._default = min(
            range(len(labels)), key=lambda label: sum(label not in {each.default for each in some} for some in lists)
        )
        self._lists = [
            [each for each in some if each.default == self._default] or [self._closed(each) for each in some]
            for some in lists
        ]
        costs_of = [some[0].cost + language.weight * some[0].errors for some in self._lists]
        self.most = max(costs_of)
        """What the group costs that costs most, errors included."""
        self.cost = sum(costs_of) + sum(len(some[0].clauses) for some in self._lists) * (len(groups) > 1)
        """That of all theories, errors included."""

    def theories(self) -> Iterator[Theory]:
        """The simplest first, then in turn those with another feature and those with other clauses."""
        first = [some[0] for some in self._lists]
        yield self._theory(first)
        others = ([*first[:i], other, *first[i + 1 :]] for i, some in enumerate(self._lists) for other in some[1:])
        for theories in itertools.zip_longest(self._replaced(first), map(self._theory, others)):
            yield from filter(None, theories)

    def _replaced(self, chosen: Sequence[Decisions]) -> Iterator[Theory]:
        """The theory with one feature another that says the same of all places."""
        theory = self._theory(chosen)
        numbers = [each.feature for decisions in chosen for _, body in decisions.clauses for each in body]
        places = [(i, j) for i, clause in enumerate(theory.clauses) for j in range(len(clause.features))]
        for (i, j), number in zip(places, numbers, strict=True):
            for other in self._search.alike(number):
                clause = theory.clauses[i]
                feature = replace(other, denied=clause.features[j].denied)
                changed = replace(clause, features=(*clause.features[:j], feature, *clause.features[j + 1 :]))
                yield replace(theory, clauses=(*theory.clauses[:i], changed, *theory.clauses[i + 1 :]))

    def _theory(self, chosen: Sequence[Decisions]) -> Theory:
        clauses = tuple(
            Clause(
                self._labels[label],
                tuple(replace(self._search.features[each.feature], denied=each.denied) for each in body),
                group.task,
            )
            for group, decisions in zip(self._groups, chosen, strict=True)
            for label, body in decisions.clauses
        )
        errors = sum(each.errors for each in chosen)
        return Theory(clauses, self._labels[self._default], errors, *self._language.head)

    def _closed(self, decisions: Decisions) -> Decisions:
        """The same, the rest named by a last clause without features."""
        return replace(decisions, clauses=(*decisions.clauses, (decisions.default, ())), default=self._default)

    def _rank(self, decisions: Decisions) -> tuple[int, ...]:
        """Fewest literals first, then variables, then denials, then in the order of the literals."""
        signed = [each for _, body in decisions.clauses for each in body]
        features = [self._search.features[each.feature] for each in signed]
        literals = [literal for feature in features for literal in feature.literals]
        denials = sum(each.denied for each in signed) + sum(each.denied for each in literals)
        most = max((each.variables for each in features), default=0)
        return (len(literals), most, denials, *map(self._language.literals.index, literals))
