"""/suppose: an image or a scene, a supposition and a question."""

import pytest

from tests.service.api.helpers import Client

RULES = "odd(X) :- object(X), \\+ same_colour(X, _)."
BOARDS = "relations-game"


@pytest.fixture
def image(root: object) -> bytes:
    """Three objects in a row, the outer two alike."""
    return (root / "examples" / "between" / "image.png").read_bytes()  # type: ignore[operator, no-any-return]


async def test_an_image_and_its_scene_say_alike(client: Client, image: bytes) -> None:
    question = {"query": "odd(X)", "rules": RULES, "fact": "same(ob_0, ob_1)"}
    told = (await client.send_image("/suppose", image, headers=None, model=BOARDS, **question)).json()
    assert [answer["bindings"] for answer in told["before"]["answers"]] == [{"X": "ob_1"}]
    assert told["after"]["answers"] == []
    assert told["after"]["why_not"]["source"] == "rules"
    assert {change["attribute"]: (change["object"], change["like"]) for change in told["changes"]} == {
        "shape": ("ob_1", "ob_0"),
        "colour": ("ob_1", "ob_0"),
    }
    assert told["true"] == [
        f"{name}(ob_{x}, ob_{y})" for name in ("same", "same_colour", "same_shape") for x, y in ((0, 1), (1, 2))
    ]
    assert (told["false"], told["model"]) == ([], BOARDS)
    scene = (await client.send_image("/scenes", image, model=BOARDS)).headers["location"]
    response = await client.post(f"{scene}/suppose", json=question)
    assert response.json() == told
