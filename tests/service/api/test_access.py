"""Who may ask: tokens, origins, and whom the pool takes for one client."""

import hashlib
import hmac
from typing import Any

import pytest

from predinet_prolog.service.api.access import _neighbourhood
from predinet_prolog.symbolic import Pool
from tests.cases import cases
from tests.service.api.helpers import Client, Serve, check_problem, png

CASES = cases(__file__)
TOKEN, OTHER = "a-token-of-the-test", "another-token-of-it"


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


@pytest.mark.settings(tokens=f"{TOKEN}, {OTHER}")
async def test_tokens_are_wanted_where_there_are_any(client: Client) -> None:
    for path in ("/", "/health", "/docs", "/openapi.json", "/static/page.css"):
        assert (await client.get(path)).status_code == 200, path
    wrong = "Bearer not-the-token-of-it", "Bearer ", f"Bearer {TOKEN[:-1]}", f"Basic {TOKEN}", TOKEN
    for method, path in CASES["guarded"]:
        for headers in ({}, *({"authorization": each} for each in wrong)):
            response = await client.request(method, path, headers=headers)
            check_problem(response, 401, "unauthorized")
            assert response.headers["www-authenticate"] == 'Bearer realm="predinet-prolog"'
    for headers in (bearer(TOKEN), bearer(OTHER), {"authorization": f"bearer  {TOKEN}"}):
        assert (await client.get("/models", headers=headers)).status_code == 200


@pytest.mark.settings(tokens=f"{TOKEN},{OTHER}")
async def test_how_long_a_refusal_takes_tells_no_tokens(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is sent, it is compared with every token, each time in constant time."""
    compared: list[tuple[bytes, bytes]] = []

    def spy(one: bytes, other: bytes) -> bool:
        compared.append((one, other))
        return hmac.compare_digest(one, other)

    monkeypatch.setattr("predinet_prolog.service.api.access.compare_digest", spy)
    for token, status in ((TOKEN, 200), (OTHER, 200), ("not-the-token-of-it", 401)):
        compared.clear()
        assert (await client.get("/models", headers=bearer(token))).status_code == status
        known = {hashlib.sha256(each.encode()).digest() for each in (TOKEN, OTHER)}
        assert {pair[1] for pair in compared} == known
        assert {pair[0] for pair in compared} == {hashlib.sha256(token.encode()).digest()}


async def test_a_client_is_a_token_or_else_an_address(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    async def ask(*_: object, client: str, **__: object) -> bytes:
        asked.append(client)
        return b'{"answers":[],"more":false}'

    monkeypatch.setattr(Pool, "ask", ask)

    async def talk(client: Client) -> None:
        for headers in (bearer(TOKEN), bearer(OTHER), bearer(TOKEN), {"x-forwarded-for": "203.0.113.9"}):
            files: Any = {"image": ("scene.png", b"")}
            await client.post("/query", files=files, headers=headers)
            scene = await client.post("/scenes", files={"image": ("scene.png", png())}, headers=headers)
            await client.post(f"{scene.headers.get('location')}/query", json={"query": "true"}, headers=headers)

    async with serve(tokens=f"{TOKEN},{OTHER}") as client:
        await talk(client)
    assert len(asked) == 3  # the last one has no token
    assert asked[0] == asked[2] != asked[1]
    assert TOKEN not in asked[0]
    asked.clear()
    async with serve() as client:
        await talk(client)
    assert set(asked) == {"192.0.2.7"}


def test_a_network_of_ipv6_is_one_client() -> None:
    assert _neighbourhood("2001:db8::1") == _neighbourhood("2001:db8::ffff:1") != _neighbourhood("2001:db8:0:1::1")
    assert _neighbourhood("::ffff:192.0.2.7") == _neighbourhood("192.0.2.7") != _neighbourhood("192.0.2.8")
    assert _neighbourhood("fe80::1%eth0") == "fe80::/64"
    assert _neighbourhood("") == ""


PREFLIGHT = CASES["preflight"]


async def test_other_origins_are_not_let_in_by_default(client: Client) -> None:
    response = await client.get("/models", headers={"origin": "https://friend.example"})
    assert not [name for name in response.headers if name.startswith("access-control")]
    check_problem(await client.options("/query", headers=PREFLIGHT), 405, "method_not_allowed")


@pytest.mark.settings(origins="https://friend.example", tokens=TOKEN)
async def test_origins_that_are_set_may_ask(client: Client) -> None:
    response = await client.options("/query", headers=PREFLIGHT)
    assert (response.status_code, response.headers["access-control-allow-origin"]) == (200, "https://friend.example")
    response = await client.get("/models", headers={"origin": "https://friend.example"})
    check_problem(response, 401, "unauthorized")
    assert response.headers["access-control-allow-origin"] == "https://friend.example"
    # What the documentation names, a page must be able to read; Cache-Control and such it can anyway.
    shown = response.headers["access-control-expose-headers"].split(", ")
    assert shown == ["Location", "Retry-After", "X-Notes", "X-Request-Id", "X-Warnings"]
    response = await client.get("/models", headers={"origin": "https://stranger.example"})
    assert "access-control-allow-origin" not in response.headers
    stranger = {**PREFLIGHT, "origin": "https://stranger.example"}
    assert (await client.options("/query", headers=stranger)).status_code == 400
