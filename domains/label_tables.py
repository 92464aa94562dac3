"""Tables in CSV files, which people write by hand, by spreadsheets and by scripts: which picture is called what, and of
which objects a word is true.

    file,label,task          image,object[,object],true|false

UTF-8, or UTF-16 and UTF-32 with their byte order marks; fields parted by a comma, a semicolon or a tab. Blanks around
fields are no part of them, and a note says where there were some. Whatever is wrong is a DomainError that names the
file, the line and what to do.
"""

import codecs
import csv
import difflib
import io
import re
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TypeVar

from predinet_prolog.domains.errors import DomainError, naming
from predinet_prolog.domains.names import Names, PictureFiles

FILE, LABEL, TASK = "file", "label", "task"
LABELS = "labels.csv"
MOST_BYTES = 2**26
"""No larger table is read."""
NAMED = 3
"""So many lines or pictures are named in a note."""
DELIMITERS = ",;\t"
TRUTH = {"true": True, "1": True, "false": False, "0": False}
_MARKS = {codecs.BOM_UTF8: "utf-8-sig"} | {  # the longer first: UTF-32's begins with UTF-16's
    getattr(codecs, f"BOM_UTF{bits}_{order}"): f"utf-{bits}" for bits in (32, 16) for order in ("LE", "BE")
}
_SEPARATOR = re.compile(r'"?sep=([,;\t])\W*', re.IGNORECASE)
"""Excel's own first line."""
Line = tuple[int, list[str]]
"""Its number from 1, and its fields."""
Picture = TypeVar("Picture")
Labels = dict[str, tuple[str | None, str | None]]
"""By picture, its label and its task."""


def read_labels(path: Path, pictures: Collection[str], folder: Path | None = None) -> tuple[Labels, tuple[str, ...]]:
    """What such a file as labels.csv tells, and notes, by the pictures that `finder` finds."""
    rows: Labels = {}
    records, notes = read_records(path, (FILE, LABEL), f"{FILE},{LABEL} or {FILE},{LABEL},{TASK}")
    find = finder(pictures, folder)
    columns = records[0][1] if records and TASK not in records[0][1] else ()
    if near := difflib.get_close_matches(TASK, columns) or [column for column in columns if TASK in column]:
        notes += (f"{path.name}: the column {near[0]!r} is not read: call it {TASK} if that is what it tells",)
    for line, record in records:
        with naming(path), naming(f"line {line}"):
            name = find(record[FILE])
            if name in rows:
                raise DomainError(f"{name} is listed twice: an image has one label")
            rows[name] = record[LABEL] or None, record.get(TASK) or None
    spelling = dict[str, str]()
    for label in sorted({label for label, _ in rows.values() if label}):
        if (other := spelling.setdefault(label.casefold(), label)) != label:
            notes += (f"{path.name}: {other!r} and {label!r} are two labels: write them alike if one is meant",)
    unlabelled = [name for name, (label, _) in rows.items() if label is None]
    if 0 < len(unlabelled) < len(rows):  # where none has one, none is meant
        notes += (f"{path.name}: no label is given for {some(unlabelled)}",)
    return rows, notes


def read_records(
    path: Path, columns: Sequence[str], form: str
) -> tuple[list[tuple[int, dict[str, str]]], tuple[str, ...]]:
    """Lines by the columns that the first line names, in small letters, `columns` among them; and notes. `form` is what
    the first line must be."""
    with naming(path):
        table, notes = _read(path, columns)
        (_, first), *lines = table or [(1, [])]
        header = [name.casefold() for name in first]
        for column in (*columns, *filter(None, header)):
            if header.count(column) != 1:
                number = "two columns" if column in header else "no column"
                raise DomainError(f"{number} {column!r}: the first line must be {form}")
        for line, fields in lines:
            if len(fields) > len(header):
                raise DomainError(
                    f"line {line}: {len(fields)} fields, and the first line names {len(header)}: a field with a "
                    "delimiter in it, such as 0,5, stands in quotes"
                )
        padded = ((line, [*fields, *[""] * (len(header) - len(fields))]) for line, fields in lines)
        return [(line, dict(zip(header, fields, strict=True))) for line, fields in padded], notes


