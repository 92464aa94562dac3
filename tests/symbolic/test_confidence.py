"""Confidence in proofs and misses: what a program's confidence/2 says, where it stands, and what it cannot do."""

import json
from collections.abc import Iterator

import pytest

from predinet_prolog.symbolic import Answers, Engine, Miss, ProgramError, Proof, Rules
from tests.cases import cases

CASES = cases(__file__)

SCENE = CASES["scene"]
CONFIDENCE = "confidence(alike(X, Y), P) :- apart(X, Y, D), P is 1 / (1 + 4*D**2).\n"
# Of a and b, of b and c: 1/(1 + 4·0.25²) and 1/(1 + 4·1.75²), of a and c 1/(1 + 4·2²).
AB, BC, AC = 0.8, 0.0755, 0.0588


def ask(engine: Engine, goal: str, *, confidence: str = CONFIDENCE, rules: str = "", limit: int = 12) -> Answers:
    answers = engine.ask(SCENE + confidence, goal, rules=[Rules("own.pl", rules)], limit=limit, why=True)
    assert Answers.from_json(json.loads(json.dumps(answers.to_json()))) == answers
    return answers


def proof(engine: Engine, goal: str, **options: str) -> Proof:
    return ask(engine, goal, **options).answers[0].why  # type: ignore[arg-type, return-value]


def miss(engine: Engine, goal: str, **options: str) -> Miss:
    return ask(engine, goal, **options).why_not  # type: ignore[arg-type, return-value]


def told(why: Proof | Miss) -> Iterator[tuple[str, float]]:
    """The goals of all the steps with a confidence."""
    if why.confidence is not None:
        yield why.goal, why.confidence
    below: tuple[Proof | Miss, ...] = why.because
    nearest = () if isinstance(why, Miss) or why.nearest is None else (why.nearest,)
    for part in below + nearest + (why.proved if isinstance(why, Miss) else ()):
        yield from told(part)


# --- where it stands ---


@pytest.mark.parametrize(
    ("goal", "steps"),
    [
        ("alike(X, Y), alike(Y, X)", {"alike(a, b)": AB, "alike(b, a)": AB}),
        ("only(c)", {"\\+ alike(c, b)": 1 - BC, "alike(c, b)": BC}),
        ("\\+ alike(c, _)", {"alike(c, b)": BC}),  # of the nearest miss: what has variables has none
        ("\\+ alike(a, c)", {"\\+ alike(a, c)": round(1 - AC, 4), "alike(a, c)": AC}),  # a denial has the rest
        ("\\+ \\+ alike(a, b)", {"\\+ \\+ alike(a, b)": AB, "\\+ alike(a, b)": 0.2, "alike(a, b)": AB}),
        ("aggregate_all(count, alike(_, _), N)", {"alike(a, b)": AB, "alike(b, a)": AB}),
    ],
)
def test_steps_have_the_probability_that_the_program_says(engine: Engine, goal: str, steps: dict[str, float]) -> None:
    rules = "only(X) :- \\+ alike(X, b), object(X)."
    assert dict(told(proof(engine, goal, rules=rules))) == steps


def test_a_miss_has_the_probability_that_it_holds_after_all(engine: Engine) -> None:
    why = miss(engine, "alike(c, X)")
    assert (why.goal, why.confidence) == ("alike(c, b)", BC)
    why = miss(engine, "alike(a, b), alike(b, c)")
    assert why.confidence is None
    assert (why.proved[0].confidence, why.because[0].confidence) == (AB, BC)
    why = miss(engine, "\\+ alike(a, b)")
    assert (why.confidence, why.proved[0].confidence) == (round(1 - AB, 4), AB)


@pytest.mark.parametrize(
    ("goal", "confidence"), [("object(a), object(b)", 0.75), ("object(b), object(a)", 0.75), ("place(X, Y)", None)]
)
def test_an_answer_has_that_of_its_weakest_step(engine: Engine, goal: str, confidence: float | None) -> None:
    said = "confidence(object(a), 0.75). confidence(object(b), 1)."
    assert ask(engine, goal, confidence=said).answers[0].confidence == confidence


DENYING = CASES["denying"]


