"""A worker process, and our ends of its two pipes."""

import os
import select
import subprocess
import time
from pathlib import Path

from predinet_prolog.symbolic.swipl import worker_command
from predinet_prolog.symbolic.wire import LENGTH


class Channel:
    """A process that was started. Raises SwiPrologMissingError."""

    def __init__(self, *, trust: bool = False, base: Path | None = None, checks: bool = True) -> None:
        command, options = worker_command(trust=trust, base=base, checks=checks)
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, **options)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        os.set_blocking(self._stdin.fileno(), False)
        self.pid = self._process.pid

    def alive(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        """Ends the process; any thread may call this."""
        self._process.kill()

    def closed(self) -> int:
        """Waits for the process's end. Returns its status, which is -N if signal N ended it."""
        status = self._process.wait()
        self._stdin.close()
        self._stdout.close()
        return status

    def exchange(self, message: bytes, seconds: float) -> bytes:
        """Sends `message` and returns the reply. Raises TimeoutError, and EOFError when the process ends."""
        deadline = time.monotonic() + seconds
        rest = memoryview(message)
        while rest:
            _wait(self._stdin.fileno(), select.POLLOUT, deadline)
            try:
                rest = rest[os.write(self._stdin.fileno(), rest) :]
            except BrokenPipeError:
                raise EOFError from None
        return self._read(LENGTH.unpack(self._read(LENGTH.size, deadline))[0], deadline)

    def _read(self, size: int, deadline: float) -> bytes:
        parts = []
        while size:
            _wait(self._stdout.fileno(), select.POLLIN, deadline)
            part = os.read(self._stdout.fileno(), size)
            if not part:
                raise EOFError
            parts.append(part)
            size -= len(part)
        return b"".join(parts)


def _wait(descriptor: int, event: int, deadline: float) -> None:
    poll = select.poll()
    poll.register(descriptor, event)
    if not poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
        raise TimeoutError
