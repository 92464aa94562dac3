"""/words: objects of a scene are pointed at, and a word for them comes back that holds of other scenes, too."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image

from domains.relations_game import generate
from service.cli import main
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


@pytest.mark.parametrize("by", ["shape", "shade", "look"])
async def test_a_word_is_true_of_what_is_alike_in_all_scenes(client: Client, by: str) -> None:
    seen = await boards(client, 6)
    looks = [look for _, objects in seen for look in objects.values()]
    wanted = next(look for look in looks if looks.count(look) > 1)
    scene, name = next((scene, name) for scene, own in seen for name, look in own.items() if look == wanted)
    response = await call(client, "mine", scene, [name], by=by)
    assert response.status_code == 200, response.text
    made = response.json()
    assert (made["by"], made["goal"]) == (by, "shape(X, mine)" if by == "shape" else "mine(X)")
    parts = {"shape": slice(0, 1), "shade": slice(1, 2), "look": slice(0, 2)}[by]
    for other, own in seen:
        expected = {each for each, look in own.items() if look[parts] == wanted[parts]}
        assert await called(client, other, made["goal"], made["rules"]) == expected
        if other == scene:
            assert set(made["objects"]) == expected


async def test_what_a_word_is_for_is_what_is_common_and_counter_examples_have_not(client: Client) -> None:
    (scene, looks) = max(await boards(client, 6), key=lambda board: len(board[1]))
    one, other = next((a, b) for a in looks for b in looks if a < b and not set(looks[a]) & set(looks[b]))
    made = (await call(client, "odd", scene, [one, other])).json()
    assert made["by"] == "colour", "they have neither shape nor shade in common"
    alone = (await call(client, "odd", scene, [one], others=[other], by="colour")).json()
    holds = await called(client, scene, "odd(X)", alone["rules"])
    assert one in holds
    assert other not in holds


async def test_the_command_line_makes_the_same_clauses(client: Client, tmp_path: Path, capsys: Any) -> None:
    pixels = generate("scatter", 1, seed=41).render()[0]
    Image.fromarray(pixels).save(tmp_path / "0.png")
    (tmp_path / "own.csv").write_text("0.png,ob_0\n0.png,ob_1,false\n")
    ((scene, _),) = await boards(client, 1)
    for by in ("colour", "shape", "shade", "look"):
        made = (await call(client, "mine", scene, ["ob_0"], others=["ob_1"], by=by)).json()
        options = ["--by", by, "--model", "relations-game"]
        assert main(["name", "mine", str(tmp_path / "own.csv"), *options]) == 0
        printed = capsys.readouterr().out.partition("\n\n%")[0].splitlines()
        assert made["rules"].splitlines()[1:] == printed[1:], by
        assert made["rules"].startswith(f"% word mine: by {by}, from ob_0, not ob_1 of the picture ")


async def test_the_word_takes_its_former_place_among_other_rules(client: Client) -> None:
    ((scene, _),) = await boards(client, 1)
    rules = "relations_game\nmine(X) :- object(X)."
    for word, name in (("red", "ob_0"), ("blue", "ob_1")):
        rules = (await call(client, word, scene, [name], by="look", rules=rules)).json()["rules"]
    rules += "\nyours(X) :- mine(X)."
    again = (await call(client, "red", scene, ["ob_2"], by="look", rules=rules)).json()["rules"]
    assert again.startswith("relations_game\nmine(X) :- object(X).\n\nyours(X) :- mine(X).\n\n% word blue: ")
    assert [again.count(f"% word {word}: ") for word in ("red", "blue")] == [1, 1]
    assert await called(client, scene, "red(X)", again) >= {"ob_2"}
    assert await called(client, scene, "blue(X), yours(X)", again) >= {"ob_1"}


@pytest.mark.parametrize("by", ["look", "shape"])
async def test_a_former_clause_without_our_comment_gives_way(client: Client, by: str) -> None:
    """What the reply says of the scene is what its rules say of it."""
    ((scene, looks),) = await boards(client, 1)
    rules = "mine(X) :- object(X). 'mine'(ob_0).\nshape(X, mine) :- object(X).\nyours(ob_1)."
    made = (await call(client, "mine", scene, ["ob_0"], by=by, rules=rules)).json()
    assert await called(client, scene, made["goal"], made["rules"]) == set(made["objects"]) != set(looks)
    assert await called(client, scene, "yours(X)", made["rules"]) == {"ob_1"}


@pytest.mark.parametrize(
    ("rules", "status", "kind"),
    [(":- halt.", 400, "program"), ("p :- ", 400, "program"), ("p :- shell(ls).", 422, "forbidden")],
)
async def test_rules_that_no_query_may_have_are_refused(client: Client, rules: str, status: int, kind: str) -> None:
    ((scene, _),) = await boards(client, 1)
    check_problem(await client.post(f"/scenes/{scene}/query", json={"query": "true", "rules": rules}), status, kind)
    check_problem(await call(client, "mine", scene, ["ob_0"], by="look", rules=rules), status, kind)


@pytest.mark.parametrize(
    ("naming", "part"),
    [
        ({"word": "Red"}, "word"),
        ({"word": "red(X) :- halt. %"}, "word"),
        ({"word": "red\n"}, "word"),
        ({"word": "r" * 65}, "word"),
        ({"objects": []}, "objects"),
        ({"objects": ["ob_0"] * 201}, "objects"),
        ({"objects": ["ob_0'"]}, "objects"),
        ({"others": "ob_1"}, "others"),
        ({"by": "size"}, "by"),
        ({"scene": "../../etc"}, "scene"),
        ({"rules": "%" * (64 * 1024 + 1)}, "rules"),
        ({"sense": 1}, "sense"),
    ],
)
async def test_what_is_no_naming_is_refused(client: Client, naming: dict[str, object], part: str) -> None:
    whole = {"word": "red", "scene": NOWHERE, "objects": ["ob_0"], **naming}
    assert part in check_problem(await client.post("/words", json=whole), 422, "request")["detail"]


@pytest.mark.parametrize(
    ("word", "more", "status", "kind", "detail"),
    [
        ("red", {"objects": ["ob_99"]}, 422, "usage", "ob_99: no such object: there are ob_0"),
        ("red", {"others": ["ob_0"]}, 422, "usage", "ob_0 was said to be red and not to be"),
        ("object", {"by": "look"}, 400, "program", "object/1 is defined by the program already"),
        ("number", {"by": "look"}, None, None, "number/1"),
    ],
)
async def test_what_can_be_no_word_says_why(
    client: Client, word: str, more: dict[str, object], status: int | None, kind: str | None, detail: str
) -> None:
    ((scene, _),) = await boards(client, 1)
    whole = {"word": word, "scene": scene, "objects": ["ob_0"], **more}
    response = await client.post("/words", json=whole)
    problem = check_problem(response, status or response.status_code, kind or response.json()["kind"])
    assert 400 <= response.status_code < 500
    assert detail in problem["detail"]


async def test_a_scene_that_is_gone_is_named(client: Client) -> None:
    assert NOWHERE in check_problem(await call(client, "red", NOWHERE, ["ob_0"]), 404, "scene_not_found")["detail"]


async def test_a_scene_of_another_model_of_that_name_is_refused(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    ((scene, _),) = await boards(client, 1)
    told = "service.naming.read_header"
    monkeypatch.setattr(told, lambda text: {"model": {"name": "relations-game", "sha256": "0" * 64}})
    problem = check_problem(await call(client, "red", scene, ["ob_0"]), 422, "usage")
    assert "send its image again" in problem["detail"]


@pytest.mark.settings(model="scenes")
async def test_things_of_any_picture_have_words(client: Client) -> None:
    picture = Image.new("RGB", (200, 160), "white")
    picture.paste((200, 30, 30), (20, 30, 70, 80))
    picture.paste((30, 30, 200), (110, 60, 160, 110))
    scene = (await client.store(encode(picture))).removeprefix("/scenes/")
    made = (await call(client, "red", scene, ["ob_0"], by="colour")).json()
    assert await called(client, scene, "red(X)", made["rules"]) == {"ob_0"}
