"""From images to scenes: the network's masks, clustered, become the symbols of what it saw."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.bridge.colours import mean_colours
from predinet_prolog.bridge.errors import PerceiverError
from predinet_prolog.bridge.extents import fit_boxes
from predinet_prolog.bridge.mean_shift import mean_shift
from predinet_prolog.bridge.perceiving.given import Given
from predinet_prolog.bridge.perceiving.perceiver import check_boxes
from predinet_prolog.bridge.scene import FloatArray, Heads, IntArray, Scene
from predinet_prolog.bridge.symbols import Windows, name_symbols
from predinet_prolog.domains.domain import Inspection, Pixels
from predinet_prolog.imaging import ndimage
from predinet_prolog.neural.checkpoint import Model
from predinet_prolog.neural.errors import NeuralError
from predinet_prolog.neural.graph import Graph, Look

BANDWIDTH = 0.2
"""Reach of mean shift. Masks on one window scatter by less, two on different windows lie up to √2 apart. A wider
reach lets masks that hesitate between windows draw the clusters of those windows together (measured on the
objects of training: 0.5 lost 2 of them in 100 scenes of 1 to 9)."""
ATTENDED = 0.6
"""A window counts as attended when some mask has more than this share on it: clearly more than PICKED, so that the
mask's cluster shows the window too."""
BLANK = 0.25
"""A window whose content is at most this share of the image's richest window shows nothing."""
MOST_LOOKS = 10
"""Each look but the last finds an object or more."""
BATCH = 64
"""Images at a time: what more of them need does not stay in the processor's cache."""


@dataclass(frozen=True)
class WindowPerceiver:
    """Sees what is in images with `model`, in even light: of a file, a photograph or a test set, all come by here.

    The first look is the paper's: mean shift over the 2k attention masks of the image. One look misses objects
    when they are many, so the windows of those found are blanked in the image and the network looks again,
    until nothing new appears or `looks` are done (None: no bound but MOST_LOOKS). Masks of all looks are
    clustered together; features, co-ordinates and values always come from the image as it was given.
    """

    model: Model
    looks: int | None = None
    batch: ClassVar[int] = BATCH

    def __post_init__(self) -> None:
        """NeuralError if there is no look to do, or the model is one of the paper's baselines: only a PrediNet's output
        has a meaning."""
        if self.looks is not None and self.looks < 1:
            raise NeuralError(f"{self.looks} looks are none: do one at least")
        _ = self.model.graph

    def perceive(self, pictures: Sequence[Pixels], given: Sequence[Given | None] = ()) -> list[Scene]:
        """A scene of each of `pictures`, (S, S, 3) uint8. PerceiverError for those of another size, or with boxes."""
        side, pictures = self.model.config.image_size, list(pictures)  # of files, each is read once
        if any(things is not None for things in given):
            check_boxes(self.model)
        for number, picture in enumerate(pictures):
            if picture.shape != (side, side, 3):
                raise PerceiverError(
                    f"picture {number} is {picture.shape[1]}x{picture.shape[0]} pixels, and {self.model.name} looks at "
                    f"those of {side}x{side}: choose a model for pictures of any size by --model"
                )
        starts = range(0, len(pictures), BATCH)
        return [scene for start in starts for scene in self._batch(np.stack(pictures[start : start + BATCH]))]

    def _batch(self, images: Pixels) -> list[Scene]:
        graph = self.model.graph
        given, images = images, self.model.domain.even(images)
        evened = (images != given).any(axis=(1, 2, 3)).tolist()
        looks = self._look(images)
        config = graph.config
        boxes = fit_boxes(images, looks.finder_look > 0, Windows(config.side, config.stride, config.filter_size))
        inspections = self.model.domain.inspect(images)
        scenes = [
            _scene(graph, looks, row, replace(inspection, evened=evened[row]), boxes[row])
            for row, inspection in enumerate(inspections)
        ]
        return _coloured(scenes, images)

    def _look(self, images: Pixels) -> "_Looks":
        """Looks at `images` (B, S, S, 3) until nothing new appears."""
        graph = self.model.graph
        first = look = graph.look(images)
        floor = BLANK * first.objectness.max(axis=1)  # (B,)
        finder_look = np.zeros(first.objectness.shape, dtype=np.int64)
        used = np.ones(len(images), dtype=np.int64)
        attention = [first.attention]
        rows = np.arange(len(images))  # the images still looked at
        most = MOST_LOOKS if self.looks is None else self.looks
        for number in range(1, most + 1):
            new = _things(look, floor[rows]) & (finder_look[rows] == 0)
            finder_look[rows] = np.where(new, number, finder_look[rows])
            some = new.any(axis=1)
            if number > 1:
                used[rows[some]] = number
            rows = rows[some]
            if number == most or not len(rows):
                break
            look = graph.look(images[rows], finder_look[rows] > 0, floor[rows])
            attention.append(np.zeros_like(first.attention))
            attention[-1][rows] = look.attention
        return _Looks(np.stack(attention), used, finder_look, first.coordinates)


