"""Answers as text: what Prolog reads from them is what they said."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.prolog_text import write_answers, write_value
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
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_prolog_reads_the_value_back(engine: Engine, value: Any) -> None:
    (line,) = write_answers([({"X": value}, ())], more=False).splitlines()
    assert line.endswith(".")
    (answer,) = engine.ask("", line).answers
    assert answer.bindings == {"X": value}


atoms = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0:"), max_size=5)
values = st.recursive(
    atoms | st.integers(-1000, 1000) | st.floats(-1e9, 1e9) | st.sampled_from(["-", "+", "*", "/", "=", "^"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.builds(
            lambda name, args: {"functor": name, "args": args},
            atoms | st.sampled_from(["-", "+", "*", "/", "=", "^"]),
            st.lists(inner, min_size=1, max_size=3),
        )
    ),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None)
@given(value=values)
def test_prolog_reads_any_value_back(engine: Engine, value: Any) -> None:
    (answer,) = engine.ask("", f"X = {write_value([value])}.").answers
    assert answer.bindings == {"X": [value]}


def test_answers_look_as_in_prolog() -> None:
    one, two = ({"X": "ob_1", "V": 0.0123}, ()), ({"X": "ob_2", "V": -1.0}, ())
    assert write_answers([], more=False) == "false.\n"
    assert write_answers([({}, ())], more=False) == "true.\n"
    assert write_answers([one, two], more=False) == "X = ob_1, V = 0.0123 ;\nX = ob_2, V = -1.0.\n"
    assert write_answers([one], more=True) == "X = ob_1, V = 0.0123 ;\n% and more: these are the first 1\n"


def test_unbound_variables_are_left_out_unless_shared() -> None:
    x = {"var": "X"}
    assert write_answers([({"X": x}, ())], more=False) == "true.\n"
    assert write_answers([({"X": x, "Y": x}, ())], more=False) == "Y = X.\n"
    assert write_answers([({"X": x}, ("dif(X,a)",))], more=False) == "dif(X,a).\n"


def test_real_answers_of_an_engine(engine: Engine) -> None:
    answers = engine.ask("p(a, 1). p('B c', -2).", "p(X, Y)")
    text = write_answers([(a.bindings, a.constraints) for a in answers.answers], more=answers.more)
    assert text == "X = a, Y = 1 ;\nX = 'B c', Y = -2.\n"
