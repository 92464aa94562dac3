"""One worker process, seen from the engine: started, spoken to with a deadline, killed."""

import json
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from symbolic.errors import WorkerError
from symbolic.limits import KILL_GRACE, START_SECONDS, WORKER_GRACE
from symbolic.swipl import SwiProlog
from symbolic.wire import LENGTH, dumps, pack

_ROOT = Path(__file__).parent.parent


class OutOfTime(Exception):  # noqa: N818  (a signal to the engine, which says what ran out of time)
    """The worker was killed, by its own alarm or from here, for taking too long."""


class WorkerProcess:
    """A worker, ready for requests. Not thread-safe. Raises WorkerError if it cannot start."""

    def __init__(self, swi_prolog: SwiProlog) -> None:
        their_reading, self._writing = os.pipe()
        self._reading, their_writing = os.pipe()
        try:
            # A new session: Ctrl-C in a terminal is for the engine's process alone.
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-B", "-m", "symbolic.worker", str(their_reading), str(their_writing)],
                env={
                    "PYTHONPATH": str(_ROOT),
                    "LIBSWIPL_PATH": str(swi_prolog.library),
                    "SWI_HOME_DIR": str(swi_prolog.home),
                    "HOME": "/nonexistent",  # or Prolog would load the account's init file
                    "LC_ALL": "C.UTF-8",
                },
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(their_reading, their_writing),
                start_new_session=True,
            )
        except BaseException:
            os.close(self._writing)
            os.close(self._reading)
            raise
        finally:
            os.close(their_reading)
            os.close(their_writing)
        os.set_blocking(self._writing, False)
        os.set_blocking(self._reading, False)
        try:
            greeting = json.loads(self._receive(time.monotonic() + START_SECONDS))
        except OutOfTime:
            raise WorkerError("the Prolog process did not start in time") from None
        if "failed" in greeting:
            self.close()
            raise WorkerError(f"the Prolog process could not start: {greeting['failed']}")

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process is still there."""
        return self._process.poll() is None

    def request(self, message: list[object], seconds: float) -> dict[str, Any]:
        """The worker's reply to one request of wire.py.

        Raises OutOfTime when it takes longer than `seconds` and a little, and WorkerError when the worker dies.
        Either way the worker is gone then.
        """
        deadline = time.monotonic() + seconds + KILL_GRACE
        self._send(pack(dumps([seconds + WORKER_GRACE, message])), deadline)
        reply: dict[str, Any] = json.loads(self._receive(deadline))
        return reply

    def kill(self) -> None:
        """Ends the process whatever it does; any thread may call this."""
        self._process.kill()

    def close(self) -> None:
        """Kills the process if need be. Can be called twice."""
        if self._reading >= 0:
            self._process.kill()
            self._process.wait()
            os.close(self._reading)
            os.close(self._writing)
            self._reading = self._writing = -1

    def _send(self, rest: bytes, deadline: float) -> None:
        view = memoryview(rest)
        while view:
            self._wait(self._writing, select.POLLOUT, deadline)
            try:
                view = view[os.write(self._writing, view) :]
            except BrokenPipeError:
                self._died()

    def _receive(self, deadline: float) -> bytes:
        return self._read(LENGTH.unpack(self._read(LENGTH.size, deadline))[0], deadline)

    def _read(self, size: int, deadline: float) -> bytes:
        parts = []
        while size:
            self._wait(self._reading, select.POLLIN, deadline)
            part = os.read(self._reading, size)
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

    def _died(self) -> None:
        """The pipe is closed, so the process ends: says why."""
        status = self._process.wait()
        self.close()
        if status == -signal.SIGALRM:
            raise OutOfTime
        how = f"was killed by {signal.Signals(-status).name}" if status < 0 else f"ended with status {status}"
        raise WorkerError(f"the Prolog process {how}: the question may need more memory than it may have")
