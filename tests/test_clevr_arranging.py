"""How things of CLEVR are arranged: published margins, the colours asked for, the sides they lie on."""

import math
import random

import pytest

from examples.clevr.arranging import COLOURS, SHAPES, arrange, relations

AXES = {"left": (-0.8, -0.6, 0), "right": (0.8, 0.6, 0), "front": (0.6, -0.8, 0), "behind": (-0.6, 0.8, 0)}
ANY = dict.fromkeys(SHAPES, COLOURS)


@pytest.mark.parametrize("seed", range(20))
def test_things_keep_the_published_distances(seed: int) -> None:
    things = arrange(random.Random(seed), AXES, ANY)
    assert 3 <= len(things) <= 10
    for number, one in enumerate(things):
        assert max(map(abs, one.middle[:2])) <= 3
        high = {"large": 0.7, "small": 0.35}[one.size]  # half; a cube's base has its width across corners
        assert one.middle[2] == pytest.approx(high / 2**0.5 if one.shape == "cube" else high)
        for other in things[:number]:
            assert math.dist(one.middle[:2], other.middle[:2]) >= 0.25 + one.middle[2] + other.middle[2]
            for x, y, _ in AXES.values():
                assert abs((one.middle[0] - other.middle[0]) * x + (one.middle[1] - other.middle[1]) * y) >= 0.4


def test_a_shape_has_its_colours_alone() -> None:
    colours = {"cube": ["gray"], "sphere": ["red", "blue"], "cylinder": ["cyan"]}
    things = [thing for seed in range(30) for thing in arrange(random.Random(seed), AXES, colours)]
    pairs = {("cube", "gray"), ("sphere", "red"), ("sphere", "blue"), ("cylinder", "cyan")}
    assert {(thing.shape, thing.color) for thing in things} == pairs


def test_a_side_begins_a_fifth_away() -> None:
    places = [(0.0, 0.0, 0.7), (0.25, 0.0, 0.35), (0.0, -5.0, 0.35)]
    lies = relations(places, AXES)
    assert lies["left"] == [[2], [2], []]  # the second lies 0.2 along: not further than a fifth
    assert (lies["right"], lies["behind"]) == ([[], [], [0, 1]], [[], [], [0, 1]])
