"""The pool's laws: every answer belongs to its question, whatever happens to workers, neighbours and clients."""

import asyncio
import contextlib
import json
import os
import random
import signal
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from predinet_prolog.symbolic import Engine, Pool, QuerySyntaxError, Rules, SymbolicError, TimeLimitError, WorkerError
from predinet_prolog.symbolic.errors import ClientLimitError, OverloadedError, PrologError, UnknownPredicateError

pytestmark = pytest.mark.slow(10)


def bindings(text: bytes) -> list[dict[str, Any]]:
    return [answer["bindings"] for answer in json.loads(text)["answers"]]


async def outcome(answer: Awaitable[bytes]) -> list[dict[str, Any]] | SymbolicError:
    try:
        return bindings(await answer)
    except SymbolicError as error:
        return error


async def until(condition: Callable[[], object], seconds: float = 120) -> None:
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.005)


def pids(pool: Pool) -> list[int]:
    return [worker._process.pid for worker in pool._workers if worker._process is not None]


@contextlib.asynccontextmanager
async def full_pool(**options: Any) -> AsyncIterator[Pool]:
    """A pool with all its workers started; a busy machine ends no goal before its time."""
    async with Pool(**{"time_limit": 20, **options}) as pool:
        await until(lambda: pool.stats().ready == pool.stats().workers and not pool.stats().busy)
        yield pool


async def endless(pool: Pool, client: str = "") -> "asyncio.Task[Any]":
    """A question that runs now, and goes on."""
    task = asyncio.create_task(outcome(pool.ask("", "repeat, fail", client=client)))
    await until(lambda: pool.stats().busy)
    return task


async def test_the_answers_are_those_of_an_engine(engine: Engine, program: str) -> None:
    rules = [Rules("r.pl", "twin(X) :- same(X, _).")]
    async with Pool(time_limit=20) as pool:
        asked: dict[str, Any] = {"twin(X)": {"rules": rules}, "object(X)": {"limit": 2}, "same(X, Y)": {"why": True}}
        for goal, options in (asked | {"X = f(Y, 'ä€😀')": {}}).items():
            text = await pool.ask(program, goal, **options)
            assert json.loads(text) == engine.ask(program, goal, **options).to_json()
        with pytest.raises(QuerySyntaxError) as caught:
            await pool.ask(program, "object(X")
        assert caught.value.position == 8


async def test_nothing_is_lost_and_nothing_is_wrong_while_a_worker_is_killed() -> None:
    """200 questions of 20 clients about 40 programs, good and bad ones, in the midst of which a worker is killed."""
    rng = random.Random(5)

    async def ask(pool: Pool, i: int) -> None:
        program, client = f"p({i % 40}). p(x{i % 40}).", f"client{i % 20}"
        match rng.randrange(3):
            case 0:
                reply = await outcome(pool.ask(program, f"X = {i}, p(Y)", client=client))
                assert reply == [{"X": i, "Y": i % 40}, {"X": i, "Y": f"x{i % 40}"}]
            case 1:
                rules = [Rules("r.pl", f"q({i}).")]
                reply = await outcome(pool.ask(program, "q(X), p(Y)", rules=rules, limit=1, client=client))
                assert reply == [{"X": i, "Y": i % 40}]
            case 2:
                reply = await outcome(pool.ask(program, f"nowhere{i}(X)", client=client))
                assert isinstance(reply, UnknownPredicateError)
                assert reply.predicate == f"nowhere{i}/1"
        if i == 100:
            os.kill(pids(pool)[0], signal.SIGKILL)

    async with full_pool(waiting=1000, per_client=100, patience=100) as pool:
        await asyncio.gather(*(ask(pool, i) for i in range(200)))
        await until(lambda: not pool.stats().busy)
        assert (pool.stats().waiting, pool.stats().killed, pool.stats().died, pool._clients) == (0, 0, 1, {})


@pytest.mark.parametrize(
    ("signal_number", "error", "message"),
    [
        (signal.SIGKILL, WorkerError, "SIGKILL"),  # somebody else's doing, perhaps
        (signal.SIGSEGV, PrologError, "broke its process"),  # its own
    ],
)
async def test_a_worker_that_dies_is_asked_again(signal_number: int, error: type[Exception], message: str) -> None:
    async with full_pool(workers=1) as pool:
        task = await endless(pool)
        killed = 0
        while not task.done():  # three times, if the first time the worker has not got the question yet
            if pool.stats().started > killed and pool.stats().ready:
                os.kill(pids(pool)[0], signal_number)
                killed += 1
            await asyncio.sleep(0.01)
        fault = task.result()
        assert isinstance(fault, error)
        assert message in str(fault)
        assert pool.stats().retried == 1
        assert bindings(await pool.ask("p(1).", "p(X)")) == [{"X": 1}]


