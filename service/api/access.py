"""Who asks: bearer tokens where there are any, and a name for each client so that all get their share."""

import hashlib
import ipaddress
from collections.abc import Sequence
from functools import lru_cache
from hmac import compare_digest
from typing import Any

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from predinet_prolog.service.api.problems import problem
from predinet_prolog.service.errors import UnauthorizedError

OPEN = frozenset({"/", "/health", "/docs", "/openapi.json"})
"""Paths that need no token, and all below /static/."""


class Access:
    """ASGI middleware that lets requests with one of `tokens` pass, or all of them if there is none.

    It leaves the client's name in the scope's state: the token's hash, else the address the request came from.
    """

    def __init__(self, app: ASGIApp, *, tokens: Sequence[str]) -> None:
        self._app = app
        self._digests = [_digest(token.encode()) for token in tokens]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes on what may pass; all else gets status 401."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        client = self._client(scope)
        if client is None:
            error = UnauthorizedError("send a token that this service knows: Authorization: Bearer TOKEN")
            await problem(scope, error)(scope, receive, send)
            return
        scope["state"]["client"] = client
        await self._app(scope, receive, send)

    def _client(self, scope: Scope) -> str | None:
        """The client's name; None if it lacks a token."""
        scheme, _, token = Headers(scope=scope).get("authorization", "").partition(" ")
        given = _digest(token.strip(" \t").encode("latin-1") if scheme.lower() == "bearer" else b"")
        # Hashes of equal length, each compared in constant time: how long it takes tells nothing of a token.
        matches = [compare_digest(given, digest) for digest in self._digests]
        if any(matches):
            return given.hex()
        if matches and scope["path"] not in OPEN and not scope["path"].startswith("/static/"):
            return None
        return _neighbourhood(scope["client"][0] if scope.get("client") else "")


def add_bearer_scheme(openapi: dict[str, Any], *, wanted: bool) -> None:
    """Says in the OpenAPI document what a token is, and that the routes that may answer 401 take one.

    wanted: whether they answer nobody without; else a token is taken and changes nothing.
    """
    openapi["components"]["securitySchemes"] = {
        "bearer": {"type": "http", "scheme": "bearer", "description": "A token, if the service has any."}
    }
    for methods in openapi["paths"].values():
        for operation in methods.values():
            if "401" in operation["responses"]:
                operation["security"] = [{"bearer": []}] if wanted else [{}, {"bearer": []}]


def client_of(request: Request) -> str:
    """The name of the client that `request` comes from, as `Access` left it."""
    return str(request.scope["state"]["client"])


def _digest(token: bytes) -> bytes:
    return hashlib.sha256(token).digest()


@lru_cache(1024)
def _neighbourhood(address: str) -> str:
    """The address, or of IPv6 the network of 64 bits it is in: whoever has one has them all."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv6Address):
        return str(ip.ipv4_mapped or ipaddress.ip_network((int(ip), 64), strict=False))
    return address
