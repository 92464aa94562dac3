"""A worker as its parent sees it: a Prolog process, another one when that has ended, and what it was told."""

from __future__ import annotations

import itertools
import json
import math
import os
import signal
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Any

from predinet_prolog.lazily import lazily
from predinet_prolog.symbolic import limits
from predinet_prolog.symbolic.channel import Channel
from predinet_prolog.symbolic.errors import ProgramError, QuerySyntaxError, SymbolicError, TimeLimitError, WorkerError
from predinet_prolog.symbolic.precheck import refusal
from predinet_prolog.symbolic.question import Question
from predinet_prolog.symbolic.replies import error_from_reply, goal_time_limit
from predinet_prolog.symbolic.rules import Rules
from predinet_prolog.symbolic.wire import dumps

hints = lazily("predinet_prolog.symbolic.hints")  # for goals that are no Prolog
_PAGE = os.sysconf("SC_PAGE_SIZE")


class Worker:
    """A Prolog process, started when it is first asked (about 0.1 s), and again after it died, was killed at its time
    limit, or has served its share. Threads may share it: questions wait for each other.

    trust: whether it may call whatever Prolog has. base: a compiled program that it has loaded from its start.
    checks: whether its process looks at texts as precheck.py does, where it may take a while and nobody else waits;
        else the worker does, and processes start sooner.
    started, killed, died, recycled: how many processes were started, were killed at a time limit, ended for another
        reason, were replaced after their share.
    crashed: whether the last one that died did so by itself, and not by somebody's SIGKILL.
    """

    channel: type[Channel] = Channel
    """What a process is started with."""

    def __init__(self, *, trust: bool = False, base: Path | None = None, checks: bool = True) -> None:
        self.started = self.killed = self.died = self.recycled = 0
        self.crashed = False
        self._trust, self._base, self._checks = trust, base, checks
        self._lock = threading.Lock()
        self._process: Channel | None = None
        self._late = False
        self._requests = 0
        # What the process has loaded, least recently asked first, and the key it knows it by.
        self._loaded: OrderedDict[tuple[str, tuple[Rules, ...]], str] = OrderedDict()
        self._keys = itertools.count()

    @property
    def alive(self) -> bool:
        process = self._process
        return process is not None and process.alive()

    def holds(self, question: Question) -> bool:
        return (question.program, question.rules) in self._loaded

    def start(self) -> None:
        """Starts the process if there is none. Raises SwiPrologMissingError, and WorkerError if it cannot start."""
        with self._lock:
            self._ready()

    def ask(self, question: Question) -> bytes:
        """The JSON text of the answers; loads what is asked in if need be. Raises SymbolicErrors."""
        with self._lock:
            self._ready()
            try:
                return self._answer(question)
            finally:
                if not self.alive:
                    self._ended()
                elif self._spent():
                    self.recycled += 1
                    self._stop()

    def kill(self) -> None:
        """Ends the process; a question that it is at fails with a WorkerError."""
        process = self._process
        if process is not None:
            process.kill()

    def close(self) -> None:
        """Ends the process, and waits for that. It may be asked again afterwards."""
        self.kill()  # before the lock, which a running question holds until its answer comes
        with self._lock:
            self._stop()

    def _ready(self) -> None:
        if self._process is not None and not self.alive:  # it died between two questions
            self._ended()
        if self._process is None:
            self._process = self.channel(trust=self._trust, base=self._base, checks=self._checks)
            late = WorkerError("the Prolog process did not start in time")
            try:
                seconds = limits.BASE_SECONDS if self._base else limits.START_SECONDS
                greeting = self._reply(b"", seconds, late)
                if greeting.startswith(b'{"error":'):
                    raise error_from_reply(json.loads(greeting)["error"], seconds)
                if not greeting.startswith(b"{"):
                    raise WorkerError(f"the Prolog process could not start: {greeting.decode()}")
            except BaseException:
                self._stop()
                raise
            self.started += 1

    def _stop(self) -> None:
        """Ends the process, if there is one, and forgets what it was told."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.closed()
        self._late = False
        self._requests = 0
        self._loaded.clear()

    def _ended(self) -> None:
        """The process has ended."""
        assert self._process is not None
        status = self._process.closed()
        if self._late or status == -signal.SIGALRM:
            self.killed += 1
        else:
            self.died += 1
            self.crashed = status != -signal.SIGKILL
        self._stop()

    def _spent(self) -> bool:
        """Whether a fresh process should take its place: it served its share, or holds too much memory after a reply.

        Prolog gives neither functors nor predicates back, so a goal that makes names without end leaves them behind;
        and what an attack took of the address space is missing to the stacks of those who come later.
        """
        assert self._process is not None
        try:
            size, resident, *_ = Path(f"/proc/{self._process.pid}/statm").read_bytes().split()
            taken = limits.BASE_BYTES * self._base.stat().st_size if self._base else 0
        except (OSError, ValueError):  # it has ended, or this is no Linux
            size, resident, taken = b"0", b"0", 0
        too_large = int(size) * _PAGE > limits.SIZE + taken or int(resident) * _PAGE > limits.RESIDENT + taken
        return self._requests >= limits.REQUESTS or too_large

    def _answer(self, question: Question) -> bytes:
        sources = question.program, question.rules
        if sources not in self._loaded:
            self._load(question)
        self._loaded.move_to_end(sources)
        key, milliseconds = self._loaded[sources], math.ceil(question.seconds * 1000)
        arguments = [key, milliseconds, question.limit, int(question.text), question.goal, question.beside]
        try:
            late = goal_time_limit(question.seconds)
            return self._exchange(question.operation, arguments, question.all_seconds, late, question.seconds)
        except QuerySyntaxError as error:
            if hint := hints.syntax_hint(question.goal, error.position):
                raise QuerySyntaxError(f"{error.fault}: {hint}", error.position) from None
            raise

    def _load(self, question: Question) -> None:
        """Loads what is asked in, making room for it."""
        seconds = limits.LOAD_SECONDS
        late = TimeLimitError(f"the program and its rules took longer than {seconds:g} s to load")
        new = question.program, question.rules
        while self._loaded and (
            len(self._loaded) >= limits.LOADED_PROGRAMS
            or sum(len(text) for one, rules in [new, *self._loaded] for text in (one, *(file.text for file in rules)))
            > limits.LOADED_CHARACTERS
        ):
            _, oldest = self._loaded.popitem(last=False)
            self._exchange("drop", [oldest], seconds, late, seconds)
        texts = ["program", question.program]
        for file in question.rules:
            texts += [file.name, file.text]
        key = str(next(self._keys))
        try:
            self._exchange("load", [key, texts], seconds, late, seconds)
        except ProgramError as error:
            at, text = error.position, next((file.text for file in question.rules if file.name == error.name), "")
            if at is not None and (hint := hints.syntax_hint(text, at)):
                raise ProgramError(f"{error.fault}: {hint}", error.name, error.line, at) from None
            raise
        self._loaded[new] = key

    def _exchange(
        self, operation: str, arguments: list[Any], seconds: float, late: SymbolicError, limit: float
    ) -> bytes:
        self._requests += 1
        alarm = math.ceil(1000 * (seconds + min(seconds, limits.WORKER_GRACE)))
        refused = None if self._checks else refusal(operation, arguments)
        reply = refused or self._reply(dumps([alarm, operation, arguments]), seconds, late)
        # The answers' text goes on as it is, for it may be large.
        if reply.startswith(b'{"error":'):
            raise error_from_reply(json.loads(reply)["error"], limit)
        return reply

    def _reply(self, message: bytes, seconds: float, late: SymbolicError) -> bytes:
        """Sends `message` and returns the reply to it. Raises `late` after so many seconds; the process is dead then,
        and after a WorkerError."""
        process = self._process
        assert process is not None
        try:
            return process.exchange(message, seconds + limits.KILL_GRACE)
        except TimeoutError:
            self._late = True
            process.kill()
        except EOFError:
            pass
        except BaseException:  # interrupted half-way, it says next what nobody asks
            process.kill()
            process.closed()
            raise
        status = process.closed()
        if self._late or status == -signal.SIGALRM:
            raise late
        how = f"was killed by {signal.Signals(-status).name}" if status < 0 else f"ended with status {status}"
        raise WorkerError(f"the Prolog process {how}: perhaps it needed more memory than it may have")
