"""One process trains in a folder at a time, and states that were cut short are refused."""

from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from predinet_prolog.neural.agents.learning import train_agent
from predinet_prolog.neural.errors import CheckpointError, NeuralError, TrainingDivergedError
from predinet_prolog.neural.glimpses.training import fine_tune, train_glimpses
from predinet_prolog.neural.states import alone, alone_in, save_step, saved_step, write_state
from predinet_prolog.neural.training import train


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
