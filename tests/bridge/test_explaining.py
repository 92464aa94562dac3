"""Explaining: the variance taken apart on co-ordinates made by hand, and what the shipped models' relations tell."""

from itertools import product

import numpy as np
import pytest
import torch

from predinet_prolog.bridge import BridgeError
from predinet_prolog.bridge.definitions import read_grounding
from predinet_prolog.bridge.explaining import (
    Meaning,
    analysis_of_variance,
    best_accuracy,
    explain,
    meanings,
    objects_to_see,
    place_variance,
)
from predinet_prolog.bridge.grounding import Seen, seen_objects
from predinet_prolog.domains.domain import Pixels, Truth
from predinet_prolog.domains.relations_game import Scenes
from predinet_prolog.domains.relations_game.attribute_windows import SETTINGS
from predinet_prolog.neural import load_model
from predinet_prolog.neural.checkpoint import Model
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


def shares(meaning: Meaning) -> tuple[float, float, float, float]:
    return meaning.attributes["colour"], meaning.attributes["shape"], meaning.interaction, meaning.position


@pytest.mark.parametrize(
    ("coordinate", "expected", "tells"),
    [(COLOUR, (1, 0, 0, 0), "colour"), (SHAPE, (0, 1, 0, 0), "shape"), (BOTH, (0, 0, 1, 0), "mixed")],
)
def test_a_pure_part_has_the_whole_share(coordinate: np.ndarray, expected: tuple[int, ...], tells: str) -> None:
    meaning = told(coordinate + 3.3)
    assert shares(meaning) == pytest.approx(expected, abs=1e-12)
    assert meaning.tells == tells
    assert [meaning.coordinate[name] for name in PARTS] == pytest.approx(expected[:3], abs=1e-12)
    assert meaning.spread == pytest.approx(np.sqrt(2 * coordinate.var()))


def test_parts_that_are_added_are_found_again() -> None:
    coordinate = 2 * COLOUR - 3 * SHAPE + 0.01 * BOTH
    variances = np.array([4 * COLOUR.var(), 9 * SHAPE.var(), 1e-4 * BOTH.var()])
    attributes = [ATTRIBUTES["colour"], ATTRIBUTES["shape"]]
    parts = np.array(analysis_of_variance(coordinate.reshape(-1, 1), attributes))[:, 0]
    assert parts == pytest.approx(variances)
    assert parts.sum() == pytest.approx(coordinate.var())
    by_place = 2 * variances.sum()
    meaning = told(coordinate, by_place)
    assert meaning.position == pytest.approx(0.5), "as much place as appearance, which counts for both objects"
    assert [meaning.coordinate[name] for name in PARTS] == pytest.approx(variances / variances.sum())


def test_noise_is_interaction_and_tells_nothing() -> None:
    meaning = told(np.random.default_rng(7).normal(size=(SHAPES, COLOURS)))
    degrees = np.array([COLOURS - 1, SHAPES - 1, (COLOURS - 1) * (SHAPES - 1), 0]) / (SHAPES * COLOURS - 1)
    assert shares(meaning) == pytest.approx(degrees, abs=0.02)
    assert meaning.tells == "mixed"
    assert meaning.accuracy["colour"] == pytest.approx(0.5, abs=0.02)
    assert meaning.accuracy["shape"] == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize(("by_place", "expected", "tells"), [(0.0, 0, "nothing"), (0.3, 1, "position")])
def test_equal_coordinates_have_no_share(by_place: float, expected: int, tells: str) -> None:
    """0.1 has no exact mean: rounding must not pass for variance."""
    meaning = told(np.full((SHAPES, COLOURS), 0.1), by_place)
    assert shares(meaning) == (0, 0, 0, expected)
    assert set(meaning.coordinate.values()) == {0}
    assert meaning.tells == tells
    assert set(meaning.accuracy.values()) == {0.5}


def test_colour_as_main_part_has_its_name_from_nine_tenths_on() -> None:
    unit = COLOUR / COLOUR.std(), SHAPE / SHAPE.std()
    assert told(np.sqrt(0.91) * unit[0] + np.sqrt(0.09) * unit[1]).tells == "colour"
    assert told(np.sqrt(0.89) * unit[0] + np.sqrt(0.11) * unit[1]).tells == "mixed"


def test_accuracy_is_of_pairs_of_different_objects() -> None:
    """Where every colour has a point of its own, same_colour is sure, and same_shape is never close by."""
    meaning = told(COLOUR)
    assert meaning.accuracy["colour"] == 1
    assert meaning.accuracy["shape"] == 0.5
    # Two colours at one point: of 300 pairs of colours, 1 is taken for the same.
    merged = np.where(np.isclose(COLOUR, COLOUR[0, 3]), COLOUR[0, 4], COLOUR)
    assert told(merged).accuracy["colour"] == pytest.approx(1 - 1 / 300 / 2)


def test_best_accuracy_by_trying_every_threshold() -> None:
    random = np.random.default_rng(9)
    alike = random.random(211) < 0.3
    distances = np.where(alike, random.integers(0, 7, 211), random.integers(3, 13, 211)) / 10  # many are equal
    tried = [
        ((distances[alike] <= threshold).mean() + (distances[~alike] > threshold).mean()) / 2
        for threshold in (-1, *distances)
    ]
    assert best_accuracy(distances, alike) == pytest.approx(max(tried))
    assert best_accuracy(np.ones(211), alike) == 0.5


