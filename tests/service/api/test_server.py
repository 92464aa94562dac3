"""The service in a process of its own, on a socket: how it starts and ends, and clients that do not behave."""

import contextlib
import json
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import httpx
import pytest

from tests.cases import cases
from tests.service.api.helpers import check_problem, png
from tests.service.helpers import CLI, children, environment, gone

pytestmark = pytest.mark.slow(30)

CASES = cases(__file__)
HANG = 60.0  # seconds after which something hangs
KERNEL_BYTES = 8 * 2**20  # more than a system holds for a connection on its way: Linux takes 4 MiB from a sender


class Server:
    """`predinet-prolog serve`, started on a port of its own."""

    def __init__(self, root: Path, *arguments: object) -> None:
        command = [sys.executable, "-W", "error", "-c", CLI, "serve", "--port", "0", "--workers", "1"]
        command += map(str, arguments)
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment(root))
        self.first_line = self.process.stderr.readline()
        found = re.search(r"listening on (http://127\.0\.0\.1:(\d+)) ", self.first_line)
        assert found, self.first_line + self.process.stderr.read()
        self.url, self.port = found[1], int(found[2])
        self._log: list[str] = []
        self._reader = threading.Thread(target=self._take, args=[self.process.stderr])
        self._reader.start()

    def _take(self, lines: IO[str]) -> None:
        """Reads the log as it comes: a server whose log nobody takes stands still once the pipe is full."""
        with lines:
            self._log.extend(lines)

    def end(self, number: int) -> tuple[int, list[dict[str, Any]]]:
        """Sends a signal; gives the exit status and the log."""
        self.process.send_signal(number)
        return self.wait(), [json.loads(line) for line in self._log]

    def wait(self) -> int:
        """Waits until it has ended; gives the exit status."""
        status = self.process.wait(timeout=HANG)
        self._reader.join(timeout=HANG)
        return status

    def connect(self) -> socket.socket:
        """A connection to it."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=HANG)


Start = Callable[..., Server]


@pytest.fixture
def start(root: Path) -> Iterator[Start]:
    """Starts servers, and ends those that the test leaves."""
    servers: list[Server] = []

    def starting(*arguments: object) -> Server:
        servers.append(Server(root, *arguments))
        return servers[-1]

    yield starting
    for server in servers:
        if server.process.poll() is None:
            server.process.kill()
        server.wait()


@pytest.fixture(scope="module")
def server(root: Path, model_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One for tests that leave it as it was."""
    server = Server(root, "--model", model_file, "--data", tmp_path_factory.mktemp("data"))
    yield server
    server.process.kill()
    server.wait()


def health(server: Server) -> httpx.Response:
    """What /health says once a process has answered within its second: others may keep the machine busy."""
    end = time.monotonic() + HANG
    while (response := httpx.get(f"{server.url}/health", timeout=HANG)).status_code == 503:
        assert time.monotonic() < end
        time.sleep(0.1)
    return response


def test_running_requests_are_finished_before_the_service_ends(start: Start) -> None:
    """At an interruption; that a server ends well at SIGTERM, too, other tests of this file see."""
    server = start("--time-limit", 1)
    assert health(server).json() == {"status": "ok", "model": "tiny"}
    workers = children(server.process.pid)
    assert workers
    with httpx.Client(timeout=HANG) as idle, server.connect() as running, server.connect() as silent:
        scene = idle.post(f"{server.url}/scenes", files={"image": ("scene.png", png())}).headers["location"]
        body, kind = b'{"query": "repeat, fail"}', "Content-Type: application/json\r\n"
        head = f"POST {scene}/query HTTP/1.1\r\nHost: x\r\n{kind}Content-Length: {len(body)}"
        running.sendall(f"{head}\r\n\r\n".encode() + body)
        silent.sendall(b"GET /he")
        time.sleep(0.3)
        status, log = server.end(signal.SIGINT)
        assert running.recv(2**16).startswith(b"HTTP/1.1 504 ")
    assert status == 0
    assert [line["status"] for line in log] == [200, 201, 504]
    assert gone(*workers)
    with pytest.raises(OSError, match="refused"):
        server.connect()


