"""Likelihoods: what confidence/2 says, ways to part objects into kinds, and who is alike among all of a picture."""

from itertools import product
from math import prod
from pathlib import Path

import numpy as np
import pytest

from predinet_prolog.bridge import make_program, perceiver_of, write_prolog
from predinet_prolog.bridge.kinds import means_of
from predinet_prolog.bridge.likelihoods import Likelihoods, components, likelihoods, parted
from predinet_prolog.bridge.program import ImageInfo, Program
from predinet_prolog.bridge.scene import Scene, Thing
from predinet_prolog.domains.domain import Inspection
from predinet_prolog.domains.relations_game import corrupt, generate
from predinet_prolog.neural import load_model
from predinet_prolog.neural.glimpses.model import load_any
from tests.asking import answers
from tests.grounded import grounded_model
from tests.seen import program_of, random_scene

IMAGE = ImageInfo("image", "0" * 64, 36, 36)


def agree(program: Program) -> int:
    """How many probabilities there are; all are those of SWI-Prolog, of every goal that confidence/2 speaks of."""
    rows = answers(write_prolog(program), "confidence(G, P), G =.. [N, X, Y]")
    said, likely = {(name, x, y): share for _, share, name, x, y in rows}, likelihoods(program)
    own = {}
    for predicate in likely.of:
        for first, second, share in likely.pairs(predicate):
            own[predicate, first, second] = own[predicate, second, first] = share
    assert own.keys() == said.keys()
    assert [own[key] for key in said] == pytest.approx(list(said.values()), abs=2e-6)
    return len(own)


def test_boards_have_the_confidences_of_swi_prolog() -> None:
    model = load_model("relations-game")
    boards = corrupt(generate("scatter", 6, seed=12), "noise", 0.1, seed=11)
    asked = [agree(make_program(scene, model=model, image=IMAGE)) for scene in perceiver_of(model).perceive(boards)]
    assert sum(asked) > 50


@pytest.mark.parametrize("things", [0, 1, 7])
def test_pictures_of_any_size_have_them_too(things: int, tmp_path: Path) -> None:
    program = program_of(random_scene(5, things, noise_level=0.3), grounded_model(tmp_path))
    assert agree(program) == 3 * things * (things - 1)


def test_every_way_to_part_few_objects_is_as_likely_as_its_pairs() -> None:
    random = np.random.default_rng(3)
    odds = np.triu(random.uniform(0.2, 0.8, (5, 5)), 1)
    odds += odds.T
    expected = {}
    for names in product(range(5), repeat=5):
        kinds = tuple(tuple(o for o in range(5) if names[o] == name) for name in dict.fromkeys(names))
        share = prod(odds[x, y] if names[x] == names[y] else 1 - odds[x, y] for x in range(5) for y in range(x + 1, 5))
        expected[kinds] = share
    assert len(expected) == 52, "Bell's number of five"
    total = sum(expected.values())
    told = {kinds: share for share, kinds in parted(odds, list(range(5)))}
    assert set(expected) >= told.keys()
    assert sum(told.values()) == pytest.approx(1)
    for kinds, share in told.items():
        assert share == pytest.approx(expected[kinds] / total, rel=0.05), "but for those that are left out"
    assert max(told, key=told.__getitem__) == max(expected, key=expected.__getitem__)


def test_two_links_outweigh_a_weaker_doubt_and_not_a_stronger() -> None:
    for between, kinds in ((0.3, ((0, 1, 2),)), (0.01, ((0, 1), (2,)))):
        odds = np.array([[0, 0.9, between], [0.9, 0, 0.8], [between, 0.8, 0]])
        assert parted(odds, [0, 1, 2])[0][1] == kinds


def test_objects_hang_together_through_others() -> None:
    odds = np.zeros((5, 5))
    for x, y in ((0, 3), (3, 1)):
        odds[x, y] = odds[y, x] = 0.02
    assert components(odds) == [[0, 1, 3], [2], [4]]
    assert components(np.zeros((0, 0))) == []


def test_what_is_in_doubt_is_neither_as_good_as_false_nor_as_good_as_true() -> None:
    odds = np.zeros((4, 4))
    for x, y, share in ((0, 1, 0.005), (0, 2, 0.01), (1, 2, 0.5), (2, 3, 0.995), (1, 3, 0.99)):
        odds[x, y] = odds[y, x] = share
    likely = Likelihoods(tuple("abcd"), {"same": odds})
    assert likely.doubts(3, "slow") == []
    assert likely.doubts(2, "slow") == ["more than 2 pairs are in doubt about same: slow (see docs/other-logics.md)"]


def test_alike_becomes_transitive() -> None:
    """By the threshold of 1 alone the second is alike to both its neighbours, which are not alike."""
    places = np.array([[0.0, 0], [0.8, 0], [1.7, 0], [9, 0]])
    assert means_of(places, 1.0, 4)[:, 0].tolist() == [0.4, 0.4, 1.7, 9]
    assert means_of(places, 1.0, 2)[:, 0].tolist() == pytest.approx([2.5 / 3] * 3 + [9])
    assert places[:, 0].tolist() == [0, 0.8, 1.7, 9]


def test_kinds_are_further_apart_than_the_threshold_on_some_axis() -> None:
    places = np.random.default_rng(0).normal(0, 1, (40, 3))
    means = np.unique(means_of(places, 0.7, 40), axis=0)
    apart = np.abs(means[:, None] - means).max(axis=2)
    assert 1 < len(means) < 40
    assert (apart[np.triu_indices(len(means), 1)] > 0.7).all()


def test_cards_lie_in_the_means_of_their_kinds() -> None:
    """Of three cards the shapes of two are near each other's; what the model was not grounded for stays as it is."""
    model = load_any("cards")
    things = []
    for number, place in enumerate((0.0, 0.2, 0.9)):
        box = np.array([100.0 * number, 0, 100 * number + 60, 90])
        things.append(Thing(f"ob_{number}", box, None, np.full(model.relations, place)))
    scene = Scene(tuple(things), Inspection(0.0, None, 0.0), (400, 200))
    program = make_program(scene, model=model, image=ImageInfo("a.png", "", 400, 200))
    relations, names, places = program.facts["coordinate"]
    at = {(relation, name): place for relation, name, place in zip(relations, names, places, strict=True)}
    shape = list(model.axes).index("shape")
    first = sum(list(model.axes.values())[:shape])
    assert [at[f"r{first}", f"ob_{number}"] for number in range(3)] == [0.1, 0.1, 0.9]
    look = sum(list(model.axes.values())[: list(model.axes).index("look")])
    assert [at[f"r{look}", f"ob_{number}"] for number in range(3)] == [0.0, 0.2, 0.9]
