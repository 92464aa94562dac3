"""Tables: rules that call themselves end, with every answer once; tables that would not end do so at the limits."""

from collections.abc import Iterator

import pytest

from predinet_prolog.symbolic import Engine, ProgramError, PrologError, Rules, SymbolicError, TimeLimitError

PROGRAM = "next(a, b). next(b, a). next(b, c). object(a). object(b). object(c)."
CLAUSES = "far(X, Y) :- next(X, Y).\nfar(X, Y) :- far(X, Z), next(Z, Y).\n"
CURE = r"far/2 calls itself.*`:- table far/2\.`"


def rules(*texts: str) -> list[Rules]:
    return [Rules(f"{number}.pl", text) for number, text in enumerate(texts)]


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(time_limit=30, answer_limit=50) as engine:
        yield engine


def test_a_table_has_every_answer_once_and_ends(engine: Engine) -> None:
    answers = engine.ask(PROGRAM, "far(X, Y)", rules=rules(f":- table far/2, none/1.\n{CLAUSES}")).answers
    pairs = sorted(f"{answer.bindings['X']}{answer.bindings['Y']}" for answer in answers)
    assert pairs == ["aa", "ab", "ac", "ba", "bb", "bc"]
    assert not engine.ask(PROGRAM, "none(X)", rules=rules(":- table none/1.")).answers


def test_a_proof_by_a_table_rests_on_facts(engine: Engine) -> None:
    (answer,) = engine.ask(PROGRAM, "far(b, b)", rules=rules(f":- table(far/2).\n{CLAUSES}"), why=True).answers
    heads, steps = [], [answer.why]
    while steps:
        step = steps.pop()
        heads.append(step.goal)
        steps += step.because
    assert sorted(heads) == ["far(b, a)", "far(b, b)", "next(a, b)", "next(b, a)"]
    missed = engine.ask(PROGRAM, "far(c, X)", rules=rules(f":- table far/2.\n{CLAUSES}"), why=True).why_not
    assert missed.goal.startswith("far(c")


@pytest.mark.parametrize(
    ("text", "goal", "error", "said"),
    [
        (CLAUSES, "far(c, X)", PrologError, f"memory.*{CURE}"),
        ("p(X) :- q(X). q(X) :- r, p(X). r.", "p(a)", TimeLimitError, "q/1 calls itself"),
        (f":- table far/2.\n{CLAUSES} p :- repeat, fail.", "far(a, c), p", TimeLimitError, "fewer answers"),
        (":- table n/1. n(0). n([X]) :- n(X).", "n(X), X == z", PrologError, "memory"),
        (":- table next/2.", "true", ProgramError, "1.pl:1: next/2 is defined by the program"),
        (":- table call/9.", "true", ProgramError, "call/9 is built in"),
        (":- table p(lattice(halt/3)). p(a).", "true", ProgramError, "table/1 of Name/Arity"),
    ],
)
def test_what_ends_not_or_is_none(engine: Engine, text: str, goal: str, error: type[SymbolicError], said: str) -> None:
    """And the same worker still answers rightly."""
    with pytest.raises(error, match=said):
        engine.ask(PROGRAM, goal, rules=rules("", text), time_limit=0.5 if error is TimeLimitError else 30)
    test_a_table_has_every_answer_once_and_ends(engine)


def test_a_world_has_tables_of_its_own(engine: Engine) -> None:
    """What is supposed changes from goal to goal, and no table outlives that."""
    program = """
        object(a). object(b). object(c).
        coordinate(r0, a, 0.0). coordinate(r0, b, 0.0). coordinate(r0, c, 9.0).
        same(X, Y) :- object(X), object(Y), X \\== Y, coordinate(r0, X, A), coordinate(r0, Y, B), abs(A - B) < 1.
    """
    table = rules(":- table kin/2.\nkin(X, Y) :- same(X, Y).\nkin(X, Y) :- kin(X, Z), same(Z, Y).\n")
    assert not engine.ask(program, "kin(a, c)", rules=table).answers
    told = engine.suppose(program, ["same(b, c)"], "kin(a, c)", rules=table)
    assert (len(told.before.answers), len(told.after.answers)) == (0, 1)
    turns = engine.least_changes(program, "kin(a, c)", rules=table)
    assert {change.object for changes in turns.least for change in changes} == {"a", "c"}
