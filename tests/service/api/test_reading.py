"""A thread for many clients: they take turns, nobody waits without end, and who goes away leaves nothing behind."""

import asyncio
import gc
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from predinet_prolog.service.api.reading import Reader
from predinet_prolog.service.errors import BusyError


@contextmanager
def opened(patience: float = 60) -> Iterator[Reader]:
    reader = Reader("test-reader", patience=patience)
    try:
        yield reader
    finally:
        reader.close()


class Work:
    """What a reader is given to do: noted when it is done, and held up until it is freed."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self._begun = threading.Event()
        self._free = threading.Event()

    def note(self, name: str) -> Callable[[], str]:
        def work() -> str:
            self.done.append(name)
            return name

        return work

    def hold(self) -> None:
        self._begun.set()
        assert self._free.wait(20)

    async def begun(self) -> None:
        assert await asyncio.to_thread(self._begun.wait, 30)

    def free(self) -> None:
        self._free.set()


async def test_what_waits_too_long_is_given_up_and_never_read() -> None:
    work = Work()
    with opened() as reader:
        first = asyncio.create_task(reader.read("a", work.hold))
        await work.begun()
        reader._patience = 0.05
        with pytest.raises(BusyError, match=r"^the image waited 0\.05 s for its turn: try again soon$") as caught:
            await reader.read("b", work.note("late"))
        assert caught.value.retry_after == 1
        reader._patience = 60
        work.free()
        await first
        assert await reader.read("b", work.note("next")) == "next"
    assert work.done == ["next"]


async def test_who_goes_away_leaves_nothing_behind(caplog: pytest.LogCaptureFixture) -> None:
    """Neither what has not begun nor the error of what has."""
    work = Work()

    def fail() -> None:
        work.hold()
        raise ArithmeticError("nobody listens")

    with opened() as reader:
        first = asyncio.create_task(reader.read("a", fail))
        await work.begun()
        second = asyncio.create_task(reader.read("a", work.note("second")))
        await asyncio.sleep(0)
        for task in (first, second):
            task.cancel()
        assert [type(one) for one in await asyncio.gather(first, second, return_exceptions=True)] == [
            asyncio.CancelledError
        ] * 2
        assert len(reader._queue) == 0
        work.free()
        assert await reader.read("a", work.note("third")) == "third"
        del first, second, task
        gc.collect()  # an error that nobody took is logged when it goes
    assert work.done == ["third"]
    assert caplog.text == ""


async def test_closing_cancels_what_waits_and_ends_the_thread() -> None:
    work = Work()
    reader = Reader("test-reader", patience=60)
    first = asyncio.create_task(reader.read("a", work.hold))
    await work.begun()
    second = asyncio.create_task(reader.read("b", work.note("second")))
    await asyncio.sleep(0)
    asyncio.get_running_loop().call_later(0.05, work.free)
    await asyncio.to_thread(reader.close)
    await first
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(second, 10)
    assert work.done == []
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("test-reader")]
