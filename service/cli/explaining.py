"""explain: what the relations of a model tell."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from predinet_prolog.service.cli.console import emit, progress
from predinet_prolog.service.cli.options import check_picture, json_option, model_argument, open_model, output_option

if TYPE_CHECKING:
    from predinet_prolog.bridge.explaining import Meaning
    from predinet_prolog.neural import Model

WORDS = 2
"""The first columns are words; the rest are numbers."""
WIDE = 200
"""Columns of a terminal, more than the table needs: one that is narrower breaks lines, but shows every number whole."""
STYLES = "yellow", "bright_blue", "cyan", "green"
"""Of the attributes on a terminal, one after the other."""


@click.command()
@model_argument
@output_option("FILE.png", "Draw it, too.")
@json_option
def explain(model: str, output: Path | None, as_json: bool) -> None:
    """Tell what each relation of a model means: colour, shape or position.

    Measured on every object that the model was trained on, in every colour, so that a program exported with the model
    can be read.

    \b
    Examples:
      predinet-prolog explain relations-game
      predinet-prolog explain between -o between.png --json
    """
    from predinet_prolog.bridge.explaining import explain as measure
    from predinet_prolog.bridge.explaining import objects_to_see
    from predinet_prolog.service.files import write_atomically

    check_picture(output)
    network = open_model(model)
    with progress("explaining", objects_to_see(network), "objects") as report:
        meanings = measure(network, report)
    if output is not None:
        from predinet_prolog.service.pictures.relations import draw

        write_atomically(output, draw(meanings, network.name))
    if as_json:
        emit(json.dumps(_document(network, meanings, output), indent=1) + "\n")
        return
    names = [*meanings[0].attributes]
    table = [columns(names), *map(_row, meanings)]
    emit(f"{_table(table, names, styled=sys.stdout.isatty())}\n{legend(names)}")
    if output is not None:
        emit(f"\n{output}\n")


def _document(model: "Model", meanings: "list[Meaning]", picture: Path | None) -> dict[str, object]:
    return {
        "model": {"name": model.name, "sha256": model.sha256},
        "picture": None if picture is None else str(picture),
        "relations": [
            {
                "relation": f"r{meaning.relation}",
                "tells": meaning.tells,
                "coordinate": meaning.coordinate,
                "value": {
                    **meaning.attributes,
                    "interaction": meaning.interaction,
                    "position": meaning.position,
                },
                "spread": meaning.spread,
                "accuracy": {f"same_{name}": accuracy for name, accuracy in meaning.accuracy.items()},
            }
            for meaning in meanings
        ],
    }


def columns(attributes: Sequence[str]) -> list[str]:
    """The names of the table's columns."""
    judged = [f"same_{name}" for name in attributes]
    return ["relation", "tells", *attributes, "interaction", "position", "spread", *judged]


def legend(attributes: Sequence[str]) -> str:
    """What stands in every column but the first."""
    either, both = (f" {word} ".join(attributes) for word in ("or", "and"))
    first, *rest = attributes
    lines = {
        "tells": f"{either}, whichever makes at least 90 % of the variance\n"
        "of C in coordinate(rI, X, C); mixed if neither does",
        first: f"part of the variance of C that {first} alone explains",
        **{name: f"the same for {name}" for name in rest},
        "interaction": f"what of C only {both} together explain",
        "position": "part of the variance of V in rI(V, X, Y) that is due to places,\n"
        "for random objects at random places; the rest is due to C",
        "spread": "standard deviation of V",
        f"same_{first}": "balanced accuracy of the best threshold on the difference\nof C alone; 0.5 is chance",
        **{f"same_{name}": f"the same for {name}" for name in rest},
    }
    indent = "\n" + 13 * " "
    return "".join(f"{name:<12} {text.replace(chr(10), indent)}\n" for name, text in lines.items())


def _row(meaning: "Meaning") -> list[str]:
    shares = [*meaning.coordinate.values(), meaning.position]
    numbers = (meaning.spread, *meaning.accuracy.values())
    return [
        f"r{meaning.relation}",
        meaning.tells,
        *(f"{100 * share:.1f}%" for share in shares),
        *(f"{number:.3f}" for number in numbers),
    ]


def _table(rows: list[list[str]], attributes: Sequence[str], *, styled: bool) -> str:
    """The table: words to the left, numbers to the right. Styled for a terminal, what a relation tells has a colour."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    styles = {**dict(zip(attributes, STYLES, strict=False)), "mixed": "magenta"}
    if styled:
        table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False)
    else:
        table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for index, name in enumerate(rows[0]):
        name = name.replace("_", "\n") if styled else name
        table.add_column(name, justify="left" if index < WORDS else "right", no_wrap=not styled)
    for row in rows[1:]:
        table.add_row(*row, style=styles.get(row[1], "dim"))
    console = Console(width=WIDE, force_terminal=None if styled else False)
    with console.capture() as capture:
        console.print(table)
    return capture.get()
