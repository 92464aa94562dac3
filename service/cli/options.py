"""Arguments and options that several commands share."""

import inspect
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
import typer.core
import typer.main

from service.cli.console import note
from service.errors import UsageError

if TYPE_CHECKING:
    from neural import Model
    from neural.images import InputImage
    from service.pipeline import View
    from service.settings import Settings
    from symbolic import Rules


class ObjectSet(str, Enum):  # noqa: UP042 (typer shows str enums by value in every version)
    """The game's sets of objects; the network is trained on pentominoes."""

    pentos = "pentos"
    hexos = "hexos"
    stripes = "stripes"


ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="NAME|PATH",
        help="A shipped model or a .safetensors file. (default: $PREDINET_PROLOG_MODEL, else relations-game)",
        show_default=False,
    ),
]
LooksOption = Annotated[
    int | None,
    typer.Option(
        "--looks",
        min=1,
        max=10,
        metavar="N",
        help="Look at most N times; 1 is the paper's single pass. (default: until nothing new appears)",
        show_default=False,
    ),
]
SourceArgument = Annotated[
    Path,
    typer.Argument(
        metavar="IMAGE|PROGRAM",
        help="What to ask about: an image, or what export made (.pl, .qlf).",
        show_default=False,
    ),
]
GoalArgument = Annotated[str, typer.Argument(metavar="GOAL", help="A goal of Prolog, in quotes.", show_default=False)]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
RulesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--rules",
        metavar="FILE",
        help="Prolog clauses to add; may be repeated. The name relations_game stands for the rules that come along.",
        show_default=False,
    ),
]
ClausesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--rule",
        metavar="CLAUSE",
        help="A Prolog clause to add, in quotes, such as 'task(0).'; may be repeated.",
        show_default=False,
    ),
]


def settings(**overrides: object) -> "Settings":
    """The settings, with the options given."""
    from service.settings import load_settings

    _warn_of_unknown_variables()
    return load_settings(**overrides)


def limits(timeout: float | None, limit: int | None = None) -> "Settings":
    """The settings, with the options --timeout and --limit."""
    from service.settings import load_settings

    _warn_of_unknown_variables()
    return load_settings({"time_limit": "--timeout", "answer_limit": "--limit"}, time_limit=timeout, answer_limit=limit)


@cache  # a command loads the settings more than once, and a warning is said once
def _warn_of_unknown_variables() -> None:
    from service.settings import unknown_variables

    for name, nearest in unknown_variables():
        note(f"warning: no setting is called {name}" + (f": did you mean {nearest}?" if nearest else ""))


class SettingsCommand(typer.core.TyperCommand):
    """A command that takes the settings by name, with an option for each that has one.

    The options are made when they are needed: pydantic, which the table of settings is made of, is slow to load.
    Values stay texts here: the settings check them, and say the same of an option as of the environment.
    """

    def get_params(self, ctx: Any) -> list[Any]:
        """The options, `--help` last."""
        return [*_setting_options(), *super().get_params(ctx)]

    def invoke(self, ctx: Any) -> Any:
        """Calls the command: its own function, as typer's wrapper of it knows nothing of the options."""
        assert self.callback is not None
        return inspect.unwrap(self.callback)(**ctx.params)


def takes_settings(command: Callable[..., None]) -> Callable[..., None]:
    """`command`, whose keyword arguments are for a SettingsCommand to find, not for typer to read."""
    command.__signature__ = inspect.Signature()  # type: ignore[attr-defined]
    return command


@cache
def _setting_options() -> list[Any]:
    from service.settings import described

    def command() -> None: ...

    parameters = []
    for setting in described():
        if setting.option is None:
            continue
        facts = [fact for fact in (setting.default and f"default: {setting.default}", setting.bounds) if fact]
        help = setting.help + (f" ({'; '.join(facts)})" if facts else "")
        option = typer.Option(setting.option, metavar=setting.metavar, help=help, show_default=False)
        annotation = Annotated[str | None, option]
        kind = inspect.Parameter.KEYWORD_ONLY
        parameters.append(inspect.Parameter(setting.name, kind, default=None, annotation=annotation))
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    app = typer.Typer(add_completion=False)
    app.command()(command)
    return typer.main.get_command(app).params


def open_model(name: str | None) -> "Model":
    """The model named, else the settings' one."""
    from neural import load_model

    return load_model(settings(model=name).model)


def open_image(path: Path, model: "Model") -> "InputImage":
    """The image at the model's size; tells the user what was done to it."""
    from neural.images import read_image

    image = read_image(path, size=model.config.image_size)
    for remark in image.notes:
        note(f"{path}: {remark}")
    return image


