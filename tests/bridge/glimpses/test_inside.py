"""What is on a thing, what is not, and what parts it has."""

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image, ImageDraw

from predinet_prolog.bridge.finding.finders import Found
from predinet_prolog.bridge.glimpses.inside import look_inside, outermost, with_sheets
from predinet_prolog.bridge.glimpses.parts import parts_of
from predinet_prolog.bridge.glimpses.straight import laid_straight, sheets_of
from predinet_prolog.bridge.perceiving.glimpses import GlimpsePerceiver
from predinet_prolog.neural.glimpses.config import NUMBER
from predinet_prolog.neural.glimpses.model import GlimpseModel, load_any
from tests.seen import given

CARDS = np.array([[10, 10, 110, 80], [130, 10, 230, 80], [10, 90, 40, 110]], dtype=np.float64)
ON = np.array([[30, 30, 46, 54], [60, 34, 72, 50], [170, 30, 186, 54]], dtype=np.float64)


def picture(on: np.ndarray = ON) -> np.ndarray:
    """Two large cards on a table, one with two things `on` it, one with one; a small one with a dot."""
    drawn = np.full((120, 240, 3), 40, dtype=np.uint8)
    for card in CARDS.astype(int):
        drawn[card[1] : card[3], card[0] : card[2]] = 245
    for thing in on.astype(int):
        drawn[thing[1] : thing[3], thing[0] : thing[2]] = (200, 30, 30)
    drawn[98:104, 20:28] = (200, 30, 30)
    return drawn


def test_what_is_on_each_thing_is_found_where_it_is() -> None:
    inside = look_inside(picture(), CARDS)
    assert inside.host.tolist() == [0, 0, 1], "the small card is too small to be looked into"
    assert np.abs(np.sort(inside.boxes, axis=0) - np.sort(ON, axis=0)).max() <= 1
    assert len(inside.glimpses) == 3
    assert not inside.unsure.any()
    close = picture()
    close[34:50, 46:60], close[34:50, 49:57] = 200, (200, 30, 30)
    assert look_inside(close, CARDS[:1]).host.tolist() == [0, 0, 0], "three smeared pixels lie between them"


def test_what_goes_on_beyond_the_thing_is_not_on_it() -> None:
    drawn = picture()
    drawn[60:66, 0:50] = (30, 30, 200)  # a bar from the table into the card, from the left …
    drawn[20:26, 80:125] = (30, 30, 200)  # … and one from the right
    assert look_inside(drawn, CARDS[:1]).host.tolist() == [0, 0]


def test_what_touches_in_a_row_is_divided() -> None:
    drawn = picture(on=ON[:0])
    y, x = np.mgrid[:120, :240]
    for middle in (30, 70, 160, 181, 202):  # the last three touch
        drawn[(abs(x - middle) / 11 + abs(y - 45) / 20) <= 1] = (200, 30, 30)
    assert look_inside(drawn, CARDS[:2]).host.tolist() == [0, 0, 1, 1, 1]
    drawn[26:65, 150:212] = (200, 30, 30)  # one bar, as high
    assert look_inside(drawn, CARDS[:2]).host.tolist() == [0, 0, 1]


def test_what_is_cut_off_makes_the_number_unsure() -> None:
    drawn = picture()
    drawn[30:60, 84:110] = (200, 30, 30)
    assert look_inside(drawn, CARDS[:2]).unsure.tolist() == [True, False]


def test_what_is_on_a_part_and_dirt_and_a_frame_are_not_on_the_thing() -> None:
    drawn = picture()
    drawn[40:44, 36:40] = drawn[70:73, 90:93] = drawn[62, 60:75] = 10
    drawn[[14, 75], 14:106] = drawn[14:76, [14, 105]] = 10
    assert look_inside(drawn, CARDS[:1]).host.tolist() == [0, 0]


def test_nothing_is_on_a_plain_thing_and_none_on_no_thing() -> None:
    plain = np.pad(np.full((20, 30, 3), 235, np.uint8), ((30, 70), (30, 180), (0, 0)), constant_values=245)  # stained
    for boxes in (CARDS, CARDS[:0]):
        inside = look_inside(plain, boxes)
        assert (inside.boxes.shape, inside.host.shape, len(inside.glimpses)) == ((0, 4), (0,), 0)


def photographed(turn: float, *, tall: bool) -> tuple[np.ndarray, np.ndarray]:
    """A card with two bars that reach nearly to its rim, turned by so many degrees on a lit table; and its box."""
    card = Image.new("RGBA", (300, 200), (240, 240, 235, 255))
    for left in (60, 180):
        ImageDraw.Draw(card).rectangle((left, 12, left + 60, 188), fill=(190, 30, 60, 255))
    card = card.rotate(turn + 90 * tall, Image.Resampling.BICUBIC, expand=True)
    table = Image.new("RGBA", (440, 440), (60, 80, 60, 255))
    corner = (440 - card.width) // 2, (440 - card.height) // 2
    table.alpha_composite(card, corner)
    light = np.linspace(0.7, 1, 440)[:, None]
    drawn = np.asarray(table.convert("RGB")) * light
    return drawn.astype(np.uint8), np.array([[*corner, corner[0] + card.width, corner[1] + card.height]], dtype=float)


