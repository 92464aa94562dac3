"""The facts of a program as JSON, and what is true of its objects by its clauses."""

import json
from collections.abc import Iterator, Sequence

from predinet_prolog.bridge.program import ModelRules, Program, Provenance, plain
from predinet_prolog.bridge.relations import related_in
from predinet_prolog.bridge.writers.prolog import fingerprint


def write_json(program: Program) -> str:
    """{"model": …, "image": …, "looks": …, "warnings": […], "rules": …, "facts": {"object": [["ob_0"], …], …},
    "relations": [{"predicate": "same", "x": "ob_0", "y": "ob_1", "confidence": 0.9995}, …]}."""
    return next(write_jsons([program]))


def write_jsons(programs: Sequence[Program]) -> Iterator[str]:
    """The same of programs of one model, for less work each."""
    for program, relations in zip(programs, related_in(programs), strict=True):
        facts = {name: list(zip(*columns, strict=True)) for name, columns in plain(program.facts).items()}
        header = {**program.provenance.to_json(), "rules": fingerprint(program.rules)}
        yield json.dumps({**header, "facts": facts, "relations": relations}, indent=1) + "\n"


def is_current(text: str, provenance: Provenance, rules: ModelRules) -> bool:
    """Whether `text` is what `write_json` writes of the same model, image file and looks."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return provenance.is_of(document) and document.get("rules") == fingerprint(rules)
