"""Arguments and options that several commands share."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click

from predinet_prolog.domains import ORIGINAL, load_domain
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.files import read_text, write_atomically
from predinet_prolog.service.settings import Settings, described, load_settings, unknown_variables
from predinet_prolog.service.streams import VERBOSELY, emit, note
from predinet_prolog.service.theories import close_name, shipped_rules, stopped
from predinet_prolog.symbolic.rules import Rules

FILE = click.Path(path_type=Path)
"""A path, which need not exist."""
COUNT = click.IntRange(min=1)
RESIZED = "resized from "
"""What begins so is said by `domains.images`, which a help must not wait for."""

model_argument = click.argument("model", metavar="MODEL", help="A shipped model or a .safetensors file.")


def model_option_for(rest: str) -> Callable[[Any], Any]:
    """--model, which is `rest` where neither it nor the setting is there."""
    help = f"A shipped model or a .safetensors file. (default: $PREDINET_PROLOG_MODEL, else {rest})"
    return click.option("--model", metavar="NAME|PATH", help=help)


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
ENGINES = ("processes", "ray")
engine_option = click.option(
    "--engine",
    type=click.Choice(ENGINES),
    default=ENGINES[0],
    help="Who works: processes of this machine, or a Ray cluster, that of RAY_ADDRESS.",
)
rules_option = click.option(
    "--rules",
    multiple=True,
    metavar="FILE",
    help="Prolog clauses to add; may be repeated. The name of a theory that comes along stands for its rules.",
)
clauses_option = click.option(
    "--rule",
    "clauses",
    multiple=True,
    metavar="CLAUSE",
    help="A Prolog clause to add, in quotes, such as 'task(0).'; may be repeated.",
)


def output_option(metavar: str, help: str) -> Callable[[Any], Any]:
    """-o, --output: where to write. UsageError for -, by which many mean standard output."""

    def named(context: click.Context, parameter: click.Parameter, path: Path | None) -> Path | None:
        if path == Path("-"):
            raise UsageError("-o -: leave -o out for its default, or name a file")
        return path

    return click.option("-o", "--output", type=FILE, metavar=metavar, help=help, callback=named)


def settings(names: Mapping[str, str] = MappingProxyType({}), /, **overrides: object) -> Settings:
    """The settings, with the options given; `names` are those that `serve` calls otherwise."""
    _warn_of_unknown_variables()
    return load_settings(names, **overrides)


@cache  # a command loads the settings more than once, and a warning is said once
def _warn_of_unknown_variables() -> None:
    for name, nearest in unknown_variables():
        note(f"warning: no setting is called {name}" + (f": did you mean {nearest}?" if nearest else ""))


class DomainCommand(click.Command):
    """A command whose help speaks of a domain: of its THEORY, of a KIND of its objects, and of its tasks and all kinds
    if one can be chosen. They are read when the help is wanted."""

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the text with the domain's own names."""
        domain = load_domain(ORIGINAL)
        assert self.help is not None
        self.help = self.help.replace("THEORY", domain.theory or "FILE").replace("KIND", domain.kinds[-1])
        super().format_help_text(ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the lists."""
        domain = load_domain(ORIGINAL)
        if any(parameter.name == "objects" for parameter in self.params):
            with formatter.section("Tasks, and kinds of objects"):
                formatter.write_text(", ".join(domain.tasks))
                formatter.write_text(", ".join(domain.kinds))


def setting_options(command: Callable[..., None]) -> Callable[..., None]:
    """An option for each setting that has one.

    Values stay texts here: the settings check them, and say the same of an option as of the environment.
    """
    for setting in reversed([*described()]):
        if setting.option is not None:
            facts = [fact for fact in (setting.default and f"default: {setting.default}", setting.bounds) if fact]
            help = setting.help + (f" ({'; '.join(facts)})" if facts else "")
            command = click.option(setting.option, metavar=setting.metavar, help=help)(command)
    return command


def emit_to(target: Path | None, text: str) -> None:
    """Writes a result to the file, or to standard output where none is named."""
    if target is None:
        emit(text)
    else:
        write_atomically(target, text.encode())


def tell_warnings(path: Path, warnings: Iterable[str]) -> None:
    """Tells the user why what was seen in the image may mean nothing."""
    for warning in warnings:
        note(f"warning: {path}: {warning}")


def is_told(remark: str) -> bool:
    """Whether a remark on an image is told: that it was made smaller or larger, which changes no answer, with -v."""
    context = click.get_current_context(silent=True)
    return not remark.startswith(RESIZED) or (context is not None and bool(context.find_root().meta.get(VERBOSELY)))


def check_picture(target: Path | None, ending: str = ".png", what: str = "pictures") -> None:
    """Raises UsageError for a name that says that another kind of file is wanted than is written."""
    if target is not None and target.suffix.lower() not in ("", ending):
        kind = ending[1:].upper()
        raise UsageError(f"cannot write {target}: {what} are written as {kind}, so end the name in {ending}")


def open_rules(names: Sequence[str], clauses: Sequence[str]) -> list[Rules]:
    """The rule files, and the theories that come along where their names stand alone; then the clauses of --rule as
    one file, a line each. A clause may lack its full stop."""

    def opened(name: str) -> Rules:
        if shipped := shipped_rules(name):
            if Path(name).is_file():
                raise UsageError(
                    f"{name} is a file here, and rules that come along: ./{name} is the file, or rename it"
                )
            return shipped
        if not Path(name).exists() and (meant := close_name(name)):
            raise UsageError(f"no such file: {name}; did you mean {meant}, the rules that come along?")
        return Rules(name, read_text(Path(name)))  # which says what is wrong with it

    if swapped := next((text for text in clauses if text.endswith(".pl") and Path(text).is_file()), None):
        raise UsageError(f"--rule takes a clause, and {swapped} is a file: --rules {swapped}")
    files = [opened(name) for name in names]
    return [*files, Rules("--rule", "\n".join(map(stopped, clauses)))] if clauses else files
