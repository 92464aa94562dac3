"""Opens a file or a folder of detections; what kind it is, its content tells."""

from pathlib import Path

from domains.detections.classes import NONE, read_classes
from domains.detections.coco import content_of, of_content
from domains.detections.table import Source
from domains.errors import DomainError, naming

MOST_BYTES = 2**28
"""No larger file is read."""


def open_detections(path: Path, *, classes: Path | None = None) -> Source:
    """What a file or a folder says of things in pictures; `classes`: a file of what their classes are called."""
    named = NONE if classes is None else read_classes(classes)
    return of_content(content_of(text_of(path), str(path)), str(path), named, whole=True)


def text_of(path: Path) -> str:
    """The text of a file. DomainError for one that cannot be read or is too large."""
    with naming(path):
        if path.stat().st_size > MOST_BYTES:
            raise DomainError(f"it is larger than {MOST_BYTES // 2**20} MiB: split it")
        return path.read_text(encoding="utf-8-sig")