@pytest.mark.parametrize(("turn", "tall"), [(0, False), (5, False), (-30, False), (0, True), (-8, True)])
def test_a_card_is_laid_straight_however_it_lies(turn: float, *, tall: bool) -> None:
    drawn, boxes = photographed(turn, tall=tall)
    laid = laid_straight(drawn, boxes[0])
    assert laid[0].shape[1] / laid[0].shape[0] == pytest.approx(1.5, abs=0.03)
    glimpses = look_inside(drawn, boxes).glimpses
    assert len(glimpses) == 2, "both bars, however near to the rim"
    across, down = np.abs(glimpses[:, 3:6]).max(axis=1).max(axis=1), np.abs(glimpses[:, 3:6]).max(axis=1).max(axis=2)
    assert ((across > 0.5).sum(axis=1) < 0.5 * (down > 0.5).sum(axis=1)).all(), "they stand on its long side"


@pytest.mark.parametrize(("gap", "between"), [(10, (30, 90, 55)), (1, (230, 230, 230))])
def test_a_card_among_others_is_found_and_ends_where_it_ends(gap: int, between: tuple[int, int, int]) -> None:
    """What is around it are mostly others, of which no pixel is its, be there hardly a line between."""
    table = np.full((440, 560, 3), (30, 90, 55), dtype=np.uint8)
    table[20 : 380 + 2 * gap, 20 : 500 + 2 * gap] = between
    corners = [(20 + across * (160 + gap), 20 + down * (120 + gap)) for down in range(3) for across in range(3)]
    for left, top in corners:
        table[top : top + 120, left : left + 160] = 250
        table[top + 40 : top + 80, left + 60 : left + 100] = (190, 30, 60)
        table[top + 43 : top + 77, left + 63 : left + 97] = 250
    boxes = np.array([(left, top, left + 160, top + 120) for left, top in corners], dtype=np.float64)
    sheets = sheets_of(table)
    assert sheets[np.lexsort(sheets.T[:2])] == pytest.approx(boxes, abs=1)
    inside = look_inside(table, boxes)
    assert inside.straight.all()
    assert laid_straight(table, boxes[4])[0].shape[:2] == pytest.approx((115, 155), abs=2)
    assert inside.boxes - np.tile(boxes[:, :2], 2) == pytest.approx(np.tile([60.0, 40, 100, 80], (9, 1)), abs=1.5)


def test_what_has_no_four_sides_stays_as_it_lies() -> None:
    drawn = np.full((200, 200, 3), 40, dtype=np.uint8)
    y, x = np.mgrid[:200, :200]
    drawn[np.hypot(x - 100, y - 100) < 80] = 245
    drawn[80:110, 95:105] = (200, 30, 30)
    disc = np.array([[20, 20, 180, 180]], dtype=np.float64)
    assert laid_straight(drawn, disc[0]) is None
    inside = look_inside(drawn, disc)
    assert (inside.straight.tolist(), inside.boxes.tolist()) == ([False], [[95, 80, 105, 110]])


@pytest.fixture(scope="module")
def scenes() -> GlimpseModel:
    model = load_any("scenes")
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


def test_rough_tables_make_no_card_noisy_and_what_is_read_badly_is_warned_of(scenes: GlimpseModel) -> None:
    rng, told = np.random.default_rng(1), given(CARDS[:2], (240, 120))
    smooth, rough = picture(), picture()
    table = (rough == 40).all(axis=2)
    rough[table] = rng.integers(20, 70, (table.sum(), 1))
    cut = picture()
    cut[30:60, 84:110] = (200, 30, 30)
    seen = [GlimpsePerceiver(scenes).perceive([drawn], [told])[0].inspection for drawn in (smooth, rough, cut)]
    assert seen[1].noise_level == pytest.approx(seen[0].noise_level, abs=0.2)
    assert [inspection.reason for inspection in seen[:2]] == [None, None]
    assert seen[2].reason == "not all may be seen of what is on the thing at the left"


def test_what_lies_on_a_thing_is_a_part_of_it_and_a_row_of_sheets_is_these() -> None:
    assert outermost(np.concatenate([CARDS, ON])).tolist() == [True, True, True, False, False, False]
    row = np.array([[10, 10, 230, 80], [9, 89, 41, 111], [30, 30, 46, 54]], dtype=np.float64)
    both = with_sheets(picture(), Found(row)).boxes.tolist()
    assert sorted(both) == sorted([*CARDS[:2].tolist(), [9, 89, 41, 111]]), "the small one is none"
    for bright in (255 - picture(), picture()[10:80, 10:230], np.zeros((40, 40, 3), np.uint8)):
        assert with_sheets(bright, Found(row)).boxes.tolist() == row[:2].tolist(), "from edge to edge is ground"


RED, BLUE, GREY = (200, 40, 40), (40, 60, 200), (215, 215, 215)


@pytest.mark.parametrize(("columns", "parts"), [(3, 2), (1, 0)])
def test_a_tenth_of_a_thing_is_a_part_and_a_twentieth_is_none(columns: int, parts: int) -> None:
    pixels = np.full((32, 32, 3), RED, np.float64)
    shown = np.zeros((32, 32), bool)
    shown[3:29, 3:29] = True  # of which the rim is left out
    pixels[:, 28 - columns : 32] = BLUE
    assert len(parts_of(pixels, shown)) == parts


def test_things_of_forty_pixels_have_parts() -> None:
    picture = np.full((120, 120, 3), GREY, np.uint8)
    picture[40:80, 40:60], picture[40:80, 60:80] = RED, BLUE
    (scene,) = GlimpsePerceiver(load_any("scenes")).perceive([picture])
    boxes = [part.box for thing in scene.things for part in thing.parts]
    np.testing.assert_allclose(boxes, [[40, 40, 60, 80], [60, 40, 80, 80]], atol=3.5)
