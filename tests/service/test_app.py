"""The HTTP service, spoken to in this process."""

import asyncio
import io
import json
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from PIL import Image

from service.app import create_app
from service.settings import load_settings

Test = Callable[[httpx.AsyncClient], Awaitable[None]]


@asynccontextmanager
async def client_of(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://test") as client,
    ):
        yield client


def speak(test: Test, **overrides: object) -> None:
    """Runs `test` with a client of a fresh service."""

    async def run() -> None:
        async with client_of(create_app(load_settings(workers=1, **overrides))) as client:
            await test(client)

    asyncio.run(run())


def png(size: tuple[int, int] = (36, 36)) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", size, (255, 0, 0)).save(buffer, "PNG")
    return buffer.getvalue()


def post(client: httpx.AsyncClient, path: str, image: bytes | None = None, **fields: str) -> Awaitable[httpx.Response]:
    files = {"image": ("scene.png", png() if image is None else image)}
    return client.post(path, files=files, data=fields)


def test_query_gives_bindings() -> None:
    async def test(client: httpx.AsyncClient) -> None:
        rules = "color(red). color(green). color(blue)."
        response = await post(client, "/query", query="color(X)", rules=rules)
        assert response.status_code == 200
        assert response.json() == {
            "answers": [{"bindings": {"X": color}} for color in ("red", "green", "blue")],
            "more": False,
            "model": "tiny",
            "notes": [],
        }
        response = await post(client, "/query", query="color(X)", rules=rules, limit="2")
        assert response.json()["answers"] == [{"bindings": {"X": "red"}}, {"bindings": {"X": "green"}}]
        assert response.json()["more"] is True
        assert (await post(client, "/query", query="fail")).json()["answers"] == []
        assert (await post(client, "/query", query="true")).json()["answers"] == [{"bindings": {}}]
        response = await post(client, "/query", query="dif(X, a)")
        assert response.json()["answers"] == [{"bindings": {"X": {"var": "X"}}, "constraints": ["dif(X, a)"]}]

    speak(test)


def test_query_sees_the_image_and_says_what_was_done_to_it() -> None:
    async def test(client: httpx.AsyncClient) -> None:
        response = await post(client, "/query", png((72, 72)), query="position(ob_0, X, Y)")
        (answer,) = response.json()["answers"]
        assert 12 <= answer["bindings"]["X"] <= 60  # pixels of the image given
        assert response.json()["notes"] == ["resized from 72x72 to 36x36"]

    speak(test)


def test_export_gives_the_program_of_the_command_line(run: Any, tmp_path: Path) -> None:
    (tmp_path / "scene.png").write_bytes(png((72, 72)))
    program = run("export", "scene.png").out
    once = run("export", "scene.png", "--looks", 1).out

    async def test(client: httpx.AsyncClient) -> None:
        response = await post(client, "/export", png((72, 72)))
        assert response.status_code == 200
        assert response.headers["content-type"] == "text/x-prolog; charset=utf-8"
        assert json.loads(response.headers["x-notes"]) == ["resized from 72x72 to 36x36"]
        assert response.text == program
        assert (await post(client, "/export", png((72, 72)), looks="1")).text == once != program

    speak(test)


def test_health_and_models() -> None:
    async def test(client: httpx.AsyncClient) -> None:
        assert (await client.get("/health")).json() == {"status": "ok", "model": "tiny"}
        (card,) = [card for card in (await client.get("/models")).json() if card["default"]]
        assert (card["name"], card["heads"], card["relations"]) == ("tiny", 7, 3)
        assert card["accuracies"] == {"hexos": {"between": 0.5}}

    speak(test)


def test_openapi_explains_itself() -> None:
    async def test(client: httpx.AsyncClient) -> None:
        assert (await client.get("/docs")).status_code == 200
        document = (await client.get("/openapi.json")).json()
        for path, methods in document["paths"].items():
            for operation in methods.values():
                assert operation["summary"], path
        schemas = document["components"]["schemas"]
        for name in ("Body_query_query_post", "Body_export_export_post"):
            for field, schema in schemas[name]["properties"].items():
                assert schema.get("description"), (name, field)
        assert set(document["paths"]["/query"]["post"]["responses"]) == {
            "200",
            "400",
            "404",
            "413",
            "422",
            "503",
            "504",
        }
        assert list(document["paths"]["/export"]["post"]["responses"]["200"]["content"]) == ["text/x-prolog"]

    speak(test)


MISTAKES = [
    ({"query": "object(X"}, 400, "syntax", "yntax"),
    ({"query": ""}, 422, "request", "query: "),
    ({"query": "true. true"}, 400, "syntax", "query"),
    ({"query": "true", "rules": "p(a"}, 400, "program", "rules:1"),
    ({"query": "objekt(X)"}, 422, "unknown_predicate", "objekt/1"),
    ({"query": "shell(ls)"}, 422, "forbidden", "shell/1"),
    ({"query": "X is foo + 1"}, 422, "prolog", "foo"),
    ({"query": "X = f(X)"}, 422, "answer_too_large", ""),
    ({"query": "repeat, fail"}, 504, "time_limit", "longer than its time limit"),
    ({"query": "true", "model": "nobody"}, 404, "model_not_found", "no model nobody"),
    ({"query": "true", "model": "/etc/passwd"}, 404, "model_not_found", "no model /etc/passwd"),
    ({"query": "true", "limit": "0"}, 422, "request", "limit: "),
    ({"query": "true", "limit": "many"}, 422, "request", "limit: "),
    ({}, 422, "request", "query: "),
]


