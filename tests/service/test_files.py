"""Reading and writing files: whole or not at all, and one clear error."""

import os
import threading
from pathlib import Path

import pytest

from service.errors import OutputError, UsageError
from service.files import MAX_TEXT, read_text, write_atomically


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "new" / "deep" / "a b.pl"
    write_atomically(path, "% ünï\np(a).\n".encode())
    assert read_text(path) == "% ünï\np(a).\n"
    assert names(path.parent) == ["a b.pl"]


def test_file_modes_follow_the_umask(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        write_atomically(tmp_path / "x", b"")
    finally:
        os.umask(old)
    assert (tmp_path / "x").stat().st_mode & 0o777 == 0o640


def test_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write_atomically(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_pipe_is_written_to_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(path.read_bytes()))
    reader.start()
    write_atomically(path, b"data")
    reader.join(timeout=10)
    assert received == [b"data"]
    assert path.is_fifo()


def test_failed_writing_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old")

    def full(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OutputError, match=r"^cannot write .*x: No space left on device$"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["x"]


@pytest.mark.parametrize("name", [".", "file/x", "nul\0", "y" * 5000])
def test_unwritable_places_are_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="cannot write"):
        write_atomically(tmp_path / name, b"x")
    assert names(tmp_path) == ["file"]


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"p(\xe9).")
    with (tmp_path / "large").open("wb") as file:
        file.truncate(MAX_TEXT + 1)
    for name, message in {
        "none": "no such file",
        ".": "is a directory: name a file",
        "latin": r"is not UTF-8 text \(byte 2\)",
        "large": "is larger than 16 MiB",
        "nul\0": "cannot be read",
    }.items():
        with pytest.raises(UsageError, match=message):
            read_text(tmp_path / name)
