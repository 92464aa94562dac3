"""Scenes kept in SQLite: one file in one folder, for one service at a time.

What `put` has acknowledged survives `kill -9` and a power cut: the journal is a write-ahead log, flushed to the disk at
every commit (`synchronous=FULL`). The file stays within a bound, for which the scenes used longest ago go; so do the
scenes of each client, for which its own go. Scenes that nobody used for long enough go as well. When a scene was used
last is kept in memory and written now and then, so that reading never costs a write: a crash forgets at most the last
UPKEEP_SECONDS of it.

Two tables: `scenes`, a small row for each posting of an image, and `contents`, what the network saw in it. Postings of
the same image share one content, which goes with the last of them. A scene's id is drawn at random: who posts an image
learns nobody else's id. A program shrinks to a quarter when it is compressed, in a third of a millisecond.
"""

import hashlib
import json
import logging
import secrets
import sqlite3
import tempfile
import threading
import time
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from predinet_prolog.service.errors import DiskFullError, StorageError
from predinet_prolog.service.store.content import SceneContent
from predinet_prolog.service.store.scene_file import (
    FILE,
    Connection,
    bytes_in_use,
    create_if_missing,
    damaged,
    exclusive,
    give_up_reserve,
    keep_reserve,
    pragma,
)

logger = logging.getLogger(__name__)

REMEMBERED_BYTES = 32 * 2**20
"""Of programs in memory: several hundred."""
UPKEEP_SECONDS = 60.0
DAY = 86_400.0
COMPRESSION = 3
"""zlib's level: higher ones take more time than the last tenth is worth."""
SPARE_PAGES = 8
"""What a scene may need for the tables' own trees, on top of its bytes."""
ROUND_SCENES, ROUND_PAGES = 200, 2_000
"""Most that is deleted, and given back, before others may write: a tenth of a second or two."""


@dataclass(frozen=True)
class StoredScene:
    """A client's posting of an image."""

    id: str
    """32 hexadecimal digits, drawn at random: whoever knows them may read and delete the scene."""
    created: float
    """When, in seconds since 1970."""
    content: SceneContent


