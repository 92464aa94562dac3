"""Export: images a second from decoded arrays to program text, and from a folder of PNG files to a folder of .pl files.

    python benchmarks/export.py [--model NAME] [--sizes 1000 10000]

The plain way takes an image at a time: the network, scikit-learn's MeanShift over its masks, symbols one after another,
and a Python format for each fact. It is spared all looks after the first: their masks are given to it. It has to say
the same, label by label and character by character. One thread each.

The folders are exported by the command itself, start-up included; the last column leaves that out. Memory is the sum
over its processes of the most that each had.
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
from sklearn.cluster import MeanShift

from benchmarks import shared
from benchmarks.shared import COMMAND, INFO, least, print_head, print_machine, print_row
from predinet_prolog.bridge import Scene, perceiver_of, write_program
from predinet_prolog.bridge.mean_shift import mean_shift
from predinet_prolog.bridge.perceiving.windows import BANDWIDTH
from predinet_prolog.bridge.program import facts_of
from predinet_prolog.neural import Model, load_model

SEED = 6_000_011
BATCHES = (1, 64, 4096)
PLAIN = 32
"""Images that the plain way is measured with."""


def main() -> None:
    parser = shared.options(__doc__)
    parser.add_argument("--model", default="relations-game")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000], help="images in a folder")
    options = parser.parse_args()
    print_machine()
    model = load_model(options.model)
    compare_with_plain(model, shared.boards(max(BATCHES), seed=SEED))
    export_folders(options.sizes, options.model)


def compare_with_plain(model: Model, images: np.ndarray) -> None:
    """Arrays to text."""
    scenes = perceiver_of(model).perceive(images[:PLAIN])
    plainly(model, images[0], scenes[0])  # warms up
    start = perf_counter()
    texts = [plainly(model, image, scene) for image, scene in zip(images[:PLAIN], scenes, strict=True)]
    peer = PLAIN / (perf_counter() - start)
    same_texts = sum(
        facts in write_program(scene, model=model, image=INFO) for facts, scene in zip(texts, scenes, strict=True)
    )
    same_labels = sum(
        labels_of(scene) == mean_shift(masks_of(scene), bandwidth=BANDWIDTH)[0].tolist() for scene in scenes
    )
    print_head("batch", "images/s", "the plain way, images/s", "ratio")
    for batch in BATCHES:
        chosen = images[: max(batch, 64)]
        rate = len(chosen) / least(partial(export, model, chosen, batch), 3 if batch < 4096 else 1)
        print_row(f"{batch:,}", f"{rate:,.0f}", f"{peer:,.1f}", f"{rate / peer:,.0f}")
    print(f"\nsame labels: {same_labels} of {PLAIN}, same facts: {same_texts} of {PLAIN}\n")


def export(model: Model, images: np.ndarray, batch: int) -> None:
    """What is measured: the programs of `images`, so many at a time."""
    for start in range(0, len(images), batch):
        shared.programs(model, images[start : start + batch])


def masks_of(scene: Scene) -> np.ndarray:
    """The masks (p, n) of all looks."""
    assert scene.heads is not None
    *_, rows, columns = scene.heads.attention.shape
    return scene.heads.attention.reshape(-1, rows * columns)


def labels_of(scene: Scene) -> list[int]:
    """scikit-learn's labels of the masks."""
    return [int(label) for label in MeanShift(bandwidth=BANDWIDTH).fit(masks_of(scene)).labels_]


def plainly(model: Model, image: np.ndarray, scene: Scene) -> str:
    """The facts of `image`'s program without what makes ours fast; what later looks saw is taken from its `scene`."""
    look = model.graph.look(image[None])
    _ = (look.attention[:, :, 0] - look.attention[:, :, 1]) @ (
        look.coordinates + model.graph.places @ model.graph.slopes.T
    )
    (coordinates,) = look.coordinates
    masks = masks_of(scene)
    labels = np.array(labels_of(scene))
    side = model.config.side
    symbols = []
    for label in range(labels.max() + 1):
        mask = masks[labels == label].mean(0)
        symbols.append((divmod(int(mask.argmax()), side), mask @ coordinates))
    sections = []
    for predicate, columns in facts_of(scene, INFO).items():
        lines = []
        for row in zip(*columns, strict=True):
            arguments = [f"{value + 0:.4f}" if isinstance(value, float) else str(value) for value in row]
            lines.append(f"{predicate}({', '.join('0.0000' if a == '-0.0000' else a for a in arguments)}).")
        sections.append("\n".join(lines) or f"{predicate}({', '.join(['_'] * len(columns))}) :- fail.")
    return "\n\n".join(sections)


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
