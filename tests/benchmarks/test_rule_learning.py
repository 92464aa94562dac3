"""What rules are learned from is what programs say, and what is measured of them is counted as it should be."""

from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from benchmarks import rule_learning, rule_learning_data
from benchmarks.rule_learning import Case, Result
from benchmarks.rule_learning_questions import QUESTIONS, Truth, asked
from benchmarks.shared import programs
from predinet_prolog.domains.relations_game.scenes import Scenes
from predinet_prolog.domains.relations_game.tasks import generate
from predinet_prolog.neural import load_model
from predinet_prolog.symbolic import Engine, Rules
from predinet_prolog.symbolic.learning import learn

RESULT = Result(Case("tasks", "same", 5, 0), {"hexos": 1.0, "stripes": 0.5}, 1, 0, 2, 30, False, 0.125, "label(1).\n")


@pytest.mark.parametrize(
    ("name", "kind", "task", "n"),
    [
        ("relations-game", "hexos", "scatter", 40),
        ("relations-game", "stripes", "match_rows", 20),
        ("between", "pentos", "scatter", 40),
    ],
)
def test_tables_say_what_prolog_says(name: str, kind: str, task: str, n: int) -> None:
    model, scenes = load_model(name), generate(task, n, objects=kind, seed=77)
    situations = rule_learning_data.seen(model, scenes).situations(model)
    known = list(situations[0].holds)
    assert {each.name for each in known} >= {"same", "lies_between", "above"}
    told = dict.fromkeys((each.name for each in known), 0)
    with Engine(time_limit=10, answer_limit=1) as engine:
        for situation, program in zip(situations, programs(model, scenes.render()), strict=True):
            for each in known:
                places = permutations(range(len(situation.objects)), each.arity)
                said = {
                    tuple(situation.objects[index] for index in own) for own in places if situation.holds[each][own]
                }
                variables = "XYZ"[: each.arity]
                goal = f"findall([{','.join(variables)}],{each.name}({','.join([*variables, *each.values])}),L)"
                answers = engine.ask(program, goal).to_json()
                assert said == {tuple(own) for own in answers["answers"][0]["bindings"]["L"]}, each.name
                told[each.name] += len(said)
                if each.arity > 1:
                    assert not np.einsum("ii->i" if each.arity == 2 else "iij->ij", situation.holds[each]).any()
    assert all(told.values())


@pytest.mark.parametrize("task", ["xoccurs", "colour_and_or_shape", "row_patterns_3"])
def test_rules_are_judged_as_prolog_judges_them(task: str) -> None:
    situations, labels = rule_learning.told("relations-game", generate(task, 20, objects="pentos", seed=78))
    theory = learn(situations, labels, tuple(situations[0].holds)).theory
    model, scenes = load_model("relations-game"), generate(task, 20, objects="hexos", seed=79)
    predicted = theory.predict(rule_learning.told("relations-game", scenes)[0])
    assert len(set(predicted)) > 1
    rules = Rules("learned", theory.write())
    with Engine(time_limit=10, answer_limit=2) as engine:
        for program, number, label in zip(
            programs(model, scenes.render()), scenes.task_ids.tolist(), predicted, strict=True
        ):
            answers = engine.ask(program, "label(L)", rules=[rules, Rules("task", f"task({number}).\n")])
            assert [str(each["bindings"]["L"]) for each in answers.to_json()["answers"]] == [label]


BOARDS = {
    # A shape and a colour, of which 0 and 1 are called blue and 2 green, in each cell that is not empty.
    "a0 b1 a0 / .. .. .. / .. .. ..": {"flanked", "one_pair", "loner", "across_or_down"},
    "a0 .. a0 / .. .. .. / .. .. a0": {"three_alike", "every_colour_twice", "across_or_down"},
    "a0 .. .. / b2 .. .. / .. .. ..": {"blue_above_green", "no_colour_twice_in_a_row"},
    "b2 .. .. / a0 .. .. / .. .. ..": {"no_colour_twice_in_a_row"},
    "a0 .. .. / a1 .. .. / .. .. ..": {"recoloured", "no_colour_twice_in_a_row", "across_or_down"},
    "a0 .. .. / .. b0 .. / .. .. c0": {"line_of_a_colour", "every_colour_twice", "no_colour_twice_in_a_row"},
    "a0 .. .. / .. .. .. / .. .. ..": {"loner", "no_colour_twice_in_a_row"},
}


def board(text: str) -> Scenes:
    """One board of hexominoes."""
    cells = text.replace("/", " ").split()
    shapes, colours = (
        np.array([[known.find(cell[place]) for cell in cells]]) for place, known in ((0, "abc"), (1, "012"))
    )
    nothing = np.zeros(1, dtype=np.int64)
    return Scenes("hexos", "scatter", shapes, colours, nothing, nothing)


@pytest.mark.parametrize(("text", "true"), BOARDS.items())
def test_questions_are_answered_as_one_sees_it(text: str, true: set[str]) -> None:
    truth = Truth.of(board(text))
    assert {name for name, (_, holds) in QUESTIONS.items() if holds(truth).tolist() == [True]} == true


@pytest.mark.parametrize("question", QUESTIONS)
def test_boards_are_true_as_often_as_false_whatever_they_hold(question: str) -> None:
    scenes = asked(question, 60, kind="pentos", seed=(4, 2))
    assert len(scenes) == 60
    count = scenes.occupied.sum(axis=1)
    for things in range(10):
        assert scenes.labels[count == things].sum() * 2 == (count == things).sum()
    again = Truth.of(scenes)
    assert scenes.labels.tolist() == QUESTIONS[question][1](again).astype(int).tolist()
    other = asked(question, 60, kind="pentos", seed=(4, 3))
    assert other.shapes.tobytes() != scenes.shapes.tobytes()


def test_wrong_labels_are_others_and_as_many_as_was_said() -> None:
    labels = ["0", "1", "2"] * 1000
    few, many = (rule_learning.spoiled(labels, share, 1) for share in (0.05, 0.1))
    changed = [[old != new for old, new in zip(labels, own, strict=True)] for own in (few, many)]
    assert [sum(own) / 3000 for own in changed] == pytest.approx([0.05, 0.1], abs=0.015)
    assert all(more for less, more in zip(*changed, strict=True) if less)
    assert set(few) == {"0", "1", "2"}
    assert rule_learning.spoiled(labels, 0.05, 2) != few


def test_results_are_read_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "figures.json"
    assert rule_learning.read(path) == {}
    other = replace(RESULT, case=replace(RESULT.case, n=10), rules='label(1) :- same(A, B), "\n".')
    again = replace(RESULT, case=replace(RESULT.case, seed=1), accuracy={"hexos": 0.25})
    rule_learning.write(path, [RESULT, other, again])
    assert list(rule_learning.read(path).values()) == [RESULT, other, again]


def test_a_row_has_the_worst_seed_and_the_number_from_which_on_it_is_good() -> None:
    figures = {(5, 0): 1.0, (5, 1): 0.99, (10, 0): 0.5, (10, 1): 1.0, (20, 0): 0.99, (20, 1): 1.0}
    results = [
        replace(RESULT, case=replace(RESULT.case, n=n, seed=seed), accuracy={"hexos": least, "stripes": 1.0})
        for (n, seed), least in figures.items()
    ]
    (row,) = rule_learning.rows("tasks", results)
    assert row == ["`same`", "0.990", "0.500", "0.990", "–", "–", "–", "20", "0.1 / –", "2"]
    (never,) = rule_learning.rows("tasks", [RESULT])
    assert never[-3] == "–"
