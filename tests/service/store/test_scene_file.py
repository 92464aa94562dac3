"""The file of the scenes: whose it may be, older, newer and damaged ones, and full disks."""

import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from predinet_prolog.service.errors import ServiceError, StorageError
from predinet_prolog.service.store.scene_file import FILE
from predinet_prolog.service.store.scenes import StoredProgram
from tests.service.store.helpers import Open, put, seen


def test_only_its_owner_may_read_it(open_store: Open, tmp_path: Path) -> None:
    store = open_store(tmp_path / "deep" / "data")
    put(store, 1)
    assert store.path.parent.stat().st_mode & 0o777 == 0o700
    for file in store.path.parent.iterdir():
        assert file.stat().st_mode & 0o077 == 0, file.name
    store.close()
    assert {file.name for file in store.path.parent.iterdir()} == {FILE, "lock", "reserve"}


def test_a_folder_is_one_services_and_a_temporary_one_goes(open_store: Open, tmp_path: Path) -> None:
    store = open_store()
    with pytest.raises(ServiceError, match=r"another service keeps its scenes in .*data: stop it, or name"):
        open_store()
    store.close()
    open_store()
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match=r"file/data cannot be used \(Not a directory\)"):
        open_store(tmp_path / "file" / "data")
    with open_store(None) as store:
        put(store, 1)
        folder = store.path.parent
        assert folder.is_dir()
    assert not folder.exists()


def zeros(content: bytearray) -> bytes:
    return bytes(100) + content[100:]


def torn(content: bytearray) -> bytes:
    for page in range(4096, len(content) - 4096, 4096):  # every page's head but the first one's
        content[page : page + 8] = b"\xff" * 8
    return content


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        ("PRAGMA user_version = 4", "was written by a newer predinet-prolog (format 4, known is 3)"),
        ("PRAGMA application_id = 7", "is a file of another program"),
        (zeros, "is damaged ("),
        (torn, "is damaged ("),
        (lambda content: content[: len(content) // 2], "is damaged ("),
        (lambda content: b"no database " * 1000, "is damaged ("),
        (lambda content: b"", "is damaged (it is empty): restore it, or move it away"),
    ],
    ids=["newer", "another program's", "start", "middle", "cut", "text", "empty"],
)
def test_a_file_that_cannot_be_used_is_said_and_left_alone(
    open_store: Open, harm: str | Callable[[bytearray], bytes], said: str
) -> None:
    with open_store() as store:
        put(store, *range(30))
        path = store.path
    if isinstance(harm, str):
        with closing(sqlite3.connect(path)) as sql:
            sql.execute(harm)
    else:
        path.write_bytes(harm(bytearray(path.read_bytes())))
    before = path.read_bytes()
    with pytest.raises(StorageError, match=re.escape(f"{FILE} {said}")):
        open_store()
    assert path.read_bytes() == before
    path.unlink()
    path.with_name(f"{FILE}.new").write_bytes(b"half of what a start that was killed has made")
    assert put(open_store(), 1)
    assert not path.with_name(f"{FILE}.new").exists()


OLD_TABLES = """
PRAGMA auto_vacuum = INCREMENTAL;
PRAGMA journal_mode = WAL;
PRAGMA application_id = 0x50726544;
CREATE TABLE scenes (
    id TEXT PRIMARY KEY, model TEXT NOT NULL, notes TEXT NOT NULL, created REAL NOT NULL, used REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX scenes_by_use ON scenes (used);
CREATE TABLE contents (
    id TEXT PRIMARY KEY REFERENCES scenes ON DELETE CASCADE,
    program BLOB NOT NULL, details BLOB NOT NULL, masks BLOB NOT NULL, image BLOB NOT NULL, picture BLOB NOT NULL
);
"""


@pytest.mark.parametrize("version", [1, 2])
def test_an_older_file_is_brought_up_to_date(open_store: Open, version: int) -> None:
    """One as the programs before wrote it: without warnings, then with; equal images were one scene."""
    with open_store() as store:
        put(store, 1)
        path = store.path
        parts = store._reader._sql.execute("SELECT program, masks, image, picture FROM contents").fetchone()
    path.unlink()
    old = seen(1)
    warnings = old.warnings if version == 2 else ()
    with sqlite3.connect(path) as sql:
        sql.executescript(OLD_TABLES)
        row = (old.id, old.model, '["resized from 72x72 to 36x36"]', 5.0, 4e9)
        sql.execute("INSERT INTO scenes VALUES (?, ?, ?, ?, ?)", row)
        details = f'{{"id":"{old.id}","model":"model 1"}}'.encode()
        sql.execute("INSERT INTO contents VALUES (?, ?, ?, ?, ?, ?)", (old.id, parts[0], details, *parts[1:]))
        if version == 2:
            sql.execute("ALTER TABLE scenes ADD COLUMN warnings TEXT NOT NULL DEFAULT '[]'")
            sql.execute('UPDATE scenes SET warnings = \'["warning 1", "é"]\'')
        sql.execute(f"PRAGMA user_version = {version}")
    sql.close()
    for number in (2, 3):  # the second time nothing is left to do
        with open_store() as store:
            found = store.get(old.id)
            assert found is not None
            assert (found.id, found.created) == (old.id, 5.0)
            assert found.content.details == b'{"model":"model 1"}', "a scene's own id is no part of what it shows"
            assert (found.content.program, found.content.masks) == (old.program, old.masks)
            assert (found.content.image, found.content.picture) == (old.image, old.picture)
            assert store.program(old.id) == StoredProgram(old.program, "model 1", old.notes, warnings)
            (new,) = put(store, number)
            assert store.get(new.id) == new
    with open_store() as store:
        assert store.delete(old.id)
        assert store.content(old.id) is None
        tables = store._reader._sql.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
        assert not [name for (name,) in tables if "old" in name]


