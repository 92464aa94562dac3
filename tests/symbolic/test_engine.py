"""The engine's life: workers started, kept, recycled, lost and replaced; threads; a missing SWI-Prolog."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from predinet_prolog.symbolic import Engine, Rules, TimeLimitError, limits
from predinet_prolog.symbolic.compiling import compile_program
from predinet_prolog.symbolic.errors import ForbiddenError, ProgramError, SwiPrologMissingError, WorkerError

pytestmark = pytest.mark.slow(15)


def worker_pid(engine: Engine) -> int:
    return engine._worker._process.pid


def test_closing_ends_the_worker_and_asking_starts_another() -> None:
    engine = Engine()
    engine.ask("", "true")
    pid = worker_pid(engine)
    engine.close()
    engine.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    with engine:
        assert engine.ask("p(1).", "p(X)").answers[0].bindings == {"X": 1}


def test_a_compiled_program_of_any_size_is_part_of_what_is_asked(tmp_path: Path) -> None:
    """It is looked at as one in text is, and rules mean each of its pictures."""
    source = tmp_path / "base.pl"
    source.write_text(f"image(a, 1, 1, x). big(a, {'y' * limits.TEXT_BYTES}). small(I, b) :- image(I, _, _, x).")
    rules = [Rules("r.pl", "both(X) :- big(_), small(X).")]
    with Engine(base=compile_program(source)) as engine:
        answers = engine.ask("", "both(X)", rules=rules, why=True).answers
        assert [answer.bindings for answer in answers] == [{"Image": "a", "X": "b"}]
        with pytest.raises(ForbiddenError, match="shell/1 is not allowed"):
            engine.ask("", "shell(X)")
        with pytest.raises(ProgramError, match="small/2 is defined by the program already"):
            engine.ask("", "true", rules=[Rules("r.pl", "small(c, d).")])
    source.write_text("p(X) :- shell(X).")
    with Engine(base=compile_program(source)) as engine, pytest.raises(ForbiddenError, match="shell/1 is not allowed"):
        engine.ask("", "p(X)")


@pytest.mark.parametrize("signal_number", [signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV])
def test_a_worker_that_died_between_questions_is_replaced(signal_number: int) -> None:
    with Engine() as engine:
        assert len(engine.ask("p(1). p(2).", "p(X)").answers) == 2
        pid = worker_pid(engine)
        os.kill(pid, signal_number)
        with contextlib.suppress(ChildProcessError):  # the engine's own thread has seen it end
            os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        assert len(engine.ask("p(1). p(2).", "p(X)").answers) == 2
        assert worker_pid(engine) != pid


def test_a_worker_that_dies_during_a_question_is_reported_and_replaced() -> None:
    with Engine() as engine:
        engine.ask("", "true")
        killer = threading.Timer(0.2, os.kill, (worker_pid(engine), signal.SIGSEGV))
        killer.start()
        with pytest.raises(WorkerError, match="SIGSEGV"):
            engine.ask("", "repeat, fail", time_limit=20)
        killer.join()
        assert engine.ask("", "true").answers


def test_a_worker_that_is_stopped_is_killed_at_the_limit() -> None:
    """Its own alarm cannot help when it does not run at all."""
    with Engine() as engine:
        engine.ask("", "true")
        pid = worker_pid(engine)
        os.kill(pid, signal.SIGSTOP)
        with pytest.raises(TimeLimitError):
            engine.ask("", "true", time_limit=0.1)
        assert engine.ask("", "true").answers
        assert worker_pid(engine) != pid


def test_workers_end_when_their_parent_has_gone() -> None:
    """One in the middle of an operation that no limit of Prolog's ends, by its alarm, and one that is idle."""
    code = (
        "import os, threading\n"
        "from predinet_prolog.symbolic import Engine\n"
        "engines = [Engine(), Engine()]\n"
        "for engine in engines:\n"
        "    engine.ask('', 'true')\n"
        "    print(engine._worker._process.pid, flush=True)\n"
        "long = 'X is powm(3**200000, 7**200000, 11**200000)'\n"
        "threading.Thread(target=engine.ask, args=('', long), daemon=True).start()\n"
        "threading.Event().wait(0.3)\n"
        "os._exit(0)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60)
    left = {int(pid) for pid in run.stdout.split()}
    deadline = time.monotonic() + 10
    while left and time.monotonic() < deadline:
        time.sleep(0.05)
        left = {pid for pid in left if not gone(pid)}
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert not left, "they outlived their engines"


def gone(pid: int) -> bool:
    try:
        return "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return True


@pytest.mark.parametrize(("limit", "value", "workers"), [("REQUESTS", 3, 2), ("RESIDENT", 0, 4), ("SIZE", 0, 4)])
def test_a_worker_serves_its_share_only(monkeypatch: pytest.MonkeyPatch, limit: str, value: int, workers: int) -> None:
    """Functors are never collected: names made without end would fill the worker for all who come after."""
    monkeypatch.setattr(limits, limit, value)
    with Engine() as engine:
        seen = set()
        for _ in range(4):
            engine.start()
            engine._starter.join()
            seen.add(worker_pid(engine))
            assert engine.ask("p(1).", "p(X)").answers
        assert len(seen) == workers


def test_dropped_programs_are_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker's memory does not grow with the number of programs it has seen."""
    monkeypatch.setattr(limits, "LOADED_PROGRAMS", 2)
    with Engine() as engine:

        def resident_pages_after(programs: range) -> int:
            for i in programs:
                facts = "".join(f"p({i}, a{j}, {j / 7})." + "\n" for j in range(300))
                engine.ask(facts, "p(X, Y, Z)", limit=1)
            return int(Path(f"/proc/{worker_pid(engine)}/statm").read_text().split()[1])

        first = resident_pages_after(range(40))
        second = resident_pages_after(range(40, 140))
    assert (second - first) * 4096 < 4 * 2**20, "100 programs that stayed would be some 10 MB"


def test_threads_share_an_engine(engine: Engine, program: str) -> None:
    def ask(i: int) -> bool:
        own = engine.ask(f"p({i}). p({i + 1}).", "p(X)").answers
        shared = engine.ask(program, "same(X, Y)").answers
        return [answer.bindings["X"] for answer in own] == [i, i + 1] and len(shared) == 2

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(40)))


