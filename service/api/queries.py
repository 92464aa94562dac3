"""Questions: to an image that comes with them, of which nothing is kept, and to a scene that is stored."""

import asyncio
import json
import re
from typing import Annotated, Any, TypeVar

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

T = TypeVar("T")
SceneId = Annotated[str, Path(pattern="^[0-9a-f]{32}$", description="A scene's id.", examples=["0" * 32])]


class PrologText(Response):
    """A Prolog program."""

    media_type = "text/x-prolog"


def answered(reply: type, description: str) -> dict[str, Any]:
    """What FastAPI is told of a route that has Prolog asked."""
    statuses = documented(400, 401, 404, 408, 413, 422, 429, 503, 504)
    return {"response_class": Response, "responses": {200: {"description": description, "model": reply}, **statuses}}


def add_queries(app: FastAPI, parts: Parts) -> None:
    """Adds the routes to `app`."""
    of_scene: dict[str, Any] = {"tags": ["scenes"]}
    of_image: dict[str, Any] = {"tags": ["images"], "form_limits": FORM_LIMITS}
    query, suppose = answered(QueryAnswer, "The answers."), answered(SuppositionAnswer, "What would be so.")

    @app.post("/scenes/{id}/query", summary="Ask a question about a scene", **of_scene, **query)
    async def query_scene(request: Request, id: SceneId, question: Annotated[SceneQuery, Body()]) -> Response:
        return await _answer(parts, request, existing(id, parts.store.program(id)), question)

    @app.post("/scenes/{id}/suppose", summary="Suppose that a scene were otherwise", **of_scene, **suppose)
    async def suppose_scene(request: Request, id: SceneId, question: Annotated[SceneSupposition, Body()]) -> Response:
        return await _answer(parts, request, existing(id, parts.store.program(id)), question)

    @app.post("/query", summary="Ask a question about an image", **of_image, **query)
    async def query_image(request: Request, form: Annotated[QueryForm, File()]) -> Response:
        _check_one_of(form)
        return await _put_to_image(parts, request, await form.read(request), form)

    @app.post("/suppose", summary="Suppose that an image showed something else", **of_image, **suppose)
    async def suppose_image(request: Request, form: Annotated[SuppositionForm, File()]) -> Response:
        return await _put_to_image(parts, request, await form.read(request), form)

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
        **of_image,
    )
    async def export_image(request: Request, form: Annotated[LookForm, File()]) -> Response:
        image = await form.read(request)
        view = await parts.batcher.see(image, looks=form.looks, pixels=not image.no_look, client=client_of(request))
        said = {"X-Notes": view.image.notes, "X-Warnings": view.warnings}
        text = await asyncio.to_thread(lambda: view.text)
        return PrologText(text, headers={name: json.dumps(lines) for name, lines in said.items()})


def existing(id: str, scene: T | None) -> T:
    """What the store has of the scene. Raises SceneNotFoundError where that is nothing."""
    if scene is None:
        reason = "it never was, has expired or was deleted; send its image again"
        raise SceneNotFoundError(f"no scene {id} is stored: {reason}")
    return scene


async def _put_to_image(parts: Parts, request: Request, image: SentImage, question: Asking | Supposing) -> Response:
    """The answers of what is seen in the image; no pixel is looked at where what was told of its things suffices."""

    async def put(*, pixels: bool) -> Response:
        view = await parts.batcher.see(image, pixels=pixels, client=client_of(request))
        text = await _text_for(view, question)
        asked = AskedProgram(text, view.model.name, view.image.notes, view.warnings, view.categories)
        return await _answer(parts, request, asked, question)

    if image.detections is not None and image.model is None:
        try:
            return await put(pixels=False)
        except LACKING as error:
            check_look(error, SCENES_MODEL, "no_look" if image.no_look else None)
    return await put(pixels=True)


async def _text_for(view: View, question: Asking | Supposing) -> str:
    """The program to ask; of what was told alone what a query and its rules reach. Written in a thread."""
    if isinstance(question, Supposing) or question.question:
        return await asyncio.to_thread(lambda: view.text)
    texts = [question.query, *(part.text for part in sent_rules(question.rules))]
    return await asyncio.to_thread(view.text_for, re.findall(r"\w+", " ".join(texts)))


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
                in_english = (*rules, english_rules(asked.categories))
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
            text=question.text,
            facts=facts,
            client=client,
        )
    except ProgramError as error:
        if error.name == "program":
            raise RuntimeError("a program that the service wrote cannot be loaded") from error
        raise
    return Response(reply_of(answers, asked, said), media_type="application/json")


def _check_one_of(question: Asking) -> None:
    """Raises what is wrong with a request that does not have one of the two."""
    if bool(question.query) == bool(question.question):
        raise fault(("body", "query"), "send a query or a question in English, one of the two")
