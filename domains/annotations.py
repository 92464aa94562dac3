"""A world of one's own as a folder: images, what is in them in annotations.json, and their labels in labels.csv.

annotations.json is whatever `domains.detections.coco` reads, best with attributes of any name and value; a value that
is null or left out is not told:

    {"images": [{"id": 1, "file_name": "a.png", "width": 640, "height": 480}],
     "annotations": [{"image_id": 1, "bbox": [left, top, width, height],
                      "attributes": {"shape": "disc", "filled": true}}]}

An image without annotations shows nothing. labels.csv has the columns file, label and, where there are several
questions, task. Either file may be missing. Whatever is wrong with them is a DomainError that names the file, the entry
in it, and what to do.
"""

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from predinet_prolog.domains.data import Annotated, Floats, Integers, Labelled, Pixels, Truth
from predinet_prolog.domains.detections.coco import parse
from predinet_prolog.domains.detections.fields import Scalar, plain
from predinet_prolog.domains.detections.reading import text_of
from predinet_prolog.domains.detections.table import Detection, notes_on
from predinet_prolog.domains.errors import DomainError, naming
from predinet_prolog.domains.image_files import ImageFiles, image_names, upright_size
from predinet_prolog.domains.images import reduced
from predinet_prolog.domains.label_tables import FILE, LABEL, LABELS, TASK, read_labels, some
from predinet_prolog.domains.names import PictureFiles, inside
from predinet_prolog.domains.writing import replacing

ANNOTATIONS = "annotations.json"
CATEGORY = "category"
"""The attribute that categories are, where no thing has any."""
CATEGORIES = f"categories are not read where boxes have attributes: write each as one, such as {CATEGORY}"
LOOK, SIZE = "look", "size"
"""Attributes that mean more than others: things of equal look look the same; of equal sizes boxes tell."""
_NAME = re.compile(r"[a-z][a-zA-Z0-9_]*")


def to_compare(attributes: Mapping[str, Integers]) -> dict[str, Integers]:
    """What there is to compare of things, by attribute (O,): not sizes, which boxes tell. Where looks are not told but
    several attributes are, things look the same that have all of them in common; −1 where one is not told."""
    values = {name: column for name, column in attributes.items() if name != SIZE}
    if LOOK not in values and len(values) > 1:
        table = np.stack(list(values.values()), axis=1)
        looks = np.unique(table, axis=0, return_inverse=True)[1].reshape(-1)
        values[LOOK] = np.where((table >= 0).all(axis=1), looks, -1)
    return values


