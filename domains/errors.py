"""The error of every domain."""

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class DomainError(ValueError):
    """A domain, task, kind of things, picture or file that is not there or not sound; the message says why."""


class ImageError(DomainError):
    """The file is not an image the network can be shown."""


class LargeImageError(ImageError):
    """The image takes longer to read than a quick reading allows. Read without that limit, it may be a good one."""


@contextmanager
def naming(where: str | Path) -> Iterator[None]:
    """Turns what goes wrong into one clear DomainError that starts with the name of the place."""
    try:
        yield
    except DomainError as error:
        raise DomainError(f"{where}: {error}") from error
    except (OSError, csv.Error, ValueError, OverflowError) as error:  # such as a NUL in a name, or 1 with 400 zeros
        raise DomainError(f"{where}: cannot be read ({error})") from error
