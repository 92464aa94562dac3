"""/scenes: an image is sent once and asked many times. Each posting is a scene of its own."""

import asyncio
import hashlib
import re
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from fastapi import Body, Depends, FastAPI, Path, Request, Response
from fastapi.routing import APIRoute
from pydantic import ValidationError
from pydantic_core import to_json
from starlette.types import ASGIApp, Receive, Scope, Send

from predinet_prolog.service.api.access import client_of
from predinet_prolog.service.api.parts import Parts
from predinet_prolog.service.api.problems import documented
from predinet_prolog.service.api.queries import (
    FORM_LIMITS,
    Image,
    Looks,
    PrologText,
    SentImage,
    answer,
    fault,
    known_fields,
    no_field,
    see,
)
from predinet_prolog.service.api.scene_views import IMAGE_NAME, content_id, stored
from predinet_prolog.service.api.schemas import Masks, QueryAnswer, SceneDetails, SceneQuery
from predinet_prolog.service.errors import SceneNotFoundError
from predinet_prolog.service.pipeline import readable
from predinet_prolog.service.store.content import SceneContent
from predinet_prolog.service.store.scenes import StoredProgram, StoredScene

_SCENE_ID = re.compile("[0-9a-f]{32}")
SceneId = Annotated[str, Path(pattern=f"^{_SCENE_ID.pattern}$", description="A scene's id.", examples=["0" * 32])]


