"""The error of every domain."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from predinet_prolog.lazily import lazily

csv = lazily("csv")  # for its error


class DomainError(ValueError):
    """A domain, task, kind of things, picture or file that is not there or not sound; the message says why.

    It is one line, whatever names of files or classes are in it.
    """

    def __init__(self, message: str) -> None:
        super().__init__(re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", lambda sign: repr(sign[0])[1:-1], message))


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
        reason = "it is no text in UTF-8: a picture?" if isinstance(error, UnicodeDecodeError) else error
        raise DomainError(f"{where}: cannot be read ({reason})") from error
