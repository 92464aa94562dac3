"""What every request gets: a problem for every error, an id, safe headers, one line in the log."""

import json
import logging
from collections.abc import Callable
from typing import Any

import pytest

from predinet_prolog.service.api.logs import JsonLines
from tests.cases import cases
from tests.service.api.helpers import Client, check_problem, png

CASES = cases(__file__)

Lines = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> Lines:
    """What the log holds, as the service writes it."""
    caplog.set_level(logging.INFO, logger="predinet_prolog.service")
    return lambda: [json.loads(JsonLines().format(record)) for record in caplog.records]


async def test_other_paths_and_methods_are_problems(client: Client) -> None:
    for method, path, status, kind in CASES["other"]:
        response = await client.request(method, path)
        check_problem(response, status, kind)
        assert ("allow" in response.headers) == (status == 405), path


async def test_bodies_that_cannot_be_read_are_problems(client: Client) -> None:
    form = "multipart/form-data; boundary=x"
    part = b'--x\r\nContent-Disposition: form-data; name="n%d"%b\r\n\r\nv\r\n'
    many_fields = b"".join(part % (i, b"") for i in range(50)) + b"--x--\r\n"
    many_files = b"".join(part % (i, b'; filename="f"') for i in range(50)) + b"--x--\r\n"
    long_field = b'--x\r\nContent-Disposition: form-data; name="rules"\r\n\r\n' + b"%" * 300_000 + b"\r\n--x--\r\n"
    bodies = [(body, form) for body in (b"--y\r\nnonsense", many_fields, many_files, long_field)]
    for body, media_type in (*bodies, (b"nonsense", "multipart/form-data")):
        check_problem(await client.post("/query", content=body, headers={"content-type": media_type}), 400, "malformed")
    for media_type in ("text/plain", "application/x-www-form-urlencoded"):
        headers = {"content-type": media_type}
        check_problem(await client.post("/query", content=b"a=b", headers=headers), 422, "request")


async def test_ids_are_kept_if_they_are_sane(client: Client) -> None:
    for given in ("a", "0af7651916cd43dd8448eb211c80319c", "A.b_c-9", "x" * 64):
        response = await client.get("/nothing", headers={"x-request-id": given})
        assert response.headers.get_list("x-request-id") == [given]
        assert response.json()["instance"].endswith(f":{given}")
    made = set()
    for given in ("", "x" * 65, "a b", 'a"b', "a/b", "<script>"):
        response = await client.get("/health", headers={"x-request-id": given})
        assert len(response.headers["x-request-id"]) == 36
        made.add(response.headers["x-request-id"])
    assert len(made) == 6


async def test_answers_are_safe_in_a_browser(client: Client) -> None:
    for path in ("/", "/docs", "/static/page.css", "/models", "/nothing"):
        headers = (await client.get(path)).headers
        assert headers["x-content-type-options"] == "nosniff"
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'self';")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy


async def test_what_is_a_clients_own_is_kept_by_no_cache(client: Client) -> None:
    scene = await client.store()
    responses = [await client.get(f"{scene}{part}") for part in ("", "/program", "/brief", "/image", "/masks")]
    responses.append(await client.post(f"{scene}/query", json={"query": "true"}))
    responses += [await client.send_image(path, query="true") for path in ("/query", "/scenes")]
    responses += [await client.send_image("/export"), await client.get("/nothing"), await client.delete(scene)]
    for response in responses:
        assert response.headers.get_list("cache-control") == ["no-store"], response.url
    for path in ("/", "/docs", "/static/page.css"):
        assert (await client.get(path)).headers.get_list("cache-control") == ["no-cache"]


async def test_no_answer_is_made_of_the_host_that_a_request_names(client: Client) -> None:
    for path in ("/scenes/", "/models/", "/static", "/docs/", "/health/"):
        response = await client.get(path, headers={"host": "evil.example"})
        check_problem(response, 404, "not_found")
        assert "evil" not in f"{response.headers}{response.text}"


async def test_faults_are_logged_not_echoed(client: Client, lines: Lines, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr("predinet_prolog.service.api.batcher.see", fail)
    response = await client.send_image("/export")
    members = check_problem(response, 500, "internal")
    assert "secret" not in response.text
    assert "RuntimeError" not in response.text
    assert "its log says why" in members["detail"]
    fault, request = lines()
    assert fault["id"] == request["id"] == response.headers["x-request-id"]
    assert (fault["level"], request["status"]) == ("error", 500)
    assert 'raise RuntimeError("secret")' in fault["trace"]


async def test_the_log_has_a_line_for_each_request_and_nothing_of_the_users(client: Client, lines: Lines) -> None:
    private = "ssecrett"
    asked = {"query": f"{private}(X)", "rules": f"{private}(a)."}
    await client.post("/query", files={"image": (f"{private}.png", png())}, data=asked)
    await client.post("/query", files={"image": (f"{private}.png", b"no")}, data={"query": f"{private}("})
    await client.get(f"/{private}?{private}", headers={"authorization": private, "cookie": private})
    await client.post(f"{await client.store()}/query", json={"query": f"{private}(", "rules": private})
    found = lines()
    assert private not in json.dumps(found)
    assert "192.0.2.7" not in json.dumps(found)
    assert [[line["method"], line["route"], line["status"]] for line in found] == CASES["log"]
    for line in found:
        assert set(line) == {"time", "level", "event", "id", "client", "method", "route", "status", "ms"}
        assert line["ms"] > 0
        assert line["time"].endswith("Z")
    assert len({line["client"] for line in found}) == 1


def test_a_line_of_the_log_is_one_line_whatever_happens() -> None:
    record = logging.LogRecord("x", logging.ERROR, "f", 1, 'a\n"b" \ud800 %s', ("c\nd",), None)
    line = JsonLines().format(record)
    assert "\n" not in line
    assert json.loads(line.encode())["event"] == 'a\n"b" \ud800 c\nd'
