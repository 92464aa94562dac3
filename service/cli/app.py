"""The commands of `predinet-prolog`, which begins in `service.cli`.

Commands are imported when they are named: `--help` must not wait for numpy, nor `query` of a program. What an extra
brings is imported when it is needed.
"""

import re
from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from typing import Any

from predinet_prolog.command_line import click
from predinet_prolog.lazily import lazily
from predinet_prolog.service.errors import UsageError, failure
from predinet_prolog.service.streams import PROGRAM, VERBOSELY, OutputClosed, emit, note

# For errors, and for --version.
metadata, traceback = lazily("importlib.metadata"), lazily("traceback")
theories, about = lazily("predinet_prolog.service.theories"), lazily("predinet_prolog.service.version")

FAULT = 70
"""Exit status after an error of the program itself."""

SECTIONS = {
    "Ask a picture": {
        "query": "asking",
        "ask": "questions",
        "why": "reasons",
        "suppose": "supposing",
        "show": "images",
        "repl": "prompt",
        "export": "exporting",
        "serve": "serving",
    },
    "Teach": {
        "learn": "teaching",
        "name": "naming",
        "train": "learning",
        "ground": "grounding",
        "evaluate": "evaluating",
        "explain": "explaining",
        "generate": "learning",
    },
    "The paper's experiments": {"reproduce": "reproducing", "agent": "agents"},
}
"""The module of each command, in the order of the help: the way from an image to answers first."""
COMMANDS = {name: module for section in SECTIONS.values() for name, module in section.items()}


class _Commands(click.Group):
    """The commands of the modules, each imported when it is named. All of them take -v."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"{__package__}.{COMMANDS[cmd_name]}"), cmd_name)
        if VERBOSE not in command.params:
            command.params.append(VERBOSE)
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """UsageError, too, for an option with one value that is given twice: the first would be dropped."""
        name, command, rest = super().resolve_command(ctx, args)
        named = Counter(arg.partition("=")[0] for arg in takewhile("--".__ne__, rest) if arg.startswith("-"))
        for option in command.params if command else ():
            once = isinstance(option, click.Option) and not (option.multiple or option.is_flag)
            if once and sum(named[opt] for opt in option.opts) > 1:
                raise UsageError(f"{option.opts[-1]} is given twice, and has one value: leave one out")
        return name, command, rest

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the commands section by section."""
        for title, names in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, _short_help(name)) for name in names])


def _short_help(name: str) -> str:
    """The first sentence of the command's docstring, which is not imported for it: the list must not wait for numpy."""
    source = (Path(__file__).parent / f"{COMMANDS[name]}.py").read_text(encoding="utf-8")
    docstring = re.search(rf'^def {name}\(.*?"""(.*?)\n', source, re.DOTALL | re.MULTILINE)
    assert docstring is not None, "every command has one"
    return click.Command(name, help=docstring[1]).get_short_help_str(60)


VERBOSE = click.Option(
    ["-v", "--verbose"],
    is_flag=True,
    expose_value=False,
    callback=lambda context, _, verbose: context.find_root().meta.update({VERBOSELY: verbose}),
    help="Tell everything that is done to a picture, its size included.",
)


@click.group(
    cls=_Commands,
    invoke_without_command=True,
    help="Ask an image questions in logic: a PrediNet sees, Prolog answers.",
    epilog="Each command explains itself: predinet-prolog query --help",
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
)
@click.option("--version", is_flag=True, is_eager=True, help="Print the version.")
@click.pass_context
def app(context: click.Context, version: bool) -> None:
    """The root of all commands."""
    if version:
        emit(about.version_line())
        context.exit()
    if context.invoked_subcommand is None:
        emit(context.get_help() + "\n")


def run(arguments: Sequence[str]) -> int:
    """Runs one command and returns its exit status; an error becomes one line on standard error.

    0 done, 1 a query without answers, 2 a mistake of the user, 3 or more any other failure.
    """
    try:
        # Not app.main, which writes an empty line when it is interrupted.
        with app.make_context(PROGRAM, [*arguments]) as context:
            app.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as error:
        message = error.format_message()
        asked = error.ctx if isinstance(error, click.UsageError) else None
        note(f"{message.rstrip('.')} (see {PROGRAM if asked is None else asked.command_path} --help)")
        return 2
    except OutputClosed:
        raise
    except Exception as error:
        return _explain(error)
    return 0


def _explain(error: Exception) -> int:
    if entry := failure(error):
        note(theories.advice(error))
        return entry.exit_status
    if isinstance(error, ModuleNotFoundError) and error.name is not None:
        package = error.name.partition(".")[0]
        if extra := _extra_with("scikit-learn" if package == "sklearn" else package.replace("_", "-")):
            note(f"that takes {package}, which is not installed: pip install '{PROGRAM}[{extra}]'")
            return 2
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(frame.filename).name}:{frame.lineno}"
    note(f"a fault of the program, please report it: {type(error).__name__} in {place}: {error}")
    return FAULT


def _extra_with(package: str) -> str | None:
    """The extra that brings the package; None if none does."""
    # An extra brings others by our own name, which no package lacks that runs this.
    needed = (line for line in metadata.requires(PROGRAM) or () if not line.startswith(PROGRAM))
    lines = (re.match(rf"{package}\b.*extra == .(\w+)", line) for line in needed)
    return next((line[1] for line in lines if line), None)
