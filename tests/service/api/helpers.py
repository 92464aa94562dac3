"""Speaking to a service in this process, without a socket; and pictures to send."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import httpx
from PIL import Image

from predinet_prolog.service.api import create_app
from predinet_prolog.service.settings import load_settings
from tests.pictures import encode

Serve = Callable[..., AbstractAsyncContextManager["Client"]]
"""The type of the fixture `serve`."""


class Client(httpx.AsyncClient):
    """Speaks to one service."""

    async def send_image(
        self, path: str, image: bytes | None = None, *, headers: dict[str, str] | None = None, **fields: str
    ) -> httpx.Response:
        """A form with an image, a red square if none is given."""
        files = {"image": ("scene.png", png() if image is None else image)}
        return await self.post(path, files=files, data=fields, headers=headers)

    async def store(self, image: bytes | None = None) -> str:
        """Stores a scene; gives its address."""
        response = await self.send_image("/scenes", image)
        assert response.status_code == 201, response.text
        return response.headers["location"]


@asynccontextmanager
async def client_of(**overrides: object) -> AsyncIterator[Client]:
    """A client of a fresh service."""
    app = create_app(load_settings(**{"workers": 1, **overrides}))
    transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=("192.0.2.7", 4711))
    async with app.router.lifespan_context(app), Client(transport=transport, base_url="http://test") as client:
        yield client


def png(size: tuple[int, int] = (36, 36), color: tuple[int, int, int] = (255, 0, 0)) -> bytes:
    """A picture of one colour."""
    return encode(Image.new("RGB", size, color))


def check_problem(response: httpx.Response, status: int, kind: str) -> dict[str, Any]:
    """The members of the problem that `response` has to be."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    members: dict[str, Any] = json.loads(response.text)
    assert members["type"] == f"urn:predinet-prolog:problem:{kind}"
    assert (members["status"], members["kind"]) == (status, kind)
    assert members["title"]
    assert members["detail"]
    assert members["instance"] == f"urn:predinet-prolog:request:{response.headers['x-request-id']}"
    assert set(members) <= {
        "type", "title", "status", "detail", "instance", "kind", "position", "name", "line"
    }  # fmt: skip
    if status in (429, 503):
        assert int(response.headers["retry-after"]) >= 1
    return members
