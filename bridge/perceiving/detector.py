"""From pictures to scenes by a detector: things are found by the votes of their pixels, each is read in words, and
where its middle shows tells where it stands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from predinet_prolog.bridge.perceiving.given import Given, scene_of
from predinet_prolog.bridge.perceiving.perceiver import check_boxes
from predinet_prolog.bridge.scene import FloatArray, IntArray, Scene
from predinet_prolog.domains.detections import Detection
from predinet_prolog.domains.detections.outlines import Cut
from predinet_prolog.domains.domain import Inspection, Pixels
from predinet_prolog.imaging import ndimage
from predinet_prolog.neural.detector.config import kinds_of
from predinet_prolog.neural.detector.cutting import cut_glimpses, frames_of, looked
from predinet_prolog.neural.detector.model import DetectorModel, places_row
from predinet_prolog.neural.detector.parting import parted
from predinet_prolog.neural.glimpses.ground import fit_plane


@dataclass(frozen=True)
class Settings:
    """How things are looked at, and when they are doubted."""

    shifts: tuple[tuple[float, float], ...] = ((0.5, 0), (-0.5, 0), (0, 0.5), (0, -0.5))
    """By how many pixels a box is moved for each look at its thing, right and down: boxes are right to so much. Over
    1,876 things of 295 pictures drawn by another hand true words lost 15.7 nats, and 22.0 where one look tells."""
    sure: float = 0.6
    """A thing with a word less likely than that is doubted: a tenth of wrong words are, and one of 250 right ones."""


SETTINGS = Settings()


@dataclass(frozen=True)
class DetectorPerceiver:
    model: DetectorModel
    batch: ClassVar[int] = 1

    def perceive(self, pictures: Sequence[Pixels], given: Sequence[Given | None] = ()) -> list[Scene]:
        """A scene of each of `pictures`, (H, W, 3), 0–255, as if somebody had told of its things."""
        if any(given):
            check_boxes(self.model)
        return list(map(self._scene, pictures))

    def _scene(self, picture: Pixels) -> Scene:
        model, (height, width) = self.model, picture.shape[:2]
        small, fine = (looked(picture, long) for long in (model.config.long, model.config.fine))
        rows, columns = small.shape[:2]
        scale = np.tile([width / columns, height / rows], 2)
        plane = fit_plane(small)
        parts = parted(model.graph.find(small, plane), rows, columns)
        boxes, middles, owner = parts.boxes, parts.middles, parts.owner
        if not len(boxes):
            return scene_of(Given((), (width, height)))
        looks = [
            model.graph.read(cut_glimpses(fine, plane, moved, owner), frames_of(moved, middles, rows, columns))
            for moved in (boxes + shift * 2 for shift in SETTINGS.shifts)
        ]
        logits = [np.mean(parts, axis=0) for parts in zip(*looks, strict=True)]
        values = {name: part.argmax(axis=1) for name, part in zip(model.config.words, logits, strict=True)}
        full = owner[np.arange(height) * rows // height][:, np.arange(width) * columns // width]
        things, rows_of = [], zip(boxes * scale, parts.scores.tolist(), ndimage.find_objects(full), strict=True)
        for number, (box, score, rim) in enumerate(rows_of):
            words = {name: model.config.words[name][column[number]] for name, column in values.items()}
            left, top, right, bottom = map(float, box)
            sides, outline = (left, top, right, bottom), Cut(full[rim] == number + 1, rim[1].start, rim[0].start)
            things.append(Detection("", number, sides, score=score, attributes=words, outline=outline))
        keys = frozenset(model.config.words)
        ground = self._ground(middles, values, rows, columns)
        scene = scene_of(Given(tuple(things), (width, height), keys=keys, ground=ground))
        likely = np.min([1 / np.exp(part - part.max(axis=1, keepdims=True)).sum(axis=1) for part in logits], axis=0)
        if not (doubtful := np.count_nonzero(likely < SETTINGS.sure)):
            return scene
        reason = f"{doubtful} of {len(things)} things can hardly be told: hidden, or none that it learned"
        return replace(scene, inspection=Inspection(1.0, reason, 0.0, remedy="look at them before trusting the answer"))

    def _ground(
        self, middles: FloatArray, values: Mapping[str, IntArray], height: int, width: int
    ) -> tuple[tuple[int, str, int], ...]:
        """How things lie on the ground, whose `middles` (n, 2) show in a picture of that size."""
        if (weights := self.model.places) is None:
            return ()
        terms = places_row(middles, height, width)
        of_kind = weights[kinds_of(self.model.config.words, values, len(terms))]  # (n, TERMS, 2)
        left, behind = np.einsum("nt,ntw->wn", terms, of_kind)
        pairs = [(a, b) for a in range(len(terms)) for b in range(len(terms)) if a != b]
        return tuple(
            (a, ways[0 if along[a] > along[b] else 1], b)
            for ways, along in ((("left", "right"), left), (("behind", "front"), behind))
            for a, b in pairs
        )
