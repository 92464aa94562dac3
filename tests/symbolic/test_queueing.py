"""The fair queue: nobody is forgotten, nobody waits for long behind one who asks much."""

import random
from collections import deque

import pytest

from predinet_prolog.symbolic.queueing import FairQueue


def test_idle_time_is_not_saved_up() -> None:
    queue: FairQueue[str] = FairQueue()
    queue.push("rare", "rare")
    assert queue.pop() == "rare"
    for i in range(100):
        queue.push("busy", f"busy{i}")
        assert queue.pop() == f"busy{i}"
    for i in range(10):
        queue.push("rare", f"rare{i}")
        queue.push("busy", f"late{i}")
    assert 4 <= sum(item.startswith("rare") for item in [queue.pop() for _ in range(10)]) <= 6


def test_who_uses_more_time_gets_fewer_turns() -> None:
    """A turn counts 1 ms at least: one of 10 ms is worth ten short ones."""
    queue: FairQueue[str] = FairQueue()
    for i in range(200):
        queue.push("slow", f"slow{i}")
        queue.push("quick", f"quick{i}")
    turns = {"slow": 0, "quick": 0}
    for _ in range(110):
        client = queue.pop().rstrip("0123456789")
        turns[client] += 1
        queue.charge(client, {"slow": 0.010, "quick": 0.0002}[client])
    assert 9 <= turns["slow"] <= 11


def test_a_mishap_is_forgiven_soon() -> None:
    queue: FairQueue[str] = FairQueue()
    queue.charge("unlucky", 3600)
    for i in range(200):
        queue.push("unlucky", f"unlucky{i}")
        queue.push("other", f"other{i}")
    turns = 0
    while not queue.pop().startswith("unlucky"):
        turns += 1
    assert 10 <= turns <= 51


def test_against_a_list() -> None:
    """Whatever is done to it, the queue holds what a plain model holds, in order within each client."""
    rng = random.Random(11)
    queue: FairQueue[int] = FairQueue()
    model: dict[str, deque[int]] = {client: deque() for client in "abcde"}
    for number in range(5000):
        client = rng.choice("abcde")
        waiting = {client: line for client, line in model.items() if line}
        match rng.choice(["push", "first", "pop", "remove", "charge"]):
            case "push":
                queue.push(client, number)
                model[client].append(number)
            case "first":
                queue.push(client, number, first=True)
                model[client].appendleft(number)
            case "pop" if waiting:
                assert queue.pop() in [line[0] for line in waiting.values()]
                (changed,) = [c for c, line in model.items() if line and line[0] not in set(queue)]
                model[changed].popleft()
            case "remove" if model[client]:
                item = rng.choice(model[client])
                queue.remove(client, item)
                model[client].remove(item)
            case "charge":
                queue.charge(client, rng.random() / 10)
        assert sorted(queue) == sorted(item for line in model.values() for item in line)
    for client, line in model.items():
        while line:
            queue.remove(client, line.popleft())
    with pytest.raises(KeyError):
        queue.remove("a", 1)
    with pytest.raises(ValueError, match="empty"):
        queue.pop()


def test_clients_long_gone_are_forgotten() -> None:
    queue: FairQueue[str] = FairQueue()
    for i in range(20_000):
        client = f"client{i}"
        queue.push(client, client)
        queue.pop()
        queue.charge(client, 0.0001)
    assert len(queue._used) <= 1002
