"""A client's connection: bounds on what is read before an application sees it, and on what goes out to nobody."""

import asyncio
from collections import deque
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

HEAD_BYTES = 64 * 2**10
"""Most bytes of a request's head."""
TOO_LARGE_HEAD = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Length: 0\r\nX-Content-Type-Options: nosniff\r\n"
    b"Connection: close\r\n\r\n"
)


def within(seconds: float) -> type[asyncio.Protocol]:
    """uvicorn's protocol, whose connections end where a client is too slow or brings too much.

    So many seconds have each of these: a head, to arrive; a body, whether anybody reads it or not; an answer, to be
    taken. An application that reads a body and says itself that it is late (arrival.py) still gets its answer out.
    Between requests uvicorn's own timeout holds.
    """

    class Connection(HttpToolsProtocol):
        _whole = False  # whether a request ended in what came last
        _late: asyncio.TimerHandle | None = None  # runs while a request arrives
        _unread: asyncio.TimerHandle | None = None  # runs while an answer waits to be taken
        _asked: deque[RequestResponseCycle]  # requests that are not answered yet; the first is the one at work
        _pending = 0  # bytes that came since the parser last passed something on: of a head, or of what ends a body

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._asked = deque()
            self._expect_rest()

        def data_received(self, data: bytes) -> None:
            self._whole = False
            room = HEAD_BYTES - self._pending
            for piece in (data[:room], data[room:]):
                if not piece or self.transport.is_closing():
                    break
                self._pending += len(piece)
                super().data_received(piece)
                if self._pending >= HEAD_BYTES and not self.transport.is_closing():
                    self._refuse()
            if not self._whole and self._late is None:  # a part of a request, or nonsense that never becomes one
                self._expect_rest()

        def on_headers_complete(self) -> None:
            self._pending = 0
            self._arrived()  # the body's time begins
            super().on_headers_complete()
            self._asked.append(self.cycle)

        def on_body(self, body: bytes) -> None:
            self._pending = 0
            super().on_body(body)

        def on_message_complete(self) -> None:
            self._pending = 0
            self._whole = True
            self._arrived()
            super().on_message_complete()

        def on_response_complete(self) -> None:
            self._asked.popleft()
            super().on_response_complete()
            self._expect_reader_of_last()

        def timeout_keep_alive_handler(self) -> None:
            super().timeout_keep_alive_handler()
            self._expect_reader_of_last()

        def shutdown(self) -> None:
            super().shutdown()
            self._expect_reader_of_last()

        def pause_writing(self) -> None:
            super().pause_writing()
            self._expect_reader()

        def resume_writing(self) -> None:
            super().resume_writing()
            self._taken()
            self._expect_reader_of_last()

        def connection_lost(self, exc: Exception | None) -> None:
            self._arrived()
            self._taken()
            # uvicorn tells the last one only; the one at work would write to nobody, and fail.
            for cycle in self._asked:
                cycle.disconnected = True
            super().connection_lost(exc)

        def _expect_rest(self) -> None:
            # The connection ends when what is answered just now is answered; at once if nothing is.
            self._late = self.loop.call_later(seconds, self.shutdown)

        def _arrived(self) -> None:
            if self._late is not None:
                self._late.cancel()
                self._late = None

        def _expect_reader(self) -> None:
            if self._unread is None:
                self._unread = self.loop.call_later(seconds, self.transport.abort)

        def _expect_reader_of_last(self) -> None:
            """A transport that is to close waits for ever until the last of its bytes is taken."""
            if self.transport.is_closing():
                self._expect_reader()

        def _taken(self) -> None:
            if self._unread is not None:
                self._unread.cancel()
                self._unread = None

        def _refuse(self) -> None:
            self.logger.warning("A request's head is larger than %d bytes.", HEAD_BYTES)
            if getattr(self.cycle, "response_complete", True):  # else it would go into the midst of an answer
                self.transport.write(TOO_LARGE_HEAD)
            self.transport.close()

    return Connection
