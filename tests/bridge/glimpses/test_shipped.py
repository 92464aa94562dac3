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
from predinet_prolog.neural.glimpses.config import NUMBER, SIDE
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
        boxes = np.array([each.box for each in scene.things]).reshape(-1, 4)
        exact += len(match(boxes, true)) == len(true) == len(boxes)
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
        pairs = match(np.array([each.box for each in scene.things]), drawn.truth.boxes[rows])
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
    picture, masks, darkest = np.full((240, 260, 3), 246, dtype=np.uint8), np.zeros((1, SIDE, SIDE), np.float32), []
    picture[60:180, 60:200], picture[64:176, 64:196] = 20, 250
    masks[0, 4:28, 2:30] = 1
    for known in (masks, None, np.full_like(masks, np.nan)):
        perceiver = GlimpsePerceiver(load_any("scenes"))
        finding = Found(np.array([[60.0, 60, 200, 180]]), known)
        perceiver.__dict__["_finder"] = SimpleNamespace(find=lambda picture, finding=finding: finding)
        ((thing,),) = (scene.things for scene in perceiver.perceive([picture]))
        darkest.append(min(thing.colour))
    assert [value > 200 for value in darkest] == [True, False, False]
