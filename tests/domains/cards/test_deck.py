"""The deck: laws of the game."""

from itertools import combinations

import numpy as np
import pytest

from predinet_prolog.domains.cards.deck import DECK, SETS, hand, sets_among


def test_a_set_is_alike_or_different_in_everything() -> None:
    sets = {tuple(trio) for trio in SETS.tolist()}
    for trio in combinations(range(0, 81, 2), 3):
        values = [{int(DECK[card, attribute]) for card in trio} for attribute in range(4)]
        assert (trio in sets) == all(len(each) in (1, 3) for each in values)


@pytest.mark.parametrize("seed", range(20))
def test_hands_contain_what_they_shall(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sets = SETS[seed : seed + 2]
    cards = hand(5, rng, contains=True, sets=sets)
    assert len(np.unique(cards, axis=0)) == 5
    found = {tuple(sorted(map(tuple, cards[list(trio)].tolist()))) for trio in sets_among(cards)}
    assert found & {tuple(sorted(map(tuple, DECK[trio].tolist()))) for trio in sets}
    assert not sets_among(hand(5, rng, contains=False))