@dataclass(frozen=True)
class _Looks:
    """What l looks at B images gave."""

    attention: FloatArray
    """(l, B, k, 2, n): masks of each look; zeros where an image was not looked at any more."""
    used: IntArray
    """(B,): number of looks that found something new, at least 1; the masks after them are left out."""
    finder_look: IntArray
    """(B, n): for every window that shows a whole thing and was attended, the look that found it; else 0."""
    coordinates: FloatArray
    """(B, n, j): of the windows as the first look shows them."""


def _things(look: Look, floor: FloatArray) -> NDArray[np.bool_]:
    """Which windows (B, n) show a whole thing that some mask attends to: the objectness is above `floor` (B,), and no
    overlapping window has more.

    A window that overlaps one of more objectness shows a part of what that one shows whole.
    """
    side = int(look.objectness.shape[1] ** 0.5)
    grid = look.objectness.reshape(-1, side, side)
    richest = ndimage.maximum_filter(grid, (1, 3, 3)).reshape(look.objectness.shape)
    attended = (look.attention > ATTENDED).any(axis=(1, 2))
    return np.asarray((look.objectness > floor[:, None]) & (look.objectness >= richest) & attended)


def _coloured(scenes: list[Scene], images: Pixels) -> list[Scene]:
    """The scenes of `images` (b, S, S, 3) with the colours of their objects."""
    counts = [len(scene.things) for scene in scenes]
    boxes = np.array([thing.box for scene in scenes for thing in scene.things]).reshape(-1, 4)
    colours = iter(mean_colours(images, np.arange(len(images)).repeat(counts), boxes).tolist())
    return [
        replace(scene, things=tuple(replace(thing, colour=tuple(next(colours))) for thing in scene.things))
        for scene in scenes
    ]


def _scene(graph: Graph, views: "_Looks", row: int, inspection: Inspection, boxes: FloatArray) -> Scene:
    """The scene of the image in that row of `views`, with its `inspection` and the `boxes` (n, 4) of its
    windows."""
    config, coordinates, attention = graph.config, views.coordinates[row], views.attention[: views.used[row], row]
    looks, k, _, n = attention.shape
    masks = attention.reshape(-1, n)  # (p, n)
    labels, _ = mean_shift(masks, bandwidth=BANDWIDTH)
    symbols = name_symbols(
        masks,
        labels,
        views.finder_look[row],
        coordinates,
        boxes,
        windows=Windows(config.side, config.stride, config.filter_size),
        masks_a_look=2 * k,
    )
    axes = coordinates + graph.places @ graph.slopes.T  # (n, j): of appearance and place
    values = (attention[:, :, 0] - attention[:, :, 1]) @ axes  # (l, k, j)
    grids = attention.reshape(looks, k, 2, config.side, config.side)
    heads = Heads(symbols.of_mask.reshape(looks, k, 2), values, grids, graph.slopes, symbols.first_looks)
    size = config.image_size, config.image_size
    return Scene(symbols.things, inspection, size, background=symbols.background, heads=heads)
