"""/query and /export: an image comes, and its answers or its program go back. Nothing is kept."""

import json
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, TypedDict

from fastapi import Depends, FastAPI, File, Form, Request, Response, UploadFile
from fastapi.exceptions import RequestValidationError
from pydantic import WithJsonSchema
from pydantic_core import to_json

from predinet_prolog.service.api.access import client_of
from predinet_prolog.service.api.batcher import Sent
from predinet_prolog.service.api.parts import Parts
from predinet_prolog.service.api.problems import documented
from predinet_prolog.service.api.schemas import (
    BOXES_CHARACTERS,
    QUESTION_DESCRIPTION,
    RULES_CHARACTERS,
    RULES_DESCRIPTION,
    QueryAnswer,
    Question,
)
from predinet_prolog.service.given import is_seen
from predinet_prolog.service.store.scenes import StoredProgram
from predinet_prolog.service.theories import english_rules, sent_rules
from predinet_prolog.symbolic import EnglishError, ProgramError, UnknownPredicateError
from predinet_prolog.symbolic.limits import GOAL_CHARACTERS, QUESTION_CHARACTERS


class FormLimits(TypedDict, total=False):
    """What a form may hold."""

    max_files: int
    max_fields: int
    max_part_size: int
    """Bytes of a field that is no file."""


FORM_LIMITS = FormLimits(max_files=2, max_fields=8, max_part_size=4 * RULES_CHARACTERS)
"""Of a form with an image; a character takes up to four bytes."""

# Generators of clients know a file by its format; FastAPI's own schema, contentMediaType, they take for a text.
ImageFile = Annotated[
    UploadFile,
    WithJsonSchema({"type": "string", "format": "binary"}),
    File(description="An image file: a board, which is square, or a picture of any size."),
]
# A form's fields may be missing, but there is no null in a form: their schemas are plain.
ModelName = Annotated[
    str | None,
    WithJsonSchema({"type": "string"}),
    Form(description="A name of GET /models; where there is none the default, or the one that suits the image."),
]
Looks = Annotated[
    int | None,
    WithJsonSchema({"type": "integer", "minimum": 1, "maximum": 10}),
    Form(ge=1, le=10, description="Most looks at a board; 1 is the paper's single pass."),
]
Boxes = Annotated[
    str | None,
    WithJsonSchema({"type": "string", "maxLength": BOXES_CHARACTERS}),
    Form(
        max_length=BOXES_CHARACTERS,
        description="JSON that says where the things of a picture of any size are, in its pixels: "
        "[[left, top, right, bottom], …], right and bottom outside of the thing; 200 at most. They take the place of "
        "finding.",
        examples=["[[12, 30, 58.5, 71], [90, 28, 131, 80]]"],
    ),
]


DetectionsFile = Annotated[
    UploadFile | None,
    WithJsonSchema({"type": "string", "format": "binary"}),
    File(
        description="All that a detector or an annotator tells of the things of a picture of any size: COCO, YOLO, "
        "Pascal VOC, LabelMe, supervision. They take the place of finding; pixels are looked at where a query needs it."
    ),
]


async def sent_of(detections: UploadFile | None) -> Sent | None:
    """The file that tells of things."""
    return (
        None if detections is None else (await detections.read(), Path(detections.filename or "").name or "detections")
    )


async def looked_where_needed(put: Callable[[bool], Awaitable[Response]], *, told: bool) -> Response:
    """What `put` makes of a program: one that was looked at, but where things were `told` and that suffices."""
    if told:
        try:
            return await put(False)
        except UnknownPredicateError as error:
            if not is_seen(error.predicate):
                raise
        except EnglishError:
            pass  # its words may be those of what is seen
    return await put(True)


async def known_fields(request: Request) -> None:
    """Raises what JSON with a field too many does: a form's misspelt field would else go unnoticed."""
    form = await request.form()  # the one that FastAPI has read
    fields = [field.alias for field in request.scope["route"].dependant.body_params]
    for name in form:
        if name not in fields:
            raise fault(("body", name), no_field(fields))


def close_forms(openapi: dict[str, Any]) -> None:
    """Says in the OpenAPI document that forms have no other fields."""
    for name, schema in openapi["components"]["schemas"].items():
        if name.startswith("Body_"):
            schema["additionalProperties"] = False


def form_paths(openapi: dict[str, Any]) -> set[str]:
    """The paths of the OpenAPI document that take a form, and so an image."""
    return {
        path
        for path, methods in openapi["paths"].items()
        for operation in methods.values()
        if "multipart/form-data" in operation.get("requestBody", {}).get("content", {})
    }


