"""The facts of a program as JSON, without its clauses."""

import json
from collections.abc import Sequence

import numpy as np

from bridge.program import Column, Program, Provenance
from bridge.terms import numbers


def write_json(program: Program) -> str:
    """{"model": …, "image": …, "looks": …, "warnings": […], "facts": {"object": [["ob_0"], …], …}}."""
    facts = {name: list(zip(*map(values, columns), strict=True)) for name, columns in program.facts.items()}
    return json.dumps({**program.provenance.to_json(), "facts": facts}, indent=1) + "\n"


def values(column: Column) -> Sequence[str | int | float]:
    """The arguments, numbers rounded as in the text."""
    return list(map(float, numbers(column))) if isinstance(column, np.ndarray) else column


def is_current(text: str, provenance: Provenance) -> bool:
    """Whether `text` is what `write_json` writes of the same model, image file and looks."""
    try:
        return provenance.is_of(json.loads(text))
    except (ValueError, RecursionError):
        return False
