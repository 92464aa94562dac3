"""A few Prolog processes shared by the requests of the service."""

import queue
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from service.errors import BusyError
from symbolic import Engine


class EnginePool:
    """`size` engines, each lent to one request at a time. A context manager: leaving it ends the processes.

    The engine given back last is lent first: it is the likeliest to have the next program loaded.
    """

    def __init__(self, size: int, *, time_limit: float, answer_limit: int, patience: float) -> None:
        self._patience = patience
        self._engines = [Engine(time_limit=time_limit, answer_limit=answer_limit) for _ in range(size)]
        self._free: queue.LifoQueue[Engine] = queue.LifoQueue()
        for engine in self._engines:
            self._free.put(engine)

    def __enter__(self) -> "EnginePool":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for engine in self._engines:
            engine.close()

    @contextmanager
    def lend(self) -> Iterator[Engine]:
        """An engine for the block's own use. Raises BusyError if none gets free in time."""
        try:
            engine = self._free.get(timeout=self._patience)
        except queue.Empty:
            raise BusyError(f"all Prolog processes are busy; none got free in {self._patience:g} s") from None
        try:
            yield engine
        finally:
            self._free.put(engine)
