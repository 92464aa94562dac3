"""One process trains in a folder at a time."""

from collections.abc import Callable
from pathlib import Path

import pytest

from neural.agents.learning import train_agent
from neural.errors import NeuralError
from neural.glimpses.training import fine_tune, train_glimpses
from neural.states import alone, alone_in
from neural.training import train


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
