"""The theory of the Relations Game together with a program: in the engine, and in plain swipl. Its rules are tested
one by one in relations_game.plt."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from predinet_prolog import symbolic
from predinet_prolog.symbolic import theory, theory_names
from predinet_prolog.symbolic.rules import defining_theories

PlainSwipl = Callable[..., tuple[str, str]]  # the fixture's type

# A column ABA: what an exporter would write for it, by hand.
SCENE = """
object(ob_0). object(ob_1). object(ob_2).
position(ob_0, 18.0, 6.0). position(ob_1, 18.0, 18.0). position(ob_2, 18.0, 30.0).
same(ob_0, ob_2). same(ob_2, ob_0).
same_shape(X, Y) :- same(X, Y).
same_colour(X, Y) :- same(X, Y).
left_of(X, Y) :- position(X, A, _), position(Y, B, _), B - A > 3.
above(X, Y) :- position(X, _, A), position(Y, _, B), B - A > 3.
same_row(X, Y) :- position(X, _, A), position(Y, _, B), X \\== Y, abs(A - B) =< 3.
same_column(X, Y) :- position(X, A, _), position(Y, B, _), X \\== Y, abs(A - B) =< 3.
lies_between(Y, X, Z) :- above(X, Y), above(Y, Z), same_column(X, Y), same_column(Y, Z).
lies_between(Y, X, Z) :- above(Z, Y), above(Y, X), same_column(X, Y), same_column(Y, Z).
"""


@pytest.mark.parametrize("name", theory_names())
def test_every_exported_predicate_is_documented(name: str) -> None:
    exported = {predicate for predicate, source in defining_theories().items() if source == name}
    documented = re.findall(r"^%! +(\w+)\((.*)\) is (?:det|nondet|semidet)\.$", theory(name).text, re.MULTILINE)
    assert exported
    assert {f"{name}/{arguments.count(',') + 1}" for name, arguments in documented} >= exported


def test_a_theory_that_is_not_there_is_an_error_that_names_those_that_are() -> None:
    with pytest.raises(KeyError, match="no theory is called chess: there are cards, clevr, episodes, intervals"):
        theory("chess")


def test_plain_swipl_answers_with_the_theory_beside_the_program(tmp_path: Path, plain_swipl: PlainSwipl) -> None:
    (tmp_path / "scene.pl").write_text(SCENE)
    path = Path(symbolic.__file__).parent / "theories" / "relations_game.pl"
    said = plain_swipl(tmp_path, "between_label(L), print(L), nl", "scene.pl", str(path))
    assert said == ("1\n", "")
