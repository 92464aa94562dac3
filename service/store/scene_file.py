"""The file of the scenes: its tables, its lock, its reserve, and connections whose errors are the service's own."""

import fcntl
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from predinet_prolog.service.errors import DiskFullError, StorageError

FILE, LOCK, RESERVE = "scenes.sqlite", "lock", "reserve"
RESERVE_BYTES = 8 * 2**20
"""Of a file that is given up when the disk is full: a deletion is written to the journal before it frees anything. As
much as a full journal takes (4 MiB) twice: once in the journal, once where it is carried over into the file."""
VERSION = 3
"""Of the tables."""
OURS = 0x5072_6544
"""SQLite's application id: tells our files from others."""

_NEW_TABLES = """
CREATE TABLE contents (
    id TEXT PRIMARY KEY, model TEXT NOT NULL, notes TEXT NOT NULL, warnings TEXT NOT NULL,
    program BLOB NOT NULL, details BLOB NOT NULL, masks BLOB NOT NULL, image BLOB NOT NULL, picture BLOB NOT NULL
);
CREATE TABLE scenes (
    id TEXT PRIMARY KEY, owner BLOB NOT NULL, content TEXT NOT NULL REFERENCES contents, size INTEGER NOT NULL,
    created REAL NOT NULL, used REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX scenes_by_use ON scenes (used);
CREATE INDEX scenes_by_owner ON scenes (owner, used, size);
CREATE INDEX scenes_by_content ON scenes (content);
CREATE TRIGGER content_goes_with_its_last_scene AFTER DELETE ON scenes
    WHEN NOT EXISTS (SELECT 1 FROM scenes WHERE content = OLD.content)
    BEGIN DELETE FROM contents WHERE id = OLD.content; END;
CREATE TABLE salt (salt BLOB NOT NULL);
INSERT INTO salt VALUES (randomblob(32));
"""
# Pages can only be given back if that is settled before the first table.
_TABLES = f"""
PRAGMA auto_vacuum = INCREMENTAL;
PRAGMA journal_mode = WAL;
BEGIN;
PRAGMA application_id = {OURS};
PRAGMA user_version = {VERSION};
{_NEW_TABLES}
COMMIT;
"""
_FROM_1 = "ALTER TABLE scenes ADD COLUMN warnings TEXT NOT NULL DEFAULT '[]';"
"""Brings the tables of version 1, which knew no warnings, to version 2."""
_FROM_2 = f"""
ALTER TABLE scenes RENAME TO old_scenes;
ALTER TABLE contents RENAME TO old_contents;
DROP INDEX scenes_by_use;
{_NEW_TABLES}
INSERT INTO contents SELECT id, model, notes, warnings, program,
    CAST(json_remove(CAST(details AS TEXT), '$.id') AS BLOB), masks, image, picture
    FROM old_scenes JOIN old_contents USING (id);
INSERT INTO scenes SELECT id, x'', id,
    length(program) + length(contents.details) + length(masks) + length(image) + length(picture), created, used
    FROM old_scenes JOIN contents USING (id);
DROP TABLE old_contents;
DROP TABLE old_scenes;
PRAGMA user_version = {VERSION};
"""
"""Brings the tables of version 2 up to date, in which equal images were one scene of nobody. They keep their ids."""


