"""/learn: labelled scenes go in, and rules that say the same come out."""

import json
import re
from collections.abc import Sequence
from typing import Any

import httpx
import pytest

from domains.relations_game import generate
from service.api.schemas import LESSON_SCENES
from tests.service.api.helpers import Client, check_problem
from tests.service.helpers import encode

pytestmark = [pytest.mark.slow(20), pytest.mark.settings(model="relations-game")]

NOWHERE = 32 * "0"


async def taught(client: Client, count: int, *, task: str = "between") -> list[dict[str, str]]:
    """Examples: boards that are stored, and their labels."""
    drawn = generate(task, count, seed=5)
    examples = []
    for pixels, label in zip(drawn.render(), drawn.labels, strict=True):
        scene = (await client.store(encode(pixels))).removeprefix("/scenes/")
        examples.append({"scene": scene, "label": "yes" if label else "no"})
    return examples


async def learn(
    client: Client, examples: Sequence[dict[str, str]], unlabelled: Sequence[str] = (), **options: object
) -> httpx.Response:
    lesson = {"examples": [*examples], "unlabelled": [*unlabelled], "options": options}
    return await client.post("/learn", json=lesson)


async def said(client: Client, scene: str, rules: str) -> list[Any]:
    """The answers of label(L)."""
    response = await client.post(f"/scenes/{scene}/query", json={"query": "label(L)", "rules": rules})
    assert response.status_code == 200, response.text
    return [answer["bindings"]["L"] for answer in response.json()["answers"]]


async def test_rules_are_learned_that_say_the_same(client: Client) -> None:
    examples = await taught(client, 10)
    response = await learn(client, examples)
    assert response.status_code == 200, response.text
    found = response.json()
    assert [{"scene": each["scene"], "label": each["label"]} for each in found["pictures"]] == examples
    assert [each["said"] for each in found["pictures"]] == [each["label"] for each in examples]
    assert found["errors"] == 0
    assert {each["label"] for each in found["clauses"]} | {found["default"]} == {"yes", "no"}
    for clause in found["clauses"]:
        assert clause["clause"].startswith(f"case({clause['label']}) :- ")
        assert clause["right"] == sum(each["label"] == clause["label"] for each in examples)
        assert clause["wrong"] == 0
    for rules in (found["rules"], *found["rivals"][:2]):
        for example in examples:
            assert await said(client, example["scene"], rules) == [example["label"]]


async def test_the_order_of_the_examples_changes_nothing(client: Client) -> None:
    examples = await taught(client, 8)
    one, other = (await learn(client, examples)).json(), (await learn(client, examples[::-1])).json()
    assert one["rules"] == other["rules"]
    assert one["pictures"] == other["pictures"][::-1]
    assert one["rivals"] == other["rivals"]


async def test_a_wrong_label_is_told_apart_where_labels_may_be_wrong(client: Client) -> None:
    examples = await taught(client, 12)
    wrong = next(number for number, each in enumerate(examples) if each["label"] == "no")
    spoiled = [*examples[:wrong], {**examples[wrong], "label": "yes"}, *examples[wrong + 1 :]]
    found = (await learn(client, spoiled, noisy=True)).json()
    assert (found["mode"], found["errors"]) == ("noisy", 1)
    assert found["held_back"] == {"learned_from": 10, "n": 2, "right": 2, "tried": {"noisy": 2}}
    assert found["again"] == [{**spoiled[wrong], "against": []}]
    assert [each["said"] for each in found["pictures"]] == [each["label"] for each in examples]
    assert sum(clause["wrong"] for clause in found["clauses"]) <= 1
    # As far as one word goes, it shows what those do that it is told apart from.
    found = (await learn(client, spoiled, noisy=False, only=["same"], variables=2)).json()
    assert (found["mode"], found["held_back"]["tried"].keys()) == ("strict", {"strict"})
    (doubt,) = (each for each in found["again"] if each["scene"] == spoiled[wrong]["scene"])
    assert doubt["against"]
    assert {each["label"] for each in spoiled if each["scene"] in doubt["against"]} == {"no"}


async def test_scenes_that_tell_rivals_apart_come_next(client: Client) -> None:
    examples = await taught(client, 24)
    few = [next(each for each in examples if each["label"] == label) for label in ("yes", "no")]
    others = [each["scene"] for each in examples if each not in few]
    found = (await learn(client, few, others)).json()
    assert found["rivals"]
    assert found["next"]
    assert {each["scene"] for each in found["next"]} <= set(others)
    for each in found["next"]:
        assert len(each["said"]) > len(found["rivals"])
        assert len(set(each["said"])) > 1
    assert [each["scene"] for each in found["unlabelled"]] == others
    first = found["next"][0]
    assert {"scene": first["scene"], "said": first["said"][0]} in found["unlabelled"]
    for rules, label in zip([found["rules"], *found["rivals"]], first["said"], strict=False):
        assert await said(client, first["scene"], rules) == [label]


async def test_only_what_is_named_stands_in_rules(client: Client) -> None:
    examples = await taught(client, 8)
    found = (await learn(client, examples, only=["same_shape", "same_colour"])).json()
    assert not re.search(r"\b(same|unlike|above|left_of|lies_between)\(", found["rules"])
    problem = check_problem(await learn(client, examples, only=["sane"]), 422, "usage")
    assert "sane" in problem["detail"]


