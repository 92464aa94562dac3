"""What beginners get wrong, and what they are told: names that no object has, capital letters, commas, brackets."""

import pytest

from predinet_prolog.symbolic import Engine, QuerySyntaxError, Rules, UnknownObjectError

PROGRAM = """
object(ob_0). object(ob_1). object(ob_2).
background(ob_3).
position(ob_0, 6.0, 6.0). position(ob_1, 18.0, 6.0). position(ob_2, 30.0, 6.0). position(ob_3, 6.0, 30.0).
colour(ob_0, red). colour(ob_1, blue). colour(ob_2, red).
r0(0.5, ob_0, ob_3). r0(0.25, ob_1, ob_2).
r1(_, _, _) :- fail.
coordinate(r0, ob_0, 0.25). coordinate(r0, ob_1, 0.75). coordinate(r0, ob_2, 0.25).
holds(r0, V, X, Y) :- r0(V, X, Y).
same(X, Y) :- near(r0, X, Y, 0.1).
near(R, X, Y, T) :- object(X), object(Y), X \\== Y, coordinate(R, X, A), coordinate(R, Y, B), abs(A - B) =< T.
above(X, Y) :- object(X), object(Y), position(X, _, A), position(Y, _, B), A < B.
in_line(X, Y, Z) :- beside(X, Y, Z).
in_line(X, Y, Z) :- beside(Y, Z, X).
beside(X, Y, Z) :- object(X), object(Y), object(Z).
named(X, X) :- object(X).
named(X, anything) :- object(X).
"""
RULES = """
chain(X, Y) :- above(X, Y).
chain(X, Y) :- above(X, Z), chain(Z, Y).
odd(X) :- ( object(X) ; X = anything ).
"""


@pytest.mark.parametrize(
    ("goal", "name"),
    [
        ("same(ob0, X)", "ob0"),
        ("position('Ob_0', X, Y)", "'Ob_0'"),
        ("holds(r0, V, X, ob4)", "ob4"),
        ("near(r0, ob_0, ob_5, 0.1)", "ob_5"),
        ("in_line(X, Y, cup)", "cup"),
        ("object(X), \\+ same(X, ob0)", "ob0"),
        ("forall(object(X), above(ob0, X))", "ob0"),
        ("chain(ob_0, ob0)", "ob0"),
    ],
)
def test_an_object_that_is_not_there(engine: Engine, goal: str, name: str) -> None:
    with pytest.raises(UnknownObjectError) as caught:
        engine.ask(PROGRAM, goal, rules=[Rules("own.pl", RULES)])
    assert str(caught.value) == f"no object {name}: there are ob_0 … ob_2"
    assert caught.value.to_json() == {"error": {"kind": "unknown_object", "message": str(caught.value)}}
    assert (caught.value.name, caught.value.objects) == (name, ("ob_0", "ob_1", "ob_2"))


@pytest.mark.parametrize(
    "goal",
    [
        "position(ob_3, X, Y)",  # in the background
        "colour(X, green)",  # the second argument is no object
        "coordinate(r9, X, C)",
        "r1(V, cup, Y)",  # nothing says what its arguments are
        "object(ob_9)",  # whether there is one is the question
        "named(ob_0, something)",  # not in all clauses
        "member(X, [ob_9])",
    ],
)
def test_other_constants_are_asked_as_they_are(engine: Engine, goal: str) -> None:
    engine.ask(PROGRAM, goal, rules=[Rules("own.pl", RULES)])


def test_a_program_that_takes_long_to_look_through_is_asked_all_the_same(engine: Engine) -> None:
    """Whether the argument of p0 is an object has 2^60 ways to come out as no."""
    rules = "".join(f"p{i}(X) :- p{i + 1}(X), p{i + 1}(X).\n" for i in range(60))
    assert engine.ask(f"object(a). {rules} p60(b).", "p0(c)").answers == ()


@pytest.mark.parametrize(
    ("goal", "mistaken"),
    [
        ("same(OB_0, Ob_2)", {"OB_0": "ob_0", "Ob_2": "ob_2"}),
        ("colour(X, Red)", {"Red": "red"}),
        ("findall(X, colour(X, Red), L)", {"Red": "red"}),
        ("colour(X, Green)", {}),
        ("same(X, Y), colour(X, C)", {}),
        ("colour(X, _Red)", {}),
    ],
)
def test_a_capital_letter_makes_a_variable(engine: Engine, goal: str, mistaken: dict[str, str]) -> None:
    answers = engine.ask(PROGRAM, goal)
    assert answers.hints == tuple(
        f"{name} begins with a capital letter, so it is a variable: did you mean {atom}?"
        for name, atom in mistaken.items()
    )
    assert answers.to_json().get("hints", []) == list(answers.hints)
    assert engine.ask(PROGRAM, goal, why=True).hints == answers.hints


@pytest.mark.parametrize(
    ("goal", "position", "hint"),
    [
        ("object(X) same(X, Y)", 9, "is a comma missing before same?"),
        ("X in 1..3", 1, "in is of library(clpfd): begin a file of rules with `:- use_module(library(clpfd)).`"),
        ("X = 'a b' object(X)", 9, "is a comma missing before object?"),
        ("object(X) and same(X, Y)", 9, "write a comma for and"),
        ("object (X)", 6, "no blank may stand between object and its bracket"),
        ("Object(X)", 5, "Object begins with a capital letter, so it is a variable: did you mean object?"),
        ("same(X, Y", 9, "a closing ) is missing for the ( at character 4"),
        ("X = '(', object(X", 17, "a closing ) is missing for the ( at character 15"),
        ("same(X, Y))", 9, "the ) at character 10 closes nothing"),
        *((goal, None, None) for goal in ("same(X,,Y)", "X = 'abc", "same(X, Y), ", "object(X). object(Y)")),
    ],
)
def test_a_syntax_error_says_what_may_be_wrong(
    engine: Engine, goal: str, position: int | None, hint: str | None
) -> None:
    with pytest.raises(QuerySyntaxError) as caught:
        engine.ask(PROGRAM, goal)
    if hint is None:  # nobody knows
        words = ("missing", "begins", "blank", "closes nothing", "write a")
        assert not any(word in str(caught.value) for word in words)
    else:
        assert f": {hint} (at character " in str(caught.value)
        assert caught.value.position == position
