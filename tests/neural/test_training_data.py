"""What a training run is given: images in their order, rates, terms of the loss, and what measures it."""

import dataclasses

import numpy as np
import pytest
import torch

from predinet_prolog.domains import load_domain
from predinet_prolog.domains.domain import Labelled
from predinet_prolog.neural import NetworkConfig, RelationsNetwork, TrainingConfig, training_config
from predinet_prolog.neural import training as module

TASKS = ("same", "between", "scatter")
SMALL = NetworkConfig(heads=3, relations=9, key_size=5, filters=7)


def config(*, tasks: tuple[str, ...] = TASKS, batch: int = 30, seed: int = 0) -> TrainingConfig:
    return dataclasses.replace(training_config(tasks, seed=seed), batch=batch)


def test_every_batch_of_a_chunk_shows_every_task() -> None:
    _, task_ids, _ = module._chunk(config(), 0)
    for batch in task_ids.reshape(-1, 30):
        assert set(batch.tolist()) == {0, 1, 2}


def test_a_chunk_is_whole_where_its_tasks_do_not_share_it_evenly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STEPS_PER_CHUNK", 5)
    _, task_ids, _ = module._chunk(config(batch=10), 0)
    assert sorted(np.bincount(task_ids).tolist()) == [16, 17, 17]


def test_the_order_of_a_chunk_depends_on_seed_and_number() -> None:
    def order(seed: int, chunk: int) -> list[int]:
        return list(module._chunk(config(seed=seed), chunk)[1])

    assert order(0, 1) == order(0, 1)
    assert order(0, 1) != order(0, 2)
    assert order(0, 1) != order(1, 1)


def test_images_of_a_chunk_keep_their_labels() -> None:
    """`same` is judged by the pictures: exactly two objects, and they are one picture or not."""
    images, _, labels = module._chunk(config(tasks=("same",), batch=3), 0)
    cells = images.reshape(-1, 3, 12, 3, 12, 3).transpose(0, 1, 3, 2, 4, 5).reshape(len(images), 9, -1)
    for shown, label in zip(cells, labels, strict=True):
        one, other = shown[shown.any(1)]
        assert (one == other).all() == label


def test_the_rate_falls_along_half_a_cosine() -> None:
    run = dataclasses.replace(config(), learning_rate=0.4, steps=12, decay=True)
    # 0.2 · (1 + cos(π · step / 12)); the cosine of a quarter turn's thirds is √3/2, 1/2, 0.
    expected = {0: 0.4, 2: 0.2 + 0.1 * 3**0.5, 4: 0.3, 6: 0.2, 8: 0.1, 12: 0.0}
    assert {step: module._learning_rate(run, step) for step in expected} == pytest.approx(expected)
    constant = dataclasses.replace(run, decay=False)
    assert {module._learning_rate(constant, step) for step in expected} == {0.4}


def test_the_attribute_loss_is_drawn_by_step_and_weighed() -> None:
    run = dataclasses.replace(config(batch=2, seed=7), attribute_loss=3.0, coverage=0.0, centring=0.0, steps=20)
    network = RelationsNetwork(SMALL, generator=torch.Generator().manual_seed(0))
    learner = module.Learner(network, run)
    told: list[tuple[tuple[int, int], float]] = []

    def attributes(seed: tuple[int, int], ahead: float) -> torch.Tensor:
        told.append((seed, ahead))
        return 2 + 0 * network.predinet.W_S.sum()

    learner._attributes = attributes
    images, ids, labels = (torch.from_numpy(array[:2]) for array in module._chunk(run, 0))
    for step in (0, 5, 19):
        judged = learner.learn(step, images, ids, labels)
        assert judged.loss - judged.cross_entropy == pytest.approx(6, abs=1e-5)
    assert [seed for seed, _ in told] == [(7, 0), (7, 5), (7, 19)]
    assert [ahead for _, ahead in told] == pytest.approx([1.0, 0.75, 0.05])


def test_a_network_is_measured_on_fresh_images_of_every_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    made, drawn = [], list[Labelled]()
    domain = load_domain("relations_game")
    original = domain.generate

    def few(task: str, n: int, *, kind: str, seed: int) -> Labelled:
        made.append((task, n, kind, seed))
        drawn.append(original(task, 4, kind=kind, seed=seed))
        return drawn[-1]

    def judge(network: object, images: np.ndarray, task_ids: np.ndarray) -> np.ndarray:
        shown = drawn[-1]
        wrong = {"pentos": 0, "hexos": 1, "stripes": 3}[shown.kind or ""] * (task_ids == shown.task_ids).all()
        return np.where(np.arange(4) < wrong, 9, shown.labels)

    monkeypatch.setattr(domain, "generate", few)
    monkeypatch.setattr(module, "predict", judge)
    found = module.measure(RelationsNetwork(SMALL), config(tasks=("same", "between")))
    kinds = ("pentos", "hexos", "stripes")
    assert sorted(made) == sorted((task, 5_000, kind, 1_000_003) for task in ("same", "between") for kind in kinds)
    shares = {"pentos": 1.0, "hexos": 0.75, "stripes": 0.25}
    assert found == {kind: {"same": share, "between": 1.0} for kind, share in shares.items()}
