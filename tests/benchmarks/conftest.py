"""A server that answers as it is told, to see what the tools of the benchmarks make of it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest

Answer = Callable[[bytes, bytes], Awaitable[bytes | None]]
"""From a request's head and body to the whole reply as bytes; None hangs up."""
Stub = Callable[[Answer], AbstractAsyncContextManager[int]]


def reply(body: bytes, status: str = "200 OK", *headers: str) -> bytes:
    """An HTTP answer."""
    return "\r\n".join([f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers, "", ""]).encode() + body


@pytest.fixture
def stub() -> Stub:
    """Serves on a free port, which the block gets."""

    @asynccontextmanager
    async def serve(answer: Answer) -> AsyncIterator[int]:
        async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                while head := await reader.readuntil(b"\r\n\r\n"):
                    lengths = [line for line in head.lower().splitlines() if line.startswith(b"content-length:")]
                    body = await reader.readexactly(int(lengths[0].split(b":")[1]) if lengths else 0)
                    said = await answer(head, body)
                    if said is None:
                        break
                    writer.write(said)
                    if b"Connection: close" in said:
                        break
            except (asyncio.IncompleteReadError, ConnectionError):
                pass
            finally:
                writer.close()

        server = await asyncio.start_server(talk, "127.0.0.1", 0)
        async with server:
            yield server.sockets[0].getsockname()[1]

    return serve
