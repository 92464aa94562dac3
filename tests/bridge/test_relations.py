"""The named relations of pictures: what SWI-Prolog answers, found without it."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from predinet_prolog.bridge import Program, resolution
from predinet_prolog.bridge.clauses import Clause, clause_of, section_of
from predinet_prolog.bridge.compiled import Clauses
from predinet_prolog.bridge.definitions import grounding_path
from predinet_prolog.bridge.glimpses.sizes import same_size
from predinet_prolog.bridge.program import base_facts, plain, rules_of
from predinet_prolog.bridge.relations import related, related_in, relations
from predinet_prolog.bridge.resolution import Resolution
from predinet_prolog.bridge.writers.prolog import write_prolog, write_sections
from predinet_prolog.neural.glimpses.model import GlimpseModel
from predinet_prolog.symbolic.swipl import run_swipl
from tests.asking import asking
from tests.seen import VALUES, grounded_model, program_of, random_scene

RULES = Path(resolution.__file__).with_name("rules")


@pytest.fixture
def model(tmp_path: Path) -> GlimpseModel:
    return grounded_model(tmp_path)


@pytest.fixture
def programs(model: GlimpseModel) -> list[Program]:
    """Of pictures with no things, with one, and with several, clean and spoiled."""
    cases = [(7, 0.0, 1.0), (0, 0.0, 2.0), (1, 0.0, 1.0), (2, 1.0, 1.0), (12, 0.0, 2.5), (7, 3.0, 1.0)]
    scenes = [random_scene(seed, things, noise) for seed, (things, noise, _) in enumerate(cases)]
    return [program_of(scene, model, factor=factor) for scene, (_, _, factor) in zip(scenes, cases, strict=True)]


def answered(program: Program, goals: Sequence[str]) -> list[dict[str, str | float]]:
    """SWI-Prolog's answers of the goals, as `related_in` tells them; a goal names its columns in capital letters."""
    rows: list[dict[str, str | float]] = []
    engine = asking()
    for goal in goals:
        for answer in engine.ask(write_prolog(program), goal).answers:
            told = {name.lower(): value for name, value in answer.bindings.items()}
            likely = told.pop("p", None)
            row = {"predicate": goal.partition("(")[0]} | {name: str(value) for name, value in told.items()}
            rows.append(row if likely is None else row | {"confidence": round(likely, 4)})
    return rows


def in_order(rows: Sequence[dict[str, str | float]]) -> list[list[tuple[str, str | float]]]:
    return sorted(sorted(row.items()) for row in rows)


LIKELY = "same_shape(X, Y), confidence(same_shape(X, Y), P)", "same_filled(X, Y), confidence(same_filled(X, Y), P)"
PLAIN = [
    "same_shape_and_size(X, Y)", "filled(X, VALUE)", "colour(X, VALUE)", "left_of(X, Y)", "above(X, Y)",
    "same_row(X, Y)", "same_column(X, Y)", "in_line(X, Y, Z)", "lies_between(Y, X, Z)", "same_size(X, Y)",
    "larger(X, Y)", "inside(X, Y)", "near_to(X, Y)", "closest(X, Y)", "furthest(X, Y)",
]  # fmt: skip


def test_what_holds_is_what_prolog_answers(programs: list[Program]) -> None:
    total = 0
    for program, rows in zip(programs, related_in(programs), strict=True):
        assert in_order(rows) == in_order(answered(program, [*LIKELY, *PLAIN]))
        total += len(rows)
    assert total > 900
    assert {row["value"] for rows in related_in(programs) for row in rows if row["predicate"] == "filled"} == {*VALUES}


def test_a_relation_is_a_predicate_of_objects_and_words(model: GlimpseModel, tmp_path: Path) -> None:
    told = {each.name: each for each in relations(rules_of(model, propositions=False))}
    assert sorted(told) == sorted(goal.partition("(")[0] for goal in [*LIKELY, *PLAIN])
    assert (told["lies_between"].columns, told["lies_between"].symmetric) == (("y", "x", "z"), ("x", "z"))
    assert told["filled"].columns == ("x", "value")
    assert [name for name, each in told.items() if each.has_confidence] == ["same_shape", "same_filled"]
    grounding_path(model).unlink()
    names = [each.name for each in relations(rules_of(model, propositions=False))]
    assert set(told) - set(names) == {"same_shape", "same_filled", "same_shape_and_size", "filled"}


def test_pictures_are_told_apart_and_solved_in_parts(programs: list[Program], monkeypatch: pytest.MonkeyPatch) -> None:
    together = related_in(programs)
    assert [rows for program in programs for rows in related_in([program])] == together
    assert related_in(programs[::-1]) == together[::-1]
    monkeypatch.setattr(resolution, "MOST_ROWS", 50)
    assert related_in(programs) == together
    assert related_in([]) == []


