"""/query and /export: an image comes, and its answers or its program go back. Nothing is kept."""

import asyncio
import hashlib
import json
import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypedDict

from fastapi import Depends, FastAPI, File, Form, Request, Response, UploadFile
from fastapi.dependencies.models import Dependant
from fastapi.exceptions import RequestValidationError
from pydantic import WithJsonSchema
from pydantic_core import to_json

from predinet_prolog.bridge.perceiving.given import Choice
from predinet_prolog.service.api.access import client_of
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
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.given import Sent, check_look
from predinet_prolog.service.pipeline import View
from predinet_prolog.service.settings import SCENES_MODEL
from predinet_prolog.service.store.scenes import StoredProgram
from predinet_prolog.service.theories import english_rules, sent_rules
from predinet_prolog.symbolic import EnglishError, ProgramError, SuppositionError, UnknownPredicateError
from predinet_prolog.symbolic.limits import GOAL_CHARACTERS, QUESTION_CHARACTERS


class FormLimits(TypedDict, total=False):
    """What a form may hold."""

    max_files: int
    max_fields: int
    max_part_size: int
    """Bytes of a field that is no file."""


FORM_LIMITS = FormLimits(max_files=3, max_fields=10, max_part_size=4 * RULES_CHARACTERS)
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
ClassesFile = Annotated[
    UploadFile | None,
    WithJsonSchema({"type": "string", "format": "binary"}),
    File(description="What the classes of the detections are called: a name a line, a data.yaml, or JSON."),
]
LeastScore = Annotated[
    float | None,
    WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1}),
    Form(ge=0, le=1, description="Detections that are less sure are left out."),
]
NoLook = Annotated[
    bool, Form(description="Whether no pixel is looked at: what the detections tell is all there is then.")
]


@dataclass(frozen=True)
class SentImage:
    """An image, and what comes with it."""

    data: bytes
    name: str
    """What the client calls it, without folders."""
    model: str | None
    boxes: str | None
    detections: Sent | None
    no_look: bool

    @property
    def things(self) -> tuple[object, ...] | None:
        """What tells of its things, of which another would have another scene; None: they are found."""
        if (sent := self.detections) is None:
            return None if self.boxes is None else (self.boxes, self.name)
        files = [sent.data, *([] if sent.classes is None else [sent.classes[0]])]
        digests = [hashlib.sha256(data).hexdigest() for data in files]
        return (*digests, sent.name, sent.choice.least_score, self.no_look, self.name)


async def sent_image(
    image: ImageFile,
    model: ModelName = None,
    boxes: Boxes = None,
    detections: DetectionsFile = None,
    classes: ClassesFile = None,
    min_score: LeastScore = None,
    no_look: NoLook = False,
) -> SentImage:
    """What a form says of an image. Raises UsageError for what needs detections and has none."""
    file = None
    if detections is not None:
        named = None if classes is None else (await classes.read(), _name_of(classes, "classes"))
        file = Sent(await detections.read(), _name_of(detections, "detections"), named, Choice(min_score))
    elif lone := [
        name
        for name, value in (("classes", classes), ("min_score", min_score), ("no_look", no_look or None))
        if value is not None
    ]:
        raise UsageError(f"{lone[0]} is for detections: send them, too")
    if no_look and model is not None:
        raise UsageError("no_look opens no model: leave out model")
    return SentImage(await image.read(), _name_of(image, "image"), model, boxes, file, no_look)


Image = Annotated[SentImage, Depends(sent_image)]


async def looked_where_needed(put: Callable[[bool], Awaitable[Response]], image: SentImage) -> Response:
    """What `put` makes of a program: one that was looked at, but where things were told and that suffices."""
    if image.detections is not None and image.model is None:
        try:
            return await put(False)
        except (SuppositionError, UnknownPredicateError) as error:
            check_look(error, SCENES_MODEL, "no_look" if image.no_look else None)
        except EnglishError:  # its words may be those of what is seen
            if image.no_look:
                raise
    return await put(True)


async def known_fields(request: Request) -> None:
    """Raises what JSON with a field too many does: a form's misspelt field would else go unnoticed."""
    form = await request.form()  # the one that FastAPI has read
    fields = _fields_of(request.scope["route"].dependant)
    for name in form:
        if name not in fields:
            raise fault(("body", name), no_field(fields))


def _fields_of(dependant: Dependant) -> list[str]:
    """The form's fields that a route reads, behind those that what it depends on does."""
    inner = (name for other in dependant.dependencies for name in _fields_of(other))
    return [*inner, *(field.alias for field in dependant.body_params)]


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
        image: Image,
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
        why: Annotated[bool, Form(description="Whether each answer comes with its proof.")] = False,
        question: Annotated[str, Form(max_length=QUESTION_CHARACTERS, description=QUESTION_DESCRIPTION)] = "",
    ) -> Response:
        one_of(query, question)
        goal = Question.model_construct(query=query, rules=rules, limit=limit)

        async def put(pixels: bool) -> Response:
            view = await see(parts, request, image, pixels=pixels)
            return await answer(
                parts, request, await asked_of(view, goal, whole=bool(question)), goal, english=question, why=why
            )

        return await looked_where_needed(put, image)

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
        image: Image,
        looks: Looks = None,
    ) -> Response:
        view = await see(parts, request, image, looks=looks, pixels=not image.no_look)
        said = {"X-Notes": view.image.notes, "X-Warnings": view.warnings}
        text = (await asked_of(view, None, whole=True)).program
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


async def asked_of(view: View, goal: Question | None, *, whole: bool = False) -> StoredProgram:
    """The program to ask the goal of; of what was told alone what the goal and its rules reach, unless it is to be
    `whole`. Written in a thread: there may be thousands of things."""
    texts = [] if goal is None else [goal.query, *(part.text for part in sent_rules(goal.rules))]
    words = re.findall(r"\w+", " ".join(texts))
    text = await asyncio.to_thread(lambda: view.text if whole else view.text_for(words))
    return StoredProgram(text, view.model.name, view.image.notes, view.warnings)


def _name_of(file: UploadFile, kind: str) -> str:
    return Path(file.filename or "").name or kind


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
            all_rules = (*rules, english_rules())
            reply = await parts.pool.ask_in_english(asked.program, english, rules=all_rules, client=client_of(request))
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
