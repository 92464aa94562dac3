"""The parts of a thing: its pieces of one colour, where they are large enough to be told from its edge."""

import numpy as np
import pytest

from predinet_prolog.bridge.glimpses.parts import parts_of
from predinet_prolog.bridge.perceiving.glimpses import GlimpsePerceiver
from predinet_prolog.neural.glimpses.model import load_any

RED, BLUE, GREY = (200, 40, 40), (40, 60, 200), (215, 215, 215)


@pytest.mark.parametrize(("columns", "parts"), [(3, 2), (1, 0)])
def test_a_tenth_of_a_thing_is_a_part_and_a_twentieth_is_none(columns: int, parts: int) -> None:
    pixels = np.full((32, 32, 3), RED, np.float64)
    shown = np.zeros((32, 32), bool)
    shown[3:29, 3:29] = True  # of which the rim is left out
    pixels[:, 28 - columns : 32] = BLUE
    assert len(parts_of(pixels, shown)) == parts


def test_things_of_forty_pixels_have_parts() -> None:
    model = load_any("scenes")
    picture = np.full((120, 120, 3), GREY, np.uint8)
    picture[40:80, 40:60], picture[40:80, 60:80] = RED, BLUE
    (scene,) = GlimpsePerceiver(model).perceive([picture])
    (thing,) = scene.things
    assert [part.box.round().tolist() for part in thing.parts] == [
        pytest.approx([40, 40, 60, 80], abs=3),
        pytest.approx([60, 40, 80, 80], abs=3),
    ]
