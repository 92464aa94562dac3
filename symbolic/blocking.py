"""A worker that its user waits for: the driver of the engine."""

import os
import select
import time
from typing import NoReturn

from symbolic.errors import WorkerError
from symbolic.limits import KILL_GRACE, START_SECONDS
from symbolic.process import WorkerProcess, cause_of_death, check_greeting
from symbolic.session import OutOfTime, Question, Request, Session
from symbolic.swipl import SwiProlog
from symbolic.wire import LENGTH


class Worker:
    """A worker, ready for questions. Not thread-safe. Raises WorkerError if it cannot start."""

    def __init__(self, swi_prolog: SwiProlog) -> None:
        self.session = Session()
        self._process = WorkerProcess(swi_prolog)
        try:
            check_greeting(self._receive(time.monotonic() + START_SECONDS))
        except OutOfTime:
            raise WorkerError("the Prolog process did not start in time") from None
        except BaseException:
            self.close()
            raise

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process is still there."""
        return self._process.alive

    @property
    def spent(self) -> bool:
        """Whether a fresh process should take its place."""
        return self.session.spent(self._process.memory)

    def kill(self) -> None:
        """Ends the process whatever it does; any thread may call this."""
        self._process.kill()

    def close(self) -> None:
        """Kills the process if need be. Can be called twice."""
        self._process.kill()
        self._process.wait()
        self._process.close_pipes()

    def ask(self, question: Question) -> bytes:
        """The JSON text of the answers. Raises SymbolicErrors; after some of them the worker is not alive."""
        dialogue = self.session.ask(question)
        request = next(dialogue)
        try:
            while True:
                try:
                    reply = self._request(request)
                except OutOfTime as late:
                    request = dialogue.throw(late)
                else:
                    request = dialogue.send(reply)
        except StopIteration as end:
            answers: bytes = end.value
            return answers

    def _request(self, request: Request) -> bytes:
        deadline = time.monotonic() + request.seconds + KILL_GRACE
        self._send(request.message, deadline)
        return self._receive(deadline)

    def _send(self, message: bytes, deadline: float) -> None:
        rest = memoryview(message)
        while rest:
            self._wait(self._process.writing, select.POLLOUT, deadline)
            try:
                rest = rest[os.write(self._process.writing, rest) :]
            except BrokenPipeError:
                self._died()

    def _receive(self, deadline: float) -> bytes:
        return self._read(LENGTH.unpack(self._read(LENGTH.size, deadline))[0], deadline)

    def _read(self, size: int, deadline: float) -> bytes:
        parts = []
        while size:
            self._wait(self._process.reading, select.POLLIN, deadline)
            part = os.read(self._process.reading, size)
            if not part:
                self._died()
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def _wait(self, descriptor: int, event: int, deadline: float) -> None:
        poll = select.poll()
        poll.register(descriptor, event)
        if not poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
            self.close()
            raise OutOfTime

    def _died(self) -> NoReturn:
        """The pipe is closed, so the process ends: says why."""
        status = self._process.wait()
        self.close()
        raise cause_of_death(status)
