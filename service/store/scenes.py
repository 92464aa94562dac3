"""Scenes kept in SQLite: one table of one file in one folder, for one service at a time.

What `put` has acknowledged survives `kill -9` and a power cut: the journal is a write-ahead log, flushed to the disk at
every commit (`synchronous=FULL`). All scenes stay within a bound, for which those used longest ago go; so do the scenes
of each client, for which its own go. Scenes that nobody used for long enough go as well. When a scene was used last is
kept in memory and written now and then, so that reading never costs a write: a crash forgets at most the last
UPKEEP_SECONDS of it.

A scene's id is drawn at random: who posts an image learns nobody else's id. A program shrinks to a quarter when it is
compressed, in a third of a millisecond.
"""

import fcntl
import hashlib
import json
import logging
import os
import secrets
import sqlite3
import threading
import time
import zlib
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from predinet_prolog.service.errors import StorageError
from predinet_prolog.service.handlers import AskedProgram, SceneContent

logger = logging.getLogger(__name__)

FILE, LOCK = "scenes.sqlite", "lock"
VERSION = 8
"""Of the table."""
OURS = 0x5072_6544
"""SQLite's application id: tells our files from others."""
REMEMBERED = 32 * 2**20
"""Characters of programs in memory: several hundred programs."""
UPKEEP_SECONDS = 60.0
DAY = 86_400.0
COMPRESSION = 3
"""zlib's level: higher ones take more time than the last tenth is worth."""


@dataclass(frozen=True)
class StoredScene:
    """A client's posting of an image."""

    id: str
    """32 hexadecimal digits, drawn at random: whoever knows them may read and delete the scene."""
    created: float
    """When, in seconds since 1970."""
    content: SceneContent


@dataclass(frozen=True)
class StoreStats:
    """How full a store is."""

    scenes: int
    bytes: int
    most_bytes: int
    remembered: int
    """Programs that are answered from memory."""


