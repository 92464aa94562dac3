"""The deck's laws, and pictures of cards: their truth is what they show."""

from itertools import combinations

import numpy as np
import pytest

from predinet_prolog.bridge.matching import overlaps
from predinet_prolog.domains import DomainError, domain_of, load_domain
from predinet_prolog.domains.cards.deck import ATTRIBUTES, DECK, SETS, dealt, hand, sets_among
from predinet_prolog.domains.cards.domain import DOMAIN
from predinet_prolog.domains.cards.drawing import STYLES, _wave, draw_table
from predinet_prolog.domains.domain import Annotated

KINDS = pytest.mark.parametrize("kind", DOMAIN.kinds)


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


def cards_of(drawn: Annotated, number: int) -> np.ndarray:
    rows = drawn.truth.rows(number)
    return np.stack([drawn.truth.attributes[name][rows] for name in ATTRIBUTES], axis=1)


def test_it_is_found_by_its_name_and_by_its_tasks() -> None:
    assert load_domain("cards") is DOMAIN
    assert DOMAIN.task("hand").labels == 2
    with pytest.raises(DomainError, match="no task poker: cards has table"):
        DOMAIN.task("poker")
    assert domain_of("between").name != "cards"


@KINDS
def test_cards_lie_apart_and_hold_what_is_printed_on_them(kind: str) -> None:
    rng = np.random.default_rng(3)
    for count in (3, 5, 8, 12):
        cards = dealt(count, rng)
        drawn = draw_table(cards, STYLES[kind], rng)
        height, width = drawn.pixels.shape[:2]
        assert (drawn.cards[:, :2] >= 0).all()
        assert (drawn.cards[:, 2:] <= (width, height)).all()
        assert not np.triu(overlaps(drawn.cards, drawn.cards), 1).any()
        assert (np.bincount(drawn.owner, minlength=count) == cards[:, 1] + 1).all()
        hosts = drawn.cards[drawn.owner]
        assert (drawn.symbols[:, :2] > hosts[:, :2]).all()
        assert (drawn.symbols[:, 2:] < hosts[:, 2:]).all()


@KINDS
def test_the_same_seed_draws_the_same(kind: str) -> None:
    one, same, other = (DOMAIN.generate_annotated(3, seed=seed, kind=kind) for seed in (1, 1, 2))
    assert all((a == b).all() for a, b in zip(one.pictures, same.pictures, strict=True))
    assert any(a.shape != b.shape or (a != b).any() for a, b in zip(one.pictures, other.pictures, strict=True))


@pytest.mark.parametrize(("task", "size"), [("hand", 5), ("trio", 3)])
def test_labels_say_whether_there_is_a_set(task: str, size: int) -> None:
    drawn = DOMAIN.generate_annotated(12, seed=6, task=task)
    for number, label in enumerate(drawn.labels):
        cards = cards_of(drawn, number)
        assert len(cards) == size
        assert (label == "set") == bool(sets_among(cards))
    assert set(drawn.labels) == {"set", "none"}


def test_lessons_tell_no_card_what_is_on_it_and_never_the_number() -> None:
    lesson = DOMAIN.generate_annotated(8, seed=8, task="lesson")
    assert set(lesson.truth.attributes) == {"colour", "shape", "fill"}
    assert not lesson.labels
    for number in range(8):
        told = lesson.truth.attributes["fill"][lesson.truth.rows(number)]
        assert (told < 0).all() if number % 4 == 0 else (told >= 0).all()


@pytest.mark.parametrize(("w", "half"), [(20.0, 8.0), (33.0, 18.0)])
def test_a_squiggle_along_a_wave_is_a_line_of_one_width(w: float, half: float) -> None:
    """So its area is that of a strip with two half discs, and less where its outline crosses itself."""
    outline = _wave(w, 50.0, half, 1)
    x, y = outline.T
    area = abs(x @ np.roll(y, 1) - y @ np.roll(x, 1)) / 2
    middle = (outline[:23] + outline[54:31:-1]) / 2
    long = np.linalg.norm(np.diff(middle, axis=0), axis=1).sum()
    assert area == pytest.approx(2 * half * long + np.pi * half**2, rel=0.01)
    assert [np.abs(x).max() <= w + 1e-6, round(np.abs(y).max())] == [True, 50]
    assert np.ptp(middle[:, 0]) > 0.2 * w
