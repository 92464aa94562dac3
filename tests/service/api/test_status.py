"""/models, /health and /metrics, and what a browser gets: pages, their files and the documentation."""

import asyncio
import re

import pytest

from predinet_prolog.symbolic import Pool
from tests.service.api.helpers import Client, Serve, check_problem


async def test_health_and_models(client: Client) -> None:
    assert (await client.get("/health")).json() == {"status": "ok", "model": "tiny"}
    (card,) = [card for card in (await client.get("/models")).json() if card["default"]]
    assert (card["name"], card["heads"], card["relations"]) == ("tiny", 7, 3)
    assert card["accuracies"] == {"hexos": {"between": 0.5}}


async def test_health_is_503_if_no_process_answers_in_time(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    async def hang(*_: object, **__: object) -> bytes:
        await asyncio.sleep(60)
        return b""

    monkeypatch.setattr(Pool, "_answer", hang)
    monkeypatch.setattr("predinet_prolog.service.api.status.HEALTH_SECONDS", 0.2)
    check_problem(await asyncio.wait_for(client.get("/health"), 30), 503, "worker")


async def metric(client: Client, line: str) -> float:
    """The value of the metric whose name and labels are `line`."""
    response = await client.get("/metrics")
    assert response.headers["content-type"].startswith("text/plain; version=0.0.4")
    values = dict(row.rsplit(" ", 1) for row in response.text.splitlines() if not row.startswith("#"))
    return float(values[f"predinet_prolog_{line}"])


async def test_metrics_count(client: Client) -> None:
    scene = await client.store()
    for query in ("true", "true", "object(X"):
        await client.post(f"{scene}/query", json={"query": query})
    asked = 'method="POST",route="/scenes/{id}/query"'
    assert await metric(client, f'requests_total{{{asked},status="200"}}') == 2
    assert await metric(client, f'requests_total{{{asked},status="400"}}') == 1
    assert await metric(client, f"request_seconds_count{{{asked}}}") == 3
    assert await metric(client, f'request_seconds_bucket{{le="+Inf",{asked}}}') == 3
    assert 0 < await metric(client, f"request_seconds_sum{{{asked}}}") < 30
    figures = {"scenes": 1, "workers": 1, "workers_ready": 1, "workers_busy": 0, "queries_waiting": 0}
    assert {name: await metric(client, name) for name in figures} == figures
    assert await metric(client, "images_waiting") == 0 < await metric(client, "scenes_bytes")
    assert await metric(client, "workers_started_total") >= 1
    assert "process_resident_memory_bytes" in (await client.get("/metrics")).text


async def test_strange_methods_and_paths_make_no_new_metrics(client: Client) -> None:
    for i in range(5):
        await client.request(f"BREW{i}", f"/coffee/{i}")
    text = (await client.get("/metrics")).text
    assert "BREW" not in text
    assert "coffee" not in text
    assert await metric(client, 'requests_total{method="other",route="none",status="404"}') == 5


PAGES = ("/", "/docs")


async def test_the_pages_and_their_files_come_from_this_host(client: Client) -> None:
    for path in PAGES:
        page = await client.get(path)
        assert (page.headers["content-type"], page.headers["cache-control"]) == ("text/html; charset=utf-8", "no-cache")
        links = re.findall(r'(?:href|src)="([^"#]+)"', page.text)
        assert links
        for link in links:
            assert "//" not in link
            assert (await client.get(f"/{link}")).status_code == 200, link
    style = await client.get("/static/page.css")
    assert style.headers["content-type"] == "text/css; charset=utf-8"
    unchanged = await client.get("/static/page.css", headers={"if-none-match": style.headers["etag"]})
    assert unchanged.status_code == 304
    assert (await client.get("/static/swagger/swagger-ui-bundle.js")).headers["cache-control"] == "no-cache"


async def test_openapi_tells_which_routes_take_a_token(serve: Serve) -> None:
    for tokens, security in (("", [{}, {"bearer": []}]), ("a-token-of-the-test", [{"bearer": []}])):
        async with serve(tokens=tokens) as client:
            document = (await client.get("/openapi.json")).json()
        assert document["components"]["securitySchemes"]["bearer"]["scheme"] == "bearer"
        operations = [operation for methods in document["paths"].values() for operation in methods.values()]
        for operation in operations:
            assert operation.get("security") == (security if "401" in operation["responses"] else None)
        assert "security" not in document["paths"]["/health"]["get"]
        assert sum("security" in operation for operation in operations) == len(operations) - 1


async def test_openapi_explains_itself(client: Client) -> None:
    document = (await client.get("/openapi.json")).json()
    schemas = document["components"]["schemas"]
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            assert operation["summary"], path
            assert operation["tags"]
            for status, answer in operation["responses"].items():
                if status >= "400":
                    (media_type,) = answer["content"]
                    assert media_type == "application/problem+json", (path, method, status)
                    assert ("headers" in answer) == (status in ("429", "503"))
    for name in (name for name in schemas if name.startswith("Body_")):
        for field, schema in schemas[name]["properties"].items():
            assert schema.get("description"), (name, field)
    references = set(re.findall(r'"#/components/schemas/(\w+)"', (await client.get("/openapi.json")).text))
    assert references <= set(schemas)
    assert list(document["paths"]["/export"]["post"]["responses"]["200"]["content"]) == ["text/x-prolog"]
    assert set(document["paths"]["/scenes/{id}/query"]["post"]["responses"]) == {
        "200", "400", "401", "404", "408", "413", "422", "429", "503", "504"
    }  # fmt: skip
