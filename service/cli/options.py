"""Arguments and options that several commands share."""

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

import click

from predinet_prolog.bridge.writers.header import warnings_of
from predinet_prolog.domains import ORIGINAL, load_domain
from predinet_prolog.domains.errors import ImageError
from predinet_prolog.service.cli.console import is_told, note
from predinet_prolog.service.cli.things import FOUND, Things
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.files import read_text
from predinet_prolog.service.settings import (
    DEFAULT_MODEL,
    SCENES_MODEL,
    Settings,
    described,
    load_settings,
    unknown_variables,
)
from predinet_prolog.service.theories import close_name, shipped_rules
from predinet_prolog.symbolic import EnglishError, Rules, SuppositionError, UnknownPredicateError, WorkerError
from predinet_prolog.symbolic.limits import TEXT_BYTES

if TYPE_CHECKING:
    from predinet_prolog.neural import Model
    from predinet_prolog.service.pipeline import View

T = TypeVar("T")
FILE = click.Path(path_type=Path)
"""A path, which need not exist."""
COUNT = click.IntRange(min=1)

model_argument = click.argument("model", metavar="MODEL", help="A shipped model or a .safetensors file.")
model_option = click.option(
    "--model",
    metavar="NAME|PATH",
    help=f"A shipped model or a .safetensors file. (default: $PREDINET_PROLOG_MODEL, else {DEFAULT_MODEL})",
)
suiting_model_option = click.option(
    "--model",
    metavar="NAME|PATH",
    help="A shipped model or a .safetensors file. (default: $PREDINET_PROLOG_MODEL, else the one that suits the image)",
)
looks_option = click.option(
    "--looks",
    type=click.IntRange(1, 10),
    metavar="N",
    help="Look at most N times; 1 is the paper's single pass. (default: until nothing new appears)",
)
source_argument = click.argument(
    "source", type=FILE, metavar="IMAGE|PROGRAM", help="What to ask about: an image, or what export made (.pl, .qlf)."
)
goal_argument = click.argument("goal", metavar="GOAL", help="A goal of Prolog, in quotes.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
ENGINES = ("processes", "ray")
"""Those of `neural.engines`, which a test compares: a help must not wait for numpy."""
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


trust_option = click.option(
    "--trust",
    is_flag=True,
    help="Let the goal and the rules call anything that Prolog has, as catch/3, op/3 and files. For those of your own.",
)


def output_option(metavar: str, help: str) -> Callable[[Any], Any]:
    """-o, --output: where to write. UsageError for -, by which many mean standard output."""

    def named(context: click.Context, parameter: click.Parameter, path: Path | None) -> Path | None:
        if path == Path("-"):
            raise UsageError("-o -: leave -o out for its default, or name a file")
        return path

    return click.option("-o", "--output", type=FILE, metavar=metavar, help=help, callback=named)


def timeout_option(help: str) -> Callable[[Any], Any]:
    """--timeout: the setting time_limit of one question."""
    default = "(default: $PREDINET_PROLOG_TIME_LIMIT, else 1)"
    return click.option("--timeout", type=float, metavar="S", help=f"{help} {default}")


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


def open_model(name: str | None) -> "Model":
    """The model of boards named, else the settings' one, else the default."""
    from predinet_prolog.neural import load_model

    return load_model(settings(model=name).model or DEFAULT_MODEL)


def open_view(
    path: Path, model: str | None, looks: int | None, things: Things = FOUND, *, pixels: bool = True
) -> "View":
    """What the model named, else the settings' one, else the one that suits it sees in the image; tells the user what
    was done to it. `pixels`: whether they are looked at."""
    from predinet_prolog.service.pipeline import look

    view = look(
        path, settings(model=model).model, looks=looks, detections=things.detections, zones=things.zones, pixels=pixels
    )
    for remark in filter(is_told, view.image.notes):
        note(f"{path}: {remark}")
    tell_warnings(path, view.warnings)
    return view


def tell_warnings(path: Path, warnings: Iterable[str]) -> None:
    """Tells the user why what was seen in the image may mean nothing."""
    for warning in warnings:
        note(f"warning: {path}: {warning}")


def check_source(source: Path, goal: str, model: str | None, looks: int | None, things: Things) -> None:
    """Raises UsageError for what need not be opened to be refused: Prolog's start, once begun, is waited for."""
    if source.suffix in ASKED and any(option is not None for option in (model, looks, things.detections, things.zones)):
        rest = "as are --detections and --zones"
        raise UsageError(f"{source} is a program: --model, --looks and --boxes are for images, {rest}")
    things.check_look(model, looks)
    try:
        source.stat()
    except FileNotFoundError:
        # Path.exists would raise for a goal that is too long to be a name.
        turned = ": the image or program comes first, then the goal" if os.path.exists(goal) else ""  # noqa: PTH110
        raise UsageError(f"no such file: {source}{turned}") from None
    except (OSError, ValueError):
        return  # opening it tells why


PROGRAMS = (".pl", ".qlf")
"""The endings of programs."""
ASKED = (*PROGRAMS, ".parquet")
"""Those of all that can be asked but images; what has another is an image."""


@dataclass(frozen=True)
class Source:
    """What is asked about."""

    program: str
    view: "View | None"
    """What was seen, if it is an image."""
    warnings: tuple[str, ...]
    """Why it may mean nothing, one line each."""
    look: "Callable[[], Source] | None" = None
    """Of an image that was not looked at: does so."""
    model: str | None = None
    """What would look then."""

    def ask(self, ask: Callable[["Source"], T]) -> "tuple[Source, T]":
        """What `ask` makes of what is asked about, and that: pixels are looked at once a goal needs what they tell.

        Raises UsageError where they may not be.
        """
        try:
            return self, ask(self)
        except (EnglishError, SuppositionError, UnknownPredicateError) as error:
            from predinet_prolog.service.given import check_look

            if self.view is None or self.view.model.sha256:  # a model has looked
                raise
            check_look(error, self.model, "--no-look" if self.look is None else None)
        assert self.look is not None, "it is not forbidden"
        looked = self.look()
        return looked, ask(looked)

    def to_json(self) -> dict[str, Any]:
        """What the service says beside the answers, as far as it is known."""
        about = {} if self.view is None else {"model": self.view.model.name, "notes": self.view.image.notes}
        return {**about, "warnings": self.warnings}


def open_source(
    source: Path, model: str | None, looks: int | None, things: Things, question: str, *, whole: bool = False
) -> Source:
    """The program to ask, of an image or as it is; of a table, and of what was told alone unless the `whole` is wanted,
    what the `question`, the goal and its rules, speaks of. Tells the user of its warnings. Where things are told,
    pixels are not looked at, yet."""
    if source.suffix == ".parquet":
        from predinet_prolog.bridge.tables import read_program

        return Source(read_program(source, {"image", *re.findall(r"\w+", question)}, most=TEXT_BYTES), None, ())
    if source.suffix in PROGRAMS:
        program = program_text(source)
        warnings = warnings_of(program)
        tell_warnings(source, warnings)
        return Source(program, None, warnings)

    def look() -> Source:
        view = open_view(source, model, looks, things)
        return Source(view.text, view, tuple(view.warnings))

    try:
        if things.detections is None or (things.look and (model is not None or looks is not None)):
            return look()
        view = open_view(source, model, looks, things, pixels=False)
    except ImageError as error:
        if _is_text(source):
            raise UsageError(f"{error}; if it is a program, end its name in .pl") from error
        raise
    text = view.text if whole else view.text_for(re.findall(r"\w+", question))
    if not things.look:
        return Source(text, view, ())
    return Source(text, view, (), look, settings(model=model).model or SCENES_MODEL)


def program_text(source: Path) -> str:
    """The text of a program or knowledge base, also of a compiled one."""
    return _decompiled(source) if source.suffix == ".qlf" else read_text(source)


def _decompiled(source: Path) -> str:
    from predinet_prolog.symbolic.compiling import decompile

    if source.is_dir():
        raise UsageError(f"{source} is a directory: name a file")
    if source.stat().st_size > TEXT_BYTES:  # its text is larger still, and would be refused
        raise UsageError(f"{source} is larger than {TEXT_BYTES // 2**20} MiB: ask it with swipl {source}")
    try:
        return decompile(source)
    except WorkerError as error:
        raise UsageError(str(error)) from error


def _is_text(path: Path) -> bool:
    try:
        text = read_text(path)
    except UsageError:
        return False
    return bool(text) and "\0" not in text


def check_picture(target: Path | None) -> None:
    """Raises UsageError for a name that says that another kind of file than a PNG is wanted."""
    if target is not None and target.suffix.lower() not in ("", ".png"):
        raise UsageError(f"cannot write {target}: pictures are written as PNG, so end the name in .png")


def open_rules(names: Sequence[str], clauses: Sequence[str]) -> "list[Rules]":
    """The rule files, and the theories that come along where their names stand alone; then the clauses of --rule as
    one file, a line each. A clause may lack its full stop."""

    def opened(name: str) -> Rules:
        if Path(name).exists():
            return Rules(name, read_text(Path(name)))
        if shipped := shipped_rules(name):
            return shipped
        if meant := close_name(name):
            raise UsageError(f"no such file: {name}; did you mean {meant}, the rules that come along?")
        return Rules(name, read_text(Path(name)))  # which says what is wrong with it

    files = [opened(name) for name in names]
    lines = [clause if clause.rstrip().endswith(".") else f"{clause}." for clause in clauses]
    return [*files, Rules("--rule", "\n".join(lines))] if lines else files
