"""What is no board of the game is said so over HTTP."""

import json
import re
from pathlib import Path

import pytest

from tests.service.api.helpers import Client
from tests.service.test_warnings import ODD, odd


@pytest.mark.parametrize("kind", [*ODD, ""])
async def test_every_reply_warns_unless_it_is_of_a_board(client: Client, picture: Path, kind: str) -> None:
    image = odd(kind) if kind else picture.read_bytes()
    warnings = (await client.send_image("/query", image, query="true")).json()["warnings"]
    assert [ODD[kind] in warning for warning in warnings] == [True] * bool(kind)
    exported = await client.send_image("/export", image)
    assert json.loads(exported.headers["x-warnings"]) == warnings
    scene = await client.store(image)
    assert (await client.get(scene)).json()["warnings"] == warnings
    assert (await client.post(f"{scene}/query", json={"query": "true"})).json()["warnings"] == warnings
    for program in (exported.text, (await client.get(f"{scene}/program")).text):
        assert re.findall(r"^% warning  (.*)$", program, re.MULTILINE) == warnings
