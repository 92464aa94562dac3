"""The pictures of a folder: how large they are without decoding them, and their pixels when they are wanted."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import overload

from PIL import ExifTags

from predinet_prolog.domains.data import Pixels
from predinet_prolog.domains.errors import DomainError
from predinet_prolog.domains.image_pieces import Pieces
from predinet_prolog.domains.images import FREE, InputImage, opened, read_image

ENDINGS = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp", ".tif", ".tiff", ".ppm", ".pgm")
"""A file of a folder is an image if its name ends so, in small or capital letters."""


def image_names(folder: Path) -> Iterator[str]:
    """The images in `folder` and the folders in it, as paths from there, always in the same order.

    Hidden files and folders are passed over, and links to folders, which may lead in a circle. Raises DomainError for
    a folder that cannot be read.
    """
    for place, _, files in walk(folder):
        start = "" if place == folder else f"{place.relative_to(folder).as_posix()}/"
        # By what is before the ending, so that those which differ there alone follow each other.
        images = (name for name in files if name.lower().endswith(ENDINGS) and not name.startswith("."))
        for name in sorted(images, key=lambda name: name.rpartition(".")):
            yield start + name


def walk(folder: Path) -> Iterator[tuple[Path, list[str], list[str]]]:
    """The folder and the folders in it, always in the same order, with the names of their folders and of all their
    files. Hidden folders are passed over, and links to folders. Raises DomainError for one that cannot be read."""

    def refuse(error: OSError) -> None:
        raise DomainError(f"{error.filename} cannot be read: {error.strerror}")

    for place, folders, files in os.walk(folder, onerror=refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield Path(place), folders, files


def upright_size(source: Path | Pieces, where: str | None = None) -> tuple[int, int]:
    """Width and height of the image in that file, turned as its EXIF orientation says. Raises ImageError, which calls
    the file `where`, or by its path."""
    with opened(source, where or str(source)) as image:
        # A TIFF's size is that of the image turned; of a PNG, Pillow decodes all to look for EXIF at its end.
        has_exif = image.format != "TIFF" and (image.format != "PNG" or "exif" in image.info)
        turned = has_exif and image.getexif().get(ExifTags.Base.Orientation) in (5, 6, 7, 8)
        return (image.height, image.width) if turned else image.size


_of_any_size = partial(read_image, picture=FREE)


@dataclass(frozen=True)
class ImageFiles(Sequence[Pixels]):
    """The pictures in files, each read when it is asked for, by default as one of any size, and not kept."""

    paths: Sequence[Path]
    sizes: Sequence[tuple[int, int]]
    """Width and height that each is read at."""
    remarks: dict[str, dict[Path, None]] = field(default_factory=dict)
    """What was done to pictures that a user should know of, and to which of those that were read so far, in order."""
    read: Callable[[Path], InputImage] = _of_any_size

    def __len__(self) -> int:
        return len(self.paths)

    @overload
    def __getitem__(self, index: int) -> Pixels: ...

    @overload
    def __getitem__(self, index: slice) -> "ImageFiles": ...

    def __getitem__(self, index: int | slice) -> "Pixels | ImageFiles":
        """DomainError if the file is no image any more, or of another size than it was."""
        if isinstance(index, slice):
            return replace(self, paths=self.paths[index], sizes=self.sizes[index])
        path, (width, height) = self.paths[index], self.sizes[index]
        image = self.read(path)
        for remark in image.notes:
            self.remarks.setdefault(remark, {})[path] = None
        if image.pixels.shape != (height, width, 3):
            raise DomainError(
                f"{path} was read at {image.pixels.shape[1]}x{image.pixels.shape[0]} pixels, not {width}x{height}: "
                "it has changed since the folder was opened"
            )
        return image.pixels
