"""Theories learned from boards whose rule is known: what is found, what it does not depend on, and what is refused."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from predinet_prolog.symbolic.learning import Learned, Options, Predicate, Situation, ask_next, search
from predinet_prolog.symbolic.learning import learn as learn_and_judge
from predinet_prolog.symbolic.learning.covering import Cover
from predinet_prolog.symbolic.learning.fitting import Group, Language, fit
from predinet_prolog.symbolic.learning.literals import Feature, Literal, pool
from predinet_prolog.symbolic.learning.situations import LearningError
from predinet_prolog.symbolic.learning.tables import Place
from tests.cases import cases
from tests.symbolic.learning.boards import ALL, BLUE, RED, board, boards, situation

Question = Callable[[Situation], bool]
learn = partial(learn_and_judge, judge=False)
"""Without fitting a part to judge it by the rest, which nothing here asks of."""
STRICT = Options(noisy=False, variables=3, literals=3)
"""One way of learning, once: which of the two ways is better is `test_choosing`'s."""
NAMED = {**{each.name: each for each in ALL}, "red": RED, "blue": BLUE}


def question(literals: list[str], count: int = 0, denied: bool = False, more: bool = False) -> Question:
    """A question for what is said by literals such as `same 0 1`, or `-same 0 1` where that does not hold."""
    told = ((name[0] == "-", NAMED[name.removeprefix("-")], places) for name, *places in map(str.split, literals))
    return Feature(tuple(Literal(*each, tuple(map(int, at))) for *each, at in told), count, denied, more=more).holds


def accuracy(learned: Learned, situations: list[Situation], labels: list[str]) -> float:
    return sum(a == b for a, b in zip(learned.theory.predict(situations), labels, strict=True)) / len(labels)


