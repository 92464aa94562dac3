"""What is asked about: a program, or an image that is seen when it is asked about."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from predinet_prolog.bridge.writers.header import warnings_of
from predinet_prolog.lazily import lazily
from predinet_prolog.service.cli.options import tell_warnings
from predinet_prolog.service.cli.seeing import Seeing
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.files import read_text
from predinet_prolog.symbolic.errors import WorkerError

if TYPE_CHECKING:
    from predinet_prolog.service.pipeline import View

compiling = lazily("predinet_prolog.symbolic.compiling")
T = TypeVar("T")
COMPILED = ".qlf"
PROGRAMS = (".pl", COMPILED)
"""The endings of programs."""
ASKED = (*PROGRAMS, ".parquet")
"""Those of all that can be asked but images; what has another is an image."""


@dataclass(frozen=True)
class Source:
    """What is asked about."""

    program: str
    view: "View | None" = None
    """What was seen, if it is an image."""
    warnings: tuple[str, ...] = ()
    """Why it may mean nothing, one line each."""

    def ask(self, ask: Callable[["Source"], T]) -> "tuple[Source, T]":
        """What `ask` makes of what is asked about, and that."""
        return self, ask(self)

    def to_json(self) -> dict[str, Any]:
        """What the service says beside the answers, as far as it is known."""
        about = {} if self.view is None else {"model": self.view.model.name, "notes": self.view.image.notes}
        return {**about, "warnings": self.warnings}


def check_source(source: Path, goal: str, seeing: Seeing) -> None:
    """Raises UsageError for what need not be opened to be refused: Prolog's start, once begun, is waited for."""
    if source.suffix in ASKED and seeing.chosen:
        rest = "as are --detections and --zones"
        raise UsageError(f"{source} is a program: --model, --looks and --boxes are for images, {rest}")
    seeing.check_look()
    try:
        source.stat()
    except FileNotFoundError:
        # Path.exists would raise for a goal that is too long to be a name.
        turned = ": the image or program comes first, then the goal" if os.path.exists(goal) else ""  # noqa: PTH110
        raise UsageError(f"no such file: {source}{turned}") from None
    except (OSError, ValueError):
        return  # opening it tells why


def open_program(source: Path) -> Source:
    """The program to ask, of a compiled one what the engine's own lacks. Tells the user of its warnings."""
    if source.suffix == COMPILED:
        return Source("")
    program = read_text(source)
    warnings = warnings_of(program)
    tell_warnings(source, warnings)
    return Source(program, None, warnings)


def program_text(source: Path) -> str:
    """The text of a program or knowledge base, also of a compiled one."""
    if source.suffix != COMPILED:
        return read_text(source)
    if source.is_dir():
        raise UsageError(f"{source} is a directory: name a file")
    try:
        return str(compiling.decompile(source))
    except WorkerError as error:
        raise UsageError(str(error)) from error
