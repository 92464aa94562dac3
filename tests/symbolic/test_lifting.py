"""A program of one thing, lifted: the text, and what it then says."""

import shutil
import subprocess
from pathlib import Path

import pytest

from symbolic.compiling import compile_program, decompile
from symbolic.errors import WorkerError
from symbolic.lifting import lift
from symbolic.swipl import run_swipl

pytestmark = pytest.mark.skipif(shutil.which("swipl") is None, reason="no swipl on PATH")

LIFTED = [
    ("p(a).", "p(_, a)."),
    ("p(X) :- object(X).", "p(I, X) :- object(I, X)."),
    ("p(X) :- X > 1.", "p(_, X) :- X > 1."),
    ("p(X) :- object(Y), X is Y+1, \\+ q( X ), q(Y).", "p(I, X) :- object(I, Y), X is Y+1, \\+ q( X ), q(Y)."),
    ("p(X) :- ( object(X) -> true ; p(X) ).", "p(I, X) :- ( object(I, X) -> true ; p(I, X) )."),
    ("p(L) :- findall(X-Y, (object(X), p(Y)), L).", "p(I, L) :- findall(X-Y, (object(I, X), p(I, Y)), L)."),
    ("p(L) :- setof(X, Y^(object(X), p(Y)), L).", "p(I, L) :- setof(X, Y^(object(I, X), p(I, Y)), L)."),
    ("p(N) :- aggregate_all(count, object(_), N).", "p(I, N) :- aggregate_all(count, object(I, _), N)."),
    ("p(X) :- forall(object(Y), \\+ p(Y)), X = 1.", "p(I, X) :- forall(object(I, Y), \\+ p(I, Y)), X = 1."),
    ("% object(X), says p(X).\np(X) :- % object(X)\n    object(X). /* p(X) */",
     "% object(X), says p(X).\np(I, X) :- % object(X)\n    object(I, X). /* p(X) */"),
    ("likely(object(X), P) :- object(X), P = 1.", "likely(I, object(X), P) :- object(I, X), P = 1."),
    ("confidence(object(X), P) :- object(X), P = 1.", "confidence(object(I, X), P) :- object(I, X), P = 1."),
    ("confidence(object(_), 1).", "confidence(object(_, _), 1)."),
    ("confidence(_, _) :- fail.", "confidence(_, _) :- fail."),
    ("confidence(X > 1, 1).", "confidence(X > 1, 1)."),
    ("p(X, P) :- confidence(\\+ object(X), P).", "p(I, X, P) :- confidence(\\+ object(I, X), P)."),
    ("p(G, P) :- confidence(G, P).", "p(_, G, P) :- confidence(G, P)."),
    ("p((a :- b)).", "p(_, (a :- b))."),
    ("p([H|T]) :- object(H), p(T).", "p(I, [H|T]) :- object(I, H), p(I, T)."),
    ("p('It''s', \"é\") :- object('日本').", "p(I, 'It''s', \"é\") :- object(I, '日本')."),
    ("p(X) :- object(X), object(X, X).", "p(I, X) :- object(I, X), object(X, X)."),
    (":- initialization(main).\np(1).", ":- initialization(main).\np(_, 1)."),
    ("", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "lifted"), LIFTED, ids=[text[:24] for text, _ in LIFTED])
def test_own_predicates_get_the_argument_and_all_else_stays(text: str, lifted: str) -> None:
    assert lift(text, variable="I", predicates=["object/1"]) == lifted


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("p(X) :- object(X", "end of file"),
        ("p --> object.", "clause_that_can_be_lifted"),
        ("p(Xs) :- maplist(object, Xs).", "goal_that_can_be_lifted"),
        ("p(I) :- object(I).", "clause_without_the_variable"),
        ("p.", "term_with_arguments"),
        ("confidence(_, P) :- object(P).", "clause_that_can_be_lifted"),
    ],
)
def test_what_cannot_be_lifted_is_told(text: str, reason: str) -> None:
    with pytest.raises(WorkerError, match=reason):
        lift(text, variable="I", predicates=["object/1"])


def test_a_compiled_program_stands_alone(tmp_path: Path) -> None:
    source = tmp_path / "it's.pl"
    source.write_text("p(1).\np(2).\n")
    compiled = compile_program(source)
    moved = shutil.move(compiled, tmp_path / "moved.qlf")
    source.unlink()
    run = run_swipl("-g", "forall(p(X), (write(X), nl))", "-t", "halt", moved)
    assert (run.stdout, run.stderr) == ("1\n2\n", "")


def test_the_init_file_of_the_account_says_nothing_in_the_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It could print, define, or change how text is read; and it could never end."""
    init = tmp_path / "swi-prolog" / "init.pl"
    init.parent.mkdir()
    init.write_text(":- writeln('p(of_the_init_file).').\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert lift("p(a).", variable="I") == "p(_, a)."


def test_what_does_not_end_is_ended() -> None:
    with pytest.raises(WorkerError, match=r"longer than 0\.5 s"):
        run_swipl("-g", "repeat, fail", seconds=0.5)


@pytest.mark.parametrize("text", ["p(X :- q.", "p(X) :- q(Y).", "p(1).\nq(1).\np(2)."])
def test_a_program_with_errors_or_warnings_is_not_compiled(tmp_path: Path, text: str) -> None:
    source = tmp_path / "wrong.pl"
    source.write_text(text)
    with pytest.raises(WorkerError, match=r"wrong\.pl"):
        compile_program(source)


def test_a_compiled_program_becomes_its_clauses_again(tmp_path: Path) -> None:
    """In their order, with what has to be quoted; the source is not there any more."""
    source = tmp_path / "it's.pl"
    source.write_text(
        "p('A b', \"text\", -1.5, [x|Y], Y).\n"
        "p('\u00e4\\\\\\n', _, 1.0e-7, - 1, {a}).\n"
        "q(X) :- p(X, _, Z, _, _), ( Z > 0 -> true ; \\+ X = b ).\n"
        "none(_) :- fail.\n"
    )
    compiled = compile_program(source)
    source.unlink()
    assert decompile(compiled).splitlines() == [
        "p('A b',\"text\",-1.5,[x|A],A).",
        "p('\u00e4\\\\\\n',A,1.0e-7,- 1,{a}).",
        "q(A):-p(A,B,C,D,E),(C>0->true;\\+A=b).",
        "none(A):-fail.",
    ]


def test_what_is_no_compiled_program_is_refused(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.qlf"
    wrong.write_text("p(1).")
    with pytest.raises(WorkerError, match=r"wrong\.qlf cannot be loaded by the swipl installed: .*QLF"):
        decompile(wrong)


def test_a_compiled_program_that_ends_swipl_without_a_word_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = subprocess.CompletedProcess([], 3, stdout="", stderr="")
    monkeypatch.setattr("symbolic.compiling.run_swipl", lambda *_: ended)
    with pytest.raises(WorkerError, match="it ended with status 3"):
        decompile(tmp_path / "halting.qlf")
