"""The HTTP service: images in, programs and answers out."""

import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import FastAPI, File, Form, Request, Response, UploadFile
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from bridge import BridgeError
from neural import NeuralError
from neural.images import read_image
from service.engines import EnginePool
from service.errors import ServiceError, failure
from service.pipeline import View, view
from service.registry import ModelRegistry
from service.settings import Settings
from service.uploads import UploadLimit
from symbolic import Rules, SymbolicError

logger = logging.getLogger(__name__)

DESCRIPTION = """\
A PrediNet looks at an image of a few objects and says what it sees as a Prolog program; Prolog answers questions
about it. Images are square PNG, JPEG, GIF, BMP, WebP, TIFF or PPM files; other sizes than the network's are resized.

    curl -F image=@scene.png -F 'query=object(X)' http://127.0.0.1:8000/query

The program's vocabulary stands at the head of every program that `/export` gives. Every error is
`{"error": {"kind": ..., "message": ...}}`, with the `position` of a mistake in the query.
"""


class Answer(BaseModel):
    """One answer to the query."""

    bindings: dict[str, Any] = Field(
        description="Value of each variable: an atom is a string, a number bare, a list an array; all else is tagged, "
        'such as {"functor": "f", "args": []}, {"string": "s"}, {"var": "X"}, {"int": "9007199254740993"}.'
    )
    constraints: list[str] | None = Field(None, description="What must still hold, as Prolog text.")


class QueryAnswer(BaseModel):
    """All answers to a query. A query that is true without variables has one answer that binds nothing."""

    answers: list[Answer]
    more: bool = Field(description="Whether there are more answers than the limit.")
    model: str = Field(description="The model that looked.")
    notes: list[str] = Field(description="What was done to the image, such as resizing.")

    model_config = {
        "json_schema_extra": {
            "examples": [
                {
                    "answers": [{"bindings": {"X": "ob_0"}}, {"bindings": {"X": "ob_1"}}],
                    "more": False,
                    "model": "relations-game",
                    "notes": ["resized from 72x72 to 36x36"],
                }
            ]
        }
    }


class ErrorDetail(BaseModel):
    """What went wrong."""

    kind: str
    message: str
    position: int | None = Field(None, description="Of a syntax error: characters from the query's start.")


class Error(BaseModel):
    """Every error's form."""

    error: ErrorDetail


class ModelCard(BaseModel):
    """What is known of a model."""

    name: str
    default: bool = Field(description="Whether it is used where none is named.")
    tasks: list[str] = Field(description="Tasks it was trained on.")
    heads: int = Field(description="Pairs of objects it picks from an image.")
    relations: int = Field(description="Relations it computes of each pair.")
    accuracies: dict[str, dict[str, float]] = Field(description="Its own answers' accuracy, by objects and task.")
    sha256: str


class Health(BaseModel):
    """The service works: Prolog answered."""

    status: Literal["ok"] = "ok"
    model: str


class PrologText(Response):
    """A Prolog program."""

    media_type = "text/x-prolog"


ImageFile = Annotated[UploadFile, File(description="An image file, square.")]
ModelName = Annotated[str | None, Form(description="A name of GET /models; the default model where there is none.")]


