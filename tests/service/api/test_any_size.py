"""Pictures of any size and aspect, and boxes that come with them, over HTTP."""

import json
from typing import Any

import httpx
import numpy as np
import pytest
from PIL import Image

from predinet_prolog.domains.relations_game import generate
from tests.service.api.helpers import Client, check_problem
from tests.service.glimpses import ship_to_service
from tests.service.helpers import decode, encode

pytestmark = pytest.mark.slow(8)

BOARD = Image.fromarray(generate("scatter", 1, seed=1).render()[0])
BOXES = [[40, 60, 140, 220], [400.5, 300, 500.5, 360]]


def things(width: int = 640, height: int = 480, boxes: list[list[float]] = BOXES) -> Image.Image:
    image = Image.new("RGB", (width, height), "white")
    for box, colour in zip(boxes, ("#d03030", "#3040c0"), strict=True):
        image.paste(colour, tuple(round(value) for value in box))  # type: ignore[arg-type]
    return image


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
    image = things(2560, 1280, [[200, 100, 600, 500], [1800, 600, 2400, 1200]])
    details = await told(client, encode(image))
    np.testing.assert_allclose(corners(details["objects"]), [[200, 100, 600, 500], [1800, 600, 2400, 1200]], atol=3)
    assert (details["image"]["width"], details["image"]["height"]) == (2560, 1280)
    assert details["looks"] is None
    assert all("look" not in each for each in details["objects"])
    links = details["links"]
    reply = await client.post(links["query"], json={"query": "position(ob_1, X, Y)"})
    place = details["objects"][1]
    assert reply.json()["answers"] == [{"bindings": {"X": place["x"], "Y": place["y"]}}]
    seen = decode((await client.get(links["image"])).content)
    assert seen.shape == (512, 1024, 3)
    assert (await client.get(links["masks"])).json() == {"size": 0, "symbols": {}, "heads": []}


async def test_boxes_take_the_place_of_finding(client: Client) -> None:
    image = encode(things())
    found = await told(client, image)
    assert corners(found["objects"])[0] == BOXES[0]
    boxes = [[300.5, 200, 420, 330], [10, 20, 31, 44.25], [600, 400, 700, 470]]
    given = await told(client, image, boxes=json.dumps(boxes))
    assert given["boxes"] == "given"
    np.testing.assert_allclose(corners(given["objects"]), [boxes[1], boxes[0], [600, 400, 640, 470]], atol=1e-3)
    assert given["notes"] == ["1 of 3 boxes reached over the picture's rim: cut off there"]
    asked = {"query": "aggregate_all(count, object(_), N)"}
    for fields, count in (({}, 2), ({"boxes": json.dumps(boxes)}, 3), ({"boxes": "[[1, 2, 30, 40]]"}, 1)):
        reply = await client.send_image("/query", image, **asked, **fields)
        assert reply.json()["answers"] == [{"bindings": {"N": count}}]
        assert (await client.send_image("/export", image, **fields)).text.count("\nobject(") == count
        assert len((await told(client, image, **fields))["objects"]) == count


async def test_detections_come_as_a_file(client: Client) -> None:
    """They are all that a goal of them needs; what needs a look has one; a program and a scene always do."""
    told = {"image_id": 1, "bbox": [10, 20, 30, 40], "category_id": 1, "score": 0.9}
    images, names = [{"id": 1, "file_name": "a.png"}], [{"id": 1, "name": "hard hat"}]
    text = json.dumps({"images": images, "annotations": [told], "categories": names})

    async def send(path: str, text: str, **fields: str) -> httpx.Response:
        files = {"image": ("a.png", encode(things())), "detections": ("coco.json", text.encode())}
        return await client.post(path, files=files, data=fields)

    for goal, model in (("category(X, 'hard hat'), score(X, 0.9)", "none"), ("colour(X, C)", "scenes")):
        answers = (await send("/query", text, query=goal)).json()
        assert (len(answers["answers"]), answers["model"]) == (1, model)
    assert "category(ob_0, 'hard hat')." in (await send("/export", text)).text
    assert len((await send("/scenes", text)).json()["objects"]) == 1
    problem = check_problem(await send("/query", text.replace("a.png", "b.png"), query="true"), 422, "boxes")
    assert "coco.json has no images called a.png" in problem["detail"]
    problem = check_problem(await send("/query", text, query="true", boxes="[[1, 2, 30, 40]]"), 422, "boxes")
    assert "send one of them" in problem["detail"]


async def test_detections_come_with_names_of_classes_a_least_score_and_no_look(client: Client) -> None:
    rows = [(-9, 0, 0.9), (50, 1, 0.4)]
    told = [{"file_name": "a.png", "bbox": [x, 20, 30, 40], "category_id": key, "score": s} for x, key, s in rows]
    files = {
        "image": ("a.png", encode(things())),
        "detections": ("found.json", json.dumps(told).encode()),
        "classes": ("names.txt", b"person\nhard hat\n"),
    }

    async def send(path: str, without: str = "", **fields: str) -> httpx.Response:
        return await client.post(path, files={k: v for k, v in files.items() if k != without}, data=fields)

    query = {"query": "category(X, C)"}
    named = [answer["bindings"]["C"] for answer in (await send("/query", **query)).json()["answers"]]
    assert named == ["person", "hard hat"]
    assert len((await send("/query", **query, min_score="0.5")).json()["answers"]) == 1
    assert "nothing was looked at" in (await send("/export", no_look="true")).text
    scenes = [(await send("/scenes", **fields)).json() for fields in ({}, {"no_look": "true"}, {"min_score": "0.5"})]
    assert [(scene["model"], len(scene["objects"])) for scene in scenes] == [("scenes", 2), ("none", 2), ("scenes", 1)]
    assert all("1 of 2 boxes reached over the picture's rim: cut off there" in scene["notes"] for scene in scenes)
    for fields, without, kind, part in (
        ({"query": "colour(X, C)", "no_look": "true"}, "", "usage", "leave out no_look"),
        ({"query": "true", "no_look": "true", "model": "scenes"}, "", "usage", "no_look opens no model"),
        ({"query": "true", "min_score": "0.5"}, "detections", "usage", "classes is for detections: send them, too"),
        (query, "classes", "boxes", "box 1 of found.json: no category has the id 0, none are given"),
    ):
        assert part in check_problem(await send("/query", without, **fields), 422, kind)["detail"]
