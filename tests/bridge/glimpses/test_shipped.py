"""The shipped models for pictures of any size: what they must reach on any machine, below what was measured."""

from types import SimpleNamespace

import numpy as np
import pytest

from predinet_prolog.bridge.definitions import read_grounding
from predinet_prolog.bridge.finding.finders import Found
from predinet_prolog.bridge.matching import match
from predinet_prolog.bridge.perceiving.glimpses import GlimpsePerceiver
from predinet_prolog.domains.cards.deck import ATTRIBUTES
from predinet_prolog.domains.cards.domain import DOMAIN as CARDS
from predinet_prolog.domains.scenes.clutter import new_clutter
from predinet_prolog.domains.scenes.domain import DOMAIN
from predinet_prolog.domains.scenes.pictures import new_groups
from predinet_prolog.neural.glimpses.config import NUMBER
from predinet_prolog.neural.glimpses.cutting import resampled, squares_of
from predinet_prolog.neural.glimpses.model import load_any


@pytest.fixture(scope="module")
def perceiver() -> GlimpsePerceiver:
    return GlimpsePerceiver(load_any("scenes"))


@pytest.mark.parametrize(("style", "least"), [("plain", 13), ("shadow", 12), ("jpeg", 12)])
def test_scenes_of_shapes_it_never_saw_are_exact(perceiver: GlimpsePerceiver, style: str, least: int) -> None:
    drawn = DOMAIN.generate_annotated(16, seed=3, kind="validation", task=style)
    exact = 0
    for number, picture in enumerate(drawn.pictures):
        true = drawn.truth.boxes[drawn.truth.rows(number)]
        (scene,) = perceiver.perceive([picture])
        exact += len(match(scene.boxes, true)) == len(true) == len(scene.things)
        assert scene.inspection.score < 1
    assert exact >= least


def test_clutter_is_doubted(perceiver: GlimpsePerceiver) -> None:
    rng = np.random.default_rng(5)
    masks = [mask for group in new_groups("validation", 10, rng) for _, mask in group]
    pictures = [np.clip(new_clutter(140, 180, masks, rng), 0, 255).astype(np.uint8) for _ in range(6)]
    assert sum(scene.inspection.score >= 1 for scene in perceiver.perceive(pictures)) >= 5


@pytest.mark.parametrize(("kind", "least"), [("printed", 0.97), ("felt_tip", 0.85)])
def test_cards_are_found_and_told_by_what_is_on_them(kind: str, least: float) -> None:
    model = load_any("cards")
    grounding = read_grounding(model)
    assert {each.predicate for each in grounding.trusted} == {f"same_{name}" for name in ATTRIBUTES}
    perceiver, (number,) = GlimpsePerceiver(model), model.config.of_group(NUMBER)
    drawn = CARDS.generate_annotated(4, seed=41, kind=kind, task="full_table")
    right = []
    for picture, pixels in enumerate(drawn.pictures):
        rows = drawn.truth.rows(picture)
        (scene,) = perceiver.perceive([pixels])
        pairs = match(scene.boxes, drawn.truth.boxes[rows])
        assert len(pairs) == len(scene.things) == rows.stop - rows.start
        for seen, true in pairs:
            parts = scene.things[seen].parts
            assert scene.things[seen].coordinates[number] == len(parts)
            right.append(len(parts) == drawn.truth.attributes[NUMBER][rows][true] + 1)
        for each in grounding.trusted:
            at = np.array([scene.things[seen].coordinates for seen, _ in pairs])[:, list(each.relations)]
            values = drawn.truth.attributes[each.predicate.removeprefix("same_")][rows][[true for _, true in pairs]]
            alike = np.abs(at[:, None] - at).max(-1) <= each.curve.threshold + each.slack * scene.noise_level
            right += (alike == (values[:, None] == values))[np.triu_indices(len(at), 1)].tolist()
    assert np.mean(right) >= least


def test_the_inside_of_a_figure_that_is_like_its_ground_is_its_own_where_pixels_are_known() -> None:
    full, seen = np.full((200, 200, 3), 246, dtype=np.uint8), []
    full[75:125, 30:170] = full[30:170, 75:125] = 20
    lines, box = full.copy(), np.array([[30.0, 30, 170, 170]])
    lines[79:121, 34:166] = lines[34:166, 79:121] = 250
    masks = resampled(np.uint8(full[:, :, 0] < 99), squares_of(box)).astype(np.float32)
    for picture, known in ((full, None), (lines, masks), (lines, None), (lines, np.full_like(masks, np.nan))):
        perceiver = GlimpsePerceiver(load_any("scenes"))
        perceiver.__dict__["_finder"] = SimpleNamespace(find=lambda _, known=known: Found(box, known))
        seen += perceiver.perceive([picture])[0].things
    assert [min(thing.colour) > 200 for thing in seen] == [False, True, False, False]
    shapes = np.array([thing.coordinates[4:20] for thing in seen])
    assert [bool(apart < 0.28) for apart in np.abs(shapes - shapes[0]).max(axis=1)] == [True, True, False, False]
