"""Writing so that a file or folder is there whole or not at all."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

try:
    import fcntl
except ImportError:  # in a browser, where one process writes, and none is killed
    fcntl = None  # type: ignore[assignment]


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A path of the same name, for a file or folder that takes the place of `path` when the block ends.

    It lies in a hidden folder of its own beside `path`; the folders above are made. After an error or an interruption
    `path` is as it was, and nothing else is left; what a process left that was killed meanwhile, the next one clears.
    Raises OSError if nothing can be written there.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    folder, opened = _hidden_folder(path)
    try:
        temporary = folder / path.name
        yield temporary
        temporary.replace(path)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(opened)


def write_atomically(path: Path, data: bytes) -> None:
    """Writes a file by `replacing`. Raises OSError."""
    with replacing(path) as temporary:
        temporary.write_bytes(data)


def _hidden_folder(path: Path) -> tuple[Path, int]:
    """An empty folder beside `path`, and its descriptor, which holds its lock. Those that were left over are gone."""
    held: list[tuple[Path, int]] = []
    for number in count():
        folder = path.with_name(f".{path.name[:60]}.unfinished-{number}")  # 255 bytes at most
        if held and not folder.exists():
            break
        if (opened := _locked(folder)) is not None:
            held.append((folder, opened))
    for folder, opened in held[1:]:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(opened)
    return held[0]


def _locked(folder: Path) -> int | None:
    """The descriptor of the folder, made if need be and empty; None if somebody else may write into it."""
    while True:
        try:
            folder.mkdir(0o700)
            new = True
        except FileExistsError:
            new = False
        try:
            opened = os.open(folder, os.O_RDONLY)
        except FileNotFoundError:  # who wrote there has ended meanwhile
            continue
        except PermissionError:
            return None
        try:
            if fcntl is not None:
                fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:  # some network drives have no locks
            if isinstance(error, BlockingIOError) or not new:
                os.close(opened)
                return None
        with suppress(FileNotFoundError):
            if os.path.samestat(folder.stat(), os.fstat(opened)):
                break
        os.close(opened)
    try:
        for left in folder.iterdir():
            shutil.rmtree(left) if left.is_dir() else left.unlink()
    except OSError:
        os.close(opened)
        return None
    return opened
