"""Images of a folder, and work on them by processes: order, bounds, and how it ends."""

import os
from pathlib import Path

import pytest

from predinet_prolog.domains.image_files import image_names
from predinet_prolog.neural.engines import PROCESSES
from predinet_prolog.neural.errors import WorkerDiedError
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.store.batches import count_images

WORK = """
import os, time

def lengths(batch):
    time.sleep(0.05 if "a" in batch else 0)
    return [len(name) for name in batch], os.getpid()

def fail(batch):
    raise ValueError(f"no {batch[0]}")

def die(batch):
    os._exit(1)

def threads(batch):
    return os.environ["OPENBLAS_NUM_THREADS"]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Images and what is none, in folders."""
    for name in ("b.png", "a.PNG", "it's %d.jpeg", "notes.txt", "c.png.txt", ".hidden.png", "sub/x.bmp", "sub/a.gif",
                 "sub/deep/ö.webp", ".git/logo.png", "none/readme.md", "a.b.tiff"):  # fmt: skip
        path = tmp_path / "images" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (tmp_path / "images" / "sub" / "up").symlink_to(tmp_path / "images")
    return tmp_path / "images"


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    """A module that worker processes find, too."""
    (tmp_path / "batch_work.py").write_text(WORK)
    monkeypatch.syspath_prepend(tmp_path)
    import batch_work  # type: ignore[import-not-found]

    return batch_work


def test_images_are_found_in_all_folders_in_order(folder: Path) -> None:
    expected = ["a.PNG", "a.b.tiff", "b.png", "it's %d.jpeg", "sub/a.gif", "sub/x.bmp", "sub/deep/ö.webp"]
    assert list(image_names(folder)) == expected
    assert count_images(folder, apart=True) == len(expected)


def test_folders_that_cannot_be_exported(folder: Path) -> None:
    (folder / "sub" / "x.png").touch()
    with pytest.raises(UsageError, match=r"sub/x.bmp and .*sub/x.png"):
        count_images(folder, apart=True)
    assert count_images(folder, apart=False) == 8
    with pytest.raises(UsageError, match="holds no image"):
        count_images(folder / "none", apart=True)
    if os.geteuid():  # root may read everything
        (folder / "sub").chmod(0)
        with pytest.raises(UsageError, match=r"sub cannot be read"):
            count_images(folder, apart=True)


def test_results_come_in_order_from_several_processes(work: object) -> None:
    names = ["a", "bb", "ccc", "dddd", "eeeee"]
    results = list(PROCESSES.in_batches(work.lengths, names, total=5, size=2))  # type: ignore[attr-defined]
    assert [lengths for lengths, _ in results] == [[1, 2], [3, 4], [5]]
    assert os.getpid() not in {process for _, process in results}
    assert list(PROCESSES.in_batches(work.threads, names, total=5, size=2)) == ["1"] * 3  # type: ignore[attr-defined]
    assert list(PROCESSES.in_batches(work.lengths, ["a"], total=1, size=2)) == [([1], os.getpid())]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("work_name", "error", "message"), [("fail", ValueError, "no a"), ("die", WorkerDiedError, "ended on its own")]
)
def test_how_work_ends_badly(work: object, work_name: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        list(PROCESSES.in_batches(getattr(work, work_name), ["a", "b", "c"], total=3, size=1))
