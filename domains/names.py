"""Names of pictures as tables, annotations and detectors write them, compared in one way; and their files."""

import os
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property, lru_cache
from pathlib import Path

from predinet_prolog.domains.errors import DomainError
from predinet_prolog.domains.image_files import image_names


@lru_cache(2**16)
def picture_key(name: str) -> str:
    """What two names of one picture have in common: composed accents (macOS writes them apart), slashes for Windows'
    backslashes, no ./ before it."""
    first, *parts = unicodedata.normalize("NFC", name).replace("\\", "/").removeprefix("./").split("/")
    return "/".join([first, *(part for part in parts if part not in ("", "."))])


class Names:
    """Names of pictures, each found by how another writes it: with more of its folders, or with fewer."""

    def __init__(self, names: Iterable[str]) -> None:
        self._whole: dict[str, list[int]] = defaultdict(list)
        self._ends: dict[str, list[int]] = defaultdict(list)
        for place, name in enumerate(names):
            self._whole[picture_key(name)].append(place)
            for end in _ends(picture_key(name)):
                self._ends[end].append(place)

    def like(self, name: str, *, shorter: bool = True) -> list[int]:
        """The places of those that may mean the picture `name`: the same one, else those of which one name ends as the
        other; `shorter`: theirs may be the shorter one."""
        key = picture_key(name)
        less = [place for end in _ends(key) for place in self._whole.get(end, ())] if shorter else []
        return self._whole.get(key) or self._ends.get(key, []) + less


def _ends(key: str) -> list[str]:
    """What is left of a name without some of its folders."""
    parts = key.split("/")
    return ["/".join(parts[start:]) for start in range(1, len(parts))]


def inside(folder: Path, name: str) -> Path:
    """The path of that name in the folder; DomainError if it leads out of it."""
    path = (folder / name).resolve()
    if not name or not path.is_relative_to(folder.resolve()):
        raise DomainError(f"{name or 'an image without name'} is outside of the folder: keep its images in it")
    return path


class PictureFiles:
    """The pictures in a folder, found by the names that others give them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def names(self) -> list[str]:
        return list(image_names(self._folder))

    @cached_property
    def _index(self) -> Names:
        return Names(self.names)

    def called(self, name: str) -> str:
        """The path in the folder of the picture called so. A name with a folder that is not there, as on another
        machine, may mean one in fewer folders. DomainError unless there is one such file."""
        if not (self._folder / name).is_file():
            there = (self._folder / picture_key(name)).parent.is_dir()
            files = [self.names[place] for place in self._index.like(name, shorter=not there)]
            if len(files) > 1:
                raise DomainError(f"{name} may be {' or '.join(files[:2])}: write it with its folder")
            name = files[0] if files else name
        if not inside(self._folder, name).is_file():
            links = sorted(path.name for path in self._folder.iterdir() if path.is_symlink() and path.is_dir())
            passed = f"; {links[0]} is a link to a folder, and those are passed over: copy it" if links else ""
            raise DomainError(f"{name}: no such file in the folder{passed}")
        return Path(os.path.relpath(self._folder / name, self._folder)).as_posix()
