"""/learn and /words: rules from scenes with labels, and a word for objects of a scene that somebody points at."""

import asyncio
import json
from typing import Annotated, Any

from fastapi import Body, FastAPI, Request, Response
from pydantic_core import to_json

from predinet_prolog.service.api.access import client_of
from predinet_prolog.service.api.parts import Parts
from predinet_prolog.service.api.queries import answered, existing
from predinet_prolog.service.api.schemas import Learned, Lesson, Named, Naming
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.handlers import lesson_of, named, word_of
from predinet_prolog.service.theories import sent_rules
from predinet_prolog.symbolic import TimeLimitError


def add_lessons(app: FastAPI, parts: Parts) -> None:
    """Adds the routes to `app`."""
    rules, word = answered(Learned, "The rules."), answered(Named, "The word.")

    @app.post("/learn", summary="Learn rules from scenes with labels", tags=["scenes"], **rules)
    async def learn_rules(request: Request, lesson: Annotated[Lesson, Body()]) -> Response:
        """Say of some scenes, stored by POST /scenes, what they show: the simplest rules that say the same come back,
        and what they say of each scene. Scenes without a label that the rules and their rivals judge differently come
        back as those to label next."""
        asked = await asyncio.to_thread(
            lambda: to_json(lesson_of(lesson.model_dump(), lambda id: existing(id, parts.store.program(id)).program))
        )
        reply: dict[str, Any] = json.loads(await parts.learner.learn(asked, client=client_of(request)))
        match reply:
            case {"late": str(message)}:
                raise TimeLimitError(message)
            case {"refused": str(message)}:
                raise UsageError(message)
        return Response(to_json(reply), media_type="application/json")

    @app.post("/words", summary="Name objects of a scene", tags=["scenes"], **word)
    async def name_objects(request: Request, naming: Annotated[Naming, Body()]) -> Response:
        """Point at objects of a scene, stored by POST /scenes, and say what they are called: the word's clauses come
        back, for this scene and others. A word for a colour is a region around the colours shown; words for shapes,
        shades and looks are for scenes of the same model."""
        stored = existing(naming.scene, await asyncio.to_thread(parts.store.get, naming.scene)).content
        word = await asyncio.to_thread(  # the model may have to be loaded
            lambda: word_of(naming.model_dump(by_alias=True), stored.facts, parts.models.get(stored.model))
        )
        # Prolog may refuse the word, such as one that the program has already, or the rules.
        asked, client = sent_rules(word.rules), client_of(request)
        answers = await parts.pool.ask(stored.program, word.goal, rules=asked, client=client)
        return Response(to_json(named(word, answers)), media_type="application/json")
