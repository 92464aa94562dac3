"""Whether labels may be wrong: a part of them is held back, and what the rest teaches in each mode is judged by it."""

import hashlib
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from predinet_prolog.symbolic.learning.situations import Situation

MODES = "strict", "noisy"
"""What is called that an error costs as much as a hundred literals, and as much as one."""
SHARE = 5
"""One in so many is held back."""
FEW = 45.0
"""Of so many labels an error counts as two literals, of many as one, chosen on boards drawn for it with 20 to 60: where
they are few, each tells more, and a theory that leaves some unexplained is sooner one that was cut short."""
HELD_BACK = 2.0
"""Times that, for what was held back: no clause was made to fit it."""


def price_of_error(labels: int) -> float:
    """What one of so many labels costs that a theory gets wrong, in literals."""
    return 1 + FEW / labels


@dataclass(frozen=True)
class Trial:
    """How well a theory learned from some of the labels does on the others."""

    noisy: bool
    learned_from: int
    judged: int
    right: int
    cost: int
    """Literals and negations."""
    errors: int
    """Of those it was learned from."""
    most_frequent: int
    """Of those judged, how many have the label that most of them have."""

    @property
    def is_doubtful(self) -> bool:
        """Whether one label for all does as well, of so many that this is no chance."""
        return self.judged >= 3 and self.right < self.judged and self.right <= self.most_frequent

    @property
    def price(self) -> float:
        """Literals, and what is wrong."""
        wrong = self.errors + HELD_BACK * (self.judged - self.right)
        return self.cost + price_of_error(self.learned_from + self.judged) * wrong


def held_back(situations: Sequence[Situation], groups: Sequence[Hashable]) -> list[int]:
    """The places of one in SHARE of the situations of each group, by what holds in them."""
    holds = (situation.holds for situation in situations)
    return one_in_share((b"".join(one[name].tobytes() for name in sorted(one, key=repr)) for one in holds), groups)


def one_in_share(contents: Iterable[bytes], groups: Sequence[Hashable]) -> list[int]:
    """The places of one in SHARE of each group: the contents decide which, and neither their names nor their order."""
    by_group: dict[Hashable, list[tuple[bytes, int]]] = {}
    for place, (content, group) in enumerate(zip(contents, groups, strict=True)):
        by_group.setdefault(group, []).append((hashlib.sha256(content).digest(), place))
    return sorted(place for group in by_group.values() for _, place in sorted(group)[SHARE - 1 :: SHARE])
