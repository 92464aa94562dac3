"""What the command line says, and where: results on standard output, all else on standard error."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PROGRAM = "predinet-prolog"
LOG_STEPS = 1000
"""Steps between two lines of a log, at least."""


class OutputClosed(Exception):  # noqa: N818 (not an error: the reader has had enough)
    """Whoever read our standard output is gone, as `head` is after its ten lines."""


def emit(text: str) -> None:
    """Writes a result to standard output, at once. What its encoding lacks is written as an escape."""
    encoding = sys.stdout.encoding or "utf-8"
    try:
        sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
        sys.stdout.flush()
    except BrokenPipeError:
        # What is left in the buffer must not raise again when Python closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise OutputClosed from None


def note(message: str) -> None:
    """Tells the user something in one line."""
    sys.stderr.write(f"{PROGRAM}: {one_line(message)}\n")


def counted(number: int, what: str) -> str:
    """So many of them: `1 image`, `2 images`."""
    return f"{number} {what}" + ("" if number == 1 else "s")


def one_line(message: str) -> str:
    """`message` without line breaks or control characters, which names of files may hold."""
    return "".join(c if c.isprintable() else " " for c in " ".join(message.split()))


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
