"""Bounds on how much a request brings and how long it takes to come; and a way for answers that come earlier."""

import asyncio
from collections import Counter
from collections.abc import Collection
from contextlib import suppress

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from predinet_prolog.service.settings import PREFIX, in_units

PLAIN_BYTES = 512 * 2**10
"""Most bytes of a request without an image: a question with the longest rules, written with escapes."""
TOGETHER = 32
"""Of the requests with an image, as many as may be this large are held at once; of the others, too."""
LINGER_SECONDS = 5.0
LINGER_BYTES = 64 * 2**20
"""Most that is read of a request after its answer, and thrown away."""


class Arrival:
    """ASGI middleware that stops reading a body past `most_bytes` with status 413, past `most_seconds` with 408.

    forms: the paths that take an image; to all others PLAIN_BYTES apply, whatever a request says that it is.

    A body that says its length is refused before a byte is read; one that does not, at the first byte too many. With
    status 503 ends what would be too much together with the requests that are read and answered at the time.

    What is left of a request is read once its answer is out, and only then does it end: where a connection is closed
    with bytes of the request unread, the system resets it, and a client that still sends never sees the answer.
    """

    def __init__(self, app: ASGIApp, *, forms: Collection[str], most_bytes: int, most_seconds: float) -> None:
        self._app = app
        self._forms = forms
        self._most_bytes = most_bytes
        self._most_seconds = most_seconds
        self._held: Counter[int] = Counter()  # bytes of the requests that came and are not answered, by their limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on, with the limits on what can be read of it, if it has a body."""
        headers = dict(scope.get("headers", ()))
        if scope["type"] != "http" or not headers.keys() & {b"content-length", b"transfer-encoding"}:
            await self._app(scope, receive, send)
            return
        length = headers.get(b"content-length", b"")
        declared = int(length[:20]) if length.isdigit() else 0
        most = self._most_bytes if scope["path"] in self._forms else min(self._most_bytes, PLAIN_BYTES)
        read = 0
        complete = False
        due = asyncio.get_running_loop().time() + self._most_seconds

        async def part() -> Message:
            nonlocal complete
            message = await receive()
            complete = complete or not message.get("more_body", False)
            return message

        async def bounded() -> Message:
            nonlocal read
            if complete:  # what comes now is the news that the client is gone
                return await receive()
            if declared <= most:
                try:
                    async with asyncio.timeout_at(due):
                        message = await part()
                except TimeoutError:
                    raise _refusal(408, f"the request took longer than {self._most_seconds:g} s to arrive") from None
                if message["type"] == "http.disconnect":
                    scope["state"]["hung_up"] = True
                    return message
                if "refused" in scope["state"]:  # by the parser, in the midst of the body
                    raise _refusal(*scope["state"]["refused"])
                size = len(message.get("body", b""))
                read += size
                self._held[most] += size
                if self._held[most] > TOGETHER * most:
                    raise _refusal(503, "the requests that arrive now are too large together")
                if read <= most:
                    return message
            setting = f": {PREFIX}MAX_UPLOAD sets it" if most == self._most_bytes else ""
            raise _refusal(413, f"the request is larger than {in_units(most)}{setting}")

        async def read_rest() -> None:
            left = LINGER_BYTES
            while not complete and left > 0:
                left -= len((await part()).get("body", b""))

        async def last(message: Message) -> None:
            if complete or message["type"] != "http.response.body" or message.get("more_body", False):
                await send(message)
                return
            await send({**message, "more_body": True})
            with suppress(TimeoutError):
                await asyncio.wait_for(read_rest(), LINGER_SECONDS)
            await send({"type": "http.response.body", "body": b""})

        try:
            await self._app(scope, bounded, last)
        finally:
            self._held[most] -= read


def _refusal(status: int, detail: str) -> HTTPException:
    # The one exception that FastAPI does not take for a malformed body. The rest of the body is not read: the
    # connection ends.
    headers = {"Connection": "close"} | ({"Retry-After": "1"} if status == 503 else {})
    return HTTPException(status, detail, headers=headers)
