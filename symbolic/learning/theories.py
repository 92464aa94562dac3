"""Theories: ordered clauses that say what a picture is called, or of which objects a word is true."""

from collections.abc import Sequence
from dataclasses import dataclass

from symbolic.learning.situations import Situation


@dataclass(frozen=True)
class Clause:
    """If all its features hold of a picture that no earlier clause speaks of, the picture has the label."""

    label: str
    features: tuple[object, ...]
    task: str | None = None


@dataclass(frozen=True)
class Theory:
    """An ordered list of clauses."""

    clauses: tuple[Clause, ...]
    default: str
    """The label of pictures of which no clause holds."""
    cost: int
    """Literals, negations and errors, weighted."""
    errors: int
    """Pictures it was learned from whose label it gets wrong."""
    name: str = "label"
    """Of the predicate that it defines."""
    arity: int = 0
    """How many objects that speaks of; 0 for label/1, which speaks of the picture."""

    def predict(self, situations: Sequence[Situation]) -> list[str]:
        """The label of each."""
        raise NotImplementedError

    def write(self) -> str:
        """Plain Prolog clauses that define `label/1`, and what it needs. `label(L)` has exactly one answer."""
        raise NotImplementedError
