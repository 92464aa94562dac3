"""/scenes: an image is sent once and asked many times. Each posting is a scene of its own."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from fastapi import FastAPI, File, Request, Response
from pydantic_core import to_json

from predinet_prolog.service.api.access import client_of
from predinet_prolog.service.api.forms import FORM_LIMITS, LookForm
from predinet_prolog.service.api.parts import Parts
from predinet_prolog.service.api.problems import documented
from predinet_prolog.service.api.queries import PrologText, SceneId, existing
from predinet_prolog.service.api.scene_views import IMAGE_NAME, stored
from predinet_prolog.service.api.schemas import Masks, SceneDetails
from predinet_prolog.service.store.scenes import StoredScene

# What a scene consists of, each below an address of its own: name, summary, media type and OpenAPI's words.
_PARTS: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    ("program", "A scene's Prolog program", "text/x-prolog", {}),
    ("brief", "The program in brief, as facts alone", "text/x-prolog", {}),
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


def add_scenes(app: FastAPI, parts: Parts) -> None:
    """Adds the routes to `app`."""

    async def scene_of(id: str) -> StoredScene:
        return existing(id, await asyncio.to_thread(parts.store.get, id))

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
        form_limits=FORM_LIMITS,
    )
    async def create_scene(request: Request, form: Annotated[LookForm, File()]) -> Response:
        image, client = await form.read(request), client_of(request)
        view = await parts.batcher.see(
            image, title=IMAGE_NAME, looks=form.looks, pixels=not image.no_look, client=client
        )
        scene = await asyncio.to_thread(
            lambda: parts.store.put(stored(view.readable(image.data)), client=client)  # the disk is waited for
        )
        return Response(details(scene), 201, {"Location": f"/scenes/{scene.id}"}, "application/json")

    def details(scene: StoredScene) -> bytes:
        """The content's details, with the scene's own behind them."""
        here, now = f"/scenes/{scene.id}", datetime.now(UTC).replace(microsecond=0)
        fields = {
            "id": scene.id,
            "created": datetime.fromtimestamp(int(scene.created), UTC),
            "expires": now + timedelta(days=parts.settings.store_days),  # it was used just now
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
        return Response(details(await scene_of(id)), media_type="application/json")

    @app.delete(
        "/scenes/{id}",
        summary="Delete a scene",
        status_code=204,
        responses=documented(401, 404, 422, 503),
        tags=["scenes"],
    )
    async def delete_scene(id: SceneId) -> Response:
        deleted: bool = await asyncio.to_thread(parts.store.delete, id)
        existing(id, deleted or None)
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
            return Response(getattr((await scene_of(id)).content, name), media_type=media_type)

    for part in _PARTS:
        add_part(*part)
