"""What the command line says, and where: results on standard output, all else on standard error."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from pathlib import Path
from typing import Any, TextIO, TypeVar, cast

T = TypeVar("T")

PROGRAM = "predinet-prolog"
VERBOSELY = f"{PROGRAM}.verbose"
"""Of a command's context: whether everything is told."""


class OutputClosed(Exception):  # noqa: N818 (not an error where the reader has had enough)
    """Standard output takes no more. `reason`: why, or "" if who read it is gone, as `head` is after its ten lines."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@contextmanager
def standard_streams() -> Iterator[None]:
    """While it is open, all that is written to standard output is written or raises OutputClosed, whoever writes it.

    A stream that was closed before the program began becomes one on the null device, lest a file that is opened later
    takes its number: standard output one that cannot be written.
    """
    sys.stdin = sys.stdin or Path(os.devnull).open()  # noqa: SIM115 (they stay open)
    output = sys.stdout or Path(os.devnull).open()  # noqa: SIM115
    sys.stderr = sys.stderr or Path(os.devnull).open("w")  # noqa: SIM115
    with redirect_stdout(cast(TextIO, _Output(output))):
        yield


class _Output:
    """Standard output, whose failures are not those of other files."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lost: OutputClosed | None = None  # click asks whether a stream takes bytes, and swallows what that raises

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        return self._watched(lambda: self._stream.write(text))

    def flush(self) -> None:
        self._watched(self._stream.flush)

    def _watched(self, work: Callable[[], T]) -> T:
        if self._lost:
            raise self._lost
        try:
            return work()
        except OSError as error:
            # What is left in the buffer must not raise again when Python closes the stream.
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())
            self._lost = OutputClosed("" if isinstance(error, BrokenPipeError) else error.strerror or "it is closed")
            raise self._lost from None


def emit(text: str) -> None:
    """Writes a result to standard output, at once. What its encoding lacks is written as an escape."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
    sys.stdout.flush()


def note(*messages: str) -> None:
    """Tells the user something, each in one line, if there is still where."""
    with suppress(OSError):
        sys.stderr.write("".join(f"{PROGRAM}: {one_line(message)}\n" for message in messages))


def counted(number: int, what: str) -> str:
    """So many of them: `1 image`, `2 images`."""
    return f"{number} {what}" + ("" if number == 1 else "s")


def one_line(message: str) -> str:
    """`message` without line breaks or control characters, which names of files may hold."""
    line = " ".join(message.split())
    return line if line.isprintable() else "".join(c if c.isprintable() else " " for c in line)
