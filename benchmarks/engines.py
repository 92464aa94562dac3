"""Engines: images a second of an export by one and two workers of each, the same bytes, and a node that is killed.

    python benchmarks/engines.py [--sizes 1000 5000] [--turns 3]

Each engine writes the programs of both folders; what the larger takes longer gives images/s without the start. Ray
starts on this machine, with as many processors as workers. Then a cluster of two nodes exports the larger folder, and
the second node is killed in the middle. Wants the extra `ray`.
"""

import filecmp
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import perf_counter

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is loaded

import ray
from ray.cluster_utils import Cluster

from benchmarks import shared
from benchmarks.shared import print_head, print_machine, print_row
from neural.engines import Engine, Processes, open_engine
from service.store.folder import Export, export_folder

SEED = 6_000_023
WORKERS = (1, 2)
QUIET = {"include_dashboard": False, "log_to_driver": False, "logging_level": "ERROR"}


def main() -> None:
    parser = shared.options(__doc__)
    parser.add_argument("--model", default="relations-game")
    parser.add_argument("--sizes", type=int, nargs=2, default=[1_000, 5_000], help="images in the two folders")
    parser.add_argument("--turns", type=int, default=3, help="how often each is measured; the least time counts")
    options = parser.parse_args()
    print_machine()
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        folders = {size: shared.save_boards(place / str(size), size, seed=SEED) for size in options.sizes}
        cases = {
            (engine, workers, size): partial(
                write, engine, workers, Export(folder, place / f"{engine}-{workers}-{size}", options.model)
            )
            for workers in WORKERS
            for engine in ("processes", "ray")
            for size, folder in folders.items()
        }
        seconds = {case: min(times) for case, times in shared.take_turns(cases, options.turns).items()}
        small, large = options.sizes
        wanted = place / f"processes-1-{large}"
        print_head("engine", "workers", f"{small:,} images, s", f"{large:,} images, s", "images/s once started", "same")
        for engine, workers in dict.fromkeys((engine, workers) for engine, workers, _ in cases):
            first, second = (seconds[engine, workers, size] for size in options.sizes)
            same = f"{count_same(wanted, place / f'{engine}-{workers}-{large}'):,} of {large:,}"
            rate = (large - small) / (second - first)
            print_row(engine, workers, f"{first:.1f}", f"{second:.1f}", f"{rate:,.0f}", same)
        kill_a_node(Export(folders[large], place / "killed", options.model), large, wanted)


def write(engine: str, workers: int, export: Export) -> None:
    """Writes all programs anew."""
    shutil.rmtree(export.target, ignore_errors=True)
    with started(engine, workers) as chosen:
        for _ in export_folder(export, total=sum(1 for _ in export.folder.iterdir()), engine=chosen):
            pass


@contextmanager
def started(engine: str, workers: int) -> Iterator[Engine]:
    """An engine with so many workers. A single process works here, as it does for a single batch."""
    if engine == "processes":
        yield Processes(workers)
        return
    ray.init(num_cpus=workers, **QUIET)
    try:
        yield open_engine(engine)
    finally:
        ray.shutdown()


def kill_a_node(export: Export, total: int, wanted: Path) -> None:
    """Exports on two nodes, and kills one after a third of the batches."""
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    other = cluster.add_node(num_cpus=1)
    ray.init(cluster.address, log_to_driver=False, logging_level="ERROR")
    start = perf_counter()
    images = killed = written = 0
    for summary in export_folder(export, total=total, engine=open_engine("ray")):
        images, written = images + summary.images, written + summary.written
        if not killed and images > total // 3:
            killed = images
            cluster.remove_node(other, allow_graceful=False)
    seconds = perf_counter() - start
    ray.shutdown()
    cluster.shutdown()
    same = count_same(wanted, export.target)
    print(
        f"\none of two nodes killed after {killed:,} of {total:,} images: {images:,} images told of, {same:,} programs"
    )
    print(f"of the same bytes, {seconds:.1f} s; {images - written:,} of them lay there when their task was begun anew")


def count_same(wanted: Path, found: Path) -> int:
    """Files of `wanted` that `found` has with the same bytes."""
    names = [path.name for path in wanted.iterdir()]
    return len(filecmp.cmpfiles(wanted, found, names, shallow=False)[0])


if __name__ == "__main__":
    main()
