"""The deck of SET: 81 cards, each of a colour, a number, a shape and a fill, and which three of them are a set.

A card is a row of four numbers, 0 to 2: its values by the order of ATTRIBUTES.
"""

from collections.abc import Mapping
from itertools import combinations

import numpy as np

from predinet_prolog.domains.domain import Integers

ATTRIBUTES: Mapping[str, tuple[str, ...]] = {
    "colour": ("red", "green", "purple"),
    "number": ("1", "2", "3"),
    "shape": ("diamond", "squiggle", "oval"),
    "fill": ("solid", "striped", "empty"),
}
DECK: Integers = np.stack(np.unravel_index(np.arange(81), (3, 3, 3, 3)), axis=1)
"""(81, 4): every card once."""
_TRIOS = np.array(list(combinations(range(len(DECK)), 3)))
SETS: Integers = _TRIOS[(DECK[_TRIOS].sum(axis=1) % 3 == 0).all(axis=1)]
"""(1080, 3): the numbers of the cards of every set: three values are all alike or all different if 3 divides their
sum."""


def sets_among(cards: Integers) -> list[tuple[int, ...]]:
    """The places, ascending, of any three of `cards` (n, 4) that are a set."""
    return [trio for trio in combinations(range(len(cards)), 3) if not (cards[list(trio)].sum(axis=0) % 3).any()]


def dealt(n: int, rng: np.random.Generator) -> Integers:
    """(n, 4): different cards."""
    return np.asarray(DECK[rng.choice(len(DECK), n, replace=False)])


def hand(n: int, rng: np.random.Generator, *, contains: bool, sets: Integers = SETS) -> Integers:
    """(n, 4): cards that contain one of `sets` (s, 3) or, if they shall not, no set at all, as the task "contains set"
    deals them (Altabaa and Lafferty, "Learning Hierarchical Relational Representations through Relational
    Convolutions"): without a set, a card may come twice."""
    if contains:
        trio = sets[rng.integers(len(sets))]
        rest = rng.choice(np.delete(np.arange(len(DECK)), trio), n - 3, replace=False)
        return np.asarray(DECK[rng.permutation(np.concatenate([trio, rest]))])
    while sets_among(cards := DECK[rng.choice(len(DECK), n)]):
        pass
    return np.asarray(cards)
