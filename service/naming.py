"""Words by showing, of programs that are stored as text: what their objects are, and the clauses of a word for them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bridge.definitions import read_grounding
from bridge.errors import BridgeError
from bridge.program import Facts, ImageInfo, Program, Provenance
from bridge.words import SHAPE, choose, thing, write_part, write_word
from bridge.writers.header import read_header
from service.errors import UsageError
from service.pipeline import AnyModel

_FACT = re.compile(r"^(object|colour|coordinate)\(([^()\n]*)\)\.$", re.MULTILINE)
_ARGUMENTS = {"object": 1, "colour": 4, "coordinate": 3}


@dataclass(frozen=True)
class Word:
    """A word that was made of objects of one scene."""

    by: str
    """What it is for: "colour", "shade", "shape" or "look"."""
    goal: str
    """Asks for what it is true of: red(X), or shape(X, heart)."""
    part: str
    """Its clauses, and before them what they are from, as files of words have them."""


def make_word(
    word: str, by: str | None, text: str, model: AnyModel, objects: Sequence[str], others: Sequence[str]
) -> Word:
    """The word of those objects of the program `text`, the model's, that is not true of the `others`; `by` is what it
    is for, None what they have in common. Raises UsageError that says why there is none."""
    if both := set(objects) & set(others):
        raise UsageError(f"{min(both)} was said to be {word} and not to be")
    program = read_program(text, model)
    image = program.provenance.image.sha256
    try:
        shown, not_shown = ([thing(program, name) for name in names] for names in (objects, others))
        respect = by or choose(program, shown, not_shown)
        clauses = write_word(word, respect, program, shown, not_shown)
    except BridgeError as error:
        raise UsageError(str(error)) from error
    told = ", ".join([*objects, *(f"not {name}" for name in others)])
    part = write_part(word, respect, program, clauses, f"{told} of the picture {image[:16]}")
    return Word(respect, f"shape(X, {word})" if respect == SHAPE else f"{word}(X)", part)


def read_program(text: str, model: AnyModel) -> Program:
    """Of a program that `write_prolog` wrote: where it comes from, and what words are made of. Raises UsageError if it
    is not of this model."""
    told: Any = read_header(text)
    if told["model"]["sha256"] != model.sha256:
        raise UsageError(f"the model {model.name} is not the one that saw the scene: send its image again")
    rows: dict[str, list[list[str]]] = {name: [] for name in _ARGUMENTS}
    for name, arguments in _FACT.findall(text):
        row = arguments.split(", ")
        if len(row) == _ARGUMENTS[name]:
            rows[name].append(row)
    columns = {name: [list(column) for column in zip(*own, strict=True)] for name, own in rows.items()}
    facts: Facts = {
        name: [
            np.array(column, dtype=np.float64) if _is_number(name, place) else column
            for place, column in enumerate(columns[name] or [[] for _ in range(count)])
        ]
        for name, count in _ARGUMENTS.items()
    }
    provenance = Provenance(model.name, model.sha256, ImageInfo(**told["image"]), told["looks"])
    return Program(provenance, facts, (), read_grounding(model), None)


def _is_number(name: str, place: int) -> bool:
    return (name, place) == ("coordinate", 2) or (name == "colour" and place > 0)
