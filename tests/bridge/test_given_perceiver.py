"""What was told becomes a scene: in order, chosen as asked, and compared by masks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from predinet_prolog.bridge.errors import BoxesError
from predinet_prolog.bridge.perceiving.given import MOST, Choice, Given, given_by, scene_of
from predinet_prolog.bridge.perceiving.glimpses import GlimpsePerceiver
from predinet_prolog.bridge.program import ImageInfo, make_program
from predinet_prolog.domains.detections import Detected, Detection
from predinet_prolog.neural.glimpses.config import MARGIN, SIDE
from predinet_prolog.neural.glimpses.model import GlimpseConfig
from predinet_prolog.neural.model import NO_MODEL
from tests.seen import Outlined

SIZE = (200, 100)
Box = tuple[float, float, float, float]


def thing(index: int, box: Box, **told: Any) -> Detection:
    return Detection(f"entry {index}", index, box, **told)


@dataclass(frozen=True)
class Told:
    """A source that tells the same of every picture."""

    things: Sequence[Detection]
    where: str = "mine.json"
    keys: frozenset[str] = frozenset({"worn"})
    categories: frozenset[str] = frozenset()

    def of(self, picture: str, size: tuple[int, int]) -> Detected:
        return Detected(tuple(self.things), (), len(self.things))

    def pictures(self) -> None:
        return None

    def check_pictures(self, pictures: Sequence[str]) -> None:
        return None


def test_things_are_named_by_their_places_and_know_their_source() -> None:
    told = (thing(0, (50, 50, 60, 60)), thing(1, (80, 0, 90, 10)), thing(2, (10, 50, 20, 60), category="b"))
    scene = scene_of(Given(told, SIZE))
    assert [(each.name, each.source) for each in scene.things] == [("ob_0", 1), ("ob_1", 2), ("ob_2", 0)]
    assert (scene.things[1].category, scene.size, scene.given) == ("b", SIZE, True)
    assert all(each.colour is None and not each.coordinates.size for each in scene.things)


BOX, NEAR, FAR = (0.0, 0.0, 10.0, 10.0), (1.0, 0.0, 11.0, 10.0), (50.0, 50.0, 60.0, 60.0)
CHOSEN: Mapping[str, tuple[list[Detection], Choice, list[int], str]] = {
    "all as they are": ([thing(0, BOX, score=0.1), thing(1, BOX)], Choice(), [0, 1], ""),
    "the surer ones, and those nobody doubts": (
        [thing(0, BOX, score=0.49), thing(1, BOX, score=0.5), thing(2, BOX)],
        Choice(0.5),
        [1, 2],
        "1 of 3 things with a score below 0.5 left out",
    ),
    "the surest of those that overlap": (
        [thing(0, NEAR, score=0.5), thing(1, BOX, score=0.9), thing(2, FAR, score=0.1)],
        Choice(None, 0.5),
        [1, 2],
        "1 of 3 things of one category that overlap a surer one by more than 0.5 left out",
    ),
    "not of another category": (
        [thing(0, NEAR, category="a"), thing(1, BOX, category="b", score=0.9)],
        Choice(None, 0.5),
        [0, 1],
        "",
    ),
    "not what overlaps less": ([thing(0, NEAR, score=0.5), thing(1, BOX, score=0.9)], Choice(None, 0.9), [0, 1], ""),
}


@pytest.mark.parametrize("case", CHOSEN)
def test_things_are_chosen_as_asked(case: str) -> None:
    told, choice, kept, note = CHOSEN[case]
    given = given_by(Told(told), "a.png", SIZE, choice)
    assert [each.index for each in given.things] == kept
    assert given.notes == ((note,) if note else ())


def test_an_attribute_that_no_thing_of_the_picture_has_is_false_of_all() -> None:
    given = given_by(Told([thing(0, BOX)]), "a.png", SIZE)
    program = make_program(scene_of(given), model=NO_MODEL, image=ImageInfo("a.png", "", *SIZE))
    assert "worn/2" in program.predicates


def test_only_comparing_bounds_how_many_there_may_be() -> None:
    many = Told([thing(0, BOX)] * (MOST + 1))
    with pytest.raises(BoxesError, match=r"mine.json has 201 boxes for a.png: at most 200 are taken; .*--no-look"):
        given_by(many, "a.png", SIZE)
    assert len(given_by(many, "a.png", SIZE, looked=False).things) == MOST + 1


def test_what_was_told_has_one_hash_and_another_has_another() -> None:
    same = [
        Given((thing(0, BOX, category="a", outline=Outlined(np.ones((3, 3), bool))),), SIZE).sha256 for _ in range(2)
    ]
    others = [
        Given((thing(0, BOX, category=category, score=score, outline=Outlined(np.eye(3, dtype=bool))),), SIZE).sha256
        for category, score in (("a", None), ("b", None), ("a", 0.5))
    ]
    assert len({*same, *others}) == 4


class Seer:
    """In place of the comparator: what it is shown."""

    def __init__(self) -> None:
        self.glimpses = np.zeros(0)

    def compare(self, glimpses: np.ndarray, upright: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        self.glimpses = glimpses.copy()
        return np.full((len(glimpses), SIDE, SIDE), 9.0), np.arange(2.0 * len(glimpses)).reshape(-1, 2)


def test_a_mask_takes_the_place_of_the_models_guess() -> None:
    """A red disc lies on a blue square that the box holds, too, in a picture that is looked at at half its size: the
    model is shown the disc on the ground, and the thing is red."""
    height, width = 60, 80
    picture = np.full((height, width, 3), 200, np.uint8)
    picture[20:40, 20:40] = (0, 0, 255)
    y, x = np.mgrid[0:height, 0:width] + 0.5
    disc = (x - 30) ** 2 + (y - 30) ** 2 < 36
    picture[disc] = (255, 0, 0)
    large = disc.repeat(2, axis=0).repeat(2, axis=1)[40:80, 40:80]
    seer = Seer()
    perceiver = GlimpsePerceiver(SimpleNamespace(name="m", graph=seer, config=GlimpseConfig()))  # type: ignore[arg-type]
    told = thing(7, (40, 40, 80, 80), category="ball", outline=Outlined(large))
    (masked,) = perceiver.perceive([picture], [Given((told,), (160, 120))])
    shown = np.abs(seer.glimpses[0, 3:6]).max(axis=0) > 0.5
    share = shown.sum() * (20 * MARGIN / SIDE) ** 2 / disc.sum()
    assert 0.8 < share < 1.25, "nothing but the disc differs from the ground"
    (only,) = masked.things
    assert only.colour is not None
    assert only.colour[0] > 230 > 30 > only.colour[2]
    assert (only.box.tolist(), only.category, only.source, only.parts) == ([40, 40, 80, 80], "ball", 7, ())
    assert only.coordinates.tolist() == [0, 1]
    before = seer.glimpses
    (boxed,) = perceiver.perceive([picture], [Given((thing(7, (40, 40, 80, 80)),), (160, 120))])
    assert boxed.things[0].colour != only.colour
    told = thing(7, (80, 40, 120, 80), outline=Outlined(large[:, ::-1]))
    (mirrored,) = perceiver.perceive([picture[:, ::-1]], [Given((told,), (160, 120))])
    assert mirrored.things[0].colour == only.colour
    assert np.abs(seer.glimpses - before).max() < 0.1, "it is laid as before"
