"""The program of a picture of any size: its rules against the same said in Python, and what SWI-Prolog makes of it."""

import dataclasses
import json
from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from predinet_prolog.bridge.confidence import Curve
from predinet_prolog.bridge.definitions import grounding_path
from predinet_prolog.bridge.program import base_facts, rules_of
from predinet_prolog.bridge.scene import Scene, Thing
from predinet_prolog.bridge.vocabulary import VOCABULARY, Dialect, base_facts_of, vocabulary_of
from predinet_prolog.bridge.writers import prolog
from predinet_prolog.bridge.writers.json import write_json
from predinet_prolog.bridge.writers.prolog import is_current, write_prolog
from predinet_prolog.neural.glimpses.model import GlimpseModel
from predinet_prolog.quoting.prolog import atom
from predinet_prolog.symbolic.swipl import run_swipl
from tests.asking import printed
from tests.cases import cases
from tests.seen import VALUES, grounded_model, program_of, random_scene

CASES = cases(__file__)


@pytest.fixture
def model(tmp_path: Path) -> GlimpseModel:
    return grounded_model(tmp_path)


def ask(program: str, goals: list[str], folder: Path) -> list[list[str]]:
    (folder / "program.pl").write_text(program, encoding="utf-8")
    return printed(folder / "program.pl", goals)


def pairs_that(scene: Scene, holds: Callable[[Thing, Thing], bool]) -> set[str]:
    """As `ask` tells them, the pairs of different objects that hold."""
    return {f"[{x.name},{y.name}]" for x, y in permutations(scene.things, 2) if holds(x, y)}


@pytest.mark.parametrize("factor", [1.0, 2.5])
@pytest.mark.parametrize("seed", range(4))
def test_the_rules_say_what_is_so(seed: int, factor: float, model: GlimpseModel, tmp_path: Path) -> None:
    scene = random_scene(seed)

    def size(thing: Thing) -> float:
        return (thing.box[2:] - thing.box[:2]).max()

    def gap(x: Thing, y: Thing) -> float:
        return np.hypot(*np.maximum(0, np.maximum(x.box[:2] - y.box[2:], y.box[:2] - x.box[2:])))

    def apart(x: Thing, y: Thing) -> float:
        return np.hypot(x.x - y.x, x.y - y.y)

    def alike(x: Thing, y: Thing) -> bool:
        return max(size(x), size(y)) <= 1.14 * min(size(x), size(y)) or abs(size(x) - size(y)) <= 1

    def within(inner: Thing, outer: Thing) -> bool:
        margins = (inner.box - outer.box) * [1, 1, -1, -1]
        return (margins >= 0).all() and margins.any()

    def others(x: Thing) -> list[Thing]:
        return [each for each in scene.things if each is not x]

    def at_shape(x: Thing, y: Thing) -> float:
        return np.abs(x.coordinates - y.coordinates)[2:5].round(4).max()

    tie = max(2.5, np.median([size(thing) for thing in scene.things]) / 4) + 1e-3
    expected = {
        "same_size(X, Y)": alike,
        "larger(X, Y)": lambda x, y: size(x) > size(y) and not alike(x, y),
        "inside(X, Y)": within,
        "near_to(X, Y)": lambda x, y: gap(x, y) < (size(x) + size(y)) / 4,
        "closest(X, Y)": lambda x, y: apart(x, y) <= min(apart(x, z) for z in others(x)) + tie,
        "furthest(X, Y)": lambda x, y: apart(x, y) >= max(apart(x, z) for z in others(x)) - tie,
        "same_shape(X, Y)": lambda x, y: at_shape(x, y) <= 0.3,
        "same_shape_and_size(X, Y)": lambda x, y: at_shape(x, y) <= 0.3 and alike(x, y),
        "touches(X, Y)": lambda x, y: {x.name, y.name} in ({"ob_0", "ob_1"}, {"ob_0", "ob_6"}),
    }
    told = ask(write_prolog(program_of(scene, model, factor=factor)), list(expected), tmp_path)
    for answers, (goal, holds) in zip(told, expected.items(), strict=True):
        assert sorted(answers) == sorted(pairs_that(scene, holds)), goal
    counts = [len(answers) for answers in told]
    assert counts[0] >= 2, "two are equally large"
    assert counts[2] >= 1, "one lies in another"


