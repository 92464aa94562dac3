"""The store of scenes: what it acknowledged stays, what it forgot is gone, and it keeps within its bounds."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from service import store as store_module
from service.errors import ServiceError, StorageError
from service.scene_file import FILE
from service.store import DAY, SceneStore, StoredProgram, StoredScene

MANY = 2**30


def scene(number: int, *, size: int = 3_000) -> StoredScene:
    """A scene that follows from its number; every part differs in length, `size` bytes of them do not compress."""
    draw = random.Random(number)
    return StoredScene(
        id=sha256(str(number).encode()).hexdigest()[:32],
        model=f"model {number % 3}",
        program=f"% é {number}\n" + f"object(ob_{number}).\n" * 50,
        notes=("resized from 72x72 to 36x36", f"note {number}")[: number % 3],
        warnings=(f"warning {number}", "é")[: number % 2 + 1],
        details=b"{%d}" % number,
        masks=b"[%d]" % number * 11,
        image=draw.randbytes(size),
        picture=b"<svg>%d</svg>" % number,
        created=1_700_000_000.25 + number,
    )


Open = Callable[..., SceneStore]


@pytest.fixture
def open_store(tmp_path: Path) -> Iterator[Open]:
    """Opens the store in one folder, again and again."""
    opened: list[SceneStore] = []

    def call(folder: Path | None = tmp_path / "data", most_bytes: int = MANY, most_days: float = 30) -> SceneStore:
        opened.append(SceneStore(folder, most_bytes=most_bytes, most_days=most_days))
        return opened[-1]

    yield call
    for one in opened:
        one.close()


class Clock:
    """The time that the store believes in."""

    now = 1_700_000_000.0

    def time(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(store_module, "time", clock)
    return clock


def test_what_is_put_comes_back_whole_also_from_another_store(open_store: Open) -> None:
    with open_store() as store:
        assert [store.put(scene(number)) for number in range(7)] == [True] * 7
        assert [store.get(scene(number).id) for number in range(7)] == [scene(number) for number in range(7)]
    with open_store() as again:
        assert [again.get(scene(number).id) for number in range(7)] == [scene(number) for number in range(7)]
        for number in range(7):
            kept = scene(number)
            assert again.program(kept.id) == StoredProgram(kept.program, kept.model, kept.notes, kept.warnings)


def test_unknown_scenes_are_none(open_store: Open) -> None:
    store = open_store()
    assert store.get("0" * 32) is None
    assert store.program("0" * 32) is None
    assert store.delete("0" * 32) is False


def test_a_scene_put_again_is_not_new_and_keeps_its_first_form(open_store: Open) -> None:
    store = open_store()
    assert store.put(scene(1))
    assert not store.put(replace(scene(1), created=5.0))
    assert store.get(scene(1).id) == scene(1)


def test_a_deleted_scene_is_gone_from_file_and_memory(open_store: Open) -> None:
    with open_store() as store:
        store.put(scene(1))
        store.put(scene(2))
        assert store.program(scene(1).id)
        assert store.delete(scene(1).id) is True
        assert store.program(scene(1).id) is None
        assert store.get(scene(1).id) is None
        assert store.delete(scene(1).id) is False
        assert store.stats().scenes == 1
    with open_store() as again:
        assert again.get(scene(1).id) is None
        assert again.get(scene(2).id) == scene(2)


def test_a_deletion_leaves_nothing_behind(open_store: Open) -> None:
    """No byte of it stays in the file once the store is closed, and the file is small again."""
    image = scene(2, size=500_000).image
    with open_store() as store:
        store.put(scene(1))
        store.put(scene(2, size=500_000))
        store.put(scene(4, size=100))
        path = store.path
    assert image[-64:] in path.read_bytes(), "or the test could not see it"
    assert scene(4, size=100).image in path.read_bytes()
    with open_store() as store:
        store.delete(scene(2).id)
        store.delete(scene(4).id)
    assert path.stat().st_size < 100_000
    content = path.read_bytes()
    assert scene(4, size=100).image[-64:] not in content
    assert not any(image[start : start + 64] in content for start in range(0, len(image), 500))


def test_a_known_program_costs_no_look_into_the_file(open_store: Open) -> None:
    store = open_store()
    store.put(scene(1))
    asked: list[str] = []
    store._reader._sql.set_trace_callback(asked.append)
    store._writer._sql.set_trace_callback(asked.append)
    assert all(store.program(scene(1).id) for _ in range(50))
    assert asked == []
    assert store.get(scene(1).id)
    assert asked, "the trace works"
    assert not any(statement.startswith(("UPDATE", "BEGIN")) for statement in asked), "reading writes nothing"


def test_memory_is_bounded(open_store: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "REMEMBERED_BYTES", 5 * len(scene(20).program) + 50)
    store = open_store()
    for number in range(20, 40):
        store.put(scene(number))
    assert store.stats().remembered == 5
    store.program(scene(20).id)  # from the file, and in the place of another
    assert store.stats().remembered == 5
    assert all(store.program(scene(number).id) for number in range(20, 40))
    for number in range(20, 40):
        store.delete(scene(number).id)
    assert store.stats().remembered == 0
    assert store._memory._size == 0


def test_the_file_keeps_within_its_bound_and_the_last_used_stay(open_store: Open, clock: Clock) -> None:
    most = 400_000
    with open_store(most_bytes=most) as store:
        for number in range(200):
            clock.now += 1
            assert store.put(scene(number, size=2_000 + 53 * number))
            clock.now += 1
            assert number < 3 or store.program(scene(3).id), "used all the time"
            assert store.stats().bytes <= most
        assert 20 < store.stats().scenes < 60
        kept = [number for number in range(200) if store.get(scene(number).id)]
        assert kept == [3, *range(200 - len(kept) + 1, 200)]
        clock.now += 1
        assert store.get(scene(199).id)
        assert store.path.stat().st_size <= most
        path = store.path
    assert path.stat().st_size <= most
    with open_store(most_bytes=most // 4) as smaller:
        smaller._keep_up()
        assert 1 <= smaller.stats().scenes < 15
        assert smaller.get(scene(199).id)
    assert path.stat().st_size <= most // 4, "a smaller bound shrinks the file"


def test_an_evicted_scene_is_not_answered_from_memory(open_store: Open, clock: Clock) -> None:
    store = open_store(most_bytes=100_000)
    for number in range(100):
        clock.now += 1
        store.put(scene(number))
    kept = store.stats().scenes
    assert kept < 40
    assert [bool(store.program(scene(number).id)) for number in range(100)] == [False] * (100 - kept) + [True] * kept


def test_a_scene_larger_than_the_bound_stands_alone(open_store: Open) -> None:
    store = open_store(most_bytes=100_000)
    store.put(scene(1))
    store.put(scene(2, size=200_000))
    assert store.get(scene(2).id)
    assert store.stats().scenes == 1


def test_scenes_expire_when_nobody_uses_them(open_store: Open, clock: Clock) -> None:
    with open_store(most_days=10) as store:
        for number in range(3):
            store.put(scene(number))
        clock.now += 8 * DAY
        assert store.program(scene(1).id)
        clock.now += 1 * DAY
        assert store.get(scene(2).id)
    clock.now += 2 * DAY
    with open_store(most_days=10) as again:
        again._keep_up()
        assert [bool(again.get(scene(number).id)) for number in range(3)] == [False, True, True]
        clock.now += 11 * DAY
        again._keep_up()
        assert again.stats().scenes == 0
        assert again.program(scene(1).id) is None


def test_upkeep_comes_in_rounds(open_store: Open, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others may write between them; what is too much goes in the end."""
    monkeypatch.setattr(store_module, "ROUND_SCENES", 7)
    monkeypatch.setattr(store_module, "ROUND_PAGES", 3)
    with open_store(most_days=1) as store:
        for number in range(40):
            store.put(scene(number))
        clock.now += 2 * DAY
        before = store.stats().scenes
        assert store._keep_up() is True
        assert store.stats().scenes == before - 7
        rounds = 1
        while store._keep_up():
            rounds += 1
        assert rounds > 8
        assert store.stats().scenes == 0
        path = store.path
    assert path.stat().st_size < 50_000


