"""Training in a domain without frames, corruptions or shapes: what a recipe cannot go by is left out."""

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from domains import DomainError
from domains.domain import Domain, Labelled, Picture, Task
from neural import NeuralError, checkpoint, config, network_config, recipes, training, training_config
from neural.training import train

SIZE = 48


def generate(task: str, n: int, *, kind: str, seed: object, augmented: bool = False) -> Labelled:
    """One dot on white or two: is there a second?"""
    assert not augmented
    labels = np.arange(n) % 2
    images = np.full((n, SIZE, SIZE, 3), 255, np.uint8)
    images[:, 4:12, 4:12] = (200, 0, 0)
    images[labels == 1, 30:38, 30:38] = (0, 0, 200)
    return Labelled(images, labels, np.zeros(n, np.int64), task=task, kind=kind)


def task(name: str) -> Task:
    if name != "second":
        raise DomainError(f"no task {name}: there is second")
    return Task("second", 2, 1, ("dots",), "there is a second dot")


DOTS = cast(
    Domain,
    SimpleNamespace(
        name="dots",
        picture=Picture(SIZE, SIZE, background=(255, 255, 255)),
        kinds=("dots",),
        tasks={"second": task("second")},
        task=task,
        corruptions=(),
        encoder={"image_size": SIZE, "filter_size": 16, "stride": 8},
        alignment=None,
        generate=generate,
    ),
)


@pytest.fixture(autouse=True)
def dots(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (recipes, training, checkpoint, config):
        monkeypatch.setattr(module, "load_domain", lambda name: DOTS)
    monkeypatch.setattr(training, "TEST_IMAGES", 10)


@pytest.mark.parametrize("recipe", ["fast", "symbols", "paper"])
def test_every_recipe_trains_on_what_the_domain_has(tmp_path: Path, recipe: str) -> None:
    run = training_config(["all"], domain="dots", recipe=recipe, steps=3)
    assert (run.tasks, run.objects, run.augmented) == (("second",), "dots", False)
    assert run.centring == run.attribute_loss == 0
    network = network_config(run, heads=3, relations=2)
    assert (network.image_size, network.side, network.aligned) == (SIZE, 5, False)
    model = train(network, run, tmp_path)
    assert set(model.accuracies) == {"dots"}
    assert model.domain is DOTS


def test_a_task_of_another_domain_is_refused() -> None:
    with pytest.raises(DomainError, match="no task between"):
        training_config(["between"], domain="dots")
    with pytest.raises(NeuralError, match="a task is named twice"):
        training_config(["second", "second"], domain="dots")
