"""Programs written otherwise, in brief, as modules, one after the other: they say the same as the whole."""

import re
from collections import Counter
from pathlib import Path

import pytest

from predinet_prolog.bridge.writers import brief
from predinet_prolog.bridge.writers.header import as_module
from predinet_prolog.bridge.writers.prolog import write_each, write_prolog
from predinet_prolog.symbolic import Answers, ProgramError
from predinet_prolog.symbolic.swipl import run_swipl
from tests.asking import asking
from tests.cases import cases
from tests.seen import grounded_model, program_of, random_scene

CASES = cases(__file__)


def counted(answers: Answers) -> Counter[str]:
    """Answers without their order, numbers as texts have them."""
    rows = (
        {name: f"{value:.4f}" if isinstance(value, float) else value for name, value in answer.bindings.items()}
        for answer in answers.answers
    )
    return Counter(map(str, rows))


@pytest.mark.parametrize("seed", [3, 0])
def test_what_is_said_in_brief_is_what_the_program_says(tmp_path: Path, seed: int) -> None:
    program = program_of(random_scene(seed, seed), grounded_model(tmp_path), name="a.png")
    text = brief.write_brief(program)
    assert brief.is_current(text, program.provenance, program.rules)
    assert not brief.is_current(write_prolog(program), program.provenance, program.rules)
    assert "same_shape(?X, ?Y), same_filled(?X, ?Y), filled(?X, ?Value), confidence(?G, -P)\n*/" in text
    assert ":-" not in text.replace(" :- fail.", "")
    engine = asking()
    for goal in CASES["goals"]:
        assert counted(engine.ask(text, goal)) == counted(engine.ask(write_prolog(program), goal)), goal


def test_modules_stand_side_by_side(tmp_path: Path) -> None:
    """In plain swipl; and the engine takes a header, at the beginning alone and without exports."""
    program = program_of(random_scene(3, 3), grounded_model(tmp_path), name="a.png")
    for name, text in (("one", write_prolog(program)), ("two", brief.write_brief(program))):
        (tmp_path / f"{name}.pl").write_text(as_module(text, name))
    goal = "aggregate_all(count, one:object(_), N), aggregate_all(count, two:object(_), N), print(N)"
    files = [tmp_path / "one.pl", tmp_path / "two.pl"]
    run = run_swipl("-g", goal, "-t", "halt", *files)
    assert (run.stdout, run.stderr) == ("3", "")
    engine = asking()
    assert len(engine.ask(files[0].read_text(), "object(X)").answers) == 3
    for refused in ("object(a). :- module(late, []).", ":- module(one, [object/1]). object(a)."):
        with pytest.raises(ProgramError, match="no directives"):
            engine.ask(refused, "object(X)")


@pytest.mark.parametrize("goal", CASES["alone"])
def test_they_answer_as_each_alone(goal: str, tmp_path: Path) -> None:
    model = grounded_model(tmp_path)
    programs = [program_of(random_scene(seed, things=things), model) for seed, things in enumerate([4, 0, 1, 6])]
    common, facts = write_each(programs, re.findall(r"\w+", goal))
    engine = asking()
    alone = [engine.ask(write_prolog(program), goal) for program in programs]
    assert any(answers.answers for answers in alone)
    together = engine.ask_each(common, facts, goal).pictures
    assert [each.answers for each in together if isinstance(each, Answers)] == [each.answers for each in alone]


def test_what_a_question_cannot_reach_is_left_out(tmp_path: Path) -> None:
    model = grounded_model(tmp_path)
    _, (facts,) = write_each([program_of(random_scene(1), model)], ["left_of"])
    names = {line.partition("(")[0] for line in facts.splitlines()}
    assert {"object", "position"} <= names
    assert not {"coordinate", "colour", "box"} & names
