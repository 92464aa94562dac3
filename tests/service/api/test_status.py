"""/models, /health and /metrics."""

import asyncio

import pytest

from predinet_prolog.symbolic import Pool
from tests.service.api.helpers import Client, check_problem


async def test_health_and_models(client: Client) -> None:
    assert (await client.get("/health")).json() == {"status": "ok", "model": "tiny"}
    (card,) = [card for card in (await client.get("/models")).json() if card["default"]]
    assert (card["name"], card["heads"], card["relations"]) == ("tiny", 7, 3)
    assert card["accuracies"] == {"hexos": {"between": 0.5}}


async def test_health_is_503_if_no_prolog_process_answers_in_time(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
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