def open_view(path: Path, model: str | None, looks: int | None) -> "View":
    """What the model named, else the settings' one, sees in the image."""
    from service.pipeline import view

    network = open_model(model)
    (seen,) = view(network, [open_image(path, network)], looks=looks)
    tell_warnings(path, seen.warnings)
    return seen


def tell_warnings(path: Path, warnings: Iterable[str]) -> None:
    """Tells the user why what was seen in the image may mean nothing."""
    for warning in warnings:
        note(f"warning: {path}: {warning}")


def check_source(source: Path, goal: str, model: str | None, looks: int | None) -> None:
    """Raises UsageError for what need not be opened to be refused: Prolog's start, once begun, is waited for."""
    if source.suffix == ".parquet":
        raise UsageError(
            f"{source} is a knowledge base of many images as a table for DuckDB, Spark or pandas; "
            "export it to .pl or .qlf to ask it here"
        )
    if source.suffix in PROGRAMS and (model is not None or looks is not None):
        raise UsageError(f"{source} is a program: --model and --looks are for images")
    try:
        source.stat()
    except FileNotFoundError:
        # Path.exists would raise for a goal that is too long to be a name.
        turned = ": the image or program comes first, then the goal" if os.path.exists(goal) else ""  # noqa: PTH110
        raise UsageError(f"no such file: {source}{turned}") from None
    except (OSError, ValueError):
        return  # opening it tells why


PROGRAMS = (".pl", ".qlf")
"""The endings of programs; what has another is an image."""


@dataclass(frozen=True)
class Source:
    """What is asked about."""

    program: str
    view: "View | None"
    """What was seen, if it is an image."""
    warnings: tuple[str, ...]
    """Why it may mean nothing, one line each."""

    def to_json(self) -> dict[str, Any]:
        """What the service says beside the answers, as far as it is known."""
        seen = {} if self.view is None else {"model": self.view.model.name, "notes": self.view.image.notes}
        return {**seen, "warnings": self.warnings}


def open_source(source: Path, model: str | None, looks: int | None) -> Source:
    """The program to ask, of an image or as it is. Tells the user of its warnings."""
    from service.files import read_text

    if source.suffix in PROGRAMS:
        program = _decompiled(source) if source.suffix == ".qlf" else read_text(source)
        warnings = _warnings(program)
        tell_warnings(source, warnings)
        return Source(program, None, warnings)
    from neural import ImageError

    try:
        seen = open_view(source, model, looks)
    except ImageError as error:
        if _is_text(source):
            raise UsageError(f"{error}; if it is a program, end its name in .pl") from error
        raise
    return Source(seen.text, seen, tuple(seen.warnings))


def _decompiled(source: Path) -> str:
    from symbolic import WorkerError
    from symbolic.compiling import decompile
    from symbolic.limits import TEXT_BYTES

    if source.is_dir():
        raise UsageError(f"{source} is a directory: name a file")
    if source.stat().st_size > TEXT_BYTES:  # its text is larger still, and would be refused
        raise UsageError(f"{source} is larger than {TEXT_BYTES // 2**20} MiB: ask it with swipl {source}")
    try:
        return decompile(source)
    except WorkerError as error:
        raise UsageError(str(error)) from error


def _warnings(program: str) -> tuple[str, ...]:
    from bridge.writers.header import warnings_of

    return warnings_of(program)


def _is_text(path: Path) -> bool:
    from service.files import read_text

    try:
        text = read_text(path)
    except UsageError:
        return False
    return bool(text) and "\0" not in text


def check_picture(target: Path | None) -> None:
    """Raises UsageError for a name that says that another kind of file than a PNG is wanted."""
    if target is not None and target.suffix.lower() not in ("", ".png"):
        raise UsageError(f"cannot write {target}: pictures are written as PNG, so end the name in .png")


def open_rules(names: list[str] | None, clauses: list[str] | None) -> "list[Rules]":
    """The rule files, and the theory of the Relations Game where its name stands alone; then the clauses of --rule as
    one file, a line each. A clause may lack its full stop."""
    from service.files import read_text
    from service.theories import close_name, shipped_rules
    from symbolic import Rules

    def opened(name: str) -> Rules:
        if Path(name).exists():
            return Rules(name, read_text(Path(name)))
        if shipped := shipped_rules(name):
            return shipped
        if meant := close_name(name):
            raise UsageError(f"no such file: {name}; did you mean {meant}, the rules that come along?")
        return Rules(name, read_text(Path(name)))  # which says what is wrong with it

    files = [opened(name) for name in names or []]
    lines = [clause if clause.rstrip().endswith(".") else f"{clause}." for clause in clauses or []]
    return [*files, Rules("--rule", "\n".join(lines))] if lines else files
