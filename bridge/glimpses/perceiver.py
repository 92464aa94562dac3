"""From pictures of any size to scenes: things are found, each is looked at in a glimpse."""

from dataclasses import dataclass

import numpy as np

from bridge.finding.finders import Finder, GivenBoxes, NetworkFinder, logistic
from bridge.glimpses.inspecting import inspect
from bridge.glimpses.scene import SeenObject, SeenScene
from bridge.scene import FloatArray
from domains.domain import Pixels
from neural.glimpses.cutting import cut, resampled, squares_of
from neural.glimpses.ground import fit_plane
from neural.glimpses.model import GlimpseModel


@dataclass(frozen=True)
class GlimpsePerceiver:
    """Sees what is in pictures with `model`."""

    model: GlimpseModel

    def perceive(self, picture: Pixels, boxes: FloatArray | None = None) -> SeenScene:
        """The scene of one `picture` (H, W, 3), 0–255. `boxes` (n, 4) says where its things are; None: they are found."""
        graph = self.model.graph
        finder: Finder = NetworkFinder(graph) if boxes is None else GivenBoxes(boxes)
        found = finder.find(picture)
        order = np.lexsort(
            ((found.boxes[:, 0] + found.boxes[:, 2]).round(3), (found.boxes[:, 1] + found.boxes[:, 3]).round(3))
        )
        place = {int(old): new for new, old in enumerate(order)}
        ordered = found.boxes[order]
        plane = fit_plane(picture)
        objects: list[SeenObject] = []
        if len(ordered):
            mask, coordinates = graph.compare(cut(picture, plane, ordered))
            colours = _colours(picture, ordered, logistic(mask))
            objects = [
                SeenObject(f"ob_{number}", box, (int(r), int(g), int(b)), own.astype(np.float64))
                for number, (box, (r, g, b), own) in enumerate(zip(ordered, colours, coordinates, strict=True))
            ]
        touching = sorted(tuple(sorted((place[a], place[b]))) for a, b in found.touching)
        height, width = picture.shape[:2]
        inspection = inspect(picture, found, plane)
        return SeenScene(tuple(objects), tuple((a, b) for a, b in touching), inspection, width, height)


def _colours(picture: Pixels, boxes: FloatArray, mask: FloatArray) -> FloatArray:
    """(n, 3): mean colour of what each of `boxes` (n, 4) holds, where its `mask` (n, SIDE, SIDE), 0–1, is."""
    pixels = resampled(picture, squares_of(boxes)).astype(np.float64)
    weight = np.where(mask > 0.5, mask, 1e-3 * mask + 1e-9)[..., None]
    return np.asarray((pixels * weight).sum(axis=(1, 2)) / weight.sum(axis=(1, 2))).round()