class SceneStore(AbstractContextManager["SceneStore"]):
    """Scenes in `folder`, which is made if it is not there. A context manager.

    most_bytes: what all scenes may take, unless a single one is larger.
    most_client_bytes: the same of one client's.
    most_days: scenes that were not used for so long are deleted.

    Threads may share it. Opening raises StorageError if another service has the folder, or it cannot be used, or its
    file is damaged, foreign or of another version. Every method raises StorageError if the disk is full or fails.
    """

    def __init__(self, folder: Path, *, most_bytes: int, most_client_bytes: int, most_days: float) -> None:
        self._most_bytes = most_bytes
        self._most_client_bytes = most_client_bytes
        self._most_seconds = most_days * DAY
        self.path = folder / FILE
        self._writing, self._reading = threading.Lock(), threading.Lock()
        # What was asked last, oldest first, and when scenes were used; `_reading` guards both, never over a write.
        self._programs: OrderedDict[str, AskedProgram] = OrderedDict()
        self._uses: dict[str, float] = {}
        self._closing = threading.Event()
        with ExitStack() as stack:
            stack.enter_context(_exclusive(folder))
            self._writer = stack.enter_context(closing(self._open()))
            # The log lets it read while the writer waits for the disk.
            self._reader = stack.enter_context(closing(self._connect()))
            with self._told():
                (self._salt,) = self._reader.execute("SELECT salt FROM salt").fetchone()
            self._opened = stack.pop_all()
        self._upkeep = threading.Thread(target=self._keep_up_regularly, name="scene-upkeep", daemon=True)
        self._upkeep.start()

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Writes what is still to be written and gives the folder back. Nothing else may be called afterwards."""
        if not self._closing.is_set():
            self._closing.set()
            self._upkeep.join()
            self._opened.close()

    def put(self, content: SceneContent, *, client: str) -> StoredScene:
        """A new scene of `client` with this content: it is on the disk when this returns."""
        scene = StoredScene(secrets.token_hex(16), time.time(), content)
        texts = (content.program.encode(), content.brief.encode(), content.facts, content.details, content.masks)
        parts = [*(zlib.compress(text, COMPRESSION) for text in texts), content.image]
        size = sum(map(len, parts))
        # Neither the client's address nor its token is in the file.
        owner = hashlib.blake2b(client.encode(), key=self._salt, digest_size=16).digest()
        said = json.dumps([content.model, content.notes, content.warnings, content.categories])
        with self._transaction() as sql:
            self._make_room(sql, size, owner)
            row = (scene.id, owner, size, scene.created, scene.created, said, *parts)
            sql.execute(f"INSERT INTO scenes VALUES ({', '.join('?' * len(row))})", row)
        return scene

    def get(self, id: str) -> StoredScene | None:
        """The scene, now used; None if there is none."""
        columns = "created, said, image, program, brief, facts, details, masks"
        with self._read() as sql:
            row = sql.execute(f"SELECT {columns} FROM scenes WHERE id = ?", (id,)).fetchone()
            if row is None:
                return None
            self._uses[id] = time.time()
        created, said, image, *parts = row
        program, brief, facts, details, masks = map(self._decompressed, parts)
        texts, files = (program.decode(), *_said(said), brief.decode()), (facts, details, masks, image)
        return StoredScene(id, created, SceneContent(*texts, *files))

    def program(self, id: str) -> AskedProgram | None:
        """What a question needs of the scene, now used; None if there is none.

        Quick enough for an event loop: from memory in microseconds, else from the file in about a millisecond.
        """
        with self._read() as sql:
            if id not in self._programs:
                row = sql.execute("SELECT program, said FROM scenes WHERE id = ?", (id,)).fetchone()
                if row is None:
                    return None
                self._programs[id] = AskedProgram(self._decompressed(row[0]).decode(), *_said(row[1]))
                while sum(len(kept.program) for kept in self._programs.values()) > REMEMBERED:
                    self._programs.popitem(last=False)
            self._uses[id] = time.time()
            self._programs.move_to_end(id)
            return self._programs[id]

    def delete(self, id: str) -> bool:
        """Forgets the scene for good; False if there was none."""
        with self._transaction() as sql:
            return self._delete(sql, [id]) == 1

    def stats(self) -> StoreStats:
        """How full the store is."""
        with self._read() as sql:
            scenes, size = sql.execute("SELECT count(*), coalesce(sum(size), 0) FROM scenes").fetchone()
            return StoreStats(scenes, size, self._most_bytes, len(self._programs))

    def _keep_up_regularly(self) -> None:
        last = False
        while not last:
            last = self._closing.is_set()
            try:
                self._keep_up()
            except StorageError as error:
                logger.warning("upkeep of the scenes failed: %s", error)
            self._closing.wait(UPKEEP_SECONDS)

    def _keep_up(self) -> None:
        """Writes when scenes were used, and deletes those that expired or are too many."""
        with self._transaction() as sql:
            self._make_room(sql, 0, b"")

    def _make_room(self, sql: sqlite3.Connection, size: int, owner: bytes) -> None:
        """Deletes what has expired, and scenes used longest ago until `size` bytes more of the owner's fit in."""
        with self._reading:
            uses, self._uses = self._uses, {}
        sql.executemany("UPDATE scenes SET used = ? WHERE id = ?", [(used, id) for id, used in uses.items()])
        expired = sql.execute("SELECT id FROM scenes WHERE used < ?", (time.time() - self._most_seconds,)).fetchall()
        self._delete(sql, [id for (id,) in expired])
        for most, which, of in ((self._most_client_bytes, "WHERE owner = ?", (owner,)), (self._most_bytes, "", ())):
            (taken,) = sql.execute(f"SELECT coalesce(sum(size), 0) FROM scenes {which}", of).fetchone()
            oldest, gone = sql.execute(f"SELECT id, size FROM scenes {which} ORDER BY used", of), list[str]()
            while taken + size > most and (row := oldest.fetchone()):
                gone.append(row[0])
                taken -= row[1]
            oldest.close()
            self._delete(sql, gone)

    def _delete(self, sql: sqlite3.Connection, ids: list[str]) -> int:
        """Forgets the scenes when the transaction is committed; how many there were."""
        self._gone += ids
        return sql.executemany("DELETE FROM scenes WHERE id = ?", [(id,) for id in ids]).rowcount

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """What the block does is done as a whole, or else is as if it had never been."""
        with self._writing, self._told():
            self._gone = list[str]()
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._writer
                self._writer.execute("COMMIT")
            finally:
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")
            with self._reading:  # who read one before is done with it, and nobody finds it any more
                for id in self._gone:
                    self._programs.pop(id, None)

    @contextmanager
    def _read(self) -> Iterator[sqlite3.Connection]:
        with self._reading, self._told():
            yield self._reader

    def _decompressed(self, data: bytes) -> bytes:
        try:
            return zlib.decompress(data)
        except zlib.error as error:
            raise self._damaged(error) from error

    def _open(self) -> sqlite3.Connection:
        """A connection to the file, which is made if need be; StorageError for one that cannot be used."""
        try:
            if not self.path.exists():
                for suffix in ("-wal", "-shm"):  # a journal without its file would be taken for the new one's
                    self.path.with_name(f"{FILE}{suffix}").unlink(missing_ok=True)
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))  # SQLite gives its journal the same permissions
        except OSError as error:
            raise StorageError(f"{self.path} cannot be made ({error.strerror}): see to its permissions") from error
        sql = self._connect()
        with self._told():
            if self.path.stat().st_size == 0:
                table = resources.files(__package__).joinpath("scenes.sql").read_text(encoding="utf-8")
                sql.executescript(table.format(OURS=OURS, VERSION=VERSION))
            application, version = (
                sql.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")
            )
            if application != OURS:
                raise StorageError(f"{self.path} is a file of another program: name another folder")
            if version != VERSION:
                raise StorageError(
                    f"{self.path} was written by another predinet-prolog (format {version}, known is {VERSION}): "
                    "use that one, or move the file away to begin with no scenes"
                )
            (verdict,) = sql.execute("PRAGMA quick_check(1)").fetchone()
            if verdict != "ok":
                raise self._damaged(verdict)
        return sql

    def _connect(self) -> sqlite3.Connection:
        with self._told():
            sql = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
            # What is deleted is overwritten: nobody should find an image in the pages that are left.
            sql.executescript("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;")
            return sql

    @contextmanager
    def _told(self) -> Iterator[None]:
        """SQLite's errors come out as StorageErrors."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            code = getattr(error, "sqlite_errorcode", None)
            kind = code & 0xFF if code is not None else None  # without its details
            if kind in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
                raise self._damaged(error) from error
            remedy = "make room on its disk" if kind == sqlite3.SQLITE_FULL else "see to its disk and its permissions"
            raise StorageError(f"{self.path} cannot be used ({error}): {remedy}") from error

    def _damaged(self, reason: object) -> StorageError:
        line = " ".join(str(reason).split())
        return StorageError(f"{self.path} is damaged ({line}): restore it, or move it away to begin with no scenes")


def _said(text: str) -> tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Model, notes, warnings and categories, from their JSON."""
    model, *lines = json.loads(text)
    notes, warnings, categories = map(tuple, lines)
    return model, notes, warnings, categories


@contextmanager
def _exclusive(folder: Path) -> Iterator[None]:
    """The folder, made if need be, as ours alone while the block runs. Only its owner may read what is in it."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(folder / LOCK, os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        remedy = "name a folder that can be written to"
        raise StorageError(f"{folder} cannot be used ({error.strerror}): {remedy}") from error
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            remedy = "stop it, or name another folder"
            raise StorageError(f"another service keeps its scenes in {folder}: {remedy}") from None
        yield
    finally:
        os.close(lock)