def test_a_file_moved_away_after_a_crash_leaves_no_journal_for_the_next(open_store: Open) -> None:
    """SQLite would carry the old journal over into the new file."""
    with open_store() as store:
        put(store, *range(5))
        journal = store.path.with_name(f"{FILE}-wal")
        left = journal.read_bytes()
    assert left
    store.path.unlink()
    journal.write_bytes(left)
    with open_store() as again:
        assert again.stats().scenes == 0
        put(again, 7)
    assert open_store().stats().scenes == 1


def test_a_damaged_program_is_noticed(open_store: Open) -> None:
    store = open_store()
    (scene,) = put(store, 1)
    with store._writer.transaction() as sql:
        sql.execute("UPDATE contents SET program = zeroblob(50)")
        sql.execute("COMMIT")
    with pytest.raises(StorageError, match="is damaged"):
        store.get(scene.id)


def test_a_full_disk_is_said_and_nothing_is_half_kept(open_store: Open) -> None:
    store = open_store()
    (scene,) = put(store, 1)
    store._writer._sql.execute("PRAGMA max_page_count = 20")
    with pytest.raises(StorageError, match=rf"{FILE} cannot grow \(.*full\): make room on its disk"):
        put(store, 2, size=200_000)
    assert store.content(seen(2).id) is None
    assert store.stats().scenes == 1
    assert store.get(scene.id) == scene
    store._writer._sql.execute("PRAGMA max_page_count = 4000")
    assert put(store, 2, size=200_000), "it recovers"
    store._writer._sql.execute("PRAGMA query_only = ON")
    with pytest.raises(StorageError, match=r"cannot be used .*readonly.*: see to its disk and its permissions"):
        put(store, 1)
    store._writer._sql.execute("PRAGMA query_only = OFF")


ON_A_FULL_DISK = """
import os, subprocess, sys, time
from pathlib import Path
from predinet_prolog.service.store import scenes as store_module
from predinet_prolog.service.errors import StorageError
from predinet_prolog.service.store.scene_file import RESERVE
from tests.service.store.helpers import MANY, put

folder = Path(sys.argv[1])
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=20m", "none", folder], check=True)
with store_module.SceneStore(folder / "data", most_bytes=MANY, most_client_bytes=MANY, most_days=30) as store:
    reserve = folder / "data" / RESERVE
    while not (reserve.exists() and reserve.stat().st_size == 8 * 2**20):  # another thread makes it
        time.sleep(0.01)
    scenes = put(store, *range(20), size=100_000)
    with open(folder / "others", "wb", buffering=0) as others:
        while True:
            try:
                others.write(bytes(4096))
            except OSError:
                break
    try:
        put(store, 99, size=5_000_000)
        sys.exit("the disk is not full")
    except StorageError:
        pass
    for scene in scenes:
        assert store.delete(scene.id)
    assert store.stats().scenes == 0
    os.truncate(folder / "others", 0)
    while store._keep_up():
        pass
    put(store, 99)
with store_module.SceneStore(folder / "data", most_bytes=MANY, most_client_bytes=MANY, most_days=30) as store:
    assert store.stats().scenes == 1
assert (folder / "data" / RESERVE).stat().st_size == 8 * 2**20, "it is there for the next time"
print("done")
"""


def test_scenes_can_be_deleted_on_a_full_disk(tmp_path: Path, root: Path) -> None:
    if subprocess.run(["unshare", "--user", "--map-root-user", "--mount", "true"], capture_output=True).returncode:
        pytest.skip("no small disk can be mounted here")
    done = subprocess.run(
        ["unshare", "--user", "--map-root-user", "--mount", sys.executable, "-c", ON_A_FULL_DISK, tmp_path],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    assert (done.stdout, done.stderr) == ("done\n", "")
