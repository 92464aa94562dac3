"""Boxes: those of clean scenes are exact, of everyday pictures good enough to match, whatever the picture's size."""

from itertools import product

import numpy as np
import pytest

from predinet_prolog.bridge import perceiver_of
from predinet_prolog.bridge.extents import fit_boxes
from predinet_prolog.bridge.matching import overlaps
from predinet_prolog.bridge.symbols import Windows
from predinet_prolog.domains.domain import Corruption
from predinet_prolog.domains.relations_game import EVERYDAY
from predinet_prolog.neural import load_model
from tests.margins import Bound

HARDER = ("shift", 2.0), ("noise", 0.1)


@pytest.mark.margins
@pytest.mark.parametrize(
    ("kind", "corruption"),
    [*product(["pentos", "hexos", "stripes"], [None]), *product(["hexos"], [*EVERYDAY, *HARDER])],
    ids=str,
)
def test_boxes_are_those_of_the_truth(kind: str, corruption: Corruption | None, bound: Bound, seed: int) -> None:
    model = load_model("relations-game")
    drawn = model.domain.generate("scatter", 60, kind=kind, seed=(91 + seed, 2), spoilt=corruption)
    assert drawn.truth is not None
    best: list[float] = []
    for image, scene in enumerate(perceiver_of(model).perceive(drawn.images)):
        boxes = np.array([symbol.box for symbol in scene.things]).reshape(-1, 4)
        true = drawn.truth.boxes[drawn.truth.rows(image)]
        best += overlaps(boxes, true).max(axis=0, initial=0).tolist()
    if corruption is None:
        assert set(best) == {1.0}
    else:
        bound.below("things whose box is not found", float(np.mean(np.array(best) < 0.5)), 0.05)


WINDOWS = Windows(side=5, stride=10, size=12)
"""Of pictures of 52 pixels; windows 2 pixels apart of their neighbours' neighbours."""


@pytest.mark.parametrize(("ground", "colour"), [(0, (90, 0, 0)), (255, (255, 0, 40)), (128, (200, 10, 128))])
@pytest.mark.parametrize(
    ("things", "box"),
    [
        ([(22, 23, 30, 29)], (22, 23, 30, 29)),
        ([(18, 19, 26, 27)], (18, 19, 26, 27)),  # 2 pixels out of its window
        ([(22, 23, 30, 29), (31, 20, 39, 28)], (22, 23, 30, 29)),  # a neighbour reaches in
        ([(21, 21, 23, 23), (28, 28, 30, 30)], (21, 21, 30, 30)),  # a thing of two parts
        ([], (20, 20, 32, 32)),  # nothing at all: its window
    ],
)
def test_what_lies_in_and_around_a_window(
    ground: int, colour: tuple[int, int, int], things: list[tuple[int, int, int, int]], box: tuple[int, ...]
) -> None:
    """The middle window, from 20 to 32."""
    image = np.full((1, 52, 52, 3), ground, dtype=np.uint8)
    for left, top, right, bottom in things:
        image[0, top:bottom, left:right] = colour
    shown = np.zeros((1, 25), dtype=bool)
    shown[0, 12] = True
    boxes = fit_boxes(image, shown, WINDOWS)
    assert boxes[0, 12].tolist() == list(box)
    assert boxes[0, 6].tolist() == [10, 10, 22, 22], "a window that shows no thing"
    assert fit_boxes(image, ~shown & False, WINDOWS)[0, 12].tolist() == [20, 20, 32, 32]