def read_all(connection: socket.socket, most: int = 10**9) -> bytes:
    """What comes until the other side closes the connection or it is more than `most`; an error if neither happens."""
    read = bytearray()
    while len(read) <= most and (part := connection.recv(2**18)):
        read += part
    return bytes(read)


def test_clients_that_do_not_behave_hold_nothing_for_long(start: Start) -> None:
    server = start("--upload-seconds", 1)
    head = b"POST /query HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data;boundary=x\r\nContent-Length: 999\r\n"
    with server.connect() as silent, server.connect() as dripping, server.connect() as half:
        half.sendall(head + b"\r\n--x\r\n")
        began = time.monotonic()
        with pytest.raises(OSError):  # noqa: PT012, PT011 (whichever way the connection ends)
            while time.monotonic() - began < HANG:
                dripping.sendall(b"G")
                time.sleep(0.1)
                dripping.settimeout(0.01)
                try:
                    if dripping.recv(1) == b"":
                        raise ConnectionResetError
                except TimeoutError:
                    continue
        assert read_all(silent) == b""
        answer = read_all(half)
        assert answer.startswith(b"HTTP/1.1 408 ")
        assert b"application/problem+json" in answer
        assert time.monotonic() - began < HANG / 2
    with server.connect() as gone:
        gone.sendall(head + b"\r\n--x\r\n")
    with server.connect() as gone:
        gone.sendall(f"POST /scenes/{'0' * 32}/query HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n{{".encode())
    with server.connect() as reader:  # asks, and is gone before the answer
        reader.sendall(b"GET /models HTTP/1.1\r\nHost: x\r\n\r\n")
    with server.connect() as nonsense:
        nonsense.sendall(b"\x16\x03\x01 nonsense\r\n\r\n")
        assert read_all(nonsense).startswith(b"HTTP/1.1 400 ")
    assert health(server).status_code == 200
    _, log = server.end(signal.SIGTERM)
    assert {line["level"] for line in log} <= {"info", "warning"}
    statuses = [line["status"] for line in log if line["event"] == "request"]
    assert sorted(statuses) == [200, 200, 400, 400, 408, 499, 499]


def test_a_head_is_bounded_and_so_is_what_comes_behind_a_body(server: Server) -> None:
    for size, status in ((60_000, b"200 "), (70_000, b"431 "), (10_000_000, b"431 ")):
        with server.connect() as connection, contextlib.suppress(ConnectionError):  # it ends amid what it is sent
            connection.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n")
            connection.sendall(b"A: " + b"a" * size + b"\r\n\r\n")
            assert read_all(connection).startswith(b"HTTP/1.1 " + status)
    chunked = b"POST /query HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n"
    with server.connect() as connection, contextlib.suppress(ConnectionError):
        connection.sendall(chunked)
        for _ in range(10_000):  # of trailers
            connection.sendall(b"A: " + b"a" * 1000 + b"\r\n")
        pytest.fail("10 MB of trailers were taken")


def test_a_request_names_one_host(server: Server) -> None:
    for version, hosts, status in CASES["hosts"]:
        with server.connect() as connection:
            connection.sendall(f"GET /models HTTP/{version}\r\nConnection: close\r\n{hosts}\r\n".encode())
            answer = read_all(connection)
            assert answer.startswith(f"HTTP/1.1 {status}".encode()), (version, hosts)
            assert (b'"kind": "malformed"' in answer) == (status == 400)


