"""The images of experiments: drawn as the game draws them, in orders that resuming does not change."""

import numpy as np
import pytest
import torch

from predinet_prolog.domains.relations_game import generate
from predinet_prolog.experiments import data
from predinet_prolog.experiments.data import Order, Pool, held_out_pool, held_out_sets, training_pool

CPU = torch.device("cpu")


@pytest.mark.parametrize("objects", ["pentos", "hexos", "stripes"])
def test_a_pool_draws_what_the_game_renders(objects: str) -> None:
    parts = [generate(task, n, objects=objects, seed=3) for task, n in (("between", 5), ("match_rows", 7))]
    rendered = np.concatenate([part.render() for part in parts])
    pool = Pool(parts, CPU)
    assert len(pool) == 12
    assert (pool.images(slice(None)).numpy() == rendered).all()
    places = torch.tensor([[1, 11, 2], [8, 0, 3]])
    assert (pool.images(places).numpy() == rendered[places]).all()
    assert pool.labels.tolist() == [*parts[0].labels, *parts[1].labels]


def test_training_images_are_one_set_a_task_and_no_test_image_is_among_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data, "TRAINING_IMAGES", 20)
    both, one = training_pool(["same", "occurs"], CPU), training_pool(["occurs"], CPU)
    assert torch.equal(both.images(slice(20, None)), one.images(slice(None)))
    assert len(held_out_pool(["same"], "stripes", 5, CPU)) == 5
    assert held_out_sets("same") == ("hexos", "stripes")
    assert held_out_sets("colour_and_or_shape") == ("hexos",)


def test_every_run_sees_its_tasks_images_once_a_round_in_an_order_of_its_own() -> None:
    members = [(0, 5), (1, 5), (1, 6)]
    whole = Order(members, 4, images=10).places(0, 5)  # (steps, runs, batch): two rounds
    lines = (whole.transpose(0, 1).flatten(1) - torch.tensor([[0], [10], [10]])).tolist()
    assert lines[0] == lines[1] != lines[2], "the same seed, another task; the same task, another seed"
    for line in lines:
        assert sorted(line[:10]) == sorted(line[10:]) == list(range(10))
        assert line[:10] != line[10:]
    assert torch.equal(Order(members, 4, images=10).places(3, 2), whole[3:]), "wherever it is entered"
