"""The same programs and goals by other ways to SWI-Prolog, in the same closed loops."""

import json
import os
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.load.measuring import Tally, Verdict

Ask = Callable[[int, str], bool]
"""Asks program number N a goal; whether the answers are those expected."""


@dataclass(frozen=True)
class Questions:
    """Programs as files, and the answers expected to each goal of each."""

    files: Sequence[Path]
    expected: dict[tuple[int, str], list[dict[str, Any]]]
    """By program and goal: the bindings of each answer, as our own JSON."""


def loops(asks: Sequence[Ask], questions: Iterator[tuple[int, str]], seconds: float) -> Tally:
    """A thread for each of `asks`, which wait for processes or sockets only, for `seconds`."""
    tally = Tally(seconds=seconds)
    lock = threading.Lock()
    end = perf_counter() + seconds

    def run(ask: Ask) -> None:
        while perf_counter() < end:
            with lock:
                question = next(questions)
            start = perf_counter()
            right = ask(*question)
            spent = perf_counter() - start
            with lock:
                tally.note(Verdict.RIGHT if right else Verdict.WRONG, "answered", str(question))
                tally.latencies.append(spent)

    with ThreadPoolExecutor(len(asks)) as threads:
        list(threads.map(run, asks))  # raises what a thread raised
    tally.seconds = max(seconds, perf_counter() - end + seconds)
    return tally


def plain_swipl(questions: Questions) -> Ask:
    """A process for each question, as one would do from a shell script. It prints a line for each answer."""
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}

    def ask(program: int, goal: str) -> bool:
        expected = questions.expected[program, goal]
        names = list(expected[0]) if expected else []
        line = "[" + ",".join(names) + "]"
        show = f"forall(({goal}), (write_term({line}, [quoted(true), ignore_ops(true)]), nl))"
        run = subprocess.run(
            ["swipl", "-f", "none", "-g", show, "-t", "halt", str(questions.files[program])],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=True,
        )
        return run.stdout.splitlines() == [_text(list(bindings.values())) for bindings in expected]

    return ask


@contextmanager
def machine_queries(questions: Questions, connections: int) -> Iterator[list[Ask]]:
    """SWI-Prolog's own Machine Query Interface by its own client: one process, a thread of it for each connection."""
    from swiplserver import PrologMQI  # type: ignore[import-untyped]

    with PrologMQI(unix_domain_socket="") as server:
        with server.create_thread() as loader:
            for number, file in enumerate(questions.files):
                loader.query(f"load_files(scene{number}:{_text(str(file))}, [silent(true)])")
        threads = [server.create_thread() for _ in range(connections)]
        for thread in threads:
            thread.start()
        try:
            yield [_machine_query(questions, thread) for thread in threads]
        finally:
            for thread in threads:
                thread.stop()


def _machine_query(questions: Questions, thread: Any) -> Ask:
    def ask(program: int, goal: str) -> bool:
        # It runs goals in the context of user; call/1 makes the module the context, too.
        found = thread.query(f"call(scene{program}:({goal}))")
        answers = [{}] if found is True else found or []
        shown = [{name: value for name, value in answer.items() if name[0] != "_"} for answer in answers]
        return shown == questions.expected[program, goal]

    return ask


def _text(value: Any) -> str:
    """Our JSON of a value as Prolog writes it with ignore_ops(true): what HONEST's answers are made of."""
    match value:
        case str() if value.isidentifier() and value[0].islower() and value.isascii():
            return value
        case str():
            return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
        case int() | float():
            return json.dumps(value)
        case list():
            return "[" + ",".join(map(_text, value)) + "]"
        case {"functor": str(functor), "args": list(arguments)}:
            name = functor if functor == "-" else _text(functor)
            return f"{name}({','.join(map(_text, arguments))})"
    raise AssertionError(f"no answer of the honest queries has {value!r}")
