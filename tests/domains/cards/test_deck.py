"""The deck: laws of the game."""

from itertools import combinations

import numpy as np
import pytest

from predinet_prolog.domains.cards.deck import DECK, SETS, dealt, hand, sets_among


def test_of_any_two_cards_one_third_makes_a_set() -> None:
    assert len({tuple(card) for card in DECK.tolist()}) == 81
    pairs = [pair for trio in SETS.tolist() for pair in combinations(trio, 2)]
    assert sorted(pairs) == list(combinations(range(81), 2))


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


def test_a_table_has_no_card_twice() -> None:
    assert len(np.unique(dealt(12, np.random.default_rng(1)), axis=0)) == 12
