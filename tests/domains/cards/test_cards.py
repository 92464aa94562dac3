"""Pictures of cards: their truth is what they show."""

from pathlib import Path

import numpy as np
import pytest

from predinet_prolog.bridge.matching import overlaps
from predinet_prolog.domains import DomainError, domain_of, load_domain
from predinet_prolog.domains.annotations import read_folder
from predinet_prolog.domains.cards.deck import ATTRIBUTES, dealt, sets_among
from predinet_prolog.domains.cards.domain import DOMAIN
from predinet_prolog.domains.cards.drawing import STYLES, draw_near, draw_table
from predinet_prolog.domains.domain import Annotated

KINDS = pytest.mark.parametrize("kind", DOMAIN.kinds)


def cards_of(drawn: Annotated, number: int) -> np.ndarray:
    assert drawn.truth is not None
    rows = drawn.truth.rows(number)
    return np.stack([drawn.truth.attributes[name][rows] for name in ATTRIBUTES], axis=1)


def test_it_is_found_by_its_name_and_by_its_tasks() -> None:
    assert load_domain("cards") is DOMAIN
    assert DOMAIN.task("hand").labels == 2
    with pytest.raises(DomainError, match="no task poker: cards has table"):
        DOMAIN.task("poker")
    with pytest.raises(DomainError, match="many sizes"):
        DOMAIN.generate("hand", 1, seed=0)
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
def test_ink_is_where_the_truth_says_and_fills_as_it_says(kind: str) -> None:
    for fill, (least, most) in enumerate(((0.95, 1.0), (0.3, 0.9), (0.0, 0.3))):
        drawn = draw_near(np.array([0, 0, 2, fill]), STYLES[kind], np.random.default_rng(4))
        (box,) = drawn.symbols
        left, top, right, bottom = np.round(box).astype(int)
        paper = np.median(drawn.pixels.reshape(-1, 3), axis=0)
        unlike = np.abs(drawn.pixels - paper).max(axis=2) > 60
        y, x = np.nonzero(unlike)
        inked = [x.min(), y.min(), x.max() + 1, y.max() + 1]
        assert np.abs(np.array(inked) - (left, top, right, bottom)).max() <= 2
        w, h = right - left, bottom - top
        middle = unlike[top + h // 4 : bottom - h // 4, left + w // 3 : right - w // 3]
        assert least <= middle.mean() <= most


def test_colours_are_what_they_are_called() -> None:
    for colour, channel in ((0, 0), (1, 1)):
        drawn = draw_near(np.array([colour, 0, 2, 0]), STYLES["printed"], np.random.default_rng(5))
        (box,) = drawn.symbols
        x, y = ((box[:2] + box[2:]) / 2).astype(int)
        assert drawn.pixels[y, x].argmax() == channel


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


def test_a_folder_of_tables_is_read_as_it_was_drawn(tmp_path: Path) -> None:
    drawn = DOMAIN.generate_annotated(2, seed=7)
    DOMAIN.write(tmp_path / "tables", "table", 2, kind="printed", seed=7)
    read = read_folder(tmp_path / "tables")
    assert drawn.truth is not None
    assert read.truth is not None
    assert np.allclose(read.truth.boxes, drawn.truth.boxes)
    for name, values in drawn.truth.attributes.items():
        written = [read.words[name][value] for value in read.truth.attributes[name].tolist()]
        assert written == [ATTRIBUTES[name][value] for value in values.tolist()]


def test_lessons_tell_no_card_what_is_on_it_and_never_the_number() -> None:
    lesson = DOMAIN.generate_annotated(8, seed=8, task="lesson")
    assert lesson.truth is not None
    assert set(lesson.truth.attributes) == {"colour", "shape", "fill"}
    assert not lesson.labels
    for number in range(8):
        told = lesson.truth.attributes["fill"][lesson.truth.rows(number)]
        assert (told < 0).all() if number % 4 == 0 else (told >= 0).all()


@pytest.mark.parametrize("kept", ["pencil", "felt_tip"])
def test_styles_that_choose_and_judge_lie_outside_of_what_teaches(kept: str) -> None:
    taught, other = STYLES["varied"], STYLES[kept]
    pairs = [*zip(taught.hues, other.hues, strict=True), (taught.slant, other.slant), (taught.wobble, other.wobble)]
    for one, two in [*pairs, (taught.paper, other.paper)]:
        assert one[1] <= two[0] or two[1] <= one[0]
