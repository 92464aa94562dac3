"""What holds in a picture, as truth tables over its objects."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.symbolic.errors import SymbolicError


class LearningError(SymbolicError):
    """There is nothing to learn from, or it contradicts itself. Its text is one clear line."""


@dataclass(frozen=True, order=True)
class Predicate:
    """What may stand in the body of a rule. It is never true of an object and itself."""

    name: str
    arity: int
    """How many objects it speaks of, 1 to 3."""
    symmetric: tuple[int, ...] = ()
    """Which of its objects may change places: (0, 1) for same, (1, 2) for lies_between."""
    values: tuple[str, ...] = ()
    """Constants after the objects: ("red",) makes colour(X, red)."""
    negation: str | None = None
    """The name under which its negation may stand: "unlike" for same."""


@dataclass(frozen=True, eq=False)
class Situation:
    """What holds in one picture."""

    name: str
    """The picture's."""
    objects: tuple[str, ...]
    holds: Mapping[Predicate, NDArray[np.bool_]]
    """(n,) * arity each, False wherever an object stands twice."""
    task: str | None = None
    """What was asked about the picture, where there are several questions."""


OBJECT = Predicate("object", 1)
"""What every object of every picture is."""
