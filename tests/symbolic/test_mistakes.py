"""Mistakes in goals, rules and programs: each is one line of the right kind, which names the place and what to do."""

from collections.abc import Iterator
from typing import Any

import pytest

from predinet_prolog.service.errors import kind_of
from predinet_prolog.symbolic import Engine, Rules, SymbolicError
from predinet_prolog.symbolic import theory as theory_of
from predinet_prolog.symbolic.errors import PrologError, QuerySyntaxError, TimeLimitError, UnknownPredicateError
from tests.cases import cases

pytestmark = pytest.mark.usefixtures("time_to_load")
TABLE = cases(__file__)
TEXTS = TABLE["texts"]
LOOKS, RULES_OF_LOOKS = TEXTS["looks"], TEXTS["rules of looks"]
MINE = {"kind": "program", "name": "mine.pl"}
LONG: list[dict[str, Any]] = [
    {"kind": "syntax", "goal": "X = " + "9" * 1500, "position": 4, "says": "more than 1,000 digits"},
    {"kind": "syntax", "goal": "X = " + "a" * 4093, "position": 4096, "says": "4,097 characters; 4,096 are allowed"},
    {"kind": "program", "program": "p.\n" * 1_500_000, "line": 1_500_001, "says": "4,194,304 are allowed"},
    MINE | {"rules": "p.\nq(" + ",".join("a" * 2000) + ").", "line": 2, "says": "at most 1024 arguments"},
    MINE | {"rules": "p.\nq :- " + "\\+ " * 6000 + "p.", "line": 2, "says": "nested more than 5,000 deep"},
    MINE | {"rules": ":- p('" + "x" * 100_000 + "').", "line": 1, "says": r"^.{,1000}$"},
]


def rows() -> Iterator[dict[str, Any]]:
    for group in TABLE["group"]:
        shared = {name: value for name, value in group.items() if name not in ("what", "fields", "rows")}
        yield from (shared | dict(zip(group["fields"], row, strict=True)) for row in group["rows"])
    yield from LONG


@pytest.mark.parametrize("case", list(rows()), ids=lambda case: f"{case['kind']}: {case.get('goal', '')[:40]}")
def test_a_mistake_is_one_line_that_says_what_and_where(engine: Engine, case: dict[str, Any]) -> None:
    program, rules = (TEXTS.get(case.get(name, ""), case.get(name, "")) for name in ("program", "rules"))
    with pytest.raises(SymbolicError, match=case.get("says")) as caught:
        engine.ask(program, case.get("goal", "true"), rules=[Rules("mine.pl", rules)] if rules else [])
    error = caught.value
    assert kind_of(error) == case["kind"]
    for name in ("position", "line", "name", "predicate", "theory"):
        assert name not in case or getattr(error, name) == case[name]
    if case["kind"] == "program":
        assert str(error).startswith(f"{case.get('name', 'program')}:{case['line']}: ")
    if case["kind"] != "prolog":
        assert "\n" not in str(error)
    assert "scene_" not in str(error), "the module's name is nobody's business"


def test_what_is_known_is_told_with_what_is_unknown(engine: Engine) -> None:
    """Quickly and briefly, among very many."""
    with pytest.raises(UnknownPredicateError) as caught:
        engine.ask(TEXTS["three in a row"], "zebra(X)")
    assert set(caught.value.known) == {"object/1", "position/3", "same/2", "left_of/2"}
    rules = Rules("many.pl", "\n".join(f"p{i}({', '.join('_' * (i % 3 + 1))})." for i in range(2_000)))
    with pytest.raises(UnknownPredicateError) as caught:
        engine.ask("a.", "nowhere(1)", rules=[rules])
    message = str(caught.value)
    assert message.startswith("unknown predicate nowhere/1: the program and the rules define a/0, p0/1, p1/2, p10/2, ")
    assert message.endswith(" and more")
    assert message.count("/") == 1 + 12
    with pytest.raises(UnknownPredicateError, match=r"did you mean .*p150/1"):
        engine.ask("a.", "p150(1, 2, 3)", rules=[rules])