async def test_a_worker_that_is_ended_at_its_limit_is_replaced_before_the_next_question() -> None:
    async with full_pool(workers=1, time_limit=0.5) as pool:
        await pool.ask("", "true")  # it is loaded, which may take longer
        os.kill(pids(pool)[0], signal.SIGSTOP)
        assert isinstance(await outcome(pool.ask("", "true")), TimeLimitError)
        await until(lambda: not pool.stats().busy)
        assert (pool.stats().killed, pool.stats().started, pool.stats().ready) == (1, 2, 1)


async def test_a_program_is_asked_where_it_is_loaded() -> None:
    async with full_pool(workers=3) as pool:
        await asyncio.gather(*(pool.ask(f"p({i}).", "p(X)") for i in range(3)))
        for i in range(12):
            assert bindings(await pool.ask(f"p({i % 3}).", "p(X)")) == [{"X": i % 3}]
        assert [worker._requests for worker in pool._workers] == [6, 6, 6], "each program was loaded once"


async def test_bounds() -> None:
    async with full_pool(workers=1, waiting=3, per_client=2, patience=0.3, time_limit=60) as pool:
        running = await endless(pool, "a")
        waiting = [asyncio.create_task(outcome(pool.ask("", "true", client=client))) for client in "abc"]
        await asyncio.sleep(0)
        with pytest.raises(ClientLimitError, match="2 questions at once") as limited:
            await pool.ask("", "true", client="a")
        assert limited.value.retry_after >= 1
        assert pool.stats().waiting == 3
        with pytest.raises(OverloadedError, match="3 queries wait already") as overloaded:
            await pool.ask("", "true", client="d")
        assert overloaded.value.retry_after >= 1
        for fault in await asyncio.gather(*waiting):
            assert isinstance(fault, OverloadedError)
            assert "no Prolog process got free in 0.3 s" in str(fault)
        assert pool.stats().waiting == 0
        running.cancel()


async def test_a_flood_does_not_keep_others_waiting() -> None:
    """30 questions of one client wait when another comes: it is served after the one that runs and one more."""
    async with full_pool(workers=1, per_client=100) as pool:
        served: list[str] = []

        async def ask(client: str, goal: str) -> None:
            await pool.ask("", goal, client=client)
            served.append(client)

        flood = [asyncio.create_task(ask("flood", f"numlist(1, 5000, L), X = {i}")) for i in range(30)]
        await until(lambda: len(served) >= 3)
        before = len(served)
        await ask("other", "true")
        assert served.index("other") - before <= 3
        await asyncio.gather(*flood)


async def test_who_hangs_up_frees_the_place() -> None:
    async with full_pool(workers=1, per_client=3, time_limit=1.2) as pool:
        running = await endless(pool, "a")
        waiting = [asyncio.create_task(pool.ask("", f"X = {i}", client="a")) for i in range(2)]
        await asyncio.sleep(0)
        for task in [running, *waiting]:
            task.cancel()
        await asyncio.wait([running, *waiting])
        assert pool.stats().waiting == 0
        assert pool._clients == {"a": 1}, "what runs still counts"
        assert bindings(await pool.ask("p(1).", "p(X)", client="b")) == [{"X": 1}]
        assert pool._clients == {}


async def test_health_is_no_matter_of_the_queue() -> None:
    async with full_pool(workers=1, waiting=1, per_client=2, time_limit=60) as pool:
        probes = [asyncio.create_task(pool.ready(60)) for _ in range(50)]
        await asyncio.sleep(0)
        probes.pop().cancel()  # one who leaves takes nothing from the rest
        await asyncio.gather(*probes)
        running = await endless(pool)
        await pool.ready(5)  # it is at a question, and so it works
        running.cancel()
    with pytest.raises(WorkerError, match="closed"):
        await pool.ready()


def test_closing_ends_everything() -> None:
    async def main() -> None:
        async with full_pool(workers=2, time_limit=50) as pool:
            tasks = [asyncio.create_task(outcome(pool.ask("", f"repeat, {i} = a", client=str(i)))) for i in range(6)]
            await until(lambda: pool.stats().busy == 2)
        for reply in await asyncio.gather(*tasks):
            assert isinstance(reply, WorkerError)
        with pytest.raises(WorkerError, match="closed"):
            await pool.ask("", "true")
        await pool.aclose()

    def left() -> tuple[int, int, str]:
        children = ""
        for path in Path("/proc/self/task").glob("*/children"):
            with contextlib.suppress(OSError):  # a thread that has ended since is no longer read
                children += path.read_text()
        return len(list(Path("/proc/self/fd").iterdir())), threading.active_count(), children

    asyncio.run(main())  # whatever is made only once
    before = left()
    asyncio.run(main())
    assert left() == before
