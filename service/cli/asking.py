"""query, show: what is in an image."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from service.cli.console import emit, note
from service.cli.options import (
    COUNT,
    FILE,
    PROGRAMS,
    DomainCommand,
    check_picture,
    check_source,
    clauses_option,
    goal_argument,
    json_option,
    limits,
    looks_option,
    model_option,
    open_rules,
    open_source,
    open_view,
    output_option,
    rules_option,
    source_argument,
    timeout_option,
)

if TYPE_CHECKING:
    from symbolic import Answers


@click.command(cls=DomainCommand)
@source_argument
@goal_argument
@rules_option
@clauses_option
@click.option(
    "--limit", type=COUNT, metavar="N", help="Most answers. (default: $PREDINET_PROLOG_ANSWER_LIMIT, else 1000)"
)
@timeout_option("Seconds the query may take.")
@model_option
@looks_option
@json_option
def query(
    source: Path,
    goal: str,
    rules: Sequence[str],
    clauses: Sequence[str],
    limit: int | None,
    timeout: float | None,
    model: str | None,
    looks: int | None,
    as_json: bool,
) -> None:
    """Ask a question about an image, or about a program or knowledge base made by export.

    Prints every answer as Prolog does. Exits with 1 if there is none.

    A .qlf file is compiled code, which may do anything while it loads: ask only those you trust.

    \b
    Examples:
      predinet-prolog query scene.png 'object(X)'
      predinet-prolog query scene.png 'holds(R, V, X, Y), small(V)' --limit 5
      predinet-prolog query scene.pl 'twins(X, Y)' --rules THEORY
    """
    from symbolic import Engine

    chosen = limits(timeout, limit)
    extra = open_rules(rules, clauses)
    check_source(source, goal, model, looks)
    engine = Engine(time_limit=chosen.time_limit, answer_limit=chosen.answer_limit)
    with telling_where(source, goal), engine:
        engine.start()  # while the image is looked at
        asked = open_source(source, model, looks)
        answers = engine.ask(asked.program, goal, rules=extra)
    tell_hints(answers)
    if as_json:
        emit(json.dumps(answers.to_json() | asked.to_json(), ensure_ascii=False) + "\n")
    else:
        from service.prolog_text import write_answers

        emit(write_answers([(a.bindings, a.constraints) for a in answers.answers], more=answers.more))
    if not answers.answers:
        raise click.exceptions.Exit(1)


@click.command()
@click.argument("image", type=FILE, metavar="IMAGE", help="An image file.")
@output_option("FILE.png", "Where to write. (default: the image's name with -seen.png, here)")
@model_option
@looks_option
def show(image: Path, output: Path | None, model: str | None, looks: int | None) -> None:
    """Draw what the network sees: the objects, named, and where its heads look.

    \b
    Examples:
      predinet-prolog show scene.png -o slide.png
      predinet-prolog show scene.png --model between-small
    """
    from service.files import write_atomically
    from service.pictures.scene import draw

    check_picture(output)
    seen = open_view(image, model, looks)
    target = output or Path(f"{image.stem}-seen.png")
    write_atomically(target, draw(seen))
    emit(f"{target}\n")


def tell_hints(answers: "Answers") -> None:
    """Says beside the answers what the goal may have been meant to say."""
    for hint in answers.hints:
        note(hint)


@contextmanager
def telling_where(source: Path, goal: str) -> Iterator[None]:
    """Shows where in the goal a syntax error is; one in the program is told by its file's name. Names the option that
    a query which runs out of time needs."""
    from symbolic import ForbiddenError, ProgramError, QuerySyntaxError, TimeLimitError

    try:
        yield
    except QuerySyntaxError as error:
        point_at(goal, error.position)
        raise
    except TimeLimitError as error:
        raise TimeLimitError(f"{error}; or give it more time with --timeout") from error
    except ProgramError as error:
        if error.name == "program" and source.suffix in PROGRAMS:
            raise ProgramError(error.fault, str(source), error.line) from error
        raise
    except ForbiddenError as error:
        if str(error).startswith("program:") and source.suffix in PROGRAMS:
            raise ForbiddenError(f"{source}{str(error).removeprefix('program')}") from error
        raise


def point_at(goal: str, position: int) -> None:
    """Shows the line of the goal that holds character `position`, and a caret under it."""
    if not goal.strip():
        return
    position = min(position, len(goal))
    start = goal.rfind("\n", 0, position) + 1
    line = goal[start:].split("\n", 1)[0]
    shown = "".join(c if c.isprintable() else " " for c in line)
    sys.stderr.write(f"  {shown}\n  {' ' * (position - start)}^\n")
