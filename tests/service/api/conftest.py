"""A service for each test; those that do not set it up otherwise share its Prolog processes, slow to start."""

import asyncio
from collections.abc import Iterator
from contextlib import nullcontext

import pytest

from symbolic import Pool
from tests.service.api.helpers import Speak, Talk, client_of


@pytest.fixture(scope="session")
def runner() -> Iterator[asyncio.Runner]:
    """The event loop of all tests."""
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="session")
def pool(runner: asyncio.Runner) -> Iterator[Pool]:
    """A pool as the default settings make it, but of one process."""
    pool = Pool(workers=1)
    runner.run(pool.__aenter__())
    yield pool
    runner.run(pool.aclose())


@pytest.fixture(autouse=True)
def _time_to_be_healthy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Prolog process may take a minute to answer /health: others may keep the machine busy."""
    monkeypatch.setattr("service.api.status.HEALTH_SECONDS", 60.0)


@pytest.fixture
def speak(runner: asyncio.Runner, pool: Pool, monkeypatch: pytest.MonkeyPatch) -> Speak:
    """Runs a coroutine function with the client of a fresh service, whose settings can be named."""

    def run(talk: Talk, **overrides: object) -> None:
        async def talking() -> None:
            async with client_of(**overrides) as client:
                await talk(client)

        with monkeypatch.context() as patch:
            if not POOLS & set(overrides):
                patch.setattr("service.api.parts.Pool", lambda **_: nullcontext(pool))
            runner.run(talking())

    return run


POOLS = {"workers", "time_limit", "answer_limit", "waiting", "per_client", "patience"}
"""Settings that the pool is made of."""
