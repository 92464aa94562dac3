"""supervision's sinks, JSON and CSV: a row a thing, with what the user added to it. Its picture is named by a column
such as `file_name`, else one of nothing but files of pictures, or is a frame by a column such as `frame_number`, or has
an `image_id`; without these all rows are of one picture. What is not told is an empty text."""

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from functools import partial
from typing import Any

from predinet_prolog.domains.detections.classes import Classes
from predinet_prolog.domains.detections.fields import PICTURES, Key, key_in, plain, text_in
from predinet_prolog.domains.detections.film import Film, frames_of
from predinet_prolog.domains.detections.table import Listed, Row, Source, unread
from predinet_prolog.domains.errors import DomainError, naming
from predinet_prolog.domains.image_files import ENDINGS
from predinet_prolog.domains.names import picture_key

CORNERS = ("x_min", "y_min", "x_max", "y_max")
FRAMES = ("frame_number", "frame_index", "frame_id", "frame")
"""Columns that users call so: the first that is there counts."""
READ = {*CORNERS, "class_id", "confidence", "tracker_id", "class_name"}


def of_csv(text: str, where: str, classes: Classes) -> Source:
    """What the rows of a CSV file say: a number where there is one."""
    with naming(where):
        reader, rows = csv.DictReader(io.StringIO(text, newline=""), strict=True), []
        if double := next((name for name, count in Counter(reader.fieldnames).items() if count > 1), None):
            raise DomainError(f"its first line names {double!r} twice: give each column a name of its own")
        for row in reader:
            if None in row or None in row.values():
                raise DomainError(f"line {reader.line_num} has more or fewer cells than the first line")
            texts = ("class_name", *PICTURES)
            rows.append({name: value if name in texts else plain(value) for name, value in row.items()})
    return of_rows(rows, where, classes)


def of_rows(rows: Sequence[Any], where: str, classes: Classes) -> Source:
    entries, columns = [], dict[str, None]()
    for number, row in enumerate(rows):
        if not isinstance(row, dict):
            raise DomainError(f"row {number + 1} of {where} is no object: {', '.join(CORNERS)} were expected")
        cells = {name: value for name, value in row.items() if value not in ("", None)}
        entries.append((number, f"row {number + 1} of {where}", cells))
        columns |= dict.fromkeys(cells)
    files = [name for name in columns if all(str(row.get(name)).lower().endswith(ENDINGS) for _, _, row in entries)]
    picture = next((name for name in (*PICTURES, *files) if name in columns), None)
    frame = next((name for name in FRAMES if name in columns), None)
    ids = (key_in(row, "class_id", at) for _, at, row in entries if "class_name" not in row and "class_id" in row)
    reader = partial(_read, READ | {picture or frame or "image_id"})
    more = ("row {1} of {0}", reader, classes.meant_by(ids, where))
    if picture is None and frame is not None:
        numbered = [(number, key_in(row, frame, place), row) for number, place, row in entries]
        return Film(where, frames_of(where, numbered, {}), *more, sparse=True)
    listed: dict[Key | None, Listed] = {}
    for number, place, row in entries:
        name = None if picture is None else text_in(row, picture, place)
        key = key_in(row, "image_id", place) if picture is None and "image_id" in columns else None
        mark = picture_key(name) if name else key
        listed.setdefault(mark, Listed(where, name, key=key)).entries.append((number, row))
    return Source(where, list(listed.values()) or [Listed(where, None)], *more, sparse=True)


def _read(columns: Set[str], row: Mapping[str, Any], place: str) -> Row:
    box = [row.get(name) for name in CORNERS]
    category = text_in(row, "class_name", place) if "class_name" in row else None
    key = key_in(row, "class_id", place) if category is None and "class_id" in row else None
    added = {name: value for name, value in row.items() if name not in columns}
    lists = [name for name, value in added.items() if isinstance(value, list | dict) or str(value)[:1] == "["]
    attributes = {name: value for name, value in added.items() if name not in lists}
    score, track = row.get("confidence"), row.get("tracker_id")
    return Row(box, ", ".join(CORNERS), None, key, category, score, track, attributes, remarks=list(map(unread, lists)))
