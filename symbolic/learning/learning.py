"""Rules from labelled pictures."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from symbolic.learning.situations import Predicate, Situation
from symbolic.learning.theories import Theory


@dataclass(frozen=True)
class Options:
    """What rules may look like."""

    noisy: bool = False
    """Labels may be wrong: an error costs as much as a literal, else as much as a hundred."""
    exclusive: bool = False
    """Of the tasks only one holds of a picture."""
    variables: int | None = None
    """How many objects a conjunction may speak of. None: 2, 3 and 4 are tried; the least cost wins, the fewest on ties."""
    literals: int = 4
    """Most in one conjunction."""
    only: tuple[str, ...] = ()
    """Names of predicates, and of negations, that may stand; () all."""


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
    options: Options = Options(),  # noqa: B008 - it is frozen
    report: Callable[[int, int, str], None] = lambda done, total, text: None,
) -> Learned:
    """The cheapest theory that gives the situations their labels. `report` gets how much is done, of how much, and
    what is being done. Raises LearningError where there is nothing to learn from."""
    raise NotImplementedError


def ask_next(learned: Learned, situations: Sequence[Situation]) -> list[int]:
    """Which of the situations, whose labels are not known, to label next: those first on which the theory and its rivals
    disagree most. Those on which all agree are left out."""
    raise NotImplementedError
