"""Names of pictures as tables, annotations and detectors write them, compared in one way; and their files."""

import unicodedata
from collections.abc import Iterable
from pathlib import Path

from domains.errors import DomainError


def picture_key(name: str) -> str:
    """What two names of one picture have in common: composed accents (macOS writes them apart), slashes for Windows'
    backslashes, no ./ before it."""
    return unicodedata.normalize("NFC", name).replace("\\", "/").removeprefix("./")


def pictures_called(name: str, names: Iterable[str]) -> list[str]:
    """Those of the `names` that mean the picture `name`: the same one, else those that differ in the folder alone."""
    keys = {other: picture_key(other) for other in names}
    wanted = picture_key(name)
    return [other for other, key in keys.items() if key == wanted] or [
        other for other, key in keys.items() if key.rpartition("/")[2] == wanted.rpartition("/")[2]
    ]


def inside(folder: Path, name: str) -> Path:
    """The path of that name in the folder; DomainError if it leads out of it."""
    path = (folder / name).resolve()
    if not name or not path.is_relative_to(folder.resolve()):
        raise DomainError(f"{name or 'an image without name'} is outside of the folder: keep its images in it")
    return path


def picture_file(folder: Path, name: str) -> Path:
    """The file of that name in the folder, as `picture_key` compares. A name with a folder that is not there, as on
    another machine, means the file of its last part. DomainError if there is none."""
    key = picture_key(name)
    if not (folder / name).is_file() and not (folder / key).parent.is_dir():
        name = key = key.rpartition("/")[2]
    for text in (name, key):
        if inside(folder, text).is_file():
            return folder / text
    parent, last = (folder / key).parent, key.rpartition("/")[2]
    files = (path for path in parent.iterdir() if path.is_file()) if parent.is_dir() and not last.isascii() else ()
    if not (file := next((path for path in files if picture_key(path.name) == last), None)):
        raise DomainError(f"{name}: no such file in the folder")
    return file