def test_upkeep_goes_on_by_itself(open_store: Open, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "UPKEEP_SECONDS", 0.01)
    store = open_store(most_days=1)
    store.put(scene(1))
    clock.now += 2 * DAY
    deadline = time.monotonic() + 10
    while store.stats().scenes:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_only_its_owner_may_read_it(open_store: Open, tmp_path: Path) -> None:
    store = open_store(tmp_path / "deep" / "data")
    store.put(scene(1))
    assert store.path.parent.stat().st_mode & 0o777 == 0o700
    for file in store.path.parent.iterdir():
        assert file.stat().st_mode & 0o077 == 0, file.name
    assert len(list(store.path.parent.iterdir())) == 4  # the file, its log, the log's index, the lock


def test_a_temporary_store_leaves_nothing(open_store: Open) -> None:
    with open_store(None) as store:
        store.put(scene(1))
        folder = store.path.parent
        assert folder.is_dir()
    assert not folder.exists()


def test_one_service_a_folder(open_store: Open) -> None:
    store = open_store()
    with pytest.raises(ServiceError, match=r"another service keeps its scenes in .*data: stop it, or name"):
        open_store()
    store.close()
    open_store()


def test_a_folder_that_cannot_be(open_store: Open, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match=r"file/data cannot be used \(Not a directory\)"):
        open_store(tmp_path / "file" / "data")