def test_mistakes_are_explained_as_json() -> None:
    async def test(client: httpx.AsyncClient) -> None:
        for fields, status, kind, part in MISTAKES:
            response = await post(client, "/query", **fields)
            error = response.json()["error"]
            assert (response.status_code, error["kind"]) == (status, kind), fields
            assert part in error["message"]
            assert ("position" in error) == (kind == "syntax")
        assert (await post(client, "/query", query="object(X), Y Z")).json()["error"]["position"] in (11, 12, 13)

    speak(test, time_limit=0.2)


@pytest.mark.parametrize("path", ["/query", "/export"])
def test_bad_images_are_explained(path: str) -> None:
    async def test(client: httpx.AsyncClient) -> None:
        for data, part in {
            b"hello": "scene.png is not an image",
            b"": "scene.png is empty",
            png()[:50]: "scene.png is",
            png((1, 1)): "at least 12x12",
            png((36, 72)): "crop it to a square",
        }.items():
            response = await post(client, path, data, query="true")
            assert (response.status_code, response.json()["error"]["kind"]) == (422, "image"), part
            assert part in response.json()["error"]["message"]
        response = await client.post(path, data={"query": "true"})
        assert (response.status_code, response.json()["error"]["message"]) == (422, "image: Field required")

    speak(test)


def test_other_paths_and_methods_answer_in_the_same_form() -> None:
    async def test(client: httpx.AsyncClient) -> None:
        for method, path, status, kind in (
            ("GET", "/nothing", 404, "not_found"),
            ("GET", "/query", 405, "method_not_allowed"),
            ("POST", "/health", 405, "method_not_allowed"),
        ):
            response = await client.request(method, path)
            assert (response.status_code, response.json()["error"]["kind"]) == (status, kind)
        broken = {"content-type": "multipart/form-data; boundary=x"}
        response = await client.post("/query", content=b"--y\r\nnonsense", headers=broken)
        assert response.status_code in (400, 422)
        assert response.json()["error"]["message"]

    speak(test)


def test_large_uploads_are_refused_before_they_are_read() -> None:
    form = {"content-type": "multipart/form-data; boundary=x"}
    kilobytes = 0

    async def upload() -> AsyncIterator[bytes]:
        nonlocal kilobytes
        yield b'--x\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n'
        while kilobytes < 1000:
            kilobytes += 1
            yield b"x" * 1024

    async def test(client: httpx.AsyncClient) -> None:
        nonlocal kilobytes
        for headers, most_read in ((form, 4), (form | {"content-length": "4097"}, 0)):
            kilobytes = 0
            response = await client.post("/query", content=upload(), headers=headers)
            assert (response.status_code, response.json()["error"]["kind"]) == (413, "too_large")
            assert "4,096 bytes" in response.json()["error"]["message"]
            assert kilobytes <= most_read

    speak(test, max_upload=4096)


def test_a_busy_service_says_so() -> None:
    async def test(client: httpx.AsyncClient) -> None:
        slow = asyncio.create_task(asyncio.wait_for(post(client, "/query", query="repeat, fail"), 30))
        await asyncio.sleep(0.5)
        response = await post(client, "/query", query="true")
        assert (response.status_code, response.json()["error"]["kind"]) == (503, "busy")
        assert (await slow).status_code == 504
        assert (await post(client, "/query", query="true")).status_code == 200

    speak(test, time_limit=3, patience=0.1)


def test_requests_do_not_wait_for_each_other() -> None:
    """Two workers: a slow query does not hold up a quick one, nor the event loop."""

    async def run() -> None:
        async with client_of(create_app(load_settings(workers=2, time_limit=2.0))) as client:
            await asyncio.gather(*(post(client, "/query", query="true") for _ in range(4)))  # both have started
            start = time.monotonic()
            slow = asyncio.ensure_future(post(client, "/query", query="repeat, fail"))
            await asyncio.sleep(0.3)
            quick = await post(client, "/query", query="X = 1")
            assert quick.status_code == 200
            assert not slow.done()
            assert (await slow).status_code == 504
            assert time.monotonic() - start >= 2.0

    asyncio.run(run())


def test_unknown_errors_are_logged_and_never_echoed(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr("service.app.view", fail)

    async def test(client: httpx.AsyncClient) -> None:
        response = await post(client, "/export")
        assert response.status_code == 500
        assert response.json()["error"] == {"kind": "internal", "message": "the service failed; its log says why"}

    with caplog.at_level(logging.ERROR, logger="service.app"):
        speak(test)
    (record,) = [record for record in caplog.records if record.name == "service.app"]
    assert record.getMessage() == "POST /export failed"
    assert "secret" in caplog.text


def test_missing_swi_prolog_is_503(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")

    async def test(client: httpx.AsyncClient) -> None:
        for response in (await client.get("/health"), await post(client, "/query", query="true")):
            assert (response.status_code, response.json()["error"]["kind"]) == (503, "swi_prolog_missing")

    speak(test)