def read_examples(
    path: Path, find: Callable[[str], Picture], *, widths: Collection[int], implied: bool
) -> tuple[dict[tuple[Picture, tuple[str, ...]], bool], tuple[str, ...]]:
    """Of which objects of which pictures a word is true, as lines image,object,…,truth tell it, and notes. A first line
    may name the columns. All lines have as many objects, one of the `widths`. Where truth is `implied` it may be left
    out: true."""
    examples: dict[tuple[Picture, tuple[str, ...]], bool] = {}
    form = f"image,object{',object' * (min(widths) - 1)}{'[,object]' * (max(widths) > min(widths))}"
    form += "[,true|false]" if implied else ",true|false"
    with naming(path):
        lines, notes = _read(path, ("image", FILE, "object"))
        first = [field.casefold() for field in lines[0][1]] if lines else []
        if first[:1] in (["image"], [FILE]):
            lines = lines[1:]
        elif "image" in first or FILE in first:
            raise DomainError(f"line {lines[0][0]}: the columns must be {form}, in this order")
        width = None
        for line, (name, *objects) in lines:
            with naming(f"line {line}"):
                text = "" if implied and len(objects) in widths else objects.pop() if objects else ""
                truth = True if implied and not text else TRUTH.get(text.casefold())
                width = width or len(objects)
                if len(objects) != width or width not in widths or not all(objects):
                    raise DomainError(f"it must be {form}" + f", with {width} objects as before" * (width in widths))
                if truth is None:
                    raise DomainError(f"it must be {form}: {text!r} is neither true nor false")
                if examples.setdefault((find(name), tuple(objects)), truth) != truth:
                    raise DomainError(f"{', '.join(objects)} of {name} is true in one line and false in another")
        if not any(examples.values()):
            raise DomainError(f"no example is true: add a line {form.replace('[,true|false]', '').split('|')[0]}")
        return examples, notes


def finder(files: Collection[str], folder: Path | None) -> Callable[[str], str]:
    """What finds the picture that a table's name means: a file in the folder, else one of `files`. DomainError if
    there is none, or more than one."""
    if folder is not None:
        return PictureFiles(folder).called
    names, pictures = Names(files), list(files)

    def find(name: str) -> str:
        places = names.like(name)
        if len(places) > 1:
            raise DomainError(f"{name} may be {' or '.join(pictures[place] for place in places[:2])}: name its folder")
        if not places:
            raise DomainError(f"there is no picture {name or 'without name'}: leave out the line")
        return pictures[places[0]]

    return find


def _read(path: Path, columns: Sequence[str]) -> tuple[list[Line], tuple[str, ...]]:
    """The lines that say something, without empty fields at their ends, and notes; `columns` are those that a first
    line may name."""
    text = _text(path)
    opening = next((line for line in text.splitlines() if line.strip()), "")
    separator = _SEPARATOR.fullmatch(opening)

    def rows(delimiter: str, text: str, *, trim: bool) -> list[Line]:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=trim, skipinitialspace=trim)
        try:
            return [(reader.line_num, row) for row in reader]
        except csv.Error as error:
            raise DomainError(f"line {reader.line_num}: {error}") from None

    def fit(delimiter: str) -> tuple[int, int]:
        (*_, (_, fields)) = rows(delimiter, opening, trim=False) or [(0, [])]
        return len({field.strip().casefold() for field in fields} & set(columns)), len(fields)

    delimiter = separator[1] if separator else max(DELIMITERS, key=fit)
    lines, blanks = [], []
    as_written = [row for _, row in rows(delimiter, text, trim=False)]
    for (line, row), written in zip(rows(delimiter, text, trim=True), as_written, strict=False):
        fields = [field.strip() for field in row]
        while fields and not fields[-1]:
            fields.pop()
        if fields:
            lines.append((line, fields))
            if [field.strip() for field in row] != written:
                blanks.append(line)
    lines = lines[1:] if separator else lines
    note = f"{path.name}, line {some(blanks)}: blanks around fields are left out"
    return lines, (note,) if blanks else ()


def some(items: Sequence[object]) -> str:
    """The first NAMED of them, and how many more there are."""
    return ", ".join(map(str, items[:NAMED])) + (f" and {len(items) - NAMED} more" if len(items) > NAMED else "")


def _text(path: Path) -> str:
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise DomainError(f"it is larger than {MOST_BYTES // 2**20} MiB: split it")
    encoding = next((name for mark, name in _MARKS.items() if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DomainError(
            f"line {line} is not {encoding[:6].upper()} text (byte {error.start}): save it as CSV in UTF-8"
        ) from None
    if "\0" in text:
        raise DomainError("it has NUL characters, as UTF-16 without byte order mark has: save it as CSV in UTF-8")
    return text
