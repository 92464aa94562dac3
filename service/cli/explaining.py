"""explain: what the relations of a model tell."""

import json
from collections.abc import Sequence
from typing import Any

import click

from predinet_prolog.bridge.explaining import Meaning, objects_to_see
from predinet_prolog.bridge.explaining import explain as measure
from predinet_prolog.neural import Model
from predinet_prolog.service.cli.images import open_model
from predinet_prolog.service.cli.options import json_option, model_argument
from predinet_prolog.service.cli.progress import progress
from predinet_prolog.service.streams import emit


@click.command()
@model_argument
@json_option
def explain(model: str, as_json: bool) -> None:
    """Tell what each relation of a model means: colour, shape or position.

    Measured on every object that the model was trained on, in every colour, so that a program exported with the model
    can be read.

    \b
    Examples:
      predinet-prolog explain relations-game
      predinet-prolog explain between --json
    """
    network = open_model(model)
    with progress("explaining", objects_to_see(network), "objects") as report:
        meanings = measure(network, report)
    names = [*meanings[0].attributes]
    judged = [f"same_{name}" for name in names]
    head = ["relation", "tells", *names, "interaction", "position", "spread", *judged]
    document, table = _document(network, meanings), _table([head, *map(_row, meanings)])
    emit(f"{json.dumps(document, indent=1)}\n" if as_json else f"{table}\n{legend(names)}")


def _document(model: Model, meanings: list[Meaning]) -> dict[str, Any]:
    relations = [
        {
            "relation": f"r{meaning.relation}",
            "tells": meaning.tells,
            "coordinate": meaning.coordinate,
            "value": {**meaning.attributes, "interaction": meaning.interaction, "position": meaning.position},
            "spread": meaning.spread,
            "accuracy": {f"same_{name}": accuracy for name, accuracy in meaning.accuracy.items()},
        }
        for meaning in meanings
    ]
    return {"model": {"name": model.name, "sha256": model.sha256}, "relations": relations}


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
    return "".join(f"{name:<12} {text.replace(chr(10), chr(10) + 13 * ' ')}\n" for name, text in lines.items())


def _row(meaning: Meaning) -> list[str]:
    shares = [f"{100 * share:.1f}%" for share in (*meaning.coordinate.values(), meaning.position)]
    numbers = [f"{number:.3f}" for number in (meaning.spread, *meaning.accuracy.values())]
    return [f"r{meaning.relation}", meaning.tells, *shares, *numbers]


def _table(rows: list[list[str]]) -> str:
    """The rows in columns: the first two, words, to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    form = "  ".join(f"{{:{'<' if place < 2 else '>'}{width}}}" for place, width in enumerate(widths))
    return "".join(f"{form.format(*row).rstrip()}\n" for row in rows)
