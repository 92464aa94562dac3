"""The command line `predinet-prolog`.

Commands import what they need when they run: `--help` must not wait for numpy, nor `query` for torch.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from service.cli import asking, explaining, exporting, grounding, learning, reproducing, serving, why
from service.cli.console import PROGRAM, OutputClosed, emit, note
from service.errors import failure

INTERRUPTED = 130
"""Exit status after Ctrl-C: 128 and the signal's number."""
OUTPUT_CLOSED = 141
"""The same for SIGPIPE."""
FAULT = 70
"""Exit status after an error of the program itself."""

# Read when numpy is loaded. Its products are too small here for more threads, which only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

app = typer.Typer(
    name=PROGRAM,
    help="Ask an image questions in logic: a PrediNet sees, Prolog answers.",
    epilog="Each command explains itself: predinet-prolog query --help",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # boxes around the help would cost as much time as all the rest of it
    context_settings={"help_option_names": ["-h", "--help"]},
)
exporting.register(app)
asking.register(app)
why.register(app)
learning.register(app)
grounding.register(app)
explaining.register(app)
reproducing.register(app)
serving.register(app)

# What typer raises when the command line is wrong; it is exported under no name of its own.
_CommandLineError: type[Exception] = typer.BadParameter.__mro__[1]


def _tell_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        emit(f"{PROGRAM} {version(PROGRAM)}\n")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        emit(context.get_help() + "\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit status; an error becomes one line on standard error.

    0 done, 1 a query without answers, 2 a mistake of the user, 3 or more any other failure.
    """
    try:
        status = app(arguments, prog_name=PROGRAM, standalone_mode=False)
    except _CommandLineError as error:
        message = error.format_message()  # type: ignore[attr-defined]
        context = getattr(error, "ctx", None)
        command = context.command_path if context else PROGRAM
        note(f"{message.rstrip('.').replace('Value error, ', '')} (see {command} --help)")
        return 2
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except OutputClosed:
        return OUTPUT_CLOSED
    except Exception as error:
        return _explain(error)
    return status if isinstance(status, int) else 0


def _explain(error: Exception) -> int:
    if known := failure(error):
        from service.theories import advice

        note(advice(error))
        return known.exit_status
    import traceback

    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(frame.filename).name}:{frame.lineno}"
    note(f"a fault of the program, please report it: {type(error).__name__} in {place}: {error}")
    return FAULT
