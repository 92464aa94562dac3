"""/scenes: an image is stored once, then asked and looked at by its id."""

import hashlib
import logging
import re
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from predinet_prolog.service.errors import StorageError
from predinet_prolog.service.store.scenes import SceneStore
from tests.cases import cases
from tests.pictures import decode
from tests.service.api.helpers import Client, check_problem, png

CASES = cases(__file__)
UNKNOWN = "/scenes/" + "0" * 32


async def test_an_image_becomes_a_scene_that_can_be_asked(client: Client) -> None:
    response = await client.send_image("/scenes", png((72, 72)))
    assert response.status_code == 201
    details = response.json()
    assert response.headers["location"] == details["links"]["self"] == f"/scenes/{details['id']}"
    assert re.fullmatch("[0-9a-f]{32}", details["id"])
    assert (details["model"], details["looks"]) == ("tiny", None)
    assert (await client.send_image("/scenes", looks="1")).json()["looks"] == 1
    assert details["notes"] == ["resized from 72x72 to 36x36"]
    assert details["image"] == {"width": 72, "height": 72, "sha256": hashlib.sha256(png((72, 72))).hexdigest()}
    assert "object/1" in details["predicates"]
    created, expires = (datetime.fromisoformat(details[name]) for name in ("created", "expires"))
    assert abs(datetime.now(UTC) - created) < timedelta(minutes=1)
    assert abs(expires - created - timedelta(days=30)) < timedelta(minutes=1)

    link = details["links"]
    assert (await client.get(link["self"])).json().keys() == details.keys()
    program = await client.get(link["program"])
    assert program.headers["content-type"] == "text/x-prolog; charset=utf-8"
    for name in details["predicates"]:
        assert name.split("/")[0] in program.text
    assert "scene.png" not in program.text  # the client's name for its file stays its own
    brief = (await client.get(link["brief"])).text.splitlines()
    facts = [line for line in brief if line.startswith(("object(", "position("))]
    assert len(facts) == 2 * len(details["objects"])
    assert set(facts) <= set(program.text.splitlines())
    response = await client.post(link["query"], json={"query": "position(ob_0, X, Y)"})
    assert response.headers["content-type"] == "application/json"
    (answer,) = response.json()["answers"]
    (place,) = [s for s in details["objects"] + details["background"] if s["name"] == "ob_0"]
    assert answer["bindings"] == {"X": place["x"], "Y": place["y"]}
    assert (response.json()["model"], response.json()["notes"]) == ("tiny", details["notes"])
    image, masks = [await client.get(link[name]) for name in ("image", "masks")]
    types = [part.headers["content-type"] for part in (image, masks)]
    assert types == ["image/png", "application/json"]
    assert (decode(image.content) == np.full((36, 36, 3), (255, 0, 0))).all()
    assert {np.shape(head["masks"]) for head in masks.json()["heads"]} == {(2, 5, 5)}


@pytest.mark.settings(tokens="a-token-of-the-test,another-token-of-it")
async def test_a_scene_belongs_to_who_posted_it(client: Client) -> None:
    """Two clients post one image; neither learns that the other did, and what one deletes stays the other's."""
    first, other = ({"authorization": f"Bearer {token}"} for token in ("a-token-of-the-test", "another-token-of-it"))
    responses = [await client.send_image("/scenes", png(), headers=own) for own in (first, other, other)]
    assert [response.status_code for response in responses] == [201, 201, 201]
    scenes = [response.headers["location"] for response in responses]
    assert len(set(scenes)) == 3
    told = [response.json() for response in responses]
    assert [f"/scenes/{each['id']}" for each in told] == scenes
    own = {"id", "created", "expires", "links"}
    shown = [{name: value for name, value in each.items() if name not in own} for each in told]
    assert shown[0] == shown[1] == shown[2]
    assert (await client.delete(scenes[0], headers=first)).status_code == 204
    for scene, status in zip(scenes, (404, 200, 200), strict=True):
        asked = [
            await client.get(f"{scene}{part}", headers=first) for part in ("", "/program", "/brief", "/image", "/masks")
        ]
        asked.append(await client.post(f"{scene}/query", json={"query": "true"}, headers=first))
        if status == 404:
            asked.append(await client.delete(scene, headers=first))
        for response in asked:
            assert response.status_code == status
            assert status == 200 or check_problem(response, 404, "scene_not_found")
    assert (await client.send_image("/scenes", png(), headers=first)).status_code == 201


