"""The service on a socket, until a signal ends it."""

import asyncio
import gc
import signal
import socket
from collections.abc import Callable
from typing import Any

import uvicorn
import uvloop
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from service.api.app import create_app
from service.settings import Settings

IDLE_SECONDS = 15
"""A connection without a request is kept for so long."""
GRACE_SECONDS = 5.0
"""More than a query may wait and take: running requests get it when the service ends."""


def run(settings: Settings, listener: socket.socket, *, announce: Callable[[], None]) -> None:
    """Serves on `listener`, which is closed at the end. SIGINT and SIGTERM end it when running requests are done.

    Calls `announce` once requests are answered. Raises what the start fails on, such as a data folder in use.
    """
    app = create_app(settings)
    config = uvicorn.Config(
        app,
        http=_within(settings.upload_seconds),
        ws="none",
        lifespan="off",  # entered below: uvicorn would log what the start fails on, and go on to exit by itself
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # a client could write itself any address
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=int(settings.patience + settings.time_limit + GRACE_SECONDS),
    )
    server = uvicorn.Server(config)

    # uvicorn repeats the signals that ended it, to these: the end that was asked for is no failure.
    def stop(number: int, frame: object) -> None:
        server.should_exit = True

    async def serve() -> None:
        async with app.router.lifespan_context(app):
            # What is there now stays: the collector need not look through it again and again.
            gc.collect()
            gc.freeze()
            announce()
            await server.serve(sockets=[listener])

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(serve())
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _within(seconds: float) -> type[asyncio.Protocol]:
    """uvicorn's protocol, with a limit on how long the head of a request may take to arrive.

    The body's limit is arrival.py's; between requests uvicorn's own timeout holds.
    """

    class Protocol(HttpToolsProtocol):
        _late: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._expect_head()

        def on_message_begin(self) -> None:
            super().on_message_begin()
            self._expect_head()

        def on_headers_complete(self) -> None:
            self._head_came()
            super().on_headers_complete()

        def connection_lost(self, exc: Exception | None) -> None:
            self._head_came()
            super().connection_lost(exc)

        def _expect_head(self) -> None:
            if self._late is None:
                self._late = self.loop.call_later(seconds, self.transport.close)

        def _head_came(self) -> None:
            if self._late is not None:
                self._late.cancel()
                self._late = None

    return Protocol
