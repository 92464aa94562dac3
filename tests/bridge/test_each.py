"""The programs of many pictures, written to be asked one after the other: they answer as each alone."""

import re
from pathlib import Path

import pytest

from predinet_prolog.bridge.writers.prolog import write_each, write_prolog
from predinet_prolog.symbolic import Answers
from tests.asking import asking
from tests.seen import grounded_model, program_of, random_scene


@pytest.mark.parametrize(
    "goal",
    [
        "same_size(X, Y)",
        "confidence(same_filled(ob_0, Y), P)",
        "filled(X, V)",
        "colour(X, C)",
        "object(X), \\+ inside(X, _)",
    ],
)
def test_they_answer_as_each_alone(goal: str, tmp_path: Path) -> None:
    model = grounded_model(tmp_path)
    programs = [program_of(random_scene(seed, things=things), model) for seed, things in enumerate([4, 0, 1, 6])]
    common, facts = write_each(programs, re.findall(r"\w+", goal))
    with asking() as engine:
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
