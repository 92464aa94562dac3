"""One worker process, seen from its parent: started, killed, and asked what it died of."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from symbolic.errors import WorkerError
from symbolic.session import OutOfTime
from symbolic.swipl import SwiProlog

_ROOT = Path(__file__).parent.parent
_PAGE = os.sysconf("SC_PAGE_SIZE")


class WorkerProcess:
    """A process that was started, and our ends of its two pipes, which do not block.

    The process greets when it is ready (`check_greeting`). Not thread-safe but for `kill` and `wait`.
    """

    def __init__(self, swi_prolog: SwiProlog) -> None:
        their_reading, self.writing = os.pipe()
        self.reading, their_writing = os.pipe()
        try:
            # A new session: Ctrl-C in a terminal is for the parent alone.
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
            os.close(self.writing)
            os.close(self.reading)
            raise
        finally:
            os.close(their_reading)
            os.close(their_writing)
        os.set_blocking(self.writing, False)
        os.set_blocking(self.reading, False)
        try:
            self._statm = os.open(f"/proc/{self.pid}/statm", os.O_RDONLY)
        except OSError:  # no Linux
            self._statm = -1

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process is still there."""
        return self._process.poll() is None

    @property
    def memory(self) -> tuple[int, int]:
        """Bytes of its address space, and bytes of memory that it holds; 0 where the system does not say."""
        if self._statm < 0:
            return 0, 0
        try:
            size, resident, *_ = os.pread(self._statm, 128, 0).split()
        except (OSError, ValueError):  # it has ended
            return 0, 0
        return int(size) * _PAGE, int(resident) * _PAGE

    def kill(self) -> None:
        """Ends the process whatever it does; any thread may call this."""
        self._process.kill()

    def wait(self) -> int:
        """Waits for the process's end. Returns its status, which is -N if signal N ended it."""
        return self._process.wait()

    def close_pipes(self) -> None:
        """Closes our ends, which ends an idle process. Can be called twice."""
        if self.reading >= 0:
            os.close(self.reading)
            os.close(self.writing)
            self.reading = self.writing = -1
            if self._statm >= 0:
                os.close(self._statm)
                self._statm = -1


def check_greeting(message: bytes) -> None:
    """Raises WorkerError if a worker's first message says that it could not start."""
    greeting = json.loads(message)
    if "failed" in greeting:
        raise WorkerError(f"the Prolog process could not start: {greeting['failed']}")


def cause_of_death(status: int) -> OutOfTime | WorkerError:
    """The exception that says why a process ended with `status`."""
    if status == -signal.SIGALRM:
        return OutOfTime()
    how = f"was killed by {signal.Signals(-status).name}" if status < 0 else f"ended with status {status}"
    return WorkerError(f"the Prolog process {how}: perhaps it needed more memory than it may have")