def test_an_interrupted_question_leaves_a_usable_engine() -> None:
    with Engine() as engine:
        engine.ask("", "true")
        pid = worker_pid(engine)
        interrupt = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
        interrupt.start()
        with pytest.raises(KeyboardInterrupt):
            engine.ask("", "repeat, fail", time_limit=20)
        interrupt.join()
        assert engine.ask("p(2).", "p(X)").answers[0].bindings == {"X": 2}
        assert worker_pid(engine) != pid, "that one would answer what nobody asks any more"


def test_the_worker_lives_in_an_empty_house(monkeypatch: pytest.MonkeyPatch) -> None:
    """No environment of its parent, no terminal, no rights, nothing to write to, nothing to start."""
    monkeypatch.setenv("SECRET_OF_THE_PARENT", "1")
    with Engine(time_limit=10) as engine:
        engine.ask("", "true")
        process = Path(f"/proc/{worker_pid(engine)}")
        names = {entry.split(b"=")[0] for entry in (process / "environ").read_bytes().split(b"\0") if entry}
        assert names == {b"PYTHONPATH", b"HOME", b"LC_ALL", b"LIBSWIPL_PATH", b"SWI_HOME_DIR"}
        assert (process / "cwd").readlink() == Path("/")
        assert {(process / "fd" / number).readlink() for number in "012"} == {Path("/dev/null")}
        rows = (process / "limits").read_text().splitlines()
        soft = {row[:26].strip(): row[26:].split()[0] for row in rows[1:]}
        assert soft["Max core file size"] == soft["Max file size"] == soft["Max processes"] == "0"
        assert soft["Max address space"] == "1073741824"  # one GiB
        fields = dict(line.split(":\t", 1) for line in (process / "status").read_text().splitlines())
        assert fields["NoNewPrivs"] == "1"
        if os.geteuid() == 0:
            assert set(fields["Uid"].split()) == set(fields["Gid"].split()) == {str(limits.NOBODY)}
            assert fields["Groups"].split() == []
        # What is loaded on demand, and what Prolog would use a thread for, works all the same.
        clpfd = Rules("c.pl", ":- use_module(library(clpfd)).")
        assert engine.ask("", "X #> 1, X #< 3", rules=[clpfd]).answers[0].bindings == {"X": 2}
        assert engine.ask("", "forall(between(1, 300000, I), atom_concat(a_long_name_, I, _))").answers
        with pytest.raises(TimeLimitError):
            engine.ask("", "repeat, fail", time_limit=0.05)


@pytest.mark.parametrize(
    ("output", "message"),
    [
        (None, "SWI-Prolog is missing .*apt-get install swi-prolog-nox.*brew install swi-prolog"),
        ('PLVERSION="80432";\nPLSHARED="yes";', r"SWI-Prolog 8\.4\.32 .*too old.*9\.0 or later"),
        ('PLVERSION="90004";\nPLSHARED="no";', "without its shared library, libswipl"),
        ('PLVERSION="90004";\nPLLIBSWIPL="/no/such.so";\nPLBASE="/";', "without its shared library"),
        ("nonsense", "too old"),
    ],
)
def test_no_swi_prolog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, output: str | None, message: str) -> None:
    if output is not None:
        (tmp_path / "swipl").write_text(f"#!/bin/sh\ncat <<'END'\n{output}\nEND\n")
        (tmp_path / "swipl").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin" if output is not None else str(tmp_path))
    with Engine() as engine:
        engine.start()
        with pytest.raises(SwiPrologMissingError, match=message) as caught:
            engine.ask("", "true")
    assert "\n" not in str(caught.value)


def test_closing_ends_a_question_that_still_runs(engine: Engine) -> None:
    engine.ask("", "true")  # the worker is there
    worker = engine._worker
    before = worker._requests
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(engine.ask, "", "repeat, fail", time_limit=200)
        while worker._requests == before:  # before that, the question might find the worker dead, and start another
            threading.Event().wait(0.01)
        engine.close()
        with pytest.raises(WorkerError, match="SIGKILL"):
            asked.result(timeout=60)
    assert engine.ask("", "true").answers, "it can be asked again"


def test_large_programs_make_room_for_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LOADED_CHARACTERS", 1000)
    small, large, larger = "p(1).", "p(2)." + " " * 900, "p(3)." + " " * 2000
    with Engine() as engine:
        for program, held in [(small, 1), (large, 2), (larger, 1), (small, 1), (large, 2), (small, 2)]:
            assert engine.ask(program, "p(X)").answers[0].bindings == {"X": int(program[2])}
            assert len(engine._worker._loaded) == held
