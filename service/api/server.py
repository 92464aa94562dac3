"""The service on a socket, until a signal ends it."""

import asyncio
import gc
import signal
import socket
from collections.abc import Callable

import uvicorn
import uvloop

from predinet_prolog.service.api.app import create_app
from predinet_prolog.service.api.connection import within
from predinet_prolog.service.settings import Settings

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
        http=within(settings.upload_seconds),
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
