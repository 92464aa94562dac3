"""Answers as text: what Prolog reads from them is what they said."""

import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.prolog_text import _INFIX, _PREFIX, write_answers, write_value
from symbolic import Engine


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine() as engine:
        yield engine


VALUES = [
    "ob_0",
    "Ob",
    "a b",
    "it's",
    'say "so"',
    "back\\slash",
    "line\nbreak\ttab",
    "",
    "[]",
    "{}",
    "!",
    ";",
    ",",
    "|",
    "-",
    "=",
    "/*",
    ".",
    "été",
    "Été",
    "日本",
    "\x01",
    0,
    -1,
    2**53,
    0.5,
    -0.1,
    1e20,
    1.5e-7,
    [],
    ["a", ["b"], 1],
    {"int": "123456789012345678901234567890"},
    {"int": "-123456789012345678901234567890"},
    {"rational": ["-1", "3"]},
    {"string": 'it\'s "so"\\\n'},
    {"functor": "f", "args": ["a", {"functor": "g", "args": [-1]}]},
    {"functor": "-", "args": ["a", "b"]},
    {"functor": "-", "args": [{"functor": "-", "args": ["a", "b"]}, "c"]},
    {"functor": "-", "args": ["a", {"functor": "-", "args": ["b", "c"]}]},
    {"functor": "-", "args": [-1, -2]},
    {"functor": "/", "args": ["", -0.0]},
    {"functor": "-", "args": ["-", "*"]},
    {"functor": "-", "args": [1]},
    {"functor": "^", "args": [{"functor": "^", "args": [2, 3]}, -2.0]},
    {"functor": "/", "args": [{"functor": "+", "args": ["a", {"rational": ["1", "3"]}]}, "b"]},
    {"functor": "=", "args": ["a", {"functor": "=", "args": ["b", "c"]}]},
    {"functor": "f", "args": [{"functor": "=", "args": ["a", "b"]}]},
    {"functor": "it's", "args": ["x"]},
    {"functor": ",", "args": ["x", "y"]},
    {"functor": ":-", "args": ["x", "y"]},
    [{"functor": ",", "args": ["x", "y"]}],
    {"functor": "[|]", "args": [1, {"functor": "[|]", "args": [2, "tail"]}]},
    {"functor": "[|]", "args": [{"functor": ":-", "args": ["a", "b"]}, {"functor": "-", "args": ["b", "c"]}]},
    {"functor": "[|]", "args": ["-", "*"]},
    {"functor": "[|]", "args": [1]},
    {"functor": "{}", "args": [{"functor": ",", "args": ["a", "b"]}]},
    {"functor": "{}", "args": ["-"]},
    {"functor": "**", "args": [2, {"functor": "-", "args": [3]}]},
    {"functor": "-", "args": [{"functor": "^", "args": [1, 2]}]},
    {"functor": "-", "args": [{"functor": "^", "args": ["a", 2]}]},
    {"functor": "-", "args": [{"functor": "-", "args": ["a"]}]},
    {"functor": "-", "args": [{"functor": "{}", "args": ["a"]}]},
    {"functor": "\\+", "args": [{"functor": ",", "args": ["a", "b"]}]},
    {"functor": "-", "args": [","]},
    {"functor": "-", "args": ["|"]},
    {"functor": "-", "args": ["a", {"functor": "\\", "args": ["b"]}]},
    {"functor": "dynamic", "args": [{"functor": "/", "args": ["foo", 1]}]},
    {"functor": "mod", "args": ["mod", {"functor": "is", "args": ["is", "dynamic"]}]},
    {"functor": [], "args": ["-"]},
    {"float": "inf"},
    {"functor": "-", "args": [{"float": "inf"}, {"float": "-inf"}]},
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_prolog_reads_the_value_back(engine: Engine, value: Any) -> None:
    (line,) = write_answers([({"X": value}, ())], more=False).splitlines()
    assert line.endswith(".")
    (answer,) = engine.ask("", line).answers
    assert answer.bindings == {"X": value}


operators = st.sampled_from(sorted({*_INFIX, *_PREFIX} - {":"}))  # the worker allows no module's name
atoms = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0:"), max_size=5)
values = st.recursive(
    atoms | operators | st.integers(-1000, 1000) | st.floats(-1e9, 1e9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.builds(
            lambda name, args: {"functor": name, "args": args},
            atoms | operators | st.sampled_from(["{}", "-"]),
            st.lists(inner, min_size=1, max_size=3),
        )
        | st.builds(lambda item, tail: {"functor": "[|]", "args": [item, tail]}, inner, atoms | operators)
    ),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None)
@given(value=values)
def test_prolog_reads_any_value_back(engine: Engine, value: Any) -> None:
    (answer,) = engine.ask("", f"X = {write_value([value])}.").answers
    assert answer.bindings == {"X": [value]}


@pytest.mark.parametrize(
    ("goal", "text"),
    [
        ("X = [1, 2|T]", "X = [1,2|T]."),
        ("X = '[|]'(1, T)", "X = [1|T]."),
        ("X = [(a, b)|c-d]", "X = [(a,b)|c-d]."),
        ("X = (a, b)", "X = (a,b)."),
        ("X = 2**3", "X = 2**3."),
        ("X = {a, b}", "X = {a,b}."),
        ("X = - 1", "X = -(1)."),
        ("X = - a", "X = -a."),
        ("X = (a :- b, \\+ c ; d -> e)", "X = (a :- b,\\+c ; d -> e)."),
        ("X = 7 mod 2 // 1", "X = 7 mod 2//1."),
        ("X = (1 < 2)", "X = (1 < 2)."),
        ("X = f(-, dynamic)", "X = f(-,dynamic)."),
        ("X is inf", "X = 1.0Inf."),
    ],
)
def test_terms_look_as_people_write_them(engine: Engine, goal: str, text: str) -> None:
    answers = engine.ask("", goal).answers
    assert write_answers([(a.bindings, a.constraints) for a in answers], more=False) == f"{text}\n"
    assert engine.ask("", text).answers == answers


@pytest.mark.skipif(shutil.which("swipl") is None, reason="no swipl on PATH")
def test_the_operators_are_those_of_prolog() -> None:
    goal = 'forall(current_op(P, T, O), format("~w ~w ~w~n", [P, T, O]))'
    run = subprocess.run(["swipl", "-g", goal, "-t", "halt"], capture_output=True, text=True, check=True)
    known = set(run.stdout.splitlines())
    for name, (priority, left, right) in _INFIX.items():
        kind = f"{'y' if left == priority else 'x'}f{'y' if right == priority else 'x'}"
        assert f"{priority} {kind} {name}" in known
    for name, (priority, most) in _PREFIX.items():
        assert f"{priority} f{'y' if most == priority else 'x'} {name}" in known


def test_answers_look_as_in_prolog() -> None:
    one, two = ({"X": "ob_1", "V": 0.0123}, ()), ({"X": "ob_2", "V": -1.0}, ())
    assert write_answers([], more=False) == "false.\n"
    assert write_answers([({}, ())], more=False) == "true.\n"
    assert write_answers([one, two], more=False) == "X = ob_1, V = 0.0123 ;\nX = ob_2, V = -1.0.\n"
    assert write_answers([one], more=True) == "X = ob_1, V = 0.0123 ;\n% and more: this is the first\n"


def test_unbound_variables_are_left_out_unless_shared() -> None:
    x = {"var": "X"}
    assert write_answers([({"X": x}, ())], more=False) == "true.\n"
    assert write_answers([({"X": x, "Y": x}, ())], more=False) == "Y = X.\n"
    assert write_answers([({"X": x}, ("dif(X,a)",))], more=False) == "dif(X,a).\n"


def test_real_answers_of_an_engine(engine: Engine) -> None:
    answers = engine.ask("p(a, 1). p('B c', -2).", "p(X, Y)")
    text = write_answers([(a.bindings, a.constraints) for a in answers.answers], more=answers.more)
    assert text == "X = a, Y = 1 ;\nX = 'B c', Y = -2.\n"
