"""The memory of the server and of its workers over time."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import linear_regression, mean, median

from benchmarks.load.server import Server, memory

WARM_UP = 0.1  # of each of the server's lives: what is loaded and cached at first is no leak


@dataclass(frozen=True)
class Sample:
    """Megabytes at a moment."""

    seconds: float
    life: int
    """Which of the server's lives it was in, from 0."""
    server: float
    """Resident."""
    workers: float
    """Proportional shares of all workers together: what pages they have in common counts once."""
    worker: float
    """Resident, mean of the workers."""


SERIES = ("server", "workers", "worker")


def sample(server: Server, seconds: float, life: int) -> Sample | None:
    """The memory now; None while a process is being replaced."""
    own = memory(server.pid)[0]
    workers = [memory(pid) for pid in server.worker_pids()]
    workers = [sizes for sizes in workers if sizes[0]]
    if not own or not workers:
        return None
    resident, shares = ([sizes[kind] / 1e6 for sizes in workers] for kind in (0, 1))
    return Sample(seconds, life, own / 1e6, sum(shares), mean(resident))


@dataclass(frozen=True)
class Growth:
    """Of one series in one of the server's lives, after its warm-up. Megabytes.

    Medians, as a worker may take hundreds of them for the second that an attack lasts.
    """

    series: str
    life: int
    first: float
    """Median of its first quarter."""
    last: float
    """Median of its last quarter."""
    most: float
    per_hour: float
    """Slope of the line through all samples."""

    @property
    def share(self) -> float:
        """How much more the last quarter is than the first."""
        return self.last / self.first - 1


def growth(samples: Sequence[Sample]) -> list[Growth]:
    """Of every series in every life that has enough samples."""
    found = []
    for life in sorted({sample.life for sample in samples}):
        own = [sample for sample in samples if sample.life == life]
        warm = own[0].seconds + WARM_UP * (own[-1].seconds - own[0].seconds)
        own = [sample for sample in own if sample.seconds >= warm]
        quarter = len(own) // 4
        for series in SERIES if quarter else ():
            values = [float(getattr(sample, series)) for sample in own]
            slope = linear_regression([sample.seconds for sample in own], values).slope
            found.append(
                Growth(series, life, median(values[:quarter]), median(values[-quarter:]), max(values), 3600 * slope)
            )
    return found


def plot(samples: Sequence[Sample], path: Path) -> None:
    """The samples as a PNG."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(len(SERIES), sharex=True, figsize=(9, 7), layout="constrained")
    titles = ("server, resident", "workers together, shares", "a worker, resident (mean)")
    for axis, series, title in zip(axes, SERIES, titles, strict=True):
        for life in sorted({sample.life for sample in samples}):
            own = [sample for sample in samples if sample.life == life]
            axis.plot([s.seconds / 60 for s in own], [getattr(s, series) for s in own], color="tab:blue", linewidth=1)
        axis.set(title=title, ylabel="MB", ylim=(0, 1.1 * max(getattr(s, series) for s in samples)))
        axis.grid(alpha=0.3)
    axes[-1].set_xlabel("minutes; the line breaks where the server was killed")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110)
