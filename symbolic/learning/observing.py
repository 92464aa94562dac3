"""What Prolog says of programs, as situations."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from symbolic.answers import Answers
from symbolic.learning.situations import Predicate, Situation

Ask = Callable[[str, str], Answers]
"""Engine.ask, or what asks it with rules: the answers of a goal in a program."""


def observe(
    ask: Ask,
    programs: Iterable[tuple[str, str]],
    predicates: Sequence[Predicate],
    tasks: Mapping[str, str] | None = None,
) -> Iterator[Situation]:
    """What holds in each program, given with its picture's name; one question a program. tasks: by name."""
    raise NotImplementedError


def observe_base(ask: Ask, base: str, predicates: Sequence[Predicate]) -> Iterator[Situation]:
    """What holds in each picture of a knowledge base, whose predicates have the picture first; in its order."""
    raise NotImplementedError


def predicates_of(
    rows: Iterable[tuple[str, Sequence[str], bool]], values: Mapping[str, Sequence[str]]
) -> tuple[Predicate, ...]:
    """What a vocabulary offers to rules: of its rows (name, types of the arguments, symmetric or not) those whose
    arguments are 1 to 3 objects, then at most one word, of which `values` has those that were found, by predicate."""
    raise NotImplementedError
