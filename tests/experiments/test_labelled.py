"""Networks on labels alone: what is trained is what is judged, and nothing of what judges is trained on."""

import numpy as np
import pytest

from predinet_prolog.experiments.labelled import SIDE, LabelTraining, train_on_labels

PICTURES = np.random.default_rng(5).integers(0, 90, (30, SIDE, SIDE, 3), dtype=np.uint8)
RED = np.arange(30) % 3 == 0
PICTURES[RED, ..., 0] += 160
PICTURES[~RED, ..., 2] += 160
HELD_BACK = np.arange(30) >= 20


@pytest.mark.parametrize("architecture", ["predinet", "mlp1"])
def test_what_is_easy_is_learned_from_labels_alone(architecture: str) -> None:
    steps: list[int] = []
    training = LabelTraining(steps=60, batch=7, rate=0.003, seed=2, heads=5, relations=3)
    network, judged = train_on_labels(
        architecture, PICTURES, RED.astype(np.int64), HELD_BACK, training, lambda done, total, what: steps.append(done)
    )
    assert (judged.architecture, judged.trained, judged.held_back) == (architecture, 1.0, 1.0)
    assert steps == list(range(1, 61))
    assert network.config.labels == 2


def test_what_judges_is_not_trained_on() -> None:
    """Labels of what is held back are the other way round: all of them are missed."""
    labels = np.where(HELD_BACK, ~RED, RED).astype(np.int64)
    training = LabelTraining(steps=60, batch=7, rate=0.003, seed=2, heads=5, relations=3)
    _, judged = train_on_labels("mlp1", PICTURES, labels, HELD_BACK, training, lambda *_: None)
    assert (judged.trained, judged.held_back) == (1.0, 0.0)
