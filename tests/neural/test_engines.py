"""Work is divided among processes. They import this file, which therefore does without PyTorch."""

import os
import signal
from functools import partial

import pytest

from predinet_prolog.neural.engines import Names, Processes, Send
from predinet_prolog.neural.errors import NeuralError, WorkerDiedError

TWO = Processes(2)


def lengths(names: Names) -> list[int]:
    return list(map(len, names))


def send_twice(number: int, send: Send) -> None:
    send(number, 1)
    send(number, 2)


def fail(send: Send) -> None:
    raise NeuralError("no luck")


def die(send: Send) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_results_come_in_order() -> None:
    assert list(TWO.in_batches(lengths, ["a", "bb", "ccc", "dd", "e"], total=5, size=2)) == [[1, 2], [3, 2], [1]]


def process(names: Names) -> int:
    return os.getpid()


def test_this_process_works_on_what_another_has_no_time_for() -> None:
    first, second, third, *_ = TWO.in_batches(process, "abcde", total=5, size=1)
    assert first == second != third == os.getpid()


def test_what_works_send_is_received() -> None:
    received: list[tuple[int, int]] = []
    TWO.side_by_side([partial(send_twice, 3), partial(send_twice, 5)], lambda *message: received.append(message))
    assert sorted(received) == [(3, 1), (3, 2), (5, 1), (5, 2)]


def test_what_goes_wrong_in_a_process_is_reported() -> None:
    with pytest.raises(NeuralError, match="no luck"):
        TWO.side_by_side([fail, fail], lambda *message: None)
    with pytest.raises(WorkerDiedError, match=r"a process was ended from outside.*OMP_NUM_THREADS"):
        TWO.side_by_side([die, die], lambda *message: None)
