"""Tables of an experiment: CSV on disk, columns by name in the program, Markdown on a page."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from pyarrow import ArrowInvalid
from pyarrow import csv as arrow

from predinet_prolog.domains.writing import write_atomically
from predinet_prolog.neural.errors import NeuralError

Columns = dict[str, npt.NDArray[Any]]
"""By name, arrays of one length."""


def write_table(path: Path, parts: Sequence[Columns]) -> None:
    """Writes the rows of `parts`, one part after the other. Fractions are written with six digits."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(parts[0])
    for part in parts:
        for row in zip(*part.values(), strict=True):
            writer.writerow(f"{value:.6g}" if isinstance(value, float | np.floating) else value for value in row)
    write_atomically(path, buffer.getvalue().encode())


def read_table(path: Path) -> Columns:
    """A table that was written; no columns if it is not there. NeuralError if it cannot be read."""
    if not path.exists():
        return {}
    try:
        table = arrow.read_csv(path)
    except (OSError, ArrowInvalid) as error:
        raise NeuralError(f"{path} cannot be read: {error}; remove it and run the experiment again") from error
    return {name: column.to_numpy() for name, column in zip(table.column_names, table.columns, strict=True)}


def keyed(key: Mapping[str, object], columns: Columns) -> Columns:
    """The columns after those of `key`, which has the same values in each row."""
    size = len(next(iter(columns.values())))
    return {name: np.full(size, value) for name, value in key.items()} | columns


def where(table: Columns, **values: object) -> Columns:
    """The rows that have these values."""
    chosen = np.logical_and.reduce([table[name] == value for name, value in values.items()])
    return {name: column[chosen] for name, column in table.items()}


def groups(table: Columns, name: str) -> Iterator[Columns]:
    """The rows of every value of the column, in the order of their first rows."""
    return (where(table, **{name: value}) for value in dict.fromkeys(table[name].tolist()))


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"
