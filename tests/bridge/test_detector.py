"""A detector's heads become things: votes part those that hide each other, and what is nearly nothing is none."""

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from predinet_prolog.bridge.errors import PerceiverError
from predinet_prolog.bridge.perceiving.detector import DetectorPerceiver
from predinet_prolog.bridge.perceiving.given import Given
from predinet_prolog.bridge.perceiving.perceiver import perceiver_of
from predinet_prolog.neural.detector import parting
from predinet_prolog.neural.detector.config import DetectorConfig
from predinet_prolog.neural.detector.model import TERMS
from predinet_prolog.neural.detector.parting import PARTING

H, W = 32, 48  # places; pixels are twice as many
WORDS = {"shape": ("cube", "sphere"), "size": ("large", "small")}
Heads = np.ndarray[Any, np.dtype[np.float32]]


def heads(*things: tuple[float, float, float, float, float, float, float]) -> Heads:
    """What a finder says of things: middle x and y, left, top, right, bottom, and salience; the last is in front."""
    maps = np.zeros((8, H, W), dtype=np.float32)
    maps[:2] = -6
    y, x = np.mgrid[0:H, 0:W] * 2 + 0.5
    for middle_x, middle_y, left, top, right, bottom, _ in things:
        mine = (x >= left) & (x < right) & (y >= top) & (y < bottom)
        maps[1, mine] = 6
        maps[2, mine], maps[3, mine] = (middle_x - x)[mine], (middle_y - y)[mine]
    for middle_x, middle_y, left, top, right, bottom, salience in things:
        row, column = round((middle_y - 0.5) / 2), round((middle_x - 0.5) / 2)
        maps[0, row, column] = np.log(salience / (1 - salience))
        maps[4, row, column] = (left + right) / 2 - column * 2 - 0.5
        maps[5, row, column] = (top + bottom) / 2 - row * 2 - 0.5
        maps[6:, row, column] = np.log([right - left, bottom - top])
    return maps


@pytest.fixture
def see() -> Callable[[Heads], Any]:
    """The scene of a picture of 192 × 128 pixels, twice as large as it is looked at, in which the first thing is a
    large cube, all others are small spheres, and a middle's x is how far left a large thing stands, half of a small
    one's."""
    weights = np.zeros((4, TERMS, 2))  # of large cubes, large spheres, small cubes, small spheres
    weights[0, 4, 0], weights[3, 4, 0], weights[:, 1, 1] = -2, -1, -1  # x, and y: further up is further behind

    def scene(maps: Heads, sure: float = 9, looks: list[Heads] | None = None) -> Any:
        def read(glimpses: Heads, frames: Heads) -> list[Heads]:
            if looks is not None:
                looks.append(frames[:, 2:4] * 96)
                if len(looks) == 1:  # that look is another's opinion
                    return [np.array([[0, 2 * sure]])] * 2
            first = np.arange(len(glimpses))[:, None] == 0
            return [np.where(first, [[sure, 0]], [[0, 9]])] * 2

        graph = SimpleNamespace(find=lambda picture, plane: maps, read=read)
        model = SimpleNamespace(name="any", config=DetectorConfig(WORDS, long=96, fine=96), graph=graph, places=weights)
        picture = np.full((128, 192, 3), 120, dtype=np.uint8)
        return DetectorPerceiver(model).perceive([picture])[0]

    return scene


BEHIND = (30, 24, 20, 10, 40, 38, 0.9)
BEFORE = (40, 34, 32, 26, 48, 42, 0.8)


def test_things_that_hide_each_other_are_two(see: Callable[[Heads], Any]) -> None:
    scene = see(heads(BEHIND, BEFORE))
    assert [thing.box.tolist() for thing in scene.things] == [[40, 20, 80, 76], [64, 52, 96, 84]]
    behind, before = (thing.region for thing in scene.things)
    assert (behind.sum(), before.sum()) == ((20 * 28 - 8 * 12) * 4, 16 * 16 * 4)
    assert [thing.score for thing in scene.things] == pytest.approx([0.9, 0.8])


def test_a_word_is_what_looks_moved_by_half_a_pixel_say_together(see: Callable[[Heads], Any]) -> None:
    looks: list[Heads] = []
    (thing,) = see(heads(BEHIND), looks=looks).things
    moved = np.concatenate(looks) - [30 - 48, 24 - 32]
    assert sorted(moved.round(4).tolist()) == [[-0.5, 0], [0, -0.5], [0, 0.5], [0.5, 0]]
    assert dict(thing.attributes)["shape"] == "cube"


def test_they_have_words_and_places(see: Callable[[Heads], Any]) -> None:
    scene = see(heads(BEHIND, BEFORE))
    words = [dict(thing.attributes) for thing in scene.things]
    assert words == [{"shape": "cube", "size": "large"}, {"shape": "sphere", "size": "small"}]
    # The large one's middle is 18 left of the picture's, the small one's 8: by their sizes, 36 and 8.
    assert set(scene.ground) == {(0, "left", 1), (1, "right", 0), (0, "behind", 1), (1, "front", 0)}
    assert scene.given
    assert scene.keys == frozenset(WORDS)


def test_a_middle_that_is_hidden_counts(see: Callable[[Heads], Any]) -> None:
    scene = see(heads((40, 32, 20, 10, 60, 54, 0.9), (40, 36, 30, 24, 50, 48, 0.9)))
    assert len(scene.things) == 2


@pytest.mark.parametrize(
    ("stage", "off", "nothing"),
    [
        ("salient", 0.1, (70, 40, 60, 30, 80, 50, 0.2)),
        ("fewest", 0, (70, 40, 68, 38, 73, 42, 0.9)),
        ("near", 9.0, (70, 40, 66, 36, 74, 44, 0.9)),
    ],
)
def test_each_setting_is_needed(
    see: Callable[[Heads], Any], monkeypatch: pytest.MonkeyPatch, stage: str, off: float, nothing: Any
) -> None:
    maps = heads(nothing)
    if stage == "near":  # what votes for a place far off shows no thing
        maps[2] += 20
    assert len(see(maps).things) == 0
    monkeypatch.setattr(parting, "PARTING", replace(PARTING, **{stage: off}))
    assert len(see(maps).things) == 1


def test_a_word_that_is_hardly_likelier_is_doubted(see: Callable[[Heads], Any]) -> None:
    maps = heads(BEHIND, BEFORE)
    assert see(maps).inspection.score == 0
    doubt = see(maps, 0.3).inspection  # 0.57 beside 0.43
    assert (doubt.score, doubt.reason) == (1, "1 of 2 things can hardly be told: hidden, or none that it learned")


def test_an_empty_picture_has_no_things(see: Callable[[Heads], Any]) -> None:
    assert see(heads()).things == ()


def test_it_takes_no_boxes_and_no_looks(see: Callable[[Heads], Any]) -> None:
    model: Any = SimpleNamespace(name="any", kind="detector", takes_boxes=False, heads=0)
    with pytest.raises(PerceiverError, match="finds things itself"):
        DetectorPerceiver(model).perceive([np.zeros((64, 96, 3), dtype=np.uint8)], [Given((), (96, 64))])
    with pytest.raises(PerceiverError, match="takes one look"):
        perceiver_of(model, 2)
