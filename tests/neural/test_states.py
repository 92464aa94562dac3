"""One process trains in a folder at a time, work is divided among some, and states that were cut short are refused."""

import os
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
import torch

from predinet_prolog.neural.agents.learning import train_agent
from predinet_prolog.neural.engines import Names, Processes, Send
from predinet_prolog.neural.errors import CheckpointError, NeuralError, TrainingDivergedError, WorkerDiedError
from predinet_prolog.neural.glimpses.training import fine_tune, train_glimpses
from predinet_prolog.neural.states import alone, alone_in, save_step, saved_step, write_state
from predinet_prolog.neural.training import train

pytestmark = pytest.mark.slow(4)


@pytest.mark.parametrize("learn", [train, train_agent, train_glimpses, fine_tune])
def test_no_training_begins_where_another_process_trains(learn: Callable[..., object], tmp_path: Path) -> None:
    """Before it looks at anything else. A lock is of an open folder, so that one process can stand for two."""
    given = [None] * (3 if learn is train_agent else 2)
    named = {"game": None, "steps": None} if learn is train_agent else {}
    with alone_in(tmp_path), pytest.raises(NeuralError, match=f"another process trains in {tmp_path}: wait"):
        learn(*given, tmp_path, **named)
    assert not list(tmp_path.iterdir())


def test_a_folder_is_free_again_after_an_error_and_other_folders_always(tmp_path: Path) -> None:
    @alone
    def learn(rate: int, folder: Path) -> float:
        """Learns."""
        return 1 / rate

    assert (learn.__name__, learn.__doc__) == ("learn", "Learns.")
    for folder, stays in ((tmp_path, True), (tmp_path / "new", False)):
        with pytest.raises(ZeroDivisionError):
            learn(0, folder=folder)
        assert folder.exists() == stays
        assert learn(2, folder) == 0.5
    with alone_in(tmp_path):
        assert learn(2, tmp_path / "new") == 0.5


@pytest.mark.parametrize("left", [0, 5, 60, -1])
def test_a_state_cut_short_or_without_a_step_is_refused(tmp_path: Path, left: int) -> None:
    path = tmp_path / "state.safetensors"
    write_state(path, {"step": 7}, {"a": torch.ones(3)})
    assert saved_step(path) == 7
    path.write_bytes(path.read_bytes()[:left])
    for _ in range(2):
        with pytest.raises(CheckpointError, match=rf"^{path} was cut short.*: delete it to start again$"):
            saved_step(path)
        write_state(path, {"step": "seven" if left else None}, {"a": torch.ones(3)})
    path.unlink()
    assert saved_step(path) == 0


def test_weights_that_are_not_finite_are_never_saved(tmp_path: Path) -> None:
    path = tmp_path / "state.safetensors"
    for kept in ("no state was saved yet", rf"the last good state is kept in {path}"):
        with pytest.raises(TrainingDivergedError, match=f"a weight became NaN or infinite by step 4: {kept}"):
            save_step(path, {}, 4, {"a": torch.ones(3), "b": torch.tensor([1.0, torch.inf])})
        assert path.exists() == ("kept" in kept)
        save_step(path, {}, 3, {"a": torch.ones(3)})
    assert saved_step(path) == 3


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