def test_objects_and_pictures_are_called_as_one_likes(programs: list[Program], model: GlimpseModel) -> None:
    facts, rules = plain(base_facts(programs[4])), rules_of(model, propositions=False)
    names = [name for name in facts["position"][0] if isinstance(name, str)]
    others = {name: f"it's {number}\n" for number, name in enumerate(reversed(names))}
    renamed = {
        predicate: [[others.get(each, each) for each in column] for column in columns]
        for predicate, columns in facts.items()
    }
    ours, theirs = (related([picture], rules).items() for picture in (("a", facts), ("b'", renamed)))
    for (one, rows), (other, again) in zip(ours, theirs, strict=True):
        assert one == other
        expected = [[others.get(str(x), x) for x in column] for name, column in rows.items() if name != "image"]
        told = [column for name, column in again.items() if name != "image"]
        assert sorted(zip(*told, strict=True)) == sorted(zip(*expected, strict=True)), one
        assert set(again["image"]) <= {"b'"}


def solved(clauses: Sequence[Clause], facts: dict[str, list[list[str | int | float]]], name: str, arity: int) -> object:
    resolution = Resolution(facts, Clauses(clauses), tabled={(name, arity)})
    return list(zip(*map(resolution.names.told, resolution.solve(name, arity)), strict=True))


@pytest.mark.parametrize(
    ("clauses", "expected"),
    [
        (["q(X) :- p(X, A), A > 1"], [("b",), ("c",)]),
        (["q(X) :- p(X, A), p(Y, B), X \\== Y, A >= B"], [("b",), ("c",)]),
        (["q(X) :- p(X, A), \\+ more(A)", "more(A) :- p(_, B), B > A"], [("b",), ("c",)]),
        (["q(X) :- p(X, 1)"], [("a",)]),
        (["q(b)", "q('it\\'s')", "q(12)"], [("12",), ("b",), ("it's",)]),
        (["q(X) :- p(X, A), r([1,2], A)", "r([N|Ns], A) :- A >= N, r(Ns, A)", "r([N|_], A) :- A < N"], [("a",)]),
        (["q(X) :- p(X, A), B is abs(1 - A)**2/4 + min(A, 0.5) - 0.25, B =< 0.25"], [("a",)]),
        (["q(X) :- p(X, A), fails(A)", "fails(X) :- fail"], []),
        (["q(X) :- nothing(X)"], []),
    ],
)
def test_clauses_are_resolved(clauses: list[str], expected: list[tuple[str, ...]]) -> None:
    assert solved([*map(clause_of, clauses)], {"p": [["a", "b", "c"], [1, 2, 2]]}, "q", 1) == expected


def test_sizes_are_the_same_in_python() -> None:
    long = np.array([3, 4, 5, 20, 21.5, 22.5, 23, 25.5, 26, 29.5])
    zero, names = np.zeros(len(long)), [f"ob_{number}" for number in range(len(long))]
    facts = {"object": [names], "box": [names, zero, zero, long, long / 2], "pixel": [[1.0]]}
    alike = np.argwhere(same_size(np.column_stack(facts["box"][1:])) & ~np.eye(len(long), dtype=np.bool_))
    assert solved(section_of("sizes"), facts, "same_size", 2) == [(names[a], names[b]) for a, b in alike]


@pytest.mark.parametrize("file", sorted(RULES.iterdir()), ids=lambda file: file.stem)
def test_prolog_reads_a_file_of_clauses_as_we_do(file: Path, tmp_path: Path) -> None:
    (ours := tmp_path / "ours.pl").write_text(write_sections([section_of(file.stem)]))
    same = f"maplist([F, Ts]>>read_file_to_terms(F, Ts, []), ['{file}', '{ours}'], [A, B]), A =@= B, print(A)"
    told = run_swipl("-q", "-g", same, "-t", "halt", file)
    assert (told.returncode, told.stderr, told.stdout[:1]) == (0, "", "["), "it is loaded without a warning"


def test_the_least_of_all_solutions_is_the_first_of_its_equals() -> None:
    least = clause_of("nearest(X, W) :- p(X, _), findall(D-W, far(X, W, D), All), keysort(All, [_-W|_])")
    places = ("two", 2), ("naught", 0)
    far = [clause_of(f"far(X, {word}, D) :- p(X, A), D is abs(A - {place})") for word, place in places]
    told = solved([least, *far], {"p": [["a", "b", "c"], [1, 2, 0.5]]}, "nearest", 2)
    assert told == [("a", "two"), ("b", "two"), ("c", "naught")]
