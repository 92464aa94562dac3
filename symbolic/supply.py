"""Fresh workers, one of them always started ahead."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable

from predinet_prolog.symbolic.errors import SymbolicError, WorkerError
from predinet_prolog.symbolic.nonblocking import NonblockingChannel
from predinet_prolog.symbolic.worker import Worker

logger = logging.getLogger(__name__)

_PAUSE = 1.0  # seconds until the next try when a worker could not start


class Supply:
    """Workers to take, started in the background: there is one spare, unless workers end faster than they start.

    on_end: called with a worker that was taken, and its status, when its process has ended.
    started: how many workers ever started.
    """

    def __init__(self, on_end: Callable[[Worker, int], None]) -> None:
        self.started = 0
        self._on_end = on_end
        self._spares: list[Worker] = []
        self._takers: deque[asyncio.Future[Worker]] = deque()
        self._all: set[Worker] = set()  # that have not ended
        self._starting = 0
        self._lives: set[asyncio.Task[None]] = set()
        self._closed = False

    @property
    def spares(self) -> int:
        """How many workers can be taken at once."""
        return len(self._spares)

    async def take(self, *, first: bool) -> Worker:
        """A worker that nobody else has; `first` comes before the others. Raises a SymbolicError if none can start."""
        if self._spares:
            worker = self._spares.pop()
            self._top_up()
            return worker
        taker: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        if first:
            self._takers.appendleft(taker)
        else:
            self._takers.append(taker)
        self._top_up()
        return await taker

    async def aclose(self) -> None:
        """Ends all workers, taken or not."""
        self._closed = True
        for worker in self._all:
            worker.kill()
        if self._lives:
            await asyncio.wait(self._lives)

    def _top_up(self) -> None:
        """Starts as many as are missing."""
        if self._closed:
            return
        self._takers = deque(taker for taker in self._takers if not taker.done())
        for _ in range(len(self._takers) + 1 - len(self._spares) - self._starting):
            self._starting += 1
            life = asyncio.create_task(self._live())
            self._lives.add(life)
            life.add_done_callback(self._lives.discard)

    async def _live(self) -> None:
        """A worker's life: it is started, handed out, and ends."""
        try:
            worker = Worker(await NonblockingChannel.start())
            await worker.greet()
        except (SymbolicError, OSError) as error:
            logger.error("a Prolog process could not start: %s", error)
            failure = error if isinstance(error, SymbolicError) else WorkerError(f"no Prolog process: {error}")
            for taker in self._takers:
                if not taker.done():
                    taker.set_exception(failure)
            asyncio.get_running_loop().call_later(_PAUSE, self._top_up)
            return
        finally:
            self._starting -= 1
        self.started += 1
        self._all.add(worker)
        if self._closed:
            worker.kill()
        self._hand_out(worker)
        status = await worker.closed()
        self._all.discard(worker)
        if self._closed:
            return
        if worker in self._spares:
            logger.warning("the spare Prolog process %d ended with status %d", worker.pid, status)
            self._spares.remove(worker)
            self._top_up()
        else:
            self._on_end(worker, status)

    def _hand_out(self, worker: Worker) -> None:
        for taker in self._takers:
            if not taker.done():
                taker.set_result(worker)
                return
        self._spares.append(worker)
