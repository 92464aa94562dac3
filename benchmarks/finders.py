"""Finders side by side: the product's, its two halves alone, and a classical one by OpenCV.

    python benchmarks/finders.py [--n N] [--seed N] [--json FILE]

Pictures of 480 to 960 pixels are laid out of Tux Paint's photographs, Fluent Emoji, Noto's emoji and Material Design's
icons in turns, on grounds that `examples/own_pictures` draws. That needs `pip install resvg_py==0.5.0` and Debian's
`apt-get`, and the peer needs `opencv-python-headless==5.0.0.93`: without it there is no peer. A figure is the share of
pictures in which every thing was found once and nothing else. Times are medians of processor seconds a picture, as
ratios to the product's, which compares things, too; a picture's finders take turns.
"""

import json
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from benchmarks.shared import options, print_head, print_row
from examples.own_pictures.others import lay
from predinet_prolog.bridge import perceiver_of
from predinet_prolog.bridge.finding.finders import NetworkFinder
from predinet_prolog.bridge.finding.patches import patches_of
from predinet_prolog.bridge.matching import match
from predinet_prolog.bridge.scene import FloatArray
from predinet_prolog.domains.domain import Pixels
from predinet_prolog.neural.glimpses.model import GlimpseModel, load_any

SEED = 5_200_011
MAKERS = "stamps", "fluent", "noto", "mdi"
HOWS = "several", "alone", "large", "rings", "near"
GROUNDS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "plain": (("white", "steel"), ""),
    "textured": (("desk", "linen", "cork", "felt"), ""),
    "in weather": (("paper", "desk", "denim"), "rough"),
}
"""What things lie on, and the weather."""
LONG, SPREADS, FLOOR, CLOSED, LEAST = 400, 6.0, 1.0, 5, 2e-4
"""The peer: most pixels along a side, spreads from the ground, a spread's least, pixels that closing bridges, least
share of the picture; chosen by its own figures on pictures of seed 1."""
Finder = Callable[[Pixels], FloatArray]


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--n", type=int, default=48, help="pictures a set (default: 48)")
    parser.add_argument("--seed", type=int, default=SEED, help=f"of the pictures (default: {SEED})")
    parser.add_argument("--json", type=Path, help="write everything measured to this file")
    arguments = parser.parse_args()
    finders = all_finders()
    seconds: dict[str, list[float]] = {name: [] for name in finders}
    records = []
    print_head("pictures", *finders)
    for how in HOWS:
        for ground, (names, weather) in GROUNDS.items():
            exact = dict.fromkeys(finders, 0)
            for number in range(arguments.n):
                rng = np.random.default_rng((arguments.seed, HOWS.index(how), len(ground), number))
                laid = lay(MAKERS[number % len(MAKERS)], how, names[rng.integers(len(names))], weather, rng=rng)
                true = np.array(laid.boxes, float)
                for name, finder in finders.items():
                    start = process_time()
                    boxes = finder(laid.picture)
                    seconds[name].append(process_time() - start)
                    exact[name] += len(match(boxes, true)) == len(boxes) == len(true)
            shares = {name: count / arguments.n for name, count in exact.items()}
            print_row(f"{how}, {ground}", *(f"{share:.2f}" for share in shares.values()))
            records.append({"how": how, "ground": ground, **shares})
    medians = {name: float(np.median(taken)) for name, taken in seconds.items()}
    print_row("time", *(f"{median / medians['product']:.2f}" for median in medians.values()))
    if arguments.json:
        arguments.json.write_text(json.dumps({"exact": records, "seconds": medians}, indent=1) + "\n")


def all_finders() -> dict[str, Finder]:
    """By name; each from a picture to boxes (n, 4)."""
    model = load_any("scenes")
    assert isinstance(model, GlimpseModel)
    product, network = perceiver_of(model), NetworkFinder(model.graph, model.config.of_group("shape"))
    finders: dict[str, Finder] = {
        "product": lambda picture: product.perceive([picture])[0].boxes,
        "network alone": lambda picture: network.find(picture).boxes,
        "patches alone": lambda picture: patches_of(picture).boxes,
    }
    try:
        cv = import_module("cv2")
    except ImportError as error:
        print(f"no OpenCV, no peer: {error}", end="\n\n")
    else:
        cv.setNumThreads(1)
        finders["OpenCV"] = lambda picture: by_opencv(cv, picture)
    return finders


def by_opencv(cv: Any, picture: Pixels) -> FloatArray:
    """(n, 4): patches unlike a quadric ground, fitted in Lab to the rim and then to all that is near it."""
    scale = min(LONG / max(picture.shape[:2]), 1.0)
    small = cv.resize(picture, None, fx=scale, fy=scale, interpolation=cv.INTER_AREA)
    lab = cv.cvtColor(cv.GaussianBlur(small, (0, 0), 1).astype(np.float32) / 255, cv.COLOR_RGB2LAB)
    height, width = lab.shape[:2]
    y, x = (axis.ravel() for axis in np.mgrid[0:height, 0:width].astype(np.float32) / max(height, width) - 0.5)
    terms, colours = np.stack([np.ones_like(x), x, y, x * y, x**2, y**2], axis=1), lab.reshape(-1, 3)
    rim = np.ones((height, width), bool)
    wide = max(2, min(height, width) // 40)
    rim[wide:-wide, wide:-wide] = False
    some = np.arange(0, len(x), max(1, len(x) // 20_000))
    near = rim.ravel()[some]
    for _ in range(6):
        surface = np.linalg.lstsq(terms[some[near]], colours[some[near]], rcond=None)[0]
        off = colours[some] - terms[some] @ surface
        spread = np.maximum(1.4826 * np.median(np.abs(off[near]), axis=0), FLOOR)
        near = ((off / spread) ** 2).sum(axis=1) < 16
    distance = np.sqrt((((colours - terms @ surface) / spread) ** 2).sum(axis=1))
    mask = (distance > SPREADS).astype(np.uint8).reshape(height, width)
    mask = cv.morphologyEx(mask, cv.MORPH_CLOSE, cv.getStructuringElement(cv.MORPH_ELLIPSE, (CLOSED, CLOSED)))
    _, _, stats, _ = cv.connectedComponentsWithStats(mask, connectivity=8)
    left, top, across, down, _ = stats[1:][stats[1:, 4] >= LEAST * mask.size].T
    return np.asarray(np.stack([left, top, left + across, top + down], axis=1) / scale)


if __name__ == "__main__":
    main()
