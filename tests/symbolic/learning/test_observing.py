"""What holds in programs and knowledge bases, asked of Prolog."""

from functools import partial

import numpy as np
import pytest

from predinet_prolog.symbolic import Engine, Rules
from predinet_prolog.symbolic.learning import Observation, Signature, observing, predicates_of, situation
from predinet_prolog.symbolic.learning.observing import defined, observe, observe_base, of_rules
from predinet_prolog.symbolic.learning.situations import LearningError
from tests.cases import cases

CASES = cases(__file__)

SAME = Signature("same", 2, (0, 1), negation="unlike")
LEFT = Signature("left_of", 2)
BETWEEN = Signature("lies_between", 3, (1, 2))
COLOUR = Signature("colour", 1, valued=True)
PROGRAM = CASES["program"]


def seen(engine: Engine, *signatures: Signature, rules: str = "", program: str = PROGRAM) -> Observation:
    given = (Rules("mine", rules),) if rules else ()
    (found,) = observe(partial(engine.ask, rules=given), [("a.png", program)], signatures)
    return found


def test_a_question_finds_the_objects_and_all_solutions(engine: Engine) -> None:
    found = seen(engine, SAME, LEFT, BETWEEN, COLOUR)
    assert (found.name, found.objects) == ("a.png", ("ob_0", "ob_1", "ob_2"))
    assert {each.name: sorted(map(list, rows)) for each, rows in found.rows.items()} == CASES["seen"]


def test_what_holds_of_an_object_and_itself_is_refused(engine: Engine) -> None:
    found = seen(engine, LEFT, program="object(ob_0).\nleft_of(X, X) :- object(X).\n")
    with pytest.raises(LearningError, match=r"^left_of is true of ob_0 and itself in a\.png: .* add X \\== Y$"):
        situation(found, predicates_of([LEFT], [found]))
    situation(found, [])  # unless it is not to stand in rules


RULES = CASES["rules"]


def test_rules_of_users_are_asked_of_one_object_after_the_other(engine: Engine) -> None:
    signatures = of_rules(RULES)
    assert [[each.indicator, each.valued] for each in signatures] == CASES["signatures"]
    found = seen(engine, *signatures, rules=RULES)
    predicates = predicates_of(signatures, [found])
    told = situation(found, predicates)
    assert {each.name + "".join(each.values): np.argwhere(told.holds[each]).tolist() for each in predicates} == CASES[
        "told"
    ]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a(X) :- b(X).\n b(1).\nc.\n", {"a/1"}),
        ("f('a,(b', \"x\").\nf(X,Y):-g.", {"f/2"}),
        ("% g(X)\nh([A|B], C).\nk(s(X)).\nm(X, _)\n  :- true.", {"m/2"}),
        (":- module(mine, [twin/2,   % two\n odd/1]).\nhelper(X) :- odd(X).", {"twin/2", "odd/1"}),
        ("", set()),
    ],
)
def test_what_a_text_defines(text: str, names: set[str]) -> None:
    assert defined(text) == names


def lifted(name: str, program: str) -> str:
    """The facts of a program as those of a knowledge base."""
    return program.replace("(", f"({name}, ")


@pytest.mark.parametrize("characters", [10, 2**20])
def test_a_base_says_what_its_programs_say(engine: Engine, monkeypatch: pytest.MonkeyPatch, characters: int) -> None:
    monkeypatch.setattr(observing, "BASE_CHARACTERS", characters)
    other = PROGRAM.replace("ob_1", "ob_7").replace("same(ob_0, ob_2).\n", "")
    texts = {"a/b c.png": PROGRAM, "it's (2).png": other}
    quoted = {"a/b c.png": "'a/b c.png'", "it's (2).png": "'it\\'s (2).png'"}
    base = "".join(f"image({quoted[name]}, 36).\n{lifted(quoted[name], text)}" for name, text in texts.items())
    base += "image('none.png', 36).\nabove(Image, X, Y) :- left_of(Image, X, Y), left_of(Image, Y, _).\n"
    rule = "above(X, Y) :- left_of(X, Y), left_of(Y, _).\n"
    signatures = [SAME, LEFT, BETWEEN, COLOUR, Signature("above", 2)]
    programs = [*((name, text + rule) for name, text in texts.items()), ("none.png", "")]
    *told, nothing = observe_base(engine.ask, base, signatures)
    for one, own in zip(observe(engine.ask, programs[:2], signatures), told, strict=True):
        assert (one.name, one.objects, one.rows) == (own.name, own.objects, own.rows)
    assert (nothing.name, nothing.objects, set(map(len, nothing.rows.values()))) == ("none.png", (), {0})
