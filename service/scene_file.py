"""The file of the scenes: its tables, its lock, and connections to it whose errors are the service's own."""

import fcntl
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from service.errors import StorageError

FILE, LOCK = "scenes.sqlite", "lock"
VERSION = 2
"""Of the tables."""
OURS = 0x5072_6544
"""SQLite's application id: tells our files from others."""

_TABLES = f"""
BEGIN;
PRAGMA application_id = {OURS};
PRAGMA user_version = {VERSION};
CREATE TABLE scenes (
    id TEXT PRIMARY KEY, model TEXT NOT NULL, notes TEXT NOT NULL, created REAL NOT NULL, used REAL NOT NULL,
    warnings TEXT NOT NULL DEFAULT '[]'
) WITHOUT ROWID;
CREATE INDEX scenes_by_use ON scenes (used);
CREATE TABLE contents (
    id TEXT PRIMARY KEY REFERENCES scenes ON DELETE CASCADE,
    program BLOB NOT NULL, details BLOB NOT NULL, masks BLOB NOT NULL, image BLOB NOT NULL, picture BLOB NOT NULL
);
COMMIT;
"""
_FROM_1 = f"""
BEGIN;
ALTER TABLE scenes ADD COLUMN warnings TEXT NOT NULL DEFAULT '[]';
PRAGMA user_version = {VERSION};
COMMIT;
"""
"""Brings the tables of version 1, which knew no warnings, up to date."""


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
        """Makes the tables in a new file, and brings an older one's up to date; raises StorageError for one that is not
        a sound one of ours."""
        with self.lent() as sql:
            (tables,) = sql.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            version = pragma(sql, "user_version")
            if tables and pragma(sql, "application_id") != OURS:
                raise StorageError(f"{self._path} is a file of another program: name another folder")
            if version > VERSION:
                raise StorageError(
                    f"{self._path} was written by a newer predinet-prolog (format {version}, known is {VERSION}): "
                    "upgrade, or name another folder"
                )
            if not tables:
                # Pages can only be given back if that is settled before the first table.
                sql.executescript(f"PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; {_TABLES}")
            (found,) = sql.execute("PRAGMA quick_check(1)").fetchone()
            if found != "ok":
                raise damaged(self._path, found)
            if tables and version == 1:
                sql.executescript(_FROM_1)

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
                raise StorageError(f"{self._path} cannot grow ({error}): make room on its disk") from error
            raise StorageError(f"{self._path} cannot be used ({error}): see to its disk and its permissions") from error


@contextmanager
def exclusive(folder: Path) -> Iterator[None]:
    """The folder, made if need be, as ours alone while the block runs. Only its owner may read what is in it."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # SQLite gives its journal the permissions of its file.
        os.close(os.open(folder / FILE, os.O_CREAT | os.O_RDWR, 0o600))
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


def bytes_in_use(sql: sqlite3.Connection) -> int:
    return pragma(sql, "page_size") * (pragma(sql, "page_count") - pragma(sql, "freelist_count"))


def pragma(sql: sqlite3.Connection, name: str) -> int:
    (value,) = sql.execute(f"PRAGMA {name}").fetchone()
    return int(value)


def damaged(path: Path, reason: object) -> StorageError:
    line = " ".join(str(reason).split())
    return StorageError(f"{path} is damaged ({line}): restore it, or move it away to begin with no scenes")
