"""Who is next: a queue in which no client can make the others wait for long."""

from collections import deque
from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")

_TURN = 0.001  # seconds that a turn counts at least, so that clients with short questions simply alternate
_DEBT = 0.05  # seconds that a client is behind the others at most: a mishap keeps nobody waiting for long
_REMEMBERED = 1000  # clients


class FairQueue(Generic[T]):
    """Items of clients. First in, first out within a client; among clients, who has used the least time is next.

    Clients that use the same time take turns. Time is charged by `charge`; what a client did not use while it had
    nothing to ask is not saved up for later.
    """

    def __init__(self) -> None:
        self._lines: dict[str, deque[T]] = {}  # no line is empty; of those who are equal, the first is next
        self._used: dict[str, float] = {}  # seconds, counted from where the others stood when a client came
        self._clock = 0.0  # how far the client that was next last had come
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[T]:
        return (item for line in self._lines.values() for item in line)

    def waiting(self, client: str) -> int:
        """How many items of the client are in the queue."""
        return len(self._lines.get(client, ()))

    def push(self, client: str, item: T, *, first: bool = False) -> None:
        """`item` waits behind the client's others, or before them."""
        line = self._lines.get(client)
        if line is None:
            line = self._lines[client] = deque()
            self._used[client] = max(self._clock, self._used.get(client, 0.0))
        if first:
            line.appendleft(item)
        else:
            line.append(item)
        self._length += 1

    def pop(self) -> T:
        """Takes the next item out. Raises ValueError if there is none."""
        client = min(self._lines, key=self._used.__getitem__)
        line = self._lines.pop(client)
        item = line.popleft()
        if line:
            self._lines[client] = line
        self._length -= 1
        # It moves on in any case, or ever new clients could keep the old ones waiting.
        self._clock = max(self._used[client], self._clock + _TURN / (len(self._lines) or 1))
        self._used[client] += _TURN
        return item

    def remove(self, client: str, item: T) -> None:
        """Takes `item` out. Raises KeyError or ValueError if it is not there."""
        line = self._lines[client]
        line.remove(item)
        if not line:
            del self._lines[client]
        self._length -= 1

    def charge(self, client: str, seconds: float) -> None:
        """What the turn of a client's item took."""
        used = self._used.get(client, self._clock) + max(0.0, seconds - _TURN)
        self._used[client] = min(used, self._clock + _DEBT)
        if len(self._used) > _REMEMBERED:
            # Those who are behind the clock would start from it anyway.
            self._used = {c: used for c, used in self._used.items() if used > self._clock or c in self._lines}
