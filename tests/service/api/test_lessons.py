"""/learn and /words: labelled scenes and objects pointed at go in, and rules that say the same come out."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import httpx
import pytest

from predinet_prolog.domains.relations_game import generate
from predinet_prolog.service.api.registry import ModelRegistry
from predinet_prolog.service.api.schemas import LESSON_SCENES
from tests.cases import cases
from tests.pictures import encode
from tests.service.api.helpers import Client, check_problem

pytestmark = [pytest.mark.slow(20), pytest.mark.settings(model="relations-game")]

CASES = cases(__file__)
NOWHERE = 32 * "0"


async def taught(client: Client, count: int) -> list[dict[str, str]]:
    """Examples: boards that are stored, and their labels."""
    drawn = generate("between", count, seed=5)
    examples = []
    for pixels, label in zip(drawn.render(), drawn.labels, strict=True):
        scene = (await client.store(encode(pixels))).removeprefix("/scenes/")
        examples.append({"scene": scene, "label": "yes" if label else "no"})
    return examples


async def learn(client: Client, examples: Sequence[dict[str, str]]) -> httpx.Response:
    return await client.post("/learn", json={"examples": [*examples], "unlabelled": [], "options": {}})


async def test_what_is_no_lesson_is_refused(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    examples = await taught(client, 2)
    nowhere = {"scene": NOWHERE, "label": "no"}
    for lesson, status, kind, part in (
        *CASES["lessons"],
        ({"examples": [nowhere] * (LESSON_SCENES + 1)}, 422, "request", "examples"),
        ({"examples": [{**nowhere, "label": "\ud800"}]}, 422, "request", "label"),
        ({"examples": [*examples, nowhere]}, 404, "scene_not_found", NOWHERE),
        *(({"examples": examples} | more, 422, "usage", said) for more, said in CASES["of_two_scenes"]),
    ):
        content = json.dumps(lesson)  # httpx would write no half of a pair
        response = await client.post("/learn", content=content, headers={"Content-Type": "application/json"})
        assert part in check_problem(response, status, kind)["detail"], lesson
    monkeypatch.setattr("predinet_prolog.service.handlers.MOST_CHARACTERS", 1000)
    assert "fewer scenes" in check_problem(await learn(client, examples), 422, "usage")["detail"]


@pytest.mark.parametrize(
    ("count", "rules"),
    [
        pytest.param(4, "", marks=pytest.mark.settings(model="relations-game", learn_seconds=0.01)),
        pytest.param(2, "red(X) :- repeat, fail.", marks=pytest.mark.settings(model="relations-game", learn_seconds=6)),
    ],
)
async def test_a_search_has_its_time(client: Client, count: int, rules: str) -> None:
    response = await client.post("/learn", json={"examples": await taught(client, count), "rules": rules})
    problem = check_problem(response, 504, "time_limit")
    metrics = (await client.get("/metrics")).text
    if not rules:
        assert "fewer pictures" in problem["detail"]
        assert "predinet_prolog_searches_killed_total 1.0" in metrics
    assert "predinet_prolog_searches_waiting 0.0" in metrics


(BOARD,) = generate("scatter", 1, seed=41).render()


async def naming(client: Client, **more: object) -> dict[str, Any]:
    """What is sent to name the first object of a board, which is stored."""
    scene = (await client.store(encode(BOARD))).removeprefix("/scenes/")
    return {"word": "red", "scene": scene, "objects": ["ob_0"], **more}


async def test_a_word_has_its_rules_and_its_goal_and_what_it_holds_of(client: Client) -> None:
    sent = await naming(client, word="mine", by="shape")
    made = (await client.post("/words", json=sent)).json()
    assert (made["by"], made["goal"]) == ("shape", "shape(X, mine)")
    assert made["rules"].startswith("% word mine: by shape, from ob_0 of the picture ")
    asked = {"query": made["goal"], "rules": made["rules"]}
    answers = (await client.post(f"/scenes/{sent['scene']}/query", json=asked)).json()["answers"]
    assert [answer["bindings"]["X"] for answer in answers] == made["objects"]
    assert "ob_0" in made["objects"]


async def test_what_can_be_no_word_says_why(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = await naming(client)
    for change, status, kind, part in (*CASES["words"], ({"rules": "%" * (64 * 1024 + 1)}, 422, "request", "rules")):
        response = await client.post("/words", json=whole | change)
        assert part in check_problem(response, status, kind)["detail"], change
    get = ModelRegistry.get
    monkeypatch.setattr(ModelRegistry, "get", lambda self, name: replace(get(self, name), sha256="0" * 64))
    problem = check_problem(await client.post("/words", json=whole), 422, "usage")
    assert "send its image again" in problem["detail"]
