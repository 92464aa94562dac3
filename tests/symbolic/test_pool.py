"""The pool's laws: every answer belongs to its question, whatever happens to workers, neighbours and clients."""

import asyncio
import contextlib
import json
import os
import random
import signal
import threading
from pathlib import Path

import pytest

from predinet_prolog.symbolic import (
    ClientLimitError,
    Engine,
    OverloadedError,
    Pool,
    PrologError,
    QuerySyntaxError,
    Rules,
    SwiPrologMissingError,
    TimeLimitError,
    UnknownPredicateError,
    WorkerError,
    limits,
)
from tests.symbolic.helpers import bindings, full_pool, outcome, pids, until

pytestmark = [pytest.mark.slow(31), pytest.mark.anyio]


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


async def test_the_answers_are_those_of_an_engine(engine: Engine, program: str) -> None:
    rules = [Rules("r.pl", "twin(X) :- same(X, _).")]
    async with Pool() as pool:
        for goal in ["object(X)", "same(X, Y)", "twin(X)", "fail", "true", "X = f(Y, 'ä€😀')", "X is 2**80"]:
            text = await pool.ask(program, goal, rules=rules)
            assert json.loads(text) == engine.ask(program, goal, rules=rules).to_json()
        text = await pool.ask(program, "object(X)", limit=2)
        assert json.loads(text) == engine.ask(program, "object(X)", limit=2).to_json()
        with pytest.raises(QuerySyntaxError) as caught:
            await pool.ask(program, "object(X")
        assert caught.value.position == 8
        text = await pool.ask(program, "same(X, Y)", why=True)
        assert json.loads(text) == engine.ask(program, "same(X, Y)", why=True).to_json()


@pytest.mark.parametrize("anyio_backend", [("asyncio", {"use_uvloop": False}), ("asyncio", {"use_uvloop": True})])
async def test_nothing_is_lost_and_nothing_is_wrong_while_workers_are_killed() -> None:
    """500 questions of 20 clients about 40 programs, good and bad ones, while workers are killed all the time."""
    rng = random.Random(5)

    async def ask(pool: Pool, i: int) -> None:
        n = i % 40
        program, client = f"p({n}). p(x{n}).", f"client{i % 20}"
        match rng.randrange(5):
            case 0:
                found = await outcome(pool.ask(program, f"X = {i}, p(Y)", client=client))
                assert found == [{"X": i, "Y": n}, {"X": i, "Y": f"x{n}"}]
            case 1:
                found = await outcome(pool.ask(program, f"p(X), X == {n}, Y = r{i}", client=client))
                assert found == [{"X": n, "Y": f"r{i}"}]
            case 2:
                rules = [Rules("r.pl", f"q({i}).")]
                assert await outcome(pool.ask(program, "q(X), p(Y)", rules=rules, limit=1, client=client)) == [
                    {"X": i, "Y": n}
                ]
            case 3:
                found = await outcome(pool.ask(program, f"numlist(1, 2000, L), last(L, M), X is M+{i}", client=client))
                assert isinstance(found, list)
                assert found[0]["X"] == 2000 + i
            case 4:
                found = await outcome(pool.ask(program, f"nowhere{i}(X)", client=client))
                assert isinstance(found, UnknownPredicateError)
                assert found.predicate == f"nowhere{i}/1"

    async with full_pool(waiting=1000, per_client=100, patience=100) as pool:
        killed: set[int] = set()
        while len(killed) < 3:  # a fast machine may be through with 500 before
            asked = asyncio.gather(*(ask(pool, i) for i in range(500)))
            while not asked.done():
                await asyncio.sleep(0.03)
                if not asked.done() and pool.stats().ready == 2:
                    killed.add(pid := rng.choice(pids(pool)))
                    with contextlib.suppress(ProcessLookupError):  # killed already, and not known to be
                        os.kill(pid, signal.SIGKILL)
            await asked
        # Of those killed, on a busy machine a time limit may have ended one the moment before: it counts as that one's.
        await until(lambda: pool.stats().died + pool.stats().killed >= len(killed))
        assert pool.stats().died <= len(killed)
        assert pool.stats().waiting == pool.stats().busy == 0
        assert pool._clients == {}


