"""A lean HTTP/1.1 client: the generator of load shares its cores with the server, so it must be cheap.

    client = Client(port, source="127.0.0.2")
    reply = await client.exchange(get("/health"))

Requests are bytes, made once and sent many times. A connection is kept for the next request. Each client has a source
address of its own, as different people have: the service tells clients apart by it. Linux takes any of 127/8.
"""

import asyncio
import json
from dataclasses import dataclass
from time import perf_counter
from typing import Any, cast

import httptools
import httpx

HOST = "127.0.0.1"
MOST_IDLE = 2.0  # seconds; a server may close an idle connection just when the next request is sent


class DroppedError(Exception):
    """A request got no complete answer: refused, closed, out of time, or not HTTP."""


@dataclass(slots=True)
class Reply:
    """An answer."""

    status: int
    raw_headers: list[tuple[bytes, bytes]]
    body: bytes

    def header(self, name: str) -> str | None:
        """The header of that name, in lower case; None if there is none. Read late: most are never asked for."""
        wanted = name.encode()
        return next((value.decode("latin-1") for key, value in self.raw_headers if key.lower() == wanted), None)

    def json(self) -> Any:
        """The body, parsed. Raises ValueError where it is no JSON."""
        return json.loads(self.body)

    @property
    def retry_after(self) -> float | None:
        """Seconds to wait, where the server is too busy and says when to come back; else None."""
        said = self.header("retry-after") if self.status in (429, 503) else None
        return float(said) if said is not None and said.isdecimal() else None


class Client:
    """One client: one request at a time, from its own address. Opens its connection when it needs one."""

    def __init__(self, port: int, source: str = HOST, *, patience: float = 30.0) -> None:
        self._port = port
        self._source = source
        self._patience = patience
        self._connection: _Connection | None = None
        self._used = 0.0

    async def exchange(self, request: bytes) -> Reply:
        """Sends the request and waits for its answer. Raises DroppedError."""
        connection = self._connection
        if connection is not None and perf_counter() - self._used > MOST_IDLE:
            self.close()
        if connection is None or not connection.usable:
            connection = await self._open()
        reply = await connection.exchange(request, self._patience)
        self._used = perf_counter()
        return reply

    def close(self) -> None:
        """Closes the connection; the next request opens another."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    async def _open(self) -> "_Connection":
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(self._patience):
                _, self._connection = await loop.create_connection(
                    _Connection, HOST, self._port, local_addr=(self._source, 0)
                )
        except (OSError, TimeoutError) as error:
            raise DroppedError(f"no connection: {error}") from None
        return self._connection


class _Connection(asyncio.Protocol):
    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._parser = httptools.HttpResponseParser(self)
        self._headers: list[tuple[bytes, bytes]] = []
        self._body = b""
        self._waiter: asyncio.Future[Reply] | None = None

    @property
    def usable(self) -> bool:
        return self._transport is not None

    def send(self, request: bytes) -> None:
        assert self._transport is not None
        self._transport.write(request)

    async def exchange(self, request: bytes, patience: float) -> Reply:
        waiter: asyncio.Future[Reply] = self._loop.create_future()
        self._waiter = waiter
        timer = self._loop.call_later(patience, self._fail, f"no answer in {patience:g} s")
        try:
            self.send(request)
            return await waiter
        finally:
            timer.cancel()
            self._waiter = None
            if not waiter.done() or waiter.cancelled():
                self.close()

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()
            self._transport = None

    def _fail(self, reason: str) -> None:
        self.close()
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_exception(DroppedError(reason))

    # asyncio's side

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's own is no subclass

    def connection_lost(self, error: Exception | None) -> None:
        self._fail(f"closed before the answer's end: {error}" if error else "closed before the answer's end")

    def data_received(self, data: bytes) -> None:
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError as error:
            self._fail(f"not HTTP: {error}")

    # the parser's side

    def on_message_begin(self) -> None:
        self._headers, self._body = [], b""

    def on_header(self, name: bytes, value: bytes) -> None:
        self._headers.append((name, value))

    def on_body(self, body: bytes) -> None:
        self._body = self._body + body if self._body else body

    def on_message_complete(self) -> None:
        waiter = self._waiter
        if waiter is None or waiter.done():
            self.close()  # an answer to no request: nothing on this connection can be told apart any more
            return
        waiter.set_result(Reply(self._parser.get_status_code(), self._headers, self._body))
        if not self._parser.should_keep_alive():
            self.close()


def get(path: str) -> bytes:
    """The request GET `path`."""
    return request("GET", path)


def post_json(path: str, value: object) -> bytes:
    """POST `path` with `value` as JSON in ASCII, which holds what is no text, too."""
    headers = {"Content-Type": "application/json"}
    return request("POST", path, content=json.dumps(value).encode(), headers=headers)


def post_form(path: str, image: bytes, *, name: str = "image.png", **fields: str) -> bytes:
    """POST `path` as a browser's form does: the file `image` of that name, and text fields."""
    return request("POST", path, data=fields, files={"image": (name, image, "image/png")})


def request(method: str, path: str, **content: Any) -> bytes:
    """A whole request as bytes, with the content that `httpx.Request` makes of such arguments."""
    made = httpx.Request(method, f"http://{HOST}{path}", **content)
    head = [f"{method} {path} HTTP/1.1".encode(), *(b"%s: %s" % header for header in made.headers.raw)]
    return b"\r\n".join([*head, b"", made.read()])
