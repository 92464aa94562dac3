"""Looking into things: what is on them, and what is not."""

from dataclasses import replace

import numpy as np
import pytest

from predinet_prolog.bridge.finding.finders import Found
from predinet_prolog.bridge.glimpses.inside import look_inside
from predinet_prolog.bridge.perceiving.glimpses import GlimpsePerceiver
from predinet_prolog.neural.glimpses.config import NUMBER
from predinet_prolog.neural.glimpses.model import GlimpseModel, load_any
from tests.bridge.finding.places import Patches
from tests.seen import given

CARDS = np.array([[10, 10, 110, 80], [130, 10, 230, 80], [10, 90, 40, 110]], dtype=np.float64)
ON = np.array([[30, 30, 46, 54], [60, 34, 72, 50], [170, 30, 186, 54]], dtype=np.float64)


def picture() -> np.ndarray:
    """Two large cards on a table, one with two things on it, one with one; a small one with a dot."""
    drawn = np.full((120, 240, 3), 40, dtype=np.uint8)
    for card in CARDS.astype(int):
        drawn[card[1] : card[3], card[0] : card[2]] = 245
    for thing in ON.astype(int):
        drawn[thing[1] : thing[3], thing[0] : thing[2]] = (200, 30, 30)
    drawn[98:104, 20:28] = (200, 30, 30)
    return drawn


def test_what_is_on_each_thing_is_found_where_it_is() -> None:
    inside = look_inside(Patches(), picture(), CARDS)
    assert inside.host.tolist() == [0, 0, 1], "the small card is too small to be looked into"
    assert (inside.boxes == ON).all()
    assert len(inside.glimpses) == 3


def test_what_goes_on_beyond_the_thing_is_not_on_it() -> None:
    drawn = picture()
    drawn[60:66, 0:50] = (30, 30, 200)  # a bar from the table into the card, from the left …
    drawn[20:26, 80:125] = (30, 30, 200)  # … and one from the right
    assert look_inside(Patches(), drawn, CARDS[:1]).host.tolist() == [0, 0]


def test_what_is_on_a_part_is_not_on_the_thing() -> None:
    class Nested:
        def find(self, picture: np.ndarray) -> Found:
            return Found(np.array([[10, 5, 50, 45], [20, 12, 30, 30], [9, 40, 52, 54]], dtype=np.float64))

    inside = look_inside(Nested(), picture(), CARDS[:1])
    assert (inside.boxes - (20, 17, 20, 17)).tolist() == [[10, 5, 50, 45], [9, 40, 52, 54]]


def test_nothing_is_on_a_plain_thing_and_none_on_no_thing() -> None:
    plain = np.full((120, 240, 3), 245, dtype=np.uint8)
    for boxes in (CARDS, CARDS[:0]):
        inside = look_inside(Patches(), plain, boxes)
        assert (inside.boxes.shape, inside.host.shape, len(inside.glimpses)) == ((0, 4), (0,), 0)


@pytest.fixture(scope="module")
def scenes() -> GlimpseModel:
    model = load_any("scenes")
    assert isinstance(model, GlimpseModel)
    return replace(model, config=replace(model.config, inside=True))


def test_a_thing_lies_where_what_is_on_it_lies_and_at_its_number(scenes: GlimpseModel) -> None:
    told = given(CARDS, (240, 120))
    (seen,) = GlimpsePerceiver(scenes).perceive([picture()], [told])
    (number,) = scenes.config.of_group(NUMBER)
    assert [thing.coordinates[number] for thing in seen.things] == [2, 1, 0]
    assert [part.name for thing in seen.things for part in thing.parts] == ["pa_0", "pa_1", "pa_2"]
    alone = GlimpsePerceiver(replace(scenes, config=replace(scenes.config, inside=False)))
    colour = list(scenes.config.of_group("colour"))
    of_cards = {tuple(thing.box): thing.coordinates[colour] for thing in alone.perceive([picture()], [told])[0].things}
    for thing in seen.things:
        unlike = np.abs(thing.coordinates[colour] - of_cards[tuple(thing.box)]).max()
        assert (unlike > 0.3) if thing.parts else unlike == 0, "what is on a card has another colour than the card"