def create_app(settings: Settings) -> FastAPI:
    """The service, as an ASGI application. Its Prolog processes end with its lifespan."""
    engines = EnginePool(
        settings.workers,
        time_limit=settings.time_limit,
        answer_limit=settings.answer_limit,
        patience=settings.patience,
    )
    models = ModelRegistry(settings.model)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        with engines:
            yield

    app = FastAPI(title="predinet-prolog", version="1", description=DESCRIPTION, lifespan=lifespan)
    app.add_middleware(UploadLimit, most=settings.max_upload)
    _add_error_handlers(app)

    def look(upload: UploadFile, model_name: str | None, looks: int | None) -> View:
        model = models.get(model_name)
        name = Path(upload.filename or "").name or "image"
        image = read_image(upload.file.read(), size=model.config.image_size, name=name)
        return view(model, [image], looks=looks)[0]

    # The handlers are plain functions: FastAPI runs them in threads, off the event loop.

    @app.post(
        "/query",
        summary="Ask a question about an image",
        response_model=QueryAnswer,
        response_model_exclude_none=True,
        responses=_errors(400, 404, 413, 422, 503, 504),
    )
    def query(
        image: ImageFile,
        query: Annotated[str, Form(description="One goal of Prolog.", examples=["object(X), position(X, Px, Py)"])],
        rules: Annotated[str, Form(description="Clauses of Prolog to add to the program.")] = "",
        limit: Annotated[
            int | None,
            Form(ge=1, description=f"Most answers wanted; never more than {settings.answer_limit}."),
        ] = None,
        model: ModelName = None,
    ) -> Any:
        seen = look(image, model, None)
        extra = [Rules("rules", rules)] if rules.strip() else []
        program = seen.write()
        with engines.lend() as engine:
            answers = engine.ask(program, query, rules=extra, limit=limit)
        return {**answers.to_json(), "model": seen.model.name, "notes": list(seen.image.notes)}

    @app.post(
        "/export",
        summary="Turn an image into a Prolog program",
        response_class=PrologText,
        responses={
            200: {
                "content": {"text/x-prolog": {"example": "object(ob_0).\nposition(ob_0, 6.0000, 18.0000).\n"}},
                "description": "The program. The header X-Notes says, as a JSON array, what was done to the image.",
            },
            **_errors(404, 413, 422),
        },
    )
    def export(
        image: ImageFile,
        model: ModelName = None,
        looks: Annotated[
            int | None,
            Form(ge=1, description="Most looks at the image; 1 is the paper's single pass."),
        ] = None,
    ) -> Response:
        seen = look(image, model, looks)
        headers = {"X-Notes": json.dumps(seen.image.notes)}
        return PrologText(seen.write(), headers=headers)

    @app.get("/", include_in_schema=False)
    def root() -> RedirectResponse:
        return RedirectResponse("/docs")

    @app.get("/health", summary="Does the service work?", responses=_errors(503))
    def health() -> Health:
        model = models.get(None)
        with engines.lend() as engine:
            engine.ask("", "true")
        return Health(model=model.name)

    @app.get("/models", summary="The models to choose from")
    def list_models() -> list[ModelCard]:
        return [
            ModelCard(
                name=model.name,
                default=default,
                tasks=list(model.training.tasks),
                heads=model.config.heads,
                relations=model.config.relations,
                accuracies={objects: dict(tasks) for objects, tasks in model.accuracies.items()},
                sha256=model.sha256,
            )
            for model, default in models.all()
        ]

    return app


def _errors(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """OpenAPI's descriptions of the errors a handler answers with."""
    meanings = {
        400: "The query or the rules are no Prolog.",
        404: "No such model.",
        413: "The request is too large.",
        422: "A part is missing or wrong; the image cannot be used; the query asks for what is unknown or forbidden.",
        503: "Prolog does not answer, or all of its processes stay busy.",
        504: "The query took longer than its time limit.",
    }
    return {status: {"model": Error, "description": meanings[status]} for status in statuses}


def _add_error_handlers(app: FastAPI) -> None:
    def known(request: Request, error: Exception) -> Response:
        found = failure(error)
        assert found is not None
        details: dict[str, Any] = {"kind": found.kind, "message": str(error)}
        if isinstance(error, SymbolicError):
            details = dict(error.to_json()["error"])
        return _error(found.http_status, **details)

    def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        fault = error.errors()[0]
        part = ".".join(str(step) for step in fault["loc"] if step != "body")
        return _error(422, kind="request", message=f"{part}: {fault['msg']}")

    def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        kinds = {404: "not_found", 405: "method_not_allowed", 413: "too_large"}
        return _error(error.status_code, kind=kinds.get(error.status_code, "request"), message=str(error.detail))

    def unknown(request: Request, error: Exception) -> Response:
        logger.error("%s %s failed", request.method, request.url.path, exc_info=error)
        return _error(500, kind="internal", message="the service failed; its log says why")

    for family in (NeuralError, BridgeError, SymbolicError, ServiceError):
        app.add_exception_handler(family, known)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, refused)
    app.add_exception_handler(Exception, unknown)


def _error(status: int, **details: Any) -> Response:
    return JSONResponse({"error": details}, status_code=status)
