"""Functional programs of questions become goals of the theory `clevr`, and give what they gave."""

import json
from pathlib import Path

import pytest

from predinet_prolog.symbolic import Engine, ProgramError, theory
from predinet_prolog.symbolic.functional import goal_of

PROGRAMS = json.loads(Path(__file__).with_name("functional.json").read_text(encoding="utf-8"))
"""A scene, programs and their answers, and what is said of some that are none."""


@pytest.mark.parametrize(("nodes", "answer"), PROGRAMS["answers"])
def test_a_program_gives_its_answer(engine: Engine, nodes: list[dict[str, object]], answer: object) -> None:
    answers = engine.ask("\n".join(PROGRAMS["scene"]), goal_of(nodes), rules=[theory("clevr")])
    assert [one.bindings["Answer"] for one in answers.answers] == [answer]


def test_the_generators_own_names_of_fields_are_read() -> None:
    old = [{"type": "scene", "inputs": []}, {"type": "filter_color", "inputs": [0], "side_inputs": ["gray"]}]
    assert (
        goal_of([*old, {"type": "count", "inputs": [1]}]) == "scene(V0), filter(color, gray, V0, V1), count(V1, Answer)"
    )


@pytest.mark.parametrize(("nodes", "fault"), PROGRAMS["faults"])
def test_what_is_no_program_is_told(nodes: list[dict[str, object]], fault: str) -> None:
    with pytest.raises(ProgramError, match=fault):
        goal_of(nodes, "questions.json")
