"""/query, /export and /suppose: an image with a question, an image for its program."""

import pytest

from predinet_prolog.service.pipeline import View
from tests.cases import cases
from tests.service.api.helpers import Client, Serve, check_problem, png

CASES = cases(__file__)

pytestmark = pytest.mark.slow(17)


async def test_query_gives_bindings(client: Client) -> None:
    rules = "color(red). color(green). color(blue)"  # the last full stop may lack
    response = await client.send_image("/query", png((72, 72)), query="color(X)", rules=rules)
    assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
    assert response.json() == {
        "answers": [{"bindings": {"X": color}} for color in ("red", "green", "blue")],
        "more": False,
        "model": "tiny",
        "notes": ["resized from 72x72 to 36x36"],
        "warnings": response.json()["warnings"],
    }
    limited = (await client.send_image("/query", query="color(X)", rules=rules, limit="1")).json()
    assert (limited["answers"], limited["more"]) == ([{"bindings": {"X": "red"}}], True)
    assert (await client.send_image("/query", query="true", rules=" \n")).json()["answers"] == [{"bindings": {}}]


@pytest.mark.settings(time_limit=0.2)
async def test_mistakes_are_problems(client: Client) -> None:
    for fields, status, kind, part in CASES["mistakes"]:
        members = check_problem(await client.send_image("/query", **fields), status, kind)
        assert part in members["detail"]
        assert ("position" in members) == (kind in ("syntax", "program"))
        assert ("line" in members) == ("name" in members) == (kind == "program")
    members = check_problem(await client.send_image("/query", query="object(X), Y Z"), 400, "syntax")
    assert members["position"] in (11, 12, 13)
    members = check_problem(await client.send_image("/query", query="true", rules="a.\nb.\nc(."), 400, "program")
    assert (members["name"], members["line"]) == ("rules", 3)


async def test_bad_images_are_explained(client: Client) -> None:
    for path in ("/query", "/export", "/scenes"):
        fields = {"query": "true"} if path == "/query" else {}
        told = {b"hello": "scene.png is not an image", b"": "scene.png is empty", png()[:50]: "scene.png is"}
        for data, part in (told | {png((1, 1)): "at least 12x12", png((36, 72)): "crop it to a square"}).items():
            response = await client.send_image(path, data, **fields)
            assert part in check_problem(response, 422, "image")["detail"]
        for image, part in (({}, "image: Field required: in a form,"), ({"image": "s"}, "image must be a file:")):
            response = await client.post(path, data={"model": "tiny", **image, **fields})
            assert check_problem(response, 422, "request")["detail"] == f"{part} -F image=@FILE"
        response = await client.post(path, files=[("image", ("a.png", png()))] * 2, data=fields)
        assert check_problem(response, 422, "usage")["detail"] == "image is sent 2 times: send it once"
        four = [(name, ("a.png", png())) for name in ("image", "detections", "classes", "model")]
        response = await client.post(path, files=four, data=fields)
        said = "model must be a text: -F 'model=<FILE' sends that of a file"
        assert check_problem(response, 422, "request")["detail"] == said
        response = await client.send_image(path, queri="true")
        assert check_problem(response, 422, "request")["detail"].startswith("queri: there is no such field, only image")


async def test_our_own_program_is_no_mistake_of_the_user(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(View, "text", "p(a")
    check_problem(await client.send_image("/query", query="true"), 500, "internal")


async def test_missing_swi_prolog_is_503(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    async with serve(workers=1) as client:
        for response in (await client.get("/health"), await client.send_image("/query", query="true")):
            check_problem(response, 503, response.json()["kind"])


RULES = "odd(X) :- object(X), \\+ same_colour(X, _)."
BOARDS = "relations-game"


@pytest.fixture
def image(root: object) -> bytes:
    """Three objects in a row, the outer two alike."""
    return (root / "examples" / "between" / "image.png").read_bytes()


async def test_an_image_and_its_scene_say_alike(client: Client, image: bytes) -> None:
    question = {"query": "odd(X)", "rules": RULES, "fact": "same(ob_0, ob_1)"}
    told = (await client.send_image("/suppose", image, headers=None, model=BOARDS, **question)).json()
    assert [answer["bindings"] for answer in told["before"]["answers"]] == [{"X": "ob_1"}]
    assert (told["after"]["answers"], told["after"]["why_not"]["source"]) == ([], "rules")
    assert "same(ob_0, ob_1)" in told["true"]
    scene = (await client.send_image("/scenes", image, model=BOARDS)).headers["location"]
    response = await client.post(f"{scene}/suppose", json=question)
    assert response.json() == told
