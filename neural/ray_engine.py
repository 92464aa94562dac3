"""Work on a cluster by Ray: on that of RAY_ADDRESS, or one that runs on this machine already; else on this machine.

All nodes have this package, and see the same files under the same paths: what is read and written goes by these.
A process or a node that ends is replaced, and what it had not finished is done again.
"""

import logging
import os
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow

from predinet_prolog.neural.engines import Names, Ready, Result, Send, Work, all_at_once, conduct
from predinet_prolog.neural.errors import NeuralError, WorkerDiedError

os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")  # read when ray is loaded
try:
    import ray
    from ray.data import ActorPoolStrategy, DataContext, from_arrow
    from ray.exceptions import RayError, RayTaskError
    from ray.util.queue import Queue
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy
except ImportError as missing:
    raise NeuralError(f"no {missing.name} to run it on: pip install 'predinet-prolog[ray]'") from missing

RETRIES = 10
"""How often work is begun anew whose process ended. Work that takes all memory would end every one."""
BATCHES_PER_TASK = 8
"""At most: Ray takes some hundredths of a second for a task."""
TASKS_PER_PROCESSOR = 4
"""At least, where there are as many batches: no processor waits long for the last task of another."""


class RayEngine:
    """An Engine of a cluster."""

    def in_batches(
        self, work: Callable[[Names], Result], names: Iterable[str], *, total: int, size: int
    ) -> Generator[Result, None, None]:
        """See Engine. Ray Data gives the names to actors, as many as the cluster has room for."""
        with connected():
            together = total // size // (TASKS_PER_PROCESSOR * max(1, processors()))
            manifest = list(_manifest(names, size * min(max(1, together), BATCHES_PER_TASK)))
            if not manifest:
                return
            context = DataContext.get_current()
            context.execution_options.preserve_order = True
            context.enable_progress_bars = context.print_on_execution_start = False
            with warnings.catch_warnings():
                warnings.simplefilter(
                    "ignore", DeprecationWarning
                )  # of `ray_remote_args_fn`, in whose place is nothing
                results = from_arrow(manifest).map_batches(
                    _Worker,
                    fn_constructor_args=(work, Path.cwd()),
                    batch_size=size,
                    batch_format="pyarrow",
                    compute=ActorPoolStrategy(min_size=1, max_size=len(manifest)),
                    ray_remote_args_fn=lambda: {"max_restarts": RETRIES},  # else work that ends them is never given up
                )
            with _errors_named():
                for row in results.iter_rows():
                    result: _Outcome = row["outcome"]
                    if result.error is not None:
                        raise result.error
                    yield result.value

    def side_by_side(self, works: Sequence[Work], receive: Send, *, ready: Ready = all_at_once) -> None:
        """See Engine. Each work is a task on one core; what it sends comes by a queue beside this process."""
        with connected():
            here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
            sent = Queue(actor_options={"num_cpus": 0, "scheduling_strategy": here})
            task = ray.remote(_work).options(max_retries=RETRIES)
            tasks = []

            def submit(work: Work) -> "Future[None]":
                tasks.append(task.remote(work, sent, Path.cwd()))
                future: Future[None] = tasks[-1].future()
                return future

            def take() -> None:
                for message in sent.get_nowait_batch(sent.qsize()):
                    receive(*message)

            try:
                with _errors_named():
                    conduct(works, ready, len(works), submit, take)
            finally:
                for reference in tasks:  # they would work to the end
                    ray.cancel(reference, force=True)
                sent.shutdown(force=True)


def _manifest(names: Iterable[str], rows: int) -> Iterator[pyarrow.Table]:
    """The names, so many in each table: a table goes to an actor. Names of files need not be text."""
    coded = [os.fsencode(name) for name in names]
    for first in range(0, len(coded), rows):
        yield pyarrow.table({"name": pyarrow.array(coded[first : first + rows], pyarrow.binary())})


@contextmanager
def connected() -> Iterator[None]:
    """Connects to the cluster, or starts one, unless that was done already."""
    started = not ray.is_initialized()
    if started:
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # it would report its use
        logging.getLogger("ray.data").setLevel(logging.CRITICAL)  # its errors reach us as exceptions
        ray.init(include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    try:
        yield
    finally:
        if started:
            ray.shutdown()


def processors() -> int:
    """Of the cluster, as it is now."""
    return int(ray.cluster_resources().get("CPU", 0))


@contextmanager
def _errors_named() -> Iterator[None]:
    """The work's own error is raised as it was, one of Ray's as WorkerDiedError."""
    try:
        yield
    except RayTaskError as error:
        raise error.cause from None
    except RayError as error:
        message = str(error).strip().partition("\n")[0]
        raise WorkerDiedError(f"{message}: begun {RETRIES + 1} times; the same command goes on") from error


# --- In a process of the cluster. ---


@dataclass(frozen=True)
class _Outcome:
    """What work gave, or the error that it raised: an error of Ray Data's own would not say which."""

    value: Any = None
    error: Exception | None = None


class _Worker:
    """An actor's own: what its work keeps in memory, such as a model, is read once by each actor."""

    def __init__(self, work: Callable[[Names], Any], place: Path) -> None:
        os.chdir(place)  # names are relative
        self._work = work

    def __call__(self, batch: pyarrow.Table) -> dict[str, np.ndarray]:
        outcome = np.empty(1, object)
        try:
            outcome[0] = _Outcome(self._work(tuple(os.fsdecode(name) for name in batch["name"].to_pylist())))
        except Exception as error:
            outcome[0] = _Outcome(error=error)
        return {"outcome": outcome}


def _work(work: Work, sent: Queue, place: Path) -> None:
    os.chdir(place)
    work(lambda *message: sent.put(message))
