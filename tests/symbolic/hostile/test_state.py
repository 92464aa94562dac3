"""Nothing hostile changes a worker, questions share it and nothing else, and what only looks hostile is data."""

import json
from collections.abc import Iterable
from contextlib import chdir
from pathlib import Path

import pytest

from predinet_prolog import symbolic
from predinet_prolog.symbolic import Engine, QuerySyntaxError, Rules, SymbolicError, UnknownPredicateError
from predinet_prolog.symbolic.precheck import check_goal, check_text
from predinet_prolog.symbolic.swipl import run_swipl
from tests.cases import cases
from tests.symbolic.hostile.catalogue import CLPFD, ENTRIES, Entry

CASES = cases(__file__)

pytestmark = pytest.mark.slow(10)
HOST = Path(symbolic.__file__).parent / "host.pl"

# Without the guard's alarm and the limit on memory, these would not end.
HARMLESS_HERE = [
    entry for entry in ENTRIES if not entry.group.startswith("effort") and "time_limit" not in entry.expected
] + [entry for entry in ENTRIES if entry.expected == ("time_limit",)][::8]


def readable(entry: Entry) -> bool:
    """Whether Prolog ever sees the texts of `entry`."""
    try:
        check_goal(entry.goal)
        check_text("rules", entry.rules)
        check_text("program", entry.program)
    except SymbolicError:
        return False
    return True


def changes(entries: Iterable[Entry], folder: Path, host: Path = HOST) -> str:
    """What `entries`, with and without why, changed in one process, as state.pl sees it from inside; nothing is right.

    Not for entries that may kill a worker. `folder` is for a file of questions.
    """
    questions = folder / "questions.pl"
    with questions.open("w", encoding="utf-8") as file:
        for entry in filter(readable, entries):
            texts = ", ".join(json.dumps(text, ensure_ascii=False) for text in (entry.program, entry.rules, entry.goal))
            for why in (0, 1):
                file.write(f"question({texts}, {round(entry.seconds * 1000)}, {why}).\n")
    looker = Path(__file__).with_name("state.pl")
    with chdir(folder):  # where what they write would be found
        run = run_swipl("-g", f"main('{host}', '{questions}')", "-t", "halt", looker, seconds=300)
    questions.unlink()
    return run.stdout + run.stderr + ("" if run.returncode == 0 else f"swipl ended with status {run.returncode}\n")


def test_the_catalogue_leaves_a_worker_as_it_was(tmp_path: Path) -> None:
    canary = tmp_path / "canary.pl"
    canary.write_text("object(from_the_file).\n:- halt.\n")
    assert changes([entry.at(canary) for entry in HARMLESS_HERE], tmp_path) == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["canary.pl"]


def test_changes_would_be_seen(tmp_path: Path) -> None:
    """What state.pl looks at is what it should: the guard made blind lets changes through."""
    signs = CASES["signs"]
    host = tmp_path / "host.pl"
    host.write_text(f":- consult('{HOST}').\n:- abolish(guard:check_goal/2), assertz(guard:check_goal(_, _)).\n")
    lines = changes([Entry("blind", change) for change in signs], tmp_path, host)
    assert [sign for sign in signs.values() if sign not in lines] == []


@pytest.mark.parametrize(
    "goal",
    [
        *("X = halt", "member(X, [halt, shell(ls)])", "copy_term(shell(ls), X)", "X =.. [shell, ls]"),
        *("X = _{halt: 1}", "forall(member(X, [halt]), X \\== a)"),
    ],
)
def test_terms_that_look_like_goals_are_data(engine: Engine, program: str, goal: str) -> None:
    engine.ask(program, goal)
    assert engine.ask(program, "true").answers


def test_questions_do_not_see_each_others_programs(engine: Engine) -> None:
    assert engine.ask("secret(1).", "secret(X)").answers
    with pytest.raises(UnknownPredicateError):
        engine.ask("common(1).", "secret(X)")
    with pytest.raises(UnknownPredicateError):
        engine.ask("secret(1).", "helper(X)")
    assert engine.ask("secret(1).", "helper(X)", rules=[Rules("r.pl", "helper(2).")]).answers
    with pytest.raises(UnknownPredicateError):
        engine.ask("secret(1).", "helper(X)")


def test_operators_of_one_question_mean_nothing_to_the_next(engine: Engine) -> None:
    engine.ask("", "X #> 1", rules=[Rules("c.pl", CLPFD)])
    with pytest.raises(QuerySyntaxError):
        engine.ask("", "X #> 1")


def test_a_library_predicate_that_one_program_redefines_is_the_librarys_for_the_next(engine: Engine) -> None:
    assert engine.ask("maplist(_, mine).", "maplist(no_such_thing, X)").answers[0].bindings == {"X": "mine"}
    assert engine.ask("", "maplist(=(1), [X])").answers[0].bindings == {"X": 1}


def test_what_the_libraries_call_themselves_is_not_the_programs(engine: Engine) -> None:
    """sum_list/2, aggregate_all/3 and foldl/4 use helpers of their own, whatever the program calls by those names."""
    helpers = "sum_list(_, _, _). aggregate_all(_, _, _, _, _). foldl_(_, _, _, wrong). must_be(_, _) :- fail."
    goal = "sum_list([1, 2], S), foldl(plus, [1, 2], 0, F), aggregate_all(sum(X), member(X, [1, 2]), A)"
    found = engine.ask(helpers, goal + ", max_list([1, 2], M)").answers[0].bindings
    assert [found[name] for name in "SFAM"] == [3, 3, 3, 2]
