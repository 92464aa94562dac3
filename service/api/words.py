"""/words: a word for objects of a scene that somebody points at."""

import asyncio
import json
from typing import Annotated

from fastapi import Body, FastAPI, Request, Response
from pydantic_core import to_json

from predinet_prolog.service.api.access import client_of
from predinet_prolog.service.api.parts import Parts
from predinet_prolog.service.api.problems import documented
from predinet_prolog.service.api.schemas import Named, Naming
from predinet_prolog.service.errors import SceneNotFoundError
from predinet_prolog.service.naming import Word, make_word
from predinet_prolog.service.store.scenes import StoredProgram
from predinet_prolog.service.theories import sent_rules


def add_words(app: FastAPI, parts: Parts) -> None:
    """Adds the route to `app`."""

    def word_of(naming: Naming, stored: StoredProgram) -> Word:
        model = parts.models.get(stored.model)  # which may have to be loaded
        return make_word(naming.word, naming.by, stored.program, model, naming.objects, naming.others, naming.rules)

    @app.post(
        "/words",
        summary="Name objects of a scene",
        response_class=Response,
        responses={
            200: {"description": "The word.", "model": Named},
            **documented(400, 401, 404, 408, 413, 422, 429, 503, 504),
        },
        tags=["scenes"],
    )
    async def name_objects(request: Request, naming: Annotated[Naming, Body()]) -> Response:
        """Point at objects of a scene, stored by POST /scenes, and say what they are called: the word's clauses come
        back, for this scene and others. A word for a colour is a region around the colours shown; words for shapes,
        shades and looks are for scenes of the same model."""
        stored = parts.store.program(naming.scene)
        if stored is None:
            raise SceneNotFoundError(f"no scene {naming.scene} is stored: send its image again")
        word = await asyncio.to_thread(word_of, naming, stored)
        # Prolog may refuse the word, such as one that the program has already, or the rules.
        asked = sent_rules(word.rules)
        reply = json.loads(await parts.pool.ask(stored.program, word.goal, rules=asked, client=client_of(request)))
        objects = [answer["bindings"]["X"] for answer in reply["answers"]]
        named = {"rules": word.rules, "by": word.by, "goal": word.goal, "objects": objects}
        return Response(to_json(named), media_type="application/json")
