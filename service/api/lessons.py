"""/learn: rules from scenes with labels."""

import asyncio
import json
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import Body, FastAPI, Request, Response
from pydantic_core import to_json

from predinet_prolog.service.api.access import client_of
from predinet_prolog.service.api.parts import Parts
from predinet_prolog.service.api.problems import documented
from predinet_prolog.service.api.schemas import Learned, Lesson
from predinet_prolog.service.errors import SceneNotFoundError, UsageError
from predinet_prolog.service.teaching import signatures
from predinet_prolog.symbolic import TimeLimitError
from predinet_prolog.symbolic.learning.observing import defined

MOST_CHARACTERS = 32 * 2**20
"""Of the programs of a lesson: 200 boards of nine objects have a third of that."""


def add_lessons(app: FastAPI, parts: Parts) -> None:
    """Adds the route to `app`."""

    def lesson_of(lesson: Lesson) -> bytes:
        """What service.learning reads. Raises SceneNotFoundError, and UsageError for too much of them."""
        scenes = [*(example.scene for example in lesson.examples), *lesson.unlabelled]
        programs: list[str] = []
        for scene in scenes:
            stored = parts.store.program(scene)
            if stored is None:
                raise SceneNotFoundError(f"no scene {scene} is stored: send its image again, or leave it out")
            programs.append(stored.program)
            if sum(map(len, programs)) > MOST_CHARACTERS:
                raise UsageError("the programs of these scenes are too large together: send fewer scenes")
        asked = {
            "scenes": scenes,
            "programs": programs,
            "labels": [example.label for example in lesson.examples],
            "tasks": [example.task for example in lesson.examples],
            # What all of them can tell: they may be of several models.
            "signatures": [*map(asdict, signatures(set[str].intersection(*map(defined, programs))))],
            "options": lesson.options.model_dump(),
            "rules": lesson.rules,
        }
        return to_json(asked)

    @app.post(
        "/learn",
        summary="Learn rules from scenes with labels",
        response_class=Response,
        responses={
            200: {"description": "The rules.", "model": Learned},
            **documented(400, 401, 404, 408, 413, 422, 429, 503, 504),
        },
        tags=["scenes"],
    )
    async def learn_rules(request: Request, lesson: Annotated[Lesson, Body()]) -> Response:
        """Say of some scenes, stored by POST /scenes, what they show: the simplest rules that say the same come back,
        and what they say of each scene. Scenes without a label that the rules and their rivals judge differently come
        back as those to label next."""
        asked = await asyncio.to_thread(lesson_of, lesson)
        reply: dict[str, Any] = json.loads(await parts.learner.learn(asked, client=client_of(request)))
        match reply:
            case {"late": str(message)}:
                raise TimeLimitError(message)
            case {"refused": str(message)}:
                raise UsageError(message)
        return Response(to_json(reply), media_type="application/json")
