"""Who is next: a queue in which no client can make the others wait for long."""

from collections import deque
from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class FairQueue(Generic[T]):
    """Items of clients. First in, first out within a client; clients take turns."""

    def __init__(self) -> None:
        self._lines: dict[str, deque[T]] = {}  # no line is empty; the first is next

    def __len__(self) -> int:
        return sum(map(len, self._lines.values()))

    def __iter__(self) -> Iterator[T]:
        return (item for line in self._lines.values() for item in line)

    def push(self, client: str, item: T) -> None:
        """`item` waits behind the client's others."""
        self._lines.setdefault(client, deque()).append(item)

    def pop(self) -> T:
        """Takes the next item out. Raises StopIteration if there is none."""
        client = next(iter(self._lines))
        line = self._lines.pop(client)
        item = line.popleft()
        if line:
            self._lines[client] = line
        return item

    def remove(self, client: str, item: T) -> None:
        """Takes `item` out. Raises KeyError or ValueError if it is not there."""
        line = self._lines[client]
        line.remove(item)
        if not line:
            del self._lines[client]