def scene_queries(parts: Parts) -> ASGIApp:
    """What answers POST /scenes/{id}/query, an ASGI application of its own, which raises what the handlers know.

    FastAPI's way to a handler and back takes longer than Prolog does for an answer, so this goes without it: no second
    parsing, no thread, no model of the answer.
    """

    async def respond(scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        body = await request.body()
        id = request.path_params["id"]
        if not _SCENE_ID.fullmatch(id):
            raise fault(("path", "id"), "a scene's id is 32 of the digits 0-9 a-f")
        media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if media_type != "application/json":
            raise fault(("body",), f"{media_type or 'nothing'} is no JSON")
        try:
            question = SceneQuery.model_validate_json(body)
        except ValidationError as error:
            faults = error.errors(include_url=False, include_context=False)
            if extra := [fault["loc"] for fault in faults if fault["type"] == "extra_forbidden"]:
                raise fault(("body", *extra[0]), no_field(SceneQuery.model_fields)) from None
            raise fault(("body", *faults[0]["loc"]), faults[0]["msg"]) from None
        response = await answer(
            parts, request, known_program(parts, id), question, english=question.question, why=question.why
        )
        await response(scope, receive, send)

    return respond


def known_program(parts: Parts, id: str) -> StoredProgram:
    """The program of the scene. Raises SceneNotFoundError."""
    stored = parts.store.program(id)
    if stored is None:
        raise _not_found(id)
    return stored


def add_scenes(app: FastAPI, parts: Parts) -> None:
    """Adds the routes to `app`."""

    async def found(id: str) -> StoredScene:
        scene = await asyncio.to_thread(parts.store.get, id)
        if scene is None:
            raise _not_found(id)
        return scene

    @app.post(
        "/scenes/{id}/query",
        summary="Ask a question about a scene",
        response_class=Response,
        responses={
            200: {"description": "The answers.", "model": QueryAnswer},
            **documented(400, 401, 404, 408, 413, 422, 429, 503, 504),
        },
        tags=["scenes"],
    )
    async def query_scene(id: SceneId, question: Annotated[SceneQuery, Body()]) -> Response:
        raise NotImplementedError("documented here; scene_queries answers")

    # The one that has to be fast. It is the first route, so that none is tried before it.
    route = app.router.routes[-1]
    assert isinstance(route, APIRoute)
    route.app = scene_queries(parts)

    @app.post(
        "/scenes",
        summary="Store an image's scene",
        status_code=201,
        response_class=Response,
        responses={
            201: {"description": "The scene is stored.", "model": SceneDetails, **_FOLLOW},
            **documented(400, 401, 404, 408, 413, 422, 429, 503),
        },
        tags=["scenes"],
        dependencies=[Depends(known_fields)],
        form_limits=FORM_LIMITS,
    )
    async def create_scene(
        request: Request,
        image: Image,
        looks: Looks = None,
    ) -> Response:
        id, content = await asyncio.to_thread(seen_before, image, looks)
        if content is None:
            view = await see(parts, request, image, looks=looks, pixels=not image.no_look, title=IMAGE_NAME)
            shown = await asyncio.to_thread(readable, view, image.data)
            content = await asyncio.to_thread(stored, shown, id)
        scene = await asyncio.to_thread(parts.store.put, content, client=client_of(request))
        return Response(details(scene), 201, {"Location": f"/scenes/{scene.id}"}, "application/json")

    def seen_before(image: SentImage, looks: int | None) -> tuple[str, SceneContent | None]:
        """The id of what is to be seen, and what was seen in the same image, by whomever it was sent: no network need
        look again."""
        models = parts.models.candidates(image.model)
        id = content_id(hashlib.sha256(image.data).hexdigest(), models, looks, image.things)
        return id, parts.store.content(id)

    def details(scene: StoredScene) -> bytes:
        """The content's details, with the scene's own behind them."""
        here = f"/scenes/{scene.id}"
        fields = {
            "id": scene.id,
            "created": _time(datetime.fromtimestamp(scene.created, UTC)),
            # It was used just now.
            "expires": _time(datetime.now(UTC) + timedelta(days=parts.settings.store_days)),
            "links": {"self": here, **{name: f"{here}/{name}" for name in (*(part[0] for part in _PARTS), "query")}},
        }
        return b"%b,%b" % (scene.content.details[:-1], to_json(fields)[1:])

    @app.get(
        "/scenes/{id}",
        summary="What is known of a scene",
        response_class=Response,
        responses={200: {"description": "The scene.", "model": SceneDetails}, **documented(401, 404, 422, 503)},
        tags=["scenes"],
    )
    async def read_scene(id: SceneId) -> Response:
        return Response(details(await found(id)), media_type="application/json")

    @app.delete(
        "/scenes/{id}",
        summary="Delete a scene",
        status_code=204,
        responses=documented(401, 404, 422, 503),
        tags=["scenes"],
    )
    async def delete_scene(id: SceneId) -> Response:
        if not await asyncio.to_thread(parts.store.delete, id):
            raise _not_found(id)
        return Response(status_code=204)

    def add_part(name: str, summary: str, media_type: str, ok: dict[str, Any]) -> None:
        @app.get(
            f"/scenes/{{id}}/{name}",
            name=f"read_{name}",
            summary=summary,
            response_class=PrologText if media_type == PrologText.media_type else Response,
            responses={**({200: ok} if ok else {}), **documented(401, 404, 422, 503)},
            tags=["scenes"],
        )
        async def read_part(id: SceneId) -> Response:
            return Response(getattr((await found(id)).content, name), media_type=media_type)

    for part in _PARTS:
        add_part(*part)


# What a scene consists of, each below an address of its own: name, summary, media type and OpenAPI's words.
_PARTS: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    ("program", "A scene's Prolog program", "text/x-prolog", {}),
    (
        "image",
        "The pixels that the network saw",
        "image/png",
        {"description": "The image.", "content": {"image/png": {}}},
    ),
    ("masks", "Where the network looked", "application/json", {"description": "The masks.", "model": Masks}),
)
# What a stored scene leads to, as OpenAPI tells it.
_FOLLOW = {
    "headers": {"Location": {"description": "The scene's address.", "schema": {"type": "string"}}},
    "links": {
        operation: {"operationId": operation, "parameters": {"id": "$response.body#/id"}}
        for operation in ("read_scene", *(f"read_{part[0]}" for part in _PARTS), "query_scene", "delete_scene")
    },
}


def _not_found(id: str) -> SceneNotFoundError:
    return SceneNotFoundError(
        f"no scene {id} is stored: it never was, has expired or was deleted; send its image again"
    )


def _time(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")
