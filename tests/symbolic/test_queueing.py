"""The fair queue: clients take turns."""

import pytest

from predinet_prolog.symbolic.queueing import FairQueue


def test_clients_take_turns_and_keep_their_order() -> None:
    queue: FairQueue[str] = FairQueue()
    for item in ["a1", "a2", "a3", "b1", "c1", "b2"]:
        queue.push(item[0], item)
    assert len(queue) == 6
    assert queue.pop() == "a1"
    queue.push("d", "d1")
    queue.remove("b", "b1")
    with pytest.raises(KeyError):
        queue.remove("e", "e1")
    assert sorted(queue) == ["a2", "a3", "b2", "c1", "d1"]
    assert [queue.pop() for _ in range(len(queue))] == ["b2", "c1", "a2", "d1", "a3"]
    assert not list(queue)
