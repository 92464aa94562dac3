"""Scenes kept in SQLite: one file in one folder, for one service at a time.

What `put` has acknowledged survives `kill -9` and a power cut: the journal is a write-ahead log, flushed to the disk at
every commit (`synchronous=FULL`). The file stays within a bound, for which the scenes used longest ago go; scenes that
nobody used for long enough go as well. When a scene was used last is kept in memory and written now and then, so that
reading never costs a write: a crash forgets at most the last UPKEEP_SECONDS of it.

Two tables: `scenes`, small rows that upkeep walks through, and `contents`, what they hold. A program shrinks to a
quarter when it is compressed, in a third of a millisecond.
"""

import json
import logging
import sqlite3
import tempfile
import threading
import time
import zlib
from collections import OrderedDict
from collections.abc import Iterable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from service.errors import StorageError
from service.scene_file import FILE, Connection, bytes_in_use, damaged, exclusive, pragma

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
    """A scene with all that the service tells of it."""

    id: str
    """32 hexadecimal digits; see scene_views.scene_id."""
    model: str
    """Name of the model that looked."""
    program: str
    notes: tuple[str, ...]
    """What was done to the image, such as resizing."""
    warnings: tuple[str, ...]
    """Why what was seen may mean nothing."""
    details: bytes
    """JSON."""
    masks: bytes
    """JSON."""
    image: bytes
    """PNG: the pixels that the network saw."""
    picture: bytes
    """SVG."""
    created: float
    """When, in seconds since 1970."""


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

    most_bytes: what the file may take, unless a single scene is larger. The journal beside it takes some MB more.
    most_days: scenes that were not used for so long are deleted.

    Threads may share it. Opening raises ServiceError if another service has the folder, and StorageError if it cannot
    be used or its file is damaged, foreign or newer. Every method raises StorageError if the disk is full or fails.
    """

    def __init__(self, folder: Path | None, *, most_bytes: int, most_days: float) -> None:
        self._most_bytes = most_bytes
        self._most_seconds = most_days * DAY
        self._memory = _Memory()
        self._closing = threading.Event()
        with ExitStack() as stack:
            if folder is None:
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="predinet-prolog-")))
            self.path = folder / FILE
            stack.enter_context(exclusive(folder))
            self._writer = stack.enter_context(closing(Connection(self.path)))
            self._writer.prepare()
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

    def put(self, scene: StoredScene) -> bool:
        """Keeps `scene`: it is on the disk when this returns. False if it was there already, and then only used."""
        program, masks = zlib.compress(scene.program.encode(), COMPRESSION), zlib.compress(scene.masks, COMPRESSION)
        contents = (program, scene.details, masks, scene.image, scene.picture)
        notes, warnings = json.dumps(scene.notes), json.dumps(scene.warnings)
        row = (scene.id, scene.model, notes, warnings, scene.created, time.time())
        with self._writer.transaction() as sql:
            self._write_uses(sql)
            known = sql.execute("UPDATE scenes SET used = ? WHERE id = ?", (row[-1], scene.id)).rowcount
            evicted = []
            if not known:
                evicted = self._make_room(sql, sum(map(len, contents)))
                sql.execute(
                    "INSERT INTO scenes (id, model, notes, warnings, created, used) VALUES (?, ?, ?, ?, ?, ?)", row
                )
                sql.execute("INSERT INTO contents VALUES (?, ?, ?, ?, ?, ?)", (scene.id, *contents))
            sql.execute("COMMIT")
            self._memory.forget(evicted)
            if not known:
                self._memory.remember(scene.id, StoredProgram(scene.program, scene.model, scene.notes, scene.warnings))
        return not known

    def get(self, id: str) -> StoredScene | None:
        """The scene, now used; None if there is none."""
        with self._reader.lent() as sql:
            row = sql.execute(
                "SELECT model, notes, warnings, created, program, details, masks, image, picture"
                " FROM scenes JOIN contents USING (id) WHERE id = ?",
                (id,),
            ).fetchone()
        if row is None:
            return None
        self._memory.use(id)
        model, notes, warnings, created, program, details, masks, image, picture = row
        return StoredScene(
            id=id,
            model=model,
            program=self._decompress(program).decode(),
            notes=tuple(json.loads(notes)),
            warnings=tuple(json.loads(warnings)),
            details=details,
            masks=self._decompress(masks),
            image=image,
            picture=picture,
            created=created,
        )

    def program(self, id: str) -> StoredProgram | None:
        """What a question needs of the scene, now used; None if there is none.

        Quick enough for an event loop: from memory in microseconds, else from the file in about a millisecond.
        """
        found, forgotten = self._memory.recall(id)
        if found is not None:
            return found
        with self._reader.lent() as sql:
            row = sql.execute(
                "SELECT program, model, notes, warnings FROM scenes JOIN contents USING (id) WHERE id = ?", (id,)
            ).fetchone()
        if row is None:
            return None
        text, model, notes, warnings = row
        program = self._decompress(text).decode()
        found = StoredProgram(program, model, tuple(json.loads(notes)), tuple(json.loads(warnings)))
        self._memory.remember(id, found, unless_since=forgotten)
        self._memory.use(id)
        return found

    def delete(self, id: str) -> bool:
        """Forgets the scene for good; False if there was none."""
        with self._writer.transaction() as sql:
            there = sql.execute("DELETE FROM scenes WHERE id = ?", (id,)).rowcount == 1
            sql.execute("COMMIT")
            self._memory.forget([id])
        return there

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
                while self._keep_up() and not self._closing.is_set():
                    pass
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
            found = self._programs.get(id)
            if found is not None:
                self._programs.move_to_end(id)
                self._uses[id] = time.time()
            return found, self._forgotten

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
