"""Work in several processes, each with one thread: what several cores want."""

import multiprocessing
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.queues import SimpleQueue
from typing import Any

from neural.errors import NeuralError

SECONDS_PER_REPORT = 0.2
Send = Callable[..., None]
Work = Callable[[Send], None]
"""What is to be done; it may send what can be pickled."""
_queue: "SimpleQueue[tuple[Any, ...]] | None" = None


def side_by_side(works: Sequence[Work], receive: Callable[..., None], *, processes: int) -> None:
    """Does all `works`, which can be pickled, in that many processes, in this one if one is enough; `receive` is called
    here with whatever they send. The first error ends all of them; so does an interruption."""
    count = min(processes, len(works))
    if count < 2:
        for work in works:
            work(receive)
        return
    context = multiprocessing.get_context("spawn")
    sent: SimpleQueue[tuple[Any, ...]] = context.SimpleQueue()
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(count, context, initializer=_begin, initargs=(sent,))
    try:
        left = {pool.submit(_work, work) for work in works}
        while left:
            ended, left = wait(left, timeout=SECONDS_PER_REPORT, return_when="FIRST_COMPLETED")
            while not sent.empty():
                receive(*sent.get())
            for future in ended:
                future.result()
    except BrokenProcessPool:
        raise NeuralError(
            "a process was ended from outside, perhaps for want of memory: the same command goes on"
        ) from None
    finally:
        for process in set(multiprocessing.active_children()) - others:  # they would work to the end
            process.terminate()
        pool.shutdown(cancel_futures=True)


def _begin(queue: "SimpleQueue[tuple[Any, ...]]") -> None:
    global _queue
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's, who ends this process
    _queue = queue


def _work(work: Work) -> None:
    queue = _queue
    assert queue is not None, "the pool's initializer has run"
    work(lambda *message: queue.put(message))
