"""What the errors say."""

import pytest

from predinet_prolog.symbolic import (
    Engine,
    ForbiddenError,
    PrologError,
    Rules,
    TimeLimitError,
    UnknownPredicateError,
    theory,
)


def test_an_unknown_predicate_among_very_many_is_told_quickly_and_briefly(engine: Engine) -> None:
    rules = Rules("many.pl", "\n".join(f"p{i}({', '.join('_' * (i % 3 + 1))})." for i in range(2_000)))
    with pytest.raises(UnknownPredicateError) as caught:
        engine.ask("a.", "nowhere(1)", rules=[rules])
    message = str(caught.value)
    assert message.startswith("unknown predicate nowhere/1: the program and the rules define a/0, p0/1, p1/2, p10/2, ")
    assert message.endswith(" and 1,801 more")
    assert len(message) < 5000
    with pytest.raises(UnknownPredicateError, match=r"did you mean .*p150/1"):
        engine.ask("a.", "p150(1, 2, 3)", rules=[rules])


@pytest.mark.parametrize(
    ("goal", "predicate"),
    [("'#='(a, b)", "#=/2"), ("'^'(a, b)", "^/2"), ("'is it'(a)", "'is it'/1"), ("[](1)", "[]/1")],
)
def test_an_unknown_predicate_has_its_name_and_arity(engine: Engine, goal: str, predicate: str) -> None:
    with pytest.raises(UnknownPredicateError) as caught:
        engine.ask("'it is'(a).", goal)
    assert caught.value.predicate == predicate
    assert caught.value.known == ("'it is'/1",)


@pytest.mark.parametrize("goal", ["twins(X, Y)", "object(a), between_label(L)"])
def test_a_predicate_of_a_theory_names_the_theory(engine: Engine, goal: str) -> None:
    with pytest.raises(UnknownPredicateError, match=r"/\d: the rules relations_game define it$") as caught:
        engine.ask("object(a).", goal)
    assert caught.value.theory == "relations_game"


def test_a_pattern_without_a_task_says_how_to_give_one(engine: Engine) -> None:
    program = "object(a). same(a, b). same_row(a, b). left_of(a, b). same_column(a, b). above(a, b)."
    for goal in ("row_pattern_label(L)", "column_pattern_label(L)"):
        with pytest.raises(UnknownPredicateError, match=r"task/1: say which pattern .* task\(0\)\."):
            engine.ask(program, goal, rules=[theory("relations_game")])
        assert engine.ask(program, goal, rules=[theory("relations_game"), Rules("own.pl", "task(0).")]).answers


@pytest.mark.parametrize(
    ("goal", "advice"),
    [
        ("p :- q", r"a clause cannot be asked: it belongs in a file of rules"),
        ("object(X), not(object(X))", r"write \\\+ Goal"),
        ("consult(rules)", r"give rules beside it$"),
    ],
)
def test_what_many_try_is_answered_by_what_to_do(engine: Engine, goal: str, advice: str) -> None:
    with pytest.raises(ForbiddenError, match=advice):
        engine.ask("object(a).", goal)


@pytest.mark.parametrize("comparison", ["<", "=:="])
def test_a_comparison_without_a_value_says_what_to_do(engine: Engine, comparison: str) -> None:
    for goal in (f"X {comparison} 1", f"1 {comparison} X + 1", "mine(X)"):
        with pytest.raises(PrologError) as caught:
            engine.ask(f"mine(X) :- Y {comparison} X, Y = 1.", goal)
        assert str(caught.value) == (
            f"{comparison}/2 compares numbers, and one side of it has no value yet: "
            "bind it first, as in r0(V, X, Y), small(V) [instantiation_error]"
        )
        assert caught.value.term == "instantiation_error"


def test_the_end_of_time_says_what_helps(engine: Engine) -> None:
    with pytest.raises(TimeLimitError, match=r"limit of 0\.1 s: ask for fewer answers"):
        engine.ask("", "repeat, fail", time_limit=0.1)
