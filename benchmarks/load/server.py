"""The server under load, in a process of its own: started and watched."""

import http.client
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

from benchmarks.load.client import HOST
from benchmarks.shared import COMMAND

START = 120.0  # seconds, on a busy machine
STOP = 30.0
_TICK = os.sysconf("SC_CLK_TCK")


class Server:
    """`predinet-prolog serve` on a free port, its data and its log in `folder`. Leaving the block stops it.

    settings: environment variables of the service, without their prefix: {"per_client": "4"}.
    """

    def __init__(self, folder: Path, *, workers: int = 2, **settings: str) -> None:
        with socket.socket() as probe:
            probe.bind((HOST, 0))
            self.port: int = probe.getsockname()[1]
        self.log = folder / "server.log"
        self._command = [COMMAND, "serve", "--port", str(self.port), "--workers", str(workers)]
        settings = {"data": str(folder / "data"), **settings}
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("PREDINET_PROLOG_")},
            **{f"PREDINET_PROLOG_{name.upper()}": value for name, value in settings.items()},
        }
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> "Server":
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def pid(self) -> int:
        """Of the server itself."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Starts it and waits until it is healthy. RuntimeError with the log's end if it is not."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command, env=self._environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        deadline = time.monotonic() + START
        while not self._healthy():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                end = self.log.read_text(errors="replace")[-2000:]
                raise RuntimeError(f"the server did not start; its log ends:\n{end}")
            time.sleep(0.05)

    def stop(self) -> None:
        """Asks it to end, and kills it if it does not. Can be called twice."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(STOP)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    def worker_pids(self) -> list[int]:
        """Its Prolog processes, the spare one among them."""
        return [pid for pid in _descendants(self.pid) if b"symbolic.child" in _read(pid, "cmdline")]

    def cpu(self) -> dict[str, float]:
        """Seconds of processor time so far: of the server itself, and of its workers."""
        own, ended = cpu_seconds(self.pid)
        return {"server": own, "workers": ended + sum(cpu_seconds(pid)[0] for pid in self.worker_pids())}

    def _healthy(self) -> bool:
        connection = http.client.HTTPConnection(HOST, self.port, timeout=5)
        try:
            connection.request("GET", "/health")
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()


def cpu_seconds(pid: int) -> tuple[float, float]:
    """Processor time of a process, and of its children that have ended."""
    fields = _read(pid, "stat").rpartition(b")")[2].split()
    user, system, children_user, children_system = (int(field) / _TICK for field in fields[11:15] or [b"0"] * 4)
    return user + system, children_user + children_system


def _descendants(root: int) -> Iterator[int]:
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and (stat := _read(int(entry.name), "stat")):
            parents.setdefault(int(stat.rpartition(b")")[2].split()[1]), []).append(int(entry.name))
    waiting = [root]
    while waiting:
        children = parents.get(waiting.pop(), [])
        yield from children
        waiting += children


def _read(pid: int, name: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:  # the process has ended
        return b""
