"""Errors as HTTP has them: problem details (RFC 9457), the same form for every one."""

import json
import logging
import math
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.routing import Match
from starlette.types import Scope

from predinet_prolog.bridge import BridgeError
from predinet_prolog.domains import DomainError
from predinet_prolog.neural import NeuralError
from predinet_prolog.service.api.schemas import Problem
from predinet_prolog.service.errors import Failure, ServiceError, StorageError, failure, failures
from predinet_prolog.service.theories import advice, place
from predinet_prolog.symbolic import SymbolicError

logger = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
NAME_CHARACTERS, DETAIL_CHARACTERS = 100, 2000
"""Most that is said of what a request called a part of it, and of an error: a client's own text may be in them."""


def problem(scope: Scope, error: BaseException) -> Response:
    """The answer for an error of the project. Faults of the program become `internal` and tell nothing."""
    entry = failure(error)
    if entry is None:
        return _response(scope, failures()[500], "the service failed; its log says why under this request's id")
    headers: dict[str, str] = {}
    detail = advice(error)
    if isinstance(error, StorageError):  # which names files of this machine
        logger.error("storage failed: %s", error, extra={"fields": {"id": scope["state"]["request_id"]}})
        detail = "the scenes' store cannot be used just now; the service's log says why under this request's id"
    if (seconds := getattr(error, "retry_after", None)) is not None:
        headers["Retry-After"] = str(max(1, math.ceil(seconds)))
    elif entry.http_status == 503:
        headers["Retry-After"] = "5"
    if entry.http_status == 401:
        headers["WWW-Authenticate"] = 'Bearer realm="predinet-prolog"'
    return _response(scope, entry, detail, place(error), headers)


def refusal(scope: Scope, status: int, detail: str, headers: Mapping[str, str] | None = None) -> Response:
    """The answer to a request that something around the routes refuses, and says no remedy: the status has one."""
    entry = failures().get(status) or Failure(2, status, "request", "The request is refused")
    phrase = HTTPStatus(status).phrase
    if "refused" not in scope["state"]:  # which says what to do
        fault = detail if detail not in ("", phrase) else f"{scope['method']} {scope['path']}"
        detail = f"{fault.rstrip('.')}: {entry.hint or phrase}"
    return _response(scope, entry, detail, headers=headers)


def add_problem_schema(openapi: dict[str, Any]) -> None:
    """Puts the schema that `documented` speaks of into the OpenAPI document."""
    openapi["components"]["schemas"][Problem.__name__] = Problem.model_json_schema()


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """OpenAPI's descriptions of the errors with these statuses that a route answers with."""
    kinds = failures().values()
    return {
        status: {
            "description": "; ".join(dict.fromkeys(kind.title for kind in kinds if kind.http_status == status)) + ".",
            "content": {MEDIA_TYPE: {"schema": {"$ref": f"#/components/schemas/{Problem.__name__}"}}},
            **({"headers": {"Retry-After": _RETRY_AFTER}} if status in (429, 503) else {}),
        }
        for status in statuses
    }


_RETRY_AFTER = {"description": "Seconds after which to try again.", "schema": {"type": "integer", "minimum": 1}}


def fault(where: tuple[int | str, ...], message: str) -> RequestValidationError:
    """What is wrong with a part of a request."""
    return RequestValidationError([{"loc": where, "msg": message}])


def add_problem_handlers(app: FastAPI) -> None:
    """Makes every error of `app` a problem. Those that no handler knows are left to the middleware that logs them."""

    async def known(request: Request, error: Exception) -> Response:
        return problem(request.scope, error)

    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        # What a field too many is called says most of what is wrong: something else may be missing for it.
        fault = next((one for one in error.errors() if one.get("type") == "extra_forbidden"), error.errors()[0])
        part = ".".join(_cut(str(step), NAME_CHARACTERS) for step in fault["loc"] if step != "body")
        if fault.get("type") == "json_invalid":  # the part is a place
            detail = f"no JSON: {fault['ctx']['error']} at character {part} of the body"
        elif not part:  # the body as a whole
            detail = f"{fault['msg']}: send JSON, with Content-Type: application/json"
        elif "Expected UploadFile" in fault["msg"]:  # what a form says of a text where a file belongs
            detail = f"{part} must be a file: -F {part}=@FILE"
        elif isinstance(fault.get("input"), UploadFile):
            detail = f"{part} must be a text: -F '{part}=<FILE' sends that of a file"
        elif fault.get("type") == "extra_forbidden" and len(fault["loc"]) == 2:
            (body,) = request.scope["route"].dependant.body_params
            detail = f"{part}: there is no such field, only {', '.join(body.field_info.annotation.model_fields)}"
        else:
            detail = f"{part}: {fault['msg']}" + ": in a form, -F image=@FILE" * (part == "image")
        return _response(request.scope, failures()[422], detail)

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        headers = {**(error.headers or {})}
        if error.status_code == 405:
            headers["Allow"] = ", ".join(_methods(request)) or headers.get("Allow", "")
        return refusal(request.scope, error.status_code, error.detail, headers)

    for family in (DomainError, NeuralError, BridgeError, SymbolicError, ServiceError):
        app.add_exception_handler(family, known)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, refused)


def _methods(request: Request) -> list[str]:
    """Those that the path takes, of all routes: each knows only its own."""
    matching = [route for route in request.app.routes if route.matches(request.scope)[0] is not Match.NONE]
    return sorted({method for route in matching for method in getattr(route, "methods", None) or ()})


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _response(
    scope: Scope,
    entry: Failure,
    detail: str,
    members: Mapping[str, str | int] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    content = {
        "type": f"urn:predinet-prolog:problem:{entry.kind}",
        "title": entry.title,
        "status": entry.http_status,
        "detail": _cut(detail, DETAIL_CHARACTERS),
        "instance": f"urn:predinet-prolog:request:{scope['state']['request_id']}",
        "kind": entry.kind,
        **(members or {}),
    }
    # A lone surrogate, which a query may hold, becomes the escape that JSON has for it.
    body = json.dumps(content, ensure_ascii=False).encode("utf-8", "backslashreplace")
    return Response(body, entry.http_status, dict(headers or {}), MEDIA_TYPE)
