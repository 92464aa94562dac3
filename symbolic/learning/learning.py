"""Rules from labelled pictures."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

import numpy as np

from predinet_prolog.symbolic.learning.choosing import Trial, held_back
from predinet_prolog.symbolic.learning.doubts import Doubt, doubts
from predinet_prolog.symbolic.learning.fitting import MOST_RIVALS, WEIGHTS, Group, Language, fit
from predinet_prolog.symbolic.learning.literals import Literal, pool
from predinet_prolog.symbolic.learning.search import Report, silent
from predinet_prolog.symbolic.learning.situations import LearningError, Predicate, Situation
from predinet_prolog.symbolic.learning.tables import Place
from predinet_prolog.symbolic.learning.theories import Theory

MOST_VARIABLES = 4
TRUE_LABELS = ("1", "true", "yes")
"""What a label is called that says that the task holds, where only one of the tasks does."""


@dataclass(frozen=True)
class Options:
    """What rules may look like."""

    noisy: bool | None = None
    """Labels may be wrong: an error costs as much as a literal, else as much as a hundred. None: what is held back
    decides; where there are too few, no label is taken to be wrong."""
    exclusive: bool = False
    """Of the tasks only one holds of a picture."""
    variables: int | None = None
    """Most objects that a conjunction may speak of, at most 4. None: 4; the least cost wins, the fewest on ties."""
    literals: int = 4
    """Most in one conjunction, at most 6."""
    only: tuple[str, ...] = ()
    """Names of predicates, and of negations, that may stand; () all."""
    without: tuple[str, ...] = ()
    """Literals that may not, nor their denials: as in `colour(_, grey)`, or all of a name; after the name of a label
    and a colon, in its clauses alone."""


DEFAULT = Options()


@dataclass(frozen=True)
class Learned:
    theory: Theory
    """The cheapest."""
    rivals: tuple[Theory, ...]
    """Others of the same cost and errors that say something else of some conceivable picture, at most 20."""
    dearer: tuple[Theory, ...]
    """Theories that cost one or two more and make no more errors, at most 20 of each cost, the cheaper ones first."""
    conjunctions: int
    """How many conjunctions were looked at."""
    cut: bool = False
    """Whether there were too many conjunctions to look at all of them."""
    noisy: bool = False
    """Whether labels were taken to be wrong where that spares literals."""
    trials: tuple[Trial, ...] = ()
    """How well a part of the labels taught the rest, in the mode chosen and in the other; () if there were too few."""
    doubts: tuple[Doubt, ...] = ()
    """Labels to look at again."""

    @property
    def theories(self) -> tuple[Theory, ...]:
        """All of them, the cheaper ones first."""
        return self.theory, *self.rivals, *self.dearer


def learn(
    situations: Sequence[Situation],
    labels: Sequence[str],
    predicates: Sequence[Predicate],
    options: Options = DEFAULT,
    report: Report = silent,
    *,
    judge: bool = True,
) -> Learned:
    """The cheapest theory that gives the situations their labels. `report` gets how much is done, of how much, and
    what is being done. judge: whether a part is held back even if `options` tell whether labels may be wrong. Raises
    LearningError where tasks are told of some pictures alone, or `exclusive` means nothing."""
    tasks = sorted({situation.task for situation in situations if situation.task is not None})
    if tasks and any(situation.task is None for situation in situations):
        raise LearningError("some of the pictures have a task and others none: give each one, or none")
    if options.exclusive and len(tasks) < 2:
        raise LearningError("only one of the tasks holds of a picture where there are several: label pictures by task")
    held = held_back(situations, [(situation.task, label) for situation, label in zip(situations, labels, strict=True)])
    language = language_of(predicates, options, labels)
    places = [Place(situation) for situation in situations]
    return better(places, labels, held if judge or options.noisy is None else [], language, tasks, options, report)


def better(
    places: Sequence[Place],
    labels: Sequence[str],
    held: Sequence[int],
    language: Language,
    tasks: Sequence[str],
    options: Options,
    report: Report,
) -> Learned:
    """What all places teach in the mode that does better on those held back, and where to look again; of these tasks
    each may have clauses of its own."""

    def learned(numbers: Sequence[int], noisy: bool) -> Learned:
        taught, names = [places[n] for n in numbers], [labels[n] for n in numbers]
        groups = _divisions(taught, names, tasks, options)
        fitted = fit(taught, groups, replace(language, weight=WEIGHTS[noisy]), report)

        def counted(theories: Sequence[Theory]) -> list[Theory]:
            return [replace(theory, errors=len(names) - theory.right(taught, names)) for theory in theories]

        # One that gets more of them wrong is no rival: where only one task holds, errors about the others count, too.
        theory, *rivals = counted(fitted.theories)
        rivals = [rival for rival in rivals if rival.errors == theory.errors][:MOST_RIVALS]
        dearer = tuple(other for other in counted(fitted.dearer) if other.errors <= theory.errors)
        return Learned(theory, tuple(rivals), dearer, fitted.conjunctions, fitted.cut, noisy)

    kept = sorted({*range(len(labels))} - {*held})
    tried = []
    if held and len({labels[n] for n in kept}) > 1:
        for mode in (False, True) if options.noisy is None else (options.noisy,):
            theory = learned(kept, mode).theory
            judging = [labels[n] for n in held]
            right, usual = theory.right([places[n] for n in held], judging), max(Counter(judging).values())
            tried.append(Trial(mode, len(kept), len(held), right, theory.cost, theory.errors, usual))
    tried.sort(key=lambda trial: trial.price)  # strict stays first where they come to the same
    whole = learned(range(len(labels)), tried[0].noisy if tried else bool(options.noisy))
    return replace(whole, trials=tuple(tried), doubts=doubts(whole.theory, places, labels, language))


def ask_next(learned: Learned, situations: Sequence[Situation]) -> list[int]:
    """Which of the situations, whose labels are not known, to label next: those first on which the theory, its rivals
    and dearer ones disagree most. What costs one more has half a vote, and those that say the same of all situations
    have one vote together. Those on which all agree are left out."""
    votes: dict[tuple[str, ...], float] = {}
    for theory in learned.theories:
        votes.setdefault(tuple(theory.predict(situations)), 2.0 ** (learned.theory.cost - theory.cost))
    most = [
        max(
            sum(vote for answer, vote in zip(said, votes.values(), strict=True) if answer == label)
            for label in set(said)
        )
        for said in zip(*votes, strict=True)
    ]
    return sorted((i for i, votes_for in enumerate(most) if votes_for < sum(votes.values())), key=lambda i: most[i])


def language_of(predicates: Sequence[Predicate], options: Options, labels: Collection[str]) -> Language:
    """What may stand in clauses of these labels. Raises LearningError for names that no predicate or label has, and for
    what is no literal."""
    check_names(predicates, options.only)
    names = {name for literal in pool(predicates, MOST_VARIABLES) for name in _names(literal)}
    classes = sorted(set(labels))
    asked = [_spaceless(text) for text in options.without]
    taken = {of: names & {*asked, *(one.removeprefix(_spaceless(f"{of}:")) for one in asked)} for of in classes}
    for text, one in zip(options.without, asked, strict=True):
        if any(names & {one, one.removeprefix(_spaceless(f"{of}:"))} for of in classes):
            continue
        label, _, name = (part.strip() for part in text.partition(":"))
        if name and "(" not in label and label not in classes:
            raise LearningError(f"no label is called {label}: there are {', '.join(classes)}")
        there = ", ".join(sorted(name for name in names if "(" in name))
        raise LearningError(f"no literal is called {name if label in classes else text}: there are {there}")
    literals = [*pool(predicates, options.variables or MOST_VARIABLES, options.only)]
    barred = {label: frozenset(one for one in literals if some & _names(one)) for label, some in taken.items()}
    allowed = tuple(one for one in literals if not all(one in some for some in barred.values()))
    return Language(allowed, options.literals, barred={label: some for label, some in barred.items() if some})


def _names(literal: Literal) -> set[str]:
    """How a user may call it: by its predicate, or as it is written, whatever its variables."""
    return {literal.name, _spaceless(literal.write("_" * MOST_VARIABLES)).removeprefix("\\+")}


def _spaceless(text: str) -> str:
    return text.replace(" ", "")


def check_names(predicates: Sequence[Predicate], only: Sequence[str]) -> None:
    """Raises LearningError for a name that neither a predicate nor a negation has."""
    names = sorted({name for predicate in predicates for name in (predicate.name, predicate.negation) if name})
    for name in only:
        if name not in names:
            near = get_close_matches(name, names)
            advice = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(names)}"
            raise LearningError(f"no predicate is called {name}: {advice}")


def _divisions(
    places: Sequence[Place], labels: Sequence[str], tasks: Sequence[str], options: Options
) -> list[list[Group]]:
    """The pictures of each task, and all together, where that may be."""
    together = Group(None, np.arange(len(labels)), tuple(labels))
    if len(tasks) < 2:
        return [[together]]
    against = _against(labels) if options.exclusive else None
    groups = []
    for task in tasks:
        labels_of = {i: labels[i] for i, place in enumerate(places) if place.situation.task == task}
        if against is not None:  # a picture of which one task holds is an example against the others
            labels_of |= {i: against[1] for i, label in enumerate(labels) if label == against[0] and i not in labels_of}
        groups.append(Group(task, np.array(list(labels_of)), tuple(labels_of.values())))
    return [groups] if options.exclusive else [groups, [together]]


def _against(labels: Sequence[str]) -> tuple[str, str]:
    """The label of pictures of which their task holds, and that of others."""
    names = sorted(set(labels), key=lambda label: (label not in TRUE_LABELS, label))
    if len(names) != 2 or names[0] not in TRUE_LABELS or names[1] in TRUE_LABELS:
        raise LearningError(
            f"where only one of the tasks holds there are two labels, one of them {' or '.join(TRUE_LABELS)}; "
            f"here there {'is' if len(names) == 1 else 'are'} {', '.join(names)}"
        )
    return names[0], names[1]
