"""Questions: to an image that comes with them, of which nothing is kept, and to a scene that is stored."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastapi import Body, FastAPI, File, Path, Request, Response

from predinet_prolog.service.api.access import client_of
from predinet_prolog.service.api.forms import FORM_LIMITS, LookForm, QueryForm, SentImage, SuppositionForm
from predinet_prolog.service.api.parts import Parts
from predinet_prolog.service.api.problems import documented, fault
from predinet_prolog.service.api.schemas import (
    Asking,
    QueryAnswer,
    SceneQuery,
    SceneSupposition,
    Supposing,
    SuppositionAnswer,
)
from predinet_prolog.service.errors import SceneNotFoundError
from predinet_prolog.service.given import LACKING, check_look
from predinet_prolog.service.handlers import AskedProgram, reply_of
from predinet_prolog.service.pipeline import View
from predinet_prolog.service.settings import SCENES_MODEL
from predinet_prolog.service.theories import english_rules, sent_rules
from predinet_prolog.symbolic import ProgramError

SceneId = Annotated[str, Path(pattern="^[0-9a-f]{32}$", description="A scene's id.", examples=["0" * 32])]


class PrologText(Response):
    """A Prolog program."""

    media_type = "text/x-prolog"


def add_queries(app: FastAPI, parts: Parts) -> None:
    """Adds the routes to `app`."""

    def route(reply: type, description: str, *, tag: str) -> dict[str, Any]:
        statuses = documented(400, 401, 404, 408, 413, 422, 429, 503, 504)
        answered: dict[str, Any] = {"description": description, "model": reply}
        limits = {"form_limits": FORM_LIMITS} if tag == "images" else {}
        return {"response_class": Response, "responses": {200: answered, **statuses}, "tags": [tag], **limits}

    async def put_to_image(request: Request, image: SentImage, question: Asking | Supposing) -> Response:
        async def put(pixels: bool) -> Response:
            view = await see(parts, request, image, pixels=pixels)
            asked = await _asked_of(view, question if isinstance(question, Asking) else None)
            return await _answer(parts, request, asked, question)

        return await _looked_where_needed(put, image)

    @app.post(
        "/scenes/{id}/query",
        summary="Ask a question about a scene",
        **route(QueryAnswer, "The answers.", tag="scenes"),
    )
    async def query_scene(request: Request, id: SceneId, question: Annotated[SceneQuery, Body()]) -> Response:
        return await _answer(parts, request, program_of(parts, id), question)

    @app.post(
        "/scenes/{id}/suppose",
        summary="Suppose that a scene were otherwise",
        **route(SuppositionAnswer, "What would be so.", tag="scenes"),
    )
    async def suppose_scene(request: Request, id: SceneId, question: Annotated[SceneSupposition, Body()]) -> Response:
        return await _answer(parts, request, program_of(parts, id), question)

    @app.post("/query", summary="Ask a question about an image", **route(QueryAnswer, "The answers.", tag="images"))
    async def query_image(request: Request, form: Annotated[QueryForm, File()]) -> Response:
        _check_one_of(form)
        return await put_to_image(request, await form.read(), form)

    @app.post(
        "/suppose",
        summary="Suppose that an image showed something else",
        **route(SuppositionAnswer, "What would be so.", tag="images"),
    )
    async def suppose_image(request: Request, form: Annotated[SuppositionForm, File()]) -> Response:
        return await put_to_image(request, await form.read(), form)

    @app.post(
        "/export",
        summary="Turn an image into a Prolog program",
        response_class=PrologText,
        responses={
            200: {
                "content": {"text/x-prolog": {"example": "object(ob_0).\nposition(ob_0, 6.0000, 18.0000).\n"}},
                "description": "The program. The header X-Notes says, as a JSON array, what was done to the image; "
                "X-Warnings why what was seen in it may mean nothing.",
            },
            **documented(400, 401, 404, 408, 413, 422, 429, 503),
        },
        tags=["images"],
        form_limits=FORM_LIMITS,
    )
    async def export_image(request: Request, form: Annotated[LookForm, File()]) -> Response:
        image = await form.read()
        view = await see(parts, request, image, looks=form.looks, pixels=not image.no_look)
        said = {"X-Notes": view.image.notes, "X-Warnings": view.warnings}
        text = (await _asked_of(view, None)).program
        return PrologText(text, headers={name: json.dumps(lines) for name, lines in said.items()})


async def see(
    parts: Parts,
    request: Request,
    image: SentImage,
    *,
    looks: int | None = None,
    pixels: bool = True,
    title: str | None = None,
) -> View:
    """What is seen in the image, for the client of the request. See `Batcher.see`."""
    return await parts.batcher.see(
        image.data,
        name=image.name,
        title=title,
        model=image.model,
        looks=looks,
        boxes=image.boxes,
        detections=image.detections,
        pixels=pixels,
        client=client_of(request),
    )


def program_of(parts: Parts, id: str) -> AskedProgram:
    """The program of the scene. Raises SceneNotFoundError."""
    stored = parts.store.program(id)
    if stored is None:
        raise not_found(id)
    return stored


def not_found(id: str) -> SceneNotFoundError:
    """What is said of a scene that there is not."""
    return SceneNotFoundError(
        f"no scene {id} is stored: it never was, has expired or was deleted; send its image again"
    )


async def _looked_where_needed(put: Callable[[bool], Awaitable[Response]], image: SentImage) -> Response:
    """What `put` makes of a program: one that was looked at, but where things were told and that suffices."""
    if image.detections is not None and image.model is None:
        try:
            return await put(False)
        except LACKING as error:
            check_look(error, SCENES_MODEL, "no_look" if image.no_look else None)
    return await put(True)


async def _asked_of(view: View, question: Asking | None) -> AskedProgram:
    """The program to ask; of what was told alone what a query and its rules reach. Written in a thread: there may be
    thousands of things."""
    if question is None or question.question:
        text = await asyncio.to_thread(lambda: view.text)
    else:
        texts = [question.query, *(part.text for part in sent_rules(question.rules))]
        text = await asyncio.to_thread(view.text_for, re.findall(r"\w+", " ".join(texts)))
    return AskedProgram(text, view.model.name, view.image.notes, view.warnings)


async def _answer(parts: Parts, request: Request, asked: AskedProgram, question: Asking | Supposing) -> Response:
    """The answers of a query; of a question in English also the goal that it means, which is asked, and its answer; or
    what would be so."""
    rules, said, client = sent_rules(question.rules), dict[str, Any](), client_of(request)
    facts = None
    try:
        if isinstance(question, Supposing):
            facts = [question.fact] if question.fact.strip() else []
        else:
            _check_one_of(question)
            if question.question:
                in_english = (*rules, english_rules())
                reply = await parts.pool.ask_in_english(
                    asked.program, question.question, rules=in_english, client=client
                )
                said = reply.to_json()
        answers = await parts.pool.ask(
            asked.program,
            said.get("goal", question.query),
            rules=rules,
            limit=question.limit,
            why=isinstance(question, Asking) and question.why,
            facts=facts,
            client=client,
        )
    except ProgramError as error:
        if error.name == "program":
            raise RuntimeError("a program that the service wrote cannot be loaded") from error
        raise
    return Response(reply_of(answers, asked, said, text=question.text), media_type="application/json")


def _check_one_of(question: Asking) -> None:
    """Raises what is wrong with a request that does not have one of the two."""
    if bool(question.query) == bool(question.question):
        raise fault(("body", "query"), "send a query or a question in English, one of the two")