def test_sizes_of_a_few_pixels_may_differ_by_one_of_the_picture_looked_at(model: GlimpseModel, tmp_path: Path) -> None:
    scene = random_scene(0, 3)
    wide = {"ob_0": 4, "ob_1": 5, "ob_2": 6.5}
    objects = tuple(dataclasses.replace(each, box=np.array([9, 9, 9 + wide[each.name], 10])) for each in scene.things)
    text = write_prolog(program_of(dataclasses.replace(scene, things=objects), model, factor=8))
    (same, larger) = ask(text, ["same_size(X, Y), X @< Y", "larger(X, Y)"], tmp_path)
    assert same == ["[ob_0,ob_1]"]
    assert larger == ["[ob_2,ob_0]", "[ob_2,ob_1]"]


def test_colours_have_the_words_that_people_say(model: GlimpseModel, tmp_path: Path) -> None:
    """For things and parts, however the question is put, and after a word was added. Words are as people call them."""
    shades = [(word, shade) for word, own in CASES["shades"].items() for shade in own]
    scene = random_scene(0, len(shades))
    objects = tuple(
        dataclasses.replace(each, colour=shade, parts=()) for each, (_, shade) in zip(scene.things, shades, strict=True)
    )
    text = write_prolog(program_of(dataclasses.replace(scene, things=objects), model))
    told, red, none = ask(text, ["colour(X, W)", "colour(X, red)", "colour(ob_0, blue)"], tmp_path)
    assert told == [f"[ob_{index},{word}]" for index, (word, _) in enumerate(shades)]
    assert (red, none) == (["[ob_0]", "[ob_1]"], [])
    olive = text.replace("palette(black, 0, 0, 0).", "palette(forest, 0, 100, 0).\npalette(black, 0, 0, 0).")
    assert ask(olive, ["colour(X, forest)"], tmp_path) == [[f"[ob_{shades.index(('green', [0, 100, 0]))}]"]]


def test_values_are_told_by_the_nearest_example(model: GlimpseModel, tmp_path: Path) -> None:
    scene = random_scene(2)
    places = {value if value.isdecimal() else atom(value): place for value, place in VALUES.items()}
    expected = []
    for thing in scene.things:
        off = {value: float(((thing.coordinates[[0, 5]] - place) ** 2).sum()) for value, place in places.items()}
        expected.append((thing.name, min(off, key=lambda value: off[value])))
    goals = ["filled(X, V)", "filled(X, 3)", "by_example(A, X, V)"]
    told, threes, same = ask(write_prolog(program_of(scene, model)), goals, tmp_path)
    assert told == [f"[{name},{value}]" for name, value in expected]
    assert len({value for _, value in expected}) > 2
    assert threes == [f"[{name}]" for name, value in expected if value == "3"]
    assert same == [f"[filled,{name},{value}]" for name, value in expected]


def test_the_written_confidence_is_the_curve_on_both_sides(model: GlimpseModel, tmp_path: Path) -> None:
    scene = random_scene(4, 12, noise_level=0.5)
    goals = ["confidence(same_shape(X, Y), P)", "same_shape(X, Y)"]
    told, held = ask(write_prolog(program_of(scene, model)), goals, tmp_path)
    size = {thing.name: max(thing.box[2] - thing.box[0], thing.box[3] - thing.box[1]) for thing in scene.things}
    apart = {
        f"[{x.name},{y.name}": float(np.abs(x.coordinates.round(4) - y.coordinates.round(4))[2:5].max())
        / (1 + (0.12 * 0.5 + 0.4 / min(size[x.name], size[y.name])) / 0.3)
        for x, y in permutations(scene.things, 2)
    }
    curve = Curve(0.3, 4.0, 0.01, (8.0, 0.1))
    said = {answer.rpartition(",")[0]: float(answer.rpartition(",")[2][:-1]) for answer in told}
    assert said == pytest.approx({pair: float(curve(np.array(own))) for pair, own in apart.items()}, rel=1e-6)
    assert {f"{pair}]" for pair, own in said.items() if own >= 0.5} == set(held)
    assert 0 < len(held) < len(told)


GIVEN = CASES["given"]
"""What is given where the vocabulary wants it."""


BROKEN = CASES["broken"]
"""law(Goal, Free, Given, Inputs) are facts: Free are the variables of Goal that may be given, Given those that must be,
by the solutions of Inputs."""


