"""Writing so that a file or folder is there whole or not at all."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from predinet_prolog.lazily import lazily

tempfile = lazily("tempfile")  # what is only read needs none


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A path of the same name, for a file or folder that takes the place of `path` when the block ends.

    It lies in a hidden folder of its own beside `path`; the folders above are made. After an error or an interruption
    `path` is as it was, and nothing else is left. Raises OSError if nothing can be written there.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    start = f".{path.name[:60]}.unfinished-"  # 255 bytes at most
    with tempfile.TemporaryDirectory(prefix=start, dir=path.parent, ignore_cleanup_errors=True) as folder:
        yield (temporary := Path(folder, path.name))
        temporary.replace(path)


def write_atomically(path: Path, data: bytes) -> None:
    """Writes a file by `replacing`. Raises OSError."""
    with replacing(path) as temporary:
        temporary.write_bytes(data)
