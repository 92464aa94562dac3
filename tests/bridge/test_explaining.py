"""Explaining: the variance taken apart on co-ordinates made by hand, and what the shipped models' relations tell."""

from itertools import product

import numpy as np
import pytest
import torch

from bridge import BridgeError
from bridge.explaining import (
    Meaning,
    analysis_of_variance,
    best_accuracy,
    explain,
    meanings,
    objects_to_see,
    place_variance,
    write_meanings,
)
from bridge.grounding import Seen, read_grounding, seen_objects
from domains.relations_game import Scenes
from domains.relations_game.attribute_windows import SETTINGS
from neural import load_model
from neural.checkpoint import Model
from tests.margins import Bound

pytestmark = pytest.mark.slow(6)

SHAPES, COLOURS = 37, 25
RANDOM = np.random.default_rng(5)
COLOUR = np.broadcast_to(RANDOM.permutation(COLOURS) / 7, (SHAPES, COLOURS))
SHAPE = np.broadcast_to(RANDOM.permutation(SHAPES)[:, None] / 11, (SHAPES, COLOURS))
BOTH = np.outer(np.arange(SHAPES) - (SHAPES - 1) / 2, np.arange(COLOURS) - (COLOURS - 1) / 2)  # its means are all 0


def told(coordinate: np.ndarray, by_place: float = 0.0) -> Meaning:
    """What one relation tells whose co-ordinates are (s, c)."""
    (meaning,) = meanings(coordinate[..., None], np.array([by_place]))
    return meaning


def shares(meaning: Meaning) -> tuple[float, float, float, float]:
    return meaning.colour, meaning.shape, meaning.interaction, meaning.position


@pytest.mark.parametrize(
    ("coordinate", "expected", "tells"),
    [(COLOUR, (1, 0, 0, 0), "colour"), (SHAPE, (0, 1, 0, 0), "shape"), (BOTH, (0, 0, 1, 0), "mixed")],
)
def test_a_pure_part_has_the_whole_share(coordinate: np.ndarray, expected: tuple[int, ...], tells: str) -> None:
    meaning = told(coordinate + 3.3)
    assert shares(meaning) == pytest.approx(expected, abs=1e-12)
    assert meaning.tells == tells
    assert list(meaning.coordinate.values()) == pytest.approx(expected[:3], abs=1e-12)
    assert meaning.spread == pytest.approx(np.sqrt(2 * coordinate.var()))


def test_parts_that_are_added_are_found_again() -> None:
    coordinate = 2 * COLOUR - 3 * SHAPE + 0.01 * BOTH
    variances = np.array([4 * COLOUR.var(), 9 * SHAPE.var(), 1e-4 * BOTH.var()])
    parts = np.array(analysis_of_variance(coordinate[..., None]))[:, 0]
    assert parts == pytest.approx(variances)
    assert parts.sum() == pytest.approx(coordinate.var())
    by_place = 2 * variances.sum()
    meaning = told(coordinate, by_place)
    assert meaning.position == pytest.approx(0.5), "as much place as appearance, which counts for both objects"
    assert list(meaning.coordinate.values()) == pytest.approx(variances / variances.sum())


def test_noise_is_interaction_and_tells_nothing() -> None:
    meaning = told(np.random.default_rng(7).normal(size=(SHAPES, COLOURS)))
    degrees = np.array([COLOURS - 1, SHAPES - 1, (COLOURS - 1) * (SHAPES - 1), 0]) / (SHAPES * COLOURS - 1)
    assert shares(meaning) == pytest.approx(degrees, abs=0.02)
    assert meaning.tells == "mixed"
    assert meaning.same_colour == pytest.approx(0.5, abs=0.02)
    assert meaning.same_shape == pytest.approx(0.5, abs=0.02)


def test_each_relation_is_taken_by_itself_and_shares_sum_to_one() -> None:
    stack = np.stack([COLOUR, SHAPE, BOTH, COLOUR + SHAPE, np.random.default_rng(8).normal(size=BOTH.shape)], axis=-1)
    by_place = np.array([0.0, 0.5, 1.0, 2.0, 3.0])
    all_told = meanings(stack, by_place)
    assert [meaning.relation for meaning in all_told] == [0, 1, 2, 3, 4]
    for index, meaning in enumerate(all_told):
        assert sum(shares(meaning)) == pytest.approx(1)
        assert sum(meaning.coordinate.values()) == pytest.approx(1)
        assert shares(meaning) == pytest.approx(shares(told(stack[..., index], by_place[index])))


@pytest.mark.parametrize(("by_place", "expected", "tells"), [(0.0, 0, "nothing"), (0.3, 1, "position")])
def test_equal_coordinates_have_no_share(by_place: float, expected: int, tells: str) -> None:
    """0.1 has no exact mean: rounding must not pass for variance."""
    meaning = told(np.full((SHAPES, COLOURS), 0.1), by_place)
    assert shares(meaning) == (0, 0, 0, expected)
    assert set(meaning.coordinate.values()) == {0}
    assert meaning.tells == tells
    assert (meaning.same_colour, meaning.same_shape) == (0.5, 0.5)


