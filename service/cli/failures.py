"""The images of a test set that went wrong, as files: a picture, the program, and a table of them."""

import csv
import hashlib
import heapq
import io
from collections.abc import Callable
from pathlib import Path

from predinet_prolog.bridge import Scene
from predinet_prolog.domains.domain import Labelled
from predinet_prolog.domains.images import InputImage
from predinet_prolog.experiments.evaluation import Outcome, task_fact
from predinet_prolog.neural import Model
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.files import write_atomically, writing_to
from predinet_prolog.service.pictures.scene import draw
from predinet_prolog.service.pipeline import View

MOST = 50
"""Failures kept, the worst ones."""
TABLE = "failures.csv"
COLUMNS = ("rank", "image", "label", "answer", "missing", "spurious", "merged")


class Failures:
    """Collects the worst failing images of a test set while it is evaluated, and writes them into a folder.

    An image fails if its answer is wrong or its objects are not exact. The more faults its objects have the worse;
    among equals a wrong answer is worse than a right one, and else the earlier image comes first.
    """

    def __init__(self, folder: Path) -> None:
        """Makes `folder`, so that a long evaluation is not in vain.

        Raises UsageError if it is there already and not empty, and OutputError if it cannot be made.
        """
        with writing_to(folder):
            folder.mkdir(parents=True, exist_ok=True)
            if any(folder.iterdir()):
                raise UsageError(f"{folder} is not empty: name a new folder for the failures")
        self._folder = folder
        self._kept: list[tuple[tuple[int, bool, int], Outcome, Scene]] = []  # a heap, the least bad one on top

    def __len__(self) -> int:
        return len(self._kept)

    def watch(self, outcome: Outcome, scene: Scene) -> None:
        """Keeps the image if it failed and is among the worst so far."""
        faults = 0 if outcome.faults is None else outcome.faults.total
        if outcome.right and not faults:
            return
        badness = (faults, not outcome.right, -outcome.number)  # differs between any two images
        heapq.heappush(self._kept, (badness, outcome, scene))
        if len(self._kept) > MOST:
            heapq.heappop(self._kept)

    def write(
        self, model: Model, test_set: Labelled, *, looks: int | None, report: Callable[[int], None] = lambda done: None
    ) -> None:
        """Writes, for each failure, worst first, `001-image-0123.png` and `.pl`, and at the end failures.csv.

        The program is the one that was asked, with its fact task/1. Images are numbered from 0. The table is
        written even if there are no failures. `report` is called after each. Raises OutputError.
        """
        table = io.StringIO()
        rows = csv.writer(table, lineterminator="\n")
        rows.writerow(COLUMNS)
        for rank, (_, outcome, scene) in enumerate(sorted(self._kept, reverse=True), start=1):
            faults = outcome.faults
            counts = ("", "", "") if faults is None else (faults.missing, faults.spurious, faults.merged)
            rows.writerow((rank, outcome.number, outcome.label, outcome.said, *counts))
            name = f"image-{outcome.number:04d}"
            remark = f"label {outcome.label}, answer {_shortened(outcome.said)}"
            if faults is not None:
                remark += f"; of the objects {faults}"
            pixels = test_set.images[outcome.number]
            sha256 = hashlib.sha256(pixels.tobytes()).hexdigest()
            image = InputImage(pixels, pixels.shape[1], pixels.shape[0], (), name, sha256)
            view = View(image, scene, model, looks)
            target = self._folder / f"{rank:03d}-{name}"
            question = task_fact(test_set, outcome.number)
            program = f"% {remark}\n{view.write()}\n% The question that was asked of it.\n{question}"
            write_atomically(target.with_suffix(".pl"), program.encode())
            write_atomically(target.with_suffix(".png"), draw(view, remark=remark))
            report(1)
        write_atomically(self._folder / TABLE, table.getvalue().encode())


def _shortened(said: str) -> str:
    """An answer that fits into a picture's title; a goal may answer with more than a label."""
    return said if len(said) <= 12 else f"{said[:11]}…"