def no_field(fields: Iterable[str]) -> str:
    """What is said of a field that is not `known`."""
    return f"there is no such field, only {', '.join(fields)}"


def fault(where: tuple[int | str, ...], message: str) -> RequestValidationError:
    """What is wrong with a part of a request."""
    return RequestValidationError([{"loc": where, "msg": message}])


class PrologText(Response):
    """A Prolog program."""

    media_type = "text/x-prolog"


def add_queries(app: FastAPI, parts: Parts) -> None:
    """Adds the routes to `app`."""

    @app.post(
        "/query",
        summary="Ask a question about an image",
        response_class=Response,
        responses={
            200: {"description": "The answers.", "model": QueryAnswer},
            **documented(400, 401, 404, 408, 413, 422, 429, 503, 504),
        },
        tags=["images"],
        dependencies=[Depends(known_fields)],
        form_limits=FORM_LIMITS,
    )
    async def query_image(
        request: Request,
        image: ImageFile,
        query: Annotated[
            str,
            Form(
                max_length=GOAL_CHARACTERS,
                description="One goal of Prolog.",
                examples=["object(X), position(X, Px, Py)"],
            ),
        ] = "",
        rules: Annotated[
            str,
            Form(max_length=RULES_CHARACTERS, description=RULES_DESCRIPTION),
        ] = "",
        limit: Annotated[
            int | None,
            WithJsonSchema({"type": "integer", "minimum": 1}),
            Form(ge=1, description=f"Most answers wanted; never more than {parts.settings.answer_limit}."),
        ] = None,
        model: ModelName = None,
        why: Annotated[bool, Form(description="Whether each answer comes with its proof.")] = False,
        boxes: Boxes = None,
        detections: DetectionsFile = None,
        question: Annotated[str, Form(max_length=QUESTION_CHARACTERS, description=QUESTION_DESCRIPTION)] = "",
    ) -> Response:
        data, file, client = await image.read(), await sent_of(detections), client_of(request)
        one_of(query, question)
        goal = Question.model_construct(query=query, rules=rules, limit=limit)

        async def put(pixels: bool) -> Response:
            view = await parts.batcher.see(
                data, name=name_of(image), model=model, boxes=boxes, detections=file, pixels=pixels, client=client
            )
            asked = StoredProgram(view.text, view.model.name, view.image.notes, view.warnings)
            return await answer(parts, request, asked, goal, english=question, why=why)

        return await looked_where_needed(put, told=file is not None and model is None)

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
        dependencies=[Depends(known_fields)],
        form_limits=FORM_LIMITS,
    )
    async def export_image(
        request: Request,
        image: ImageFile,
        model: ModelName = None,
        looks: Looks = None,
        boxes: Boxes = None,
        detections: DetectionsFile = None,
    ) -> Response:
        view = await parts.batcher.see(
            await image.read(),
            name=name_of(image),
            model=model,
            looks=looks,
            boxes=boxes,
            detections=await sent_of(detections),
            client=client_of(request),
        )
        said = {"X-Notes": view.image.notes, "X-Warnings": view.warnings}
        return PrologText(view.text, headers={name: json.dumps(lines) for name, lines in said.items()})


def name_of(image: UploadFile) -> str:
    """What the client calls the image, without folders."""
    return Path(image.filename or "").name or "image"


async def answer(
    parts: Parts,
    request: Request,
    asked: StoredProgram,
    question: Question,
    *,
    english: str = "",
    why: bool = False,
    facts: Sequence[str] | None = None,
) -> Response:
    """The answers, as Prolog wrote them, never parsed here; the model, notes and warnings are put behind, and of a
    question in `english` the goal that it means, which is asked, and its answer."""
    rules, said = sent_rules(question.rules), dict[str, Any]()
    try:
        if facts is None:
            one_of(question.query, english)
        if english:
            own = (*rules, english_rules())
            reply = await parts.pool.ask_in_english(asked.program, english, rules=own, client=client_of(request))
            said = reply.to_json()
        text = await parts.pool.ask(
            asked.program,
            said.get("goal", question.query),
            rules=rules,
            limit=question.limit,
            why=why,
            facts=facts,
            client=client_of(request),
        )
    except ProgramError as error:
        if error.name == "program":
            raise RuntimeError("a program that the service wrote cannot be loaded") from error
        raise
    behind = {**said, **{name: getattr(asked, name) for name in ("model", "notes", "warnings")}}
    return Response(b"%b,%b" % (text[:-1], to_json(behind)[1:]), media_type="application/json")


def one_of(query: str, question: str) -> None:
    """Raises what is wrong with a request that does not have one of the two."""
    if bool(query) == bool(question):
        raise fault(("body", "query"), "send a query or a question in English, one of the two")
