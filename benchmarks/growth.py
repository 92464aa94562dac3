"""How cost grows: with images, objects, heads, relations and answers. Fits an exponent to each, and draws them.

    python benchmarks/growth.py [--plot docs/growth.png]

Cost is the least time of a few tries on one thread. The exponent is the slope
of log(cost) over log(size) from the middle of the sizes on: 1 is twice the cost for twice the size, 0 none at all.
Networks of other sizes have random weights with sharp masks: what they see makes no sense, but costs what it would.
"""

import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy and torch are loaded

import matplotlib.pyplot as plt
import numpy as np
import torch

from benchmarks.shared import least, options, print_head, print_machine, print_row, programs
from domains.relations_game import generate
from neural import Model, NetworkConfig, RelationsNetwork, load_model, training_config
from neural.checkpoint import weights_of
from service.pictures.palette import FAINT, INK, PALETTE
from symbolic import Engine

SEED = 8_000_009
TRIES = 5
SHARP = 100.0
"""Times that random keys are made larger, so that masks attend to single windows as trained ones do."""


@dataclass(frozen=True)
class Series:
    """One thing that grows."""

    what: str
    cost: str
    sizes: list[int]
    seconds: list[float]

    @property
    def exponent(self) -> float:
        """Of the power of the size that the cost grows with, fitted to the larger half of the sizes."""
        half = len(self.sizes) // 2
        slope, _ = np.polyfit(np.log(self.sizes[half:]), np.log(self.seconds[half:]), 1)
        return float(slope)


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--plot", type=Path, help="draw to this file, too")
    plot = parser.parse_args().plot
    print_machine()
    print_head("what grows", "what it costs", "exponent", "sizes: milliseconds")
    whole = []
    for series in all_series():
        whole.append(series)
        pairs = ", ".join(f"{size:,}: {1e3 * t:,.1f}" for size, t in zip(series.sizes, series.seconds, strict=True))
        print_row(series.what, series.cost, f"{series.exponent:.2f}", pairs)
    if plot:
        draw(whole, plot)


def all_series() -> Iterator[Series]:
    """All of them, one after another."""
    model = load_model("relations-game")
    scenes = generate("scatter", 1024, objects="hexos", seed=SEED)
    images, objects = scenes.render(), scenes.occupied.sum(1)
    few = images[:64]

    def some(number: int) -> np.ndarray:
        """32 images of so many objects."""
        return images[np.resize(np.flatnonzero(objects == number), 32)]

    yield grow("images", "an export of them all", [4**n for n in range(6)], lambda n: programs(model, images[:n]))
    yield grow("objects", "an export of 32 images", list(range(1, 10)), lambda n: programs(model, some(n)))
    for what, sizes in (("heads", [8, 16, 32, 64, 128]), ("relations", [4, 8, 16, 32, 64, 128])):
        models = {n: random_model(**{"heads": 32, "relations": 16, what: n}) for n in sizes}
        yield grow(what, "an export of 64 images", sizes, lambda n, models=models: programs(models[n], few))
    (program,) = programs(model, images[:1])
    with Engine(time_limit=60, answer_limit=10**6) as engine:
        engine.ask(program, "true")
        yield grow(
            "answers",
            "a query that has them",
            [10**n for n in range(5)],
            lambda n: engine.ask(program, f"between(1, {n}, N), object(X)", limit=n),
        )


def grow(what: str, cost: str, sizes: list[int], work: Callable[[int], object]) -> Series:
    """The series of what `work` takes for each size."""
    return Series(what, cost, sizes, [least(partial(work, size), TRIES) for size in sizes])


def random_model(heads: int, relations: int) -> Model:
    """A network that was never trained."""
    network = RelationsNetwork(
        NetworkConfig(heads=heads, relations=relations), generator=torch.Generator().manual_seed(SEED)
    )
    network.predinet.W_K.data.mul_(SHARP)
    network.eval().requires_grad_(False)
    weights, training = weights_of(network), training_config(["between"])
    return Model(
        "random", Path(tempfile.gettempdir(), "random.safetensors"), network.config, weights, training, {}, "0" * 64
    )


def draw(whole: list[Series], path: Path) -> None:
    """A small picture for each series, both axes logarithmic."""
    figure, axes = plt.subplots(1, len(whole), figsize=(3 * len(whole), 3), layout="constrained")
    for series, axis in zip(whole, axes, strict=True):
        milliseconds = 1e3 * np.array(series.seconds)
        half = len(series.sizes) // 2
        line = milliseconds[-1] * (np.array(series.sizes[half:]) / series.sizes[-1]) ** series.exponent
        axis.loglog(series.sizes[half:], line, color=FAINT, linewidth=1)
        axis.loglog(series.sizes, milliseconds, "o", color=PALETTE[0], markersize=5)
        axis.set_title(f"{series.what}: exponent {series.exponent:.2f}", fontsize=10, color=INK)
        axis.set_xlabel(f"{series.what}\n{series.cost}", fontsize=8, color=INK)
        axis.spines[["top", "right"]].set_visible(False)
        axis.tick_params(labelsize=8)
    axes[0].set_ylabel("milliseconds", fontsize=8, color=INK)
    figure.savefig(path, dpi=100)


if __name__ == "__main__":
    main()
