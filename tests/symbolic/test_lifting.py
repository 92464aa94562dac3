"""Rules and goals that were written for one picture, asked of a base of many: of each as of its own program."""

import pytest

from predinet_prolog.symbolic import Engine, QuerySyntaxError, Rules, SymbolicError, UnknownPredicateError
from tests.cases import cases

CASES = cases(__file__)

FACTS = CASES["pictures"]
CLAUSES = (
    "alike({0}X, Y) :- kind({0}X, K), kind({0}Y, K), X \\== Y.\nconfidence(alike({0}X, Y), 0.5) :- next({0}X, Y).\n"
)
BASE = CLAUSES.format("Image, ") + "".join(
    [f"image('{name}', 4, 4, none).\n" for name in FACTS]
    + sorted(fact.replace("(", f"('{name}', ", 1) + ".\n" for name, facts in FACTS.items() for fact in facts)
)
RULES = Rules("r.pl", CASES["rules"])


@pytest.mark.parametrize("goal", CASES["goals"])
def test_every_picture_answers_as_its_own_program(engine: Engine, goal: str) -> None:
    own = [clause for clause in RULES.text.splitlines() if "in(Image" not in clause and "image(" not in clause]
    rules = [Rules("r.pl", "\n".join(own).replace(":- dynamic kind/2.", ""))]
    alone = []
    for name, facts in FACTS.items():
        program = "".join(f"{fact}.\n" for fact in sorted(facts)) + "next(_, _) :- fail.\n" + CLAUSES.format("")
        alone += [{"Image": name, **answer.bindings} for answer in engine.ask(program, goal, rules=rules).answers]
    assert alone
    assert [answer.bindings for answer in engine.ask(BASE, goal, rules=[RULES]).answers] == alone


@pytest.mark.parametrize(("goal", "answers"), CASES["named"])
def test_what_names_pictures_stays_as_it_is(engine: Engine, goal: str, answers: list[dict[str, object]]) -> None:
    told = [answer.bindings for answer in engine.ask(BASE, goal, rules=[RULES]).answers]
    assert [dict(sorted(each.items())) for each in told] == answers


@pytest.mark.parametrize(
    ("goal", "error"),
    [("nothing(X)", UnknownPredicateError), ("in(I, shell(X))", SymbolicError), ("count(", QuerySyntaxError)],
)
def test_what_no_picture_has_is_no_picture_s(engine: Engine, goal: str, error: type[SymbolicError]) -> None:
    with pytest.raises(error):
        engine.ask(BASE, goal, rules=[RULES])
    with pytest.raises(UnknownPredicateError):
        engine.ask("object(x).", "in(I, object(X))")
