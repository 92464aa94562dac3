"""Export: images a second from decoded arrays to program text, and from a folder of PNG files to a folder of .pl files.

    python benchmarks/export.py [--model NAME] [--sizes 1000 10000]

Arrays become text on one thread, so many at a time. The folders are exported by the command itself, start-up included;
the last column leaves that out. Memory is the sum over its processes of the most that each had.
"""

import os
import subprocess
import tempfile
import time
from functools import partial
from pathlib import Path
from time import perf_counter

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is loaded

import numpy as np

from benchmarks import shared
from benchmarks.shared import COMMAND, least, print_head, print_machine, print_row
from predinet_prolog.neural import Model, load_model

SEED = 6_000_011
BATCHES = (1, 64, 4096)


def main() -> None:
    parser = shared.options(__doc__)
    parser.add_argument("--model", default="relations-game")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000], help="images in a folder")
    options = parser.parse_args()
    print_machine()
    print_rates(load_model(options.model), shared.boards(max(BATCHES), seed=SEED))
    export_folders(options.sizes, options.model)


def print_rates(model: Model, images: np.ndarray) -> None:
    """Arrays to text."""
    print_head("batch", "images/s")
    for batch in BATCHES:
        chosen = images[: max(batch, 64)]
        rate = len(chosen) / least(partial(export, model, chosen, batch), 3 if batch < 4096 else 1)
        print_row(f"{batch:,}", f"{rate:,.0f}")
    print()


def export(model: Model, images: np.ndarray, batch: int) -> None:
    """What is measured: the programs of `images`, so many at a time."""
    for start in range(0, len(images), batch):
        shared.programs(model, images[start : start + batch])


def export_folders(sizes: list[int], model: str) -> None:
    """PNG files to .pl files."""
    print_head("folder", "seconds", "images/s", "most memory, MB", "images/s once started")
    with tempfile.TemporaryDirectory() as place:
        before = None
        for size in sizes:
            folder = shared.save_boards(Path(place, f"{size}"), size, seed=SEED)
            seconds, memory = command(folder, Path(place, f"{size}-programs"), model)
            started = "" if before is None else f"{(size - before[0]) / (seconds - before[1]):,.0f}"
            print_row(f"{size:,}", f"{seconds:.1f}", f"{size / seconds:,.0f}", f"{memory:,.0f}", started)
            before = size, seconds


def command(folder: Path, target: Path, model: str) -> tuple[float, float]:
    """Seconds that `predinet-prolog export` took, and the MB that its processes had at most."""
    start = perf_counter()
    process = subprocess.Popen([COMMAND, "export", folder, "-o", target, "--model", model], stdout=subprocess.DEVNULL)
    most: dict[int, float] = {}
    while process.poll() is None:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        own = [process.pid, *map(int, children.read_text().split())] if children.exists() else []
        most.update({pid: megabytes(pid) or most.get(pid, 0.0) for pid in own})
        time.sleep(0.05)
    if process.returncode:
        raise SystemExit(f"the export ended with status {process.returncode}")
    return perf_counter() - start, sum(most.values())


def megabytes(process: int) -> float:
    """The most memory that the process had so far; 0 if it is gone."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), 0.0)


if __name__ == "__main__":
    main()
