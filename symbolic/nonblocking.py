"""A channel to a worker process for an event loop: the pool's."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeAlias, cast

from predinet_prolog.symbolic.limits import REPLY_BYTES
from predinet_prolog.symbolic.swipl import worker_command
from predinet_prolog.symbolic.wire import LENGTH

Tried: TypeAlias = bytes | Exception  # of a try: the answers' JSON text, or what was raised


def drive(coroutine: Coroutine[Any, Any, bytes], done: Callable[[Tried], object]) -> None:
    """Runs `coroutine`, which awaits futures only, and calls `done` with its outcome. A task would do the same, but it
    begins an iteration of the event loop later, and a question takes a few of them only."""
    try:
        future: asyncio.Future[object] = coroutine.send(None)
    except StopIteration as end:
        done(end.value)
    except Exception as error:
        done(error)
    else:
        future.add_done_callback(lambda _: drive(coroutine, done))


class NonblockingChannel(asyncio.SubprocessProtocol):
    """A worker process and our ends of its two pipes. Made by `start`.

    Replies come by callbacks: streams would cost a tenth of what a question takes.
    """

    def __init__(self) -> None:
        self.pid = 0
        self._loop = asyncio.get_running_loop()
        self._end: asyncio.Future[int] = self._loop.create_future()
        self._reply: asyncio.Future[bytes] = self._loop.create_future()
        self._incoming = bytearray()
        self._hung_up = False

    @classmethod
    async def start(cls) -> NonblockingChannel:
        """Starts the process. Raises SwiPrologMissingError."""
        command, options = await asyncio.to_thread(worker_command)
        _, channel = await asyncio.get_running_loop().subprocess_exec(cls, *command, **options)
        return channel

    def alive(self) -> bool:
        """Whether the process is there, as far as the event loop knows."""
        return not self._hung_up

    def kill(self) -> None:
        """Ends the process."""
        if not self._hung_up:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)  # the transport's own way takes the status away from who waits for it

    async def closed(self) -> int:
        """Waits for the process's end. Returns its status."""
        return await asyncio.shield(self._end)

    async def exchange(self, message: bytes, seconds: float) -> bytes:
        """Sends `message` and returns the reply. Raises TimeoutError, and EOFError when the process ends."""
        if self._hung_up or self._stdin.is_closing():
            raise EOFError
        self._stdin.write(message)
        late = self._loop.call_later(seconds, self._fail, TimeoutError())
        try:
            return await self._reply
        finally:
            late.cancel()
            self._reply = self._loop.create_future()

    # What the event loop calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        process = cast(asyncio.SubprocessTransport, transport)
        self._process = process
        self.pid = process.get_pid()
        self._stdin = cast(asyncio.WriteTransport, process.get_pipe_transport(0))

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self._incoming += data
        if len(self._incoming) < LENGTH.size:
            return
        (size,) = LENGTH.unpack_from(self._incoming)
        if len(self._incoming) == LENGTH.size + size:
            reply = bytes(memoryview(self._incoming)[LENGTH.size :])
            self._incoming = bytearray()
            if not self._reply.done():
                self._reply.set_result(reply)
        elif len(self._incoming) > LENGTH.size + min(size, REPLY_BYTES):
            self.kill()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        self._hung_up = True
        self._fail(EOFError())

    def process_exited(self) -> None:
        self._hung_up = True

    def connection_lost(self, exc: Exception | None) -> None:
        self._process.close()
        self._end.set_result(cast(int, self._process.get_returncode()))

    def _fail(self, error: Exception) -> None:
        if not self._reply.done():
            self._reply.set_exception(error)
            self._reply.exception()  # seen, even if nobody waits
