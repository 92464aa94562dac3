"""Things that come in kinds: who is alike is decided among all of a picture."""

import numpy as np

from predinet_prolog.bridge.kinds import means_of
from predinet_prolog.bridge.program import ImageInfo, make_program
from predinet_prolog.bridge.scene import Scene, Thing
from predinet_prolog.domains.domain import Inspection
from predinet_prolog.neural.glimpses.model import load_any


def test_alike_becomes_transitive() -> None:
    """By the threshold of 1 alone the second is alike to both its neighbours, which are not alike."""
    places = np.array([[0.0, 0], [0.8, 0], [1.7, 0], [9, 0]])
    means = means_of(places, 1.0)
    assert means[:, 0].tolist() == [0.4, 0.4, 1.7, 9]
    assert places[:, 0].tolist() == [0, 0.8, 1.7, 9]


def test_kinds_are_further_apart_than_the_threshold_on_some_axis() -> None:
    places = np.random.default_rng(0).normal(0, 1, (40, 3))
    means = np.unique(means_of(places, 0.7), axis=0)
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
