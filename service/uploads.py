"""A bound on requests, held before they are read."""

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class UploadLimit:
    """ASGI middleware that ends the reading of a request of more than `most` bytes with status 413.

    One that says its length is refused before a byte is read; one that does not, at the first byte too many.
    """

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app = app
        self._most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes requests on, with the limit on what they can read."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        length = dict(scope["headers"]).get(b"content-length", b"")
        declared = int(length) if length.isdigit() else 0
        read = 0

        async def bounded() -> Message:
            nonlocal read
            if declared <= self._most:
                message = await receive()
                read += len(message.get("body", b""))
                if read <= self._most:
                    return message
            # The one exception that FastAPI does not take for a malformed body.
            raise HTTPException(413, f"the request is larger than the {self._most:,} bytes that are taken")

        await self._app(scope, bounded, send)
