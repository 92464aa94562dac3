"""Answers as text: what Prolog reads from them is what they said."""

from collections.abc import Iterator

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from predinet_prolog.quoting.prolog import quoted
from predinet_prolog.service.prolog_text import write_answers
from predinet_prolog.symbolic import Engine
from tests.cases import cases

CASES = cases(__file__)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(text=True) as engine:
        yield engine


texts = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0:"), max_size=5)
atoms = (texts | st.sampled_from(CASES["atoms"])).map(lambda name: quoted(name, "'"))
names = atoms.filter(lambda name: name != "'.'")  # a goal has neither dots nor qualifiers
values = st.recursive(
    atoms | texts.map(lambda text: quoted(text, '"')) | st.sampled_from(CASES["values"]),
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]")
        | st.builds(lambda name, items: f"{name}({', '.join(items)})", names, st.lists(inner, min_size=1, max_size=3))
        | st.builds(lambda item, rest: f"[{item}|{rest}]", inner, atoms)
    ),
    max_leaves=6,
)
"""Of answers, without operators."""


@settings(max_examples=400)
@example(["'-'('-'(a, b), '-'(c, -1))", "'-'('^'(1, 2))", "'-'(1)", "'\\\\+'(','(a, b))", "'-'('-', '*')"])
@given(st.lists(values, min_size=1, max_size=4))
def test_prolog_reads_the_values_back(engine: Engine, value: list[str]) -> None:
    """As one list, and each as an answer of its own."""
    goals = [f"L = [{', '.join(value)}]", *(f"V{number} = {text}" for number, text in enumerate(value))]
    answers = engine.ask("", ", ".join(goals))
    (line,) = write_answers(answers).splitlines()
    assert line.endswith(".")
    assert engine.ask("", line).answers == answers.answers


@pytest.mark.parametrize(("goal", "text"), CASES["terms"])
def test_terms_look_as_people_write_them(engine: Engine, goal: str, text: str) -> None:
    answers = engine.ask("", goal)
    assert write_answers(answers) == f"{text}\n"
    assert engine.ask("", text) == answers


@pytest.mark.parametrize(("goal", "text"), CASES["answers"])
def test_answers_look_as_in_prolog(engine: Engine, goal: str, text: str) -> None:
    assert write_answers(engine.ask("", goal)) == f"{text}\n"


def test_what_is_more_is_told(engine: Engine) -> None:
    answers = engine.ask("p(ob_1, 0.0123). p(ob_2, -1.0).", "p(X, V)", limit=1)
    assert write_answers(answers) == "X = ob_1, V = 0.0123 ;\n% and more: this is the first\n"
