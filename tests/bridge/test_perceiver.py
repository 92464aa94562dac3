"""From images to scenes: exact objects and boxes, and laws that hold for any network."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from predinet_prolog.bridge import Scene, perceiver_of
from predinet_prolog.bridge.extents import fit_boxes
from predinet_prolog.bridge.matching import overlaps
from predinet_prolog.bridge.symbols import Windows
from predinet_prolog.domains.domain import Corruption
from predinet_prolog.domains.relations_game import EVERYDAY, Scenes, generate
from predinet_prolog.neural import Model, NeuralError, load_model
from predinet_prolog.neural.graph import Graph, Look
from tests.cases import cases
from tests.margins import Bound

CASES = cases(__file__)


@pytest.fixture(scope="module")
def model() -> Model:
    return load_model("between")


def cells(scene: Scene) -> list[int]:
    """The cells (0–8, row-major) of a scene's objects; −1 for a window that is no cell."""
    places = (thing.place for thing in scene.things)
    return [int(top // 12 * 3 + left // 12) if top % 12 == left % 12 == 0 else -1 for left, top, _, _ in places]


def exact(scenes: list[Scene], truth: Scenes) -> float:
    hits = [cells(scene) == np.flatnonzero(row).tolist() for scene, row in zip(scenes, truth.occupied, strict=True)]
    return float(np.mean(hits))


@pytest.mark.margins
@pytest.mark.parametrize("objects", ["hexos", "stripes"])
@pytest.mark.parametrize("task", ["between", "scatter"])
def test_symbols_are_exactly_the_objects(model: Model, task: str, objects: str, bound: Bound, seed: int) -> None:
    """Also of 1 to 9 objects, with a network that never saw any number but three."""
    truth = generate(task, 400, objects=objects, seed=5 + seed)
    bound.below("scenes that are not exact", 1 - exact(perceiver_of(model).perceive(truth.render()), truth), 0.005)


@pytest.mark.parametrize("looks", [0, -1])
def test_fewer_looks_than_one_are_refused(model: Model, looks: int) -> None:
    with pytest.raises(NeuralError, match=f"{looks} looks"):
        perceiver_of(model, looks)


def test_a_second_look_keeps_what_the_first_saw_and_finds_more(model: Model) -> None:
    truth = generate("match_rows", 100, objects="pentos", seed=6)
    once, again = (perceiver_of(model, looks).perceive(truth.render()) for looks in (1, None))
    assert exact(once, truth) < exact(again, truth)
    for one, more in zip(once, again, strict=True):
        np.testing.assert_allclose(one.heads.attention[0], more.heads.attention[0], atol=1e-6)
        assert {thing.place for thing in one.things} <= {thing.place for thing in more.things}


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many images the network is shown, look by look."""
    counts, original = list[int](), Graph.look

    def count(*arguments: Any) -> Look:
        look = original(*arguments)
        counts.append(len(look.objectness))
        return look

    monkeypatch.setattr(Graph, "look", count)
    return counts


@pytest.mark.parametrize("looks", [1, 2])
def test_the_network_looks_as_often_as_is_asked(model: Model, seen: list[int], looks: int) -> None:
    images = generate("match_rows", 20, objects="pentos", seed=6).render()
    scenes = perceiver_of(model, looks).perceive(images)
    assert seen == [20] * looks, "something new is seen in every image at the first look"
    assert max(len(scene.heads.pairs) for scene in scenes if scene.heads) == looks


def test_the_network_looks_again_only_where_something_new_was_seen(model: Model, seen: list[int]) -> None:
    one, none = generate("scatter", 40, objects="pentos", seed=6), np.zeros((3, 36, 36, 3), dtype=np.uint8)
    assert perceiver_of(model).perceive(none)
    assert seen == [3]
    seen.clear()
    alone = one[one.occupied.sum(axis=1) == 1].render()
    assert len(alone)
    perceiver_of(model).perceive(np.concatenate([none, alone]))
    assert seen == [3 + len(alone), len(alone)], "once more, and nothing is left"


def test_a_black_image_has_background_only_and_no_image_no_scene(model: Model) -> None:
    (scene,) = perceiver_of(model).perceive(np.zeros((1, 36, 36, 3), dtype=np.uint8))
    assert scene.symbols
    assert scene.things == ()
    assert perceiver_of(model).perceive(np.zeros((0, 36, 36, 3), dtype=np.uint8)) == []


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
@pytest.mark.parametrize(("things", "box"), CASES["windows"])
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
