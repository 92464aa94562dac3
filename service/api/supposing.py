"""/suppose: what a goal's answers would be if things looked otherwise, and the least changes that would turn it."""

from typing import Annotated, Any

from fastapi import Body, Depends, FastAPI, Form, Request, Response
from pydantic import BaseModel, Field, WithJsonSchema

from predinet_prolog.service.api.parts import Parts
from predinet_prolog.service.api.problems import documented
from predinet_prolog.service.api.queries import (
    FORM_LIMITS,
    Image,
    answer,
    asked_of,
    known_fields,
    looked_where_needed,
    see,
)
from predinet_prolog.service.api.scenes import SceneId, known_program
from predinet_prolog.service.api.schemas import RULES_CHARACTERS, RULES_DESCRIPTION, Answer, Question
from predinet_prolog.symbolic.limits import GOAL_CHARACTERS

FACT_DESCRIPTION = (
    "What is supposed, such as same_colour(ob_0, ob_1), by which ob_1 takes the colour of ob_0, or "
    "\\+ same(ob_0, ob_1); several with commas between. Where there is none, the least changes are looked for "
    "that would give the query an answer, or take all away."
)


class SceneSupposition(Question):
    """A question to a scene that looks otherwise."""

    fact: str = Field("", max_length=GOAL_CHARACTERS, description=FACT_DESCRIPTION)


class Change(BaseModel):
    """An object looks otherwise."""

    object: str = Field(examples=["ob_1"])
    attribute: str = Field(examples=["colour"])
    like: str | None = Field(None, description="The object that it takes this from; missing: none has it.")


class GoalAnswers(BaseModel):
    """Answers as those of a query."""

    answers: list[Answer]
    more: bool
    why_not: dict[str, Any] | None = None


class SuppositionAnswer(BaseModel):
    """What would be so. With a fact, `changes` to `after`; without, `wanted` to `more`."""

    before: GoalAnswers = Field(description="The answers as it was seen.")
    changes: list[Change] | None = Field(None, description="What changes if the fact is true.")
    true: list[str] | None = Field(None, description="Facts of sameness that become true, one of a pair's two.")
    false: list[str] | None = Field(None, description="Those that become false.")
    after: GoalAnswers | None = Field(None, description="The answers then, with proofs, or why there is none.")
    wanted: bool | None = Field(None, description="Whether the query had no answer, and is to have one.")
    least: list[list[Change]] | None = Field(
        None, description="The ways to turn it with the fewest changes, two at most."
    )
    more: bool | None = Field(None, description="Whether there are more such ways than the limit.")
    model: str = Field(description="The model that looked.")
    notes: list[str] = Field(description="What was done to the image, such as resizing.")
    warnings: list[str] = Field(description="Why what was seen may mean nothing.")
    hints: list[str] | None = Field(None, description="What the query may have been meant to say.")


_ROUTE: dict[str, Any] = {
    "response_class": Response,
    "responses": {
        200: {"description": "What would be so.", "model": SuppositionAnswer},
        **documented(400, 401, 404, 408, 413, 422, 429, 503, 504),
    },
}


def add_suppositions(app: FastAPI, parts: Parts) -> None:
    """Adds the routes to `app`."""

    @app.post(
        "/suppose",
        summary="Suppose that an image showed something else",
        tags=["images"],
        dependencies=[Depends(known_fields)],
        form_limits=FORM_LIMITS,
        **_ROUTE,
    )
    async def suppose_image(
        request: Request,
        image: Image,
        query: Annotated[
            str,
            Form(min_length=1, max_length=GOAL_CHARACTERS, description="One goal of Prolog.", examples=["same(X, Y)"]),
        ],
        fact: Annotated[str, Form(max_length=GOAL_CHARACTERS, description=FACT_DESCRIPTION)] = "",
        rules: Annotated[str, Form(max_length=RULES_CHARACTERS, description=RULES_DESCRIPTION)] = "",
        limit: Annotated[
            int | None,
            WithJsonSchema({"type": "integer", "minimum": 1}),
            Form(ge=1, description=f"Most answers or changes; never more than {parts.settings.answer_limit}."),
        ] = None,
    ) -> Response:
        question = Question.model_construct(query=query, rules=rules, limit=limit)

        async def put(pixels: bool) -> Response:
            view = await see(parts, request, image, pixels=pixels)
            return await answer(parts, request, await asked_of(view, None, whole=True), question, facts=_facts(fact))

        return await looked_where_needed(put, image)

    @app.post("/scenes/{id}/suppose", summary="Suppose that a scene were otherwise", tags=["scenes"], **_ROUTE)
    async def suppose_scene(request: Request, id: SceneId, question: Annotated[SceneSupposition, Body()]) -> Response:
        return await answer(parts, request, known_program(parts, id), question, facts=_facts(question.fact))


def _facts(text: str) -> list[str]:
    return [text] if text.strip() else []
