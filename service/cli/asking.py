"""export, query, show: what is in an image."""

import json
import sys
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from service.cli.console import emit
from service.cli.options import (
    GoalArgument,
    JsonOption,
    LooksOption,
    ModelOption,
    RulesOption,
    SourceArgument,
    open_image,
    open_model,
    open_rules,
    open_source,
    open_view,
    settings,
)
from service.errors import UsageError


class Format(str, Enum):  # noqa: UP042 (typer shows str enums by value in every version)
    """What `export` writes."""

    prolog = "prolog"
    json = "json"


SUFFIXES = {Format.prolog: ".pl", Format.json: ".json"}


def register(app: typer.Typer) -> None:
    """Adds the commands to `app`."""
    app.command()(export)
    app.command()(query)
    app.command()(show)


def export(
    images: Annotated[list[Path], typer.Argument(metavar="IMAGE...", help="Image files.", show_default=False)],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE|DIR",
            help="Where to write; several images need a folder. (default: standard output)",
            show_default=False,
        ),
    ] = None,
    model: ModelOption = None,
    looks: LooksOption = None,
    format: Annotated[Format, typer.Option(help="A program, or the same facts as JSON.")] = Format.prolog,
) -> None:
    """Turn images into Prolog programs.

    A program stands alone: swipl loads it anywhere, with nothing of ours installed.

    \b
    Examples:
      predinet-prolog export scene.png -o scene.pl && swipl scene.pl
      predinet-prolog export *.png -o programs/
    """
    from service.files import write_atomically
    from service.pipeline import view

    targets = _targets(images, output, SUFFIXES[format])
    network = open_model(model)
    views = view(network, [open_image(path, network) for path in images], looks=looks)
    for target, seen in zip(targets, views, strict=True):
        text = seen.write(format.value)
        if target is None:
            emit(text)
            continue
        write_atomically(target, text.encode())


def query(
    source: SourceArgument,
    goal: GoalArgument,
    rules: RulesOption = None,
    limit: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Most answers. (default: $PREDINET_PROLOG_ANSWER_LIMIT, else 1000)",
            show_default=False,
        ),
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option(
            metavar="S",
            help="Seconds the query may take. (default: $PREDINET_PROLOG_TIME_LIMIT, else 1)",
            show_default=False,
        ),
    ] = None,
    model: ModelOption = None,
    looks: LooksOption = None,
    as_json: JsonOption = False,
) -> None:
    """Ask a question about an image, or about a program made by export.

    Prints every answer as Prolog does. Exits with 1 if there is none.

    \b
    Examples:
      predinet-prolog query scene.png 'object(X)'
      predinet-prolog query scene.png 'holds(R, V, X, Y), small(V)' --limit 5
      predinet-prolog query scene.pl 'twins(X, Y)' --rules relations_game
    """
    from symbolic import Engine, QuerySyntaxError

    chosen = settings(time_limit=timeout, answer_limit=limit)
    extra = open_rules(rules)
    program, _ = open_source(source, model, looks)
    try:
        with Engine(time_limit=chosen.time_limit, answer_limit=chosen.answer_limit) as engine:
            answers = engine.ask(program, goal, rules=extra)
    except QuerySyntaxError as error:
        point_at(goal, error.position)
        raise
    if as_json:
        emit(json.dumps(answers.to_json(), ensure_ascii=False) + "\n")
    else:
        from service.prolog_text import write_answers

        emit(write_answers([(a.bindings, a.constraints) for a in answers.answers], more=answers.more))
    if not answers.answers:
        raise typer.Exit(1)


def show(
    image: Annotated[Path, typer.Argument(metavar="IMAGE", help="An image file.", show_default=False)],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE.png",
            help="Where to write. (default: the image's name with -seen.png, here)",
            show_default=False,
        ),
    ] = None,
    model: ModelOption = None,
    looks: LooksOption = None,
) -> None:
    """Draw what the network sees: the objects, named, and where its heads look.

    \b
    Examples:
      predinet-prolog show scene.png -o slide.png
      predinet-prolog show scene.png --model between-small
    """
    from service.files import write_atomically
    from service.pictures import draw

    seen = open_view(image, model, looks)
    target = output or Path(f"{image.stem}-seen.png")
    write_atomically(target, draw(seen))
    emit(f"{target}\n")


def _targets(images: list[Path], output: Path | None, suffix: str) -> list[Path | None]:
    """Where each image's export goes; None is standard output."""
    if output is None:
        if len(images) > 1:
            raise UsageError("several images need a folder for their programs: add -o DIR")
        return [None]
    if len(images) == 1 and not output.is_dir():
        return [output]
    if output.exists() and not output.is_dir():
        raise UsageError(f"several images need a folder for their programs, and {output} is a file")
    if output.suffix in SUFFIXES.values() and not output.is_dir():
        raise UsageError(f"several images need a folder for their programs, and {output} has the name of a file")
    targets: dict[Path, Path] = {}
    for image in images:
        target = output / f"{image.stem}{suffix}"
        if target in targets:
            raise UsageError(f"{targets[target]} and {image} would both be written to {target}")
        targets[target] = image
    return list(targets)


def point_at(goal: str, position: int) -> None:
    """Shows the line of the goal that holds character `position`, and a caret under it."""
    if not goal.strip():
        return
    position = min(position, len(goal))
    start = goal.rfind("\n", 0, position) + 1
    line = goal[start:].split("\n", 1)[0]
    shown = "".join(c if c.isprintable() else " " for c in line)
    sys.stderr.write(f"  {shown}\n  {' ' * (position - start)}^\n")