def test_a_pattern_without_a_task_says_how_to_give_one(engine: Engine) -> None:
    program = "object(a). same(a, b). same_row(a, b). left_of(a, b). same_column(a, b). above(a, b)."
    game = theory_of("relations_game")
    for goal in ("row_pattern_label(L)", "column_pattern_label(L)"):
        with pytest.raises(UnknownPredicateError, match=r"task/1: say which pattern .* task\(0\)\."):
            engine.ask(program, goal, rules=[game])
        assert engine.ask(program, goal, rules=[game, Rules("own.pl", "task(0).")]).answers


@pytest.mark.parametrize("comparison", ["<", "=:="])
def test_a_comparison_without_a_value_says_what_to_do(engine: Engine, comparison: str) -> None:
    for goal in (f"X {comparison} 1", f"1 {comparison} X + 1", "mine(X)"):
        with pytest.raises(PrologError) as caught:
            engine.ask(f"mine(X) :- Y {comparison} X, Y = 1.", goal)
        said = f"{comparison}/2 compares numbers, and one side of it has no value yet: bind it first, as in "
        assert str(caught.value) == f"{said}r0(V, X, Y), small(V) [instantiation_error]"
        assert caught.value.term == "instantiation_error"


def test_the_end_of_time_says_what_helps(engine: Engine) -> None:
    with pytest.raises(TimeLimitError, match=r"limit of 0\.1 s: ask for fewer answers"):
        engine.ask("", "repeat, fail", time_limit=0.1)


# --- What is no mistake, and what only looks like one ---


@pytest.mark.parametrize("goal", TABLE["other_constants"])
def test_other_constants_are_asked_as_they_are(engine: Engine, goal: str) -> None:
    engine.ask(LOOKS, goal, rules=[Rules("own.pl", RULES_OF_LOOKS)])


def test_a_program_that_takes_long_to_look_through_is_asked_all_the_same(engine: Engine) -> None:
    """Whether the argument of p0 is an object has 2^60 ways to come out as no."""
    rules = "".join(f"p{i}(X) :- p{i + 1}(X), p{i + 1}(X).\n" for i in range(60))
    assert engine.ask(f"object(a). {rules} p60(b).", "p0(c)").answers == ()


@pytest.mark.parametrize(("goal", "mistaken"), TABLE["capitals"])
def test_a_capital_letter_makes_a_variable(engine: Engine, goal: str, mistaken: dict[str, str]) -> None:
    answers = engine.ask(LOOKS, goal)
    begins = "begins with a capital letter, so it is a variable: did you mean"
    assert answers.hints == tuple(f"{name} {begins} {atom}?" for name, atom in mistaken.items())
    assert answers.to_json().get("hints", []) == list(answers.hints)
    assert engine.ask(LOOKS, goal, why=True).hints == answers.hints


def test_a_colour_that_the_palette_lacks_is_told_of(engine: Engine) -> None:
    program = "object(a). same(a, a). palette(red, 200, 0, 0). palette(blue, 0, 0, 200). colour(a, red)."
    assert engine.ask(program, "colour(a, Red), colour(a, red)").hints[1:] == ()
    hints = engine.ask(program, "big(_)", rules=[Rules("mine.pl", TEXTS["hardly meant"])]).hints
    assert list(hints) == TABLE["of_rules"]


@pytest.mark.parametrize(("program", "goal", "hint"), TABLE["nearly"])
def test_what_is_nearly_a_word_is_told_of(engine: Engine, program: str, goal: str, hint: str) -> None:
    assert "; ".join(engine.ask(TEXTS.get(program, program), goal).hints) == hint


@pytest.mark.parametrize(("goal", "rules", "hints"), TABLE["hardly_meant"])
def test_what_is_hardly_meant_is_told_of(engine: Engine, goal: str, rules: str, hints: list[str]) -> None:
    program = "object(a). object(b). category(a, person). category(b, dog). above(a, b)."
    assert list(engine.ask(program, goal, rules=[Rules("mine.pl", rules)]).hints) == hints


@pytest.mark.parametrize("goal", ["same(X,,Y)", "X = 'abc", "same(X, Y), ", "object(X). object(Y)"])
def test_what_nobody_knows_gets_no_hint(engine: Engine, goal: str) -> None:
    with pytest.raises(QuerySyntaxError) as caught:
        engine.ask(LOOKS, goal)
    words = ("missing", "begins", "blank", "closes nothing", "write a")
    assert not any(word in str(caught.value) for word in words)


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
