"""An answer that comes before its request is read to the end still arrives."""

import asyncio
from contextlib import suppress

from starlette.types import ASGIApp, Message, Receive, Scope, Send

LINGER_SECONDS = 5.0
LINGER_BYTES = 64 * 2**20
"""Most that is read of a request after its answer, and thrown away."""


class Lingering:
    """ASGI middleware that reads what is left of a request once its answer is out, and only then lets it end.

    Where a connection is closed with bytes of the request unread, the system resets it, and a client that still sends
    never sees the answer.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on."""
        names = {name for name, _ in scope.get("headers", ())}
        if scope["type"] != "http" or not names & {b"content-length", b"transfer-encoding"}:
            await self._app(scope, receive, send)
            return
        complete = False

        async def watched() -> Message:
            nonlocal complete
            message = await receive()
            complete = complete or not message.get("more_body", False)
            return message

        async def read_rest() -> None:
            left = LINGER_BYTES
            while not complete and left > 0:
                left -= len((await watched()).get("body", b""))

        async def last(message: Message) -> None:
            if complete or message["type"] != "http.response.body" or message.get("more_body", False):
                await send(message)
                return
            await send({**message, "more_body": True})
            with suppress(TimeoutError):
                await asyncio.wait_for(read_rest(), LINGER_SECONDS)
            await send({"type": "http.response.body", "body": b""})

        await self._app(scope, watched, last)
