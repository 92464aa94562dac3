"""Kandinsky figures: labels are what the patterns say, boxes what is drawn, and near misses miss by one thing."""

from itertools import combinations, permutations

import numpy as np
import pytest
from scipy import ndimage

from predinet_prolog.domains.kandinsky import figures
from predinet_prolog.domains.kandinsky.domain import DOMAIN
from predinet_prolog.domains.kandinsky.figures import GREY, PATTERNS, RGB, Figure, Thing, gap, in_line, new_figure

ASKED = [name for name in PATTERNS if name != "figures"]


def in_pairs(figure: Figure) -> bool:
    """By trying every order of the things."""
    for order in permutations(figure):
        pairs = list(zip(order[::2], order[1::2], strict=True))
        alike = [one.colour == other.colour for one, other in pairs]
        if all(one.shape == other.shape for one, other in pairs) and sum(alike) == 1:
            return True
    return False


@pytest.mark.parametrize("name", ASKED)
def test_a_figure_is_true_of_its_pattern_or_not(name: str) -> None:
    rng = np.random.default_rng(5)
    for number in range(24):
        figure = new_figure(name, number % 2 == 0, rng)
        assert PATTERNS[name].holds(figure) == (number % 2 == 0)
        if "pairs" in name:
            assert in_pairs(figure) == (number % 2 == 0)
        if name in ("closeby", "red_triangle"):  # nothing lies in between
            shares = [2 * gap(*pair) / (pair[0].size + pair[1].size) for pair in combinations(figure, 2)]
            assert not any(0.3 <= share < figures.APART for share in shares)


def test_lines_and_gaps() -> None:
    line = tuple(Thing(20.0 + 15 * n, 30.0 + 10 * n, 12) for n in range(5))
    assert in_line(line)
    assert not in_line((*line[:4], Thing(80, 80, 12)))
    assert gap(Thing(20, 20, 10), Thing(33, 20, 10)) == 3
    assert gap(Thing(20, 20, 10), Thing(33, 34, 10)) == 5


def test_what_is_drawn_is_what_is_told() -> None:
    told = DOMAIN.generate_annotated(10, seed=3, task="red_triangle")
    assert told.labels.count("1") == 5
    assert told.tasks == (None,) * 10
    assert told.words == {"shape": ("circle", "square", "triangle"), "colour": ("red", "yellow", "blue")}
    colours, shapes = told.truth.attributes["colour"], told.truth.attributes["shape"]
    for number, picture in enumerate(told.pictures):
        _, count = ndimage.label((picture != GREY).any(axis=2), structure=np.ones((3, 3)))
        rows = told.truth.rows(number)
        assert count == rows.stop - rows.start
        for thing in range(rows.start, rows.stop):
            left, top, right, bottom = np.round(told.truth.boxes[thing]).astype(int)
            assert tuple(picture[(top + bottom) // 2, (left + right) // 2]) == RGB[colours[thing]]
            share = (picture[top:bottom, left:right] != GREY).any(axis=2).mean()
            assert {0: 0.7 < share < 0.92, 1: share == 1, 2: 0.45 < share < 0.7}[int(shapes[thing])]
