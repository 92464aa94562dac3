"""Feeds: what is kept of frozen networks' work changes no result."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from predinet_prolog.experiments import feeding
from predinet_prolog.experiments.configurations import Configuration
from predinet_prolog.experiments.data import Pool, held_out_pool, training_pool
from predinet_prolog.experiments.feeding import ImageFeed, RepresentationFeed
from predinet_prolog.neural.runs import Runs
from tests.margins import Bound

CPU = torch.device("cpu")
SEEDS = (3, 4)
CELL = Configuration("predinet-same", "predinet", "same", heads=3, relations=2)
PLACES = torch.tensor([[[0, 5, 2], [7, 1, 3]], [[4, 1, 6], [2, 5, 0]]])
"""(steps, runs, batch) in a pool of 8 images a task: no run sees one twice."""
PLENTY = 1e9


class CountedRuns(Runs):
    """Counts the images it represents."""

    represented = 0

    def represent(self, images: torch.Tensor) -> torch.Tensor:
        self.represented += images.shape[0] * images.shape[1]
        return super().represent(images)


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Pool:
    monkeypatch.setattr("predinet_prolog.experiments.data.TRAINING_IMAGES", 8)
    return training_pool(["between", "same"], CPU)


@pytest.fixture
def places() -> torch.Tensor:
    """Of the second run's task, the images stand behind those of the first's."""
    return PLACES + torch.tensor([0, 8]).view(1, 2, 1)


def frozen_runs(architecture: str = "predinet") -> CountedRuns:
    runs = CountedRuns(replace(CELL, architecture=architecture).config, SEEDS, learning_rate=0.1, device=CPU)
    runs.freeze({"encoder", "central"})
    return runs


def train(feed: ImageFeed, places: torch.Tensor, rounds: int) -> list[torch.Tensor]:
    return [losses for _ in range(rounds) for losses in feed.steps(places)]


def kept(runs: Runs, pool: Pool, room: float = PLENTY) -> RepresentationFeed:
    return RepresentationFeed(runs, pool, images=8, room=room)


def held_out_places(*tasks: int) -> torch.Tensor:
    """The first 6 held-out images of each run's task."""
    return torch.tensor([[6 * task + image for image in range(6)] for task in tasks])


@pytest.mark.margins
@pytest.mark.parametrize("room", [0.0, PLENTY])
@pytest.mark.parametrize("architecture", ["predinet", "relation_net"])
def test_representations_teach_the_same_as_images(
    pool: Pool, places: torch.Tensor, architecture: str, room: float, bound: Bound
) -> None:
    shown, told = frozen_runs(architecture), frozen_runs(architecture)
    of_images, of_representations = ImageFeed(shown, pool), kept(told, pool, room)
    losses, expected = (torch.stack(train(feed, places, 3)) for feed in (of_representations, of_images))
    bound.close("loss", losses, expected, rtol=1e-5, atol=1e-5)
    after = told.state()
    for name, weight in shown.state().items():
        bound.close(name, after[name], weight, rtol=1e-5, atol=1e-5)
    test = held_out_pool(["between", "same"], "hexos", 6, CPU)
    for images in (4, 6, 4):
        asked = held_out_places(0, 1)[:, :images]
        assert of_representations.accuracy(test, asked).equal(of_images.accuracy(test, asked))


def test_every_run_is_measured_on_its_own_task(pool: Pool) -> None:
    runs = frozen_runs()
    feed = ImageFeed(runs, pool)
    own = [held_out_pool([task], "hexos", 6, CPU) for task in ("between", "same")]
    alone = [feed.accuracy(test, held_out_places(0, 0))[run] for run, test in enumerate(own)]
    both = feed.accuracy(held_out_pool(["between", "same"], "hexos", 6, CPU), held_out_places(0, 1))
    assert both.tolist() == alone
    assert alone[0] != alone[1], "runs that answer alike would hide a mix-up"


@pytest.mark.parametrize(("limit", "expected"), [("1000\n", 600.0), ("max\n", None), (None, None)])
def test_a_containers_limit_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str | None, expected: float | None
) -> None:
    monkeypatch.setattr(feeding, "CONTAINER_LIMIT", tmp_path / "memory.max")
    if limit is not None:
        (tmp_path / "memory.max").write_text(limit)
    machine = feeding.room(CPU)
    assert machine == expected if expected is not None else machine > 1e8
