"""Words for objects and pairs, from examples and near misses."""

from collections.abc import Callable
from itertools import permutations

import numpy as np
import pytest

from predinet_prolog.symbolic.learning import Options, Situation, learn_predicate, near_misses
from predinet_prolog.symbolic.learning.concepts import Example
from predinet_prolog.symbolic.learning.situations import LearningError
from tests.cases import cases
from tests.symbolic.learning.boards import ALL, LEFT_OF, LIES_BETWEEN, SAME, SAME_COLOUR, SAME_SHAPE, board, situation

CASES = cases(__file__)

SHORT = Options(noisy=False, variables=3, literals=2)


def pictures(count: int, seed: int) -> list[Situation]:
    random = np.random.default_rng(seed)
    return [situation(board(random, int(random.integers(4, 8)), 3)) for _ in range(count)]


Word = Callable[..., bool]
WORDS: dict[str, tuple[int, Word, list[str]]] = {
    "odd": (1, lambda each, a: not each.holds[SAME][a].any(), [r"word(A) :- object(A), \+ same(A, _)."]),
    "between_twins": (
        1,
        lambda each, a: bool((each.holds[LIES_BETWEEN][a] & each.holds[SAME]).any()),
        ["word(A) :- same(B, C), lies_between(A, B, C)."],
    ),
    "right_of_its_twin": (
        2,
        lambda each, a, b: bool(each.holds[SAME][a, b] and each.holds[LEFT_OF][b, a]),
        ["word(A, B) :- same(A, B), left_of(B, A)."],
    ),
    "alike_in_one_way": (
        2,
        lambda each, a, b: bool(each.holds[SAME_SHAPE][a, b] != each.holds[SAME_COLOUR][a, b]),
        ["word(A, B) :- same_shape(A, B), unlike(A, B).", "word(A, B) :- same_colour(A, B), unlike(A, B)."],
    ),
}
"""How many objects each speaks of, whether it is true of those with these numbers, and what is to be learned."""


@pytest.mark.parametrize("name", WORDS)
def test_a_word_is_learned_from_pictures_that_are_told_all_of(name: str) -> None:
    arity, word, clauses = WORDS[name]
    drawn = pictures(20 if arity == 1 else 4, seed=3)
    examples = [
        (number, tuple(each.objects[i] for i in head), word(each, *head))
        for number, each in enumerate(drawn)
        for head in permutations(range(len(each.objects)), arity)
    ]
    learned = learn_predicate(drawn, examples, "word", ALL, SHORT)
    assert sorted(_same(line) for line in learned.theory.lines()) == sorted(_same(line) for line in clauses)
    assert learned.theory.errors == 0


def test_near_misses_teach_what_counter_examples_at_random_do_not() -> None:
    _, word, _ = WORDS["right_of_its_twin"]
    drawn, fresh = pictures(30, seed=5), pictures(30, seed=6)
    pairs = [(i, head) for i, each in enumerate(drawn) for head in permutations(range(len(each.objects)), 2)]
    random = np.random.default_rng(1)
    true, false = ([pair for pair in pairs if word(drawn[pair[0]], *pair[1]) is wanted] for wanted in (True, False))

    def example(number: int, head: tuple[int, ...]) -> Example:
        return number, tuple(drawn[number].objects[i] for i in head), word(drawn[number], *head)

    chosen = [some[i] for some in (true, false) for i in random.permutation(len(some))[:6]]
    at_random = [example(*pair) for pair in chosen]
    asked = at_random[:2] + at_random[-2:]
    while len(asked) < len(at_random):
        learned = learn_predicate(drawn, asked, "word", ALL, SHORT)
        for number, names in near_misses(drawn, asked, learned, 2):
            asked.append(example(number, tuple(drawn[number].objects.index(each) for each in names)))

    def wrong(examples: list[Example]) -> int:
        theory = learn_predicate(drawn, examples, "word", ALL, SHORT).theory
        pairs = [(each, head) for each in fresh for head in permutations(range(len(each.objects)), 2)]
        return sum((theory.judge(*pair) == "true") != word(pair[0], *pair[1]) for pair in pairs)

    assert wrong(asked) == 0
    assert wrong(at_random) > 0


def test_a_word_that_is_never_true_is_false() -> None:
    drawn = pictures(2, seed=1)
    theory = learn_predicate(drawn, [(0, ("ob_0",), False), (1, ("ob_2",), False)], "word", ALL).theory
    assert theory.write() == "word(_) :- fail.\n"


@pytest.mark.parametrize(("examples", "message"), CASES["nothing"])
def test_examples_that_say_nothing(examples: list[Example], message: str) -> None:
    with pytest.raises(LearningError, match=f"^{message}"):
        learn_predicate(pictures(1, seed=1), examples, "word", ALL)


def _same(line: str) -> str:
    """The text with its goals in order."""
    head, _, body = line.partition(" :- ")
    return f"{head} :- {sorted(body.rstrip('.').split(', '))}"
