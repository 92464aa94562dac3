"""The command line in a process of its own: what it loads, and how it ends."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow(9)

Run = Callable[..., Any]  # the fixture's type

COMMANDS = ("export", "query", "show", "generate", "train", "ground", "explain", "evaluate", "serve")
HEAVY = ("torch", "numpy", "matplotlib", "sklearn", "fastapi", "uvicorn", "PIL", "pydantic", "pyswip")


def loaded(*arguments: object) -> str:
    """Code that runs a command and prints which of the heavy packages it loaded."""
    return (
        "import sys\nfrom service.cli import main\n"
        f"status = main({[str(argument) for argument in arguments]!r})\n"
        f"print('loaded', [name for name in {HEAVY!r} if name in sys.modules])\nsys.exit(status)"
    )


def test_help_loads_nothing_heavy_and_shows_examples(run_apart: Run) -> None:
    root = run_apart(code=loaded("--help"))
    assert root.status == 0
    assert root.out.endswith("loaded []\n")
    for command in COMMANDS:
        assert command in root.out
    every = "; ".join(["from service.cli import main", *(f"main([{command!r}, '--help'])" for command in COMMANDS)])
    texts = run_apart(code=f"import sys; {every}; print([name for name in {HEAVY!r} if name in sys.modules])")
    assert texts.out.endswith("['numpy', 'PIL']\n")  # the lists of tasks and of kinds of objects are the domain's
    assert texts.out.count("Examples:") == len(COMMANDS)
    for command in COMMANDS:
        assert texts.out.count(f"   predinet-prolog {command} ") >= 2 - (command == "serve")
    assert texts.out.count("(default: ") >= 10


def test_no_command_is_a_request_for_help(run_apart: Run) -> None:
    assert run_apart().out == run_apart("--help").out


def test_query_of_a_program_loads_nothing_heavy(run_apart: Run, program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for setting in ("MODEL", "DATA"):  # pydantic checks what is set
        monkeypatch.delenv(f"PREDINET_PROLOG_{setting}")
    outcome = run_apart(code=loaded("query", program, "object(X)"))
    assert outcome.out.splitlines() == ["X = ob_0 ;", "X = ob_1.", "loaded []"]
    assert outcome.err == ""


def test_query_of_an_image_never_loads_torch(run_apart: Run, picture: Path) -> None:
    outcome = run_apart(code=loaded("query", picture, "object(X)"))
    assert outcome.status == 0
    assert outcome.out.splitlines()[-1] == "loaded ['numpy', 'PIL', 'pydantic']"


def test_reader_that_leaves_early_is_no_error(program: Path, root: Path) -> None:
    """Standard output is a pipe whose reading end is closed before anything is written."""
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.run(
        [sys.executable, "-c", "import sys; from service.cli import main; sys.exit(main())", "query", program, "X = a"],
        stdout=writing,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(root)},
        timeout=60,
    )
    os.close(writing)
    assert process.stderr == b""
    assert process.returncode == 141


def test_letters_that_the_terminal_lacks_are_escaped(run_apart: Run, program: Path) -> None:
    outcome = run_apart("query", program, "X = 'h\u00e9'", PYTHONIOENCODING="ascii")
    assert outcome == (0, "X = h\\xe9.\n", "")


@contextmanager
def started(root: Path, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-c", "import sys; from service.cli import main; sys.exit(main())", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def test_interrupted_query_ends_quietly(program: Path, root: Path) -> None:
    with started(root, "query", program, "repeat, fail", "--timeout", 300) as process:
        deadline = time.monotonic() + 60
        # The worker process is there once Prolog is asked.
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        if not children.exists():
            pytest.skip("no /proc to see the worker in")
        while not children.read_text() and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(0.3)
        worker = int(children.read_text().split()[0])
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        assert (process.returncode, out, err) == (130, "", "")
        with pytest.raises(ProcessLookupError):
            os.kill(worker, 0)


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        return int(server.getsockname()[1])


def test_port_in_use_is_one_line(run: Run) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        port = server.getsockname()[1]
        status, out, err = run("serve", "--port", port)
    assert (status, out) == (2, "")
    assert err == (
        f"predinet-prolog: cannot listen on 127.0.0.1 port {port}: Address already in use; "
        "try another --host or --port\n"
    )


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--host", "no.such.host.invalid"], "cannot listen on no.such.host.invalid port 8000"),
        (["--host", "x" * 300], "cannot listen on xxx"),
        (["--port", "70000"], "port: "),
        (["--workers", "0"], "workers: "),
    ],
)
def test_addresses_that_cannot_be_are_one_line(run: Run, arguments: list[str], part: str) -> None:
    status, out, err = run("serve", *arguments)
    assert (status, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert part in err


def test_serve_says_what_it_lacks_before_it_starts(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    port = free_port()
    monkeypatch.setenv("PREDINET_PROLOG_MODEL", "nobody")
    assert run("serve", "--port", port).err.startswith("predinet-prolog: no model nobody")
    monkeypatch.undo()
    monkeypatch.setenv("PREDINET_PROLOG_WORKERS", "many")
    assert run("serve", "--port", port).err.startswith("predinet-prolog: PREDINET_PROLOG_WORKERS: ")


def test_numpy_starts_no_threads_of_its_own_unless_told_to(run_apart: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read by OpenBLAS when numpy is loaded; set afterwards it does nothing."""
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    code = "import os, sys; import service.cli; print('numpy' in sys.modules, os.environ['OPENBLAS_NUM_THREADS'])"
    assert run_apart(code=code).out == "False 1\n"
    assert run_apart(code=code, OPENBLAS_NUM_THREADS="3").out == "False 3\n"


def test_what_is_interrupted_exits_as_shells_expect(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("service.cli.app.make_context", interrupted)
    assert run("query") == (130, "", "")


def test_a_fault_of_the_program_has_the_status_of_a_software_error(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("x")

    monkeypatch.setattr("service.cli.app.make_context", fail)
    status, out, err = run("query")
    assert (status, out) == (70, "")  # EX_SOFTWARE of sysexits.h
    assert err.startswith("predinet-prolog: a fault of the program, please report it: ZeroDivisionError in test_")


def test_a_misspelt_variable_is_warned_of_once(run_apart: Run, picture: Path) -> None:
    """Also where the settings are loaded twice, for the query's limits and for the model."""
    outcome = run_apart(
        "query", picture, "object(ob_0)", PREDINET_PROLOG_TIME_LIMT="3", PREDINET_PROLOG_ZZZ="1", PREDINET="x"
    )
    assert outcome.out == "true.\n"
    assert [line for line in outcome.err.splitlines() if "setting" in line] == [
        "predinet-prolog: warning: no setting is called PREDINET_PROLOG_TIME_LIMT: "
        "did you mean PREDINET_PROLOG_TIME_LIMIT?",
        "predinet-prolog: warning: no setting is called PREDINET_PROLOG_ZZZ",
    ]
