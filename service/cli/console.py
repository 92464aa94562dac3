"""What the command line says, and where: results on standard output, all else on standard error."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PROGRAM = "predinet-prolog"


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
def progress(description: str, total: int, unit: str) -> Iterator[Callable[..., None]]:
    """A bar on a terminal, nothing elsewhere. Call what it gives with the steps done, and text to show with them."""
    if not sys.stderr.isatty():
        yield lambda steps, text="": None
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

        def advance(steps: int, text: str = "") -> None:
            bar.update(task, advance=steps, text=text)

        yield advance
