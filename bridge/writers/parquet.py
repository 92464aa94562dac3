"""The facts of many images, and what is true of their objects by the clauses, as one table: a row each.

The table's own metadata say which predicates it has, so that what reads it need not know the vocabulary.
"""

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import pyarrow

from predinet_prolog.bridge.program import Facts, ModelRules, plain
from predinet_prolog.bridge.relations import related, relations
from predinet_prolog.bridge.terms import exact, word
from predinet_prolog.bridge.vocabulary import NUMBERS, base_facts_of

FORMAT = b"predinet-prolog"
"""The key of the metadata: JSON of the predicates, each with its columns in the order of its arguments."""

ARGUMENTS = ("x", "y", "z", "value")
"""The columns of relations: every table has them, so that the same question can be asked of all."""


def _text(value: object, column: str) -> str:
    """Numbers as programs have them; a text that would be read as one in quotes."""
    if isinstance(value, str):
        return f"'{value}'" if column in ("value", "track") and word(value) != value else value
    return exact(value) if isinstance(value, float) else str(value)


@lru_cache(16)
def schema(rules: ModelRules) -> pyarrow.Schema:
    """Image, predicate, and the arguments of all predicates by name: empty where a predicate has none so called. Then
    the confidence, of those that have one."""
    types = {str: pyarrow.string(), int: pyarrow.int64(), float: pyarrow.float64()}
    columns = {"image": types[str], "predicate": types[str]}
    predicates: list[dict[str, object]] = []
    for predicate in base_facts_of(rules.dialect).values():
        for name, argument in zip(predicate.columns, predicate.arguments, strict=True):
            columns[name] = types[NUMBERS.get(argument.type, str)]
        symmetric = [predicate.columns[place] for place in predicate.symmetric]
        predicates.append({"predicate": predicate.name, "columns": predicate.columns, "symmetric": symmetric})
    for relation in relations(rules):
        shape = {"columns": relation.columns, "symmetric": relation.symmetric}
        predicates.append({"predicate": relation.name, **shape, "confidence": relation.has_confidence})
    columns |= dict.fromkeys(ARGUMENTS, types[str]) | {"confidence": types[float]}
    return pyarrow.schema(list(columns.items()), {FORMAT: json.dumps({"format": 1, "predicates": predicates})})


def table(images: Iterable[tuple[str, Facts]], rules: ModelRules) -> pyarrow.Table:
    """The facts of each image, which come with its name, then what is true of them all by the rules."""
    predicates, own_schema = base_facts_of(rules.dialect), schema(rules)
    plain_images = [(image, plain(facts)) for image, facts in images]
    columns: dict[str, list[Any]] = {name: [] for name in own_schema.names}
    for image, facts in plain_images:
        for predicate, arguments in facts.items():
            rows = len(arguments[0])
            arguments_of = dict(zip(predicates[predicate].columns, arguments, strict=True))
            words = {
                name: [_text(value, name) for value in arguments_of[name]]
                for name in arguments_of
                if own_schema.field(name).type == pyarrow.string()
            }
            known_cells = {"image": [image] * rows, "predicate": [predicate] * rows, **arguments_of, **words}
            for column, cells in columns.items():
                cells += known_cells.get(column, [None] * rows)
    parts = [pyarrow.table(columns, own_schema)]
    for relation, true in related(plain_images, rules).items():
        rows = len(true["image"])
        told_of = {**true, "predicate": [relation.name] * rows}
        cells_of = [told_of.get(field.name, pyarrow.nulls(rows, field.type)) for field in own_schema]
        parts.append(pyarrow.table(cells_of, own_schema))
    return pyarrow.concat_tables(parts)
