"""A tiny second world: two coloured dots on white, 48 × 48 pixels. What `tests/test_second_domain.py` trains in."""

from collections.abc import Mapping

import numpy as np

from predinet_prolog.domains.domain import Board, Labelled, Picture, Seed, Spoilt, Task, Truth

SIDE, CELL, RADIUS = 48, 12, 4
COLOURS = np.array([(200, 30, 30), (30, 160, 40), (40, 60, 200), (230, 200, 20)], dtype=np.uint8)
CELLS = (SIDE // CELL) ** 2


class Dots(Board):
    name = "dots"
    picture = Picture(SIDE, SIDE, background=(255, 255, 255))
    attributes: tuple[str, ...] = ("colour",)
    kinds: tuple[str, ...] = ("dots",)
    most_objects = 2
    tasks: Mapping[str, Task] = {"alike": Task("alike", 2, 1, ("dots",), "the two dots have one colour")}
    free_task = "alike"
    remedy = "draw two dots on white"
    encoder: Mapping[str, int] = {"image_size": SIDE, "filter_size": CELL, "stride": CELL // 2}

    def generate(self, task: str, n: int, *, seed: Seed, kind: str | None = None, spoilt: Spoilt = None) -> Labelled:
        rng = np.random.default_rng(seed)
        cells = np.sort(rng.permuted(np.tile(np.arange(CELLS), (n, 1)), axis=1)[:, :2], axis=1)
        colours = rng.integers(len(COLOURS), size=(n, 2))
        same = rng.random(n) < 0.5
        colours[same, 1] = colours[same, 0]
        return _drawn(cells, colours)

    @property
    def gallery(self) -> list[Labelled]:
        return [_drawn(np.full((len(COLOURS), 1), 5), np.arange(len(COLOURS))[:, None])]


def _drawn(cells: np.ndarray, colours: np.ndarray) -> Labelled:
    """Pictures of dots in `cells` (N, O), in `colours` (N, O)."""
    n, things = cells.shape
    row, column = np.divmod(cells, SIDE // CELL)
    centre = np.stack([column, row], axis=-1) * CELL + CELL // 2  # (N, O, 2)
    at = np.arange(SIDE) + 0.5
    images = np.full((n, SIDE, SIDE, 3), 255, dtype=np.uint8)
    for thing in range(things):
        across, down = ((at - centre[:, thing, axis, None]) ** 2 for axis in (0, 1))
        lit = down[:, :, None] + across[:, None] <= RADIUS**2
        images = np.where(lit[..., None], COLOURS[colours[:, thing], None, None], images)
    boxes = np.concatenate([centre - RADIUS, centre + RADIUS], axis=-1).reshape(-1, 4).astype(np.float64)
    truth = Truth(np.repeat(np.arange(n), things), boxes, {"colour": colours.ravel()})
    labels = (colours == colours[:, :1]).all(axis=1).astype(np.int64)
    return Labelled(images, labels, np.zeros(n, dtype=np.int64), truth, "alike", "dots")


DOMAIN = Dots()
