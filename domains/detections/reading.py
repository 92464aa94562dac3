"""Opens a file or a folder of detections; what kind it is, its content tells."""

import gc
import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any

from predinet_prolog.domains.detections import clevr, coco, film, labelme, supervision, voc, yolo
from predinet_prolog.domains.detections.classes import NONE, Classes, read_classes
from predinet_prolog.domains.detections.fields import Key, parsed
from predinet_prolog.domains.detections.table import Source
from predinet_prolog.domains.errors import DomainError, naming
from predinet_prolog.domains.image_files import ENDINGS, walk
from predinet_prolog.domains.names import inside

MOST_BYTES = 2**28
"""No larger file is read."""
PICKLES = (".pt", ".pth", ".pkl", ".pickle", ".npy", ".npz")
FILMS = ("gt/gt.txt", "det/det.txt", "gt.txt", "det.txt")
"""What MOT calls its files in a film's folder."""
READ = "read are COCO, YOLO, Pascal VOC, LabelMe, MOT, supervision and CLEVR's scenes"
ANNOTATED = re.compile("instances|annotations", re.IGNORECASE)
KINDS = {".txt": "YOLO", ".xml": "Pascal VOC", ".json": "COCO or LabelMe"}


def open_detections(path: Path, *, classes: Path | None = None) -> Source:
    """What a file or a folder says of things in pictures; `classes`: a file of what their classes are called."""
    named = NONE if classes is None else read_classes(classes)
    gc.set_threshold(100_000)  # new objects: thousands of boxes stay, and would be gone through time and again
    return _opened(path, named)


def _opened(path: Path, named: Classes) -> Source:
    if path.is_dir():
        return _of_folder(path, named)
    if path.suffix.lower() in PICKLES:
        raise DomainError(f"{path} may hold any program: load it yourself, and give its arrays from Python")
    return of_text(text_of(path), str(path), named, folder=path.parent)


def of_text(text: str, where: str, classes: Classes = NONE, *, folder: Path | None = None) -> Source:
    """What a file of that text says, which errors call `where`; `folder`: its own, where names of classes are."""
    beside = NONE if folder is None else yolo.classes_of(folder)
    start = text.lstrip("\ufeff \t\r\n")
    if start[:1] in ("{", "["):
        content = parsed(text, where, coco.WANTED)
        listed = isinstance(content, list)
        record = content[0] if listed and content else content
        fields = set(record) if isinstance(record, dict) else set()
        if not listed and "scenes" in fields:
            return clevr.of_content(content, where)
        if not listed and "shapes" in fields:
            return labelme.of_files({where: content}, where)
        if listed and "x_min" in fields:
            return supervision.of_rows(content, where, classes)
        if fields and fields.isdisjoint(("bbox", "segmentation") if listed else ("images", "annotations")):
            raise _unknown(where, f", for it has {', '.join(sorted(fields))[:100]}")
        if not listed:
            return coco.of_content(content, where, classes)
        names, named = ({}, NONE) if folder is None else _annotated(Path(where), content)
        classes = next((some for some in (classes, named, beside) if some.names), NONE)
        return coco.of_content(content, where, classes, names)
    if start[:1] == "<":
        return voc.of_files({where: text}, where)
    classes = classes if classes.names else beside
    line = start.partition("\n")[0]
    if "x_min" in line:
        return supervision.of_csv(text, where, classes)
    if re.match(r"-?[0-9.]+\s*,", line):
        return film.of_text(text, where, classes, {})
    if where.endswith(".txt"):
        return yolo.of_files({where: text}, where, classes)
    raise _unknown(where, f", for it begins with {line[:50]!r}" if line else ", for it is empty")


def _unknown(where: str, reason: str) -> DomainError:
    return DomainError(f"{where} is of no kind of detections that is read{reason}: {READ}")


def text_of(path: Path) -> str:
    """The text of a file. DomainError for one that cannot be read or is too large."""
    with naming(path):
        if path.stat().st_size > MOST_BYTES:
            raise DomainError(f"it is larger than {MOST_BYTES // 2**20} MiB: split it")
        if path.suffix.lower() in ENDINGS:
            raise DomainError(f"it is a picture, and says nothing of its things: {READ}")
        return path.read_text(encoding="utf-8-sig")


def _of_folder(folder: Path, classes: Classes) -> Source:
    names, beside = _files(folder), yolo.classes_of(folder)
    if films := [name for name in FILMS if name in names]:
        if len(films) > 1:
            raise DomainError(f"{folder} has {' and '.join(films)}: name one of these files")
        file, named = folder / films[0], classes if classes.names else beside
        return film.of_text(text_of(file), str(file), named, _sides(folder))
    names = [name for name in names if PurePath(name).name not in yolo.NAMES]
    kinds = {suffix: files for suffix in KINDS if (files := [name for name in names if name.lower().endswith(suffix)])}
    if len(kinds) != 1:
        many = " and ".join(f"{files[0]} ({KINDS[suffix]})" for suffix, files in kinds.items())
        raise DomainError(f"{folder} has {many or 'no file of detections'}: name a file, or a folder of one kind")
    ((suffix, files),) = kinds.items()
    if len(files) == 1 and suffix == ".json":
        return _opened(folder / files[0], classes)
    texts = {str(folder / name): text_of(folder / name) for name in files}
    if suffix == ".xml":
        return voc.of_files(texts, str(folder))
    if suffix == ".txt":
        return yolo.of_files(texts, str(folder), classes if classes.names else beside)
    contents: dict[str, Any] = {path: parsed(text, path, coco.WANTED) for path, text in texts.items()}
    more = [path for path, content in contents.items() if not (isinstance(content, dict) and "shapes" in content)]
    results = [path for path in more if isinstance(contents[path], list)]
    if len(results) == 1 and len(more) == len(contents) == 2:
        return _opened(Path(results[0]), classes)
    if more:
        raise DomainError(f"{more[0]} is not LabelMe's, and {folder} has more files: name one of them")
    return labelme.of_files(contents, str(folder))


def _annotated(path: Path, records: Sequence[Any]) -> tuple[Mapping[Key, str], Classes]:
    """Names of images and classes by their ids, where a record needs them and one file beside that one tells them."""
    needy = any(isinstance(record, dict) and "image_id" in record and not record.get("file_name") for record in records)
    files = [file for file in path.parent.glob("*.json") if needy and file != path and ANNOTATED.search(file.name)]
    contents = {str(file): parsed(text_of(file), str(file), coco.WANTED) for file in files}
    sources = [coco.of_content(content, file) for file, content in contents.items() if isinstance(content, dict)]
    if len(sources) != 1:
        return {}, NONE
    return {listed.key: str(listed.name) for listed in sources[0].images if listed.key is not None}, sources[0].classes


def _files(folder: Path) -> list[str]:
    """The files in the folder and the folders in it but for hidden ones. DomainError for a link out of it."""
    names = []
    for place, folders, files in walk(folder):
        for name in (*folders, *sorted(files)):
            path = place / name
            if path.is_symlink():
                with naming(folder):
                    inside(folder, path.relative_to(folder).as_posix())
            if name not in folders and not name.startswith("."):
                names.append(path.relative_to(folder).as_posix())
    return names


def _sides(folder: Path) -> dict[str, Any]:
    """The width and height that MOT's seqinfo.ini says, if there is one."""
    path = folder / "seqinfo.ini"
    text = text_of(path) if path.is_file() else ""
    pairs = re.findall(r"^[ \t]*im(width|height)[ \t]*=[ \t]*(\S+)", text, re.IGNORECASE | re.MULTILINE)
    return {side.lower(): length for side, length in pairs}