def test_every_rule_works_in_any_mode_of_the_vocabulary(model: GlimpseModel, tmp_path: Path) -> None:
    """Whichever of its `?` arguments are given with values that an answer had, or that none had, the answers are those
    of the open question that have them: the same, as often."""
    program = program_of(random_scene(1, 6), model)
    known = {each.indicator: each for each in VOCABULARY}
    known |= {f"r{index}/3": known["rI/3"] for index in range(7)}
    known |= {"same_shape/2": known["same_A/2"], "same_filled/2": known["same_A/2"], "filled/2": known["A/2"]}
    assert set(program.predicates) <= set(known)
    assert {each.indicator for each in vocabulary_of(Dialect()) if each.source != "base"} - {
        "rI/3", "same_A/2", "A/2", "same/2",
    } <= set(program.predicates), "nothing is promised that is not there"  # fmt: skip
    lines = []
    for indicator in program.predicates:
        row = known[indicator]
        names = [argument.name for argument in row.arguments]
        goal = f"{indicator.partition('/')[0]}({', '.join(names)})"
        free = [argument.name for argument in row.arguments if argument.mode == "?"]
        given = [argument.name for argument in row.arguments if argument.mode == "+"]
        lines.append(f"law(({goal}), [{', '.join(free)}], [{', '.join(given)}], ({GIVEN.get(indicator, 'true')})).\n")
    (tmp_path / "program.pl").write_text(write_prolog(program), encoding="utf-8")
    (tmp_path / "laws.pl").write_text(":- style_check(-singleton).\n" + "".join(lines) + BROKEN)
    run = run_swipl("-q", tmp_path / "program.pl", tmp_path / "laws.pl")
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout == f"{len(program.predicates)}"


def test_other_definitions_make_another_program_and_its_facts_are_json(model: GlimpseModel, tmp_path: Path) -> None:
    program = program_of(random_scene(3), model)
    text = write_prolog(program)
    assert is_current(text, program.provenance, rules_of(model))
    path = grounding_path(model)
    path.write_text(path.read_text().replace("0.12", "0.13"))
    assert not is_current(text, program.provenance, rules_of(model))
    facts = json.loads(write_json(program))["facts"]
    goals = [f"{name}({', '.join(map(str, row))})" for name, rows in facts.items() for row in rows]
    assert ask(text, goals, tmp_path) == [["[]"]] * len(goals)
    assert len(facts["colour"]) == len(facts["box"]) > len(facts["object"]) == 7


def of_image(predicate: str, image: str) -> str:
    name, _, arity = predicate.partition("/")
    return f"{name}({', '.join([image] * bool(image) + [f'A{number}' for number in range(int(arity))])})"


def test_a_knowledge_base_says_of_each_image_what_its_program_says(model: GlimpseModel, tmp_path: Path) -> None:
    programs = {name: program_of(random_scene(seed), model) for seed, name in enumerate(("a.png", "it's 50%.png"))}
    texts: dict[str, list[str]] = {name: [] for name in base_facts_of(rules_of(model).dialect)}
    for image, program in programs.items():
        for name, text in prolog.base_facts_text(image, base_facts(program)).items():
            texts[name] += [text] if text else []
    predicates = base_facts_of(rules_of(model).dialect)
    facts = ["\n".join(own) or prolog.base_nothing(predicates[name]) for name, own in texts.items()]
    base = "\n\n".join([prolog.base_head(model, None, 2), *facts, prolog.base_rules(model)])
    wanting = {each.indicator for each in VOCABULARY if any(argument.mode == "+" for argument in each.arguments)}
    for image, program in programs.items():
        asked = [
            each
            for each in program.predicates
            if each not in {*wanting, "holds/4"} and not each.startswith(("r", "conf"))
        ]
        expected = ask(write_prolog(program), [of_image(each, "") for each in asked], tmp_path)
        quoted = "'" + image.replace("'", "\\'") + "'"
        assert ask(base, [of_image(each, quoted) for each in asked], tmp_path) == expected
        assert sum(map(len, expected)) > 200
        confident = ["confidence({0}, P)", "small({1}0.01)", "nearer({1}ob_0, 50)", "shade_apart({1}1, 2, 3, W, D)"]
        own = [each.format("same_shape(X, Y)", "") for each in confident]
        lifted = [each.format(f"same_shape({quoted}, X, Y)", f"{quoted}, ") for each in confident]
        assert ask(write_prolog(program), own, tmp_path) == ask(base, lifted, tmp_path)
    images = [f"[{quoted},160,96,{'ab' * 32}]" for quoted in ("'a.png'", "'it\\'s 50%.png'")]
    assert ask(base, ["image(I, W, H, Hash)"], tmp_path) == [images]
