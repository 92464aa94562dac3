"""Functional programs of questions become goals of the theory `clevr`, and give what they gave."""

import pytest

from predinet_prolog.symbolic import Engine, ProgramError, theory
from predinet_prolog.symbolic.functional import goal_of

SCENE = """
object(a). object(b). object(c).
shape(a, cube). shape(b, cube). shape(c, sphere).
color(a, red). color(b, gray). color(c, gray).
material(a, metal). material(b, rubber). material(c, metal).
size(a, large). size(b, small). size(c, small).
left_of_ground(b, a). left_of_ground(c, a). right_of_ground(a, b).
behind(_, _) :- fail.
in_front(c, b).
"""
SPHERE = [
    {"function": "scene", "inputs": [], "value_inputs": []},
    {"function": "filter_shape", "inputs": [0], "value_inputs": ["sphere"]},
    {"function": "unique", "inputs": [1], "value_inputs": []},
]


def node(function: str, *inputs: int, value: str | None = None) -> dict[str, object]:
    return {"function": function, "inputs": [*inputs], "value_inputs": [] if value is None else [value]}


@pytest.mark.parametrize(
    ("nodes", "answer"),
    [
        ([node("query_color", 2)], "gray"),
        ([node("same_color", 2), node("count", 3)], 1),
        ([node("relate", 2, value="right"), node("exist", 3)], "no"),
        ([node("relate", 2, value="front"), node("same_shape", 2), node("union", 3, 4), node("count", 5)], 0),
        (
            [
                node("scene"),
                node("filter_size", 3, value="large"),
                node("unique", 4),
                node("query_shape", 2),
                node("query_shape", 5),
                node("equal_shape", 6, 7),
            ],
            "no",
        ),
        ([node("scene"), node("count", 3), node("count", 0), node("equal_integer", 4, 5)], "yes"),
        ([node("scene"), node("count", 3), node("count", 1), node("greater_than", 4, 5)], "yes"),
    ],
)
def test_a_program_gives_its_answer(engine: Engine, nodes: list[dict[str, object]], answer: object) -> None:
    answers = engine.ask(SCENE, goal_of([*SPHERE, *nodes]), rules=[theory("clevr")])
    assert [one.bindings["Answer"] for one in answers.answers] == [answer]


def test_the_generators_own_names_of_fields_are_read() -> None:
    old = [{"type": "scene", "inputs": []}, {"type": "filter_color", "inputs": [0], "side_inputs": ["gray"]}]
    assert (
        goal_of([*old, {"type": "count", "inputs": [1]}]) == "scene(V0), filter(color, gray, V0, V1), count(V1, Answer)"
    )


@pytest.mark.parametrize(
    ("nodes", "fault"),
    [
        ([], "questions.json:1: a functional program has one node at least"),
        ([node("see")], "questions.json:1: no function is called see: there are scene, unique"),
        ([node("scene"), node("filter", 0, value="red")], "questions.json:2: no function is called filter"),
        ([node("scene"), node("count", 1)], "questions.json:2: count takes 1 nodes before it and 0 values"),
        ([node("scene"), node("filter_size", 0)], r"takes 1 nodes before it and 1 values, not \[0\] and \[\]"),
    ],
)
def test_what_is_no_program_is_told(nodes: list[dict[str, object]], fault: str) -> None:
    with pytest.raises(ProgramError, match=fault):
        goal_of(nodes, "questions.json")