async def test_a_spare_takes_the_place_at_once() -> None:
    async with full_pool(workers=1) as pool:
        started = pool.stats().started
        (pid,) = pids(pool)
        os.kill(pid, signal.SIGKILL)
        await until(lambda: pids(pool) not in ([pid], []))
        assert pool.stats().started == started, "nothing was started in between"
        assert bindings(await pool.ask("p(1).", "p(X)")) == [{"X": 1}]
        await until(lambda: pool.stats().spares == 1)
        spare = pool._supply._spares[0].pid  # type: ignore[union-attr]
        os.kill(spare, signal.SIGKILL)
        await until(lambda: pool.stats().spares == 0)
        await until(lambda: pool.stats().spares == 1)
        assert pool.stats().died == 1, "a spare is no worker yet"


@pytest.mark.parametrize(
    ("signal_number", "tries", "error", "message"),
    [
        (signal.SIGKILL, 5, WorkerError, "SIGKILL"),  # somebody else's doing, perhaps
        (signal.SIGSEGV, 2, PrologError, "broke its process"),  # its own
    ],
)
async def test_a_question_whose_worker_dies_is_asked_again_but_not_for_ever(
    signal_number: int, tries: int, error: type[Exception], message: str
) -> None:
    async with full_pool(workers=1, time_limit=20) as pool:
        slow = asyncio.create_task(pool.ask("", "numlist(1, 200000, L), sum_list(L, X), L = [F|_], F == 1, fail"))
        await until(lambda: pool.stats().busy == 1)
        os.kill(pids(pool)[0], signal_number)
        assert bindings(await slow) == []
        assert pool.stats().retried == 1
        endless = asyncio.create_task(pool.ask("", "repeat, fail"))
        for killed in range(1, tries + 1):
            await until(lambda: pool.stats().busy == 1)
            os.kill(pids(pool)[0], signal_number)
            await until(lambda killed=killed: pool.stats().died == killed + 1)  # type: ignore[misc]
        with pytest.raises(error, match=message):
            await endless
        assert bindings(await pool.ask("p(1).", "p(X)")) == [{"X": 1}]


async def test_a_worker_that_stopped_dead_costs_a_slice() -> None:
    """The other worker is busy; so the question goes to the one that does not run, and then to the other."""
    async with full_pool(workers=2, time_limit=0.6) as pool:
        slow = asyncio.create_task(outcome(pool.ask("", "repeat, fail", client="a")))
        await until(lambda: pool.stats().busy == 1)
        assert pool._slots[1].turn is not None
        stopped = pids(pool)[0]
        os.kill(stopped, signal.SIGSTOP)
        assert bindings(await pool.ask("", "X = 1", client="b")) == [{"X": 1}]
        assert stopped not in pids(pool)
        assert pool.stats().killed == 1
        assert isinstance(await slow, TimeLimitError)


async def test_a_program_is_asked_where_it_is_loaded() -> None:
    async with full_pool(workers=3) as pool:
        await asyncio.gather(*(pool.ask(f"p({i}).", "p(X)") for i in range(3)))
        for i in range(12):
            assert bindings(await pool.ask(f"p({i % 3}).", "p(X)")) == [{"X": i % 3}]
        requests = [slot.worker.requests for slot in pool._slots if slot.worker is not None]
        assert requests == [6, 6, 6], "each program was loaded once"


async def test_bounds() -> None:
    async with full_pool(workers=1, waiting=3, per_client=2, patience=1, time_limit=60) as pool:
        running = asyncio.create_task(pool.ask("", "repeat, fail", client="a"))
        await until(lambda: pool.stats().busy == 1)
        second = asyncio.create_task(pool.ask("", "true", client="a"))
        await asyncio.sleep(0)
        with pytest.raises(ClientLimitError, match="2 questions at once") as limited:
            await pool.ask("", "true", client="a")
        assert limited.value.retry_after >= 1
        waiting = [asyncio.create_task(pool.ask("", "true", client=client)) for client in "bc"]
        await asyncio.sleep(0)
        assert pool.stats().waiting == 3
        with pytest.raises(OverloadedError, match="3 queries wait already") as overloaded:
            await pool.ask("", "true", client="d")
        assert overloaded.value.retry_after >= 1
        for task in [second, *waiting]:
            with pytest.raises(OverloadedError, match=r"no Prolog process got free in 1 s"):
                await task
        assert pool.stats().waiting == 0
        running.cancel()


