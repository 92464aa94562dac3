"""The facts of many images as a table: a row a fact."""

from collections.abc import Iterable
from functools import cache
from typing import Any

import pyarrow

from bridge.program import Facts
from bridge.vocabulary import NUMBERS, base_facts_of
from bridge.writers.json import values


@cache
def schema(place: str | None) -> pyarrow.Schema:
    """Image, predicate, and the arguments of all predicates by name: empty where a predicate has none so called.

    `place` says how the programs' model counts places; None of pictures of any size.
    """
    types = {str: pyarrow.string(), int: pyarrow.int64(), float: pyarrow.float64()}
    columns = {"image": types[str], "predicate": types[str]}
    for each in base_facts_of(place).values():
        for name, argument in zip(each.columns, each.arguments, strict=True):
            columns[name] = types[NUMBERS.get(argument.type, str)]
    return pyarrow.schema(list(columns.items()))


def table(images: Iterable[tuple[str, Facts]], place: str | None) -> pyarrow.Table:
    """The facts of each image, which come with its name."""
    predicates, own_schema = base_facts_of(place), schema(place)
    columns: dict[str, list[Any]] = {name: [] for name in own_schema.names}
    for image, facts in images:
        for predicate, arguments in facts.items():
            rows = len(arguments[0])
            own = zip(predicates[predicate].columns, map(values, arguments), strict=True)
            known = {"image": [image] * rows, "predicate": [predicate] * rows, **dict(own)}
            for column, cells in columns.items():
                cells += known.get(column, [None] * rows)
    return pyarrow.table(columns, own_schema)
