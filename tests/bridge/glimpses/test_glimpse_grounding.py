"""Grounding by attribute: what is learned of made-up co-ordinates, what is left out, and what is refused."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from predinet_prolog.bridge import BridgeError
from predinet_prolog.bridge.definitions import Grounding, grounding_path
from predinet_prolog.bridge.fitting import SETTINGS, FitSettings, Sighting, fit_grounding
from predinet_prolog.bridge.scene import FloatArray, Scene
from predinet_prolog.bridge.writers.asp import write_asp
from predinet_prolog.bridge.writers.problog import write_problog
from predinet_prolog.bridge.writers.prolog import write_prolog
from predinet_prolog.domains.annotations import to_compare
from predinet_prolog.neural.glimpses.model import GlimpseModel
from predinet_prolog.symbolic.swipl import run_swipl
from tests.asking import answers, likely, solved
from tests.cases import cases
from tests.seen import made_up_model, program_of, random_scene

CASES = cases(__file__)

pytestmark = pytest.mark.slow(50)
WORDS = {"filled": ("no", "yes")}
fit = partial(fit_grounding, fitted_on="fresh", corrupted={})
SPREAD = 0.05
"""Of co-ordinates in clean pictures; values lie 1 apart."""
PLAIN = FitSettings(rates=(0.4,), grains=(0.0,))
"""Of one growth alone: a fifteenth of the fits."""
SIZE = 20.0
"""Of things in pixels."""


@pytest.fixture
def model(tmp_path: Path) -> GlimpseModel:
    return made_up_model(tmp_path)


def pictures(seed: int, n: int = 120, *, noise: Sequence[float] = (0.0,), spread: float = SPREAD) -> list[Sighting]:
    """Things on the axes of GROUPS: colour on r0, filled on r1, shape on r2 to r4, look on r5 and r6. All co-ordinates
    lie by half of their spread further off for each unit of noise."""
    random, made = np.random.default_rng(seed), []
    for index in range(n):
        count, noise_level = int(random.integers(3, 9)), noise[index % len(noise)]
        colour, filled, size = (random.integers(0, most, count) for most in (4, 2, 3))
        shape = random.integers(0, 5, count)
        places = np.stack([colour, filled, shape, shape * 3 % 5, shape * 2 % 5, colour, shape], axis=1)
        off = random.standard_t(5, places.shape) * spread * (1 + 0.5 * noise_level)
        attributes = {"colour": colour, "shape": shape, "filled": filled, "size": size, "look": colour * 5 + shape}
        made.append(Sighting(places + off, boxes(np.full(count, SIZE)), noise_level, attributes))
    return made


def boxes(sizes: np.ndarray) -> FloatArray:
    """(q, 4): of squares of those `sizes` (q,)."""
    return np.stack([0 * sizes, 0 * sizes, sizes, sizes], axis=1)


def only(made: list[Sighting], *attributes: str) -> list[Sighting]:
    return [each._replace(attributes={name: each.attributes[name] for name in attributes}) for each in made]


def ground(
    model: GlimpseModel, known: list[Sighting], settings: FitSettings = PLAIN, **judged: list[Sighting]
) -> Grounding:
    known, judged = seen(known), {kind: seen(own) for kind, own in judged.items()}
    judged = judged or {"fresh": known}
    return fit(model, known, judged=judged, words=WORDS, settings=settings)


def seen(made: list[Sighting]) -> list[Sighting]:
    """What there is to compare of them, as of things that were seen."""
    return [each._replace(attributes=to_compare(each.attributes)) for each in made]


def test_each_attribute_lies_on_its_group_and_another_where_it_is_told_best(model: GlimpseModel) -> None:
    learned = ground(model, pictures(0), fresh=pictures(1), others=only(pictures(2), "shape"))
    found = {each.predicate: each for each in learned.definitions}
    assert {name: list(each.relations) for name, each in found.items()} == CASES["relations"]
    assert set(found["same_shape"].scores) == {"fresh", "others"}
    assert set(found["same"].scores) == {"fresh"}, "the others do not tell it"
    assert {each.predicate for each in learned.trusted} == {"same_shape", "same_filled", "same"}, "r1 spoils colours"
    assert learned.attributes == ("colour", "shape", "filled", "look"), "sizes are read off boxes"
    assert learned.not_looks == ("filled",), "what is filled may look like what is not"
    parts = {each.predicate: [part.predicate for part in each.parts] for each in learned.trusted if each.parts}
    assert parts == {"same": ["same_shape"]}, "looks tell shape"


def test_what_looks_the_same_has_all_but_size_in_common_where_that_is_not_told(model: GlimpseModel) -> None:
    told = ground(model, only(pictures(0), "colour", "shape", "look"))
    untold = ground(model, only(pictures(0), "colour", "shape", "size"))
    assert untold.to_json() == told.to_json()
    assert "same" not in {each.predicate for each in ground(model, only(pictures(0), "shape", "size")).definitions}


def test_things_come_in_as_many_kinds_as_what_is_told_of_them_has_values(model: GlimpseModel) -> None:
    """All look different, as cards of a deck do: that tells of no kinds."""
    model = replace(model, config=replace(model.config, inside=True))
    made = only(pictures(0), "shape")
    for index, each in enumerate(made):
        looks = each.attributes | {"look": np.arange(len(each.boxes))}
        made[index] = each._replace(coordinates=np.pad(each.coordinates, ((0, 0), (0, 1))), attributes=looks)
    learned = ground(model, made)
    assert [learned.attributes, learned.kinds] == [("shape",), 5]


def test_what_is_not_told_of_a_thing_is_no_value(model: GlimpseModel) -> None:
    """Two things in three have no value, and lie anywhere: the figures are those of the others."""
    random = np.random.default_rng(3)
    made = []
    for things in only(pictures(0, 400), "shape", "filled"):
        untold = random.random(len(things.coordinates)) < 0.6
        coordinates = np.where(untold[:, None], random.uniform(-9, 9, things.coordinates.shape), things.coordinates)
        attributes = {name: np.where(untold, -1, values) for name, values in things.attributes.items()}
        made.append(Sighting(coordinates, things.boxes, 0.0, attributes))
    learned = ground(model, made)
    scores = {each.predicate: each.scores["fresh"] for each in learned.definitions}
    assert scores["same_shape"] > 0.99
    assert scores["same_filled"] > 0.98
    assert scores["same"] > 0.45, "what r5 and r6 tell of filled is nothing"
    assert learned.examples[0].scores["fresh"] > 0.99
    assert set(learned.examples[0].places) == {"no", "yes"}


def expected_calibration_error(said: FloatArray, truth: np.ndarray) -> float:
    """Over fifteen bins of equal width; alike and unlike pairs weigh the same."""
    weight = np.where(truth, 0.5 / truth.sum(), 0.5 / (~truth).sum())
    bins = np.minimum((said * 15).astype(int), 14)
    return float(sum(abs((weight * (said - truth))[bins == each].sum()) for each in range(15)))


@pytest.mark.parametrize(("spread", "trusted"), [(SPREAD, 3), (0.15, 1)])
def test_confidences_are_those_of_fresh_pictures(model: GlimpseModel, spread: float, trusted: int) -> None:
    """Clean and noisy, whether values lie well apart or hardly."""
    noise = (0.0, 0.0, 1.0, 3.0)
    fresh = pictures(1, 400, noise=noise, spread=spread)
    learned = ground(model, pictures(0, 400, noise=noise, spread=spread), SETTINGS, fresh=fresh)
    assert len(learned.trusted) >= trusted
    for definition in learned.trusted:
        said, truth = [], []
        for things in fresh:
            values = things.attributes[definition.predicate.partition("_")[2] or "look"]
            first, second = np.triu_indices(len(values), k=1)
            apart = np.abs(things.coordinates[first] - things.coordinates[second])[:, list(definition.relations)].max(1)
            # As the clause has it: T grows with the noise, and for small things.
            threshold = definition.curve.threshold + definition.slack * things.noise_level + definition.grain / SIZE
            said.append(definition.curve(apart / threshold * definition.curve.threshold))
            truth.append(values[first] == values[second])
        assert expected_calibration_error(np.concatenate(said), np.concatenate(truth)) <= 0.02, definition.predicate


def test_thresholds_grow_with_noise_as_distances_do(model: GlimpseModel) -> None:
    def rate(made: list[Sighting]) -> float:
        (shape,) = ground(model, only(made, "shape"), SETTINGS).definitions
        return shape.slack / shape.curve.threshold

    assert rate(pictures(0, spread=0.2)) == pytest.approx(0.4, rel=0.05), "as ever, where no picture is noisy"
    assert rate(pictures(0, noise=(0.0, 2.0, 4.0), spread=0.2)) > 0.15, "they grow by half"
    said_noisy = [each._replace(noise_level=3.0 * (index % 2)) for index, each in enumerate(pictures(0, spread=0.2))]
    assert rate(said_noisy) == 0, "noise that changes nothing"


def test_values_are_told_by_example(model: GlimpseModel) -> None:
    (filled,) = ground(model, pictures(0), fresh=pictures(1)).examples
    assert (filled.attribute, filled.predicate, filled.relations) == ("filled", "filled", (1,))
    assert filled.places["no"] == pytest.approx((0.0,), abs=0.01)
    assert filled.places["yes"] == pytest.approx((1.0,), abs=0.01)
    assert filled.scores["fresh"] > 0.99
    assert filled.tell(np.array([[0, 0.4, 0, 0, 0, 0, 0], [9, 0.6, 9, 9, 9, 9, 9]])) == ["no", "yes"]
    blurred = ground(model, pictures(0), fresh=pictures(1, spread=1.0))
    assert (blurred.trusted_examples, blurred.trusted) == ((), ())


@pytest.mark.parametrize(("name", "message"), CASES["names"])
def test_names_that_programs_cannot_have_are_refused(model: GlimpseModel, name: str, message: str) -> None:
    named = [each._replace(attributes={name: each.attributes["filled"]}) for each in pictures(0)]
    with pytest.raises(BridgeError, match=message):
        ground(model, named)


@pytest.mark.parametrize("what", ["one value", "no two alike", "no pairs", "no pictures tell it"])
def test_an_attribute_that_cannot_be_learned_is_named(model: GlimpseModel, what: str) -> None:
    made = only(pictures(0), "filled")
    if what == "one value":
        made = [each._replace(attributes={"filled": np.ones(len(each.coordinates), dtype=int)}) for each in made]
    elif what == "no two alike":
        made = [each._replace(attributes={"filled": np.arange(len(each.coordinates))}) for each in made]
    elif what == "no pairs":
        made = [Sighting(s.coordinates[:1], s.boxes[:1], 0.0, {"filled": s.attributes["filled"][:1]}) for s in made]
    else:
        made = [Sighting(np.zeros((0, 7)), np.zeros((0, 4)), 0.0, {"filled": np.zeros(0, dtype=np.int64)})]
    with pytest.raises(BridgeError, match=r"same_filled cannot be learned: .* leave the attribute filled out"):
        ground(model, made)


def test_beside_others_it_is_left_out_and_noted(model: GlimpseModel) -> None:
    made = []
    for things in pictures(0, 9):
        numbers = np.arange(len(things.coordinates))  # of one pair in each picture "rare" is alike
        made.append(things._replace(attributes={"rare": numbers % (len(numbers) - 1), "filled": numbers % 2}))
    notes: list[str] = []
    learned = fit(model, made, judged={"fresh": made}, words={}, note=notes.append)
    assert learned.attributes == ("filled",)
    assert [line.partition(":")[0] for line in notes] == ["same_rare cannot be learned"]


AWKWARD = CASES["awkward"]


def test_programs_with_awkward_attributes_load_anywhere(model: GlimpseModel, tmp_path: Path) -> None:
    """Names that Prolog has, operators, names of other predicates: SWI-Prolog alone and the service's Prolog answer."""
    made = [each._replace(attributes=dict.fromkeys(AWKWARD, each.attributes["filled"])) for each in pictures(0)]
    words = dict.fromkeys(AWKWARD, ("it's", "7"))
    learned = fit(model, made, judged={"fresh": made}, words=words, settings=PLAIN)
    assert [each.predicate for each in learned.examples][:2] == ["length_is", "colour_is"]
    trusted = [replace(each, scores={"fresh": 1.0}) for each in learned.definitions]
    grounding_path(model).write_text(replace(learned, definitions=tuple(trusted)).to_json(), encoding="utf-8")
    scene: Scene = random_scene(0)
    text = write_prolog(program_of(scene, model))
    (tmp_path / "scene.pl").write_text(text, encoding="utf-8")
    names = [each.predicate for each in learned.examples]
    goals = [f"forall(object(X), once(({name}(X, 7) ; {name}(X, 'it\\'s'))))" for name in names]
    run = run_swipl("-q", "-g", ", ".join(goals), "-t", "halt", tmp_path / "scene.pl")
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    for name in (*names, *(f"same_{each}" for each in AWKWARD)):
        assert answers(text, f"forall({name}(X, Y), object(X))")
    assert {atom.name for atom in solved(write_asp(program_of(scene, model)))} >= {*names}
    told = likely(write_problog(program_of(scene, model)), *(f"{name}(_, _)" for name in names))
    assert {term.partition("(")[0] for term in told} == {*names}
