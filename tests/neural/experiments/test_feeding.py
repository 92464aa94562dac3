"""Feeds: what is kept of frozen networks' work changes no result."""

from dataclasses import replace

import pytest
import torch

from neural.experiments import feeding
from neural.experiments.cells import Cell
from neural.experiments.data import Pool, held_out_pool, training_pool
from neural.experiments.feeding import Feed, ImageFeed, RepresentationFeed
from neural.runs import Runs

CPU = torch.device("cpu")
SEEDS = (3, 4)
CELL = Cell("predinet-same", "predinet", "same", heads=3, relations=2)
PLACES = torch.tensor([[[0, 5, 2], [7, 1, 3]], [[4, 1, 6], [2, 5, 0]]])
"""(steps, runs, batch) in a pool of 8: no run sees an image twice."""


class CountedRuns(Runs):
    """Counts the images it represents."""

    represented = 0

    def represent(self, images: torch.Tensor) -> torch.Tensor:
        self.represented += images.shape[0] * images.shape[1]
        return super().represent(images)


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Pool:
    monkeypatch.setattr("neural.experiments.data.TRAINING_IMAGES", 8)
    return training_pool(["same"], CPU)


def frozen_runs(architecture: str = "predinet") -> CountedRuns:
    runs = CountedRuns(replace(CELL, architecture=architecture).config, SEEDS, learning_rate=0.1, device=CPU)
    runs.freeze({"encoder", "central"})
    return runs


def train(feed: Feed, rounds: int) -> list[torch.Tensor]:
    return [losses for _ in range(rounds) for losses in feed.steps(PLACES)]


@pytest.mark.parametrize("room", [0, feeding.MOST_KEPT])
@pytest.mark.parametrize("architecture", ["predinet", "relation_net"])
def test_representations_teach_the_same_as_images(
    pool: Pool, architecture: str, room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeding, "MOST_KEPT", room)
    shown, told = frozen_runs(architecture), frozen_runs(architecture)
    of_images, of_representations = ImageFeed(shown, pool), RepresentationFeed(told, pool)
    torch.testing.assert_close(train(of_representations, 3), train(of_images, 3))
    after = told.state()
    for name, weight in shown.state().items():
        torch.testing.assert_close(after[name], weight)
    test = held_out_pool("same", "hexos", 6, CPU)
    for images in (4, 6, 4):
        assert of_representations.accuracy(test, images).equal(of_images.accuracy(test, images))


def test_every_image_is_represented_once(pool: Pool) -> None:
    runs = frozen_runs()
    feed = RepresentationFeed(runs, pool)
    train(feed, 3)
    assert runs.represented == PLACES.numel()
    test = held_out_pool("same", "hexos", 6, CPU)
    for images in (6, 4, 6):
        feed.accuracy(test, images)
    assert runs.represented == PLACES.numel() + len(SEEDS) * 6


def test_without_room_every_batch_is_represented_anew(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeding, "MOST_KEPT", 0)
    runs = frozen_runs()
    train(RepresentationFeed(runs, pool), 3)
    assert runs.represented == 3 * PLACES.numel()