async def test_a_flood_does_not_keep_others_waiting() -> None:
    """30 questions of one client wait when another comes: it is served after two more of them at most."""
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
    async with full_pool(workers=1, per_client=3, time_limit=0.6) as pool:
        running = asyncio.create_task(pool.ask("", "repeat, fail", client="a"))
        await until(lambda: pool.stats().busy == 1)
        waiting = [asyncio.create_task(pool.ask("", f"X = {i}", client="a")) for i in range(2)]
        await asyncio.sleep(0)
        for task in [running, *waiting]:
            task.cancel()
        await asyncio.wait([running, *waiting])
        assert pool.stats().waiting == 0
        assert pool._clients == {"a": 1}, "what runs still counts"
        assert bindings(await pool.ask("p(1).", "p(X)", client="b")) == [{"X": 1}]
        assert pool._clients == {}


async def test_nobody_gets_the_answer_of_one_who_hung_up() -> None:
    rng = random.Random(3)
    async with full_pool(waiting=1000, per_client=1000) as pool:

        async def ask(i: int) -> None:
            task = asyncio.create_task(pool.ask("", f"numlist(1, {rng.randrange(3000)}, _), X = {i}"))
            if i % 3 == 0:
                await asyncio.sleep(rng.random() / 20)
                task.cancel()
                await asyncio.wait([task])
            else:
                assert bindings(await task) == [{"X": i}]

        await asyncio.gather(*(ask(i) for i in range(300)))
        await until(lambda: pool._clients == {})


async def test_health_is_asked_past_the_bounds() -> None:
    async with full_pool(workers=2, waiting=1, time_limit=1) as pool:
        flood = [asyncio.create_task(outcome(pool.ask("", f"repeat, {i} = a", client="a"))) for i in range(12)]
        await asyncio.sleep(0.02)
        await pool.ready(5)
        for task in flood:
            task.cancel()
    with pytest.raises(WorkerError, match="closed"):
        await pool.ready()


def test_closing_ends_everything() -> None:
    children = Path("/proc/self/task").joinpath(str(os.getpid()), "children")

    async def main() -> None:
        async with full_pool(workers=2, time_limit=50) as pool:
            tasks = [asyncio.create_task(outcome(pool.ask("", f"repeat, {i} = a", client=str(i)))) for i in range(6)]
            await until(lambda: pool.stats().busy == 2)
            workers = pids(pool)
        for answer in await asyncio.gather(*tasks):
            assert isinstance(answer, WorkerError)
        for pid in workers:
            assert not Path(f"/proc/{pid}").exists()
        with pytest.raises(WorkerError, match="closed"):
            await pool.ask("", "true")
        await pool.aclose()

    asyncio.run(main())  # whatever is made only once
    before, threads, processes = descriptors(), threading.active_count(), children.read_text()
    for _ in range(3):
        asyncio.run(main())
    assert descriptors() == before
    assert threading.active_count() == threads
    assert children.read_text() == processes


async def test_workers_serve_their_share_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "REQUESTS", 20)
    async with full_pool() as pool:
        seen = set()
        for i in range(300):
            assert bindings(await pool.ask(f"p({i % 3}).", "p(X)")) == [{"X": i % 3}]
            seen |= set(pids(pool))
            if i % 50 == 0:
                await until(lambda: pool.stats().spares == 1)
        assert pool.stats().recycled >= 5
        assert len(seen) >= 6
        assert pool.stats().died == pool.stats().killed == pool.stats().retried == 0


async def test_a_flood_of_probes_takes_no_questions_place() -> None:
    async with full_pool(workers=1, waiting=1, time_limit=0.3) as pool:
        slow = asyncio.create_task(outcome(pool.ask("", "repeat, fail", client="a")))
        await until(lambda: pool.stats().busy == 1)
        probes = [asyncio.create_task(pool.ready(5)) for _ in range(200)]
        await asyncio.sleep(0)
        probes.pop().cancel()  # one who leaves takes nothing from the others
        await asyncio.sleep(0)
        assert len(pool._lanes.quick) == 1, "one question for all of them"
        assert pool.stats().waiting == 0
        assert bindings(await pool.ask("", "X = 1", client="b")) == [{"X": 1}]
        await asyncio.gather(*probes)
        assert isinstance(await slow, TimeLimitError)


async def test_without_swi_prolog_every_question_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    async with Pool() as pool:
        for _ in range(2):
            with pytest.raises(SwiPrologMissingError, match="apt-get install swi-prolog-nox"):
                await pool.ask("", "true")
        monkeypatch.undo()
        await until(lambda: pool.stats().ready == 2)
        assert bindings(await pool.ask("", "X = 1")) == [{"X": 1}]
