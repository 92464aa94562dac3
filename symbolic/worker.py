"""A worker process as its parent sees it: started, asked, killed."""

from __future__ import annotations

import asyncio
import json
import math
import os
import signal
import sys
from collections import OrderedDict
from contextlib import suppress
from itertools import count
from pathlib import Path

from symbolic import limits
from symbolic.errors import (
    QuerySyntaxError,
    SymbolicError,
    TimeLimitError,
    WorkerError,
    error_from_reply,
    goal_time_limit,
)
from symbolic.hints import syntax_hint
from symbolic.question import Question
from symbolic.rules import Rules
from symbolic.swipl import compiled_host, find_swi_prolog
from symbolic.wire import LENGTH, dumps, pack

_ROOT = Path(__file__).parent.parent
_PAGE = os.sysconf("SC_PAGE_SIZE")
_BUFFER = 2**20  # bytes of a reply that wait to be read


class Worker:
    """A Prolog process, for one question at a time. Made by `start`, ended by `kill`, and to be used in the thread of
    its event loop.

    requests: how many messages it was sent.
    late: whether it was killed for taking too long.
    crashed: whether it ended by itself.
    """

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.pid = process.pid
        self.requests = 0
        self.late = False
        self.crashed = False
        self._process = process
        self._writer = process.stdin
        self._reader = process.stdout
        self._killed = False
        self._end = asyncio.create_task(self._ended())
        # What the process has loaded, least recently asked first, and the key it knows it by.
        self._loaded: OrderedDict[tuple[str, tuple[Rules, ...]], str] = OrderedDict()
        self._characters = 0
        self._keys = count()

    @classmethod
    async def start(cls) -> Worker:
        """A worker, ready for questions. Raises WorkerError if it cannot start, and SwiPrologMissingError."""
        swi_prolog = await asyncio.to_thread(find_swi_prolog)
        host = await asyncio.to_thread(compiled_host, swi_prolog)
        command = [sys.executable, "-S", "-P", *(["-B"] if sys.dont_write_bytecode else [])]
        process = await asyncio.create_subprocess_exec(
            *[*command, "-c", "from symbolic.child import main; main()"],
            *(str(swi_prolog.library), str(swi_prolog.home), str(host)),
            # Prolog would load the init file of the account whose HOME it knows.
            env={"PYTHONPATH": str(_ROOT), "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"},
            cwd="/",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=_BUFFER,
            start_new_session=True,  # Ctrl-C in a terminal is for the parent alone
        )
        worker = cls(process)
        try:
            greeting = json.loads(
                await worker._reply(b"", limits.START_SECONDS, WorkerError("the Prolog process did not start in time"))
            )
            if "failed" in greeting:
                raise WorkerError(f"the Prolog process could not start: {greeting['failed']}")
        except BaseException:
            worker.kill()
            await worker.closed()
            raise
        return worker

    @property
    def alive(self) -> bool:
        """Whether it can be asked."""
        if self._killed or self._process.returncode is not None:
            return False
        try:  # the event loop may not know yet
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
        except ChildProcessError:
            return False

    @property
    def spent(self) -> bool:
        """Whether a fresh process should take its place: it served its share, or holds too much memory after a reply.

        Prolog gives neither functors nor predicates back, so a goal that makes names without end leaves them behind;
        and what an attack took of the address space is missing to the stacks of those who come later.
        """
        try:
            size, resident, *_ = Path(f"/proc/{self.pid}/statm").read_bytes().split()
        except OSError:  # it has ended, or this is no Linux
            size = resident = b"0"
        too_large = int(size) * _PAGE > limits.SIZE or int(resident) * _PAGE > limits.RESIDENT
        return self.requests >= limits.REQUESTS or too_large

    def holds(self, question: Question) -> bool:
        """Whether the question's program and rules are loaded."""
        return (question.program, question.rules) in self._loaded

    def kill(self) -> None:
        """Ends the process whatever it does. The question that it is at fails with a WorkerError."""
        self._killed = True
        with suppress(ProcessLookupError):
            self._process.kill()

    async def closed(self) -> int:
        """Returns when the process has ended, with its status, which is -N if signal N ended it."""
        return await asyncio.shield(self._end)

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
        message = ["ask", key, question.goal, question.limit, milliseconds, int(question.why)]
        try:
            return await self._exchange(message, seconds, goal_time_limit(seconds))
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
            (program, rules), oldest = self._loaded.popitem(last=False)
            self._characters -= len(program) + sum(len(file.text) for file in rules)
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
            async with asyncio.timeout(seconds + limits.KILL_GRACE):
                self._writer.write(message)
                await self._writer.drain()
                (size,) = LENGTH.unpack(await self._reader.readexactly(LENGTH.size))
                if size > limits.REPLY_BYTES:
                    self.kill()
                return await self._reader.readexactly(size)
        except TimeoutError:
            self.late = True
            self.kill()
        except (asyncio.IncompleteReadError, ConnectionError):  # it ends
            pass
        except BaseException:  # interrupted half-way, it says next what nobody asks
            self.kill()
            raise
        status = await self.closed()
        if self.late:
            raise late
        how = f"was killed by {signal.Signals(-status).name}" if status < 0 else f"ended with status {status}"
        raise WorkerError(f"the Prolog process {how}: perhaps it needed more memory than it may have")

    async def _ended(self) -> int:
        status = await self._process.wait()
        self.late = self.late or status == -signal.SIGALRM
        self.crashed = not self.late and status != -signal.SIGKILL
        return status
