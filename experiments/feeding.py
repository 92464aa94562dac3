"""How runs are shown the images of an experiment: the images themselves or, where only the output MLP learns, what the
frozen parts make of them.

A frozen network makes the same of an image every time, and a run sees each of its images four times over (a held-out
one at each of a hundred measurements). So what it makes of them is kept, as far as there is room.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import torch
from torch import Tensor

from predinet_prolog.experiments.data import Pool
from predinet_prolog.neural.runs import Runs

SHARE_KEPT = 0.6
"""Of the machine's memory, or the GPU's: what representations may take. Those of training images take 0.64 GB for each
run of the paper's networks."""
CONTAINER_LIMIT = Path("/sys/fs/cgroup/memory.max")
"""Holds how much memory a container may use, or `max`."""


class ImageFeed:
    """Shows runs their images."""

    def __init__(self, runs: Runs, pool: Pool) -> None:
        self._runs, self._pool = runs, pool

    def steps(self, places: Tensor) -> Iterator[Tensor]:
        """Trains on the images `places` (steps, R, B) of the training pool, batch after batch; the losses (R,)."""
        pool = self._pool
        for batch in zip(pool.images(places), pool.task_ids[places], pool.labels[places], strict=True):
            yield self._runs.step(*batch)

    def accuracy(self, test: Pool, places: Tensor) -> Tensor:
        """Every run's accuracy (R,) on the images `places` (R, N) of `test`: always the same ones, or the first of
        them."""
        flat = self._runs.represent(test.images(places))
        return self._runs.accuracy(flat, test.task_ids[places], test.labels[places])


class RepresentationFeed(ImageFeed):
    """Shows what the frozen encoder and central module make of the images."""

    def __init__(self, runs: Runs, pool: Pool, *, images: int, room: float) -> None:
        """`images` of one task, of which a run sees no other; `room` in bytes: if they do not fit, none is kept."""
        super().__init__(runs, pool)
        self._images = images
        size = (len(runs), images, runs.config.output_size)
        fits = 4 * size[0] * size[1] * size[2] <= room
        # Room that is not written to is not taken from the machine; from a GPU it is.
        self._kept = torch.empty(size, device=runs.device) if fits else None
        self._known = torch.zeros(size[:2], dtype=torch.bool, device=runs.device)
        self._of_test: dict[Pool, Tensor] = {}  # (R, N, d)

    def steps(self, places: Tensor) -> Iterator[Tensor]:
        """See ImageFeed."""
        flat = self._represent(places)
        pool = self._pool
        for batch in zip(flat, pool.task_ids[places], pool.labels[places], strict=True):
            yield self._runs.step_output(*batch)

    def accuracy(self, test: Pool, places: Tensor) -> Tensor:
        """See ImageFeed."""
        count = places.shape[1]
        flat = self._of_test.get(test)
        if flat is None or flat.shape[1] < count:
            flat = self._of_test[test] = self._runs.represent(test.images(places))
        return self._runs.accuracy(flat[:, :count], test.task_ids[places], test.labels[places])

    def _represent(self, places: Tensor) -> Tensor:
        """Of the images `places` (steps, R, B): (steps, R, B, d)."""
        steps, R, B = places.shape
        of_run = places.transpose(0, 1).flatten(1)  # (R, steps·B)
        key = torch.arange(R, device=places.device)[:, None], of_run % self._images
        if self._kept is not None and self._known[key].all():
            flat = self._kept[key]
        else:
            flat = self._runs.represent(self._pool.images(of_run))
            if self._kept is not None:
                self._kept[key], self._known[key] = flat, True
        return flat.view(R, steps, B, -1).transpose(0, 1)


def room(device: torch.device) -> float:
    """Bytes that representations may take on `device`, those of all processes together."""
    if device.type == "cuda":
        return SHARE_KEPT * torch.cuda.get_device_properties(device).total_memory
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    container = CONTAINER_LIMIT.read_text().strip() if CONTAINER_LIMIT.exists() else "max"
    return SHARE_KEPT * (machine if container == "max" else min(machine, int(container)))
