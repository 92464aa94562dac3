"""Goals without measure: each is stopped, by the limit that holds against it, and the next question is answered."""

import contextlib
import sys
from pathlib import Path

import pytest

from symbolic import (
    AnswerTooLargeError,
    Engine,
    ForbiddenError,
    ProgramError,
    PrologError,
    QuerySyntaxError,
    Rules,
    SymbolicError,
    TimeLimitError,
    UnknownPredicateError,
    WorkerError,
)
from symbolic.limits import NESTING
from symbolic.precheck import check_goal, check_text

pytestmark = [pytest.mark.slow(10), pytest.mark.usefixtures("time_to_load")]

DEEP = "down(N) :- M is N+1, down(M), true. loop :- loop. ping :- pong. pong :- ping."

ENDLESS = [
    "repeat, fail",
    "between(1, inf, X), fail",
    "loop",
    "ping",
    "length(L, X), fail",
    "forall(repeat, true)",
    "aggregate_all(count, repeat, N)",
    "findall(X, between(1, inf, X), L)",
    "setof(X, between(1, inf, X), L)",
    "numlist(1, 100000000, L), fail",
    "length(L, 100), maplist(between(0, 1), L), fail",
    "numlist(1, 12, L), permutation(L, P), fail",
    "limit(1, (repeat, fail))",
    "order_by([asc(X)], between(1, inf, X))",
    "distinct(1, repeat), fail",
    "\\+ \\+ (repeat, fail)",
    "length(L, 7), append(L, M), fail",
]


@pytest.mark.parametrize("goal", ENDLESS)
def test_endless_goals(engine: Engine, goal: str) -> None:
    with pytest.raises((TimeLimitError, PrologError), match=r"time limit of 0\.2 s|more memory than a query may have"):
        engine.ask(DEEP, goal, time_limit=0.2)
    assert len(engine.ask(DEEP, "true").answers) == 1


@pytest.mark.parametrize("goal", ["down(0)", "numlist(1, 50000000, L)", "findall(X, between(1, 30000000, X), L)"])
def test_goals_that_fill_the_stacks(engine: Engine, goal: str) -> None:
    with pytest.raises(PrologError, match="more memory than a query may have"):
        engine.ask(DEEP, goal, time_limit=60)


def test_constraints_without_end(engine: Engine) -> None:
    clpfd = Rules("c.pl", ":- use_module(library(clpfd)).")
    with pytest.raises(TimeLimitError):
        engine.ask("", "length(L, 40), L ins 0..1, sum(L, #=, 20), label(L), fail", rules=[clpfd], time_limit=0.3)
    assert engine.ask("", "X #> 1, X #< 3", rules=[clpfd]).answers[0].bindings == {"X": 2}


# One operation of GMP: Prolog's own time limit waits for its end.
LONG_OPERATIONS = [
    "X is gcd(7**9000000, 3**15000000)",
    "X is powm(3**200000, 7**200000, 11**200000)",
]


@pytest.mark.parametrize("goal", LONG_OPERATIONS)
def test_long_arithmetic_is_killed_from_outside(goal: str) -> None:
    with Engine() as engine:
        engine.ask("", "true")
        assert engine._worker is not None
        pid = engine._worker.pid
        with pytest.raises(TimeLimitError, match=r"0\.2 s"):
            engine.ask("", goal, time_limit=0.2)
        assert len(engine.ask("", "true").answers) == 1
        assert engine._worker.pid != pid


@pytest.mark.parametrize("goal", ["X is 7**(7**(7**7))", "functor(T, f, 1000000000)", "length(L, 10000000000)"])
def test_impossible_sizes_are_refused_at_once(engine: Engine, goal: str) -> None:
    with pytest.raises(PrologError):
        engine.ask("", goal)


def test_memory_outside_the_stacks_ends_the_worker_at_worst() -> None:
    """Collected answers are allocated outside Prolog's stacks: the address space is the limit."""
    with Engine(time_limit=60) as engine:
        engine.ask("", "true")
        assert engine._worker is not None
        if sys.platform == "linux":
            rows = Path(f"/proc/{engine._worker.pid}/limits").read_text().splitlines()
            (row,) = [row for row in rows if row.startswith("Max address space")]
            assert row.split()[3:5] == ["1073741824", "1073741824"], "one GiB; without it the goal takes the machine's"
        # No time limit: that would end the goal with any amount of memory.
        with pytest.raises((WorkerError, PrologError), match=r"died|memory"):
            engine.ask("", "numlist(1, 100000, N), findall(N, repeat, L)")
        assert len(engine.ask("", "true").answers) == 1


