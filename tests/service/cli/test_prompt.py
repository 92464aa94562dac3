"""repl: where terms end, and that mistakes end a line and not the session; Tab completes. docs/rules-and-queries.md has
a session."""

import io
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cases import cases
from tests.service.helpers import CLI, Run, environment

pytestmark = pytest.mark.slow(5)
CASES = cases(__file__)


@pytest.fixture
def typed(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs repl with the arguments, and the lines given to it."""

    def call(*arguments: object, lines: str) -> object:
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        return run("repl", *arguments)

    return call


@pytest.mark.parametrize(("text", "out"), CASES["answered"])
def test_terms_go_to_their_full_stop(typed: Run, program: Path, text: str, out: str) -> None:
    assert typed(program, lines=text).out == out


NO_TEXT = ["first(X) :-\n    object(X), \udcff\n    X @> ob_0.", "standard input:2: a character that is no"]


@pytest.mark.parametrize(("text", "said"), [*CASES["refused"], NO_TEXT])
def test_what_is_no_term_is_refused_as_a_whole(typed: Run, program: Path, text: str, said: str) -> None:
    """No part of it is asked, and what comes behind its full stop is."""
    status, out, err = typed(program, lines=f"{text}\nobject(ob_1).\n")
    assert (status, out) == (0, "true.\n")
    assert said in err
    assert err.count("predinet-prolog: ") == 1


def test_a_mistake_ends_its_line_alone(typed: Run, program: Path) -> None:
    out = typed(program, lines="help.\n").out
    assert all(f"\n{what}" in f"\n{out}" for what in ("GOAL.", "why GOAL.", "HEAD :- BODY.", "listing(", "halt."))
    status, out, err = typed(program, "--timeout", 0.3, lines="object(X.\n\nno_such(X)\nrepeat, fail\nobject(ob_0)\n")
    assert (status, out) == (0, "true.\n")
    lines = [line for line in err.splitlines() if not line.startswith("  ")]
    assert all(line.startswith("predinet-prolog: ") for line in lines)
    assert all(what in err for what in ("Syntax error", "unknown predicate no_such/1", "--timeout"))


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
        os.write(here, b"near(X) :-\n")
        read_until(b"|    ")
        os.write(here, b"sky(X).\n")
        read_until(b"?- ")
        os.write(here, b"near(X)\n")
        assert b"X = ob_0." in read_until(b".\r\n?- ")
        os.write(here, b"\x04")
        assert process.wait(timeout=60) == 0
    finally:
        process.kill()
        process.wait()
        os.close(here)
    assert (tmp_path / "state" / "predinet-prolog" / "history").read_text().splitlines()[0] == "sky(X)"
