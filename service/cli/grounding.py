"""ground: what named predicates mean in a model's own relations."""

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import click

from predinet_prolog.bridge.definitions import SUFFIX, Grounding
from predinet_prolog.bridge.errors import BridgeError
from predinet_prolog.bridge.explaining import explain
from predinet_prolog.bridge.grounding import ground as learn
from predinet_prolog.bridge.grounding import steps
from predinet_prolog.bridge.writers.prolog import clause_text, write_sections
from predinet_prolog.neural.checkpoint import Model as BoardModel
from predinet_prolog.neural.glimpses.model import load_any
from predinet_prolog.neural.model import Model
from predinet_prolog.service.cli.folders import ground_folder
from predinet_prolog.service.cli.options import FILE, json_option, model_argument
from predinet_prolog.service.cli.progress import progress
from predinet_prolog.service.files import write_atomically
from predinet_prolog.service.streams import emit


@click.command()
@model_argument
@click.argument(
    "folder",
    type=FILE,
    required=False,
    metavar="[FOLDER]",
    help="For a model of pictures of any size: pictures with annotations.json that say what there is to tell.",
)
@json_option
def ground(model: str, folder: Path | None, as_json: bool) -> None:
    """Learn what same, same_shape and same_colour mean in a model's relations.

    The clauses are chosen on the objects that the model was trained on, and evaluated on all kinds. They are written
    beside the checkpoint, and every program exported with the model carries them, with what each relation tells. A
    predicate that the model cannot tell is left out.

    A model for pictures of any size is grounded on pictures drawn as those it was trained on; what it tells of shapes
    it never saw decides what is left out.

    With a folder, each attribute of its things becomes a predicate: same_filled of filled. They are chosen on three
    quarters of its pictures and evaluated on the others.

    \b
    Examples:
      predinet-prolog ground out/between-fast/model.safetensors
      predinet-prolog ground between --json
      predinet-prolog ground out/signs/model.safetensors signs/
    """
    if folder is None:
        network = load_any(model)
        grounding = _ground(network)
    else:
        network, grounding = ground_folder(model, folder)
    path = network.path.with_suffix(SUFFIX)
    write_atomically(path, grounding.to_json().encode())
    predicates = [
        {
            "name": definition.predicate,
            "clause": clause_text(definition.clause),
            "accuracy": definition.scores,
            "exported": definition in grounding.trusted,
        }
        for definition in grounding.definitions
    ]
    document = json.dumps({"file": str(path), "predicates": predicates}, indent=1)
    emit(f"{document}\n" if as_json else f"{path}\n\n{write_sections([grounding.section])}\n")


def _ground(network: Model) -> Grounding:
    with progress("grounding", steps(network) + isinstance(network, BoardModel), "steps") as advance:
        grounding = learn(network, lambda step: advance(1, step))
        if isinstance(network, BoardModel):
            advance(1, "explaining the relations")
            with suppress(BridgeError):  # a model that does not see every object has no meanings to tell
                grounding = replace(grounding, tells=tuple(meaning.tells for meaning in explain(network)))
    return grounding
