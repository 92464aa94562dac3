"""The application: its parts, its routes, and what every request passes through."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.middleware.cors import CORSMiddleware

from predinet_prolog.service.api.access import Access, add_bearer_scheme
from predinet_prolog.service.api.arrival import Arrival
from predinet_prolog.service.api.lessons import add_lessons
from predinet_prolog.service.api.metrics import Metrics
from predinet_prolog.service.api.pages import add_pages
from predinet_prolog.service.api.parts import Parts
from predinet_prolog.service.api.problems import add_problem_handlers, add_problem_schema
from predinet_prolog.service.api.queries import add_queries
from predinet_prolog.service.api.requests import Requests
from predinet_prolog.service.api.scenes import add_scenes
from predinet_prolog.service.api.status import add_status
from predinet_prolog.service.settings import Settings

DESCRIPTION = """\
A PrediNet looks at an image of a few objects and says what it sees as a Prolog program; Prolog answers questions \
about it. Images are PNG, JPEG, GIF, BMP, WebP, TIFF or binary PPM files: boards, which are square and resized to the \
network's size, or pictures of a few things of any size and aspect, whose things may be said to lie in `boxes`.

Send an image with a question to /query, or once to /scenes and then any number of questions to the scene's own \
address, which answers in milliseconds. Say of some scenes what they show, and /learn gives rules that say the same; \
say of some objects what they are called, and /words gives the word. Every answer has an X-Request-Id. Every error is \
a problem of RFC 9457, application/problem+json, whose kind tells what it is.
"""


def create_app(settings: Settings) -> FastAPI:
    """The service, as an ASGI application. Its processes and its hold of the data folder end with its lifespan."""
    metrics = Metrics()
    parts = Parts(settings, metrics)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with parts.opened():
            yield

    app = FastAPI(
        title="predinet-prolog",
        version="1",
        description=DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,  # FastAPI's own pages load their scripts from other hosts: see pages.py
        redoc_url=None,
        generate_unique_id_function=lambda route: route.name,
        redirect_slashes=False,  # such redirects name the host that the request named
    )
    add_queries(app, parts)
    add_scenes(app, parts)
    add_lessons(app, parts)
    add_status(app, parts)
    add_pages(app)
    add_problem_handlers(app)
    openapi = app.openapi()  # which FastAPI keeps
    add_problem_schema(openapi)
    add_bearer_scheme(openapi, wanted=bool(settings.tokens))
    for route in app.routes:
        if isinstance(route, APIRoute) and route.methods == {"GET"}:
            route.methods = {"GET", "HEAD"}  # left out of the document; the server leaves out the body
    # The last one added is the first that a request passes.
    app.add_middleware(Access, tokens=settings.tokens)
    if settings.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.origins,
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["Authorization", "Content-Type", "X-Request-Id"],
            expose_headers=["Location", "Retry-After", "X-Notes", "X-Request-Id", "X-Warnings"],
        )
    app.add_middleware(
        Arrival, forms=_form_paths(openapi), most_bytes=settings.max_upload, most_seconds=settings.upload_seconds
    )
    app.add_middleware(Requests, metrics=metrics)
    return app


def _form_paths(openapi: dict[str, Any]) -> set[str]:
    """The paths that take a form, and so an image."""
    return {
        path
        for path, methods in openapi["paths"].items()
        for operation in methods.values()
        if "multipart/form-data" in operation.get("requestBody", {}).get("content", {})
    }
