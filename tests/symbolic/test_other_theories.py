"""Which theories there are, and that those for ProbLog and for clingo answer as the one for Prolog does."""

import re
from pathlib import Path

import numpy as np
import pytest

from predinet_prolog import symbolic
from predinet_prolog.symbolic import Engine, Rules, theory, theory_names
from predinet_prolog.symbolic.rules import defining_theories
from tests.asking import likely, solved
from tests.symbolic.learning.boards import board, program, situation

THEORIES = Path(symbolic.__file__).parent / "theories"
NAMED = [each for each, name in defining_theories().items() if name == "relations_game"]
LABELS = [each.removesuffix("/1") for each in NAMED if each.endswith("_label/1")]


def scene(random: np.random.Generator) -> str:
    """One to nine objects of few looks on a grid of three by three, and which pattern is asked for."""
    things = board(random, int(random.integers(1, 10)), int(random.integers(1, 4)))
    return f"{program(situation(things))}\ntask({random.integers(0, 5)}).\n"


def by_problog(text: str) -> dict[str, int]:
    rules = (THEORIES / "relations_game.problog").read_text(encoding="utf-8")
    odds = likely(f"{text}\n{rules}", *(f"{label}(_)" for label in LABELS))
    assert set(odds.values()) == {1}
    assert len(odds) == len(LABELS), "one label of each"
    return {term.partition("(")[0]: int(term.partition("(")[2][:-1]) for term in odds}


def by_clingo(text: str) -> dict[str, int]:
    rules = (THEORIES / "relations_game.lp").read_text(encoding="utf-8")
    facts = re.sub(r"(\w+)\((.*)\) :- fail\.", lambda head: f"#defined {head[1]}/{head[2].count(',') + 1}.", text)
    answers = [each for each in solved(facts + rules) if each.name in LABELS]
    assert len(answers) == len(LABELS), "one label of each"
    return {each.name: each.arguments[0].number for each in answers}


def test_the_theories_agree_on_any_board(engine: Engine) -> None:
    assert len(LABELS) == 9
    random, told = np.random.default_rng(14), set()
    goal = ", ".join(f"{label}({label.title()})" for label in LABELS)
    for number in range(30):
        text = scene(random)
        (answer,) = engine.ask(text, goal, rules=[theory("relations_game"), Rules("none", "none.")]).answers
        expected = {label: answer.bindings[label.title()] for label in LABELS}
        assert number > 7 or by_problog(text) == expected, text  # which takes its time
        assert by_clingo(text) == expected, text
        told |= set(expected.items())
    # Each label of each task was an answer: a theory that always says one thing is found out.
    assert len(told) == 2 * (len(LABELS) - 1) + 4


@pytest.mark.parametrize("name", theory_names())
def test_every_exported_predicate_is_documented(name: str) -> None:
    exported = {predicate for predicate, source in defining_theories().items() if source == name}
    documented = re.findall(r"^%! +(\w+)\((.*)\) is (?:det|nondet|semidet)\.$", theory(name).text, re.MULTILINE)
    assert exported
    assert {f"{name}/{arguments.count(',') + 1}" for name, arguments in documented} >= exported


def test_a_theory_that_is_not_there_is_an_error_that_names_those_that_are() -> None:
    with pytest.raises(KeyError, match="no theory is called chess: there are cards, clevr, episodes, intervals"):
        theory("chess")