@pytest.mark.parametrize(
    ("goal", "confidence"),
    [
        # What came nearest to denying a step leaves it no more than this.
        ("\\+ alike(c, _)", 1 - BC),
        ("alike(a, b), lonely(c)", AB),
        ("pair(b), \\+ friend(c)", 1 - BC),
        # Other pairs are alike, and how likely the one asked about is nobody knows.
        # No doubt: what is denied rests on nothing that has a probability.
        ("alike(a, b), \\+ place(c, 0.0), \\+ 1 > 2", AB),
        ("alike(a, b), \\+ ( member(X, [a, b, c]), maplist(place(X), [5.0]) )", AB),
        ("alike(a, b), \\+ ( member(X, [a, b, c]), X == d, maplist(alike(X), [a]) )", None),
        # What was counted may be too few: how likely others are alike nobody knows.
        ("aggregate_all(count, alike(_, _), 2)", None),
        ("alike(a, b), forall(alike(X, Y), alike(Y, X))", None),
        ("alike(a, b), forall(object(X), place(X, _))", AB),
    ],
)
def test_an_answer_claims_no_more_than_is_known(engine: Engine, goal: str, confidence: float | None) -> None:
    (answer, *_) = ask(engine, goal, rules=DENYING).answers
    assert answer.confidence == (None if confidence is None else pytest.approx(confidence))


def test_the_programs_own_word_covers_what_a_step_rests_on(engine: Engine) -> None:
    own = CONFIDENCE + "confidence(odd, 0.7).\n" + DENYING
    assert ask(engine, "odd", confidence=own).answers[0].confidence == 0.7
    assert ask(engine, "odd, alike(a, b)", confidence=own).answers[0].confidence == 0.7


# --- what is a confidence ---


@pytest.mark.parametrize(
    ("said", "confidence"),
    [
        *(
            (f"confidence(object(_), {number}).", confidence)
            for number, confidence in [
                *[("0.97", 0.97), ("0.123456", 0.1235), ("1r3", 0.3333), ("-0.1", None), ("inf", None)],
                *[("0.5 + 0.25", None), ('"0.5"', None), ("9" * 900, None)],
            ]
        ),
        ("confidence(object(_), P) :- P is nan.", None),
        ("confidence(object(_), 0.25). confidence(_, 0.75). confidence(_, P) :- confidence(_, P).", 0.25),
        ("confidence(X, 0.5, X).", None),
    ],
)
def test_it_is_a_number_from_0_to_1_and_the_first(engine: Engine, said: str, confidence: float | None) -> None:
    assert proof(engine, "object(a)", confidence=said).confidence == confidence


# --- what it cannot do ---

STEPS = "object(a), object(b), alike(a, b), \\+ alike(a, c)"
ENDLESS = CASES["endless"]
FAULTY = ["confidence(_, P) :- P is foo + 1.", "confidence(_, P) :- zebra(P)."]


@pytest.mark.parametrize("confidence", ENDLESS + FAULTY)
def test_whatever_it_does_the_proof_is_the_same(engine: Engine, confidence: str) -> None:
    for goal in (STEPS, "alike(a, c)"):
        plain = engine.ask(SCENE, goal, why=True)
        assert engine.ask(SCENE + confidence, goal, why=True) == plain


def test_a_purse_that_is_empty_ends_confidences_and_nothing_else(engine: Engine) -> None:
    """The first steps have theirs."""
    confidence = "confidence(object(_), 0.5).\nconfidence(alike(_, _), 0.5) :- between(1, inf, X), X < 0."
    answers = ask(engine, STEPS + ", object(c)", confidence=confidence)
    (answer,) = answers.answers
    # The steps above alike(a, b) are paid for before it. It and those below and behind it get none.
    assert [part.confidence for part in answer.why.because] == [0.5, 0.5, None, None, None]
    assert answer.confidence is None, "of what is denied nothing is known"
    # Another query has a purse of its own.
    assert ask(engine, "object(c)", confidence=confidence).answers[0].confidence == 0.5


def test_only_the_program_is_believed(engine: Engine) -> None:
    rules = "confidence(object(_), 0.5)."
    with pytest.raises(ProgramError, match=r"confidence/2 is defined by the program already"):
        ask(engine, "object(a)", rules=rules)
    assert proof(engine, "object(a)", confidence="", rules=rules).confidence is None
