"""ground: what named predicates mean in a model's own relations."""

import json
from contextlib import suppress

import click

from service.cli.console import emit, progress
from service.cli.options import json_option, model_argument, open_model


@click.command()
@model_argument
@json_option
def ground(model: str, as_json: bool) -> None:
    """Learn what same, same_shape and same_colour mean in a model's relations.

    The clauses are chosen on pentominoes and judged on all three sets of objects. They are written beside the
    checkpoint, and every program exported with the model carries them, with what each relation tells. A predicate that
    the model cannot tell is left out.

    \b
    Examples:
      predinet-prolog ground out/between-fast/model.safetensors
      predinet-prolog ground between --json
    """
    from bridge.errors import BridgeError
    from bridge.explaining import explain, write_meanings
    from bridge.grounding import ground as learn
    from bridge.grounding import grounding_path, write_grounding
    from domains.relations_game import OBJECT_SETS
    from service.files import write_atomically

    network = open_model(model)
    with progress("grounding", 2 + len(OBJECT_SETS), "steps") as advance:
        definitions = learn(network, lambda step: advance(1, step))
        text = write_grounding(network, definitions)
        advance(1, "explaining the relations")
        with suppress(BridgeError):  # a model that does not see every object has no meanings to tell
            text += write_meanings(explain(network))
    path = grounding_path(network)
    write_atomically(path, text.encode())
    if as_json:
        document = {
            "file": str(path),
            "predicates": [
                {
                    "name": definition.predicate,
                    "clause": definition.clause(),
                    "accuracy": definition.scores,
                    "exported": definition.trusted,
                }
                for definition in definitions
            ],
        }
        emit(json.dumps(document, indent=1) + "\n")
    else:
        emit(f"{path}\n\n{text}")
