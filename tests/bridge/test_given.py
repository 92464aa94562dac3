"""What a detector tells of things becomes a scene, and is in the program as it was told, in every format."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pyarrow import parquet

from predinet_prolog.bridge.errors import BoxesError
from predinet_prolog.bridge.perceiving.given import MOST, Choice, Given, given_by, scene_of
from predinet_prolog.bridge.perceiving.glimpses import GlimpsePerceiver
from predinet_prolog.bridge.program import ImageInfo, Program, base_facts, facts_of, make_program, rules_of
from predinet_prolog.bridge.scene import Scene, Thing
from predinet_prolog.bridge.tables import read_program
from predinet_prolog.bridge.writers.asp import write_asp
from predinet_prolog.bridge.writers.json import write_json
from predinet_prolog.bridge.writers.parquet import schema, table
from predinet_prolog.bridge.writers.problog import write_problog
from predinet_prolog.bridge.writers.prolog import base_facts_text, base_head, base_rules, write_for, write_prolog
from predinet_prolog.domains.detections import Detected, Detection
from predinet_prolog.domains.domain import Inspection
from predinet_prolog.neural.glimpses.config import MARGIN, SIDE
from predinet_prolog.neural.glimpses.model import GlimpseConfig
from predinet_prolog.neural.model import NO_MODEL
from tests.asking import answers, asked, likely, solved
from tests.cases import cases
from tests.seen import Outlined, grounded_model, random_scene

INFO = ImageInfo("yard.jpg", "ab" * 32, 640, 480)
WORDS = ("person", "it's 100% \\ odd", "Two\nlines", "Éléphant", "7", "", "[]", "ob_0", "a:-b")
"""Names that detectors may give."""


def scene(*things: dict[str, Any], size: tuple[int, int] = (640, 480)) -> Scene:
    """Things side by side, ten pixels wide and twenty high."""
    told = [
        Thing(f"ob_{n}", np.array([40.0 * n, 5, 40 * n + 10, 25]), None, np.empty(0), source=n, **thing)
        for n, thing in enumerate(things)
    ]
    return Scene(tuple(told), Inspection(0.0, None, 0.0), size, given=True)


HELMETS = scene(
    {"category": "person", "score": 0.91, "track": 102, "keypoints": {"nose": (3.5, 7.25)}},
    {"category": "helmet", "score": 1.0, "track": "b", "attributes": {"colour": "red", "worn": True, "size": 2}},
    {"outline": Outlined(np.eye(20, 10, dtype=bool)), "attributes": {"worn": False, "size": 2e-7, "Not a name": "10"}},
)


@pytest.fixture
def program() -> Program:
    return make_program(HELMETS, model=NO_MODEL, image=INFO)


ASKED = asked("what was told")
"""A predicate of its own has only `worn`: colour/2 and size/2 are there already."""


@pytest.mark.parametrize("goal", ASKED)
def test_what_was_told_is_asked_in_prolog(goal: str, program: Program) -> None:
    assert answers(write_prolog(program), goal) == ASKED[goal]


def test_nothing_of_pixels_is_in_a_program_that_was_not_looked_at(program: Program) -> None:
    absent = {"colour/4", "colour/2", "coordinate/3", "noise_level/1", "part/1", "holds/4", "size/2"}
    assert absent - set(program.predicates) == absent - {"size/2"}
    assert "none: nothing was looked at" in write_prolog(program)


def test_a_question_has_the_facts_that_its_words_reach(program: Program) -> None:
    text = write_for(program, ["worn", "overlaps_a"])
    assert answers(text, "worn(X, true), \\+ overlaps_a(X, _), category(X, C)") == [["ob_1", "helmet"]]
    assert answers(text, "confidence(category(ob_0, person), P)") == [[0.91]]
    assert answers(text, "track(_, _) ; keypoint(_, _, _, _)") == []


def test_it_is_the_same_in_json_and_in_a_table(program: Program, tmp_path: Path) -> None:
    facts = json.loads(write_json(program))["facts"]
    rows = table([("yard.jpg", base_facts(program))], program.rules)
    assert rows.schema == schema(program.rules)
    parquet.write_table(rows, tmp_path / "kb.parquet")
    for goal, wanted in ASKED.items():
        name, _, arguments = goal.rstrip(")").partition("(")
        if name in facts and "_" not in arguments:
            assert facts[name] == wanted
            text = read_program(tmp_path / "kb.parquet", {name}, most=2**20)
            assert answers(text, f"{name}(_, {arguments})") == wanted


def test_a_category_is_as_likely_as_its_score_in_problog(program: Program) -> None:
    text = write_problog(program)
    assert "0.9100::category(ob_0,person).\ncategory(ob_1,helmet)." in text.replace(", ", ",")
    shares = {"category(ob_0,person)": 0.91, "category(ob_1,helmet)": 1, "worn(ob_1,true)": 1}
    assert likely(text, "category(_, _)", "worn(_, true)") == pytest.approx(shares)


def test_it_is_the_same_for_clingo(program: Program) -> None:
    told = {"category(ob_0,person)", "category(ob_1,helmet)", "attribute(ob_1,size,2000)", "track(ob_0,102)"}
    told |= {"source(ob_2,2)", "worn(ob_2,false)", "left_of(ob_0,ob_1)", "area(ob_2,10000)"}
    assert told <= set(map(str, solved(write_asp(program))))


@pytest.mark.parametrize("word", WORDS)
def test_a_word_comes_back_exactly_as_it_was_given(word: str) -> None:
    program = make_program(scene({"category": word, "attributes": {word: word}}), model=NO_MODEL, image=INFO)
    for goal in ("category(ob_0, W)", "attribute(ob_0, W, W)"):
        (row,) = answers(write_prolog(program), f"{goal}, atom(W)")
        assert row == [word]
    assert json.loads(write_json(program))["facts"]["category"] == [["ob_0", word]]
    if "\n" not in word:
        assert "category(ob_0,7)" not in map(str, solved(write_asp(program))), "a name, not a number"
        assert likely(write_problog(program), "object(_)")


def test_a_mask_without_pixels_tells_no_area() -> None:
    program = make_program(scene({"outline": Outlined(np.zeros((20, 10), np.bool_))}), model=NO_MODEL, image=INFO)
    assert answers(write_prolog(program), "area(ob_0, A), box(ob_0, L, T, R, B), A =:= (R - L) * (B - T), A > 0")


def test_no_thing_is_a_program_too() -> None:
    text = write_prolog(make_program(scene(), model=NO_MODEL, image=INFO))
    assert answers(text, "category(_, _) ; attribute(_, _, _) ; left_of(_, _) ; touches(_, _)") == []


def test_a_knowledge_base_has_what_was_told_and_its_names() -> None:
    images = {"a.png": HELMETS, "it's.png": scene({"category": "person"})}
    facts = {name: base_facts(make_program(told, model=NO_MODEL, image=INFO)) for name, told in images.items()}
    texts = [base_facts_text(name, own) for name, own in facts.items()]
    lines = ["\n".join(filter(None, (text[name] for text in texts))) for name in texts[0]]
    rules = base_rules(NO_MODEL, given=True, keys={"worn", "colour"})
    text = "\n".join([base_head(NO_MODEL, None, 2, given=True), *filter(None, lines), rules])
    assert answers(text, "category(I, ob_0, person)") == [["a.png"], ["it's.png"]]
    assert answers(text, "worn(_, X, true)") == [["ob_1"]]


def test_facts_are_made_only_where_they_are_wanted() -> None:
    assert [*facts_of(HELMETS, INFO, only={"category", "box"})] == ["box", "category"]


def test_a_picture_looked_at_smaller_has_its_places_in_its_own_pixels() -> None:
    """Two of its pixels are one that is looked at, and places within two of these and a half are the same."""
    facts = facts_of(scene({}, {}, size=(2048, 100)), ImageInfo("wide.png", "", 2048, 100))
    assert (facts["pixel"][0], facts["box"][1].tolist()) == ([2.0], [0, 40])


def test_a_looked_at_program_has_both(tmp_path: Path) -> None:
    """And what the model tells of words by examples gives way where the detector told it."""
    seen = random_scene(3, 2)
    things = tuple(Thing(**{**vars(thing), "category": "cup", "parts": ()}) for thing in seen.things)
    model = grounded_model(tmp_path)
    program = make_program(Scene(things, seen.inspection, seen.size, given=True), model=model, image=INFO)
    assert {"category/2", "colour/2", "same_shape/2", "coordinate/3"} <= set(program.predicates)
    assert "filled/2" in {each.head.indicator for own in rules_of(model, given=True).sections for each in own}
    assert answers(write_prolog(program), "category(X, cup)") == [["ob_0"], ["ob_1"]]


SIZE = (200, 100)
Box = tuple[float, float, float, float]


def thing(index: int, box: Box, **told: Any) -> Detection:
    return Detection(f"entry {index}", index, box, **told)


@dataclass(frozen=True)
class Told:
    """A source that tells the same of every picture."""

    things: Sequence[Detection]
    where: str = "mine.json"
    keys: frozenset[str] = frozenset({"worn"})
    categories: frozenset[str] = frozenset()

    def of(self, picture: str, size: tuple[int, int]) -> Detected:
        return Detected(tuple(self.things), (), len(self.things))

    def pictures(self) -> None:
        return None

    def check_pictures(self, pictures: Sequence[str]) -> None:
        return None


def test_things_are_named_by_their_places_and_know_their_source() -> None:
    told = (thing(0, (50, 50, 60, 60)), thing(1, (80, 0, 90, 10)), thing(2, (10, 50, 20, 60), category="b"))
    scene = scene_of(Given(told, SIZE))
    assert [(each.name, each.source) for each in scene.things] == [("ob_0", 1), ("ob_1", 2), ("ob_2", 0)]
    assert (scene.things[1].category, scene.size, scene.given) == ("b", SIZE, True)
    assert all(each.colour is None and not each.coordinates.size for each in scene.things)


BOX = (0.0, 0.0, 10.0, 10.0)
CHOSEN = cases(__file__)["chosen"]


@pytest.mark.parametrize("case", CHOSEN)
def test_things_are_chosen_as_asked(case: str) -> None:
    row = CHOSEN[case]
    told = [thing(number, **each) for number, each in enumerate(row["things"])]
    given = given_by(Told(told), "a.png", SIZE, Choice(**row["choice"]))
    assert [each.index for each in given.things] == row["kept"]
    assert given.notes == tuple(row.get("notes", ()))


def test_an_attribute_that_no_thing_of_the_picture_has_is_false_of_all() -> None:
    given = given_by(Told([thing(0, BOX)]), "a.png", SIZE)
    program = make_program(scene_of(given), model=NO_MODEL, image=ImageInfo("a.png", "", *SIZE))
    assert "worn/2" in program.predicates


def test_only_comparing_bounds_how_many_there_may_be() -> None:
    many = Told([thing(0, BOX)] * (MOST + 1))
    with pytest.raises(BoxesError, match=r"mine.json has 201 boxes for a.png: at most 200 are taken; .*--no-look"):
        given_by(many, "a.png", SIZE)
    assert len(given_by(many, "a.png", SIZE, looked=False).things) == MOST + 1


def test_what_was_told_has_one_hash_and_another_has_another() -> None:
    lined = thing(0, BOX, category="a", outline=Outlined(np.ones((3, 3), bool)))
    same = [Given((lined,), SIZE).sha256 for _ in range(2)]
    rows = [{"category": "a"}, {"category": "b"}, {"category": "a", "score": 0.5}]
    odd = [thing(0, BOX, outline=Outlined(np.eye(3, dtype=bool)), **row) for row in rows]
    others = [Given((each,), SIZE).sha256 for each in odd]
    assert len({*same, *others}) == 4


class Seer:
    """In place of the comparator: what it is shown."""

    def compare(self, glimpses: np.ndarray, upright: np.ndarray, evidence: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        self.glimpses, self.evidence = glimpses.copy(), evidence
        return np.full((len(glimpses), SIDE, SIDE), 9.0), np.arange(2.0 * len(glimpses)).reshape(-1, 2)


def test_a_mask_takes_the_place_of_the_models_guess() -> None:
    """A red disc lies on a blue square that the box holds, too, in a picture that is looked at at half its size: the
    model is shown the disc on the ground, and the thing is red."""
    picture = np.full((60, 80, 3), 200, np.uint8)
    picture[20:40, 20:40] = (0, 0, 255)
    y, x = np.mgrid[0:60, 0:80] + 0.5
    disc = (x - 30) ** 2 + (y - 30) ** 2 < 36
    picture[disc] = (255, 0, 0)
    large = disc.repeat(2, axis=0).repeat(2, axis=1)[40:80, 40:80]
    seer = Seer()
    perceiver = GlimpsePerceiver(SimpleNamespace(name="m", graph=seer, config=GlimpseConfig()))
    told = thing(7, (40, 40, 80, 80), category="ball", outline=Outlined(large))
    (masked,) = perceiver.perceive([picture], [Given((told,), (160, 120))])
    shown = np.abs(seer.glimpses[0, 3:6]).max(axis=0) > 0.5
    assert (shown == (seer.evidence[0] > 0.5)).mean() > 0.9
    share = shown.sum() * (20 * MARGIN / SIDE) ** 2 / disc.sum()
    assert 0.8 < share < 1.25, "nothing but the disc differs from the ground"
    (only,) = masked.things
    assert only.colour[0] > 230 > 30 > only.colour[2]
    assert (only.box.tolist(), only.category, only.source, only.parts) == ([40, 40, 80, 80], "ball", 7, ())
    assert only.coordinates.tolist() == [0, 1]
    before = seer.glimpses
    (boxed,) = perceiver.perceive([picture], [Given((thing(7, (40, 40, 80, 80)),), (160, 120))])
    assert boxed.things[0].colour != only.colour
    told = thing(7, (80, 40, 120, 80), outline=Outlined(large[:, ::-1]))
    (mirrored,) = perceiver.perceive([picture[:, ::-1]], [Given((told,), (160, 120))])
    assert mirrored.things[0].colour == only.colour
    assert np.abs(seer.glimpses - before).max() < 0.1, "it is laid as before"
