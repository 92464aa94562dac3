"""A table of many images (writers/parquet.py) is read again, as the Prolog facts that its rows stand for."""

import json
from collections.abc import Container, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow
from pyarrow import compute
from pyarrow.parquet import ParquetFile

from predinet_prolog.bridge.clauses import nothing
from predinet_prolog.bridge.errors import TableError
from predinet_prolog.bridge.program import Column
from predinet_prolog.bridge.terms import number, word
from predinet_prolog.bridge.writers.parquet import FORMAT
from predinet_prolog.bridge.writers.prolog import clause_text, write_facts


@dataclass(frozen=True)
class _Predicate:
    name: str
    columns: tuple[str, ...]
    """Of its arguments behind the image."""
    has_confidence: bool


def read_program(path: Path, names: Container[str], *, most: int) -> str:
    """The facts and relations of a table as Prolog facts, the image first: of the predicates in `names`; for
    `confidence` among these, of all that have one. The table's other predicates are defined, and hold of nothing.

    Raises TableError for a file that is no such table, and for more than `most` characters.
    """
    try:
        with ParquetFile(path) as file:
            metadata = file.schema_arrow.metadata or {}
            if FORMAT not in metadata:
                raise TableError(f"{path} is no table of images: make one with export FOLDER --kb {path.name}")
            predicates, likely = _predicates(metadata[FORMAT]), "confidence" in names
            wanted = [one for one in predicates if one.name in names or (likely and one.has_confidence)]
            # Prolog wants the clauses of a predicate side by side; the table has them some images after the others.
            defined = {(predicate.name, 1 + len(predicate.columns)): list[str]() for predicate in predicates} | {
                ("confidence", 2): []
            }
            for indicator, text in _texts(file, wanted, likely=likely):
                defined[indicator].append(text)
                most -= len(text)
                if most < 0:
                    raise TableError(f"{path} says too much of that to be asked here: ask it with DuckDB")
            return "\n".join(
                text for entry in defined.items() for text in entry[1] or [clause_text(nothing(*entry[0]))]
            )
    except (pyarrow.ArrowException, OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        line = str(error).partition("\n")[0]
        raise TableError(f"{path} cannot be read: {line}") from error


def _predicates(text: bytes) -> list[_Predicate]:
    """What the table's metadata say that is in it."""
    header = json.loads(text)
    if header["format"] != 1:
        raise ValueError(f"its format is {header['format']}")
    return [
        _Predicate(str(entry["predicate"]), tuple(map(str, entry["columns"])), bool(entry.get("confidence")))
        for entry in header["predicates"]
    ]


def _texts(file: ParquetFile, predicates: list[_Predicate], *, likely: bool) -> Iterator[tuple[tuple[str, int], str]]:
    """Of the rows of the predicates some after the others, as name and arity and text."""
    columns = {"image", "predicate", "confidence", *(name for predicate in predicates for name in predicate.columns)}
    for batch in file.iter_batches(columns=sorted(columns)) if predicates else ():
        rows = pyarrow.table(batch)
        for predicate in predicates:
            yield from _facts(rows, predicate, likely=likely)


def _facts(rows: pyarrow.Table, predicate: _Predicate, *, likely: bool) -> Iterator[tuple[tuple[str, int], str]]:
    """The rows of the predicate as text, and its confidences if they are wanted."""
    columns = ["image", *predicate.columns]
    mine = compute.equal(rows["predicate"], predicate.name)
    for column in columns:  # of the same name and other columns: another predicate's
        mine = compute.and_(mine, compute.is_valid(rows[column]))
    selected = rows.filter(mine)
    if not selected.num_rows:
        return
    facts = write_facts(predicate.name, [_column(selected[column], column) for column in columns])
    yield (predicate.name, len(columns)), facts
    if likely and predicate.has_confidence:
        probabilities = map(number, selected["confidence"].to_pylist())
        lines = zip(facts.splitlines(), probabilities, strict=True)
        yield ("confidence", 2), "\n".join(f"confidence({fact[:-1]}, {likely})." for fact, likely in lines)


def _column(column: pyarrow.ChunkedArray, name: str) -> Column:
    """Names, counts or numbers; a word that is a number is one, as programs have it."""
    if pyarrow.types.is_floating(column.type):
        return np.asarray(column.to_numpy(), np.float64)
    values = column.to_pylist()
    if name not in ("value", "track"):
        return values  # type: ignore[no-any-return]
    return [word(value) for value in values]
