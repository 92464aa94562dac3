"""The store of scenes: what it acknowledged stays, what it forgot is gone, and it keeps within its bounds."""

import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any

import pytest

from predinet_prolog.service.errors import StorageError
from predinet_prolog.service.store import scenes as store_module
from predinet_prolog.service.store.scenes import DAY, StoredProgram, StoredScene
from tests.service.store.helpers import Clock, Open, put, seen

pytestmark = pytest.mark.slow(7)


def test_what_is_put_comes_back_whole_also_from_another_store(open_store: Open) -> None:
    with open_store() as store:
        scenes = put(store, *range(7))
        assert [scene.content for scene in scenes] == [seen(number) for number in range(7)]
        assert [store.get(scene.id) for scene in scenes] == scenes
    with open_store() as again:
        assert [again.get(scene.id) for scene in scenes] == scenes
        for scene in scenes:
            kept = scene.content
            assert again.program(scene.id) == StoredProgram(kept.program, kept.model, kept.notes, kept.warnings)
        for id in ("0" * 32, seen(1).id):  # what an image's content is called is nobody's scene
            assert (again.get(id), again.program(id), again.delete(id)) == (None, None, False)
        assert again.content("0" * 32) is None


def test_every_posting_is_a_scene_of_its_own_and_its_content_is_kept_once(open_store: Open, clock: Clock) -> None:
    store = open_store()
    (first,) = put(store, 1, size=100_000)
    taken = store.stats().bytes
    clock.now += 5
    again, others = put(store, 1, size=100_000) + put(store, 1, client="bob", size=100_000)
    assert len({first.id, again.id, others.id}) == 3
    assert all(re.fullmatch("[0-9a-f]{32}", scene.id) for scene in (first, again, others))
    assert (first.created, others.created) == (clock.now - 5, clock.now)
    assert store.stats().scenes == 3
    assert store.stats().bytes < taken + 20_000
    assert store.delete(first.id)
    assert store.get(first.id) is None
    assert store.program(first.id) is None
    for scene in (again, others):
        assert store.get(scene.id) == scene
    assert store.content(seen(1).id) == seen(1, size=100_000)
    store.delete(again.id)
    store.delete(others.id)
    assert store.content(seen(1).id) is None, "it goes with its last scene"
    assert store.stats().bytes < taken - 90_000