QUESTIONS = {
    name: (question(**row["says"]), row["boards"], row["clause"]) for name, row in cases(__file__)["questions"].items()
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_rule_of_a_question_is_found(name: str) -> None:
    asked, count, clause = QUESTIONS[name]
    learned = learn(*boards(asked, count, seed=4), ALL, STRICT)
    assert learned.theory.lines()[1] == clause
    assert learned.theory.errors == 0
    assert accuracy(learned, *boards(asked, 300, seed=5)) == 1


@pytest.mark.parametrize(("rows", "labels", "without", "clauses", "counts"), cases(__file__)["relations"])
def test_of_what_says_the_same_the_simplest_that_may_stand_is_told(
    rows: list[str], labels: Sequence[str], without: list[str], clauses: list[str], counts: bool
) -> None:
    """One clause before several, what counts last; and what is taken from a label is left to others."""
    predicates = [Predicate(name, 2) for name in "pqrs"]
    drawn = [Situation("", (*"abcd",), {one: table(one, row) for one in predicates}) for row in rows]
    learned = learn(drawn, labels, predicates, Options(without=tuple(without)))
    assert learned.theory.lines()[1:] == clauses
    assert [rival.counts for rival in learned.rivals][-1:] == [counts] * bool(learned.rivals)


def test_of_many_labels_each_keeps_what_is_not_taken_from_it() -> None:
    """p and q hold of the same pictures: the 1st of 70 labels may say q alone, the 65th p alone."""
    p, q, _ = predicates = [Predicate(name, 2) for name in "pqs"]
    rows = "p01 q01 s01", "p01 q01", "s01", ""
    places = [Place(Situation("", (*"abcd",), {one: table(one, row) for one in predicates})) for row in rows]
    literals = tuple(pool(predicates, 2))
    barred = {str(n): frozenset(one for one in literals if one.predicate == {0: p, 64: q}.get(n)) for n in range(70)}
    divisions = [[Group(None, np.arange(4), ("0", "64", "x", "x"))]]
    language = Language(literals, 2, barred=barred, default="x")
    theory, *_ = fit(places, divisions, language, search.silent).theories
    assert theory.lines()[1:] == ["case(0) :- q(A, B), s(A, B).", "case(64) :- p(_, _).", "case(x)."]


@pytest.mark.parametrize(("seed", "cost"), [(5, 18), (0, 18), (4, 22)])
def test_the_parts_of_clauses_are_found_among_many_that_are_cheaper(seed: int, cost: int) -> None:
    """As the list of single features is changed; as one is begun anew; as that is made right. 18 is the true one's."""
    bits = np.random.default_rng(seed).random((100, 60)) < 0.5
    labels = np.select([bits[-1] & bits[-2], bits[-3] & bits[-4], bits[-5] & bits[-6]], [1, 2, 3])
    rule = Cover(bits, [*[2] * 94, *[3] * 6], labels, np.ones((4, 100), np.bool_), 100, None, np.inf).cheapest()[0]
    assert (rule.cost, rule.errors) == (cost, 0)


def table(predicate: Predicate, row: str) -> np.ndarray:
    """(4, 4): where it holds."""
    return np.array([[f"{predicate.name}{a}{b}" in row for b in range(4)] for a in range(4)])


@pytest.mark.parametrize("exclusive", [False, True])
def test_each_task_has_clauses_of_its_own(exclusive: bool) -> None:
    random = np.random.default_rng(1)
    patterns = ["aaa", "aab", "aba", "abb", "abc"]

    def row() -> tuple[Situation, str]:
        shown, other = random.permutation(5)[:2]
        true = random.random() < 0.5
        looks = random.permutation(25)[:3].tolist()
        of = dict(zip("abc", looks, strict=True))
        things = [(of[each] // 5, of[each] % 5, x, 0) for x, each in enumerate(patterns[shown])]
        return situation(things, task=patterns[shown if true else other]), str(int(true))

    drawn, fresh = ([row() for _ in range(count)] for count in (60 if exclusive else 120, 300))
    words = [NAMED[name] for name in ("same", "left_of", "lies_between")]
    learned = learn(*map(list, zip(*drawn, strict=True)), words, replace(STRICT, exclusive=exclusive))
    assert accuracy(learned, *map(list, zip(*fresh, strict=True))) == 1
    assert {clause.task for clause in learned.theory.clauses} <= set(patterns)


def test_names_of_objects_and_the_order_of_pictures_change_nothing() -> None:
    drawn, labels = boards(QUESTIONS["recoloured below"][0], 8, seed=9)  # few, so that there are rivals
    words = [NAMED[name] for name in ("same", "same_shape", "same_column", "left_of")]
    learned = learn(drawn, labels, words, STRICT)
    assert learned.rivals
    random = np.random.default_rng(0)
    order = random.permutation(len(drawn))
    moved = []
    for number in order:
        each, places = drawn[number], random.permutation(len(drawn[number].objects))
        holds = {predicate: table[np.ix_(*[places] * predicate.arity)] for predicate, table in each.holds.items()}
        moved.append(Situation(each.name, tuple(f"thing_{i}" for i in places), holds))
    assert learn(moved, [labels[i] for i in order], words, STRICT) == learned


def test_rivals_are_as_good_and_say_something_else_of_some_picture() -> None:
    drawn, labels = boards(QUESTIONS["three alike"][0], 6, seed=1)
    learned = learn(drawn, labels, ALL, STRICT)
    texts = [each.write() for each in (learned.theory, *learned.rivals)]
    assert 1 < len(texts) <= 21
    assert len(set(texts)) == len(texts)
    for rival in learned.rivals:
        assert (rival.cost, rival.errors) == (learned.theory.cost, learned.theory.errors)
        assert rival.predict(drawn) == labels


def test_no_rival_gets_more_wrong() -> None:
    """Though one literal less pays for an error."""
    drawn, labels = boards(QUESTIONS["two alike, one between"][0], 10, seed=2)
    for number in (0, 4, 8):
        labels[number] = str(1 - int(labels[number]))
    learned = learn(drawn, labels, ALL, Options(noisy=True, variables=3, literals=2))
    assert {rival.errors for rival in learned.rivals} == {learned.theory.errors} == {2}


def test_what_one_class_has_alone_is_not_extended() -> None:
    """More literals would say less at a higher cost, so that fewer conjunctions are looked at."""
    drawn, labels = boards(QUESTIONS["three alike"][0], 20, seed=4)
    places = [Place(picture) for picture in drawn]
    classes = np.array([[label == name for name in ("0", "1")] for label in labels])
    searches = [search.Search(places, tuple(pool(ALL, 3)), of_classes) for of_classes in (classes, None)]
    for of_classes in searches:
        of_classes.run(3)
    assert searches[0].seen < searches[1].seen


def test_asked_about_is_what_theories_disagree_on() -> None:
    learned = learn(*boards(QUESTIONS["three alike"][0], 6, seed=1), ALL, STRICT)
    unlabelled, _ = boards(QUESTIONS["three alike"][0], 60, seed=2)
    said = list(zip(*(each.predict(unlabelled) for each in learned.theories), strict=True))
    asked = ask_next(learned, unlabelled)
    assert asked
    assert set(asked) == {i for i, each in enumerate(said) if len(set(each)) > 1}
    assert ask_next(learned, []) == []


def test_only_what_was_named_and_nothing_that_was_taken_away_stands_in_a_rule() -> None:
    drawn, labels = boards(QUESTIONS["recoloured below"][0], 20, seed=1)

    def literals(**chosen: tuple[str, ...]) -> set[Literal]:
        theory = learn(drawn, labels, ALL, replace(STRICT, **chosen)).theory
        return {literal for clause in theory.clauses for each in clause.features for literal in each.literals}

    assert {literal.name for literal in literals(only=("same_row", "unlike"))} <= {"same_row", "unlike", "object"}
    assert (left := literals(without=("unlike", "colour(_,red)")))
    assert not {"unlike", ("red",)} & {value for one in left for value in (one.name, one.predicate.values)}
    with pytest.raises(LearningError, match=r"^no predicate is called larger: there are above, colour, "):
        literals(only=("larger",))
    with pytest.raises(LearningError, match=r"^no literal is called colour\(_, 1:2\): there are .*colour\(_,blue\), "):
        literals(without=("0: colour(_, 1:2)",))
    with pytest.raises(LearningError, match=r"^no label is called 2: there are 0, 1$"):
        literals(without=("2: colour(_, red)",))


def test_pictures_that_contradict_each_other_are_errors() -> None:
    one = situation([(0, 0, 0, 0), (0, 0, 1, 0)])
    other = situation([(0, 0, 0, 0), (1, 1, 1, 0)])
    learned = learn([one, one, one, other], ["1", "1", "0", "0"], ALL)
    assert learned.theory.errors == 1
    assert learned.theory.predict([one, other]) == ["1", "0"]


@pytest.mark.parametrize(
    ("labels", "tasks", "options", "message"),
    [
        (["1", "0"], ["a", None], {}, "some of the pictures have a task and others none"),
        (["1", "0"], [None, None], {"exclusive": True}, "only one of the tasks holds of a picture where"),
        (["x", "y"], ["a", "b"], {"exclusive": True}, "one of them 1 or true or yes; here there are x, y"),
    ],
)
def test_there_is_no_lesson(labels: list[str], tasks: list[str | None], options: dict[str, int], message: str) -> None:
    drawn = [situation([(0, 0, 0, 0)], task=task) for task in tasks]
    with pytest.raises(LearningError, match=re.escape(message)):
        learn(drawn, labels, ALL, Options(**options))


def test_what_is_too_much_is_cut_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(3)
    drawn = [situation(board(random, 9)) for _ in range(8)]
    labels = [str(n % 2) for n in range(8)]
    assert not learn(drawn, labels, ALL, replace(STRICT, literals=2)).cut
    for name, value in (("MOST_WORDS", 8_000), ("MOST_WORK", 8_000), ("MOST_CONJUNCTIONS", 10)):
        with monkeypatch.context() as patch:
            patch.setattr(search, name, value)
            learned = learn(drawn, labels, ALL, Options(noisy=False, literals=3))
        assert learned.cut, name
        assert learned.theory.clauses
