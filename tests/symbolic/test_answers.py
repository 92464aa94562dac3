"""Every kind of Prolog term as JSON, told apart from every other."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from predinet_prolog.symbolic import Answer, AnswerTooLargeError, Engine, Rules

CLPFD = Rules("clpfd.pl", ":- use_module(library(clpfd)).")


TERMS = json.loads(Path(__file__).with_name("answers.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("text", "value"), TERMS["values"])
def test_value(engine: Engine, text: str, value: object) -> None:
    answers = engine.ask(f"value({text}).", "value(X)")
    assert answers.to_json() == {"answers": [{"bindings": {"X": value}}], "more": False}
    # Equal is not enough: 1 == 1.0 == True in Python.
    assert json.dumps(answers.to_json()["answers"]) == json.dumps([{"bindings": {"X": value}}])


@given(st.text(st.characters(codec="utf-8")))
@settings(max_examples=20)
@example("".join(map(chr, range(256))))
@example("\0")
def test_texts_keep_every_character(engine: Engine, text: str) -> None:
    text = f"a{text}"  # else atom_codes/2 might make a number of it
    assert engine.ask("", f"atom_codes(X, {[*map(ord, text)]})").answers[0].bindings == {"X": text}


@given(st.floats(allow_nan=False, allow_infinity=False))
@settings(max_examples=20)
@example(-0.0)
@example(2**-1074)
def test_floats_keep_every_bit(engine: Engine, value: float) -> None:
    number = repr(value) if "." in repr(value) else repr(value).replace("e", ".0e")
    assert repr(engine.ask("", f"X = {number}").answers[0].bindings["X"]) == repr(value)


@pytest.mark.parametrize(("goal", "bindings"), TERMS["variables"])
def test_variables(engine: Engine, goal: str, bindings: dict[str, object]) -> None:
    (answer,) = engine.ask("", goal).answers
    assert answer == Answer(bindings)
    assert list(answer.bindings) == list(bindings)


@pytest.mark.parametrize(("goal", "bindings", "constraints"), TERMS["constraints"])
def test_residual_constraints(engine: Engine, goal: str, bindings: dict[str, Any], constraints: list[str]) -> None:
    assert engine.ask("", goal, rules=[CLPFD]).answers == (Answer(bindings, tuple(constraints)),)


@pytest.mark.parametrize("limit", [1, 2, 3, 7])
def test_answers_come_in_order_up_to_the_limit(engine: Engine, program: str, limit: int) -> None:
    answers = engine.ask(program, "left_of(X, Y)", limit=limit)
    pairs = [("ob_0", "ob_1"), ("ob_0", "ob_2"), ("ob_1", "ob_2")]
    assert [tuple(a.bindings.values()) for a in answers.answers] == pairs[:limit]
    assert answers.more == (limit < 3)


@pytest.mark.parametrize(("goal", "says"), TERMS["too large"])
def test_an_answer_that_is_too_large_says_why(engine: Engine, goal: str, says: str) -> None:
    """What else is too large: hostile/catalogue.toml."""
    with pytest.raises(AnswerTooLargeError, match=says):
        engine.ask("n(0, a) :- !. n(N, s(T)) :- M is N-1, n(M, T).", goal)