def test_a_newer_file_is_refused_and_left_alone(open_store: Open) -> None:
    with open_store() as store:
        store.put(scene(1))
        path = store.path
    with sqlite3.connect(path) as sql:
        sql.execute("PRAGMA user_version = 3")
    sql.close()
    before = path.read_bytes()
    with pytest.raises(StorageError, match=rf"{FILE} was written by a newer predinet-prolog \(format 3, known is 2\)"):
        open_store()
    assert path.read_bytes() == before


def test_an_older_file_is_brought_up_to_date(open_store: Open) -> None:
    """One as the program before wrote it, which knew no warnings."""
    with open_store() as store:
        store.put(scene(1))
        path = store.path
    with sqlite3.connect(path) as sql:
        sql.execute("ALTER TABLE scenes DROP COLUMN warnings")
        sql.execute("PRAGMA user_version = 1")
    sql.close()
    for number in (2, 3):  # the second time nothing is left to do
        with open_store() as store:
            assert store.get(scene(1).id) == replace(scene(1), warnings=())
            assert store.program(scene(1).id) == StoredProgram(scene(1).program, "model 1", scene(1).notes, ())
            assert store.put(scene(number))
            assert store.get(scene(number).id) == scene(number)


def test_another_programs_file_is_refused_and_left_alone(open_store: Open, tmp_path: Path) -> None:
    path = tmp_path / "data" / FILE
    path.parent.mkdir()
    with sqlite3.connect(path) as sql:
        sql.execute("CREATE TABLE theirs (x)")
    sql.close()
    before = path.read_bytes()
    with pytest.raises(StorageError, match="is a file of another program"):
        open_store()
    assert path.read_bytes() == before


