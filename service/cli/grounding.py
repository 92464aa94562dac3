"""ground: what named predicates mean in a model's own relations."""

import json
from contextlib import suppress
from dataclasses import replace

import click

from service.cli.console import emit, progress
from service.cli.options import json_option, model_argument, open_model


@click.command()
@model_argument
@json_option
def ground(model: str, as_json: bool) -> None:
    """Learn what same, same_shape and same_colour mean in a model's relations.

    The clauses are chosen on the objects that the model was trained on, and evaluated on all kinds. They are written
    beside the checkpoint, and every program exported with the model carries them, with what each relation tells. A
    predicate that the model cannot tell is left out.

    \b
    Examples:
      predinet-prolog ground out/between-fast/model.safetensors
      predinet-prolog ground between --json
    """
    from bridge.definitions import grounding_path
    from bridge.errors import BridgeError
    from bridge.explaining import explain
    from bridge.grounding import ground as learn
    from bridge.grounding import steps
    from bridge.writers.prolog import clause_text, write_sections
    from service.files import write_atomically

    network = open_model(model)
    with progress("grounding", 1 + steps(network), "steps") as advance:
        grounding = learn(network, lambda step: advance(1, step))
        advance(1, "explaining the relations")
        with suppress(BridgeError):  # a model that does not see every object has no meanings to tell
            grounding = replace(grounding, tells=tuple(meaning.tells for meaning in explain(network)))
    path = grounding_path(network)
    write_atomically(path, grounding.to_json().encode())
    if as_json:
        document = {
            "file": str(path),
            "predicates": [
                {
                    "name": definition.predicate,
                    "clause": clause_text(definition.clause),
                    "accuracy": definition.scores,
                    "exported": definition in grounding.trusted,
                }
                for definition in grounding.definitions
            ],
        }
        emit(json.dumps(document, indent=1) + "\n")
    else:
        emit(f"{path}\n\n{write_sections([grounding.section])}\n")
