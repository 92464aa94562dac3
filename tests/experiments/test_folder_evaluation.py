"""A folder as judge: a perfect seer is right in everything, and each fault of another is counted."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from predinet_prolog.bridge import BridgeError, Scene, Thing, perceiver_of
from predinet_prolog.bridge.confidence import Curve
from predinet_prolog.bridge.definitions import Definition, Grounding, grounding_path
from predinet_prolog.domains.annotations import as_annotated, read_folder
from predinet_prolog.domains.domain import Annotated, Inspection, Pixels, Truth
from predinet_prolog.domains.relations_game.domain import DOMAIN
from predinet_prolog.experiments.evaluation import Goal, OwnOutput, evaluate
from predinet_prolog.experiments.judging import Judge, alike
from predinet_prolog.experiments.outcomes import Evaluation
from predinet_prolog.neural import load_model
from predinet_prolog.symbolic import Rules
from tests.seen import let_see, made_up_model

pytestmark = pytest.mark.slow(4)
Spoil = Callable[[int, list[Thing]], list[Thing]]
Judged = Callable[..., Evaluation]


def definition(predicate: str, *relations: int, doubt: float = 0.001) -> Definition:
    """Holds of what lies within 0.5 on its axes."""
    return Definition(predicate, "", relations, Curve(0.5, 20.0, doubt), 0.0, {"fresh": 1.0}, {})


@pytest.fixture
def judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Judged:
    """Evaluates a model that sees the truth, after `spoil` changed it: axis 0 is the shape, axis 1 the look."""
    model = made_up_model(tmp_path)
    definitions = definition("same_shape", 0), definition("same", 1)
    grounding = Grounding(model.sha256, "fresh", False, ("shape", "look"), definitions)
    grounding_path(model).write_text(grounding.to_json())

    def judge(
        annotated: Annotated, spoil: Spoil = lambda picture, things: things, asked: Goal | None = None, **options: Any
    ) -> Evaluation:
        numbers = count()

        def see(picture: Pixels, given: object) -> Scene:
            number = next(numbers)
            things = things_of(annotated.truth, number) if annotated.truth is not None else []
            size = picture.shape[1], picture.shape[0]
            return Scene(tuple(spoil(number, things)), Inspection(0, None, 0), size)

        let_see(see, monkeypatch)
        return evaluate(model, annotated, asked, **options)

    return judge


def things_of(truth: Truth, picture: int) -> list[Thing]:
    rows = truth.rows(picture)
    axes = np.stack([truth.attributes[name][rows] for name in ("shape", "look")], axis=1).astype(float)
    return [
        Thing(f"ob_{number}", box, (0, 0, 0), np.append(place, np.zeros(5)))
        for number, (box, place) in enumerate(zip(truth.boxes[rows], axes, strict=True))
    ]


def world(**changes: Sequence[int]) -> Annotated:
    """Two pictures: four things of 10 × 10 and 20 × 20 pixels in the first, two in the second."""
    sides = "0 0 10 10  20 0 30 10  40 0 60 20  70 0 90 20  0 0 10 10  30 30 40 40"
    boxes = np.array(sides.split(), float).reshape(-1, 4)
    values = {"shape": [0, 0, 1, 1, 2, 2], "look": [0, 0, 1, 2, 3, 4], "size": [0, 0, 1, 1, 0, 0], **changes}
    truth = Truth(np.array([0] * 4 + [1] * 2), boxes, {name: np.array(each) for name, each in values.items()})
    pictures = (np.zeros((50, 100, 3), np.uint8), np.zeros((60, 60, 3), np.uint8))
    return Annotated(("a.png", "b.png"), pictures, truth, labels=("yes", "2"), tasks=(None, "0"))


def test_a_perfect_seer_is_right_in_everything(judged: Judged) -> None:
    found = judged(world())
    assert (found.n, found.exact_scenes, found.outcomes) == (2, 1.0, ())
    assert found.pairs == {"same_shape": 1.0, "same": 1.0, "same_size": 1.0}
    assert found.calibration == {"same_shape": pytest.approx(0.001, abs=1e-5), "same": pytest.approx(0.001, abs=1e-5)}
    document = found.to_json()
    assert (document["missing"], document["spurious"], document["merged"]) == (0, 0, 0)
    assert (document["n"], document["labelled"], document["accuracy"]) == (2, 0, None)


def test_a_pair_with_a_thing_not_found_counts_as_wrong(judged: Judged) -> None:
    """The third thing of the first picture: 3 of the 7 pairs are not seen, one of them of the same shape."""
    found = judged(world(), lambda picture, objects: [each for each in objects if (picture, each.name) != (0, "ob_2")])
    assert found.exact_scenes == 0.5
    # Same shape: (0,1), (2,3) and those of the second picture; of the 4 others, (0,2) and (1,2) are lost.
    assert found.pairs["same_shape"] == pytest.approx((2 / 3 + 2 / 4) / 2)
    assert found.pairs["same"] == pytest.approx((1 / 1 + 3 / 6) / 2)
    assert (found.pairs["same_size"], found.to_json()["missing"]) == (pytest.approx((2 / 3 + 2 / 4) / 2), 1)
    assert found.calibration["same_shape"] == pytest.approx(0.001, abs=1e-5)  # of what was seen


def test_a_thing_in_two_pieces_and_two_things_in_one(judged: Judged) -> None:
    def split(picture: int, objects: list[Thing]) -> list[Thing]:
        """The first thing in halves, of which one overlaps it enough to be it."""
        left, right = np.array([0.0, 0, 6, 10]), np.array([6.0, 0, 10, 10])
        return [replace(objects[0], box=left), replace(objects[0], box=right), *objects[1:]] if not picture else objects

    found = judged(world(), split)
    assert found.exact_scenes == 0.5
    assert [found.to_json()[name] for name in ("missing", "spurious", "merged")] == [0, 1, 0]
    assert found.pairs["same_shape"] == 1.0
    assert found.pairs["same_size"] == 1.0  # by its height

    def merge(picture: int, objects: list[Thing]) -> list[Thing]:
        return [replace(objects[0], box=np.array([0.0, 0, 30, 10])), *objects[2:]] if not picture else objects

    found = judged(world(), merge)
    assert found.exact_scenes == 0.5
    assert [found.to_json()[name] for name in ("missing", "spurious", "merged")] == [2, 0, 1]
    assert found.pairs["same_shape"] == pytest.approx((2 / 3 + 0 / 4) / 2)


def test_what_is_said_wrongly_is_counted(judged: Judged) -> None:
    """The second thing is taken for the shape of the third: one pair of 3 alike is lost, two of 4 unlike let in."""

    def mistake(picture: int, objects: list[Thing]) -> list[Thing]:
        return [
            replace(each, coordinates=np.append([1.0, 0], np.zeros(5))) if each.name == "ob_1" and not picture else each
            for each in objects
        ]

    found = judged(world(), mistake)
    assert (found.exact_scenes, found.pairs["same_shape"]) == (1.0, pytest.approx((2 / 3 + 2 / 4) / 2))
    assert found.pairs["same"] == (0 + 1) / 2  # the only pair that looks the same: same/2 implies same_shape/2
    assert found.calibration["same_shape"] == pytest.approx((4 * 0.999 - 2 + 1 - 3 * 0.001) / 7, abs=1e-5)


def test_which_pairs_are_judged() -> None:
    """By attributes that are told: `same` by the look, else by all but the size."""
    values = {"shape": [0, 0, -1, 1], "colour": [0, 0, 0, 1], "size": [0, 1, 0, 1]}
    truth = Truth(np.zeros(4, int), np.zeros((4, 4)), {name: np.array(each) for name, each in values.items()})
    table = alike(truth, slice(0, 4))
    assert set(table) == {"same", "same_shape", "same_colour", "same_size"}
    holds, known = table["same"]
    assert known.tolist() == [[True, True, False, True]] * 2 + [[False, False, False, True]] + [[True] * 4]
    assert (holds & known).tolist() == [[True, True, False, False]] * 2 + [[False] * 4, [False, False, False, True]]
    by_look = alike(replace(truth, attributes={**truth.attributes, "look": np.array([0, 1, 0, 1])}), slice(0, 4))
    assert by_look["same"][0].tolist() == [[True, False] * 2, [False, True] * 2] * 2
    assert by_look["same"][1].all()
    only_size = Truth(np.zeros(0, int), np.zeros((0, 4)), {"size": np.zeros(0, int)})
    assert set(alike(only_size, slice(0, 0))) == {"same_size"}
    told = [definition(name, 0) for name in ("same", "same_hue", "same_size", "same_shape")]
    assert set(Judge(truth, told).pairs) == {"same", "same_shape"}
    assert set(Judge(truth, told, sizes=True).pairs) == {"same", "same_shape", "same_size"}


def test_labels_are_asked_of_programs(judged: Judged) -> None:
    """`yes` and `2` are right where the goal says so; the second picture asks task 0."""
    done: list[int] = []
    rules = [Rules("r", "label(yes) :- \\+ task(0).\nlabel(N) :- task(0), findall(X, object(X), Xs), length(Xs, N).\n")]
    found = judged(world(), asked=Goal("label(L)", rules), report=done.append)
    assert (found.to_json()["accuracy"], found.to_json()["labelled"]) == (1.0, 2)
    assert done == [1, 1]
    found = judged(replace(world(), labels=("'yes'", None)), asked=Goal("L = yes"))
    assert (found.to_json()["accuracy"], found.to_json()["labelled"], found.n) == (0.0, 1, 2)
    assert found.to_json()["confusion"] == {"'yes'": {"yes": 1}}
    found = judged(replace(world(), truth=None), asked=Goal("false"))
    assert (found.to_json()["accuracy"], found.to_json()["missing"]) == (0.0, None)
    assert (found.exact_scenes, found.pairs) == (None, {})
    assert judged(replace(world(), labels=()), asked=Goal("L = 1")).accuracy is None
    found = judged(replace(world(), tasks=()), asked=Goal("\\+ task(_), L = yes"))
    assert found.to_json()["accuracy"] == 0.5


def test_boards_are_judged_as_the_network_sees_them(tmp_path: Path) -> None:
    """The shipped model: the same scenes as the evaluation of labelled boards finds, and what it says of pairs."""
    model = load_model("relations-game")
    drawn = DOMAIN.generate("scatter", 40, kind="pentos", seed=77)
    found = evaluate(model, as_annotated(drawn))
    assert evaluate(model, as_annotated(drawn), OwnOutput("same")).scene_faults == found.scene_faults
    assert set(found.pairs) == {"same", "same_shape", "same_colour"}
    for predicate, accuracy in found.pairs.items():
        assert accuracy > 0.9, predicate
    DOMAIN.write(tmp_path / "game", "scatter", 40, kind="pentos", seed=77)
    assert evaluate(model, read_folder(tmp_path / "game")) == found
    with pytest.raises(BridgeError, match="picture 1 is 60x50 pixels, and relations-game looks at those of 36x36"):
        perceiver_of(model).perceive([drawn.images[0], np.zeros((50, 60, 3), np.uint8)])
