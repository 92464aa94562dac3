"""Programs for ProbLog and for clingo: golden files, and that both find in them what SWI-Prolog finds in its own."""

import dataclasses
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import clingo
import numpy as np
import pytest
from problog.program import PrologString

from predinet_prolog.bridge import Program, write_prolog
from predinet_prolog.bridge.errors import BridgeError, UngroundedError
from predinet_prolog.bridge.likelihoods import BAND, Likelihoods, likelihoods, parted
from predinet_prolog.bridge.vocabulary import Dialect, vocabulary_of
from predinet_prolog.bridge.writers import asp, problog
from predinet_prolog.bridge.writers.asp import write_asp
from predinet_prolog.bridge.writers.problog import write_problog
from predinet_prolog.quoting.problog import unquoted
from predinet_prolog.symbolic.swipl import run_swipl
from tests.asking import likely, solved
from tests.grounded import grounded_model
from tests.seen import made_up_model, program_of, random_scene

GOLDEN = Path(__file__).parent / "golden"
WRITERS: dict[ModuleType, Callable[[Program], str]] = {problog: write_problog, asp: write_asp}
pytestmark = pytest.mark.slow(10)
by_writer = pytest.mark.parametrize("writer", WRITERS, ids=["problog", "asp"])


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return program_of(random_scene(5), grounded_model(tmp_path))


def doubtful(count: int, seed: int) -> Likelihoods:
    """So many objects, all pairs of which are in doubt."""
    odds = np.triu(np.random.default_rng(seed).uniform(0.1, 0.9, (count, count)), 1)
    return Likelihoods(tuple(f"ob_{each}" for each in range(count)), {"same": odds + odds.T})


def pairs(atoms: list[clingo.Symbol], name: str) -> set[tuple[str, str]]:
    return {(str(each.arguments[0]), str(each.arguments[1])) for each in atoms if each.match(name, 2)}


@pytest.mark.parametrize(("write", "ending"), [(write_problog, "problog"), (write_asp, "lp")])
def test_golden(
    program: Program, write: Callable[[Program], str], ending: str, golden: Callable[[str, Path], None]
) -> None:
    """Of the made-up scene of seed 5 and the definitions of tests/grounded.py."""
    golden(write(program), GOLDEN / f"made_up.{ending}")


# --- What both find is what SWI-Prolog finds. ---


@pytest.mark.parametrize("seed", [5, 6])
def test_all_that_has_a_name_is_what_swi_prolog_finds(seed: int, tmp_path: Path) -> None:
    """But for what was learned, which these decide by themselves: what follows from it is another test."""
    program = program_of(random_scene(seed), grounded_model(tmp_path))
    (tmp_path / "program.pl").write_text(write_prolog(program), encoding="utf-8")
    rules = [each for each in vocabulary_of(Dialect()) if each.source == "rule" and each.arguments[0].mode == "?"]
    asked = [each for each in rules if {argument.type for argument in each.arguments} <= {"object", "word"}]
    assert len(asked) == 13
    goals = [f"forall({each.template}, (print({each.template}), nl))" for each in asked]
    said = run_swipl("-q", "-g", ", ".join(goals), "-t", "halt", tmp_path / "program.pl").stdout.split()
    assert len(said) > 50
    found = {str(each) for each in solved(write_asp(program))}
    goals = [f"{each.name}({', '.join('_' * len(each.columns))})" for each in asked]
    odds = likely(write_problog(program), *goals)
    for each in asked:
        expected, *others = (
            {term for term in terms if term.split("(")[0] == each.name and term.count(",") + 1 == len(each.columns)}
            for terms in (said, found, odds)
        )
        assert others == [expected, expected], each.name


def test_numbers_are_whole_for_clingo_at_their_scale(program: Program) -> None:
    scale = 1000
    atoms = solved(write_asp(program))
    assert [each.arguments[0].number for each in atoms if each.match("scale", 1)] == [scale]
    names, x, y = program.facts["position"]
    told = {str(s.arguments[0]): [a.number / scale for a in s.arguments[1:]] for s in atoms if s.match("position", 3)}
    assert told == {name: pytest.approx([x[i], y[i]], abs=0.5 / scale) for i, name in enumerate(names)}
    levels = {str(s.arguments[0]): [a.number for a in s.arguments[1:]] for s in atoms if s.match("colour", 4)}
    assert levels == {name: list(rest) for name, *rest in zip(*program.facts["colour"], strict=True)}, "counts"