def test_colour_as_main_part_has_its_name_from_nine_tenths_on() -> None:
    unit = COLOUR / COLOUR.std(), SHAPE / SHAPE.std()
    assert told(np.sqrt(0.91) * unit[0] + np.sqrt(0.09) * unit[1]).tells == "colour"
    assert told(np.sqrt(0.89) * unit[0] + np.sqrt(0.11) * unit[1]).tells == "mixed"


def test_accuracy_is_of_pairs_of_different_objects() -> None:
    """Where every colour has a point of its own, same_colour is sure, and same_shape is never close by."""
    meaning = told(COLOUR)
    assert meaning.same_colour == 1
    assert meaning.same_shape == 0.5
    # Two colours at one point: of 300 pairs of colours, 1 is taken for the same.
    merged = np.where(np.isclose(COLOUR, COLOUR[0, 3]), COLOUR[0, 4], COLOUR)
    assert told(merged).same_colour == pytest.approx(1 - 1 / 300 / 2)


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


def test_place_variance_of_two_cells() -> None:
    """Differences are ±(0.5, 0.2): what a slope of (2, 5) makes of them is ±2, of (2, −5) it is 0."""
    places = np.array([[0.1, 0.1], [0.6, 0.3]])
    assert place_variance(np.array([[2.0, 5.0], [2.0, -5.0]]), places) == pytest.approx([4.0, 0.0])


@pytest.mark.margins
def test_the_spread_is_that_of_the_networks_own_values(bound: Bound, seed: int) -> None:
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
    spreads = [meaning.spread for meaning in explain(model)]
    bound.close("spread", (first - second).std(0), spreads, rtol=0.05, atol=0)


@pytest.fixture(scope="module")
def named() -> list[Meaning]:
    return explain(load_model("relations-game"))


def test_programs_say_what_was_measured(named: list[Meaning]) -> None:
    grounding = read_grounding(load_model("relations-game"))
    assert grounding is not None
    lines = grounding.splitlines()
    assert lines[-16:-3] == [f"tells(r{i}, {'colour' if i < 4 else 'shape'})." for i in range(13)]
    assert lines[-19:-3] == write_meanings(named).splitlines()[:-3]


@pytest.mark.margins
def test_relations_game_tells_what_the_attribute_loss_led_it_to(named: list[Meaning], bound: Bound) -> None:
    clear, looks = named[: -SETTINGS.look_relations], named[-SETTINGS.look_relations :]
    shapes = len(clear) - SETTINGS.colour_relations
    assert [meaning.tells for meaning in clear] == ["colour"] * SETTINGS.colour_relations + ["shape"] * shapes
    for meaning in looks:
        assert min(meaning.colour, meaning.shape, meaning.interaction) > 0.01, "the whole look is all of them"
    for meaning in clear:
        own, other = (
            (meaning.same_colour, meaning.same_shape)
            if meaning.tells == "colour"
            else (meaning.same_shape, meaning.same_colour)
        )
        bound.below("pairs that a relation's own attribute tells wrongly", 1 - own, 0.15)
        bound.below("pairs that the other attribute tells beyond chance", max(other - 0.5, 0), 0.01)
        bound.below("share of the other attribute", 1 - meaning.coordinate[meaning.tells], 0.02)


def test_between_mixes_colour_and_shape() -> None:
    """Its task never needed one without the other."""
    progress: list[int] = []
    all_told = explain(load_model("between-small"), progress.append)
    assert [meaning.relation for meaning in all_told] == list(range(8))
    assert {meaning.tells for meaning in all_told} == {"mixed"}
    assert sum(progress) == objects_to_see() == SHAPES * COLOURS


def test_a_model_that_sees_nothing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def blind(model: Model, scenes: Scenes) -> list[Seen]:
        return [Seen(np.empty(0, int), np.empty((0, model.config.relations)), 0.0) for _ in range(len(scenes))]

    monkeypatch.setattr("bridge.explaining.seen_objects", blind)
    with pytest.raises(BridgeError, match=r"between-small does not see 925 of the 925 pentominoes .*train it longer"):
        explain(load_model("between-small"))


def test_what_is_missed_in_the_middle_is_found_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    def squinting(model: Model, scenes: Scenes) -> list[Seen]:
        """Overlooks every other object in the middle cell."""
        return [
            Seen(seen.cells[skip:], seen.coordinates[skip:], seen.noise_level)
            for index, seen in enumerate(seen_objects(model, scenes))
            for skip in [int(seen.cells.tolist() == [4] and index % 2)]
        ]

    model = load_model("between-small")
    whole = explain(model)
    monkeypatch.setattr("bridge.explaining.seen_objects", squinting)
    assert explain(model) == whole
