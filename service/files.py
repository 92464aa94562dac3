"""Reading what the user names, and writing so that a file is there whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from predinet_prolog.domains import writing
from predinet_prolog.service.errors import OutputError, UsageError

MAX_TEXT = 16 * 2**20
"""Bytes of a program or rule file; no larger one is read. Other texts have bounds of their own."""


def read_text(path: Path) -> str:
    """The text of a file in UTF-8. Raises UsageError for anything that is none."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_TEXT + 1)
    except FileNotFoundError:
        raise UsageError(f"no such file: {path}") from None
    except IsADirectoryError:
        raise UsageError(f"{path} is a directory: name a file") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read: {_reason(error)}") from error
    if len(data) > MAX_TEXT:
        raise UsageError(f"{path} is larger than {MAX_TEXT // 2**20} MiB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8 text (byte {error.start})") from error


def write_atomically(path: Path, data: bytes) -> None:
    """Writes a file that the user names, whole; makes the folders above it.

    A link stays a link, and a device or pipe is written to. Raises OutputError, and leaves neither half a file nor a
    temporary one.
    """
    with writing_to(path):
        if os.path.lexists(path):
            path = path.resolve()  # a link stays a link
            if path.exists() and not path.is_file():
                # A device or pipe is written to, never replaced. A directory is refused by the system.
                path.write_bytes(data)
                return
            if path.exists() and not os.access(path, os.W_OK):
                raise PermissionError(13, "Permission denied", str(path))
        writing.write_atomically(path, data)


@contextmanager
def writing_to(path: Path) -> Iterator[None]:
    """Turns the system's errors into an OutputError that names `path`, not a temporary file beside it."""
    try:
        yield
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise OutputError(f"cannot write {path}: {_reason(error)}") from error


def _reason(error: OSError | ValueError) -> str:
    return str((isinstance(error, OSError) and error.strerror) or error)