async def test_a_question_in_english_has_its_goal_and_answer(client: Client) -> None:
    scene = await client.store()
    told = (await client.post(f"{scene}/query", json={"question": "How many things are there?", "why": True})).json()
    count = (await client.post(f"{scene}/query", json={"query": told["goal"]})).json()["answers"][0]["bindings"]["N"]
    assert (told["goal"], told["answer"]) == ("aggregate_all(count, object(X), N)", str(count))
    assert told["answers"][0]["bindings"]["N"] == count
    assert told["answers"][0]["why"]["goal"].startswith("aggregate_all(")
    sent = (await client.send_image("/query", question="Is there a thing?")).json()
    assert (sent["answer"], sent["goal"]) == ("yes", "object(X)")
    check_problem(await client.post(f"{scene}/query", json={"question": "How many hats are there?"}), 422, "question")


async def test_mistakes_are_problems(client: Client) -> None:
    scene = await client.store()
    for body, status, kind, part in [*CASES["mistakes"], (None, 422, "request", "")]:
        members = check_problem(await client.post(f"{scene}/query", json=body), status, kind)
        assert part in members["detail"], body
    for body in ('{"query": ', "[" * 100_000, '{"query": "\\ud800"}', "\xff", '{"limit": 1' + "0" * 5000 + "}"):
        response = await client.post(
            f"{scene}/query", content=body.encode("latin-1"), headers={"content-type": "application/json"}
        )
        assert response.status_code in (400, 422)
        check_problem(response, response.status_code, response.json()["kind"])
    for path in ("/scenes/1", "/scenes/" + "A" * 32, "/scenes/..%2f..%2fetc%2fpasswd"):
        assert (await client.get(path)).status_code in (404, 422)
    check_problem(await client.get(UNKNOWN), 404, "scene_not_found")


async def test_a_store_that_fails_tells_strangers_nothing_of_this_machine(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="predinet_prolog.service")
    scene = await client.store()

    def fail(*_: object, **__: object) -> None:
        raise StorageError("/srv/ada/scenes.sqlite cannot be used (disk I/O error)")

    for method in ("get", "program", "delete", "put"):
        monkeypatch.setattr(SceneStore, method, fail)
    asked = client.post(f"{scene}/query", json={"query": "true"})
    for request in (client.get(scene), client.delete(scene), asked, client.send_image("/scenes")):
        response = await request
        members = check_problem(response, 503, "storage")
        assert "srv" not in response.text  # letters that no request id has
        assert "sqlite" not in response.text
        assert "log says why" in members["detail"]
        logged = caplog.records[-2]  # the last one is the request's own
        assert "/srv/ada/scenes.sqlite cannot be used" in logged.getMessage()
        assert logged.fields["id"] == response.headers["x-request-id"]


async def test_an_unknown_name_does_not_come_back_whole(client: Client) -> None:
    scene = await client.store()
    in_json = await client.post(f"{scene}/query", json={"query": "true", "x" * 300_000: 1})
    in_a_form = await client.send_image("/query", query="true", **{"y" * 3_000: "1"})
    deeper = await client.post("/query", files={"image": ("s.png", png())}, data={"query": "q(" * 2_000})
    for response, start in ((in_json, "x" * 90), (in_a_form, "y" * 90)):
        members = check_problem(response, 422, "request")
        assert members["detail"].startswith(start)
        assert "there is no such field, only " in members["detail"]
    for response in (in_json, in_a_form, deeper):
        assert len(response.content) < 3_000
