"""How runs are shown the images of an experiment: the images themselves or, where only the output MLP learns, what the
frozen parts make of them.

A frozen network makes the same of an image every time, and a run sees each of its images four times over (a held-out
one at each of a hundred measurements). So what it makes of them is kept, as far as there is room.
"""

from collections.abc import Iterator
from typing import Protocol

import torch
from torch import Tensor

from neural.experiments.data import Pool
from neural.runs import Runs

MOST_KEPT = 2 * 2**30
"""Bytes that representations of training images may take: three runs of the paper's networks. With more runs every
batch is represented anew."""


class Feed(Protocol):
    """Shows runs their images."""

    def steps(self, places: Tensor) -> Iterator[Tensor]:
        """Trains on the images `places` (steps, R, B) of the training pool, batch after batch; the losses (R,)."""

    def accuracy(self, test: Pool, images: int) -> Tensor:
        """Every run's accuracy (R,) on the first `images` of `test`."""


class ImageFeed:
    """Shows the images."""

    def __init__(self, runs: Runs, pool: Pool) -> None:
        self._runs, self._pool = runs, pool

    def steps(self, places: Tensor) -> Iterator[Tensor]:
        """See Feed."""
        pool = self._pool
        for batch in zip(pool.images(places), pool.task_ids[places], pool.labels[places], strict=True):
            yield self._runs.step(*batch)

    def accuracy(self, test: Pool, images: int) -> Tensor:
        """See Feed."""
        part = slice(images)
        return self._runs.accuracy(test.images(part), test.task_ids[part], test.labels[part])


class RepresentationFeed:
    """Shows what the frozen encoder and central module make of the images."""

    def __init__(self, runs: Runs, pool: Pool) -> None:
        self._runs, self._pool = runs, pool
        size = (len(runs), len(pool), runs.config.output_size)
        bytes_wanted = 4 * size[0] * size[1] * size[2]
        # Room that is not written to is not taken from the machine.
        self._kept = torch.empty(size if bytes_wanted <= MOST_KEPT else (0, 0, 0), device=runs.device)
        self._known = torch.zeros(self._kept.shape[:2], dtype=torch.bool, device=runs.device)
        self._of_test: dict[Pool, Tensor] = {}  # (R, N, d)

    def steps(self, places: Tensor) -> Iterator[Tensor]:
        """See Feed."""
        flat = self._represent(places)
        pool = self._pool
        for batch in zip(flat, pool.task_ids[places], pool.labels[places], strict=True):
            yield self._runs.step_output(*batch)

    def accuracy(self, test: Pool, images: int) -> Tensor:
        """See Feed."""
        part = slice(images)
        flat = self._of_test.get(test)
        if flat is None or flat.shape[1] < images:
            shown = test.images(part)
            flat = self._of_test[test] = self._runs.represent(shown.expand(len(self._runs), *shown.shape))
        return self._runs.accuracy_on(flat[:, part], test.task_ids[part], test.labels[part])

    def _represent(self, places: Tensor) -> Tensor:
        """Of the images `places` (steps, R, B): (steps, R, B, d)."""
        steps, R, B = places.shape
        by_run = places.transpose(0, 1).flatten(1)  # (R, steps·B)
        run = torch.arange(R, device=places.device)[:, None]
        if len(self._kept) and self._known[run, by_run].all():
            flat = self._kept[run, by_run]
        else:
            flat = self._runs.represent(self._pool.images(by_run))
            if len(self._kept):
                self._kept[run, by_run] = flat
                self._known[run, by_run] = True
        return flat.view(R, steps, B, -1).transpose(0, 1)
