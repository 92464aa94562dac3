"""What is no board of the game is said so over HTTP."""

import json
from pathlib import Path

import pytest

from tests.service.api.helpers import Client
from tests.service.test_warnings import ODD, odd


@pytest.mark.parametrize("kind", ODD)
async def test_every_reply_warns(client: Client, kind: str) -> None:
    (warning,) = (await client.send_image("/query", odd(kind), query="true")).json()["warnings"]
    assert ODD[kind] in warning
    exported = await client.send_image("/export", odd(kind))
    assert json.loads(exported.headers["x-warnings"]) == [warning]
    assert f"% warning  {warning}\n" in exported.text
    scene = await client.store(odd(kind))
    assert (await client.get(scene)).json()["warnings"] == [warning]
    assert (await client.post(f"{scene}/query", json={"query": "true"})).json()["warnings"] == [warning]
    assert f"% warning  {warning}\n" in (await client.get(f"{scene}/program")).text


async def test_no_reply_warns_of_a_board(client: Client, picture: Path) -> None:
    board = picture.read_bytes()
    assert (await client.send_image("/query", board, query="true")).json()["warnings"] == []
    assert (await client.send_image("/export", board)).headers["x-warnings"] == "[]"
    scene = await client.store(board)
    assert (await client.get(scene)).json()["warnings"] == []
    assert (await client.post(f"{scene}/query", json={"query": "true"})).json()["warnings"] == []
