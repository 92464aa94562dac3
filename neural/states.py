"""States: what a training that was interrupted goes on from. Files as checkpoints are, of PyTorch's tensors.

They lie in a folder in which one process trains at a time.
"""

import fcntl
import inspect
import logging
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import torch
from torch import Tensor

from predinet_prolog.neural.checkpoint import read_arrays, write_arrays
from predinet_prolog.neural.errors import CheckpointError, NeuralError, OtherRunError, TrainingDivergedError

P = ParamSpec("P")
R = TypeVar("R")

logger = logging.getLogger(__name__)


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """While one process is in here, NeuralError for every other: two would train the same, and lose some of it.

    The folder is made if need be, and locked itself, so that no file is left in it. One that was made for nothing goes.
    """
    new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    opened = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise NeuralError(f"another process trains in {folder}: wait for its end, or name another folder") from None
        yield
    finally:
        os.close(opened)
        if new and not any(folder.iterdir()):
            folder.rmdir()


def alone(train: Callable[P, R]) -> Callable[P, R]:
    """`train` is `alone_in` what it is given as `folder`."""
    parameters = inspect.signature(train)

    @wraps(train)
    def locked(*args: P.args, **kwargs: P.kwargs) -> R:
        with alone_in(parameters.bind(*args, **kwargs).arguments["folder"]):
            return train(*args, **kwargs)

    return locked


@contextmanager
def going_on_from(path: Path) -> Iterator[None]:
    """What is read from the state `path` in here and makes no sense becomes a CheckpointError with the remedy. That it
    is of another run, or cannot be read, stays what it is."""
    try:
        yield
    except OtherRunError:
        raise
    except (CheckpointError, AttributeError, KeyError, TypeError, ValueError, RuntimeError) as error:
        if isinstance(error.__cause__, OSError):
            raise
        raise CheckpointError(
            f"{path} was cut short, or is not the state of a run by this version: delete it to start again"
        ) from error


def tell_going_on(what: object, step: int, steps: int) -> None:
    if step:
        logger.info("%s: goes on from step %d of %d", what, step, steps)


def saved_step(path: Path) -> int:
    """How many steps the state in `path` has behind it; 0 if there is none."""
    if not path.exists():
        return 0
    with going_on_from(path):
        return int(read_state(path)[0]["step"])


def read_state(path: Path) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """Metadata and tensors, on the CPU; CheckpointError if the file is foreign, damaged or of another format."""
    metadata, arrays = read_arrays(path)
    return metadata, {name: torch.from_numpy(array) for name, array in arrays.items()}


def write_state(path: Path, metadata: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> None:
    """Writes `tensors` and `metadata` so that `path` is always a whole file."""
    write_arrays(path, metadata, {name: tensor.detach().cpu().numpy() for name, tensor in tensors.items()})


def save_step(path: Path, metadata: Mapping[str, Any], step: int, tensors: Mapping[str, Tensor]) -> None:
    """Writes the state after so many steps. TrainingDivergedError if a number in it is not finite, which a finite loss
    can leave: that is never saved."""
    if not all(bool(tensor.isfinite().all()) for tensor in tensors.values()):
        raise diverged(f"a weight became NaN or infinite by step {step}", path)
    write_state(path, {**metadata, "step": step}, tensors)


def diverged(what: str, path: Path) -> TrainingDivergedError:
    """The error of a run whose state is `path`."""
    kept = f"the last good state is kept in {path}" if path.exists() else "no state was saved yet"
    return TrainingDivergedError(f"{what}: {kept}")


def part(tensors: Mapping[str, Tensor], prefix: str) -> dict[str, Tensor]:
    """Those whose names begin with `prefix`, without it."""
    return {key.removeprefix(prefix): tensor for key, tensor in tensors.items() if key.startswith(prefix)}