POST = b"POST /words HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("sent", "status", "kind", "remedy"),
    [
        *CASES["refused"],
        ("A: " * 30_000, 400, "malformed", "methods"),
        ("GET / HTTP/1.1\r\nA: " + "a" * 65_536, 431, "head_too_large", "fewer or shorter headers"),
    ],
)
def test_refusals_of_the_parser_are_problems(server: Server, sent: str, status: int, kind: str, remedy: str) -> None:
    whole = sent.encode("latin-1").replace(b"{post}", POST).replace(b"{chunked}", CHUNKED)
    with server.connect() as connection, contextlib.suppress(ConnectionError):
        connection.sendall(whole)
        assert remedy in check_problem(last_response(read_all(connection)), status, kind)["detail"]


def test_a_body_that_goes_wrong_is_refused_and_so_is_what_follows_a_request(server: Server) -> None:
    """Those before it are answered first; each in its turn, and what comes behind a fault is not read."""
    with server.connect() as connection:
        connection.sendall(CHUNKED)
        time.sleep(0.2)  # the application waits for the body
        connection.sendall(b"zz\r\n")
        check_problem(last_response(read_all(connection)), 400, "malformed")
    with server.connect() as connection:
        connection.sendall(
            b"GET /models HTTP/1.1\r\nHost: x\r\n\r\nBREW / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n"
        )
        answers = read_all(connection)
    assert re.findall(rb"HTTP/1\.1 (\d+) ", answers) == [b"200", b"400"]
    check_problem(last_response(answers), 400, "malformed")


def last_response(data: bytes) -> httpx.Response:
    """The last of the responses that came over a connection."""
    head, _, body = data[data.rindex(b"HTTP/1.1 4") :].partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    return httpx.Response(int(status.split()[1]), headers=[line.split(": ", 1) for line in lines], content=body)


def test_an_answer_that_comes_early_still_arrives(server: Server) -> None:
    """It comes before the request is whole, and the connection ends with it; the client reads once it has sent all."""
    part = b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'
    for path, count, status in (("/query", 100_000, 400), ("/query", 300_000, 413), ("/nothing", 100_000, 404)):
        body = part * count + b"--x--\r\n"
        with server.connect() as connection:
            connection.sendall(
                f"POST {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {len(body)}\r\n"
                "Content-Type: multipart/form-data; boundary=x\r\n\r\n".encode()
            )
            connection.sendall(body)
            assert read_all(connection).startswith(f"HTTP/1.1 {status}".encode()), path


def test_a_body_that_nobody_reads_has_no_more_time_than_others(start: Start) -> None:
    server = start("--upload-seconds", 1)
    beginnings = [
        b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n\r\n",  # and blank lines, which are no request
    ]
    connections = [server.connect() for _ in beginnings]
    for connection, beginning in zip(connections, beginnings, strict=True):
        connection.sendall(beginning)
        assert connection.recv(2**16).startswith(b"HTTP/1.1 200 ")
        connection.settimeout(0.1)
    began = time.monotonic()
    for connection in connections:
        with connection:
            assert ended(connection, began + 10), "a connection that drips is kept"


def ended(connection: socket.socket, until: float) -> bool:
    """Whether the other side ends a connection that a byte comes on now and then."""
    while time.monotonic() < until:
        try:
            connection.sendall(b"\n")
            if connection.recv(1) == b"":
                return True
        except TimeoutError:
            continue
        except ConnectionError:
            return True
    return False


def test_answers_that_nobody_reads_are_not_kept(start: Start) -> None:
    server = start("--upload-seconds", 1)
    size = len(httpx.get(f"{server.url}/openapi.json", timeout=HANG).content)
    count = 3 * KERNEL_BYTES // size
    with server.connect() as reader, server.connect() as deaf:
        for connection in (reader, deaf):
            connection.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * count)
        assert len(read_all(reader, count * size)) > count * size, "one who reads is served"
        time.sleep(2)  # for long the other one's answers wait too, and nothing takes them
        assert 0 < len(read_all(deaf, count * size)) < count * size
    _, log = server.end(signal.SIGTERM)
    assert {line["level"] for line in log} == {"info"}
