"""A channel to a worker process for an event loop: the pool's."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress

from symbolic.limits import REPLY_BYTES
from symbolic.swipl import worker_command
from symbolic.wire import LENGTH

_BUFFER = 2**20  # bytes of a reply that wait to be read


class NonblockingChannel:
    """A worker process and our ends of its two pipes. Made by `start`."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.pid = process.pid
        self._process = process
        self._stdin, self._stdout = process.stdin, process.stdout
        self._end = asyncio.create_task(process.wait())

    @classmethod
    async def start(cls) -> NonblockingChannel:
        """Starts the process. Raises SwiPrologMissingError."""
        pipe = asyncio.subprocess.PIPE
        command, options = await asyncio.to_thread(worker_command)
        return cls(await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, limit=_BUFFER, **options))

    def alive(self) -> bool:
        """Whether the process is there."""
        if self._process.returncode is not None:
            return False
        try:  # the event loop may not know yet
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
        except ChildProcessError:
            return False

    def kill(self) -> None:
        """Ends the process."""
        if self.alive():
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)  # Process.kill would take the status away from who waits for it

    async def closed(self) -> int:
        """Waits for the process's end. Returns its status."""
        return await asyncio.shield(self._end)

    async def exchange(self, message: bytes, seconds: float) -> bytes:
        """Sends `message` and returns the reply. Raises TimeoutError, and EOFError when the process ends."""
        try:
            async with asyncio.timeout(seconds):
                self._stdin.write(message)
                await self._stdin.drain()
                (size,) = LENGTH.unpack(await self._stdout.readexactly(LENGTH.size))
                if size > REPLY_BYTES:
                    self.kill()
                return await self._stdout.readexactly(size)
        except ConnectionError:
            raise EOFError from None
