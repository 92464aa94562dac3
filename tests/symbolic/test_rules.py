"""Programs and rule files: what loads, what does not, and what is said about it."""

from pathlib import Path

import pytest

from predinet_prolog.symbolic import Engine, ForbiddenError, ProgramError, Rules, SymbolicError, UnknownPredicateError
from predinet_prolog.symbolic.swipl import run_swipl
from tests.cases import cases

CASES = cases(__file__)

pytestmark = pytest.mark.usefixtures("time_to_load")


def rules(text: str, name: str = "mine.pl") -> list[Rules]:
    return [Rules(name, text)]


def test_rules_see_the_program_and_each_other(engine: Engine, program: str) -> None:
    first = Rules("first.pl", "pair(X, Y) :- second(X), second(Y), left_of(X, Y).")
    second = Rules("second.pl", "second(X) :- object(X), same(X, _).")
    (answer,) = engine.ask(program, "pair(X, Y)", rules=[first, second]).answers
    assert answer.bindings == {"X": "ob_0", "Y": "ob_2"}


@pytest.mark.parametrize(("text", "goal", "first"), CASES["programs"])
def test_programs_are_prolog(engine: Engine, text: str, goal: str, first: dict[str, object]) -> None:
    assert engine.ask(text, goal).answers[0].bindings == first


HEADER = CASES["header"]


def test_plain_swipl_loads_the_same_file(tmp_path: Path, program: str) -> None:
    scene, mine = tmp_path / "scene.pl", tmp_path / "mine.pl"
    scene.write_text(program)
    mine.write_text(HEADER.replace(", object/1", ""))  # which would hide the scene's own inside the module
    run = run_swipl("-g", "seen(N), print(N), nl", "-t", "halt", scene, mine)
    assert (run.stdout, run.stderr) == ("3\n", "")


def test_an_unknown_predicate_in_a_body_is_an_error_when_it_is_called(engine: Engine) -> None:
    text = rules("p(X) :- X = 0 ; X = 1 ; zebra(X).")
    assert len(engine.ask("", "p(X)", rules=text, limit=1).answers) == 1
    with pytest.raises(UnknownPredicateError, match="unknown predicate zebra/1") as caught:
        engine.ask("", "p(2)", rules=text)
    assert caught.value.known == ("p/1",)


def test_two_rule_files_cannot_define_the_same(engine: Engine) -> None:
    """Not even under the same name, or with the name that messages give the program."""
    for first, second in [("a.pl", "b.pl"), ("a.pl", "a.pl"), ("a.pl", "program"), ("program", "program")]:
        with pytest.raises(ProgramError, match=f"p/1 is defined by {first} already"):
            engine.ask("", "true", rules=[Rules(first, "p(1)."), Rules(second, "p(2).")])
    with pytest.raises(ProgramError, match=r"p/1 is defined by the program already .*: rename it, or leave these"):
        engine.ask("p(0).", "true", rules=[Rules("program", "p(1).")])


MODERN = CASES["modern"]


@pytest.mark.parametrize(("goal", "bindings"), CASES["modern_goals"])
def test_grammars_and_lambda_expressions(engine: Engine, goal: str, bindings: dict[str, object]) -> None:
    """Whose bodies pass the guard as others do: tests/symbolic/hostile has what it refuses."""
    (answer, *_) = engine.ask("", goal, rules=rules(MODERN)).answers
    assert {name: answer.bindings[name] for name in bindings} == bindings
    with pytest.raises(ForbiddenError, match=r"mine.pl:1: shell/1 is not allowed"):
        engine.ask("", "true", rules=rules("p --> {shell(ls)}."))


def test_the_trusted_may_call_anything() -> None:
    text = r"""
        :- op(700, xfx, likes).
        ann likes bob.
        safely(X) :- catch(atom_length(_, _), error(X, _), true).
        named(X) :- format(atom(X), "~w!", [hi]).
        stored(X) :- assertz(kept(1)), kept(X).
    """
    values = {"X likes bob": "ann", "safely(X)": "instantiation_error", "named(X)": "hi!", "stored(X)": 1}
    with Engine(time_limit=10, trust=True) as engine:
        for goal, value in values.items():
            assert engine.ask("object(a).", goal, rules=rules(text)).answers[0].bindings["X"] == value
    with Engine() as engine, pytest.raises(SymbolicError, match="not allowed"):
        engine.ask("object(a).", "object(X)", rules=rules(text))


def test_the_directives_of_a_file_that_plain_swipl_can_load(engine: Engine, program: str) -> None:
    assert engine.ask(program, "seen(N)", rules=rules(HEADER)).answers[0].bindings == {"N": 3}
    assert engine.ask(program, "never(X) ; seldom(X, X)", rules=rules(HEADER)).answers == ()
    assert len(engine.ask(program, "object(X)", rules=rules(HEADER)).answers) == 3


def test_another_file_may_define_what_was_declared_dynamic(engine: Engine) -> None:
    declared = Rules("declared.pl", ":- dynamic task/1.\nlabel(X) :- task(X).")
    given = Rules("given.pl", "task(7).")
    assert engine.ask("", "label(X)", rules=[declared]).answers == ()
    assert engine.ask("", "label(X)", rules=[declared, given]).answers[0].bindings == {"X": 7}
    assert engine.ask("task(8).", "label(X)", rules=[declared]).answers[0].bindings == {"X": 8}
