"""learn: rules from labelled pictures, or what is true of objects from examples of them."""

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from service.cli.console import counted, emit, note, progress
from service.cli.options import FILE, json_option, open_rules, output_option, read_program, settings
from service.cli.options import rules_option, suiting_model_option
from service.cli.scenes import reported
from service.errors import UsageError

if TYPE_CHECKING:
    from service.store.folder import Export
    from service.teaching import Trial
    from symbolic import Rules
    from symbolic.learning import Learned, Observation, Options, Predicate, Signature, Situation

SECONDS = 30.0
"""Time that Prolog has for all that holds in one picture; of a board it takes some milliseconds."""
SHOWN = 5
"""Rival rules, and pictures to label next, that are printed."""


@click.command()
@click.argument(
    "source",
    type=FILE,
    metavar="FOLDER|KB",
    help="Pictures with their labels in labels.csv, or a knowledge base of such pictures made by export --kb.",
)
@output_option("FILE.pl", "Write the rules, with what they were learned from.")
@click.option(
    "--labels",
    "table",
    type=FILE,
    metavar="FILE.csv",
    help="file,label[,task] of each picture. (default: labels.csv in the FOLDER, or beside the KB)",
)
@click.option(
    "--about",
    type=FILE,
    metavar="NAME.csv",
    help="Learn NAME(X) or NAME(X, Y) instead, from examples of objects: image,object[,object],true|false. In a file "
    "that says true alone, all other objects of its images are counter-examples.",
)
@click.option("--ask", type=FILE, metavar="FOLDER", help="Tell which pictures of another folder to label next.")
@click.option("--only", metavar="P,...", help="Predicates that may stand in rules. (default: all there are)")
@click.option(
    "--variables",
    type=click.IntRange(1, 4),
    metavar="N",
    help="Objects that a rule may speak of. (default: 2, 3 and 4 are tried)",
)
@click.option("--literals", type=click.IntRange(1, 6), default=4, metavar="N", help="Most in one conjunction.")
@click.option("--noisy", is_flag=True, help="Some labels may be wrong: an error costs no more than a literal.")
@click.option(
    "--exclusive", is_flag=True, help="A picture that is true of one task is a counter-example of the others."
)
@click.option(
    "--write",
    type=(click.Choice(("popper", "ilasp")), FILE),
    metavar="popper|ilasp DIR",
    help="Learn nothing: write what another learner needs.",
)
@rules_option
@suiting_model_option
@json_option
def learn(
    source: Path,
    output: Path | None,
    table: Path | None,
    about: Path | None,
    ask: Path | None,
    only: str | None,
    variables: int | None,
    literals: int,
    noisy: bool,
    exclusive: bool,
    write: tuple[str, Path] | None,
    rules: Sequence[str],
    model: str | None,
    as_json: bool,
) -> None:
    """Learn rules from labelled pictures: label(L) says what a picture is called.

    Prints the rules that cost least, in literals and errors, and others that fit as well. The file is plain Prolog, for
    query, evaluate and serve by --rules, and for swipl.

    Where the labels are of several tasks, the rules hang on the fact task(T), as those of evaluate do.

    \b
    Examples:
      predinet-prolog learn pictures/ -o rules.pl
      predinet-prolog learn pictures/ --only same,unlike,above --ask others/
      predinet-prolog learn pictures.pl --labels pictures/labels.csv --noisy
      predinet-prolog learn pictures/ --about odd.csv -o odd.pl
    """
    from symbolic.learning import Options

    if write and (output or ask or about or as_json):
        raise UsageError("--write learns nothing: leave out -o, --ask, --about and --json")
    names = tuple(name.strip() for name in only.split(",")) if only else ()
    options = Options(noisy, exclusive, variables, literals, names)
    extra = open_rules(rules, ())
    told: _Told
    if about is not None:
        told = _of_objects(source, about, options, extra, model)
    else:
        lesson = open_lesson(source, table, read_labels, extra, model)
        check_names(names, lesson.signatures)
        if write:
            _write(*write, lesson)
            return
        told = _of_pictures(lesson, options)
    following = () if ask is None else _ask(ask, source, told, extra, model)
    ...
