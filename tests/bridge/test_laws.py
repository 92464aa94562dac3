"""Laws between predicates, of every model that is shipped: of made-up facts by the clauses of its programs, and of a
few pictures that it sees."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from predinet_prolog import neural
from predinet_prolog.bridge import ImageInfo, Scene, Thing, make_program, perceiver_of
from predinet_prolog.bridge.definitions import SAME, read_grounding
from predinet_prolog.bridge.finding.poses import Pose, pose_of
from predinet_prolog.bridge.likelihoods import likelihoods
from predinet_prolog.bridge.matching import match
from predinet_prolog.bridge.program import Facts, Program, Provenance, facts_of, rules_of
from predinet_prolog.bridge.relations import related_in, relations
from predinet_prolog.bridge.scene import FloatArray
from predinet_prolog.bridge.vocabulary import base_facts_of
from predinet_prolog.domains.domain import Inspection, Pixels
from predinet_prolog.neural.glimpses.model import load_any
from predinet_prolog.neural.model import Model

MODELS = Path(neural.__file__).parent / "models"
GROUNDED = sorted(path.name.removesuffix(".grounded.json") for path in MODELS.glob("*.grounded.json"))
IMAGE = ImageInfo("a.png", "ab" * 32, 100, 100)
CLEAN = Inspection(0.0, None, 0.0)
Held = Mapping[str, set[tuple[str, ...]]]
"""By relation, what it holds of."""
Rows = Sequence[Mapping[str, str | float]]
of_every_model = pytest.mark.parametrize("name", GROUNDED)


def made_up(model: Model, boxes: FloatArray, coordinates: FloatArray, scale: float = 1.0) -> Program:
    """The program of things with these boxes (n, 4) and co-ordinates (n, j) a `scale` times as large as looked at."""
    names = [f"ob_{number}" for number in range(len(boxes))]
    facts: dict[str, list[list[str] | FloatArray]]
    if model.kind == "glimpses":
        rows = zip(names, boxes, coordinates, strict=True)
        scene = Scene(tuple(Thing(name, box, (200, 40, 40), place) for name, box, place in rows), CLEAN, (100, 100))
        facts = dict(facts_of(scene, IMAGE, np.diag([scale, scale, 1.0])))
    else:
        axes = [f"r{axis}" for axis in range(coordinates.shape[1])]
        left, top, right, bottom = boxes.T * scale
        facts = {
            "object": [names],
            "position": [names, (left + right) / 2, (top + bottom) / 2],
            "coordinate": [[axis for axis in axes for _ in names], names * len(axes), coordinates.T.ravel()],
            "noise_level": [np.zeros(1)],
            "tolerance": [np.array([3.0 * scale])],
        }
    base = base_facts_of(rules_of(model).dialect)
    empty: dict[str, list[list[str]]] = {predicate: [[] for _ in row.arguments] for predicate, row in base.items()}
    whole: Facts = {**empty, **facts}
    provenance = Provenance(model.name, model.sha256, IMAGE, None)
    return Program(provenance, whole, rules_of(model))


def near_thresholds(model: Model, things: int, random: np.random.Generator) -> FloatArray:
    """(things, j): some alike and some not, apart by about what each definition allows."""
    grounding = read_grounding(model)
    spread = np.ones(model.relations)
    for definition in grounding.trusted:
        spread[list(definition.relations)] = definition.curve.threshold * random.choice([0.3, 0.9, 1.2, 2.0])
    kinds = random.normal(size=(2, len(spread)))[random.integers(0, 2, things)]
    return np.asarray(kinds + spread * random.uniform(-0.5, 0.5, kinds.shape))


def held(rows: Rows) -> Held:
    told: dict[str, set[tuple[str, ...]]] = {}
    for row in rows:
        arguments = tuple(str(own) for column, own in row.items() if column not in ("predicate", "confidence"))
        told.setdefault(str(row["predicate"]), set()).add(arguments)
    return told


def check_laws(rows: Rows, program: Program, model: Model) -> Held:
    told = held(rows)
    likely = likelihoods(program)
    for relation in relations(rules_of(model)):
        if "value" in relation.columns:
            continue
        tuples = told.get(relation.name, set())
        assert all(len(set(row)) == len(row) for row in tuples), f"{relation.name} of a thing and itself"
        places = [relation.columns.index(column) for column in relation.symmetric]
        for order in permutations(places):
            moved = [dict(zip(places, order, strict=True)).get(place, place) for place in range(len(relation.columns))]
            swapped = {tuple(row[place] for place in moved) for row in tuples}
            assert swapped == tuples, f"{relation.name} is symmetric"
    for name in ("inside", "left_of", "above", "larger"):
        assert not {(y, x) for x, y in told.get(name, ())} & told.get(name, set()), f"{name} is asymmetric"
    for name in ("inside", "left_of", "above"):
        pairs = told.get(name, set())
        assert {(x, z) for x, y in pairs for y1, z in pairs if y == y1} <= pairs, f"{name} is transitive"
    assert told.get("same_shape_and_size", set()) <= told.get("same_shape", set()) & told.get("same_size", set())
    if SAME in likely.of:
        for part in likely.of.keys() - {SAME}:  # of shipped models, all that has a name
            assert told.get(SAME, set()) <= told.get(part, set()), f"same implies {part}"
            assert (likely.of[SAME] <= likely.of[part]).all(), f"same is no likelier than {part}"
    for predicate, odds in likely.of.items():
        pairs = told.get(predicate, set())
        names = likely.objects
        assert {(names[x], names[y]) for x, y in np.argwhere(odds >= 0.5)} == pairs
    for row in rows:
        if "confidence" in row:
            x, y = (likely.objects.index(str(row[column])) for column in "xy")
            assert row["confidence"] == pytest.approx(likely.of[str(row["predicate"])][x, y], abs=1e-4)
    return told


# What a picture's turn or mirror image does to boxes in a square of 100, and to the relations of what lies in it.
CHANGES: Mapping[str, tuple[Callable[[FloatArray], FloatArray], Mapping[str, tuple[str, int]]]] = {
    "mirrored": (lambda b: np.stack([100 - b[:, 2], b[:, 1], 100 - b[:, 0], b[:, 3]], 1), {"left_of": ("left_of", -1)}),
    "turned": (
        lambda b: np.stack([b[:, 1], 100 - b[:, 2], b[:, 3], 100 - b[:, 0]], 1),
        {
            "left_of": ("above", -1),
            "above": ("left_of", 1),
            "same_row": ("same_column", 1),
            "same_column": ("same_row", 1),
        },
    ),
}


def changed(told: Held, names: Mapping[str, tuple[str, int]]) -> Held:
    moved = {}
    for name, rows in told.items():
        other, step = names.get(name, (name, 1))
        moved[other] = {row[::step] for row in rows}
    return moved


@of_every_model
def test_laws_hold_of_any_facts(name: str) -> None:
    model, some = load_any(name), 0

    @settings(max_examples=12)
    @given(st.integers(0, 2**32 - 1), st.integers(2, 7))
    def laws(seed: int, things: int) -> None:
        nonlocal some
        random = np.random.default_rng(seed)
        corners = random.integers(0, 12, (things, 2)) * 5.0
        boxes = np.hstack([corners, corners + random.integers(2, 40, (things, 2))])
        coordinates = near_thresholds(model, things, random)
        program, doubled = (made_up(model, boxes, coordinates, scale) for scale in (1.0, 2.0))
        moved = [made_up(model, move(boxes), coordinates) for move, _ in CHANGES.values()]
        rows, larger, *others = related_in([program, doubled, *moved])
        told = check_laws(rows, program, model)
        some += len(told.get("same", told.get("same_shape", ())))
        assert held(larger) == told, "doubled"
        for (change, (_, names)), other in zip(CHANGES.items(), others, strict=True):
            assert held(other) == changed(told, names), change

    laws()
    assert some > 0


@of_every_model
def test_laws_hold_of_what_is_seen(name: str) -> None:
    model = load_any(name)
    pictures: Sequence[Pixels]
    if model.domain.picture.free:
        task = "plain" if name == "scenes" else next(iter(model.domain.tasks))
        pictures = model.domain.generate_annotated(3, seed=8, kind=model.domain.kinds[-1], task=task).pictures
    else:
        pictures = list(model.domain.generate(model.domain.free_task, 4, kind=model.domain.kinds[0], seed=8).images)
    programs = [make_program(scene, model=model, image=IMAGE) for scene in perceiver_of(model).perceive(pictures)]
    told = [check_laws(*pair, model) for pair in zip(related_in(programs), programs, strict=True)]
    assert any(told)


# --- Ties ---


def grid(columns: int, rows: int, size: float, step: float) -> FloatArray:
    """(n, 4): row by row, boxes of things of one size at equal steps."""
    places = np.array([(x, y) for y in range(rows) for x in range(columns)]) * step + step
    return np.hstack([places - size / 2, places + size / 2])


def neighbours(boxes: FloatArray, step: float) -> set[tuple[str, str]]:
    """Which of them lie a step apart, but for a quarter of it."""
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2
    apart = np.hypot(*(middles[:, None] - middles).transpose(2, 0, 1))
    return {(f"ob_{x}", f"ob_{y}") for x, y in np.argwhere((apart > 0) & (apart < 1.25 * step))}


@pytest.mark.parametrize(("columns", "rows", "ties"), [(4, 1, 6), (1, 4, 6), (4, 4, 48)])
@pytest.mark.parametrize(
    ("size", "noise", "scale"), [(5.0, 0.5, 1.0), (8.0, 0.5, 2.5), (9.0, 1.0, 1.0), (20.0, 1.0, 1.0)]
)
def test_a_pixel_decides_nothing(columns: int, rows: int, ties: int, size: float, noise: float, scale: float) -> None:
    boxes, random = grid(columns, rows, size, 2 * size), np.random.default_rng(columns)
    model = load_any("scenes")
    noisy = [boxes + noise * random.integers(-1, 2, boxes.shape) for _ in range(4)]
    clear = np.append(boxes[:2], boxes[:1] + (4 * size + 10) * np.array([1, 0, 1, 0]), axis=0)
    programs = [made_up(model, own, np.zeros((len(own), model.relations)), scale) for own in (*noisy, clear)]
    *seen, cleared = map(held, related_in(programs))
    for told in seen:
        assert (told["closest"], len(told["closest"])) == (neighbours(boxes, 2 * size), ties)
        if rows == 1:
            assert told["furthest"] == {("ob_0", "ob_3"), ("ob_3", "ob_0"), ("ob_1", "ob_3"), ("ob_2", "ob_0")}
            assert len(told["same_row"]) == 12
    if columns > 1:
        assert ("ob_1", "ob_2") not in cleared["closest"], "what is clearly further is no tie"


def of_fixed_numbers(pixels: Pixels, moved: FloatArray) -> tuple[Scene, Held]:
    """What is seen and told of things in boxes `moved` (n, 4), by their numbers there."""
    model = load_any("scenes")
    (scene,) = perceiver_of(model).perceive([np.ascontiguousarray(pixels)])
    pairs = match(scene.boxes, moved)
    assert len(pairs) == len(moved)
    place = {thing: own for own, thing in pairs}
    scene = replace(scene, things=tuple(scene.things[place[number]] for number in range(len(moved))))
    names = {thing.name: f"{number}" for number, thing in enumerate(scene.things)}
    rows = held(related_in([make_program(scene, model=model, image=IMAGE, to_image=np.eye(3))])[0])
    rows = {name: {tuple(names.get(part, part) for part in row) for row in own} for name, own in rows.items()}
    return scene, {name: {row for row in own if "pa_" not in "".join(row)} for name, own in rows.items()}


@pytest.fixture(scope="module")
def scene_of_two_colours() -> tuple[Pixels, FloatArray]:
    """A picture of which nine relations were others when it was doubled, and three when it was mirrored or turned."""
    pictures = load_any("scenes").domain.generate_annotated(15, seed=(41, 6), kind="validation", task="two_colours")
    (scene,) = perceiver_of(load_any("scenes")).perceive(pictures.pictures[14:15])
    return pictures.pictures[14], scene.boxes


@pytest.mark.parametrize("times", [2, 4])
def test_a_picture_that_is_enlarged_says_the_same(scene_of_two_colours: tuple[Pixels, FloatArray], times: int) -> None:
    picture, boxes = scene_of_two_colours
    plain, plainly_told = of_fixed_numbers(picture, boxes)
    large, told = of_fixed_numbers(picture.repeat(times, 0).repeat(times, 1), times * boxes)
    assert told == plainly_told
    for limit in ("pixel", "tolerance"):
        one, other = (facts_of(scene, IMAGE, np.eye(3))[limit][0][0] for scene in (plain, large))
        assert other == times * one, limit


def test_a_thing_has_its_shape_whatever_lies_around_it() -> None:
    """Words that were shown in one picture hold in another, which may be laid another way."""
    boxes = np.array([[50, 50, 70, 66], [10, 10, 30, 30], [80, 80, 95, 95], [10, 80, 40, 95]], dtype=np.float64)
    disc = Image.new("RGB", (100, 100), "#f0f0e8")
    ImageDraw.Draw(disc).ellipse((50, 50, 69, 65), "#b02020")
    pictures = [np.array(disc) for _ in range(3)]
    for picture in pictures:
        picture[50:58, 50:60] = picture[2, 2]  # what is left is an L
    for picture, (left, top, right, bottom) in zip(pictures, boxes[1:].astype(int).tolist(), strict=True):
        picture[top:bottom, left:right] = 20
    assert len({pose_of(picture) for picture in pictures}) == 3
    axes = list(load_any("scenes").config.of_group("shape"))
    scenes = perceiver_of(load_any("scenes")).perceive(pictures)
    shapes = [thing.coordinates[axes] for scene in scenes for thing in scene.things if abs(thing.x - 60) < 3]
    assert len(shapes) == 3
    assert np.ptp(shapes, axis=0).max() < 0.1


@pytest.mark.parametrize("pose", [Pose(True, False, False), Pose(False, True, True), Pose(True, True, False)])
def test_however_it_lies_a_picture_shows_the_same(scene_of_two_colours: tuple[Pixels, FloatArray], pose: Pose) -> None:
    picture, boxes = scene_of_two_colours
    upright, told = of_fixed_numbers(picture, boxes)
    size, axes = picture.shape[:2], load_any("scenes").config.of_group("colour")
    lying, others = of_fixed_numbers(pose.laid(picture), pose.laid_boxes(boxes, *size))
    assert np.array_equal(lying.boxes, pose.laid_boxes(boxes, *size))
    assert lying.noise_level == upright.noise_level
    for thing, other in zip(upright.things, lying.things, strict=True):
        assert other.colour == thing.colour
        assert np.array_equal(other.coordinates[list(axes)], thing.coordinates[list(axes)]), "those of colour"
        parts, restored = (np.array([part.box for part in own.parts]).reshape(-1, 4) for own in (thing, other))
        assert sorted(pose.laid_boxes(parts, *size).tolist()) == sorted(restored.tolist())
    assert {others[name] == told[name] for name in ("same_colour", "same_size", "colour", "near_to")} == {True}
