"""Rules from labelled pictures."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from symbolic.learning.fitting import MOST_RIVALS, Group, Language, fit
from symbolic.learning.literals import Literal, pool
from symbolic.learning.situations import LearningError, Predicate, Situation
from symbolic.learning.tables import Place
from symbolic.learning.theories import Theory

MOST_VARIABLES, MOST_LITERALS = 4, 6
TRUE_LABELS = ("1", "true", "yes")
"""What a label is called that says that the task holds, where only one of the tasks does."""


@dataclass(frozen=True)
class Options:
    """What rules may look like. Raises LearningError for numbers that are not possible."""

    noisy: bool = False
    """Labels may be wrong: an error costs as much as a literal, else as much as a hundred."""
    exclusive: bool = False
    """Of the tasks only one holds of a picture."""
    variables: int | None = None
    """Most objects that a conjunction may speak of, at most 4. None: 4; the least cost wins, the fewest on ties."""
    literals: int = 4
    """Most in one conjunction, at most 6."""
    only: tuple[str, ...] = ()
    """Names of predicates, and of negations, that may stand; () all."""

    def __post_init__(self) -> None:
        if self.variables is not None and not 1 <= self.variables <= MOST_VARIABLES:
            raise LearningError(f"a conjunction has 1 to {MOST_VARIABLES} variables, not {self.variables}")
        if not 1 <= self.literals <= MOST_LITERALS:
            raise LearningError(f"a conjunction has 1 to {MOST_LITERALS} literals, not {self.literals}")

    @property
    def weight(self) -> int:
        """What an error costs, in literals."""
        return 1 if self.noisy else 100


DEFAULT = Options()


@dataclass(frozen=True)
class Learned:
    """What was found."""

    theory: Theory
    """The cheapest."""
    rivals: tuple[Theory, ...]
    """Others of the same cost and errors that say something else of some conceivable picture, at most 20."""
    seen: int
    """How many conjunctions were looked at."""
    cut: bool = False
    """Whether there were too many conjunctions to look at all of them."""


def learn(
    situations: Sequence[Situation],
    labels: Sequence[str],
    predicates: Sequence[Predicate],
    options: Options = DEFAULT,
    report: Callable[[int, int, str], None] = lambda done, total, text: None,
) -> Learned:
    """The cheapest theory that gives the situations their labels. `report` gets how much is done, of how much, and
    what is being done. Raises LearningError where there is nothing to learn from."""
    if len(situations) != len(labels):
        raise LearningError(f"{len(situations)} pictures, and {len(labels)} labels: each needs one")
    if not situations:
        raise LearningError("no picture has a label: label some")
    tasks = sorted({each.task for each in situations if each.task is not None})
    if tasks and any(each.task is None for each in situations):
        raise LearningError("some of the pictures have a task and others none: give each one, or none")
    if options.exclusive and len(tasks) < 2:
        raise LearningError("only one of the tasks holds of a picture where there are several: label pictures by task")
    language = Language(
        literals=literals_of(predicates, options),
        longest=options.literals,
        weight=options.weight,
    )
    found = fit([Place(each) for each in situations], _divisions(situations, labels, tasks, options), language, report)
    theory, *rivals = [
        replace(each, errors=sum(a != b for a, b in zip(each.predict(situations), labels, strict=True)))
        for each in found.theories
    ]
    # One that gets more of them wrong is no rival: where only one task holds, errors about the others count, too.
    even = tuple(each for each in rivals if each.errors == theory.errors)
    return Learned(theory, even[:MOST_RIVALS], found.seen, found.cut)


def ask_next(learned: Learned, situations: Sequence[Situation]) -> list[int]:
    """Which of the situations, whose labels are not known, to label next: those first on which the theory and its
    rivals disagree most. Those on which all agree are left out."""
    said = list(zip(*(each.predict(situations) for each in (learned.theory, *learned.rivals)), strict=True))
    votes = [max(Counter(each).values()) for each in said]
    return sorted((i for i, most in enumerate(votes) if most < len(said[i])), key=lambda i: votes[i])


def literals_of(predicates: Sequence[Predicate], options: Options) -> tuple[Literal, ...]:
    """What may stand in a conjunction. Raises LearningError for names that no predicate has."""
    names = {name for each in predicates for name in (each.name, each.negation) if name is not None}
    if unknown := [each for each in options.only if each not in names]:
        raise LearningError(f"no predicate is called {unknown[0]}: there are {', '.join(sorted(names))}")
    return tuple(pool(predicates, options.variables or MOST_VARIABLES, options.only))


def _divisions(
    situations: Sequence[Situation], labels: Sequence[str], tasks: Sequence[str], options: Options
) -> list[list[Group]]:
    """The pictures of each task, and all together, where that may be."""
    together = Group(None, np.arange(len(labels)), tuple(labels))
    if len(tasks) < 2:
        return [[together]]
    against = _against(labels) if options.exclusive else None
    groups = []
    for task in tasks:
        own = {i: labels[i] for i, each in enumerate(situations) if each.task == task}
        if against is not None:  # a picture of which one task holds is an example against the others
            own |= {i: against[1] for i, label in enumerate(labels) if label == against[0] and i not in own}
        groups.append(Group(task, np.array(list(own)), tuple(own.values())))
    return [groups] if options.exclusive else [groups, [together]]


def _against(labels: Sequence[str]) -> tuple[str, str]:
    """The label of pictures of which their task holds, and that of others."""
    names = sorted(set(labels), key=lambda each: (each not in TRUE_LABELS, each))
    if len(names) != 2 or names[0] not in TRUE_LABELS or names[1] in TRUE_LABELS:
        raise LearningError(
            f"where only one of the tasks holds there are two labels, one of them {' or '.join(TRUE_LABELS)}; "
            f"here there {'is' if len(names) == 1 else 'are'} {', '.join(names)}"
        )
    return names[0], names[1]
