"""Explaining: the variance taken apart on co-ordinates made by hand, and what the shipped models' relations tell."""

from types import SimpleNamespace

import numpy as np
import pytest

from predinet_prolog.bridge import BridgeError
from predinet_prolog.bridge.definitions import read_grounding
from predinet_prolog.bridge.explaining import Meaning, analysis_of_variance, explain, meanings
from predinet_prolog.bridge.scene import Scene
from predinet_prolog.domains.domain import Inspection
from predinet_prolog.domains.relations_game.attribute_windows import SETTINGS
from predinet_prolog.neural import load_model
from tests.margins import Bound

pytestmark = pytest.mark.slow(6)

SHAPES, COLOURS = 37, 25
PARTS = "colour", "shape", "interaction"
RANDOM = np.random.default_rng(5)
COLOUR = np.broadcast_to(RANDOM.permutation(COLOURS) / 7, (SHAPES, COLOURS))
SHAPE = np.broadcast_to(RANDOM.permutation(SHAPES)[:, None] / 11, (SHAPES, COLOURS))
BOTH = np.outer(np.arange(SHAPES) - (SHAPES - 1) / 2, np.arange(COLOURS) - (COLOURS - 1) / 2)  # its means are all 0


ATTRIBUTES = dict(zip(("shape", "colour"), np.indices((SHAPES, COLOURS)).reshape(2, -1), strict=True))


def told(coordinate: np.ndarray, by_place: float = 0.0) -> Meaning:
    """What one relation tells whose co-ordinates are (s, c)."""
    (meaning,) = meanings(coordinate.reshape(-1, 1), ATTRIBUTES, np.array([by_place]))
    return meaning


@pytest.mark.parametrize(
    ("coordinate", "expected", "tells"),
    [(COLOUR, (1, 0, 0, 0), "colour"), (SHAPE, (0, 1, 0, 0), "shape"), (BOTH, (0, 0, 1, 0), "mixed")],
)
def test_a_pure_part_has_the_whole_share(coordinate: np.ndarray, expected: tuple[int, ...], tells: str) -> None:
    meaning = told(coordinate + 3.3)
    shares = meaning.attributes["colour"], meaning.attributes["shape"], meaning.interaction, meaning.position
    assert shares == pytest.approx(expected, abs=1e-12)
    assert meaning.tells == tells
    assert [meaning.coordinate[name] for name in PARTS] == pytest.approx(expected[:3], abs=1e-12)
    assert meaning.spread == pytest.approx(np.sqrt(2 * coordinate.var()))


def test_parts_that_are_added_are_found_again() -> None:
    coordinate = 2 * COLOUR - 3 * SHAPE + 0.01 * BOTH
    variances = np.array([4 * COLOUR.var(), 9 * SHAPE.var(), 1e-4 * BOTH.var()])
    attributes = [ATTRIBUTES["colour"], ATTRIBUTES["shape"]]
    parts = np.array(analysis_of_variance(coordinate.reshape(-1, 1), attributes))[:, 0]
    assert (parts, parts.sum()) == (pytest.approx(variances), pytest.approx(coordinate.var()))
    by_place = 2 * variances.sum()
    meaning = told(coordinate, by_place)
    assert meaning.position == pytest.approx(0.5), "as much place as appearance, which counts for both objects"
    assert [meaning.coordinate[name] for name in PARTS] == pytest.approx(variances / variances.sum())


def test_accuracy_is_of_pairs_of_different_objects() -> None:
    """Where every colour has a point of its own, same_colour is sure, and same_shape is never close by."""
    meaning = told(COLOUR)
    assert (meaning.accuracy["colour"], meaning.accuracy["shape"]) == (1, 0.5)
    # Two colours at one point: of 300 pairs of colours, 1 is taken for the same.
    merged = np.where(np.isclose(COLOUR, COLOUR[0, 3]), COLOUR[0, 4], COLOUR)
    assert told(merged).accuracy["colour"] == pytest.approx(1 - 1 / 300 / 2)


@pytest.fixture(scope="module")
def named() -> list[Meaning]:
    return explain(load_model("relations-game"))


def test_programs_say_what_was_measured(named: list[Meaning]) -> None:
    """All but the last three, which mean the whole look: they may change their word with the rounding."""
    grounding = read_grounding(load_model("relations-game"))
    assert list(grounding.tells[:13]) == [meaning.tells for meaning in named[:13]]
    clauses = [clause.head.arguments for clause in grounding.section if clause.head.name == "tells"]
    assert clauses == [(f"r{relation}", what) for relation, what in enumerate(grounding.tells)]


@pytest.mark.margins
def test_relations_game_tells_what_the_attribute_loss_led_it_to(named: list[Meaning], bound: Bound) -> None:
    clear, looks = named[: -SETTINGS.look_relations], named[-SETTINGS.look_relations :]
    shapes = len(clear) - SETTINGS.colour_relations
    assert [meaning.tells for meaning in clear] == ["colour"] * SETTINGS.colour_relations + ["shape"] * shapes
    for meaning in looks:
        assert min(*meaning.attributes.values(), meaning.interaction) > 0.01, "the whole look is all of them"
    for meaning in clear:
        own = meaning.accuracy[meaning.tells]
        (other,) = (value for name, value in meaning.accuracy.items() if name != meaning.tells)
        bound.below("pairs that a relation's own attribute tells wrongly", 1 - own, 0.15)
        bound.below("pairs that the other attribute tells beyond chance", max(other - 0.5, 0), 0.01)
        bound.below("share of the other attribute", 1 - meaning.coordinate[meaning.tells], 0.02)


def test_a_model_that_sees_nothing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    blind = SimpleNamespace(perceive=lambda images: [Scene((), Inspection(0, None, 0), (36, 36))] * len(images))
    monkeypatch.setattr("predinet_prolog.bridge.explaining.perceiver_of", lambda model: blind)
    with pytest.raises(BridgeError, match=r"between-small does not see 925 of the 925 pentos .*train it longer"):
        explain(load_model("between-small"))
