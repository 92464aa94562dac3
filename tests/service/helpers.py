"""What the tests of the service share: the command line in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
"""The type of the fixtures `run` and `run_apart`."""
Refused = Callable[..., None]
"""The type of the fixture `refused`."""
CLI = "import sys; from predinet_prolog.service.cli import main; sys.exit(main())"


def everywhere(monkeypatch: pytest.MonkeyPatch, original: object, stand_in: object) -> None:
    """Puts the stand-in in the place of what the project's modules have imported, whoever did."""
    for module in [module for name, module in sys.modules.items() if name.startswith("predinet_prolog.")]:
        for name in [name for name, value in vars(module).items() if value is original]:
            monkeypatch.setattr(module, name, stand_in)


def one_line(err: str) -> str:
    """The message of the only line on standard error."""
    (line,) = err.splitlines()
    program, message = line.split(": ", 1)
    assert program == "predinet-prolog"
    return message


def environment(root: Path, **more: str) -> dict[str, str]:
    """That of a process which finds the project."""
    return {**os.environ, "PYTHONPATH": str(root), **more}


@contextmanager
def started(root: Path, *arguments: object, **more: str) -> Iterator[subprocess.Popen[str]]:
    """A command in a process group of its own, with `more` in its environment; it ends with the block."""
    process = subprocess.Popen(
        [sys.executable, "-c", CLI, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(root, **more),
        start_new_session=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def children(process: int) -> set[int]:
    """The ids of the process's own processes, such as Prolog's."""
    tasks = Path(f"/proc/{process}/task")
    if not tasks.exists():
        pytest.skip("no /proc to see the workers in")
    return {int(child) for task in tasks.iterdir() for child in (task / "children").read_text().split()}


def gone(*processes: int) -> bool:
    """Whether none of them runs any more."""
    return not any(Path(f"/proc/{process}").exists() for process in processes)
