"""Pruned heads give zeros and nothing else changes; the experiment over tiny networks."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from predinet_prolog.domains.relations_game import generate
from predinet_prolog.experiments import PAPER, Plan, Report, ablation, experiment, take_folder
from predinet_prolog.experiments.ablation import pruned_accuracies, random_subsets
from predinet_prolog.experiments.configurations import Configuration, model_path, runs_done
from predinet_prolog.experiments.experiment import EXPERIMENTS
from predinet_prolog.neural import RelationsNetwork, predict
from predinet_prolog.neural.engines import Engine

SCENES = generate("colour_and_or_shape", 301, objects="hexos", seed=5)
IMAGES = SCENES.render()


def by_hand(network: RelationsNetwork, kept: list[bool]) -> float:
    """The accuracy with the other heads' part of the central module's output set to zero."""
    with torch.inference_mode():
        flat = network(torch.from_numpy(IMAGES), torch.zeros(len(IMAGES), dtype=torch.int64)).flat.clone()
        for head, keep in enumerate(kept):
            if not keep:
                flat[:, 6 * head : 6 * head + 6] = 0.0  # (D, P1, P2) of two relations
        answers = network.output(flat, torch.zeros(len(IMAGES), dtype=torch.int64)).argmax(1).numpy()
    return float(np.mean(answers == SCENES.labels))


@pytest.fixture(params=["predinet", "attention"])
def network(request: pytest.FixtureRequest, tiny: Callable[..., RelationsNetwork]) -> RelationsNetwork:
    """With an output MLP whose answers hang on every head: an untrained one has the same for all images."""
    network = tiny(request.param, seed=11)
    with torch.inference_mode():
        flat = network(torch.from_numpy(IMAGES), torch.zeros(len(IMAGES), dtype=torch.int64)).flat
    network.output.hidden_weight[: flat.shape[1]] /= flat.std(0)[:, None]
    network.output.hidden_bias -= flat.mean(0) @ network.output.hidden_weight[: flat.shape[1]]
    network.output.label_weight *= torch.tensor(
        [[1.0, -1, 1, -1], [-1, 1, -1, 1], [1, 1, -1, -1], [-1, -1, 1, 1], [1] * 4]
    )
    return network


def test_any_subset_is_the_network_with_zeros_for_the_others(
    network: RelationsNetwork, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also none of them, which is the output MLP on zeros, and all, which is the plain network; in chunks, too."""
    kept = [[bool(number >> head & 1) for head in range(3)] for number in range(8)]
    found = pruned_accuracies(network, IMAGES, SCENES.labels, np.array(kept))
    assert len(set(found.tolist())) > 2, "subsets that all do as well would show nothing"
    np.testing.assert_allclose(found, [by_hand(network, subset) for subset in kept], atol=1.5 / len(IMAGES))
    assert found[-1] == np.mean(predict(network, IMAGES, SCENES.task_ids) == SCENES.labels)
    monkeypatch.setattr("predinet_prolog.experiments.ablation.CHUNK", 3)
    np.testing.assert_array_equal(pruned_accuracies(network, IMAGES, SCENES.labels, np.array(kept)), found)


def test_random_subsets_are_of_the_size_and_of_candidates_only() -> None:
    candidates = np.array([True, False, True, True, False, True, True])
    kept = random_subsets(candidates, 3, 400, np.random.default_rng(7))
    assert kept.shape == (400, 7)
    assert (kept.sum(1) == 3).all()
    assert not kept[:, ~candidates].any()
    assert len(np.unique(kept, axis=0)) == 10  # 5 over 3, all of them
    np.testing.assert_allclose(kept[:, candidates].mean(0), 0.6, atol=0.1)


def means(predinet: float = 0.8, mha: float = 0.5, chosen: float = 0.9, full: float = 0.9) -> ablation.Means:
    flat = dict.fromkeys(range(32), predinet) | {32: full}
    return {
        "PrediNet": [flat],
        "MHA": [dict.fromkeys(range(33), mha)],
        "PrediNet*": [{0: 0.25, 1: 0.5, 2: 0.6, 3: chosen, 4: chosen}],
    }


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (means(), ["yes", "yes"]),
        (means(mha=0.79), ["no", "yes"]),
        (means(mha=0.26), ["not known yet", "yes"]),
        (means(chosen=0.87), ["yes", "no"]),
        (means() | {"PrediNet*": [{0: 0.25}]}, ["yes", "no"]),  # a network without such heads
        (means() | {"PrediNet*": [dict.fromkeys(range(9), 0.3) | {9: 0.9}]}, ["yes", "no"]),  # nine are no handful
    ],
)
def test_the_claims_fail_where_they_fail(found: ablation.Means, expected: list[str]) -> None:
    claims = ablation.judge(found)
    assert [claim.verdict.strip("*") for claim in claims] == expected
    assert ("with 3 of them" in claims[1].ours) == (expected[1] == "yes")


def test_networks_are_taken_from_table1_beside_it_if_it_is_of_the_same_plan(
    finish_cells: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def never(
        folder: Path, plan: Plan, configurations: Sequence[Configuration], report: Report, engine: Engine | None
    ) -> None:
        asked.extend(
            configuration.name for configuration in configurations if not runs_done(folder, configuration.name)
        )

    monkeypatch.setattr(experiment, "train_configurations", never)
    monkeypatch.delattr(ablation, "measure")
    plan = replace(PAPER, runs=2)
    lender, first = tmp_path / "table1", ablation.CONFIGURATIONS[0]
    take_folder(lender, "table1", plan)
    finish_cells(lender, [first], plan.runs)
    for folder, same in (("ablation", plan), ("other", replace(plan, steps=7))):
        EXPERIMENTS["ablation"].run(same, tmp_path / folder, lambda done, total, text: None)
    assert asked == [
        ablation.CONFIGURATIONS[1].name,
        *(configuration.name for configuration in ablation.CONFIGURATIONS),
    ]
    for run in range(plan.runs):
        copy, original = (model_path(tmp_path / name, first.name, run) for name in ("ablation", "table1"))
        assert copy.read_bytes() == original.read_bytes()
