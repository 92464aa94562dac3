"""What a finder is shown: however a picture is turned, the truth lies where the picture shows it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from predinet_prolog.neural.detector import lessons
from predinet_prolog.neural.detector.lessons import FindingLesson
from predinet_prolog.neural.detector.taught import read_taught

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
        assert middles[:, 0] == pytest.approx(x if same else 192 - x)
        for number, (left, top, right, bottom) in enumerate(boxes):
            rows, columns = np.nonzero(owner == number + 1)
            extent = [columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]
            assert [left, top, right, bottom] == pytest.approx(extent, abs=1.5)
        # What differs most from the ground is a thing's, wherever it was mirrored to.
        difference = inputs[0, 3:].abs().amax(0)
        clear = difference > difference.quantile(0.95)
        assert torch.from_numpy(owner)[clear].gt(0).float().mean() > 0.8
    assert 0 < upright < 8
