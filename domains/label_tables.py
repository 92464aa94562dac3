"""Tables of labels: which picture is called what."""

import csv
from collections.abc import Collection
from pathlib import Path

from domains.errors import DomainError, naming
from domains.names import PictureFiles

FILE, LABEL, TASK = "file", "label", "task"
LABELS = "labels.csv"


def read_labels(
    path: Path, known: Collection[str], folder: Path | None = None
) -> dict[str, tuple[str | None, str | None]]:
    """By picture, the label and the task that such a file as labels.csv tells. DomainError for a picture that is
    neither among the `known` nor a file in the folder."""
    rows: dict[str, tuple[str | None, str | None]] = {}
    files = None if folder is None else PictureFiles(folder)
    with naming(path), path.open(newline="", encoding="utf-8-sig") as file:
        reader = csv.DictReader(file, strict=True)
        for column in (FILE, LABEL):
            if column not in (reader.fieldnames or ()):
                raise DomainError(f"no column {column!r}: the first line must be file,label or file,label,task")
        for row in reader:
            with naming(f"line {reader.line_num}"):
                name = row[FILE] or ""
                if name not in known:
                    if files is None:
                        raise DomainError(f"there is no picture {name or 'without name'}: leave out the line")
                    name = files.called(name)
                if name in rows:
                    raise DomainError(f"{name} is listed twice: an image has one label")
                rows[name] = row[LABEL] or None, row.get(TASK) or None
    return rows