def test_a_client_pushes_out_its_own_scenes_and_nobody_elses(open_store: Open, clock: Clock) -> None:
    """Also where all its scenes share one content."""
    with open_store(most_bytes=400_000, most_client_bytes=100_000) as store:
        honest = put(store, *range(10), client="bob")
        kept: list[StoredScene] = []
        for number in range(100):
            clock.now += 1
            kept += put(store, 1_000 + number // 50 * number, client="ada", size=9_000)
            assert store.program(kept[max(0, number - 3)].id), "those used last stay"
        assert [store.get(scene.id) for scene in honest] == honest
        there = [scene for scene in kept if store.get(scene.id)]
        assert there == kept[-len(there) :]
        assert 8 <= len(there) <= 11, "of some 9,500 bytes each, compressed"
        assert not any(store.program(scene.id) for scene in kept[: -len(there)])
    with open_store(most_bytes=400_000, most_client_bytes=100_000) as again:
        put(again, 5_000, client="ada", size=9_000)
        assert sum(again.get(scene.id) is not None for scene in kept) <= len(there), "it is the same client as before"
        assert [again.get(scene.id) for scene in honest] == honest


def test_the_file_names_no_client(open_store: Open) -> None:
    with open_store() as store:
        put(store, 1, client="192.0.2.77")
        owners = store._reader._sql.execute("SELECT owner FROM scenes").fetchall()
    content = store.path.read_bytes()
    assert b"192.0.2.77" not in content
    unsalted = {digest(b"192.0.2.77").digest()[:16] for digest in (sha256, blake2b)}
    assert not unsalted & {owner for (owner,) in owners}


def test_a_deletion_leaves_nothing_behind(open_store: Open) -> None:
    """It overwrites, for upkeep, which gives the pages back, may be a minute away; then the file is small again."""
    with open_store() as store:
        put(store, *range(10))
        (large,) = put(store, 20, size=200_000)
        (small,) = put(store, 21, size=300)

        def found(step: int) -> bool:
            """Whether a piece of an image is in the file, one of `step` bytes."""
            store._writer._sql.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            content = store.path.read_bytes()
            assert len(content) > 200_000, "the pages are still there"
            pieces = [large.content.image[start : start + 64] for start in range(0, 200_000, step)]
            return any(piece in content for piece in [*pieces, small.content.image[-64:]])

        assert found(199_900), "or the test could not see it"
        store.delete(large.id)
        store.delete(small.id)
        assert not found(500)
    assert store.path.stat().st_size < 100_000


def test_connections_keep_what_was_promised(open_store: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also with an SQLite that was built with other defaults. That a power cut loses nothing cannot be tried here: 2 is
    FULL, which flushes the journal at every commit."""
    connect = sqlite3.connect

    def careless(path: Path, **options: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(path, **options)
        connection.executescript("PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; PRAGMA secure_delete = OFF;")
        return connection

    monkeypatch.setattr(sqlite3, "connect", careless)
    store = open_store()
    for connection in (store._writer._sql, store._reader._sql):
        found = {
            name: connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("synchronous", "foreign_keys", "secure_delete", "journal_mode", "auto_vacuum")
        }
        assert found == {
            "synchronous": 2, "foreign_keys": 1, "secure_delete": 1, "journal_mode": "wal", "auto_vacuum": 2
        }  # fmt: skip
    with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
        store._writer._sql.execute("INSERT INTO scenes VALUES ('a', x'', 'of no content', 1, 1, 1)")


def test_memory_is_bounded(open_store: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "REMEMBERED_BYTES", 5 * len(seen(20).program) + 50)
    store = open_store()
    scenes = put(store, *range(20, 40))
    assert store.stats().remembered == 5
    store.program(scenes[0].id)  # from the file, and in the place of another
    assert store.stats().remembered == 5
    assert all(store.program(scene.id) for scene in scenes)
    for scene in scenes:
        store.delete(scene.id)
    assert store.stats().remembered == 0
    assert store._memory._size == 0


def test_the_file_keeps_within_its_bound_and_the_last_used_stay(open_store: Open, clock: Clock) -> None:
    most = 400_000
    with open_store(most_bytes=most) as store:
        scenes: list[StoredScene] = []
        for number in range(200):
            clock.now += 1
            scenes += put(store, number, size=2_000 + 53 * number)
            clock.now += 1
            assert number < 3 or store.program(scenes[3].id), "used all the time"
            assert store.stats().bytes <= most
        assert 20 < store.stats().scenes < 60
        kept = [number for number in range(200) if store.get(scenes[number].id)]
        assert kept == [3, *range(200 - len(kept) + 1, 200)]
        clock.now += 1
        assert store.get(scenes[199].id)
        assert store.path.stat().st_size <= most
        path = store.path
    assert path.stat().st_size <= most
    with open_store(most_bytes=most // 4) as smaller:
        smaller._keep_up()
        assert 1 <= smaller.stats().scenes < 15
        assert smaller.get(scenes[199].id)
    assert path.stat().st_size <= most // 4, "a smaller bound shrinks the file"


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


def test_a_put_that_fails_half_way_is_as_if_it_had_never_been(open_store: Open) -> None:
    store = open_store()
    sql = store._writer._sql
    sql.execute("CREATE TEMP TRIGGER broken BEFORE INSERT ON scenes BEGIN SELECT raise(ABORT, 'broken'); END")
    with pytest.raises(StorageError, match="broken"):
        put(store, 1)
    sql.execute("DROP TRIGGER broken")
    assert store.stats().scenes == store.stats().remembered == 0
    assert store.content(seen(1).id) is None
    assert put(store, 1)


def test_many_threads(open_store: Open) -> None:
    """Every thread puts, reads and deletes scenes, also of contents that all of them put; the rest is there."""
    store = open_store()

    def work(first: int) -> list[StoredScene]:
        left = []
        for number in range(first, first + 20):
            (own,) = put(store, number)
            assert store.get(own.id) == own
            if number % 2:
                assert store.delete(own.id)
                assert store.program(own.id) is None
            else:
                left.append(own)
            for shared in range(1_000, 1_005):
                (common,) = put(store, shared, client=str(first))
                assert store.program(common.id)
                assert store.delete(common.id)
        return left

    with ThreadPoolExecutor(8) as threads:
        left = [scene for scenes in threads.map(work, range(0, 160, 20)) for scene in scenes]
    assert store.content(seen(1_000).id) is None
    assert store.stats().scenes == len(left) == 80
    assert all(store.get(scene.id) == scene for scene in left)


def test_a_deletion_while_the_program_is_read_is_not_undone(open_store: Open) -> None:
    """The reader found the scene; before it could remember it, the scene was deleted."""
    with open_store() as store:
        (scene,) = put(store, 1)
    store = open_store()
    decompress = store._decompress

    def slow(data: bytes) -> bytes:
        store.delete(scene.id)
        return decompress(data)

    store._decompress = slow  # type: ignore[method-assign]
    assert store.program(scene.id), "it was there when it was asked for"
    assert store.program(scene.id) is None


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
    """Eight times a process that puts scenes is killed at a random moment; whatever it printed is there, whole."""
    folder = tmp_path / "data"
    draw = random.Random(4)
    acknowledged: list[str] = []
    for round in range(8):
        process = subprocess.Popen(
            [sys.executable, "-c", PUTTER, folder, str(round * 10_000)],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(root)},
        )
        assert process.stdout is not None
        assert process.stdout.readline() == b"open\n"
        time.sleep(draw.uniform(0, 0.15))
        process.send_signal(signal.SIGKILL)
        rest = process.stdout.read()
        process.stdout.close()
        assert process.wait() == -signal.SIGKILL
        acknowledged += [line for line in rest.decode().splitlines(keepends=True) if line.endswith("\n")]
    store = open_store(folder)
    assert len(acknowledged) >= 8
    for line in acknowledged:
        number, id = line.split()
        found = store.get(id)
        assert found is not None
        assert found.content == seen(int(number))
    # At most the one put that was under way in each round.
    assert len(acknowledged) <= store.stats().scenes <= len(acknowledged) + 8


@pytest.mark.parametrize("bound", ["most_bytes", "most_client_bytes"])
def test_a_scene_larger_than_the_bound_stands_alone(open_store: Open, bound: str) -> None:
    store = open_store(**{bound: 100_000})
    put(store, 1)
    (large,) = put(store, 2, size=200_000)
    assert store.get(large.id)
    assert store.stats().scenes == 1
