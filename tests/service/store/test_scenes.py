"""The store of scenes: what it acknowledged stays, what it forgot is gone, and it keeps within its bounds."""

import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from predinet_prolog.service.errors import StorageError
from predinet_prolog.service.handlers import AskedProgram
from predinet_prolog.service.store import scenes as store_module
from predinet_prolog.service.store.scenes import DAY, FILE, StoredScene
from tests.service.store.helpers import Clock, Open, put, seen


def test_what_is_put_comes_back_whole_also_from_another_store(open_store: Open) -> None:
    with open_store() as store:
        scenes = put(store, *range(7)) + put(store, 1, client="bob")
        assert len({scene.id for scene in scenes}) == 8
        assert all(re.fullmatch("[0-9a-f]{32}", scene.id) for scene in scenes)
        assert [store.get(scene.id) for scene in scenes] == scenes
        assert store.stats().scenes == 8
    with open_store() as again:
        assert [again.get(scene.id) for scene in scenes] == scenes
        for scene in scenes:
            kept = scene.content
            assert again.program(scene.id) == AskedProgram(
                kept.program, kept.model, kept.notes, kept.warnings, kept.categories
            )
        assert again.delete(scenes[1].id)
        for id in ("0" * 32, scenes[1].id):
            assert (again.get(id), again.program(id), again.delete(id)) == (None, None, False)
        assert again.get(scenes[7].id) == scenes[7], "bob's, of the same picture"


