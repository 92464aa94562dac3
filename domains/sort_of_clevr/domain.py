"""Sort-of-CLEVR to the letter of its public generator, kimhc6028/relational-networks; the drawing is our own."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from predinet_prolog.domains.annotations import as_annotated
from predinet_prolog.domains.data import Annotated, Integers, Labelled, Picture, Pixels, Seed, Spoilt, Task, Truth
from predinet_prolog.domains.domain import Board
from predinet_prolog.domains.sort_of_clevr.questions import COLOURS, SIDE, TASKS, answers, asked, task_id

RGB = np.array([(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 156, 0), (128, 128, 128), (255, 255, 0)], dtype=np.uint8)
"""Of the COLOURS."""
REACH = 5
"""Pixels from a thing's centre to its last."""
DISC = np.array([0, 3, 4, 4, 4, 5, 4, 4, 4, 3, 0])
"""How far a disc reaches right and left of its centre, row by row: as OpenCV's integer arithmetic draws a circle."""
APART = (2 * REACH) ** 2
"""Least squared distance of two centres. Two squares that lie so near cover each other's edges."""
_ASKED = {
    "not_relational": "the shape of a thing, whether it lies left of the middle, whether above",
    "binary": "the shape of the closest thing to one, of the furthest, how many others have its shape",
    "ternary": "how many lie in the box of two things, whether any lies on their line, how many form obtuse triangles",
    "binary_published": "the same as binary, as the public generator answers",
    "ternary_published": "the same as ternary, as the public generator asks and answers",
}


class SortOfClevr(Board):
    """Six things of one size on white, squares and discs, each of its own colour. They may touch, and the later ones
    cover the edges of the earlier."""

    name = "sort_of_clevr"
    picture = Picture(SIDE, SIDE, background=(255, 255, 255))
    attributes: tuple[str, ...] = ("shape",)
    kinds: tuple[str, ...] = ("things",)
    most_objects = len(COLOURS)
    tasks: Mapping[str, Task] = {
        name: Task(name, 10, int(task_id(asked(name)).max()) + 1, ("things",), _ASKED[name]) for name in TASKS
    }
    free_task = "not_relational"
    remedy = "show six squares and discs of sort-of-CLEVR on white"
    theory: str | None = "sort_of_clevr"
    encoder: Mapping[str, int] = {"image_size": SIDE, "filter_size": 15, "stride": 5}

    def generate(self, task: str, n: int, *, seed: Seed, kind: str | None = None, spoilt: Spoilt = None) -> Labelled:
        """`n` pictures, with one of the task's questions each at even odds and the number of its answer."""
        name, rng = self.task(task).name, np.random.default_rng(seed)
        centres = np.array([_centres(rng) for _ in range(n)], dtype=np.int64).reshape(n, len(COLOURS), 2)
        circles = rng.random((n, len(COLOURS))) < 0.5
        questions = asked(name)
        chosen = questions[rng.integers(len(questions), size=n)]
        labels = answers(name, centres, circles, chosen)
        corner = centres.reshape(-1, 2) - REACH
        boxes = np.concatenate([corner, corner + 2 * REACH + 1], axis=1).astype(np.float64)
        truth = Truth(np.repeat(np.arange(n), len(COLOURS)), boxes, {"shape": circles.ravel().astype(np.int64)})
        return Labelled(_drawn(centres, circles), labels, task_id(chosen), truth, name, self.kinds[0])

    def generate_annotated(self, n: int, *, seed: Seed, kind: str | None = None, task: str | None = None) -> Annotated:
        """As `generate`; the things of a picture are in the order of COLOURS. Colours are not told: no two are alike,
        so there is nothing to learn of them, and the palette names them."""
        drawn = as_annotated(self.generate(task or self.free_task, n, kind=kind, seed=seed))
        return replace(drawn, words={"shape": ("square", "circle")})


def _centres(rng: np.random.Generator) -> list[Integers]:
    centres: list[Integers] = []
    while len(centres) < len(COLOURS):
        centre = rng.integers(REACH, SIDE - REACH, 2)
        if all(((centre - other) ** 2).sum() >= APART for other in centres):
            centres.append(centre)
    return centres


def _drawn(centres: Integers, circles: np.ndarray) -> Pixels:
    """(N, SIDE, SIDE, 3)"""
    images = np.full((len(centres), SIDE, SIDE, 3), 255, dtype=np.uint8)
    disc = np.abs(np.arange(-REACH, REACH + 1)) <= DISC[:, None]
    for image, places, round_ones in zip(images, centres, circles, strict=True):
        for (x, y), is_round, colour in zip(places.tolist(), round_ones.tolist(), RGB, strict=True):
            window = image[y - REACH : y + REACH + 1, x - REACH : x + REACH + 1]
            window[disc if is_round else np.ones_like(disc)] = colour
    return images


DOMAIN = SortOfClevr()
