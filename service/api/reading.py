"""A thread that reads images, or looks at them, for many clients, turn by turn."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

from predinet_prolog.service.errors import BusyError
from predinet_prolog.symbolic.queueing import FairQueue

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class _Item:
    """An image that waits for its turn."""

    client: str
    work: Callable[[], Any]
    outcome: "Future[Any]" = field(default_factory=Future)


class Reader:
    """Reads images in a thread of its own, for the clients of one event loop.

    Clients take turns: nobody waits for much longer than one image of each other client takes.

    name: the thread's.
    patience: seconds after which an image whose turn has not come is given up.
    """

    def __init__(self, name: str, *, patience: float) -> None:
        self._patience = patience
        self._thread = ThreadPoolExecutor(1, name)
        self._queue: FairQueue[_Item] = FairQueue()
        self._lock = threading.Lock()  # of the queue, which the thread takes from

    async def read(self, client: str, work: Callable[[], T]) -> T:
        """What `work` returns. Raises what it raises, and BusyError if its turn does not come in time."""
        item = _Item(client, work)
        waiter: asyncio.Future[T] = asyncio.wrap_future(item.outcome)
        with self._lock:
            self._queue.push(client, item)
        try:
            self._thread.submit(self._take_turn)
            await asyncio.wait([waiter], timeout=self._patience)
            if self._give_up(item):
                raise BusyError(f"the image waited {self._patience:g} s for its turn: try again soon")
            return await waiter
        finally:
            self._give_up(item)
            waiter.cancel()  # or an error that nobody waits for any more would be logged

    def close(self) -> None:
        """Cancels what waits, and ends the thread after the image that it is at."""
        with self._lock:
            for item in self._queue:
                item.outcome.cancel()
        self._thread.shutdown(cancel_futures=True)

    def _give_up(self, item: _Item) -> bool:
        """Takes the item out of the queue. False if it is not there: its turn has come, or the reader is closed."""
        with self._lock:
            if item.outcome.running() or item.outcome.done():
                return False
            self._queue.remove(item.client, item)
            return item.outcome.cancel()

    def _take_turn(self) -> None:
        """One turn for each item that came; some were given up since."""
        with self._lock:
            if not len(self._queue):
                return
            item = self._queue.pop()
            if not item.outcome.set_running_or_notify_cancel():
                return
        try:
            result = item.work()
        except Exception as error:
            item.outcome.set_exception(error)
        else:
            item.outcome.set_result(result)
