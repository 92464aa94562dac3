"""A worker process as its parent sees it: what it was told, and what to tell it next."""

from __future__ import annotations

import json
import math
import os
import signal
from collections import OrderedDict
from itertools import count
from typing import Protocol

from predinet_prolog.symbolic import limits
from predinet_prolog.symbolic.errors import (
    QuerySyntaxError,
    SymbolicError,
    TimeLimitError,
    WorkerError,
    error_from_reply,
    goal_time_limit,
)
from predinet_prolog.symbolic.hints import syntax_hint
from predinet_prolog.symbolic.question import Question, characters
from predinet_prolog.symbolic.rules import Rules
from predinet_prolog.symbolic.wire import dumps, pack

_PAGE = os.sysconf("SC_PAGE_SIZE")


class Channel(Protocol):
    """A process that was started, and its pipes: blocking.py and nonblocking.py have one each."""

    pid: int

    def alive(self) -> bool: ...

    def kill(self) -> None: ...

    async def closed(self) -> int: ...

    async def exchange(self, message: bytes, seconds: float) -> bytes: ...


class Worker:
    """A Prolog process, for one question at a time. It is ready after `greet`, and ended by `kill`.

    requests: how many messages it was sent.
    late: whether it was killed for taking too long; crashed: whether it ended by itself. Known once it is `closed`.
    """

    def __init__(self, channel: Channel) -> None:
        self.pid = channel.pid
        self.requests = 0
        self.late = False
        self.crashed = False
        self._channel = channel
        self._killed = False
        try:
            self._statm = os.open(f"/proc/{self.pid}/statm", os.O_RDONLY)
        except OSError:  # it has ended, or this is no Linux
            self._statm = -1
        # What the process has loaded, least recently asked first, and the key it knows it by.
        self._loaded: OrderedDict[tuple[str, tuple[Rules, ...]], str] = OrderedDict()
        self._characters = 0
        self._keys = count()

    async def greet(self) -> None:
        """Waits for the process's first message. Raises WorkerError if it cannot start; it is gone then."""
        late = WorkerError("the Prolog process did not start in time")
        try:
            greeting = json.loads(await self._reply(b"", limits.START_SECONDS, late))
            if "failed" in greeting:
                raise WorkerError(f"the Prolog process could not start: {greeting['failed']}")
        except BaseException:
            self.kill()
            await self.closed()
            raise

    @property
    def alive(self) -> bool:
        """Whether it can be asked."""
        return not self._killed and self._channel.alive()

    @property
    def spent(self) -> bool:
        """Whether a fresh process should take its place: it served its share, or holds too much memory after a reply.

        Prolog gives neither functors nor predicates back, so a goal that makes names without end leaves them behind;
        and what an attack took of the address space is missing to the stacks of those who come later.
        """
        try:
            size, resident, *_ = os.pread(self._statm, 128, 0).split()
        except (OSError, ValueError):
            size = resident = b"0"
        too_large = int(size) * _PAGE > limits.SIZE or int(resident) * _PAGE > limits.RESIDENT
        return self.requests >= limits.REQUESTS or too_large

    def holds(self, question: Question) -> bool:
        """Whether the question's program and rules are loaded."""
        return (question.program, question.rules) in self._loaded

    def kill(self) -> None:
        """Ends the process whatever it does. The question that it is at fails with a WorkerError."""
        self._killed = True
        self._channel.kill()

    async def closed(self) -> int:
        """Returns when the process has ended, with its status, which is -N if signal N ended it."""
        status = await self._channel.closed()
        if self._statm >= 0:
            os.close(self._statm)
            self._statm = -1
        self.late = self.late or status == -signal.SIGALRM
        self.crashed = not self.late and status != -signal.SIGKILL
        return status

    async def ask(
        self, question: Question, *, seconds: float | None = None, load_seconds: float | None = None
    ) -> bytes:
        """The JSON text of the answers; loads what is asked in if need be.

        seconds: what the goal may take; by default the question's own limit. load_seconds: what loading may take; by
        default LOAD_SECONDS. Raises SymbolicErrors; after some of them, and when it is cancelled, the worker is not
        alive.
        """
        if seconds is None:
            seconds = question.seconds
        sources = question.program, question.rules
        key = self._loaded.get(sources)
        if key is None:
            key = await self._load(question, limits.LOAD_SECONDS if load_seconds is None else load_seconds)
        self._loaded.move_to_end(sources)
        milliseconds = math.ceil(seconds * 1000)
        late = goal_time_limit(seconds)
        message: list[object]
        if question.read_only:
            message = ["read", key, question.goal]
        elif question.english is not None:
            message = ["english", key, milliseconds, [list(picture) for picture in question.english]]
            # Reading a question and answering it take so long each.
            seconds = limits.LOAD_SECONDS + 2 * seconds * sum(len(picture) for picture in question.english)
        elif question.pictures is not None:
            message = ["ask_each", key, question.goal, question.limit, milliseconds, list(question.pictures)]
            seconds = limits.LOAD_SECONDS + seconds * len(question.pictures)
        elif question.facts is None:
            message = ["ask", key, question.goal, question.limit, milliseconds, int(question.why)]
        else:
            message = ["suppose", key, list(question.facts), question.goal, question.limit, milliseconds]
        try:
            return await self._exchange(message, seconds, late)
        except QuerySyntaxError as error:
            if hint := syntax_hint(question.goal, error.position):
                raise QuerySyntaxError(f"{error.fault}: {hint}", error.position) from None
            raise

    async def _load(self, question: Question, seconds: float) -> str:
        """Loads what is asked in, making room for it. Returns its key."""
        late = TimeLimitError(f"the program and its rules took longer than {seconds:g} s to load")
        self._characters += question.characters
        while self._loaded and (
            len(self._loaded) >= limits.LOADED_PROGRAMS or self._characters > limits.LOADED_CHARACTERS
        ):
            sources, oldest = self._loaded.popitem(last=False)
            self._characters -= characters(*sources)
            await self._exchange(["drop", oldest], seconds, late)
        texts = ["program", question.program]
        for file in question.rules:
            texts += [file.name, file.text]
        key = str(next(self._keys))
        try:
            await self._exchange(["load", key, texts], seconds, late)
        except SymbolicError:
            self._characters -= question.characters
            raise
        self._loaded[question.program, question.rules] = key
        return key

    async def _exchange(self, message: list[object], seconds: float, late: SymbolicError) -> bytes:
        self.requests += 1
        alarm = seconds + min(seconds, limits.WORKER_GRACE)
        reply = await self._reply(pack(dumps([alarm, message])), seconds, late)
        # The answers' text goes on as it is: it may be large, and an event loop may be waiting.
        if reply.startswith(b'{"error":'):
            raise error_from_reply(json.loads(reply)["error"], seconds)
        return reply

    async def _reply(self, message: bytes, seconds: float, late: SymbolicError) -> bytes:
        """Sends `message` and returns the reply to it. Raises `late` after so many seconds."""
        try:
            return await self._channel.exchange(message, seconds + limits.KILL_GRACE)
        except TimeoutError:
            self.late = True
            self.kill()
        except EOFError:
            pass
        except BaseException:  # interrupted half-way, it says next what nobody asks
            self.kill()
            raise
        status = await self.closed()
        if self.late:
            raise late
        how = f"was killed by {signal.Signals(-status).name}" if status < 0 else f"ended with status {status}"
        raise WorkerError(f"the Prolog process {how}: perhaps it needed more memory than it may have")
