"""The command line in a process of its own: what it loads, and how it ends."""

import errno
import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from predinet_prolog.domains.errors import ImageError
from tests.cases import cases
from tests.service.helpers import CLI, Refused, Run, children, environment, gone, one_line, started

CASES = cases(__file__)

pytestmark = pytest.mark.slow(9)

COMMANDS = (
    "export", "query", "show", "generate", "train", "ground", "explain", "evaluate", "reproduce", "serve", "agent",
)  # fmt: skip
HEAVY = ("torch", "numpy", "matplotlib", "sklearn", "fastapi", "uvicorn", "PIL", "pydantic", "pyswip", "tempfile")


def loaded(*arguments: object) -> str:
    """Code that runs a command and prints which of the heavy packages it loaded."""
    return (
        "import sys\nfrom predinet_prolog.service.cli import main\n"
        f"status = main({[str(argument) for argument in arguments]!r})\n"
        f"print('loaded', [name for name in {HEAVY!r} if name in sys.modules])\nsys.exit(status)"
    )


def test_help_loads_nothing_heavy_and_shows_examples(run_apart: Run) -> None:
    root, bare = run_apart(code=loaded("--help")), run_apart(code=loaded())
    assert (root.status, root.out) == (0, bare.out)  # no command is a request for help
    assert root.out.endswith("loaded []\n")
    begin = "import sys; from predinet_prolog.service.cli import main"
    version = f"{begin}; main(['--version']); print('click' in sys.modules)"
    assert run_apart(code=version).out.endswith("\nFalse\n"), "that takes little more than Python itself"
    assert all(command in root.out for command in COMMANDS)
    every = "; ".join(f"main([{command!r}, '--help'])" for command in COMMANDS)
    texts = run_apart(code=f"{begin}; {every}; print([name for name in {HEAVY!r} if name in sys.modules])")
    assert texts.out.endswith("['numpy', 'PIL', 'tempfile']\n"), "nothing that only an extra brings"
    assert texts.out.count("Examples:") == len(COMMANDS)
    assert all(texts.out.count(f"   predinet-prolog {command} ") >= 2 - (command == "serve") for command in COMMANDS)
    assert texts.out.count("(default: ") >= 10


def test_numpy_starts_no_threads_of_its_own_unless_told_to(run_apart: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read by OpenBLAS when numpy is loaded; set afterwards it does nothing."""
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    code = (
        "import os,sys, predinet_prolog.service.cli; print('numpy' in sys.modules, os.getenv('OPENBLAS_NUM_THREADS'))"
    )
    assert run_apart(code=code).out == "False 1\n"
    assert run_apart(code=code, OPENBLAS_NUM_THREADS="3").out == "False 3\n"


def test_a_misspelt_variable_is_warned_of_once(run_apart: Run, picture: Path) -> None:
    """Also where the settings are loaded twice, for the query's limits and for the model."""
    outcome = run_apart(
        "query", picture, "object(ob_0)", PREDINET_PROLOG_TIME_LIMT="3", PREDINET_PROLOG_ZZZ="1", PREDINET="x"
    )
    assert outcome.out == "true.\n"
    assert [line for line in outcome.err.splitlines() if "setting" in line] == CASES["warned"]


@pytest.mark.parametrize(("source", "heavy"), [("scene.pl", ""), ("scene.png", "numpy PIL pydantic tempfile")])
def test_query_loads_no_more_than_it_needs(
    run_apart: Run, program: Path, picture: Path, monkeypatch: pytest.MonkeyPatch, source: str, heavy: str
) -> None:
    for name in ("MODEL", "DATA") if source == program.name else ():  # pydantic checks what is set
        monkeypatch.delenv(f"PREDINET_PROLOG_{name}")
    outcome = run_apart(code=loaded("query", source, "object(X)"))
    assert (outcome.status, outcome.out.splitlines()[-1]) == (0, f"loaded {heavy.split()}")


def test_homes_are_left_alone(run_apart: Run, picture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """onnxruntime, which sees, would report its use from there."""
    for name in ("ORT_DISABLE_TELEMETRY", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    (home := tmp_path / "home").mkdir()
    assert run_apart("query", picture, "object(X)", HOME=str(home)).status == 0
    kept = sorted(path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file())
    assert re.fullmatch(r"\S+/predinet-prolog/host\.\w+\.state \S+/predinet-prolog/swipl\.\w+\.json", " ".join(kept))


@pytest.mark.parametrize("arguments", [["--version"], ["serve", "-h"], ["query", "scene.pl", "X = a"]])
@pytest.mark.parametrize(("output", "status", "said"), CASES["outputs"])
def test_output_that_takes_no_more_is_told_in_a_line(
    root: Path, program: Path, arguments: list[str], output: str, status: int, said: str
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.run(
        ["sh", "-c", f'"$@" {output}', "sh", sys.executable, "-c", CLI, *arguments],
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(root, PYTHONUNBUFFERED="1" if "-h" in arguments else ""),
        timeout=60,
    )
    os.close(writing)
    assert (process.returncode, process.stderr) == (status, said and f"predinet-prolog: {said}\n")


def test_interrupted_query_ends_quietly(program: Path, root: Path) -> None:
    with started(root, "query", program, "repeat, fail", "--timeout", 300) as process:
        deadline = time.monotonic() + 60
        while not (workers := children(process.pid)) and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "")
    assert workers
    assert gone(*workers)


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (ImageError("a\nb\x1b[31mc"), 2, r"a\nb\x1b[31mc"),
        (KeyboardInterrupt(), 130, ""),
        (
            ModuleNotFoundError(name="sklearn.cluster"),
            2,
            "that takes sklearn, which is not installed: pip install 'pre",
        ),
        (ModuleNotFoundError(name="prometheus_client"), 2, "that takes prometheus_client, which is not installed"),
        (ModuleNotFoundError(name="predinet_prolog.service"), 70, "a fault of the program, please report it"),
        (ZeroDivisionError("x"), 70, "a fault of the program, please report it: ZeroDivisionError in test_process.py:"),
        (OSError(errno.EIO, "I/O error"), 70, "a fault of the program, please report it: OSError in test_process.py:"),
    ],
)
def test_an_exception_is_one_line_and_a_status_that_shells_know(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException, status: int, said: str
) -> None:
    """130 of an interruption, 70 (EX_SOFTWARE of sysexits.h) of a fault of the program."""

    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("predinet_prolog.service.cli.app.app.make_context", fail)
    found = run("query")
    assert (found.status, found.out) == (status, "")
    assert (one_line(found.err).startswith(said) and "\x1b" not in found.err) if said else found.err == ""


def test_serve_says_what_it_lacks_before_it_starts(refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        port = server.getsockname()[1]
        said = f"cannot listen on 127.0.0.1 port {port}: Address already in use; try another --host or --port"
        refused(said, "serve", "--port", port)
    monkeypatch.setenv("PREDINET_PROLOG_MODEL", "nobody")
    refused("no model nobody", "serve", "--port", port)
    monkeypatch.setenv("PREDINET_PROLOG_WORKERS", "many")
    refused("PREDINET_PROLOG_WORKERS: ", "serve", "--port", port)
