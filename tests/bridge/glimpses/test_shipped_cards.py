"""The shipped model of cards: what it must reach on any machine, below what it was measured at."""

import numpy as np
import pytest

from predinet_prolog.bridge.definitions import read_grounding
from predinet_prolog.bridge.matching import match
from predinet_prolog.bridge.perceiving.glimpses import GlimpsePerceiver
from predinet_prolog.domains.cards.deck import ATTRIBUTES
from predinet_prolog.domains.cards.domain import DOMAIN
from predinet_prolog.neural.glimpses.config import NUMBER
from predinet_prolog.neural.glimpses.model import GlimpseModel, load_any


@pytest.mark.parametrize(("kind", "least"), [("printed", 0.97), ("felt_tip", 0.85)])
def test_cards_are_found_and_told_by_what_is_on_them(kind: str, least: float) -> None:
    model = load_any("cards")
    assert isinstance(model, GlimpseModel)
    grounding = read_grounding(model)
    assert grounding is not None
    assert {each.predicate for each in grounding.trusted} == {f"same_{name}" for name in ATTRIBUTES}
    perceiver, (number,) = GlimpsePerceiver(model), model.config.of_group(NUMBER)
    drawn = DOMAIN.generate_annotated(6, seed=40, kind=kind, task="hand")
    assert drawn.truth is not None
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
