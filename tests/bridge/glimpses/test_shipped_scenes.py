"""The shipped model for pictures of any size: what it must reach on any machine, well below what it was measured at."""

import numpy as np
import pytest

from predinet_prolog.bridge.matching import match
from predinet_prolog.bridge.perceiving.glimpses import GlimpsePerceiver
from predinet_prolog.domains.scenes.clutter import new_clutter
from predinet_prolog.domains.scenes.domain import DOMAIN
from predinet_prolog.domains.scenes.pictures import new_groups
from predinet_prolog.neural.glimpses.model import load_any


@pytest.fixture(scope="module")
def perceiver() -> GlimpsePerceiver:
    model = load_any("scenes")
    return GlimpsePerceiver(model)


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