PARSER_ATTACKS = [
    "(" * 4096,
    "X = " + "(" * 2000 + "a" + ")" * 2000,
    "- " * 2040 + "1",
    "\\+ " * 1300 + "true",
    "a" + ",a" * 2047,
    "X = " + "a:-" * 1300 + "a",
    "X = [" + "a," * 2000 + "a]",
    "X = f" + "(f" * 99 + ")" * 99,
    "X = {" * 800,
    "X = " + "1" * 999,
    "X = 1e" + "9" * 500,
    "X = 1" + "0" * 900 + "r3",
    "X = 0'" * 500,
    "X = '" + "\\x41\\" * 800 + "'",
    'X = "' + "a" * 4085 + '"',
    "X = " + "_," * 1000 + "_",
    "X = (" + "A;" * 1500 + "B)",
    "/*" * 2000,
    "%" * 4096,
    "`" * 4095,
    "\\" * 4096,
    "X = 16'" + "F" * 900,
    "X = _{" + "a:_{" * 90 + "}" * 91,
    "X = f(" + "A" + ",A" * 1900 + ")",
    "\ufeffX = 1",
    "X = '\\u{110000}'",
    "X = '\\uD800'",
    "." * 4096,
    "a. " * 1300,
]


@pytest.mark.parametrize("goal", PARSER_ATTACKS, ids=range(len(PARSER_ATTACKS)))
def test_parser_attacks_on_the_goal(engine: Engine, goal: str) -> None:
    """Each is either answered or refused in words; none ends the worker."""
    engine.ask("", "true")
    assert engine._worker is not None
    pid = engine._worker.pid
    with contextlib.suppress(QuerySyntaxError, UnknownPredicateError, ForbiddenError, AnswerTooLargeError):
        engine.ask("", goal)
    engine.ask("", "true")
    assert engine._worker.pid == pid


@pytest.mark.parametrize(
    "text",
    [
        "p(" * 20_000,
        "p(" + "(" * 20_000 + "a" + ")" * 20_000 + ").",
        "p([" * 150 + "])" * 150 + ".",
        "p(" + "9" * 10**6 + ").",
    ],
)
def test_parser_attacks_on_rules_are_seen_before_prolog_sees_them(engine: Engine, text: str) -> None:
    with pytest.raises(ProgramError, match=r"rules\.pl:1: (brackets nested|a number)"):
        engine.ask("", "true", rules=[Rules("rules.pl", text)])


def test_a_text_that_slips_through_kills_a_worker_at_worst() -> None:
    """Brackets that are hidden from the coarse check by others in quotes, and prefix operators, which are none."""
    with Engine() as engine:
        texts = [
            "p(" + "(')'," * 30_000 + "a.",
            "p :- " + "\\+ " * 500_000 + "true.",
            "p(" + "- " * 500_000 + "1).",
        ]
        for text in texts:
            with contextlib.suppress(SymbolicError):
                engine.ask("", "true", rules=[Rules("rules.pl", text)])
            assert len(engine.ask("", "true").answers) == 1


@pytest.mark.parametrize("pair", ["()", "[]", "{}"])
def test_nesting_is_counted_exactly(pair: str) -> None:
    def nested(depth: int) -> str:
        return pair[0] * depth + pair[1] * depth

    check_goal(nested(NESTING))
    check_goal(f"f(a), {nested(NESTING)}, [b]")
    check_text("t", "f(g(a), []).\n" * 100_000)
    with pytest.raises(QuerySyntaxError, match="nested"):
        check_goal(nested(NESTING + 1))
    with pytest.raises(QuerySyntaxError, match="nested"):
        check_goal(pair[0] * (NESTING + 1))


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
def test_a_time_limit_is_a_positive_number(engine: Engine, seconds: float) -> None:
    with pytest.raises(ValueError, match="positive number of seconds"):
        engine.ask("", "true", time_limit=seconds)
    with pytest.raises(ValueError, match="positive number of seconds"):
        Engine(time_limit=seconds)


def test_a_limit_is_a_positive_number(engine: Engine) -> None:
    with pytest.raises(ValueError, match="positive number of answers"):
        engine.ask("", "true", limit=0)
    with pytest.raises(ValueError, match="positive number of answers"):
        Engine(answer_limit=0)


def test_nobody_gets_more_answers_than_the_engines_limit() -> None:
    with Engine(answer_limit=3) as engine:
        for wanted, number in ((2, 2), (3, 3), (4, 3), (1000, 3), (None, 3)):
            answers = engine.ask("", "between(1, 9, X)", limit=wanted)
            assert [answer.bindings["X"] for answer in answers.answers] == list(range(1, number + 1))
            assert answers.more


def test_the_budget_is_for_all_answers_together(engine: Engine) -> None:
    ten_thousand = "between(1, 40, _), numlist(1, 10000, X)"
    assert len(engine.ask("", ten_thousand, limit=20).answers) == 20
    with pytest.raises(AnswerTooLargeError):
        engine.ask("", ten_thousand, limit=40)
