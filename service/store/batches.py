"""Images of a folder: for what is done to more of them than fit in memory, a batch at a time."""

import os
from collections.abc import Iterator
from pathlib import Path

from service.errors import UsageError

ENDINGS = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp", ".tif", ".tiff", ".ppm", ".pgm")
"""A file of a folder is an image if its name ends so, in small or capital letters."""
BATCH = 128
"""Images at a time: larger batches are no faster."""


def image_names(folder: Path) -> Iterator[str]:
    """The images in `folder` and the folders in it, as paths from there, always in the same order.

    Hidden files and folders are passed over, and links to folders, which may lead in a circle. Raises UsageError for
    a folder that cannot be read.
    """

    def refuse(error: OSError) -> None:
        raise UsageError(f"{error.filename} cannot be read: {error.strerror}")

    for place, folders, files in os.walk(folder, onerror=refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        start = Path(place).relative_to(folder)
        # By what is before the ending, so that those which differ there alone follow each other.
        for name in sorted(filter(_is_image, files), key=lambda name: name.rpartition(".")):
            yield (start / name).as_posix()


def count_images(folder: Path, *, apart: bool) -> int:
    """How many images are in the folder. Raises UsageError if there is none, and, if they have to be `apart`, where
    two differ in their endings alone: their programs would have the same name."""
    total, before = 0, ""
    for name in image_names(folder):
        if apart and name.rpartition(".")[0] == before.rpartition(".")[0]:
            raise UsageError(f"{folder / before} and {folder / name} would have programs of the same name: rename one")
        total, before = total + 1, name
    if not total:
        raise UsageError(f"{folder} holds no image ({', '.join(ending[1:] for ending in ENDINGS)})")
    return total


def _is_image(name: str) -> bool:
    return name.lower().endswith(ENDINGS) and not name.startswith(".")
