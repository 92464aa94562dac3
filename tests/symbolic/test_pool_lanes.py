"""The two lanes: slow questions get their whole time, and leave a worker to the quick ones."""

import asyncio

import pytest

from predinet_prolog.symbolic import OverloadedError, Pool, PrologError, Rules, SymbolicError, TimeLimitError, limits
from tests.symbolic.helpers import GMP, bindings, full_pool, outcome, until

pytestmark = [pytest.mark.slow(26), pytest.mark.anyio]

SLOW = [
    "repeat, fail",
    GMP,
    "X is gcd(7**9000000, 3**15000000)",
    "findall(X, between(1, inf, X), L)",
    "length(L, 100), maplist(between(0, 1), L), fail",
]


async def slow_flood(pool: Pool, n: int) -> list["asyncio.Task[object]"]:
    tasks = [
        asyncio.create_task(outcome(pool.ask("", f"{SLOW[i % len(SLOW)]}, x{i} = y", client=f"flood{i % 4}")))
        for i in range(n)
    ]
    await asyncio.sleep(0)
    return tasks  # type: ignore[return-value]


@pytest.mark.parametrize(("workers", "quick"), [(1, 3), (2, 20)])
async def test_quick_questions_pass_a_flood_of_slow_ones(workers: int, quick: int) -> None:
    """A client with one quick question after the other gets all its answers while slow ones still wait."""
    async with full_pool(workers=workers, time_limit=0.3, patience=30) as pool:
        flood = await slow_flood(pool, 10)
        for i in range(quick):
            assert bindings(await pool.ask("", f"X = {i}", client="quick")) == [{"X": i}]
        assert sum(not task.done() for task in flood) >= 2
        results = await asyncio.gather(*flood)
        assert all(isinstance(result, TimeLimitError | OverloadedError | PrologError) for result in results)


async def test_a_slow_question_is_answered_on_its_second_try(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SLICE", 0.02)
    goal = "aggregate_all(count, between(1, 300000, _), N)"
    async with full_pool(workers=1, time_limit=20, patience=60) as pool:
        answers = await asyncio.gather(
            *(pool.ask("", f"{goal}, B = {i}", client=f"c{i}") for i in range(4)),
            *(pool.ask("", f"A = {i}", client="quick") for i in range(4)),
        )
        for i, answer in enumerate(answers[:4]):
            assert bindings(answer) == [{"N": 300_000, "B": i}]
        for i, answer in enumerate(answers[4:]):
            assert bindings(answer) == [{"A": i}]


async def test_the_first_worker_is_kept_for_quick_questions() -> None:
    async with full_pool(workers=3, time_limit=0.3, patience=30) as pool:
        flood = await slow_flood(pool, 8)
        seen = {True: 0, False: 0}
        while any(not task.done() for task in flood):
            for slot in pool._slots:
                if slot.turn is not None:
                    seen[slot.turn.sliced] += 1
                    assert slot.turn.sliced or slot is not pool._slots[0]
            await asyncio.sleep(0.005)
        assert all(seen.values())


async def test_what_was_slow_goes_to_the_patient_lane_at_once() -> None:
    """And what was quick on its second try does not: it was the machine that was busy."""
    async with full_pool(workers=1, time_limit=0.3, per_client=100) as pool:
        with pytest.raises(TimeLimitError):
            await pool.ask("", "repeat, fail")
        running = asyncio.create_task(outcome(pool.ask("", "repeat, fail, 1 = a")))
        again = asyncio.create_task(outcome(pool.ask("", "repeat, fail")))
        other = asyncio.create_task(outcome(pool.ask("", "true")))
        await asyncio.sleep(0)
        assert (pool.stats().patient, pool.stats().waiting) == (1, 1)
        await asyncio.gather(running, again, other)
        question = pool._bounds.question("", "X = 1", (), None, None, False)
        pool._lanes._slow[hash(question)] = None
        assert bindings(await pool.ask("", "X = 1")) == [{"X": 1}]
        assert hash(question) not in pool._lanes._slow
        # Where the patient lane is full, it may still show that it is quick.
        pool._lanes._slow[hash(question)] = None
        goals = [f"repeat, {i} = a" for i in range(limits.PATIENT + 2)]
        for goal in goals:  # all of them begin there, so that it is full at once on any machine
            pool._lanes._slow[hash(pool._bounds.question("", goal, (), None, None, False))] = None
        flood = [asyncio.create_task(outcome(pool.ask("", goal))) for goal in goals]
        await until(lambda: pool.stats().patient == limits.PATIENT)
        assert bindings(await pool.ask("", "X = 1")) == [{"X": 1}]
        for task in flood:
            task.cancel()


async def test_the_patient_lane_is_bounded() -> None:
    async with full_pool(workers=2, time_limit=30, per_client=100) as pool:
        flood = [asyncio.create_task(outcome(pool.ask("", f"repeat, {i} = a"))) for i in range(limits.PATIENT + 4)]
        await until(lambda: sum(task.done() for task in flood) >= 3)
        done = [task.result() for task in flood if task.done()]
        assert all(isinstance(result, OverloadedError) for result in done)
        assert pool.stats().patient == limits.PATIENT
        with pytest.raises(OverloadedError, match="slow queries wait already"):
            await pool.ask("", "repeat, 1 = b")
        for task in flood:
            task.cancel()


async def test_a_question_with_a_short_limit_runs_once() -> None:
    async with full_pool(workers=1) as pool:
        tasks = [
            asyncio.create_task(outcome(pool.ask("", f"repeat, {i} = a", time_limit=0.03, client=str(i))))
            for i in range(5)
        ]
        for result in await asyncio.gather(*tasks):
            assert isinstance(result, TimeLimitError)
            assert "0.03 s" in str(result)
        (worker,) = [slot.worker for slot in pool._slots]
        assert worker is not None
        assert pool.stats().killed == 0
        assert worker.requests == 6, "the program's loading and five goals"


async def test_loading_a_strangers_rules_is_part_of_the_slice() -> None:
    """Long texts go to the patient lane at once, and quick questions pass them."""
    many = "\n".join(f"p{i}(X) :- q(X, a{i}), \\+ r(X)." for i in range(8_000))
    async with full_pool(workers=2, per_client=100, patience=60) as pool:
        loads = [
            asyncio.create_task(outcome(pool.ask("", "true", rules=[Rules(f"r{i}.pl", many)], client="heavy")))
            for i in range(4)
        ]
        await until(lambda: pool.stats().busy >= 1)
        assert pool.stats().patient == 3
        for i in range(20):
            assert bindings(await pool.ask("", f"X = {i}", client="quick")) == [{"X": i}]
        assert any(not task.done() for task in loads)
        for result in await asyncio.gather(*loads):
            assert isinstance(result, list | SymbolicError)