def read_folder(folder: Path) -> Annotated:
    """The pictures of a folder in the order of annotations.json, else of labels.csv, with what is told of them.

    Of each image only the size is looked at; it is read when it is asked for, as a picture of any size. Boxes are in
    its pixels. Values of an attribute are numbered in the order of their names.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise DomainError(f"{folder}: no such folder")
    annotations = _read_annotations(folder)
    path = folder / LABELS
    listed = () if annotations is None else annotations.names
    labels, notes = read_labels(path, listed, folder) if path.exists() else (None, ())
    if annotations is None and labels is None:
        raise DomainError(
            f"{folder}: neither {ANNOTATIONS} nor {LABELS}: the one says what is in its images, the other what is asked"
        )
    if annotations is not None and (extra := [name for name in labels or () if name not in annotations.names]):
        raise DomainError(f"{folder / LABELS}: {extra[0]} is not among the images of {ANNOTATIONS}: add it there")
    names = tuple(annotations.names if annotations is not None else labels or ())
    if not names:
        raise DomainError(f"{folder}: no images are listed")
    if left := sorted(set(image_names(folder)).difference(names)):
        notes += (f"{LABELS if annotations is None else ANNOTATIONS}: nothing is told of {some(left)}",)
    sizes = annotations.sizes if annotations is not None else [upright_size(folder / name) for name in names]
    truth, words = (None, {}) if annotations is None else annotations.truth()
    answers = () if labels is None else [labels.get(name, (None, None)) for name in names]
    return Annotated(
        names,
        ImageFiles([folder / name for name in names], [reduced(size) for size in sizes]),
        truth,
        words,
        tuple(label for label, _ in answers),
        tuple(task for _, task in answers),
        (() if annotations is None else annotations.notes) + notes,
    )


def write_folder(folder: Path, annotated: Annotated) -> None:
    """Writes a new folder that `read_folder` reads. Pictures are written as PNG, and their names must say so.

    Raises DomainError if something is there already, unless an empty folder, and OSError.
    """
    with new_folder(folder) as new:
        sizes: list[tuple[int, int]] = []
        for name, pixels in zip(annotated.names, annotated.pictures, strict=True):
            if Path(name).suffix.lower() != ".png":
                raise DomainError(f"{name}: pictures are written as PNG: end its name in .png")
            path = inside(new, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            Image.fromarray(pixels).save(path)
            sizes.append((pixels.shape[1], pixels.shape[0]))
        if annotated.truth is not None:
            write_annotations(new, annotated.names, sizes, annotated.truth, annotated.words)
        if any(label is not None for label in annotated.labels):
            columns = [annotated.names, annotated.labels]
            columns += [annotated.tasks] if any(task is not None for task in annotated.tasks) else []
            with (new / LABELS).open("w", newline="", encoding="utf-8") as file:
                writer = csv.writer(file, lineterminator="\n")
                writer.writerow((FILE, LABEL, TASK)[: len(columns)])
                writer.writerows(row for row in zip(*columns, strict=True) if row[1] is not None)


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """A folder to write into, which is there as `folder` when the block ends, or not at all. DomainError if something
    is there already, unless an empty folder."""
    folder = Path(folder).resolve()
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise DomainError(f"{folder}: exists already; name a new folder or an empty one")
    with replacing(folder) as temporary:
        temporary.mkdir()
        yield temporary


def write_annotations(
    folder: Path,
    names: Sequence[str],
    sizes: Sequence[tuple[int, int]],
    truth: Truth,
    words: Mapping[str, Sequence[str]],
) -> None:
    """Writes annotations.json for images of those `names` and `sizes` (width, height). A value is its word, else its
    number."""
    images = [
        {"id": number, "file_name": name, "width": width, "height": height}
        for number, (name, (width, height)) in enumerate(zip(names, sizes, strict=True))
    ]
    values = {
        name: [None if n < 0 else words[name][n] if words.get(name) else n for n in numbers.tolist()]
        for name, numbers in truth.attributes.items()
    }
    things = [
        {
            "id": thing,
            "image_id": image,
            "bbox": [_plain(side) for side in (left, top, right - left, bottom - top)],
            "attributes": {name: column[thing] for name, column in values.items() if column[thing] is not None},
        }
        for thing, (image, (left, top, right, bottom)) in enumerate(
            zip(truth.image.tolist(), truth.boxes.tolist(), strict=True)
        )
    ]
    (folder / ANNOTATIONS).write_text(json.dumps({"images": images, "annotations": things}) + "\n", encoding="utf-8")


def as_annotated(drawn: Labelled) -> Annotated:
    """Pictures of one size with their labels, as a folder has them; values go by their numbers."""
    digits = len(str(len(drawn) - 1))
    attributes = {} if drawn.truth is None else drawn.truth.attributes
    return Annotated(
        tuple(f"{number:0{digits}}.png" for number in range(len(drawn))),
        tuple(drawn.images),
        drawn.truth,
        _numbers(attributes),
        tuple(map(str, drawn.labels.tolist())),
        tuple(map(str, drawn.task_ids.tolist())),
    )


def of_pictures(
    pictures: Sequence[Pixels],
    boxes: Sequence[Floats],
    values: Mapping[str, Integers],
    words: Mapping[str, tuple[str, ...]] | None = None,
    labels: tuple[str | None, ...] = (),
) -> Annotated:
    """Pictures of any size with the `boxes` (n, 4) of what each shows, and by attribute the values (O,) of all things;
    without `words` these go by their numbers."""
    image = np.repeat(np.arange(len(pictures)), [len(of_picture) for of_picture in boxes])
    truth = Truth(image, np.concatenate([np.zeros((0, 4)), *boxes]), values)
    names = tuple(f"{number:05}.png" for number in range(len(pictures)))
    of_values = _numbers(values) if words is None else {name: words[name] for name in values}
    return Annotated(names, tuple(pictures), truth, of_values, labels)


def _numbers(values: Mapping[str, Integers]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(map(str, range(int(column.max(initial=-1)) + 1))) for name, column in values.items()}


def learnable(folder: Path, annotated: Annotated) -> Annotated:
    """The same but for attributes that nothing can be learned of, those with one value only, which a note names.

    DomainError if it does not tell where things are, or none is left. The size is read off boxes and not learned.
    """
    truth = annotated.truth
    if truth is None or not len(truth.image):
        raise DomainError(f"{folder}: nothing says where things are: give their boxes in {ANNOTATIONS}")
    attributes, faults = {}, {}
    for name, values in truth.attributes.items():
        values_told = np.unique(values[values >= 0])
        if name == SIZE or len(values_told) > 1:
            attributes[name] = values
        else:
            names = annotated.words.get(name) or values_told
            value = names[int(values_told[0])] if len(values_told) else "not told"
            faults[name] = f"every {name} is {value}, so there is nothing to learn"
    if attributes.keys() <= {SIZE}:
        for name, fault in faults.items():
            raise DomainError(f"{folder / ANNOTATIONS}: {fault}: annotate things of another {name} too")
        raise DomainError(f"{folder / ANNOTATIONS}: no box has attributes: give each what it is to be told by")
    notes = tuple(f"{ANNOTATIONS}: {fault}: left out" for fault in faults.values())
    words = {name: values for name, values in annotated.words.items() if name in attributes}
    left = Truth(truth.image, truth.boxes, attributes)
    return replace(annotated, truth=left, words=words, notes=annotated.notes + notes)


@dataclass(frozen=True)
class _Told:
    """What annotations.json says."""

    names: Mapping[str, int]
    """Of the images, with their places."""
    sizes: Sequence[tuple[int, int]]
    """Width and height of each file, upright."""
    image: Sequence[int]
    """Of each thing, its image's place."""
    boxes: Sequence[tuple[float, ...]]
    """Of each thing, in pixels of the file."""
    attributes: Sequence[Mapping[str, str]]
    notes: tuple[str, ...]

    def truth(self) -> tuple[Truth, dict[str, tuple[str, ...]]]:
        """In pixels of the images as they are read, with the names of values by attribute."""
        order = np.argsort(np.array(self.image, dtype=np.int64), kind="stable")
        image: Integers = np.array(self.image, dtype=np.int64)[order]
        scale = np.array([[new / old for new, old in zip(reduced(s), s, strict=True)] for s in self.sizes])
        boxes: Floats = np.array(self.boxes, dtype=np.float64).reshape(-1, 4)[order] * np.tile(scale[image], 2)
        values, words = {}, {}
        for name in dict.fromkeys(name for attributes in self.attributes for name in attributes):
            column = [self.attributes[thing].get(name) for thing in order.tolist()]
            words[name] = tuple(sorted({value for value in column if value is not None}, key=_by_number))
            number = {value: place for place, value in enumerate(words[name])}
            values[name] = np.array([-1 if value is None else number[value] for value in column], dtype=np.int64)
        return Truth(image, boxes, values), words


