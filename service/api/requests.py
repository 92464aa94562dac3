"""What every request gets, whatever becomes of it: an id, safe headers, a line in the log, its place in the metrics."""

import hashlib
import logging
import re
import secrets
import time
from uuid import uuid4

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from predinet_prolog.service.api.metrics import Metrics
from predinet_prolog.service.api.problems import problem, refusal

logger = logging.getLogger(__name__)

HUNG_UP = 499
"""Status in log and metrics of a request whose client was gone before it had arrived. It gets no answer."""

_SANE_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
# Unless a route says otherwise. Scenes and answers are their clients' own: no cache keeps them.
_DEFAULT_HEADERS = [(b"content-security-policy", _POLICY.encode()), (b"cache-control", b"no-store")]
_SAFE_HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
]
_SALT = secrets.token_bytes(16)


class Requests:
    """ASGI middleware around all others.

    A request keeps the X-Request-Id it brings, if that is at most 64 of A-Z a-z 0-9 . _ -, and gets one otherwise. An
    exception that nobody handled is logged with the id; its client learns nothing but the id.
    """

    def __init__(self, app: ASGIApp, *, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on, and logs and counts it when it is done."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start = time.perf_counter()
        state = scope.setdefault("state", {})
        state["request_id"] = request_id = _request_id(scope)
        status = 0

        async def tagged(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = [*message.get("headers", ()), (b"x-request-id", request_id.encode()), *_SAFE_HEADERS]
                given = {name for name, _ in headers}
                headers += [(name, value) for name, value in _DEFAULT_HEADERS if name not in given]
                message = {**message, "headers": headers}
            await send(message)

        try:
            if "refused" not in state and not _names_one_host(scope):
                state["refused"] = 400, "a request names its host once, in the header Host"
            if "refused" in state:  # already by the parser
                code, detail = state["refused"]
                await refusal(scope, code, detail, {"Connection": "close"})(scope, receive, tagged)
            else:
                await self._app(scope, receive, tagged)
        except Exception as error:
            if not state.get("hung_up"):  # who reads what never comes fails, and nobody is there to be told
                logger.error("failed", exc_info=error, extra={"fields": {"id": request_id}})
                if status:
                    raise  # half an answer is out: the server has to end the connection
                await problem(scope, error)(scope, receive, tagged)
        finally:
            if state.get("hung_up"):
                status = HUNG_UP
            seconds = time.perf_counter() - start
            route = _route(scope)
            self._metrics.count(scope["method"], route, status, seconds)
            # A name that stays a client's own until the service ends, and tells nobody its address or token.
            pseudonym = hashlib.blake2b(state.get("client", "").encode(), key=_SALT, digest_size=6).hexdigest()
            fields = {
                "id": request_id,
                "client": pseudonym,
                "method": scope["method"],
                "route": route,
                "status": status,
                "ms": round(seconds * 1000, 2),
            }
            logger.info("request", extra={"fields": fields})


def _names_one_host(scope: Scope) -> bool:
    """Whether the request has the header Host as HTTP wants it: once; HTTP/1.0 may do without."""
    count = sum(name == b"host" for name, _ in scope["headers"])
    return bool(count == 1 or (count == 0 and scope["http_version"] == "1.0"))


def _request_id(scope: Scope) -> str:
    for name, value in scope["headers"]:
        if name == b"x-request-id" and _SANE_ID.fullmatch(value):
            return str(value.decode())
    return str(uuid4())


def _route(scope: Scope) -> str:
    """The template of the path, such as /scenes/{id}: never what the client wrote."""
    return "/static" if scope["path"].startswith("/static/") else getattr(scope.get("route"), "path", "none")