class StoredProgram(NamedTuple):
    """What a question to a scene needs of it."""

    program: str
    model: str
    notes: tuple[str, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class StoreStats:
    """How full a store is."""

    scenes: int
    bytes: int
    """In use, of the file."""
    most_bytes: int
    remembered: int
    """Programs that are answered from memory."""


class SceneStore:
    """Scenes in `folder`, which is made if it is not there; None is a temporary one. A context manager.

    most_bytes: what the file may take, unless a single scene is larger. The journal and the reserve beside it take some
        MB more.
    most_client_bytes: what the scenes of one client may take, unless a single one is larger. Each scene counts in full,
        whether it shares its content or not.
    most_days: scenes that were not used for so long are deleted.

    Threads may share it. Opening raises ServiceError if another service has the folder, and StorageError if it cannot
    be used or its file is damaged, foreign or newer. Every method raises StorageError if the disk is full or fails.
    """

    def __init__(self, folder: Path | None, *, most_bytes: int, most_client_bytes: int, most_days: float) -> None:
        self._most_bytes = most_bytes
        self._most_client_bytes = most_client_bytes
        self._most_seconds = most_days * DAY
        self._memory = _Memory()
        self._closing = threading.Event()
        with ExitStack() as stack:
            if folder is None:
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="predinet-prolog-")))
            self.path = folder / FILE
            stack.enter_context(exclusive(folder))
            create_if_missing(self.path)
            self._writer = stack.enter_context(closing(Connection(self.path)))
            self._writer.prepare()
            self._salt = self._writer.salt()
            # The log lets it read while the writer waits for the disk.
            self._reader = stack.enter_context(closing(Connection(self.path)))
            self._opened = stack.pop_all()
        self._upkeep = threading.Thread(target=self._keep_up_regularly, name="scene-upkeep", daemon=True)
        self._upkeep.start()

    def __enter__(self) -> "SceneStore":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
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
        program, masks = zlib.compress(content.program.encode(), COMPRESSION), zlib.compress(content.masks, COMPRESSION)
        parts = (program, content.details, masks, content.image, content.picture)
        size = sum(map(len, parts))
        owner = self._owner(client)
        with self._writer.transaction() as sql:
            self._write_uses(sql)
            evicted = self._make_room_of(sql, owner, size)
            existing = sql.execute("SELECT 1 FROM contents WHERE id = ?", (content.id,)).fetchone()
            if existing is None:
                evicted += self._make_room(sql, size)
                said = (content.model, json.dumps(content.notes), json.dumps(content.warnings))
                sql.execute("INSERT INTO contents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (content.id, *said, *parts))
            row = (scene.id, owner, content.id, size, scene.created, scene.created)
            sql.execute("INSERT INTO scenes VALUES (?, ?, ?, ?, ?, ?)", row)
            sql.execute("COMMIT")
            self._memory.forget(evicted)
            asked = StoredProgram(content.program, content.model, content.notes, content.warnings)
            self._memory.remember(scene.id, asked)
        return scene

    def get(self, id: str) -> StoredScene | None:
        """The scene, now used; None if there is none."""
        with self._reader.lent() as sql:
            row = sql.execute("SELECT content, created FROM scenes WHERE id = ?", (id,)).fetchone()
        content = self.content(row[0]) if row else None
        if content is None:
            return None
        self._memory.use(id)
        return StoredScene(id, row[1], content)

    def content(self, content_id: str) -> SceneContent | None:
        """What some scene holds already, whoever's it is; None if none does. It counts as nobody's use."""
        with self._reader.lent() as sql:
            row = sql.execute("SELECT * FROM contents WHERE id = ?", (content_id,)).fetchone()
        if row is None:
            return None
        _, model, notes, warnings, program, details, masks, image, picture = row
        return SceneContent(
            id=content_id,
            model=model,
            program=self._decompress(program).decode(),
            notes=tuple(json.loads(notes)),
            warnings=tuple(json.loads(warnings)),
            details=details,
            masks=self._decompress(masks),
            image=image,
            picture=picture,
        )

    def program(self, id: str) -> StoredProgram | None:
        """What a question needs of the scene, now used; None if there is none.

        Quick enough for an event loop: from memory in microseconds, else from the file in about a millisecond.
        """
        content, forgotten = self._memory.recall(id)
        if content is not None:
            return content
        with self._reader.lent() as sql:
            row = sql.execute(
                "SELECT program, model, notes, warnings FROM scenes JOIN contents ON contents.id = content"
                " WHERE scenes.id = ?",
                (id,),
            ).fetchone()
        if row is None:
            return None
        text, model, *said = row
        content = StoredProgram(self._decompress(text).decode(), model, *(tuple(json.loads(lines)) for lines in said))
        self._memory.remember(id, content, unless_since=forgotten)
        self._memory.use(id)
        return content

    def delete(self, id: str) -> bool:
        """Forgets the scene for good; False if there was none. It can be done on a full disk, too."""

        def delete() -> bool:
            with self._writer.transaction() as sql:
                there = sql.execute("DELETE FROM scenes WHERE id = ?", (id,)).rowcount == 1
                sql.execute("COMMIT")
                self._memory.forget([id])
            return there

        return self._with_reserve(delete)

    def stats(self) -> StoreStats:
        """How full the store is."""
        with self._reader.lent() as sql:
            (scenes,) = sql.execute("SELECT count(*) FROM scenes").fetchone()
            size = bytes_in_use(sql)
        return StoreStats(scenes, size, self._most_bytes, self._memory.programs)

    def _keep_up_regularly(self) -> None:
        last = False
        while not last:
            last = self._closing.is_set()
            try:
                while self._with_reserve(self._keep_up) and not self._closing.is_set():
                    pass
                keep_reserve(self.path.parent)
            except StorageError as error:
                logger.warning("upkeep of the scenes failed: %s", error)
            self._closing.wait(UPKEEP_SECONDS)

    def _keep_up(self) -> bool:
        """Writes when scenes were used, deletes a round of the expired ones and those too many, and gives a round of
        pages back. Whether there is more to do."""
        with self._writer.transaction() as sql:
            self._write_uses(sql)
            oldest = time.time() - self._most_seconds
            expired = sql.execute("SELECT id FROM scenes WHERE used < ? LIMIT ?", (oldest, ROUND_SCENES)).fetchall()
            sql.executemany("DELETE FROM scenes WHERE id = ?", expired)
            gone = [id for (id,) in expired] + self._make_room(sql, 0)
            sql.execute("COMMIT")
            self._memory.forget(gone)
            free = pragma(sql, "freelist_count")
            sql.executescript(f"PRAGMA incremental_vacuum({ROUND_PAGES})")  # `execute` would stop after its first page
            return len(gone) >= ROUND_SCENES or 0 < pragma(sql, "freelist_count") < free

    def _with_reserve(self, free: Callable[[], bool]) -> bool:
        """What `free` gives, which deletes: if the disk is full, with the reserve given up for it."""
        try:
            return free()
        except DiskFullError:
            give_up_reserve(self.path.parent)
            return free()

    def _write_uses(self, sql: sqlite3.Connection) -> None:
        uses = self._memory.take_uses()
        sql.executemany("UPDATE scenes SET used = ? WHERE id = ?", [(used, id) for id, used in uses.items()])

    def _make_room(self, sql: sqlite3.Connection, size: int) -> list[str]:
        """Deletes the scenes used longest ago until `size` bytes more fit in, a round at most. Returns their ids."""
        wanted = size + SPARE_PAGES * pragma(sql, "page_size") if size else 0
        gone: list[str] = []
        while len(gone) < ROUND_SCENES and bytes_in_use(sql) + wanted > self._most_bytes:
            oldest = sql.execute("SELECT id FROM scenes ORDER BY used LIMIT 1").fetchone()
            if oldest is None:
                break
            sql.execute("DELETE FROM scenes WHERE id = ?", oldest)
            gone += oldest
        return gone

    def _make_room_of(self, sql: sqlite3.Connection, owner: bytes, size: int) -> list[str]:
        """Deletes the owner's scenes used longest ago until it may have `size` bytes more. Returns their ids."""
        (taken,) = sql.execute("SELECT coalesce(sum(size), 0) FROM scenes WHERE owner = ?", (owner,)).fetchone()
        gone: list[str] = []
        oldest = sql.execute("SELECT id, size FROM scenes WHERE owner = ? ORDER BY used", (owner,))
        while taken + size > self._most_client_bytes and (row := oldest.fetchone()):
            gone.append(row[0])
            taken -= row[1]
        oldest.close()
        sql.executemany("DELETE FROM scenes WHERE id = ?", [(id,) for id in gone])
        return gone

    def _owner(self, client: str) -> bytes:
        """What stands for the client in the file: neither its address nor its token."""
        return hashlib.blake2b(client.encode(), key=self._salt, digest_size=16).digest()

    def _decompress(self, data: bytes) -> bytes:
        try:
            return zlib.decompress(data)
        except zlib.error as error:
            raise damaged(self.path, error) from error


class _Memory:
    """The programs asked last, and when scenes were used. Its lock is never held while a disk works."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._programs: OrderedDict[str, StoredProgram] = OrderedDict()  # asked longest ago first
        self._size = 0
        self._uses: dict[str, float] = {}
        self._forgotten = 0

    @property
    def programs(self) -> int:
        return len(self._programs)

    def recall(self, id: str) -> tuple[StoredProgram | None, int]:
        """The program, and how often something was forgotten so far."""
        with self._lock:
            program = self._programs.get(id)
            if program is not None:
                self._programs.move_to_end(id)
                self._uses[id] = time.time()
            return program, self._forgotten

    def remember(self, id: str, program: StoredProgram, *, unless_since: int | None = None) -> None:
        """Keeps a program; but not if something was forgotten since: it may have been this one."""
        with self._lock:
            if id in self._programs or unless_since not in (None, self._forgotten):
                return
            self._programs[id] = program
            self._size += len(program.program)
            while self._size > REMEMBERED_BYTES:
                _, oldest = self._programs.popitem(last=False)
                self._size -= len(oldest.program)

    def forget(self, ids: Iterable[str]) -> None:
        with self._lock:
            for id in ids:
                self._forgotten += 1
                self._uses.pop(id, None)
                if gone := self._programs.pop(id, None):
                    self._size -= len(gone.program)

    def use(self, id: str) -> None:
        with self._lock:
            self._uses[id] = time.time()

    def take_uses(self) -> dict[str, float]:
        """When scenes were used since this was last called."""
        with self._lock:
            uses, self._uses = self._uses, {}
            return uses