def _read_annotations(folder: Path) -> _Told | None:
    source = folder / ANNOTATIONS
    if not source.exists():
        return None
    document = parse(text_of(source), str(source))
    files, paths = PictureFiles(folder), set[Path]()
    if any(listed.name is None for listed in document.images):
        document.check_pictures(files.names)
    names: dict[str, int] = {}
    sizes: list[tuple[int, int]] = []
    of, things, attributes, remarks = [], list[Detection](), list[dict[str, str]](), list[str]()
    for listed in document.images:
        with naming(listed.place):
            name = files.names[0] if listed.name is None else files.called(listed.name)
            if (path := (folder / name).resolve()) in paths:
                raise DomainError(f"{listed.name} is listed twice: an image has one entry")
            size = upright_size(path)
        paths.add(path)
        detected = document.things(listed, size)
        remarks += detected.remarks
        of += [len(sizes)] * len(detected.things)
        things += detected.things
        names[name] = len(sizes)
        sizes.append(size)
    if not any(thing.attributes for thing in things):
        things = [replace(thing, attributes={CATEGORY: thing.category} if thing.category else {}) for thing in things]
    elif len({thing.category for thing in things}) > 1:
        remarks.append(CATEGORIES)
    for thing in things:
        with naming(thing.place):
            attributes.append({_named(key): _text(key, value) for key, value in thing.attributes.items()})
    entries = sum(len(listed.entries) for listed in document.images)
    notes = notes_on(remarks, boxes=entries, images=len(sizes))
    boxes = [thing.box for thing in things]
    return _Told(names, sizes, of, boxes, attributes, tuple(f"{ANNOTATIONS}: {note}" for note in notes))


def _named(name: str) -> str:
    """DomainError for an attribute that names no predicate."""
    if not _NAME.fullmatch(name):
        better = re.sub(r"\W+", "_", name.lower(), flags=re.ASCII).strip("_")
        hint = f": call it {better}" if _NAME.fullmatch(better) else ""
        raise DomainError(f"the attribute {name[:50]!r} is no name of small letters, digits and _{hint}")
    return name


def _text(name: str, value: Scalar) -> str:
    """The name of an attribute's value."""
    if value == "":
        raise DomainError(f"{name} is an empty text: write what it is, or null where that is not told")
    if isinstance(value, bool):
        return str(value).lower()
    return value if isinstance(value, str) else str(_plain(value))


def _by_number(value: str) -> tuple[bool, Any]:
    """What values are sorted by: numbers by how large they are, before texts."""
    number = plain(value)
    return isinstance(number, str), number


def _plain(value: float) -> float:
    """The same number, without decimals where it has none."""
    return int(value) if value == int(value) else value
