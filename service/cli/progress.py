"""How far work is that takes a while."""

import logging
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TypeVar

from predinet_prolog.lazily import lazily
from predinet_prolog.service.streams import note

# Slow to load, and for terminals alone.
bars, terminals = lazily("rich.progress"), lazily("rich.console")

T = TypeVar("T")
LOG_STEPS = 1000
"""Steps between two lines of a log, at least."""


@contextmanager
def progress(
    description: str, total: int, unit: str, *, logged: bool = False, visible: bool = True
) -> Iterator[Callable[..., None]]:
    """A bar on a terminal, if `visible`. Elsewhere nothing, or if `logged` a line now and then: for work of minutes.

    Call what it gives with the steps done, text to show with them, and `total` where that has changed.
    """
    if not (visible and sys.stderr.isatty()):
        yield _log(description, total, unit) if logged else lambda steps, text="", total=None: None
        return
    columns = (
        bars.TextColumn("{task.description}"),
        bars.BarColumn(),
        bars.MofNCompleteColumn(),
        bars.TextColumn(unit),
        bars.TimeRemainingColumn(),
        bars.TextColumn("{task.fields[text]}"),
    )
    with bars.Progress(*columns, console=terminals.Console(stderr=True), transient=True) as bar:
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
def following(description: str, unit: str, *, logged: bool = True) -> Iterator[Callable[[int, int, str], None]]:
    """`progress` that learns how much there is to do when it is told of the steps done, of all, and how it stands. What
    trainings tell of themselves, that one goes on, is noted."""
    advance: Callable[..., None] | None = None
    before = 0
    logger, notes = logging.getLogger("predinet_prolog.neural.states"), logging.Handler()
    notes.emit = lambda record: note(record.getMessage())  # type: ignore[method-assign]
    logger.setLevel(logging.INFO)
    logger.addHandler(notes)
    with ExitStack() as opened:
        opened.callback(logger.removeHandler, notes)

        def report(done: int, total: int, text: str = "") -> None:
            nonlocal advance, before
            advance = advance or opened.enter_context(progress(description, total, unit, logged=logged))
            advance(done - before, text, total)
            before = done

        yield report


def _log(description: str, total: int, unit: str) -> Callable[..., None]:
    """Notes every LOG_STEPS steps, or every hundredth of `total` where that is more, how far the work is."""
    interval = max(LOG_STEPS, total // 100)
    done = noted = 0

    def advance(steps: int, text: str = "", total: int = total) -> None:
        nonlocal done, noted
        done += steps
        if done - noted >= interval or noted < done == total >= interval:
            noted = done
            note(f"{description}: {done} of {total} {unit}" + (f", {text}" if text else ""))

    return advance
