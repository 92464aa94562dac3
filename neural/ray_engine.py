"""Work on a cluster by Ray: on that of RAY_ADDRESS, or one that runs on this machine already; else on this machine.

All nodes have this package, and see the same files under the same paths: what is read and written goes by these.
A process or a node that ends is replaced, and what it had not finished is done again.
"""

import logging
import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from predinet_prolog.neural.engines import Names, Ready, Result, Send, Work, Works, all_at_once, conduct
from predinet_prolog.neural.errors import NeuralError, WorkerDiedError

os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")  # read when ray is loaded
try:
    import ray
    from ray.exceptions import RayError, RayTaskError
    from ray.util.queue import Queue
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy
except ImportError as missing:
    raise NeuralError(f"no {missing.name} to run it on: pip install 'predinet-prolog[ray]'") from missing

RETRIES = 10
"""How often work is begun anew whose process ended. Work that takes all memory would end every one."""
UNDER_WAY = 4
"""Batches a processor that wait or are worked on: none stands idle, and the memory is bounded."""


class RayEngine:
    def in_batches(
        self, work: Callable[[Names], Result], names: Iterable[str], *, total: int, size: int
    ) -> Generator[Result, None, None]:
        """See Engine. Each batch is a task on one core; a process does many, and keeps what it has read."""
        iterator = iter(names)
        with connected(), _errors_named():
            task = ray.remote(_in_place).options(max_retries=RETRIES)
            most, under_way = UNDER_WAY * max(1, processors()), deque[Any]()
            try:
                for batch in iter(lambda: tuple(islice(iterator, size)), ()):
                    under_way.append(task.remote(work, batch, Path.cwd()))
                    if len(under_way) > most:
                        yield ray.get(under_way.popleft())
                while under_way:
                    yield ray.get(under_way.popleft())
            finally:
                for reference in under_way:  # they would work to the end
                    ray.cancel(reference)

    def side_by_side(self, works: Sequence[Works], receive: Send, *, ready: Ready[Works] = all_at_once) -> None:
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


@contextmanager
def connected() -> Iterator[None]:
    """Connects to the cluster, or starts one, unless that was done already."""
    started = not ray.is_initialized()
    if started:
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # it would report its use
        ray.init(include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    try:
        yield
    finally:
        if started:
            ray.shutdown()


def processors() -> int:
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


def _in_place(work: Callable[[Names], Result], names: Names, place: Path) -> Result:
    os.chdir(place)  # names are relative
    return work(names)


def _work(work: Work, sent: Queue, place: Path) -> None:
    os.chdir(place)
    work(lambda *message: sent.put(message))
