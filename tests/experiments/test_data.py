"""The images of experiments: drawn as the game draws them, in orders that resuming does not change."""

import pytest

from predinet_prolog.experiments import data
from predinet_prolog.experiments.data import held_out_scenes, held_out_sets, places, training_scenes


def test_training_and_held_out_images_are_other_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data, "TRAINING_IMAGES", 20)
    assert len(training_scenes("occurs")) == 20
    assert len(held_out_scenes("same", "stripes", 5)) == 5
    assert data.TRAINING_SEED != data.TEST_SEED
    assert held_out_sets("same") == ("hexos", "stripes")
    assert held_out_sets("colour_and_or_shape") == ("hexos",)


def test_every_run_sees_its_images_once_a_round_in_an_order_of_its_own() -> None:
    line, other = (places(seed, 0, 20, images=10).tolist() for seed in (5, 6))
    assert line != other
    assert sorted(line[:10]) == sorted(line[10:]) == list(range(10))
    assert line[:10] != line[10:]
    assert places(5, 7, 14, images=10).tolist() == line[7:14], "wherever it is entered"
