"""Where to look again: labels that contradict each other, and those that only an extra clause explains."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from predinet_prolog.symbolic.learning.choosing import price_of_error
from predinet_prolog.symbolic.learning.fitting import Language
from predinet_prolog.symbolic.learning.search import Search
from predinet_prolog.symbolic.learning.tables import Place
from predinet_prolog.symbolic.learning.theories import Clause, Theory


@dataclass(frozen=True)
class Doubt:
    """A label to look at again, by the number of its picture or example."""

    number: int
    against: tuple[int, ...] = ()
    """Those with another label of which no conjunction says anything else. None: only a clause, or a part of one,
    explains it that costs more literals than the errors it spares."""


def doubts(theory: Theory, places: Sequence[Place], labels: Sequence[str], language: Language) -> tuple[Doubt, ...]:
    """The labels that the theory gets wrong, or right by an extra clause alone."""
    features = {feature for clause in theory.clauses for feature in clause.features}
    truths = {part: np.array([part.holds(place.situation, place.head) for place in places]) for part in features}

    def wrong(clauses: Sequence[Clause]) -> set[int]:
        """What a theory of these clauses gets wrong."""
        said = np.full(len(places), theory.default, object)
        for clause in reversed(clauses):
            asked = np.array([clause.task in (None, place.situation.task) for place in places])
            said[np.all([asked, *(truths[part] for part in clause.features)], axis=0)] = clause.label
        return {*np.flatnonzero(said != np.array(labels, object)).tolist()}

    errors = wrong(theory.clauses)
    doubtful = {*errors}
    # Where places with several labels look alike, some of them are wrong.
    alike = _alike(places, labels, language) if errors else []
    against = {n: tuple(m for m in group if labels[m] != labels[n]) for group in alike for n in group}
    for clauses, cost in _shorter(theory):
        more = wrong(clauses)
        if price_of_error(len(places)) * (len(more) - len(errors)) < cost:
            doubtful |= more - errors
    return tuple(Doubt(number, against.get(number, ())) for number in sorted(doubtful))


def _shorter(theory: Theory) -> Iterator[tuple[list[Clause], int]]:
    """Its clauses without one whose label is said elsewhere, too, or without a part of one, and what that cost."""
    for number, clause in enumerate(theory.clauses):
        before, after = theory.clauses[:number], theory.clauses[number + 1 :]
        rest = [*before, *after]
        if clause.label in {theory.default, *(other.label for other in rest if other.task == clause.task)}:
            yield rest, clause.cost
        for part in clause.features if len(clause.features) > 1 else ():
            shorter = replace(clause, features=tuple(feature for feature in clause.features if feature != part))
            yield [*before, shorter, *after], part.cost


def _alike(places: Sequence[Place], labels: Sequence[str], language: Language) -> list[list[int]]:
    """Groups of places with several labels that no conjunction tells apart."""
    groups = [list(range(len(places)))]
    for length in range(1, language.longest + 1):
        parts: dict[object, list[int]] = {}
        for number, group in enumerate(groups):
            search = Search([places[n] for n in group], language.literals, None)
            search.run(length)
            for n, column in zip(group, search.table.T, strict=True):
                parts.setdefault((number, places[n].situation.task, column.tobytes()), []).append(n)
        groups = [part for part in parts.values() if len({labels[n] for n in part}) > 1]
    return groups
