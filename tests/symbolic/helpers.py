"""What the tests of the pool share."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from predinet_prolog.symbolic import Pool, SymbolicError

GMP = "X is powm(3**200000, 7**200000, 11**200000)"  # no limit of Prolog's ends it


def bindings(text: bytes) -> list[dict[str, Any]]:
    return [answer["bindings"] for answer in json.loads(text)["answers"]]


def pids(pool: Pool) -> list[int]:
    return [slot.worker.pid for slot in pool._slots if slot.worker is not None]


async def until(condition: Callable[[], object], seconds: float = 120) -> None:
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.005)


@contextlib.asynccontextmanager
async def full_pool(**options: Any) -> AsyncIterator[Pool]:
    """A pool with all its workers and the spare started."""
    async with Pool(**options) as pool:
        await until(lambda: pool.stats().ready == pool.stats().workers and pool.stats().spares == 1)
        yield pool


async def outcome(answer: Awaitable[bytes]) -> list[dict[str, Any]] | SymbolicError:
    try:
        return bindings(await answer)
    except SymbolicError as error:
        return error
