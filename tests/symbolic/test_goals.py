"""What is no good goal, and what is said about it."""

import pytest

from predinet_prolog.symbolic import Engine, PrologError, QuerySyntaxError, UnknownPredicateError


@pytest.mark.parametrize(
    ("goal", "position", "message"),
    [
        ("", 0, "the query is empty"),
        ("/* and */ % another\n", 0, "the query is empty"),
        ("é(ä) 😀 b", 4, "Operator expected"),
        ("X = 'abc", 4, "End of file in quoted atom"),
        ("X = f('it', 'is 😀", 12, "End of file in quoted atom"),
        ('X = "abc', 4, "End of file in quoted string"),
        ("object(X), ", 11, "Unexpected"),
        ("object(X). object(Y)", 11, "one goal.*full stop.*comma"),
        ("object(X). % fine\nhalt.", 11, "one goal.*full stop.*comma"),
        ("X = '\0'", 5, "NUL"),
        ("X = " + "9" * 1500, 4, "more than 1,000 digits"),
        ("X = " + "a" * 4093, 4096, "4,097 characters; 4,096 are allowed"),
        ("X = {|html||a|}", 0, "quasi quotations"),
    ],
)
def test_syntax_errors(engine: Engine, program: str, goal: str, position: int, message: str) -> None:
    with pytest.raises(QuerySyntaxError, match=message) as caught:
        engine.ask(program, goal)
    assert caught.value.position == position
    assert caught.value.to_json() == {"error": {"kind": "syntax", "message": str(caught.value), "position": position}}
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("goal", ["no_such(X).", "p :- shell(ls)", "repeat, fail", ":- halt"])
def test_what_is_only_read_is_not_asked(engine: Engine, program: str, goal: str) -> None:
    engine.read(program, goal)
    with pytest.raises(QuerySyntaxError):
        engine.read(program, f"{goal}\nb")


@pytest.mark.parametrize(
    "goal",
    ["object(X)", " object(X) . ", "object(X). % all", "object(X).\n/* of\nthem */\n", "?- object(X).", " ?-object(X)"],
)
def test_a_full_stop_a_prompt_and_comments_are_accepted(engine: Engine, program: str, goal: str) -> None:
    assert len(engine.ask(program, goal).answers) == 3


@pytest.mark.parametrize(
    ("goal", "predicate", "hint"),
    [
        ("objct(X)", "objct/1", "did you mean object/1?"),
        ("object(X, Y)", "object/2", "did you mean object/1?"),
        ("zebra(X)", "zebra/1", "define left_of/2, object/1, same/2, position/3"),
        ("object(X), \\+ zebra(X)", "zebra/1", "define"),
    ],
)
def test_unknown_predicates(engine: Engine, program: str, goal: str, predicate: str, hint: str) -> None:
    with pytest.raises(UnknownPredicateError) as caught:
        engine.ask(program, goal)
    assert caught.value.predicate == predicate
    assert set(caught.value.known) == {"object/1", "position/3", "same/2", "left_of/2"}
    assert str(caught.value).startswith(f"unknown predicate {predicate}: ")
    assert hint in str(caught.value)
    assert caught.value.to_json()["error"]["kind"] == "unknown_predicate"


@pytest.mark.parametrize(
    ("goal", "message"),
    [
        ("X is foo + 1", "^is/2: Arithmetic.*not a function.*evaluable"),
        ("X is Y + 1", "^is/2 works out its right side, and something in it has no value yet: "),
        ("atom_length(X, L)", "^atom_length/2: Arguments"),
        ("numlist(a, 2, L)", "^Type error"),  # of must_be/2, which nobody may call
        ("X is 1 / 0", "evaluation_error"),
        ("atom_length(f(x), Y)", r"type_error\(text,f\(x\)\)"),
        ("functor(X, foo, -1)", "foo|-1"),
    ],
)
def test_exceptions_of_the_goal(engine: Engine, goal: str, message: str) -> None:
    with pytest.raises(PrologError, match=message) as caught:
        engine.ask("", goal)
    assert "scene_" not in str(caught.value), "the module's name is nobody's business"
    assert caught.value.to_json()["error"]["kind"] == "prolog"