def test_a_domain_may_have_one_attribute_or_three() -> None:
    values = RANDOM.normal(size=(4, 3, 2))
    grid = np.indices(values.shape).reshape(3, -1)
    three = meanings(values.reshape(-1, 1), dict(zip("abc", grid, strict=True)), np.zeros(1))[0]
    assert [*three.attributes] == [*three.accuracy] == ["a", "b", "c"]
    assert sum(three.coordinate.values()) == pytest.approx(1)
    one = meanings(np.arange(7.0)[:, None], {"colour": np.arange(7)}, np.zeros(1))[0]
    assert one.attributes == pytest.approx({"colour": 1.0})
    assert (one.interaction, one.tells) == (pytest.approx(0), "colour")
    assert one.accuracy == {"colour": 0.5}, "no two things have it in common"


def test_place_variance_of_two_cells() -> None:
    """Differences are ±(0.5, 0.2): what a slope of (2, 5) makes of them is ±2, of (2, −5) it is 0."""
    places = np.array([[0.1, 0.1], [0.6, 0.3]])
    assert place_variance(np.array([[2.0, 5.0], [2.0, -5.0]]), places) == pytest.approx([4.0, 0.0])
    assert place_variance(np.ones((2, 2)), places[:1]).tolist() == [0, 0]


@pytest.fixture(scope="module")
def mixed() -> tuple[list[Meaning], list[int]]:
    """What is said of a model, and the progress that was told."""
    progress: list[int] = []
    return explain(load_model("between-small"), progress.append), progress


@pytest.mark.margins
def test_the_spread_is_that_of_the_networks_own_values(
    mixed: tuple[list[Meaning], list[int]], bound: Bound, seed: int
) -> None:
    """Two pentominoes drawn at random in two cells drawn at random, through the network itself."""
    model, random, n = load_model("between-small"), np.random.default_rng(10 + seed), 6000
    cells = np.array([random.permutation(9)[:2] for _ in range(n)])
    shapes, colours = (np.full((n, 9), -1) for _ in range(2))
    np.put_along_axis(shapes, cells, random.integers(SHAPES, size=(n, 2)), 1)
    np.put_along_axis(colours, cells, random.integers(COLOURS, size=(n, 2)), 1)
    images = Scenes("pentos", "scatter", shapes, colours, np.zeros(n, int), np.zeros(n, int)).render()
    with torch.no_grad():
        axes = (model.network.encoder(torch.tensor(images)) @ model.network.predinet.W_S).numpy()
    windows = np.array([2 * row * 5 + 2 * column for row, column in product(range(3), repeat=2)])[cells]
    first, second = (np.take_along_axis(axes, windows[:, [end], None], 1)[:, 0] for end in (0, 1))
    spreads = [meaning.spread for meaning in mixed[0]]
    bound.close("spread", (first - second).std(0), spreads, rtol=0.05, atol=0)


@pytest.fixture(scope="module")
def named() -> list[Meaning]:
    return explain(load_model("relations-game"))


def test_programs_say_what_was_measured(named: list[Meaning]) -> None:
    """All but the last three, which mean the whole look: they may change their word with the rounding."""
    grounding = read_grounding(load_model("relations-game"))
    assert grounding is not None
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


def test_between_mixes_colour_and_shape(mixed: tuple[list[Meaning], list[int]]) -> None:
    """Its task never needed one without the other."""
    all_told, progress = mixed
    assert [meaning.relation for meaning in all_told] == list(range(8))
    for meaning in all_told:
        assert [sum(shares(meaning)), sum(meaning.coordinate.values())] == pytest.approx([1, 1])
    assert {meaning.tells for meaning in all_told} == {"mixed"}
    assert sum(progress) == objects_to_see(load_model("between-small")) == SHAPES * COLOURS


def test_a_model_that_sees_nothing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def blind(model: Model, images: Pixels, truth: Truth) -> list[Seen]:
        return [
            Seen(np.empty(0, int), np.empty((0, model.config.relations)), 0.0, np.empty((0, 3), int)) for _ in images
        ]

    monkeypatch.setattr("predinet_prolog.bridge.explaining.seen_objects", blind)
    with pytest.raises(BridgeError, match=r"between-small does not see 925 of the 925 pentos .*train it longer"):
        explain(load_model("between-small"))


def test_what_is_missed_at_the_first_place_is_found_elsewhere(
    mixed: tuple[list[Meaning], list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    model = load_model("between-small")
    first = _boxes(model, 0)

    def squinting(model: Model, images: Pixels, truth: Truth) -> list[Seen]:
        """Overlooks every other object at the first place."""
        overlooked = [index % 2 == 0 and bool((first == box).all(1).any()) for index, box in enumerate(truth.boxes)]
        return [
            Seen(seen.things[int(skip) :], seen.coordinates[int(skip) :], seen.noise_level, seen.colours[int(skip) :])
            for seen, skip in zip(seen_objects(model, images, truth), overlooked, strict=True)
        ]

    monkeypatch.setattr("predinet_prolog.bridge.explaining.seen_objects", squinting)
    assert explain(model) == mixed[0]


def _boxes(model: Model, place: int) -> np.ndarray:
    truth = model.domain.gallery(place).truth
    assert truth is not None
    return truth.boxes
