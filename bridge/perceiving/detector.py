"""From pictures to scenes by a detector: things are found by the votes of their pixels, each is read in words, and
where its middle shows tells where it stands."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from predinet_prolog.bridge.errors import PerceiverError
from predinet_prolog.bridge.finding.finders import FINE, logistic
from predinet_prolog.bridge.perceiving.given import Given, scene_of
from predinet_prolog.bridge.scene import FloatArray, IntArray, Scene
from predinet_prolog.domains.detections import Detection
from predinet_prolog.domains.detections.outlines import Cut
from predinet_prolog.domains.domain import Inspection, Pixels
from predinet_prolog.domains.pixels import median
from predinet_prolog.neural.detector.cutting import cut_glimpses, frames_of, looked
from predinet_prolog.neural.detector.model import DetectorModel, places_row
from predinet_prolog.neural.glimpses.config import STRIDE
from predinet_prolog.neural.glimpses.ground import fit_plane


@dataclass(frozen=True)
class Settings:
    """When a place is a thing's middle."""

    salient: float = 0.3
    """The least salience of a middle: half of it, for what is nearly hidden."""
    near: float = 0.3
    """How far from a middle, in long sides of its box, the vote for it may end."""
    fewest: int = 12
    """Places that vote for a thing, at least: of CLEVR's, the smallest shows 25."""
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
            self.check_boxes()
        return list(map(self._scene, pictures))

    def check_boxes(self) -> None:
        """PerceiverError: it tells what it finds itself."""
        raise PerceiverError(f"the model {self.model.name} finds things itself: leave out detections, or name another")

    def _scene(self, picture: Pixels) -> Scene:
        model, (height, width) = self.model, picture.shape[:2]
        small, fine = (looked(picture, long) for long in (model.config.long, model.config.fine))
        rows, columns = small.shape[:2]
        scale = np.tile([width / columns, height / rows], 2)
        plane = fit_plane(small)
        boxes, middles, scores, owner = _things(model.graph.find(small, plane), rows, columns)
        if not len(boxes):
            return scene_of(Given((), (width, height)))
        looks = [
            model.graph.read(cut_glimpses(fine, plane, moved, owner), frames_of(moved, middles, rows, columns))
            for moved in (boxes + shift * 2 for shift in SETTINGS.shifts)
        ]
        logits = [np.mean(parts, axis=0) for parts in zip(*looks, strict=True)]
        values = {name: part.argmax(axis=1) for name, part in zip(model.config.words, logits, strict=True)}
        full = owner[np.arange(height) * rows // height][:, np.arange(width) * columns // width]
        rims, things = ndimage.find_objects(full), []
        for number, box in enumerate(boxes * scale):
            words = {name: model.config.words[name][column[number]] for name, column in values.items()}
            left, top, right, bottom = map(float, box)
            rim = rims[number]
            outline = Cut(full[rim] == number + 1, rim[1].start, rim[0].start)
            things.append(
                Detection(
                    "",
                    number,
                    (left, top, right, bottom),
                    score=float(scores[number]),
                    attributes=words,
                    outline=outline,
                )
            )
        keys = frozenset(model.config.words)
        ground = self._ground(middles, values.get("size"), rows, columns)
        scene = scene_of(Given(tuple(things), (width, height), keys=keys, ground=ground))
        likely = np.min([1 / np.exp(part - part.max(axis=1, keepdims=True)).sum(axis=1) for part in logits], axis=0)
        if not (doubtful := np.count_nonzero(likely < SETTINGS.sure)):
            return scene
        reason = f"{doubtful} of {len(things)} things can hardly be told: hidden, or none that it learned"
        return replace(scene, inspection=Inspection(1.0, reason, 0.0, remedy="look at them before trusting the answer"))

    def _ground(
        self, middles: FloatArray, sizes: IntArray | None, height: int, width: int
    ) -> tuple[tuple[int, str, int], ...]:
        """How things lie on the ground, whose `middles` (n, 2) show in a picture of that size."""
        if (weights := self.model.places) is None:
            return ()
        terms = places_row(middles, height, width)
        of_size = weights[np.zeros(len(terms), dtype=int) if sizes is None else sizes]  # (n, TERMS, 2)
        left, behind = np.einsum("nt,ntw->wn", terms, of_size)
        pairs = [(a, b) for a in range(len(terms)) for b in range(len(terms)) if a != b]
        return tuple(
            (a, ways[0 if along[a] > along[b] else 1], b)
            for ways, along in ((("left", "right"), left), (("behind", "front"), behind))
            for a, b in pairs
        )


def _things(heads: NDArray[np.floating], height: int, width: int) -> tuple[FloatArray, FloatArray, FloatArray, Pixels]:
    """Boxes (n, 4), middles (n, 2) and scores (n,) of the things in a picture of that size, of the finder's `heads`
    (8, h, w), and (height, width) which of them each pixel shows, from 1; 0 is ground."""
    salience, covered = logistic(heads[0]), heads[1] > 0
    y, x = np.nonzero((salience >= ndimage.maximum_filter(salience, size=3)) & (salience >= SETTINGS.salient))
    peaks = np.stack([x, y], axis=1) * STRIDE + 0.5
    sizes = np.exp(np.clip(heads[6:8, y, x].T, 0, 7))
    rows, columns = np.nonzero(covered)
    ends = np.stack([columns, rows], axis=1) * STRIDE + 0.5 + heads[2:4, rows, columns].T
    owner = np.zeros(covered.shape, dtype=np.uint8)
    kept, middles = [], []
    if len(peaks):
        far = np.sqrt(((ends[:, None] - peaks[None]) ** 2).sum(axis=2)) / np.maximum(sizes.max(axis=1), 4)
        nearest = np.where(far.min(axis=1, initial=np.inf) < SETTINGS.near, far.argmin(axis=1), -1)
        for peak in range(len(peaks)):
            mine = nearest == peak
            if mine.sum() >= SETTINGS.fewest:
                kept.append(peak)
                middles.append(median(ends[mine]))
                owner[rows[mine], columns[mine]] = len(kept)
    places = peaks[kept] + heads[4:6, y[kept], x[kept]].T
    boxes = np.concatenate([places - sizes[kept] / 2, places + sizes[kept] / 2], axis=1)
    boxes = np.round(boxes.clip(0, [width, height, width, height]).astype(np.float64) * FINE) / FINE
    full = owner.repeat(STRIDE, axis=0).repeat(STRIDE, axis=1)[:height, :width]
    return boxes, np.array(middles).reshape(-1, 2), salience[y[kept], x[kept]], full
