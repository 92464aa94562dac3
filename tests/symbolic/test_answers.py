"""Every kind of Prolog term as JSON, told apart from every other."""

import json

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from predinet_prolog.symbolic import Answer, AnswerTooLargeError, Engine, Rules

CLPFD = Rules("clpfd.pl", ":- use_module(library(clpfd)).")


def f(*args: object) -> dict[str, object]:
    return {"functor": "f", "args": list(args)}


VALUES = [
    ("'f(a)'", "f(a)"),
    ("f(a)", f("a")),
    ("f()", f()),
    ("'[]'", "[]"),
    ("[]", []),
    ("{}", "{}"),
    ('[1, [a], "s"]', [1, ["a"], {"string": "s"}]),
    ('"s"', {"string": "s"}),
    ("`ab`", [97, 98]),
    ("a-1", {"functor": "-", "args": ["a", 1]}),
    ("9007199254740992", 2**53),
    ("-9007199254740992", -(2**53)),
    ("9007199254740993", {"int": "9007199254740993"}),
    ("100000000000000000000000000000", {"int": "1" + "0" * 29}),
    ("1r3", {"rational": ["1", "3"]}),
    ("0.1", 0.1),
    ("1.0Inf", {"float": "inf"}),
    ("-1.0Inf", {"float": "-inf"}),
    ("1.5NaN", {"float": "nan"}),
    ("'quote\" back\\\\slash'", 'quote" back\\slash'),
    ("'line\\nfeed\\ttab\\x1\\'", "line\nfeed\ttab\x01"),
    ("'é 漢 😀'", "é 漢 😀"),
    ("'$VAR'(1)", {"functor": "$VAR", "args": [1]}),
    ("'$VAR'('X')", {"functor": "$VAR", "args": ["X"]}),
    ("_{a: 1}", {"functor": "dict", "args": [{"var": "_1"}, 1, "a"]}),
]


@pytest.mark.parametrize(("text", "value"), VALUES)
def test_value(engine: Engine, text: str, value: object) -> None:
    answers = engine.ask(f"value({text}).", "value(X)")
    assert answers.to_json() == {"answers": [{"bindings": {"X": value}}], "more": False}
    # Equal is not enough: 1 == 1.0 == True in Python.
    assert json.dumps(answers.to_json()["answers"]) == json.dumps([{"bindings": {"X": value}}])


@given(st.text(st.characters(codec="utf-8")))
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example("".join(map(chr, range(256))))
@example("\0")
def test_texts_keep_every_character(engine: Engine, text: str) -> None:
    text = f"a{text}"  # else atom_codes/2 might make a number of it
    assert engine.ask("", f"atom_codes(X, {[*map(ord, text)]})").answers[0].bindings == {"X": text}


@given(st.floats(allow_nan=False, allow_infinity=False))
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(-0.0)
@example(2**-1074)
def test_floats_keep_every_bit(engine: Engine, value: float) -> None:
    number = repr(value) if "." in repr(value) else repr(value).replace("e", ".0e")
    assert repr(engine.ask("", f"X = {number}").answers[0].bindings["X"]) == repr(value)


@pytest.mark.parametrize(
    ("goal", "bindings"),
    [
        ("X = f(Y, Z, Y)", {"X": f({"var": "Y"}, {"var": "Z"}, {"var": "Y"}), "Y": {"var": "Y"}, "Z": {"var": "Z"}}),
        ("X = Y", {"X": {"var": "X"}, "Y": {"var": "X"}}),
        ("X = f(A, _), A = B", {"X": f({"var": "A"}, {"var": "_1"}), "A": {"var": "A"}, "B": {"var": "A"}}),
        ("X = f(_A, _A)", {"X": f({"var": "_A"}, {"var": "_A"})}),
        ("X = f(_1, _)", {"X": f({"var": "_1"}, {"var": "_2"})}),
        ("_X = 1, Y = 2", {"Y": 2}),
        ("X = [a|T]", {"X": {"functor": "[|]", "args": ["a", {"var": "T"}]}, "T": {"var": "T"}}),
    ],
)
def test_variables(engine: Engine, goal: str, bindings: dict[str, object]) -> None:
    (answer,) = engine.ask("", goal).answers
    assert answer == Answer(bindings)  # type: ignore[arg-type]
    assert list(answer.bindings) == list(bindings)


@pytest.mark.parametrize(
    ("goal", "answer"),
    [
        ("dif(X, a)", Answer({"X": {"var": "X"}}, ("dif(X, a)",))),
        ("dif(X, f(_))", Answer({"X": {"var": "X"}}, ("dif(X, f(_1))",))),
        ("dif(X, 'A b')", Answer({"X": {"var": "X"}}, ("dif(X, 'A b')",))),
        ("dif(X, a), X = b", Answer({"X": "b"})),
        ("X #> 3, X #< 6", Answer({"X": {"var": "X"}}, ("X in 4..5",))),
        ("X #> Y", Answer({"X": {"var": "X"}, "Y": {"var": "Y"}}, ("Y#=<X+ -1",))),
    ],
)
def test_residual_constraints(engine: Engine, goal: str, answer: Answer) -> None:
    assert engine.ask("", goal, rules=[CLPFD]).answers == (answer,)


@pytest.mark.parametrize("limit", [1, 2, 3, 7])
def test_answers_come_in_order_up_to_the_limit(engine: Engine, program: str, limit: int) -> None:
    answers = engine.ask(program, "left_of(X, Y)", limit=limit)
    pairs = [("ob_0", "ob_1"), ("ob_0", "ob_2"), ("ob_1", "ob_2")]
    assert [tuple(a.bindings.values()) for a in answers.answers] == pairs[:limit]
    assert answers.more == (limit < 3)


@pytest.mark.parametrize("goal", ["X = f(X)", "X = [a|X]", "X = f(Y), Y = g(X)"])
def test_cyclic_terms_are_refused(engine: Engine, goal: str) -> None:
    with pytest.raises(AnswerTooLargeError, match="X is bound to a cyclic term"):
        engine.ask("", goal)


DOUBLED = "d(0, a) :- !. d(N, f(T, T)) :- M is N-1, d(M, T). v(0, _) :- !. v(N, f(T, T)) :- M is N-1, v(M, T)."


@pytest.mark.parametrize(
    "goal",
    [
        "d(60, X)",  # 2^60 nodes when written, 60 in memory
        "v(60, X)",
        "d(60, X), dif(Y, X)",
        "numlist(1, 300000, X)",
        "between(1, 1000, _), numlist(1, 1000, X)",  # each answer is small
        f"length(_L, 50000), maplist(=({'a' * 100}), _L), atomic_list_concat(_L, X)",
        "n(101, X)",
    ],
)
def test_answers_too_large(engine: Engine, goal: str) -> None:
    deep = "n(0, a) :- !. n(N, s(T)) :- M is N-1, n(M, T)."
    with pytest.raises(AnswerTooLargeError, match=r"too large|nested deeper"):
        engine.ask(f"{DOUBLED}\n{deep}", goal)