class Connection:
    """One of SQLite's connections, lent to one thread at a time. Its errors come out as StorageErrors."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        with self._told():
            self._sql = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            # What is deleted is overwritten: pages are given back later, and nobody should find an image in them.
            self._sql.executescript("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON;")

    def close(self) -> None:
        self._sql.close()

    @contextmanager
    def lent(self) -> Iterator[sqlite3.Connection]:
        with self._lock, self._told():
            yield self._sql

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """A transaction that the block commits itself, or else is as if it had never been."""
        with self.lent() as sql:
            sql.execute("BEGIN IMMEDIATE")
            try:
                yield sql
            finally:
                if sql.in_transaction:
                    sql.execute("ROLLBACK")

    def prepare(self) -> None:
        """Brings an older file's tables up to date; raises StorageError for a damaged, foreign or newer file."""
        with self.lent() as sql:
            if self._path.stat().st_size == 0:
                raise damaged(self._path, "it is empty")
            version = pragma(sql, "user_version")
            if pragma(sql, "application_id") != OURS:
                raise StorageError(f"{self._path} is a file of another program: name another folder")
            if version > VERSION:
                raise StorageError(
                    f"{self._path} was written by a newer predinet-prolog (format {version}, known is {VERSION}): "
                    "upgrade, or name another folder"
                )
            (verdict,) = sql.execute("PRAGMA quick_check(1)").fetchone()
            if verdict != "ok":
                raise damaged(self._path, verdict)
            if version < VERSION:
                sql.executescript(f"BEGIN; {_FROM_1 if version == 1 else ''} {_FROM_2} COMMIT;")

    def salt(self) -> bytes:
        """The file's own random bytes."""
        with self.lent() as sql:
            (salt,) = sql.execute("SELECT salt FROM salt").fetchone()
        return bytes(salt)

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            code = getattr(error, "sqlite_errorcode", None)
            kind = code & 0xFF if code is not None else None  # without its details
            if kind in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
                raise damaged(self._path, error) from error
            if kind == sqlite3.SQLITE_FULL:
                raise DiskFullError(f"{self._path} cannot grow ({error}): make room on its disk") from error
            raise StorageError(f"{self._path} cannot be used ({error}): see to its disk and its permissions") from error


@contextmanager
def exclusive(folder: Path) -> Iterator[None]:
    """The folder, made if need be, as ours alone while the block runs. Only its owner may read what is in it."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(folder / LOCK, os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        raise StorageError(
            f"{folder} cannot be used ({error.strerror}): name a folder that can be written to"
        ) from error
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StorageError(
                f"another service keeps its scenes in {folder}: stop it, or name another folder"
            ) from None
        yield
    finally:
        os.close(lock)


def create_if_missing(path: Path) -> None:
    """Makes a file with empty tables, unless one is there. It gets its name when it is whole: an empty file of that
    name is a damaged one. Raises StorageError."""
    if path.exists():
        return
    new = path.with_name(f"{path.name}.new")
    try:
        for left in (new, *(path.with_name(f"{path.name}-{suffix}") for suffix in ("wal", "shm"))):
            left.unlink(missing_ok=True)  # a journal without its file would be taken for the new one's
        # SQLite gives its journal the permissions of its file.
        os.close(os.open(new, os.O_CREAT | os.O_RDWR, 0o600))
        connection = Connection(new)
        with closing(connection), connection.lent() as sql:
            sql.executescript(_TABLES)
        new.rename(path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise StorageError(f"{path} cannot be made ({error.strerror}): see to its disk and its permissions") from error


def give_up_reserve(folder: Path) -> None:
    """Frees RESERVE_BYTES of the disk."""
    (folder / RESERVE).unlink(missing_ok=True)


def keep_reserve(folder: Path) -> None:
    """Takes RESERVE_BYTES of the disk, unless they are taken already or the disk has not that much."""
    path = folder / RESERVE
    try:
        if path.exists() and path.stat().st_size == RESERVE_BYTES:
            return
        with open(path, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(os.urandom(RESERVE_BYTES))  # zeros would take no room on a disk that compresses
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        path.unlink(missing_ok=True)  # what there is may be needed sooner


def bytes_in_use(sql: sqlite3.Connection) -> int:
    return pragma(sql, "page_size") * (pragma(sql, "page_count") - pragma(sql, "freelist_count"))


def pragma(sql: sqlite3.Connection, name: str) -> int:
    (value,) = sql.execute(f"PRAGMA {name}").fetchone()
    return int(value)


def damaged(path: Path, reason: object) -> StorageError:
    line = " ".join(str(reason).split())
    return StorageError(f"{path} is damaged ({line}): restore it, or move it away to begin with no scenes")
