"""Images of a folder: for what is done to more of them than fit in memory, a batch at a time."""

from pathlib import Path

from predinet_prolog.domains.image_files import ENDINGS, image_names
from predinet_prolog.service.errors import UsageError

BATCH = 128
"""Images at a time: larger batches are no faster."""


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
