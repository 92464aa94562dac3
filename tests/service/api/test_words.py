"""/words: objects of a scene are pointed at, and a word for them comes back that holds of other scenes, too."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import httpx
import pytest

from predinet_prolog.domains.relations_game import generate
from predinet_prolog.service.api.registry import ModelRegistry
from tests.service.api.helpers import Client, check_problem
from tests.service.helpers import encode

pytestmark = [pytest.mark.slow(20), pytest.mark.settings(model="relations-game")]

NOWHERE = 32 * "0"

Look = tuple[int, int]
"""The numbers of a shape and of a colour."""


async def boards(client: Client, count: int) -> list[tuple[str, dict[str, Look]]]:
    """Boards that are stored, and how each of their objects looks in truth."""
    drawn = generate("scatter", count, seed=41)
    found = []
    for number, pixels in enumerate(drawn.render()):
        cells = drawn.occupied[number].nonzero()[0].tolist()
        looks = {
            f"ob_{index}": (int(drawn.shapes[number, cell]), int(drawn.colours[number, cell]))
            for index, cell in enumerate(cells)
        }
        found.append(((await client.store(encode(pixels))).removeprefix("/scenes/"), looks))
    return found


async def call(client: Client, word: str, scene: str, objects: Sequence[str], **more: object) -> httpx.Response:
    return await client.post("/words", json={"word": word, "scene": scene, "objects": [*objects], **more})


async def called(client: Client, scene: str, goal: str, rules: str) -> set[Any]:
    response = await client.post(f"/scenes/{scene}/query", json={"query": goal, "rules": rules})
    assert response.status_code == 200, response.text
    return {answer["bindings"]["X"] for answer in response.json()["answers"]}


async def test_a_word_is_true_of_what_is_alike_in_all_scenes(client: Client) -> None:
    seen = await boards(client, 6)
    looks = [look for _, objects in seen for look in objects.values()]
    wanted = next(look for look in looks if looks.count(look) > 1)
    scene, name = next((scene, name) for scene, own in seen for name, look in own.items() if look == wanted)
    for by, parts in (("shape", slice(0, 1)), ("shade", slice(1, 2)), ("look", slice(0, 2))):
        response = await call(client, "mine", scene, [name], by=by)
        assert response.status_code == 200, response.text
        made = response.json()
        assert (made["by"], made["goal"]) == (by, "shape(X, mine)" if by == "shape" else "mine(X)")
        assert made["rules"].startswith(f"% word mine: by {by}, from {name} of the picture ")
        for other, own in seen:
            expected = {each for each, look in own.items() if look[parts] == wanted[parts]}
            assert await called(client, other, made["goal"], made["rules"]) == expected
            if other == scene:
                assert set(made["objects"]) == expected


REFUSED = [
    ({"word": "Red"}, 422, "request", "word"),
    ({"word": "red(X) :- halt. %"}, 422, "request", "word"),
    ({"word": "red\n"}, 422, "request", "word"),
    ({"word": "r" * 65}, 422, "request", "word"),
    ({"objects": []}, 422, "request", "objects"),
    ({"objects": ["ob_0"] * 201}, 422, "request", "objects"),
    ({"objects": ["ob_0'"]}, 422, "request", "objects"),
    ({"others": "ob_1"}, 422, "request", "others"),
    ({"by": "size"}, 422, "request", "by"),
    ({"scene": "../../etc"}, 422, "request", "scene"),
    ({"rules": "%" * (64 * 1024 + 1)}, 422, "request", "rules"),
    ({"sense": 1}, 422, "request", "sense"),
    ({"scene": NOWHERE}, 404, "scene_not_found", NOWHERE),
    ({"objects": ["ob_99"]}, 422, "usage", "ob_99: no such object: there are ob_0"),
    ({"others": ["ob_0"]}, 422, "usage", "ob_0 was said to be red and not to be"),
    ({"word": "object", "by": "look"}, 400, "program", "object/1 is defined by the program already"),
    ({"word": "number", "by": "look"}, 400, "program", "number/1"),
    ({"by": "look", "rules": ":- halt."}, 400, "program", ""),
    ({"by": "look", "rules": "p :- "}, 400, "program", ""),
    ({"by": "look", "rules": "p :- shell(ls)."}, 422, "forbidden", "shell/1"),
]


async def test_what_can_be_no_word_says_why(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    ((scene, _),) = await boards(client, 1)
    for naming, status, kind, part in REFUSED:
        whole = {"word": "red", "scene": scene, "objects": ["ob_0"], **naming}
        assert part in check_problem(await client.post("/words", json=whole), status, kind)["detail"], naming
    get = ModelRegistry.get
    monkeypatch.setattr(ModelRegistry, "get", lambda self, name: replace(get(self, name), sha256="0" * 64))
    problem = check_problem(await call(client, "red", scene, ["ob_0"]), 422, "usage")
    assert "send its image again" in problem["detail"]
