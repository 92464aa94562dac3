"""repl: a session gives what `query` and `why` give; mistakes end a line and not the session; Tab completes."""

import io
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.service.helpers import CLI, Run, environment

pytestmark = pytest.mark.slow(5)


@pytest.fixture
def typed(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs repl with the arguments, and the lines given to it."""

    def call(*arguments: object, lines: str) -> object:
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        return run("repl", *arguments)

    return call


def test_a_line_is_answered_as_query_and_why_answer_it(run: Run, typed: Run, program: Path) -> None:
    goals = ["r0(V, X, Y)", "object(ob_7)"]
    asked = [run(command, program, goal).out for goal in goals for command in ("query", "why")]
    lines = "\n".join(line for goal in goals for line in (goal, f"why {goal}"))
    assert typed(program, lines=lines) == (0, "".join(asked), "")


def test_an_image_is_looked_at_once_and_asked(typed: Run, picture: Path) -> None:
    status, out, err = typed(picture, lines="object(ob_0) ; true\nhalt\nobject(X)\n")
    assert (status, err) == (0, "")
    assert out in ("true.\n", "true ;\ntrue.\n")


def test_a_clause_is_a_rule_from_then_on(typed: Run, program: Path) -> None:
    lines = "first(X) :- r0(V, X, _), V > 0\nfirst(X)\nfirst(X, Y) :- shell(X)\nfirst(X)"
    status, out, err = typed(program, lines=lines)
    assert (status, out) == (0, "X = ob_0.\n" * 2)
    assert err.startswith("predinet-prolog: --rule:2: shell/1 is not allowed")


def test_a_mistake_ends_its_line_alone(typed: Run, program: Path) -> None:
    status, out, err = typed(program, "--timeout", 0.3, lines="object(X\n\nno_such(X)\nrepeat, fail\nobject(ob_0)\n")
    assert (status, out) == (0, "true.\n")
    assert [line for line in err.splitlines() if line.startswith("predinet-prolog: ")] == [
        line for line in err.splitlines() if not line.startswith("  ")
    ]
    assert all(what in err for what in ("Syntax error", "unknown predicate no_such/1", "--timeout"))


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("no.pl", None, "no such file: no.pl"),
        ("bad.pl", "object(", "bad.pl:1: Syntax error"),
        ("table.parquet", "", "table.parquet is a table"),
    ],
)
def test_what_cannot_be_asked_is_said_before_the_first_line(typed: Run, name: str, text: str | None, said: str) -> None:
    if text is not None:
        Path(name).write_text(text)
    status, out, err = typed(name, lines="true\n")
    assert (status, out) == (2, "")
    assert said in err


def test_tab_completes_on_a_terminal_and_lines_are_kept(root: Path, program: Path, tmp_path: Path) -> None:
    """Only `sky` begins so. Control-D ends the session."""
    program.write_text(program.read_text() + "sky(ob_0).\n")
    here, there = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", CLI, "repl", str(program)],
        stdin=there,
        stdout=there,
        stderr=subprocess.STDOUT,
        env=environment(root, XDG_STATE_HOME=str(tmp_path / "state"), TERM="dumb"),
        start_new_session=True,
    )
    os.close(there)

    def read_until(end: bytes) -> bytes:
        shown = b""
        while not shown.endswith(end):
            shown += os.read(here, 4096)
        return shown

    try:
        read_until(b"?- ")
        os.write(here, b"sk\t(X)\n")
        assert b"sky(X)\r\nX = ob_0.\r\n" in read_until(b".\r\n?- ")
        os.write(here, b"\x04")
        assert process.wait(timeout=60) == 0
    finally:
        process.kill()
        process.wait()
        os.close(here)
    assert (tmp_path / "state" / "predinet-prolog" / "history").read_text().splitlines()[-1] == "sky(X)"
