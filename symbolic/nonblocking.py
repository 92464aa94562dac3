"""A worker that an event loop talks to: the driver of the pool. No task and no thread waits for it, only callbacks."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from concurrent.futures import Executor
from typing import TypeAlias

from symbolic.errors import WorkerError
from symbolic.limits import KILL_GRACE, REPLY_BYTES, START_SECONDS
from symbolic.process import WorkerProcess, cause_of_death, check_greeting
from symbolic.session import Dialogue, OutOfTime, Request, Session
from symbolic.swipl import SwiProlog
from symbolic.wire import LENGTH

_READ = 2**18  # bytes at once

# What a dialogue returned or raised.
Outcome: TypeAlias = bytes | Exception


class Worker:
    """A worker, for one dialogue at a time. Made by `start`, ended by `kill`.

    alive: whether it can be asked.
    on_end: called once, soon after the process ended for whatever reason, with its status (-N if signal N ended it).
    late: whether it was killed for being late.
    crashed: whether it ended by itself.
    """

    def __init__(self, process: WorkerProcess, threads: Executor) -> None:
        self.session = Session()
        self.pid = process.pid
        self.alive = True
        self.late = False
        self.crashed = False
        self.on_end: Callable[[int], None] = lambda status: None
        self._process = process
        self._threads = threads
        self._loop = asyncio.get_running_loop()
        self._ended = self._loop.create_future()
        self._dialogue: Dialogue | None = None
        self._done: Callable[[Outcome], None] = lambda outcome: None
        self._timer: asyncio.TimerHandle | None = None
        self._incoming = bytearray()
        self._outgoing = memoryview(b"")
        self._loop.add_reader(process.reading, self._readable)

    @classmethod
    async def start(cls, swi_prolog: SwiProlog, threads: Executor) -> Worker:
        """A worker, ready for questions. Raises WorkerError if it cannot start.

        threads: wait for what would block the event loop, a process's start and its end.
        """
        loop = asyncio.get_running_loop()
        worker = cls(await loop.run_in_executor(threads, WorkerProcess, swi_prolog), threads)
        greeted: asyncio.Future[Outcome] = loop.create_future()
        worker.begin(_greeting(), greeted.set_result)
        outcome = await greeted
        if isinstance(outcome, Exception):
            worker.kill()
            await worker.closed()
            raise outcome
        return worker

    @property
    def spent(self) -> bool:
        """Whether a fresh process should take its place."""
        return self.session.spent(self._process.memory)

    def kill(self) -> None:
        """Ends the process whatever it does. The dialogue that it is in fails with a WorkerError."""
        self.alive = False
        self._process.kill()

    async def closed(self) -> None:
        """Returns when the process has ended and nothing of it is left."""
        await asyncio.shield(self._ended)

    def begin(self, dialogue: Dialogue, done: Callable[[Outcome], None]) -> None:
        """Holds the dialogue, and calls `done` with its outcome; perhaps at once, if the worker has died."""
        assert self._dialogue is None, "one dialogue at a time"
        self._dialogue = dialogue
        self._done = done
        self._step(lambda: next(dialogue))

    def _step(self, advance: Callable[[], Request]) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        try:
            request = advance()
        except StopIteration as end:
            self._finish(end.value)
        except Exception as error:
            self._finish(error)
        else:
            if self.alive:
                self._timer = self._loop.call_later(request.seconds + KILL_GRACE, self._out_of_time)
                self._send(request.message)
            else:
                self._finish(WorkerError("the Prolog process is gone"))

    def _finish(self, outcome: Outcome) -> None:
        self._dialogue = None
        self._done(outcome)

    def _out_of_time(self) -> None:
        self.late = True
        self.kill()

    def _send(self, message: bytes) -> None:
        self._outgoing = memoryview(message)
        self._write()
        if self._outgoing:
            self._loop.add_writer(self._process.writing, self._writable)

    def _writable(self) -> None:
        self._write()
        if not self._outgoing:
            self._loop.remove_writer(self._process.writing)

    def _write(self) -> None:
        """Writes what fits into the pipe."""
        try:
            self._outgoing = self._outgoing[os.write(self._process.writing, self._outgoing) :]
        except BlockingIOError:
            pass
        except BrokenPipeError:  # the process ends, and the other pipe will say so
            self._outgoing = memoryview(b"")

    def _readable(self) -> None:
        try:
            part = os.read(self._process.reading, _READ)
        except BlockingIOError:
            return
        if not part:
            self._hang_up()
            return
        self._incoming += part
        if len(self._incoming) < LENGTH.size:
            return
        (size,) = LENGTH.unpack_from(self._incoming)
        if len(self._incoming) == LENGTH.size + size:
            message = bytes(memoryview(self._incoming)[LENGTH.size :])
            self._incoming = bytearray()
            if (dialogue := self._dialogue) is not None:
                self._step(lambda: dialogue.send(message))
        elif len(self._incoming) > LENGTH.size + min(size, REPLY_BYTES):
            self.kill()

    def _hang_up(self) -> None:
        """The process has closed its end, so it ends: waits for that in a thread."""
        self.alive = False
        self._loop.remove_reader(self._process.reading)
        self._loop.remove_writer(self._process.writing)
        self._process.close_pipes()
        self._threads.submit(self._process.wait).add_done_callback(
            lambda status: self._loop.call_soon_threadsafe(self._end, status.result())
        )

    def _end(self, status: int) -> None:
        self.late = self.late or status == -signal.SIGALRM
        self.crashed = not self.late and status != -signal.SIGKILL
        self._ended.set_result(None)
        self.on_end(status)
        if (dialogue := self._dialogue) is not None:
            cause = OutOfTime() if self.late else cause_of_death(status)
            self._step(lambda: dialogue.throw(cause))


def _greeting() -> Dialogue:
    """The worker speaks first."""
    try:
        check_greeting((yield Request(b"", START_SECONDS)))
    except OutOfTime:
        raise WorkerError("the Prolog process did not start in time") from None
    return b""
