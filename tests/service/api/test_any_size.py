"""Pictures of any size and aspect, and boxes that come with them, over HTTP."""

import json
from typing import Any

import httpx
import numpy as np
import pytest

from tests.pictures import decode, encode
from tests.service.api.helpers import Client, check_problem
from tests.service.glimpses import patches, ship_to_service

pytestmark = pytest.mark.slow(8)

BOXES = [[40, 60, 140, 220], [400.5, 300, 500.5, 360]]


THINGS = patches((640, 480), BOXES)


@pytest.fixture(autouse=True)
def _shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is a model for pictures of any size, and no setting says which model is to be used."""
    ship_to_service(monkeypatch)


def corners(objects: list[dict[str, Any]]) -> list[list[float]]:
    return [[o["left"], o["top"], o["left"] + o["width"], o["top"] + o["height"]] for o in objects]


async def told(client: Client, image: bytes, **fields: str) -> dict[str, Any]:
    response = await client.send_image("/scenes", image, **fields)
    assert response.status_code == 201, response.text
    return dict(response.json())


async def test_a_scene_of_a_picture_of_any_size(client: Client) -> None:
    """Larger than it is looked at, all places are the user's own pixels."""
    image = patches((2560, 1280), [[200, 100, 600, 500], [1800, 600, 2400, 1200]])
    details = await told(client, encode(image))
    np.testing.assert_allclose(corners(details["objects"]), [[200, 100, 600, 500], [1800, 600, 2400, 1200]], atol=3)
    assert (details["image"]["width"], details["image"]["height"]) == (2560, 1280)
    assert details["looks"] is None
    assert all("look" not in each for each in details["objects"])
    links = details["links"]
    reply = await client.post(links["query"], json={"query": "position(ob_1, X, Y)"})
    place = details["objects"][1]
    assert reply.json()["answers"] == [{"bindings": {"X": place["x"], "Y": place["y"]}}]
    assert decode((await client.get(links["image"])).content).shape == (512, 1024, 3)
    assert (await client.get(links["masks"])).json() == {"size": 0, "symbols": {}, "heads": []}


async def test_boxes_take_the_place_of_finding(client: Client) -> None:
    """What becomes of them: tests/service/test_any_picture.py."""
    given = await told(client, encode(THINGS), boxes="[[600, 400, 700, 470]]")
    assert (given["boxes"], corners(given["objects"])) == ("given", [[600, 400, 640, 470]])
    assert given["notes"] == ["the box reached over the picture's rim: cut off there"]


ROWS = [(-9, 0, 0.9), (50, 1, 0.4)]
FOUND = [{"file_name": "a.png", "bbox": [x, 20, 30, 40], "category_id": key, "score": score} for x, key, score in ROWS]
TABLE, NAMES = json.dumps(FOUND).encode(), b"person\nhard hat\n"
FILES = {"image": ("a.png", encode(THINGS)), "detections": ("found.json", TABLE), "classes": ("names.txt", NAMES)}


async def test_detections_come_with_names_of_classes_a_least_score_and_no_look(client: Client) -> None:
    """They are all that a goal of them needs; what needs a look has one, and so has a scene unless it is told."""

    async def send(path: str, without: str = "", **fields: str) -> httpx.Response:
        return await client.post(path, files={k: v for k, v in FILES.items() if k != without}, data=fields)

    query = {"query": "category(X, C)"}
    answers = (await send("/query", **query)).json()
    assert answers["model"] == "none"
    assert [answer["bindings"]["C"] for answer in answers["answers"]] == ["person", "hard hat"]
    assert len((await send("/query", **query, min_score="0.5")).json()["answers"]) == 1
    assert (await send("/query", query="colour(X, C)")).json()["model"] == "scenes"
    assert "nothing was looked at" in (await send("/export", no_look="true")).text
    scenes = [(await send("/scenes", **fields)).json() for fields in ({}, {"no_look": "true"}, {"min_score": "0.5"})]
    assert [(scene["model"], len(scene["objects"])) for scene in scenes] == [("scenes", 2), ("none", 2), ("scenes", 1)]
    assert all("1 of 2 boxes reached over the picture's rim: cut off there" in scene["notes"] for scene in scenes)
    question = {"question": "Is there a hard hat?"}  # which the scene that was told of one alone has not
    stored = [await client.post(f"/scenes/{scene['id']}/query", json=question) for scene in scenes[1:]]
    assert [reply.json()["answer"] for reply in stored] == ["yes", "no"]
    for fields, without, kind, part in (
        ({"query": "colour(X, C)", "no_look": "true"}, "", "usage", "leave out no_look"),
        ({"query": "true", "no_look": "true", "model": "scenes"}, "", "usage", "no_look opens no model"),
        ({"query": "true", "min_score": "0.5"}, "detections", "usage", "classes is for detections: send them, too"),
        ({"query": "true", "boxes": "[[1, 2, 30, 40]]"}, "", "boxes", "send one of them"),
        (query, "classes", "boxes", "no category has the id 0, none are given: give its name by a classes file"),
    ):
        assert part in check_problem(await send("/query", without, **fields), 422, kind)["detail"]
