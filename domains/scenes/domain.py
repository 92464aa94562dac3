"""Pictures of a few separate things, drawn with their truth: any shapes, colours and sizes on a fairly plain ground."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.domains.annotations import of_pictures
from predinet_prolog.domains.domain import Annotated, Canvas, Floats, Picture, Pixels, Seed, Task, TrainingPictures
from predinet_prolog.domains.scenes.drawing import ATTRIBUTES, Style, draw
from predinet_prolog.domains.scenes.families import FAMILIES
from predinet_prolog.domains.scenes.pictures import chosen_groups, new_groups, training_pictures
from predinet_prolog.imaging import ndimage

_CLEAN = Style(light=0, spoilt=0, plain_ground=1, touching=0, close=0, fills=(1, 0, 0))
_TWO_COLOURS = replace(_CLEAN, fills=(0, 1, 0))
_EACH = {"noise": 0.05, "jpeg": 75.0, "gradient": 0.25, "shadow": 0.35}
_TOGETHER = {"noise": 0.03, "jpeg": 75.0, "gradient": 0.2, "shadow": 0.2}
STYLES: Mapping[str, Style] = {
    "scenes": Style(),
    "plain": _CLEAN,
    **{name: replace(_CLEAN, disturbances={name: strength}) for name, strength in _EACH.items()},
    "two_colours": _TWO_COLOURS,
    "close": replace(_CLEAN, close=1, things=(2, 10)),
    "crowded": replace(_TWO_COLOURS, close=1, things=(6, 15)),
    "touching": replace(_CLEAN, touching=1, things=(2, 10)),
    "disturbed": replace(_TWO_COLOURS, disturbances=_TOGETHER),
    "many_parts": replace(_CLEAN, fills=(0, 0, 1)),
    "by_hand": replace(_CLEAN, unsteady=True, fills=(0.5, 0.25, 0.25), disturbances={"jpeg": 90.0}),
}
"""What each task's pictures are like; the first has everything that training has."""
SIDES = (96, 128)
"""Least and most pixels along a side."""
GROUPS = 200
"""Shapes that a set of pictures chooses from, with their twins."""
PER_GROUP = 4
"""Training pictures for each shape that they choose from."""


class Scenes(Canvas):
    """A few things anywhere in a picture of any size."""

    name = "scenes"
    picture = Picture(0, 0)
    attributes: tuple[str, ...] = ATTRIBUTES
    kinds: tuple[str, ...] = tuple(FAMILIES)
    most_objects = 15
    joined = True
    tasks: Mapping[str, Task] = {
        name: Task(name, 1, 1, tuple(FAMILIES), f"pictures of the style {name}; nothing is asked") for name in STYLES
    }
    free_task = "scenes"
    remedy = "show a few separate things on plain ground, or correct their boxes: --boxes, or Correct on the page"

    def generate_annotated(
        self, n: int, *, seed: Seed, kind: str | None = None, task: str | None = None, sides: tuple[int, int] = SIDES
    ) -> Annotated:
        """`n` pictures of a task, of `sides` pixels along each side, things of families of that `kind`.

        Attributes: shape, colour (of all parts), look and size; equal numbers are equal values within a picture.
        """
        style, rng = STYLES[self.task(task or self.free_task).name], np.random.default_rng(seed)
        bank = new_groups(kind or self.kinds[0], GROUPS, rng)
        pictures: list[Pixels] = []
        columns: dict[str, list[int]] = {name: [] for name in self.attributes}
        boxes: list[Floats] = []
        while len(pictures) < n:
            groups = chosen_groups(bank, rng)
            height, width = rng.integers(sides[0], sides[1] + 1, 2).tolist()
            drawn = draw(height, width, groups, style, rng)
            if not (drawn_boxes := _boxes(drawn.owner)):
                continue
            boxes.append(np.array(drawn_boxes, dtype=np.float64))
            for name in self.attributes:
                columns[name] += drawn.attributes[name]
            pictures.append(drawn.pixels)
        return of_pictures(pictures, boxes, {name: np.array(column, np.int64) for name, column in columns.items()})

    def training_pictures(self, n: int, *, side: int, seed: Seed, kind: str | None = None) -> TrainingPictures:
        return training_pictures(n, side=side, seed=seed, kind=kind or self.kinds[0], groups=max(n // PER_GROUP, 20))


def _boxes(owner: NDArray[np.uint8]) -> list[tuple[int, int, int, int]]:
    """Left, top, right, bottom of what is seen of each thing; one that others cover whole has a pixel in a corner."""
    return [(s[1].start, s[0].start, s[1].stop, s[0].stop) if s else (0, 0, 1, 1) for s in ndimage.find_objects(owner)]


DOMAIN = Scenes()
