"""Engines: images a second of an export by one and two workers of each, the same bytes, and a node that is killed.

    python benchmarks/engines.py [--sizes 1000 5000]

Each engine writes the programs of both folders; what the larger takes longer gives images/s without the start. Ray
starts on this machine, with as many processors as workers. Then a cluster of two nodes exports the larger folder, and
the second node is killed in the middle. Wants the extra `ray`.
"""

import filecmp
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
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
    options = parser.parse_args()
    print_machine()
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        folders = [shared.save_boards(place / str(size), size, seed=SEED) for size in options.sizes]
        wanted = place / "processes-1-large"
        print_head(
            "engine",
            "workers",
            *(f"{size:,} images, s" for size in options.sizes),
            "images/s once started",
            "same bytes",
        )
        for workers in WORKERS:
            for engine in ("processes", "ray"):
                targets = [place / f"{engine}-{workers}-{kind}" for kind in ("small", "large")]
                seconds = [
                    timed(engine, workers, Export(folder, target, options.model))
                    for folder, target in zip(folders, targets, strict=True)
                ]
                rate = (options.sizes[1] - options.sizes[0]) / (seconds[1] - seconds[0])
                same = f"{count_same(wanted, targets[1]):,} of {options.sizes[1]:,}"
                print_row(engine, workers, *(f"{each:.1f}" for each in seconds), f"{rate:,.0f}", same)
        kill_a_node(Export(folders[1], place / "killed", options.model), options.sizes[1], wanted)


def timed(engine: str, workers: int, export: Export) -> float:
    """Seconds, from the start of the workers to their end."""
    start = perf_counter()
    with started(engine, workers) as chosen:
        for _ in export_folder(export, total=sum(1 for _ in export.folder.iterdir()), engine=chosen):
            pass
    return perf_counter() - start


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
