"""Tables of an experiment: CSV on disk, rows with named columns in the program, Markdown on a page."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from domains.writing import write_atomically
from neural.errors import NeuralError

Row = Mapping[str, str | int | float | bool]
"""One row by column. Fractions are written with six digits."""


def write_table(path: Path, rows: Sequence[Row]) -> None:
    """Writes `rows`, all of the same columns and at least one."""
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: f"{value:.6g}" if isinstance(value, float) else value for name, value in row.items()})
    write_atomically(path, buffer.getvalue().encode())


def read_table(path: Path) -> list[dict[str, str]]:
    """The rows of a table; none if it is not there. NeuralError if it cannot be read."""
    if not path.exists():
        return []
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))
    except (OSError, ValueError, csv.Error) as error:
        raise NeuralError(f"{path} cannot be read: {error}; remove it and run the experiment again") from error


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"
