"""Which mode is chosen by what was held back, and which labels are told to be looked at again."""

from dataclasses import replace

import pytest

from predinet_prolog.symbolic.learning import Doubt, Options, Predicate, Situation, Trial, learn, learn_predicate
from predinet_prolog.symbolic.learning.choosing import held_back
from tests.cases import cases
from tests.symbolic.learning.boards import ALL, SAME, SAME_COLOUR, boards, situation
from tests.symbolic.learning.test_learning import QUESTIONS, STRICT

CASES = cases(__file__)


def taught(name: str, count: int, *wrong: int, seed: int = 6) -> tuple[list[Situation], list[str]]:
    """Boards of a question; the labels of those numbers are wrong."""
    drawn, labels = boards(QUESTIONS[name][0], count, seed=seed)
    return drawn, [str(1 - int(label)) if n in wrong else label for n, label in enumerate(labels)]


@pytest.mark.parametrize("wrong", [(), (7, 20, 41)])
def test_the_rule_is_found_whether_or_not_labels_are_wrong(wrong: tuple[int, ...]) -> None:
    """Of the wrong ones, 27 and 28 (one red thing) look exactly like the first, and nothing looks like the others."""
    learned = learn(*taught("three alike", 60, *wrong), ALL, replace(STRICT, noisy=None))
    assert learned.theory.lines()[1:-1] == [QUESTIONS["three alike"][2]]
    assert (learned.noisy, learned.doubts) == (bool(wrong), tuple(Doubt(n, (27, 28) if n == 7 else ()) for n in wrong))
    assert {trial.noisy for trial in learned.trials} == {False, True}
    assert {trial.learned_from + trial.judged for trial in learned.trials} == {60}


@pytest.mark.parametrize(("strict", "noisy", "cheaper"), CASES["prices"])
def test_a_clause_pays_for_its_length(strict: tuple[int, int, int], noisy: tuple[int, int, int], cheaper: bool) -> None:
    one, other = (Trial(mode, 48, 12, *rest, 0) for mode, rest in ((False, strict), (True, noisy)))
    assert (other.price < one.price) == cheaper


@pytest.mark.parametrize(("judged", "right", "usual", "doubtful"), CASES["doubtful"])
def test_what_does_no_better_than_one_label_is_doubted(judged: int, right: int, usual: int, doubtful: bool) -> None:
    assert Trial(False, 48, judged, right, 2, 0, usual).is_doubtful == doubtful


def test_a_fifth_of_each_label_is_held_back_whatever_the_order_and_the_names() -> None:
    drawn, labels = taught("two alike, one between", 30)
    held = held_back(drawn, labels)
    assert [sum(labels[n] == label for n in held) for label in ("0", "1")] == [3, 3]
    turned = [replace(each, name="another") for each in drawn[::-1]]
    facts = [repr(each.holds) for each in drawn]
    again = [29 - n for n in held_back(turned, labels[::-1])]
    assert sorted(facts[n] for n in again) == sorted(facts[n] for n in held)
    assert held_back(drawn[:4], labels[:4]) == []  # too few to spare one


def test_examples_of_objects_are_held_back_by_picture() -> None:
    drawn, _ = boards(lambda each: bool(each.holds[SAME].any()), 10, seed=7, most=5)
    judging = held_back(drawn, [None] * 10)
    examples = [
        (number, (name,), bool(each.holds[SAME][place].any()) != (number in judging))
        for number, each in enumerate(drawn)
        for place, name in enumerate(each.objects)
    ]
    learned = learn_predicate(drawn, examples, "twin", [SAME], Options(noisy=False))
    held = sum(number in judging for number, *_ in examples)
    (trial,) = learned.trials
    assert (trial.learned_from, trial.judged, trial.right, trial.errors) == (len(examples) - held, held, 0, 0)


@pytest.mark.parametrize(
    ("predicates", "expected"),
    [((SAME,), (Doubt(2, (0, 1)),)), ((SAME, SAME_COLOUR), ()), ((SAME_COLOUR,), (Doubt(2, (0, 1)),))],
)
def test_labels_contradict_each_other(predicates: tuple[Predicate, ...], expected: tuple[Doubt, ...]) -> None:
    """Two alike, two alike elsewhere and, with the other label, what only some of the words tell from these."""
    alike, elsewhere = situation([(0, 0, 0, 0), (0, 0, 1, 0)]), situation([(1, 1, 0, 0), (1, 1, 2, 2)])
    other = situation([(0, 0, 0, 0), (1, 0, 1, 0)] if SAME_COLOUR in predicates else [(2, 2, 1, 1), (2, 2, 2, 1)])
    apart = situation([(0, 0, 0, 0), (1, 1, 1, 0)])
    assert learn([alike, elsewhere, other, apart], ["1", "1", "0", "0"], predicates).doubts == expected


def test_what_only_an_extra_clause_or_part_of_one_explains_is_told() -> None:
    """Of many labels; of a few each tells more than a clause costs."""
    drawn, labels = taught("three alike", 60, 30)
    strict = learn(drawn, labels, ALL, STRICT)
    assert (strict.theory.errors, strict.doubts) == (0, (Doubt(30),))
    assert learn(drawn[25:31], labels[25:31], ALL, STRICT).doubts == ()
