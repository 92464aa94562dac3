"""Kandinsky patterns as a domain."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from predinet_prolog.domains.annotations import as_annotated
from predinet_prolog.domains.domain import Annotated, Board, Labelled, Picture, Seed, Spoilt, Task, Truth
from predinet_prolog.domains.kandinsky.figures import COLOURS, GREY, PATTERNS, SHAPES, SIDE, boxes, drawn, new_figure


class Kandinsky(Board):
    """Circles, squares and triangles in red, yellow and blue, of any size and anywhere on grey; each task a pattern."""

    name = "kandinsky"
    picture = Picture(SIDE, SIDE, background=GREY)
    attributes: tuple[str, ...] = ("shape", "colour")
    kinds: tuple[str, ...] = ("things",)
    most_objects = 9
    tasks: Mapping[str, Task] = {
        name: Task(name, 2, 1, ("things",), pattern.summary) for name, pattern in PATTERNS.items()
    }
    free_task = "figures"
    remedy = "show circles, squares and triangles in red, yellow and blue on grey"
    encoder: Mapping[str, int] = {"image_size": SIDE, "filter_size": 24, "stride": 8}

    def generate(self, task: str, n: int, *, seed: Seed, kind: str | None = None, spoilt: Spoilt = None) -> Labelled:
        """`n` figures, half of them true of the pattern `task`; of the others half are all but true."""
        name, rng = self.task(task).name, np.random.default_rng(seed)
        labels = rng.permutation(np.arange(n) % 2) if name != self.free_task else np.zeros(n, dtype=np.int64)
        figures = [new_figure(name, bool(label), rng) for label in labels]
        things = [thing for figure in figures for thing in figure]
        truth = Truth(
            np.repeat(np.arange(n), [len(figure) for figure in figures]),
            np.concatenate([boxes(figure) for figure in figures]) if figures else np.zeros((0, 4)),
            {name: np.array([getattr(thing, name) for thing in things], np.int64) for name in self.attributes},
        )
        images = np.array([drawn(figure) for figure in figures], dtype=np.uint8).reshape(n, SIDE, SIDE, 3)
        return Labelled(images, labels, np.zeros(n, dtype=np.int64), truth, name, self.kinds[0])

    def generate_annotated(self, n: int, *, seed: Seed, kind: str | None = None, task: str | None = None) -> Annotated:
        """As `generate`; figures of no pattern have no labels."""
        name = self.task(task or self.free_task).name
        annotated = as_annotated(self.generate(name, n, kind=kind, seed=seed))
        answered = {"labels": (), "tasks": ()} if name == self.free_task else {"tasks": (None,) * n}
        return replace(annotated, words={"shape": SHAPES, "colour": COLOURS}, **answered)


DOMAIN = Kandinsky()
