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
    return ask(engine, goal, **options).answers[0].why


def miss(engine: Engine, goal: str, **options: str) -> Miss:
    return ask(engine, goal, **options).why_not


def told(why: Proof | Miss) -> Iterator[tuple[str, float]]:
    """The goals of all the steps with a confidence."""
    if why.confidence is not None:
        yield why.goal, why.confidence
    below: tuple[Proof | Miss, ...] = why.because
    nearest = () if isinstance(why, Miss) or why.nearest is None else (why.nearest,)
    for part in below + nearest + (why.proved if isinstance(why, Miss) else ()):
        yield from told(part)


# --- where it stands ---


@pytest.mark.parametrize(("goal", "steps"), CASES["steps"].items())
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


@pytest.mark.parametrize(("goal", "known"), CASES["claims"])
def test_an_answer_claims_no_more_than_is_known(engine: Engine, goal: str, known: list[float]) -> None:
    (answer, *_) = ask(engine, goal, rules=DENYING).answers
    assert answer.confidence == (pytest.approx(*known) if known else None)


def test_the_programs_own_word_covers_what_a_step_rests_on(engine: Engine) -> None:
    own = CONFIDENCE + "confidence(odd, 0.7).\n" + DENYING
    assert ask(engine, "odd", confidence=own).answers[0].confidence == 0.7
    assert ask(engine, "odd, alike(a, b)", confidence=own).answers[0].confidence == 0.7


# --- what is a confidence ---


@pytest.mark.parametrize(("said", "known"), [*CASES["said"], (f"confidence(object(_), {'9' * 900}).", [])])
def test_it_is_a_number_from_0_to_1_and_the_first(engine: Engine, said: str, known: list[float]) -> None:
    assert proof(engine, "object(a)", confidence=said).confidence == (known[0] if known else None)


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
