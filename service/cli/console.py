"""What the command line says, and where: results on standard output, all else on standard error."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
from pathlib import Path
from typing import Any, TextIO, TypeVar, cast

import click

T = TypeVar("T")

PROGRAM = "predinet-prolog"
VERBOSELY = f"{__name__}.verbose"
"""Of a context: whether everything is told."""
RESIZED = "resized from "
"""What begins so is said by `domains.images`, which a help must not wait for."""
LOG_STEPS = 1000
"""Steps between two lines of a log, at least."""


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


def note(message: str) -> None:
    """Tells the user something in one line, if there is still where."""
    with suppress(OSError):
        sys.stderr.write(f"{PROGRAM}: {one_line(message)}\n")


def is_told(remark: str) -> bool:
    """Whether a remark on an image is told: that it was made smaller or larger, which changes no answer, with -v."""
    context = click.get_current_context(silent=True)
    return not remark.startswith(RESIZED) or (context is not None and bool(context.find_root().meta.get(VERBOSELY)))


def counted(number: int, what: str) -> str:
    """So many of them: `1 image`, `2 images`."""
    return f"{number} {what}" + ("" if number == 1 else "s")


def one_line(message: str) -> str:
    """`message` without line breaks or control characters, which names of files may hold."""
    line = " ".join(message.split())
    return line if line.isprintable() else "".join(c if c.isprintable() else " " for c in line)


@contextmanager
def progress(description: str, total: int, unit: str, *, logged: bool = False) -> Iterator[Callable[..., None]]:
    """A bar on a terminal. Elsewhere nothing, or if `logged` a line now and then: for work that takes minutes.

    Call what it gives with the steps done, text to show with them, and `total` where that has changed.
    """
    if not sys.stderr.isatty():
        yield _log(description, total, unit) if logged else lambda steps, text="", total=None: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(unit),
        TimeRemainingColumn(),
        TextColumn("{task.fields[text]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(description, total=total, text="")

        def advance(steps: int, text: str = "", total: int | None = None) -> None:
            bar.update(task, advance=steps, total=total, text=text)

        yield advance


def followed(frames: Iterable[T], description: str, total: int) -> Iterator[T]:
    """The same, with a bar."""
    with progress(description, total, "frames") as advance:
        for frame in frames:
            yield frame
            advance(1)


@contextmanager
def following(description: str, unit: str) -> Iterator[Callable[[int, int, str], None]]:
    """`progress` that learns how much there is to do when it is told for the first time: of the steps done, of all, and
    how it stands. What trainings tell of themselves, that one goes on, is noted."""
    with ExitStack() as opened:
        opened.enter_context(_trainings_told())
        bars: list[Callable[..., None]] = []
        before = 0

        def report(done: int, total: int, text: str = "") -> None:
            nonlocal before
            if not bars:
                bars.append(opened.enter_context(progress(description, total, unit, logged=True)))
            bars[0](done - before, text)
            before = done

        yield report


@contextmanager
def _trainings_told() -> Iterator[None]:
    import logging

    class Notes(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            note(record.getMessage())

    logger, notes = logging.getLogger("predinet_prolog.neural.states"), Notes()
    logger.setLevel(logging.INFO)
    logger.addHandler(notes)
    try:
        yield
    finally:
        logger.removeHandler(notes)


def _log(description: str, total: int, unit: str) -> Callable[..., None]:
    """Notes every LOG_STEPS steps, or every hundredth of `total` where that is more, how far the work is."""
    interval = max(LOG_STEPS, total // 100)
    done = noted = 0

    def advance(steps: int, text: str = "") -> None:
        nonlocal done, noted
        done += steps
        if done - noted >= interval or noted < done == total >= interval:
            noted = done
            note(f"{description}: {done} of {total} {unit}" + (f", {text}" if text else ""))

    return advance