def test_a_number_that_does_not_fit_is_refused(program: Program) -> None:
    wide = {**program.facts, "tolerance": [np.array([2_147_483.648])]}
    with pytest.raises(BridgeError, match=r"2147483\.648 cannot be written for clingo, whose integers have 32 bits"):
        write_asp(dataclasses.replace(program, facts=wide))
    fits = {**program.facts, "tolerance": [np.array([2_147_483.647])]}
    assert "\ntolerance(2147483647)." in write_asp(dataclasses.replace(program, facts=fits))


# --- What was learned. ---


def test_a_pair_has_its_confidence_either_way_round_by_one_random_variable(program: Program) -> None:
    told_by, text = likelihoods(program), write_problog(program)
    inside = 0
    for predicate in told_by.of:
        told = likely(text, f"{predicate}(_, _)")
        for first, second, share in told_by.pairs(predicate):
            expected = 1 if share > 1 - BAND else 0 if share < BAND else pytest.approx(share, abs=5e-5)
            inside += expected not in (0, 1)
            either = f"{predicate}({first},{second})", f"{predicate}({second},{first})"
            assert [told.get(pair, 0) for pair in either] == [expected] * 2
    assert inside > 3
    first, second, share = next(each for each in told_by.pairs("same") if BAND < each[2] < 1 - BAND)
    both = f"both :- same({first}, {second}), same({second}, {first})."
    assert likely(f"{text}\n{both}", "both")["both"] == pytest.approx(share, abs=5e-5)


@pytest.mark.parametrize("seed", range(5))
def test_the_best_answer_set_has_the_likeliest_kinds(seed: int) -> None:
    doubts = doubtful(6, seed)
    kinds = parted(doubts.of["same"], list(range(6)))[0][1]
    expected = {(f"ob_{x}", f"ob_{y}") for kind in kinds for x in kind for y in kind if x != y}
    assert pairs(solved(asp.learned(doubts)), "same") == expected


def test_pairs_that_contradict_each_other_have_an_answer_set_all_the_same() -> None:
    odds = np.array([[0, 0.9995, 0.0005], [0.9995, 0, 0.999], [0.0005, 0.999, 0]])
    atoms = solved(asp.learned(Likelihoods(("ob_0", "ob_1", "ob_2"), {"same": odds})))
    assert pairs(atoms, "same") == {("ob_0", "ob_1"), ("ob_1", "ob_0")}, "the weaker of two gives way"


# --- Around it. ---


@by_writer
@pytest.mark.parametrize("name", ["it's 50%.png", "*% \\x41\\", "a\nb", "not", "7"])
def test_a_hostile_name_of_an_image_survives(writer: ModuleType, name: str, tmp_path: Path) -> None:
    text = WRITERS[writer](program_of(random_scene(1, 1), grounded_model(tmp_path), name=name))
    if writer is asp:
        (image,) = (each.arguments[0].string for each in solved(text) if each.match("image", 1))
        assert image == name
    else:
        (clause,) = (each for each in PrologString(text) if each.functor == "image")
        assert unquoted(str(clause.args[0])) == name, "ProbLog keeps names as they are written"


@by_writer
@pytest.mark.parametrize("things", [0, 1])
def test_a_picture_of_next_to_nothing_can_be_asked(writer: ModuleType, things: int, tmp_path: Path) -> None:
    text = WRITERS[writer](program_of(random_scene(1, things), grounded_model(tmp_path)))
    if writer is asp:
        assert pairs(solved(text), "same") == set()
    else:
        for goal in ("same(_, _)", "kind(same, _, _)", "touches(_, _)", "closest(_, _)", "colour(_, _, _, _)"):
            assert len(likely(text, goal)) == (things if goal.startswith("colour") else 0)


@by_writer
def test_a_model_without_names_is_told_in_one_line(writer: ModuleType, tmp_path: Path) -> None:
    program = program_of(random_scene(1), made_up_model(tmp_path))
    with pytest.raises(UngroundedError, match=r"^the model made-up tells no named relations, .*: ground it first"):
        WRITERS[writer](program)


@by_writer
def test_a_program_is_known_again_in_its_own_language_alone(writer: ModuleType, program: Program) -> None:
    """What else makes it another: tests/bridge/test_program.py."""
    (other,) = (each for each in WRITERS if each is not writer)
    assert writer.is_current(WRITERS[writer](program), program.provenance, program.rules)
    for text in (WRITERS[other](program), write_prolog(program)):
        assert not writer.is_current(text, program.provenance, program.rules)
