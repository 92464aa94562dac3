"""/words: objects of a scene are pointed at, and a word for them comes back. What words are true of: tests/bridge."""

from dataclasses import replace
from typing import Any

import pytest

from predinet_prolog.domains.relations_game import generate
from predinet_prolog.service.api.registry import ModelRegistry
from tests.service.api.helpers import Client, check_problem
from tests.service.helpers import encode

pytestmark = [pytest.mark.slow(20), pytest.mark.settings(model="relations-game")]

NOWHERE = 32 * "0"
(BOARD,) = generate("scatter", 1, seed=41).render()


async def naming(client: Client, **more: object) -> dict[str, Any]:
    """What is sent to name the first object of a board, which is stored."""
    scene = (await client.store(encode(BOARD))).removeprefix("/scenes/")
    return {"word": "red", "scene": scene, "objects": ["ob_0"], **more}


@pytest.mark.parametrize("by", ["shape", "shade", "look"])
async def test_a_word_has_its_rules_and_its_goal_and_what_it_holds_of(client: Client, by: str) -> None:
    sent = await naming(client, word="mine", by=by)
    made = (await client.post("/words", json=sent)).json()
    assert (made["by"], made["goal"]) == (by, "shape(X, mine)" if by == "shape" else "mine(X)")
    assert made["rules"].startswith(f"% word mine: by {by}, from ob_0 of the picture ")
    asked = {"query": made["goal"], "rules": made["rules"]}
    answers = (await client.post(f"/scenes/{sent['scene']}/query", json=asked)).json()["answers"]
    assert [answer["bindings"]["X"] for answer in answers] == made["objects"]
    assert "ob_0" in made["objects"]


REFUSED = [
    ({"word": "Red"}, 422, "request", "word"),
    ({"word": "red(X) :- halt. %"}, 422, "request", "word"),
    ({"objects": ["ob_0'"]}, 422, "request", "objects"),
    ({"scene": "../../etc"}, 422, "request", "scene"),
    ({"rules": "%" * (64 * 1024 + 1)}, 422, "request", "rules"),
    ({"scene": NOWHERE}, 404, "scene_not_found", NOWHERE),
    ({"objects": ["ob_99"]}, 422, "usage", "ob_99: no such object: there are ob_0"),
    ({"word": "object", "by": "look"}, 400, "program", "object/1 is defined by the program already"),
    ({"by": "look", "rules": ":- halt."}, 400, "program", ""),
    ({"by": "look", "rules": "p :- shell(ls)."}, 422, "forbidden", "shell/1"),
]


async def test_what_can_be_no_word_says_why(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = await naming(client)
    for change, status, kind, part in REFUSED:
        response = await client.post("/words", json=whole | change)
        assert part in check_problem(response, status, kind)["detail"], change
    get = ModelRegistry.get
    monkeypatch.setattr(ModelRegistry, "get", lambda self, name: replace(get(self, name), sha256="0" * 64))
    problem = check_problem(await client.post("/words", json=whole), 422, "usage")
    assert "send its image again" in problem["detail"]
