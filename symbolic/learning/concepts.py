"""Words for objects and pairs, learned from examples."""

from collections.abc import Sequence

from symbolic.learning.learning import Learned, Options
from symbolic.learning.situations import Predicate, Situation

Example = tuple[int, tuple[str, ...], bool]
"""Which situation, which of its objects (one or two), and whether the word is true of them."""


def learn_predicate(
    situations: Sequence[Situation],
    examples: Sequence[Example],
    name: str,
    predicates: Sequence[Predicate],
    options: Options = Options(),  # noqa: B008 - it is frozen
    *,
    complete: bool = False,
) -> Learned:
    """The cheapest definition of `name`/1 or `name`/2. complete: whatever else is in the pictures of the examples is a
    counter-example. `theory.clauses` have the label "true"."""
    raise NotImplementedError


def near_misses(
    situations: Sequence[Situation], examples: Sequence[Example], learned: Learned, limit: int = 10
) -> list[tuple[int, tuple[str, ...]]]:
    """Which objects or pairs to ask about next: those on which the theory and its rivals disagree, then those most like
    an example of which the word is true."""
    raise NotImplementedError
