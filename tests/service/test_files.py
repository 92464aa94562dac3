"""Reading and writing files: whole or not at all, and one clear error."""

import os
import threading
from pathlib import Path

import pytest

from predinet_prolog.service.errors import OutputError, UsageError
from predinet_prolog.service.files import MAX_TEXT, read_text, write_atomically
from tests.cases import cases

CASES = cases(__file__)


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "new" / "deep" / "a b.pl"
    old = os.umask(0o027)
    try:
        write_atomically(path, "% ünï\np(a).\n".encode())
    finally:
        os.umask(old)
    assert read_text(path) == "% ünï\np(a).\n"
    assert names(path.parent) == ["a b.pl"]
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_link_stays_a_link_and_a_pipe_a_pipe(tmp_path: Path) -> None:
    target, link, pipe = (tmp_path / name for name in ("target", "link", "pipe"))
    target.write_bytes(b"old")
    link.symlink_to(target)
    write_atomically(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    os.mkfifo(pipe)
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()))
    reader.start()
    write_atomically(pipe, b"data")
    reader.join(timeout=10)
    assert received == [b"data"]
    assert pipe.is_fifo()


@pytest.mark.parametrize("name", [".", "file/x", "nul\0", "y" * 5000])
def test_unwritable_places_are_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match=r"^cannot write .*: \w"):
        write_atomically(tmp_path / name, b"x")
    assert names(tmp_path) == ["file"]


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"p(\xe9).")
    with (tmp_path / "large").open("wb") as file:
        file.truncate(MAX_TEXT + 1)
    for name, message in CASES["no_text"].items():
        with pytest.raises(UsageError, match=message):
            read_text(tmp_path / name)
