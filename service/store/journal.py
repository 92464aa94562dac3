"""Rows of pictures in a file that is there when it is whole: what was interrupted goes on where it stopped."""

import json
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import TextIO

from predinet_prolog.service.files import write_atomically, writing_to


@dataclass(frozen=True)
class Entry:
    """What came of some pictures, one after the other."""

    pictures: int = 0
    holding: int = 0
    """In how many the goal holds."""
    broken: int = 0
    """How many could not be used or asked."""
    variables: tuple[str, ...] = ()
    """Of the goal."""
    text: str = ""
    """The rows."""

    def __add__(self, later: "Entry") -> "Entry":
        """Both, without their rows."""
        return Entry(
            self.pictures + later.pictures,
            self.holding + later.holding,
            self.broken + later.broken,
            self.variables if self.pictures else later.variables,
        )


@dataclass
class Journal:
    """Entries in a file beside the `target`: a line each, behind the question's. A last one without its end is none."""

    target: Path
    path: Path
    """Of the entries."""
    file: TextIO
    whole: Entry = Entry()
    """All entries as one."""

    def add(self, entry: Entry) -> None:
        """Keeps what came of the next pictures."""
        self.file.write(f"{json.dumps(asdict(entry))}\n")
        self.file.flush()
        self.whole += entry

    def finish(self) -> None:
        """Writes all rows to the target. Raises OutputError."""
        _, *lines = self.path.read_text(encoding="utf-8").splitlines()
        write_atomically(self.target, "".join(json.loads(line)["text"] for line in lines).encode())
        self.path.unlink()


@contextmanager
def open_journal(target: Path, question: str, folder: Path, names: Sequence[str]) -> Generator[Journal, None, None]:
    """The journal of rows that go to `target`: with the entries of an earlier one of the same question, which is text
    that no other has, about the same pictures. Raises OutputError."""
    path = target.with_name(f"{target.name}.part")
    first = f"{_stamp(question, folder, names)}\n"
    with writing_to(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True) if path.is_file() else []
        file = path.open("w", encoding="utf-8")
    with file:
        file.write(first)
        journal = Journal(target, path, file)
        for line in lines[1:] if lines[:1] == [first] else ():
            if line.endswith("\n"):
                fields = json.loads(line)
                journal.add(Entry(**{**fields, "variables": tuple(fields["variables"])}))
        yield journal


def _stamp(question: str, folder: Path, names: Sequence[str]) -> str:
    """Of a question and files: another where one of their names, sizes or times of change is."""
    digest = sha256(question.encode("utf-8", "surrogatepass"))
    for name in names:
        status = (folder / name).stat()
        digest.update(f"{name}\0{status.st_size}\0{status.st_mtime_ns}\0".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()
