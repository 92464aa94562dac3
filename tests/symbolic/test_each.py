"""A goal asked of many pictures in one go: each answers as it does alone."""

import pickle

import pytest

from predinet_prolog.symbolic import Answers, Engine, Rules, TimeLimitError, UnknownPredicateError, limits
from predinet_prolog.symbolic.errors import ForbiddenError, ProgramError, QuerySyntaxError, SymbolicError

GMP = "X is powm(3**200000, 7**200000, 11**200000)"  # no limit of Prolog's ends it

COMMON = "object(_) :- fail.\nnext(_, _) :- fail.\nkind(_, _) :- fail.\nbig(X) :- kind(X, whale).\n"
PICTURES = (
    "object(a). object(b). object(c). next(a, b). next(b, c). next(c, a). kind(a, 'the \\'whale').",
    "kind(a, whale).",
    "object(b). object(a). kind(a, whale). kind(b, whale). next(a, b).",
)
RULES = Rules(
    "r.pl",
    ":- table linked/2.\nlinked(X, Y) :- linked(X, Z), next(Z, Y).\nlinked(X, Y) :- next(X, Y).\n"
    "alone(X) :- object(X), \\+ next(X, _).\nplus(X) :- kind(X, Y), Z is Y + 1, Z > 0.\n"
    "lost(X) :- kind(X, whale), nowhere(X).",
)


def alone(engine: Engine, picture: str, goal: str) -> Answers | str:
    try:
        return engine.ask(f"{picture}\n{COMMON}", goal, rules=[RULES])
    except SymbolicError as error:
        return str(error)


@pytest.mark.parametrize(
    "goal",
    ["object(X)", "alone(X)", "big(X)", "kind(_, K), dif(K, Y)", "findall(X, kind(X, _), Xs)", "\\+ big(_)", "plus(X)"],
)
def test_every_picture_answers_as_it_does_alone(engine: Engine, goal: str) -> None:
    for order in (PICTURES, PICTURES[::-1]):
        answers = engine.ask_each(COMMON, order, goal, rules=[RULES]).pictures
        told = [answer if isinstance(answer, Answers) else str(answer) for answer in answers]
        assert told == [alone(engine, picture, goal) for picture in order]


def test_what_is_said_of_all(engine: Engine) -> None:
    asked = engine.ask_each(COMMON, PICTURES, "kind(X, Whale), object(_Y)", rules=[RULES])
    assert asked.variables == ("X", "Whale")
    (hint,) = engine.ask_each(COMMON, PICTURES[1:], "kind(X, Whale)").hints
    assert hint == "Whale begins with a capital letter, so it is a variable: did you mean whale?"
    assert engine.ask_each(COMMON, (), "object(X)").pictures == ()


@pytest.mark.parametrize(
    ("goal", "error"),
    [("object(X", QuerySyntaxError), ("lost(X)", UnknownPredicateError), ("shell(X)", ForbiddenError)],
)
def test_a_fault_of_the_question_is_no_picture_s(engine: Engine, goal: str, error: type[SymbolicError]) -> None:
    with pytest.raises(error) as raised:
        engine.ask_each(COMMON, PICTURES, goal, rules=[RULES])
    again = pickle.loads(pickle.dumps(raised.value))
    assert (type(again), str(again), vars(again)) == (error, str(raised.value), vars(raised.value))


@pytest.mark.parametrize(
    ("picture", "error"),
    [
        ("kind(a, slow). object(a).", TimeLimitError),
        ("kind(a, slow). other(a).", ProgramError),
        (f"kind(a, slow). object({'f(' * 200}", ProgramError),
    ],
)
def test_a_fault_is_its_picture_s(picture: str, error: type[SymbolicError], monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where it breaks the process for all."""
    monkeypatch.setattr(limits, "LOAD_SECONDS", 0.5)  # after which the process is ended
    slow = f"slow(X) :- kind(X, slow), {GMP.replace('X is', 'Y is')}, Y > 0.\nslow(X) :- kind(X, whale)."
    rules = [Rules("slow.pl", slow)]
    with Engine(time_limit=0.2) as engine:
        first, bad, last = engine.ask_each(COMMON, [PICTURES[1], picture, PICTURES[2]], "slow(X)", rules=rules).pictures
        assert isinstance(bad, error)
        assert [len(each.answers) for each in (first, last) if isinstance(each, Answers)] == [1, 2]