async def test_words_in_rules_may_stand_in_what_is_learned(client: Client) -> None:
    examples = await taught(client, 10)
    words = "alike(X, Y) :- object(X), object(Y), X \\== Y, same(X, Y), \\+ task(X).\ntint(X, red) :- alike(X, _).\n"
    lesson = {"examples": examples, "options": {"only": ["alike"]}, "rules": words}
    response = await client.post("/learn", json=lesson)
    assert response.status_code == 200, response.text
    found = response.json()
    assert found["errors"] == 0
    assert "alike(" in found["rules"]
    assert "alike(X, Y)" not in found["rules"], "the words are not said again"
    for example in examples[:3]:
        rules = f"{found['rules']}\n{words}\ntask(_) :- fail.\n"
        assert await said(client, example["scene"], rules) == [example["label"]]
    valued = (await client.post("/learn", json={**lesson, "options": {"only": ["tint"]}})).json()
    assert "tint(_, red)" in valued["rules"]
    theory = (await client.post("/learn", json={**lesson, "rules": "relations_game", "options": {}})).json()
    assert theory["errors"] == 0


@pytest.mark.parametrize(
    ("rules", "detail"),
    [
        ("red(X) :- colour(X, ", "rules:1"),
        ("red(X) :- shell(X).", "shell/1"),
        ("odd(X, Y) :- object(X), Y = X.", " and itself in 0: a relation is between different objects"),
    ],
)
async def test_rules_that_cannot_be_asked_are_refused(client: Client, rules: str, detail: str) -> None:
    lesson = {"examples": await taught(client, 2), "rules": rules}
    assert detail in check_problem(await client.post("/learn", json=lesson), 422, "usage")["detail"]


@pytest.mark.settings(model="relations-game", learn_seconds=10)
async def test_rules_that_never_end_have_their_time(client: Client) -> None:
    lesson = {"examples": await taught(client, 2), "rules": "red(X) :- repeat, fail."}
    check_problem(await client.post("/learn", json=lesson), 504, "time_limit")


async def test_tasks_are_facts_of_their_scenes(client: Client) -> None:
    examples = [{**each, "task": "alike"} for each in await taught(client, 8)]
    opposite = [{**each, "task": "other", "label": "no" if each["label"] == "yes" else "yes"} for each in examples]
    found = (await learn(client, examples + opposite)).json()
    assert found["errors"] == 0
    assert "task(" in found["rules"]
    for each in (examples[0], opposite[0]):
        assert await said(client, each["scene"], f"{found['rules']}\ntask({each['task']}).\n") == [each["label"]]


@pytest.mark.parametrize(
    ("lesson", "part"),
    [
        ({}, "examples"),
        ({"examples": []}, "examples"),
        ({"examples": [{"scene": NOWHERE, "label": "yes"}] * (LESSON_SCENES + 1)}, "examples"),
        ({"examples": [{"scene": "../../etc", "label": "yes"}]}, "scene"),
        ({"examples": [{"scene": NOWHERE, "label": ""}]}, "label"),
        ({"examples": [{"scene": NOWHERE, "label": 1}]}, "label"),
        ({"examples": [{"scene": NOWHERE, "label": "yes", "lable": "no"}]}, "lable"),
        ({"examples": [{"scene": NOWHERE, "label": "yes"}], "options": {"variables": 5}}, "variables"),
        ({"examples": [{"scene": NOWHERE, "label": "yes"}], "options": {"only": ["halt), shell(ls"]}}, "only"),
    ],
)
async def test_what_is_no_lesson_is_refused(client: Client, lesson: dict[str, Any], part: str) -> None:
    assert part in check_problem(await client.post("/learn", json=lesson), 422, "request")["detail"]


async def test_a_scene_that_is_gone_is_named(client: Client) -> None:
    (example,) = await taught(client, 1)
    for lesson in ([example, {"scene": NOWHERE, "label": "no"}], [example]):
        response = await learn(client, lesson, [] if len(lesson) == 2 else [NOWHERE])
        assert NOWHERE in check_problem(response, 404, "scene_not_found")["detail"]


async def test_one_label_needs_no_clause(client: Client) -> None:
    (example,) = await taught(client, 1)
    found = (await learn(client, [example])).json()
    assert (found["clauses"], found["default"]) == ([], example["label"])
    assert await said(client, example["scene"], found["rules"]) == [example["label"]]


@pytest.mark.parametrize("label", ["it's \\ \"a\" 'label', halt. % \n:- shell(ls).", "\x00\x1b ä🙂\u2028", "\ud800"])
async def test_labels_are_only_text(client: Client, label: str) -> None:
    examples = [{**each, "label": label if each["label"] == "yes" else "7"} for each in await taught(client, 6)]
    content = json.dumps({"examples": examples})  # httpx would write no half of a pair
    response = await client.post("/learn", content=content, headers={"Content-Type": "application/json"})
    if label == "\ud800":
        check_problem(response, 422, "request")
        return
    for example in examples:
        wanted = 7 if example["label"] == "7" else label
        assert await said(client, example["scene"], response.json()["rules"]) == [wanted]


@pytest.mark.settings(model="relations-game", learn_seconds=0.01)
async def test_a_search_has_its_time(client: Client) -> None:
    problem = check_problem(await learn(client, await taught(client, 4)), 504, "time_limit")
    assert "fewer pictures" in problem["detail"]
    metrics = (await client.get("/metrics")).text
    assert "predinet_prolog_searches_killed_total 1.0" in metrics
    assert "predinet_prolog_searches_waiting 0.0" in metrics


async def test_programs_have_a_size_together(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.api.lessons.MOST_CHARACTERS", 1000)
    problem = check_problem(await learn(client, await taught(client, 2)), 422, "usage")
    assert "fewer scenes" in problem["detail"]
