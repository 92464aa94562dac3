"""Where work is done that can be divided: by processes of this machine here, on a cluster by `neural.ray_engine`."""

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from multiprocessing.queues import SimpleQueue
from typing import Any, Protocol, TypeVar

from predinet_prolog.neural.errors import WorkerDiedError

SECONDS_PER_REPORT = 0.2
MOST_WORKERS = 16
"""Each worker takes a tenth of a gigabyte of memory."""

Result = TypeVar("Result")
Names = tuple[str, ...]
Send = Callable[..., None]
Work = Callable[[Send], None]
"""What is to be done; it may send what can be pickled."""
Works = TypeVar("Works", bound=Work)
Ready = Callable[[Sequence[Works], Collection[Works]], Sequence[Works]]
"""Of the works that wait, and beside those under way: which can begin."""


def all_at_once(waiting: Sequence[Works], busy: Collection[Works]) -> Sequence[Works]:
    """No work waits for another."""
    return waiting


class Engine(Protocol):
    """Does work, which can be pickled. An error of the work is raised here; what is left then is not done. Raises
    WorkerDiedError if a process ends on its own."""

    def in_batches(
        self, work: Callable[[Names], Result], names: Iterable[str], *, total: int, size: int
    ) -> Generator[Result, None, None]:
        """What `work` gives for all `names`, of which there are about `total`, `size` at a time and in order.

        A few batches are under way at once, so the memory does not grow with what `work` gives.
        """
        ...

    def side_by_side(self, works: Sequence[Works], receive: Send, *, ready: Ready[Works] = all_at_once) -> None:
        """Does all `works`, which stand in an order that will do, as soon as they are `ready`; `receive` is called here
        with whatever they send. Work that was interrupted may begin anew, in another process."""
        ...


@dataclass(frozen=True)
class Processes:
    """An Engine of this machine: as many processes as there is work for, `most` of them, one of which is this one where
    there are batches; this one alone if one is enough."""

    most: int | None = None
    """None: one on every processor that this process may use, at most MOST_WORKERS."""

    def in_batches(
        self, work: Callable[[Names], Result], names: Iterable[str], *, total: int, size: int
    ) -> Generator[Result, None, None]:
        """See Engine. When the generator is closed, batches under way are finished first."""
        iterator = iter(names)
        batches = iter(lambda: tuple(islice(iterator, size)), ())
        helpers = self._count(-(-total // size)) - 1
        if helpers < 1:
            yield from map(work, batches)
            return
        pool = ProcessPoolExecutor(helpers, multiprocessing.get_context("spawn"), initializer=_begin)
        under_way: deque[Future[Result]] = deque()
        try:
            for batch in batches:
                if sum(not future.done() for future in under_way) < 2 * helpers:
                    with _spawning():
                        under_way.append(pool.submit(work, batch))
                else:  # all have enough to do, and so has this process
                    under_way.append(_done(work, batch))
                while under_way and (under_way[0].done() or len(under_way) > 4 * helpers):
                    yield under_way.popleft().result()
            while under_way:
                yield under_way.popleft().result()
        except BrokenProcessPool as error:
            raise WorkerDiedError("a worker process ended on its own, perhaps for want of memory") from error
        finally:
            pool.shutdown(cancel_futures=True)

    def side_by_side(self, works: Sequence[Works], receive: Send, *, ready: Ready[Works] = all_at_once) -> None:
        """See Engine. An error, or an interruption, ends all processes."""
        count = self._count(len(works))
        if count < 2:
            for work in works:
                work(receive)
            return
        context = multiprocessing.get_context("spawn")
        sent: SimpleQueue[tuple[Any, ...]] = context.SimpleQueue()
        before = set(multiprocessing.active_children())
        pool = ProcessPoolExecutor(count, context, initializer=_begin, initargs=(sent,))

        def submit(work: Work) -> Future[None]:
            with _spawning():
                return pool.submit(_work, work)

        def take() -> None:
            while not sent.empty():
                receive(*sent.get())

        try:
            conduct(works, ready, count, submit, take)
        except BrokenProcessPool:
            raise WorkerDiedError(
                "a process was ended from outside, perhaps for want of memory: the same command goes on; with the "
                "variable OMP_NUM_THREADS lower, fewer work at once"
            ) from None
        finally:
            for process in set(multiprocessing.active_children()) - before:  # they would work to the end
                process.terminate()
            pool.shutdown(cancel_futures=True)

    def _count(self, works: int) -> int:
        return min(self.most or min(_processors(), MOST_WORKERS), works)


def _done(work: Callable[[Names], Result], names: Names) -> "Future[Result]":
    """What the work gives, or its error, which is raised when it is its turn."""
    future = Future[Result]()
    try:
        future.set_result(work(names))
    except Exception as error:
        future.set_exception(error)
    return future


PROCESSES = Processes()


def conduct(
    works: Sequence[Works],
    ready: Ready[Works],
    most: int,
    submit: Callable[[Works], "Future[None]"],
    receive: Callable[[], None],
) -> None:
    """Submits the works as they are `ready`, `most` of them at once, and lets what they send be received, until all are
    done. The first error is raised."""
    waiting, busy = list(works), dict[Future[None], Works]()
    while waiting or busy:
        for work in list(ready(waiting, busy.values()))[: most - len(busy)]:
            waiting.remove(work)
            busy[submit(work)] = work
        ended = wait(busy, timeout=SECONDS_PER_REPORT, return_when="FIRST_COMPLETED").done
        receive()
        for future in ended:
            del busy[future]
            future.result()


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def _spawning() -> Iterator[None]:
    """A process that is started meanwhile never hears of Ctrl-C, which is its parent's, and takes one thread for
    arithmetic: it reads that when it loads numpy."""
    before = os.environ.get("OPENBLAS_NUM_THREADS")
    on_main_thread = threading.current_thread() is threading.main_thread()
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN) if on_main_thread else None
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    try:
        yield
    finally:
        del os.environ["OPENBLAS_NUM_THREADS"]
        if before is not None:
            os.environ["OPENBLAS_NUM_THREADS"] = before
        if on_main_thread:
            signal.signal(signal.SIGINT, handler)


# --- In a process. ---

_queue: "SimpleQueue[tuple[Any, ...]] | None" = None


def _begin(queue: "SimpleQueue[tuple[Any, ...]] | None" = None) -> None:
    """Makes a fresh process a worker, which leaves Ctrl-C to its parent and ends with it."""
    global _queue
    _queue = queue
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that no half of a file is left over
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()


def _work(work: Work) -> None:
    queue = _queue
    assert queue is not None, "the pool's initializer has run"
    work(lambda *message: queue.put(message))
