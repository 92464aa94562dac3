"""A service for each test; those that do not set it up otherwise share its Prolog processes, slow to start."""

import copy
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, nullcontext
from typing import Any

import pytest
from fastapi import applications

from predinet_prolog.symbolic import Pool
from tests.service.api.helpers import Client, Serve, client_of


@pytest.fixture(scope="session")
async def pool() -> AsyncIterator[Pool]:
    """A pool as the default settings make it, but of one process."""
    async with Pool(workers=1) as pool:
        yield pool


@pytest.fixture(scope="session", autouse=True)
def _described_once() -> Iterator[None]:
    """The operations of all services are the same; to describe them is most of what a start takes."""
    describe = applications.get_openapi
    first: list[dict[str, Any]] = []

    def described(**options: Any) -> dict[str, Any]:
        if not first:
            first.append(describe(**options))
        return copy.deepcopy(first[0])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(applications, "get_openapi", described)
        yield


@pytest.fixture(autouse=True)
def _time_to_be_healthy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Prolog process may take a minute to answer /health: others may keep the machine busy."""
    monkeypatch.setattr("predinet_prolog.service.api.status.HEALTH_SECONDS", 60.0)


@pytest.fixture
def serve(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> Serve:
    """Starts a fresh service, whose settings can be named, and gives its client."""

    @asynccontextmanager
    async def start(**overrides: object) -> AsyncIterator[Client]:
        with monkeypatch.context() as patch:
            if not POOLS & set(overrides):
                patch.setattr("predinet_prolog.service.api.parts.Pool", lambda **_: nullcontext(pool))
            async with client_of(**overrides) as client:
                yield client

    return start


@pytest.fixture
async def client(request: pytest.FixtureRequest, serve: Serve) -> AsyncIterator[Client]:
    """The client of a fresh service; the mark `settings` names what is set otherwise."""
    mark = request.node.get_closest_marker("settings")
    async with serve(**(mark.kwargs if mark else {})) as client:
        yield client


POOLS = {"workers", "time_limit", "answer_limit", "waiting", "per_client", "patience"}
"""Settings that the pool is made of."""