@pytest.mark.parametrize("harm", ["start", "middle", "cut", "text"])
def test_a_damaged_file_is_noticed_and_left_alone(open_store: Open, harm: str) -> None:
    with open_store() as store:
        for number in range(30):
            store.put(scene(number))
        path = store.path
    content = bytearray(path.read_bytes())
    if harm == "start":
        content[:100] = bytes(100)
    elif harm == "middle":
        for page in range(4096, len(content) - 4096, 4096):  # every page's head but the first one's
            content[page : page + 8] = b"\xff" * 8
    elif harm == "cut":
        del content[len(content) // 2 :]
    else:
        content = bytearray(b"no database " * 1000)
    path.write_bytes(content)
    with pytest.raises(StorageError, match=rf"{FILE} is damaged \(.*\): restore it, or move it away"):
        open_store()
    assert path.read_bytes() == content
    path.unlink()
    assert open_store().stats().scenes == 0


def test_a_damaged_program_is_noticed(open_store: Open) -> None:
    store = open_store()
    store.put(scene(1))
    with store._writer.transaction() as sql:
        sql.execute("UPDATE contents SET program = zeroblob(50)")
        sql.execute("COMMIT")
    with pytest.raises(StorageError, match="is damaged"):
        store.get(scene(1).id)


def test_a_full_disk_is_said_and_nothing_is_half_kept(open_store: Open) -> None:
    store = open_store()
    store.put(scene(1))
    store._writer._sql.execute("PRAGMA max_page_count = 20")
    with pytest.raises(StorageError, match=rf"{FILE} cannot grow \(.*full\): make room on its disk"):
        store.put(scene(2, size=200_000))
    assert store.get(scene(2).id) is None
    assert store.program(scene(2).id) is None
    assert store.get(scene(1).id) == scene(1)
    store._writer._sql.execute("PRAGMA max_page_count = 4000")
    assert store.put(scene(2, size=200_000)), "it recovers"


def test_a_put_that_fails_half_way_is_as_if_it_had_never_been(open_store: Open) -> None:
    store = open_store()
    sql = store._writer._sql
    sql.execute("CREATE TEMP TRIGGER broken BEFORE INSERT ON contents BEGIN SELECT raise(ABORT, 'broken'); END")
    with pytest.raises(StorageError, match="broken"):
        store.put(scene(1))
    sql.execute("DROP TRIGGER broken")
    assert store.stats().scenes == 0
    assert store.program(scene(1).id) is None
    assert store.put(scene(1))


def test_a_file_that_cannot_be_written_is_said(open_store: Open) -> None:
    store = open_store()
    store._writer._sql.execute("PRAGMA query_only = ON")
    with pytest.raises(StorageError, match=r"cannot be used .*readonly.*: see to its disk and its permissions"):
        store.put(scene(1))
    store._writer._sql.execute("PRAGMA query_only = OFF")


def test_many_threads(open_store: Open) -> None:
    """Every thread puts, reads and deletes its own scenes, and reads everybody's; in the end the rest is there."""
    store = open_store(most_bytes=MANY)
    failures: list[BaseException] = []
    shared = [scene(number) for number in range(1_000, 1_005)]

    def work(first: int) -> None:
        try:
            for number in range(first, first + 20):
                own = scene(number)
                assert store.put(own)
                assert store.get(own.id) == own
                if number % 2:
                    assert store.delete(own.id)
                    assert store.program(own.id) is None
                for other in shared:
                    store.put(other)
                    found = store.program(other.id)
                    assert found is None or found.program == other.program
                    store.delete(other.id)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(first,)) for first in range(0, 160, 20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    for other in shared:
        store.delete(other.id)
        assert store.program(other.id) is None
    assert store.stats().scenes == 80
    assert all(store.get(scene(number).id) == scene(number) for number in range(0, 160, 2))


def test_a_deletion_while_the_program_is_read_is_not_undone(open_store: Open) -> None:
    """The reader found the scene; before it could remember it, the scene was deleted."""
    with open_store() as store:
        store.put(scene(1))
    store = open_store()
    decompress = store._decompress

    def slow(data: bytes) -> bytes:
        store.delete(scene(1).id)
        return decompress(data)

    store._decompress = slow  # type: ignore[method-assign]
    assert store.program(scene(1).id), "it was there when it was asked for"
    assert store.program(scene(1).id) is None


PUTTER = """
import random, sys
from pathlib import Path
from tests.service.test_store import scene
from service.store import SceneStore

store = SceneStore(Path(sys.argv[1]), most_bytes=2**30, most_days=30)
number = int(sys.argv[2])
print("open", flush=True)
while True:
    store.put(scene(number))
    print(number, flush=True)
    number += 1
"""


@pytest.mark.slow
def test_kill_loses_nothing_acknowledged(open_store: Open, tmp_path: Path, root: Path) -> None:
    """Twenty times a process that puts scenes is killed at a random moment; whatever it printed is there, whole."""
    folder = tmp_path / "data"
    draw = random.Random(4)
    acknowledged: list[int] = []
    for round in range(20):
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
        acknowledged += [int(line) for line in rest.splitlines(keepends=True) if line.endswith(b"\n")]
    store = open_store(folder)
    assert len(acknowledged) > 100
    for number in acknowledged:
        assert store.get(scene(number).id) == scene(number)
    # At most the one put that was under way in each round.
    assert len(acknowledged) <= store.stats().scenes <= len(acknowledged) + 20
