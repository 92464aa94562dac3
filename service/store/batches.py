"""Images of a folder in batches, in worker processes: for what is done to more images than fit in memory."""

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import TypeVar

from service.errors import UsageError, WorkerDiedError

ENDINGS = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp", ".tif", ".tiff", ".ppm", ".pgm")
"""A file of a folder is an image if its name ends so, in small or capital letters."""
BATCH = 128
"""Images at a time: larger batches are no faster."""
MOST_WORKERS = 16
"""Each worker takes a tenth of a gigabyte of memory."""

Result = TypeVar("Result")
Names = tuple[str, ...]


def image_names(folder: Path) -> Iterator[str]:
    """The images in `folder` and the folders in it, as paths from there, always in the same order.

    Hidden files and folders are passed over, and links to folders, which may lead in a circle. Raises UsageError for
    a folder that cannot be read.
    """

    def refuse(error: OSError) -> None:
        raise UsageError(f"{error.filename} cannot be read: {error.strerror}")

    for place, folders, files in os.walk(folder, onerror=refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        start = Path(place).relative_to(folder)
        # By what is before the ending, so that those which differ there alone follow each other.
        for name in sorted(filter(_is_image, files), key=lambda name: name.rpartition(".")):
            yield (start / name).as_posix()


def count_images(folder: Path, *, apart: bool) -> int:
    """How many images are in the folder. Raises UsageError if there is none, and, if they have to be `apart`, where
    two differ in their endings alone: their programs would have the same name."""
    total, before = 0, ""
    for name in image_names(folder):
        if apart and name.rpartition(".")[0] == before.rpartition(".")[0]:
            raise UsageError(f"{folder / before} and {folder / name} would have programs of the same name: rename one")
        total, before = total + 1, name
    if not total:
        raise UsageError(f"{folder} holds no image ({', '.join(ending[1:] for ending in ENDINGS)})")
    return total


def in_batches(
    work: Callable[[Names], Result], names: Iterable[str], *, total: int, size: int = BATCH
) -> Generator[Result, None, None]:
    """What `work` gives for all `names`, of which there are about `total`, `size` at a time and in order.

    The work is done by a process on every processor, or in this one if there is but one batch; a few batches are under
    way at once, so the memory does not grow with `total`. An error of `work` is raised here. Raises WorkerDiedError if
    a process ends on its own. When the generator is closed, batches under way are finished first.
    """
    iterator = iter(names)
    batches = iter(lambda: tuple(islice(iterator, size)), ())
    workers = min(_processors(), MOST_WORKERS, -(-total // size))
    if workers <= 1:
        yield from map(work, batches)
        return
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_begin)
    under_way: deque[Future[Result]] = deque()
    try:
        for batch in batches:
            under_way.append(pool.submit(work, batch))
            if len(under_way) > 2 * workers:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()
    except BrokenProcessPool as error:
        raise WorkerDiedError("a worker process ended on its own, perhaps for want of memory") from error
    finally:
        pool.shutdown(cancel_futures=True)


def _is_image(name: str) -> bool:
    return name.lower().endswith(ENDINGS) and not name.startswith(".")


def _processors() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _begin() -> None:
    """Makes a fresh process a worker: one thread for arithmetic, Ctrl-C left to its parent, and an end with it."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # read when numpy is loaded
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()