def test_a_client_pushes_out_its_own_scenes_and_nobody_elses(open_store: Open, clock: Clock) -> None:
    with open_store(most_bytes=400_000, most_client_bytes=100_000) as store:
        honest = put(store, *range(10), client="bob")
        kept: list[StoredScene] = []
        for number in range(100):
            clock.now += 1
            kept += put(store, 1_000 + number // 50 * number, client="192.0.2.77", size=9_000)
            assert store.program(kept[max(0, number - 3)].id), "those used last stay"
        assert [store.get(scene.id) for scene in honest] == honest
        there = [scene for scene in kept if store.get(scene.id)]
        assert there == kept[-len(there) :]
        assert 8 <= len(there) <= 11, "of some 9,500 bytes each, compressed"
        assert not any(store.program(scene.id) for scene in kept[: -len(there)])
    with open_store(most_bytes=400_000, most_client_bytes=100_000) as again:
        put(again, 5_000, client="192.0.2.77", size=9_000)
        assert sum(again.get(scene.id) is not None for scene in kept) <= len(there), "it is the same client as before"
        assert [again.get(scene.id) for scene in honest] == honest
    assert b"192.0.2.77" not in again.path.read_bytes(), "the file names no client"


def test_all_scenes_keep_within_their_bound_and_the_last_used_stay(open_store: Open, clock: Clock) -> None:
    most = 400_000
    with open_store(most_bytes=most) as store:
        scenes: list[StoredScene] = []
        for number in range(80):
            clock.now += 1
            scenes += put(store, number, size=2_000 + 153 * number)
            clock.now += 1
            assert number < 3 or store.program(scenes[3].id), "used all the time"
            assert store.stats().bytes <= most
        kept = [number for number in range(80) if store.get(scenes[number].id)]
        assert kept == [3, *range(80 - len(kept) + 1, 80)]
        assert 20 < len(kept) < 60
    with open_store(most_bytes=most // 4) as smaller:
        smaller._keep_up()
        assert 1 <= smaller.stats().scenes < 15
    assert smaller.path.stat().st_size <= most // 2, "a smaller bound shrinks the file"


@pytest.mark.parametrize("bound", ["most_bytes", "most_client_bytes"])
def test_a_scene_larger_than_the_bound_stands_alone(open_store: Open, bound: str) -> None:
    store = open_store(**{bound: 100_000})
    put(store, 1)
    (large,) = put(store, 2, size=200_000)
    assert store.get(large.id)
    assert store.stats().scenes == 1


def test_scenes_expire_when_nobody_uses_them(open_store: Open, clock: Clock) -> None:
    with open_store(most_days=10) as store:
        scenes = put(store, *range(3))
        clock.now += 8 * DAY
        assert store.program(scenes[1].id)
        clock.now += 1 * DAY
        assert store.get(scenes[2].id)
    clock.now += 2 * DAY
    with open_store(most_days=10) as again:
        again._keep_up()
        assert [bool(again.get(scene.id)) for scene in scenes] == [False, True, True]
        clock.now += 11 * DAY
        again._keep_up()
        assert again.stats().scenes == 0
        assert again.program(scenes[1].id) is None


def test_a_deletion_leaves_nothing_behind(open_store: Open) -> None:
    with open_store() as store:
        put(store, *range(10))
        (large,) = put(store, 20, size=200_000)
        (small,) = put(store, 21, size=300)

        def found() -> bool:
            """Whether a piece of an image is in the file."""
            store._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            content = store.path.read_bytes()
            pieces = [large.content.image[start : start + 64] for start in range(0, 200_000, 500)]
            return any(piece in content for piece in [*pieces, small.content.image[-64:]])

        assert found(), "or the test could not see it"
        store.delete(large.id)
        store.delete(small.id)
        assert not found()
    assert store.path.stat().st_size < 120_000


def test_connections_keep_what_was_promised(open_store: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also with an SQLite that was built with other defaults. That a power cut loses nothing cannot be tried here: 2 is
    FULL, which flushes the journal at every commit."""
    connect = sqlite3.connect

    def careless(path: Path, **options: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(path, **options)
        connection.executescript("PRAGMA synchronous = OFF; PRAGMA secure_delete = OFF;")
        return connection

    monkeypatch.setattr(sqlite3, "connect", careless)
    store = open_store()
    for connection in (store._writer, store._reader):
        names = ("synchronous", "secure_delete", "journal_mode", "auto_vacuum")
        assert [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names] == [2, 1, "wal", 1]


def test_memory_is_bounded(open_store: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "REMEMBERED", 5 * len(seen(20).program) + 50)
    store = open_store()
    scenes = put(store, *range(20, 40))
    assert all(store.program(scene.id) for scene in scenes)
    assert store.stats().remembered == 5
    for scene in scenes:
        store.delete(scene.id)
    assert store.stats().remembered == 0


def test_a_put_that_fails_half_way_is_as_if_it_had_never_been(open_store: Open) -> None:
    store = open_store()
    store._writer.execute("CREATE TEMP TRIGGER broken AFTER INSERT ON scenes BEGIN SELECT raise(ABORT, 'broken'); END")
    with pytest.raises(StorageError, match="broken"):
        put(store, 1)
    store._writer.execute("DROP TRIGGER broken")
    assert store.stats().scenes == 0
    assert put(store, 1)


def test_many_threads(open_store: Open) -> None:
    """Every thread puts, reads and deletes scenes, also of contents that all of them put; the rest is there."""
    store = open_store()

    def work(first: int) -> list[StoredScene]:
        left = []
        for number in range(first, first + 6):
            (own,) = put(store, number)
            assert store.get(own.id) == own
            if number % 2:
                assert store.program(own.id)
                assert store.delete(own.id)
                assert store.program(own.id) is None
            else:
                left.append(own)
            (common,) = put(store, 1_000, client=str(first))
            assert store.program(common.id)
            assert store.delete(common.id)
        return left

    with ThreadPoolExecutor(8) as threads:
        left = [scene for scenes in threads.map(work, range(0, 48, 6)) for scene in scenes]
    assert store.stats().scenes == len(left) == 24
    assert all(store.get(scene.id) == scene for scene in left)


PUTTER = """
import sys
from pathlib import Path
from tests.service.store.helpers import MANY, seen
from predinet_prolog.service.store.scenes import SceneStore

store = SceneStore(Path(sys.argv[1]), most_bytes=MANY, most_client_bytes=MANY, most_days=30)
number = int(sys.argv[2])
print("open", flush=True)
while True:
    print(number, store.put(seen(number), client="ada").id, flush=True)
    number += 1
"""


def test_kill_loses_nothing_acknowledged(open_store: Open, tmp_path: Path, root: Path) -> None:
    """A process that puts scenes is killed at a random moment; whatever it printed is there, whole."""
    folder, draw, acknowledged = tmp_path / "data", random.Random(4), list[str]()
    for round in range(3):
        command = [sys.executable, "-c", PUTTER, folder, str(round * 10_000)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(root)})
        assert process.stdout.readline() == b"open\n"
        assert process.stdout.readline().endswith(b"\n"), "the first one is acknowledged"
        time.sleep(draw.uniform(0, 0.15))
        process.send_signal(signal.SIGKILL)
        rest = process.stdout.read()
        process.stdout.close()
        assert process.wait() == -signal.SIGKILL
        acknowledged += [line for line in rest.decode().splitlines(keepends=True) if line.endswith("\n")]
    store = open_store(folder)
    for line in acknowledged:
        number, id = line.split()
        found = store.get(id)
        assert found.content == seen(int(number))
    # The first ones, and at most the one put that was under way in each round.
    assert len(acknowledged) + 3 <= store.stats().scenes <= len(acknowledged) + 6


def test_a_folder_is_one_services_and_its_owners_alone(open_store: Open, tmp_path: Path) -> None:
    store = open_store()
    put(store, 1)
    assert store.path.parent.stat().st_mode & 0o777 == 0o700
    for file in store.path.parent.iterdir():
        assert file.stat().st_mode & 0o077 == 0, file.name
    with pytest.raises(StorageError, match=r"another service keeps its scenes in .*data: stop it, or name"):
        open_store()
    store.close()
    assert {file.name for file in store.path.parent.iterdir()} == {FILE, "lock"}
    open_store()
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match=r"file/data cannot be used \(Not a directory\)"):
        open_store(tmp_path / "file" / "data")


def torn(content: bytearray) -> bytes:
    for page in range(4096, len(content) - 4096, 4096):  # every page's head but the first one's
        content[page : page + 8] = b"\xff" * 8
    return content


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        ("PRAGMA user_version = 5", "was written by another predinet-prolog (format 5, known is 8): use that one"),
        ("PRAGMA application_id = 7", "is a file of another program"),
        (lambda content: bytes(100) + content[100:], "is damaged ("),
        (torn, "is damaged ("),
        (lambda content: content[: len(content) // 2], "is damaged ("),
        (lambda content: b"no database " * 1000, "is damaged ("),
    ],
    ids=["other", "another program's", "start", "middle", "cut", "text"],
)
def test_a_file_of_no_use_is_left_alone(open_store: Open, harm: str | Callable[[bytearray], bytes], said: str) -> None:
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


def test_a_file_moved_away_after_a_crash_leaves_no_journal_for_the_next(open_store: Open) -> None:
    """SQLite would carry the old journal over into the new file."""
    with open_store() as store:
        put(store, *range(5))
        journal = store.path.with_name(f"{FILE}-wal")
        left = journal.read_bytes()
    assert left
    store.path.unlink()
    journal.write_bytes(left)
    assert open_store().stats().scenes == 0


def test_a_damaged_program_and_a_full_disk_are_said(open_store: Open) -> None:
    store = open_store()
    (scene,) = put(store, 1)
    store._writer.execute("PRAGMA max_page_count = 20")
    with pytest.raises(StorageError, match=rf"{FILE} cannot be used \(.*full\): make room on its disk"):
        put(store, 2, size=200_000)
    assert store.stats().scenes == 1
    assert store.get(scene.id) == scene
    store._writer.execute("PRAGMA max_page_count = 4000")
    assert put(store, 2, size=200_000), "it recovers"
    store._writer.execute("UPDATE scenes SET program = zeroblob(50)")
    with pytest.raises(StorageError, match="is damaged"):
        store.get(scene.id)
