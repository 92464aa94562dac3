"""Answers as text: what Prolog reads from them is what they said."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from predinet_prolog.service.prolog_text import _INFIX, _PREFIX, write_answers
from predinet_prolog.symbolic import Engine
from tests.cases import cases

CASES = cases(__file__)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine() as engine:
        yield engine


operators = st.sampled_from(sorted({*_INFIX, *_PREFIX, "|"} - {":"}))  # the worker allows no module's name
texts = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0:"), max_size=5)
signs = st.sampled_from(["[]", "{}", "!", ";", ".", "/*", "it's", "back\\slash", "\n\t", "\x01", "été"])
atoms = texts | operators | signs
numbers = (
    st.integers(-(2**53), 2**53)
    | st.floats(-1e300, 1e300)
    | st.sampled_from([-0.0, 60.0, 1e20, 1.5e-7, {"float": "inf"}, {"float": "-inf"}])
    | st.integers(2**53 + 1).map(lambda digits: {"int": str(-digits)})
    | st.integers(2).map(lambda below: {"rational": ["-1", str(below)]})
)
compound = lambda name, args: {"functor": name, "args": args}  # noqa: E731
values = st.recursive(
    atoms | numbers | texts.map(lambda text: {"string": text}),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.builds(compound, atoms | st.just([]), st.lists(inner, min_size=1, max_size=3))
        | st.builds(compound, st.just("[|]"), st.tuples(inner, atoms).map(list))
    ),
    max_leaves=6,
)
"""Of answers, in their JSON form."""


@settings(max_examples=400, deadline=None)
@example([{"functor": "-", "args": [{"functor": "-", "args": ["a", "b"]}, {"functor": "-", "args": ["c", -1]}]}])
@example([{"functor": "-", "args": [{"functor": "^", "args": [1, 2]}]}, {"functor": "-", "args": [1]}])
@example([{"functor": "\\+", "args": [{"functor": ",", "args": ["a", "b"]}]}, {"functor": "-", "args": ["-", "*"]}])
@example([{"functor": "{}", "args": [{"functor": ",", "args": ["a", "b"]}]}, {"functor": "[|]", "args": ["-", "*"]}])
@given(st.lists(values, min_size=1, max_size=4))
def test_prolog_reads_the_values_back(engine: Engine, value: list[Any]) -> None:
    """As one list, and each as an answer of its own."""
    bindings = {"L": value, **{f"V{number}": each for number, each in enumerate(value)}}
    (line,) = write_answers([(bindings, ())], more=False).splitlines()
    assert line.endswith(".")
    (answer,) = engine.ask("", line).answers
    assert answer.bindings == bindings


@pytest.mark.parametrize(("goal", "text"), CASES["terms"])
def test_terms_look_as_people_write_them(engine: Engine, goal: str, text: str) -> None:
    answers = engine.ask("", goal).answers
    assert write_answers([(a.bindings, a.constraints) for a in answers], more=False) == f"{text}\n"
    assert engine.ask("", text).answers == answers


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
