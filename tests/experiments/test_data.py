"""The images of experiments: drawn as the game draws them, in orders that resuming does not change."""

import pytest
import torch

from predinet_prolog.domains.relations_game import generate
from predinet_prolog.experiments import data
from predinet_prolog.experiments.data import Pool, held_out_pool, held_out_sets, places, training_pool


@pytest.mark.parametrize("objects", ["pentos", "hexos", "stripes"])
def test_a_pool_draws_what_the_game_renders(objects: str) -> None:
    scenes = generate("match_rows", 12, objects=objects, seed=3)
    rendered, pool = scenes.render(), Pool(scenes)
    assert len(pool) == 12
    assert (pool.images(slice(None)).numpy() == rendered).all()
    chosen = torch.tensor([[1, 11, 2], [8, 0, 3]])
    assert (pool.images(chosen).numpy() == rendered[chosen]).all()
    assert pool.labels.tolist() == scenes.labels.tolist()


def test_training_and_held_out_images_are_other_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data, "TRAINING_IMAGES", 20)
    assert len(training_pool("occurs")) == 20
    assert len(held_out_pool("same", "stripes", 5)) == 5
    assert data.TRAINING_SEED != data.TEST_SEED
    assert held_out_sets("same") == ("hexos", "stripes")
    assert held_out_sets("colour_and_or_shape") == ("hexos",)


def test_every_run_sees_its_images_once_a_round_in_an_order_of_its_own() -> None:
    line, other = (places(seed, 0, 20, images=10).tolist() for seed in (5, 6))
    assert line != other
    assert sorted(line[:10]) == sorted(line[10:]) == list(range(10))
    assert line[:10] != line[10:]
    assert places(5, 7, 14, images=10).tolist() == line[7:14], "wherever it is entered"
