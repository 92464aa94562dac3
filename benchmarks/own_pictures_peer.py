"""The named peer: connected components with hand-made features, its thresholds set on pictures that teach."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image

from bridge.confidence import Curve, part
from bridge.definitions import Definition
from bridge.finding.finders import UNLIKE, Components
from bridge.glimpses.scene import SeenObject, SeenScene
from bridge.glimpses.truth import things_told
from bridge.grounding import Pairs
from bridge.scene import FloatArray
from domains.domain import Inspection, Pixels
from domains.scenes.domain import DOMAIN
from neural.glimpses.ground import field, fit_plane

FRAME = 24
"""Pixels along a side of the frame that each thing is scaled to, its aspect kept."""
FEATURES = {
    "shape": (0, FRAME**2),
    "colour": (FRAME**2, FRAME**2 + 3),
    "look": (FRAME**2 + 3, 4 * FRAME**2 + 3),
}
"""First and last co-ordinate of each: the mask, of length 1, so that the distance of two tells their overlap; the mean
colour; and the pixels on the mask, of which the distance is the root of the mean squared difference."""
TAUGHT, SEED = 150, 5_100_003
"""Pictures that thresholds are set on, and their seed."""


class ByHand(Definition):
    """A predicate of things whose features lie at most the threshold apart, all of them taken together."""

    def confidence(self, pairs: Pairs) -> FloatArray:
        """1 where it holds, else 0."""
        apart = np.linalg.norm(pairs.distances[:, list(self.relations)], axis=1)
        return np.asarray(apart <= self.curve.threshold, dtype=np.float64)


@dataclass(frozen=True)
class Peer:
    """Finds patches that differ from a plane fitted to the ground, and compares them by hand-made features."""

    definitions: Sequence[Definition] = ()
    sizes: bool = True

    def perceive(self, pictures: Iterable[Pixels]) -> Iterator[SeenScene]:
        """A scene of each, without doubts."""
        for picture in pictures:
            height, width = picture.shape[:2]
            plane = field(fit_plane(picture), height, width)
            unlike = np.abs(picture - plane).max(axis=2) > UNLIKE
            things = tuple(
                SeenObject(f"ob_{number}", box, (0, 0, 0), features(picture, unlike, box))
                for number, box in enumerate(Components().find(picture).boxes)
            )
            yield SeenScene(things, (), Inspection(0.0, None, 0.0), width, height)


def taught_peer(pictures: int = TAUGHT) -> Peer:
    """The peer, its thresholds set where they tell things apart best that it finds in so many pictures."""
    annotated = DOMAIN.generate_annotated(pictures, seed=SEED, kind="training")
    assert annotated.truth is not None
    apart: dict[str, list[FloatArray]] = {name: [] for name in FEATURES}
    alike: dict[str, list[FloatArray]] = {name: [] for name in FEATURES}
    for number, scene in enumerate(Peer().perceive(annotated.pictures)):
        for coordinates, _, _, attributes in things_told(scene, annotated.truth, number):
            for name in attributes.keys() & FEATURES.keys():
                first, second = np.triu_indices(len(coordinates), k=1)
                own = coordinates[:, slice(*FEATURES[name])]
                apart[name].append(np.linalg.norm(own[first] - own[second], axis=1))
                alike[name].append(attributes[name][first] == attributes[name][second])
    definitions = []
    for name, (start, end) in FEATURES.items():
        distances, same = np.concatenate(apart[name]), np.concatenate(alike[name])
        threshold = part([distances[same]], [distances[~same]]).threshold
        predicate = "same" if name == "look" else f"same_{name}"
        definitions.append(
            ByHand(predicate, "", tuple(range(start, end)), Curve(threshold, 1.0, 0.0), 0.0, scores={}, corrupted={})
        )
    return Peer(tuple(definitions))


def features(picture: Pixels, unlike: np.ndarray, box: FloatArray) -> FloatArray:
    """The features of what lies in `box`; `unlike` (H, W) tells which pixels differ from the ground."""
    left, top, right, bottom = box.round().astype(int)
    mask, pixels = unlike[top:bottom, left:right], picture[top:bottom, left:right]
    if not mask.any():
        mask = np.ones_like(mask)
    scale = FRAME / max(mask.shape)
    width, height = (max(1, round(length * scale)) for length in mask.shape[::-1])
    framed, look = np.zeros((FRAME, FRAME)), np.zeros((FRAME, FRAME, 3))
    place = (
        slice((FRAME - height) // 2, (FRAME - height) // 2 + height),
        slice((FRAME - width) // 2, (FRAME - width) // 2 + width),
    )
    size, box_filter = (width, height), Image.Resampling.BOX
    framed[place] = np.asarray(Image.fromarray(mask).convert("L").resize(size, box_filter)) / 255
    look[place] = np.asarray(Image.fromarray(pixels).resize(size, box_filter)) / 255
    look[framed < 0.5] = 0.5
    colour = pixels[mask].mean(axis=0) / 255
    return np.concatenate([(framed / np.linalg.norm(framed)).ravel(), colour, look.ravel() / FRAME / 3**0.5])
