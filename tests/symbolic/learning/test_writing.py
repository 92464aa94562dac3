"""What a theory says of situations and what Prolog answers by its text are the same."""

import numpy as np
import pytest

from predinet_prolog.symbolic import Engine, Rules
from predinet_prolog.symbolic.learning import Clause, Signature, Situation, Theory, observe
from predinet_prolog.symbolic.learning import situation as told
from predinet_prolog.symbolic.learning.literals import ANY, Feature, Literal, connected, pool
from tests.symbolic.learning.boards import ABOVE, ALL, LIES_BETWEEN, RED, SAME, SAME_SHAPE, board, program, situation

LITERALS = {variables: list(pool(ALL, variables)) for variables in (1, 2, 3, 4)}


def drawn_feature(random: np.random.Generator, fixed: int) -> Feature:
    """Of any kind."""
    while True:
        literals = LITERALS[int(random.integers(max(fixed, 1), 4)) + (fixed == 0)]
        chosen = tuple(literals[i] for i in random.choice(len(literals), int(random.integers(1, 4)), replace=False))
        feature = Feature(chosen, fixed=fixed)
        if connected(chosen, fixed) and feature.variables <= 4:
            count = int(random.integers(1, 4)) if random.random() < 0.3 and feature.variables > fixed else 0
            return Feature(chosen, count, bool(random.random() < 0.4), fixed, bool(random.random() < 0.5))


def drawn_clause(random: np.random.Generator, fixed: int, label: str) -> Clause:
    features = tuple(drawn_feature(random, fixed) for _ in range(int(random.integers(1, 3))))
    return Clause(label, features, "odd one" if random.random() < 0.2 and not fixed else None)


def test_prolog_and_prediction_agree_of_pictures(engine: Engine) -> None:
    random = np.random.default_rng(1)
    said = set()
    for _ in range(150):
        clauses = tuple(drawn_clause(random, 0, label) for label in ("1", "it's", "-3")[: int(random.integers(1, 4))])
        theory = Theory(clauses, "none", 0)
        for _ in range(3):
            each = situation(board(random, int(random.integers(0, 6)), 2), task=str(random.choice(["odd one", "7"])))
            facts = f"{program(each)}\ntask('odd one').\n" if each.task == "odd one" else f"{program(each)}\ntask(7).\n"
            answers = engine.ask(facts, "label(L)", rules=[Rules("learned.pl", theory.write())], limit=2)
            assert [str(answer.bindings["L"]) for answer in answers.answers] == theory.predict([each]), theory.write()
            said |= set(theory.predict([each]))
    assert said == {"1", "it's", "-3", "none"}


@pytest.mark.parametrize("arity", [1, 2])
def test_prolog_and_prediction_agree_of_objects(engine: Engine, arity: int) -> None:
    random = np.random.default_rng(arity)
    found = 0
    for _ in range(150):
        clauses = tuple(drawn_clause(random, arity, "true") for _ in range(int(random.integers(0, 3))))
        theory = Theory(clauses, "false", 0, "word", arity)
        each = situation(board(random, int(random.integers(0, 6)), 2))
        goal = f"findall([{'XY'[0]}{', Y' * (arity - 1)}], word(X{', Y' * (arity - 1)}), All)"
        (answer,) = engine.ask(program(each), goal, rules=[Rules("words.pl", theory.write())]).answers
        told = {tuple(some) for some in answer.bindings["All"]}
        heads = [head for head in np.ndindex(*[len(each.objects)] * arity) if len(set(head)) == arity]
        true = {tuple(each.objects[i] for i in head) for head in heads if theory.judge(each, head) == "true"}
        assert told == true, theory.write()
        found += len(true)
    assert found > 50


def test_the_text_reads_as_a_person_would_write_it() -> None:
    unlike = Feature((Literal(False, SAME_SHAPE, (0, 1)), Literal(True, SAME, (0, 1))), denied=True)
    chain = Feature((Literal(False, SAME, (0, 1)), Literal(False, LIES_BETWEEN, (2, 0, 1))))
    apart = Feature((Literal(False, SAME, (0, 1)), Literal(False, ABOVE, (1, 2))))
    lonely = Feature((Literal(True, SAME, (0, ANY)), Literal(False, RED, (0,))))
    pair = Feature((Literal(False, SAME, (0, 1)),), count=1)
    told = [("1", (chain,), "aba"), ("two", (unlike, apart)), ("03", (lonely,)), ("It's", (pair,))]
    clauses = [Clause(*each) for each in told]
    assert Theory(tuple(clauses), "0", 0).write() == (
        "label(Label) :- once(case(First)), Label = First.\n"
        "case(1) :- task(aba), same(A, B), lies_between(_, A, B).\n"
        "case(two) :- same(A, B), above(B, C), A \\== C, \\+ ( same_shape(D, E), unlike(D, E) ).\n"
        "case('03') :- colour(A, red), \\+ same(A, _).\n"
        "case('It\\'s') :- aggregate_all(set(A-B), ( same(A, B), A @< B ), [_]).\n"
        "case(0).\n"
        "unlike(A, B) :- object(A), object(B), A \\== B, \\+ same(A, B).\n"
    )


def test_what_is_observed_of_a_program_is_the_situation_it_was_written_from(engine: Engine) -> None:
    random = np.random.default_rng(3)
    drawn = [situation(board(random, n, 3), f"{n}.png") for n in (0, 1, 5, 9)]
    programs = [(each.name, program(each)) for each in drawn]
    signatures = [Signature(each.name, each.arity, each.symmetric, bool(each.values), each.negation) for each in ALL]
    for asked in (signatures, signatures * 20):  # which takes several questions
        _alike(drawn, [told(each, ALL) for each in observe(engine.ask, programs, asked)])


def _alike(first: list[Situation], second: list[Situation]) -> None:
    assert [(each.name, each.objects) for each in first] == [(each.name, each.objects) for each in second]
    for a, b in zip(first, second, strict=True):
        for predicate in ALL:
            assert a.holds[predicate].tolist() == b.holds[predicate].tolist(), predicate
