"""A client's connection: bounds on what is read before an application sees it, and on what goes out to nobody."""

import asyncio
import sys
from collections import deque
from typing import Any

from httptools import HttpParserInvalidMethodError, HttpParserInvalidURLError, HttpRequestParser
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

HEAD_BYTES = 64 * 2**10
"""Most bytes of a request's head."""
STAND_IN = b"GET / HTTP/1.0\r\n\r\n"
"""Is put in the place of a head that the parser refuses, so that the application can answer."""
_REMEDIES: dict[type, str] = {
    HttpParserInvalidMethodError: "methods are GET, HEAD, POST, DELETE and OPTIONS, in capitals",
    HttpParserInvalidURLError: "a path begins with /; what is not ASCII is written as %XX, the bytes of its UTF-8",
}
_REMEDY = "send HTTP/1.1 as RFC 9112 has it, as curl does"


def within(seconds: float) -> type[asyncio.Protocol]:
    """uvicorn's protocol, whose connections end where a client is too slow or brings too much.

    So many seconds have each of these: a head, to arrive; a body, whether anybody reads it or not; an answer, to be
    taken. An application that reads a body and says itself that it is late (arrival.py) still gets its answer out.
    Between requests uvicorn's own timeout holds.

    What cannot be parsed is the application's to answer: the scope's state has `refused`, status and detail.
    """

    class Connection(HttpToolsProtocol):
        _refused = False  # whether what came cannot be parsed, so that nothing behind it can
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
                if not piece or self._refused or self.transport.is_closing():
                    break
                self._pending += len(piece)
                super().data_received(piece)
                if self._pending >= HEAD_BYTES and not self.transport.is_closing():
                    most = f"a request's head has at most {HEAD_BYTES:,} bytes"
                    self._refuse(431, f"{most}: send fewer or shorter headers, and what is long in the body")
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

        def send_400_response(self, msg: str) -> None:  # which uvicorn calls while it handles the parser's error
            error = sys.exception()
            cause = getattr(error, "__context__", None) or error  # a callback's own
            self._refuse(400, f"{cause}: {_REMEDIES.get(type(cause), _REMEDY)}")

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

        def _refuse(self, status: int, detail: str) -> None:
            """Has the request that came last refused, when those before it are answered; the connection ends then."""
            if self._refused:
                return
            self._refused = True
            if not getattr(self.cycle, "more_body", False):  # a head
                self.parser = HttpRequestParser(self)
                self.parser.feed_data(STAND_IN)
                self.cycle.scope["method"] = "-"
            elif self.cycle.response_complete:  # a body, which nobody wanted
                self.transport.close()
            self.cycle.scope["state"]["refused"] = status, detail  # before the application has its turn
            self.cycle.more_body = self.cycle.keep_alive = False
            self.cycle.message_event.set()

    return Connection
