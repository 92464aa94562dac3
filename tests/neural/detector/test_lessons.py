"""What a finder is shown: however a picture is turned, the truth lies where the picture shows it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from predinet_prolog.neural.detector import lessons
from predinet_prolog.neural.detector.config import DetectorConfig
from predinet_prolog.neural.detector.lessons import FindingLesson
from predinet_prolog.neural.detector.taught import Taught, read_taught

DRAWN = Path(__file__).parents[2] / "domains" / "clevr" / "drawn"


def test_boxes_and_middles_lie_where_the_picture_shows_them(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Any] = []
    monkeypatch.setattr(lessons, "finding_loss", lambda maps, targets: shown.append((maps, targets)))
    taught = read_taught(DRAWN)
    lesson = FindingLesson(lambda inputs: inputs, taught, 0, 1)  # type: ignore[arg-type]
    for step in range(8):
        lesson(step)
    upright = 0
    for inputs, targets in shown:
        owner, boxes, middles = (tensor[0].numpy() for tensor in (targets.owner, targets.boxes, targets.middles))
        same = np.array_equal(owner, taught.owner[0])
        upright += same
        x = taught.middles[0, :, 0]
        assert middles[:, 0] == pytest.approx(x if same else 240 - x)
        for number, (left, top, right, bottom) in enumerate(boxes):
            rows, columns = np.nonzero(owner == number + 1)
            extent = [columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]
            assert [left, top, right, bottom] == pytest.approx(extent, abs=1.5)
        # What differs most from the ground is a thing's, wherever it was mirrored to.
        difference = inputs[0, 3:].abs().amax(0)
        clear = difference > difference.quantile(0.95)
        assert torch.from_numpy(owner)[clear].gt(0).float().mean() > 0.8
    assert 0 < upright < 8


def test_what_is_laid_hides_what_stands_behind_it() -> None:
    """A square that reaches further down is laid before another; what would hide a thing is not laid."""
    taught = taught_squares()
    lesson, outcomes = FindingLesson(None, taught, 0, 1), set()  # type: ignore[arg-type]
    for seed in range(20):
        pixels, owner, boxes, middles = (
            array[0].copy() for array in (taught.pixels, taught.owner, taught.boxes, taught.middles)
        )
        lesson._lay(pixels, owner, boxes, middles, np.random.default_rng(seed))
        shows = np.bincount(owner.ravel(), minlength=4)[1:]
        outcomes.add(tuple(shows.tolist()))
        for number in np.flatnonzero(shows):
            ys, xs = np.nonzero(owner == number + 1)
            assert boxes[number].tolist() == [xs.min(), ys.min(), xs.max() + 1, ys.max() + 1]
        assert set(pixels[owner == 3][:, 0]) <= {100}
        assert middles[2].tolist() == ([12, 14] if shows[2] else [0, 0])
    assert outcomes == {(64, 16, 0), (56, 16, 64)}


def taught_squares() -> Taught:
    """Three pictures of 32 × 32 pixels: a square of 8 pixels and one of 4, a lower one of 8, and none."""
    pixels, owner = np.zeros((3, 32, 32, 3), np.uint8), np.zeros((3, 32, 32), np.uint8)
    boxes, middles, values = np.zeros((3, 3, 4), np.float32), np.zeros((3, 3, 2), np.float32), np.full((3, 3, 1), -1)
    for picture, number, left, top, side in ((0, 0, 4, 4, 8), (0, 1, 24, 24, 4), (1, 0, 8, 10, 8)):
        place = picture, slice(top, top + side), slice(left, left + side)
        owner[place], pixels[place], values[picture, number] = number + 1, 50 + 50 * picture, 0
        boxes[picture, number] = left, top, left + side, top + side
        middles[picture, number] = left + side / 2, top + side / 2
    planes = np.zeros((3, 3, 3), np.float32)
    return Taught(DetectorConfig({}), pixels, pixels, planes, owner, boxes, middles, values, None)
