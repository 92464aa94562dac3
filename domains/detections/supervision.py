"""supervision's sinks, JSON and CSV: a row a thing, with what the user added to it. Its picture is named by a column
such as `file_name`, else one of nothing but files of pictures, or is a frame by a column such as `frame_number`, or has
an `image_id`; without these all rows are of one picture. What is not told is an empty text."""

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from functools import partial
from typing import Any

from predinet_prolog.domains.detections import coco
from predinet_prolog.domains.detections.classes import Classes
from predinet_prolog.domains.detections.fields import WORDS, key_in, plain, word_in
from predinet_prolog.domains.detections.film import Film, frames_of
from predinet_prolog.domains.detections.table import Row, Source, unread
from predinet_prolog.domains.errors import DomainError, naming
from predinet_prolog.domains.image_files import ENDINGS
from predinet_prolog.domains.label_tables import DELIMITERS

CORNERS = ("x_min", "y_min", "x_max", "y_max")
FRAMES = ("frame_number", "frame_index", "frame_id", "frame")
"""Columns that users call so: the first that is there counts."""
COLUMNS = {"category": "class_name", "score": "confidence", "track": "tracker_id"}


def of_csv(text: str, where: str, classes: Classes) -> Source:
    """What the rows of a CSV file say: a number where there is one."""
    with naming(where):
        lines, delimiter = io.StringIO(text, newline=""), max(DELIMITERS, key=text.partition("\n")[0].count)
        reader, rows = csv.DictReader(lines, delimiter=delimiter, strict=True, skipinitialspace=True), []
        if double := next((name for name, count in Counter(reader.fieldnames).items() if count > 1), None):
            raise DomainError(f"its first line names {double!r} twice: give each column a name of its own")
        for row in reader:
            if None in row or None in row.values():
                raise DomainError(f"line {reader.line_num} has more or fewer cells than the first line")
            texts = ("class_name", *WORDS["picture"])
            rows.append({name: value if name in texts else plain(value) for name, value in row.items()})
    return of_rows(rows, where, classes)


def of_rows(rows: Sequence[Any], where: str, classes: Classes) -> Source:
    table, columns = [], dict[str, Any]()
    for number, row in enumerate(rows):
        if not isinstance(row, dict):
            raise DomainError(f"row {number + 1} of {where} is no object: {', '.join(CORNERS)} were expected")
        table.append({name: value for name, value in row.items() if value not in ("", None)})
        columns |= table[-1]
    files = [name for name in columns if all(str(row.get(name)).lower().endswith(ENDINGS) for row in table)]
    picture = word_in(columns, "picture") or next(iter(files), "")
    frame = next((name for name in FRAMES if name in columns and not picture), "")
    ids = (key_in(row, "class_id", where) for row in table if "class_name" not in row and "class_id" in row)
    classes = classes.meant_by(ids, where)
    more = ("row {1} of {0}", partial(_read, {picture or frame or "image_id", "file_name"}, classes), classes)
    if frame:
        numbered = [(n, key_in(row, frame, f"row {n + 1} of {where}"), row) for n, row in enumerate(table)]
        return Film(where, frames_of(where, numbered, {}), *more, sparse=True)
    table = [row | {"file_name": row[picture]} if picture in row else row for row in table]
    return Source(where, coco.of_list(table, where, {}), *more, sparse=True)


def _read(columns: Set[str], classes: Classes, row: Mapping[str, Any], place: str) -> Row | str:
    aside = {*WORDS["category"]} - {*coco.BESIDE_IDS} if classes.names and "class_id" in row else ()
    fields = (word_in(row, what, column) for what, column in COLUMNS.items())
    words = {word: row[word] for word in fields if word and word not in aside}
    added = {name: row[name] for name in row if name not in {*CORNERS, *columns, *words, "class_id"}}
    lists = [name for name, value in added.items() if isinstance(value, list | dict) or str(value)[:1] == "["]
    attributes = {name: value for name, value in added.items() if name not in lists}
    box = [row.get(name) for name in CORNERS]
    record = {**words, "bbox": box, "bbox_mode": 0, "category_id": row.get("class_id"), "attributes": attributes}
    thing = coco.read(classes, record, place)
    assert isinstance(thing, Row)
    return replace(thing, remarks=[*thing.remarks, *map(unread, lists)])
