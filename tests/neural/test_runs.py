"""Batched runs against the same seeds trained one by one with plain networks and torch's own optimisers."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from predinet_prolog.neural import CheckpointError, NetworkConfig, NeuralError, RelationsNetwork
from predinet_prolog.neural.config import ARCHITECTURES
from predinet_prolog.neural.runs import Runs
from tests.margins import Bound

R, B = 3, 5
SEEDS = (7, 1, 4)
RATES = {"sgd": 0.1, "adam": 0.001}


def config(architecture: str) -> NetworkConfig:
    """A different size for every axis, a few labels and several tasks."""
    return NetworkConfig(
        heads=7, relations=2, key_size=5, filters=11, hidden=13, labels=4, task_ids=6, architecture=architecture
    )


def batches(steps: int, seed: int = 0) -> list[tuple[Tensor, Tensor, Tensor]]:
    generator = torch.Generator().manual_seed(seed)

    def integers(most: int, *shape: int) -> Tensor:
        return torch.randint(most, shape, generator=generator)

    # Dark pictures, as in the game: with bright noise everywhere the networks' gradients explode.
    return [
        ((integers(60, R, B, 36, 36, 3)).to(torch.uint8), integers(6, R, B), integers(4, R, B)) for _ in range(steps)
    ]


class Plain:
    """One run, as the paper would train it, at a higher rate so that a few steps change much."""

    def __init__(self, config: NetworkConfig, seed: int, optimiser: str) -> None:
        self.network = RelationsNetwork(config, generator=torch.Generator().manual_seed(seed))
        self.start = {name: weight.clone() for name, weight in self.network.state_dict().items()}
        kind = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam}[optimiser]
        self.optimiser = kind(self.network.parameters(), lr=RATES[optimiser])

    def step(self, images: Tensor, task_ids: Tensor, labels: Tensor) -> float:
        loss = functional.cross_entropy(self.network(images, task_ids).logits, labels)
        self.optimiser.zero_grad()
        loss.backward()
        self.optimiser.step()
        return loss.item()


def assert_same_changes(bound: Bound, runs: Runs, plain: list[Plain], *, still: tuple[str, ...] = ()) -> None:
    """Every weight went the same way from its start, but for rounding; none but those named `still` stayed there."""
    for index, one in enumerate(plain):
        ours = runs.network(index).state_dict()
        for name, weight in one.network.state_dict().items():
            change, difference = (weight - one.start[name]).norm(), (weight - ours[name]).norm()
            assert (change == 0) == name.startswith(still), name
            if change:
                bound.below(f"difference of {name}, of its change", float(difference / change), 1e-2)


@pytest.mark.margins
@pytest.mark.parametrize(
    ("architecture", "optimiser"), [*((architecture, "sgd") for architecture in ARCHITECTURES), ("predinet", "adam")]
)
def test_runs_equal_the_same_seeds_trained_one_by_one(
    architecture: str, optimiser: str, bound: Bound, seed: int
) -> None:
    runs = Runs(config(architecture), SEEDS, optimiser=optimiser, learning_rate=RATES[optimiser])
    plain = [Plain(config(architecture), seed, optimiser) for seed in SEEDS]
    for images, task_ids, labels in batches(8, seed):
        losses = runs.step(images, task_ids, labels)
        expected = [one.step(images[r], task_ids[r], labels[r]) for r, one in enumerate(plain)]
        bound.close("loss", losses, expected, rtol=1e-4, atol=0)
    assert_same_changes(bound, runs, plain)


@pytest.mark.margins
@pytest.mark.parametrize(
    ("architecture", "frozen"),
    [("predinet", {"encoder"}), ("mlp2", {"central"}), ("attention", {"encoder", "central"})],
)
def test_what_is_frozen_stays_and_the_rest_learns_as_before(
    architecture: str, frozen: set[str], bound: Bound, seed: int
) -> None:
    runs = Runs(config(architecture), SEEDS, learning_rate=0.1)
    runs.freeze({"encoder", "central"})
    runs.freeze(frozen)  # what is not among them learns again
    plain = [Plain(config(architecture), seed, "sgd") for seed in SEEDS]
    for one in plain:
        one.network.encoder.requires_grad_("encoder" not in frozen)
        one.network.central.requires_grad_("central" not in frozen)
    for images, task_ids, labels in batches(4, seed):
        runs.step(images, task_ids, labels)
        for r, one in enumerate(plain):
            one.step(images[r], task_ids[r], labels[r])
    names = {"encoder": "encoder.", "central": f"{architecture}."}
    assert_same_changes(bound, runs, plain, still=tuple(names[part] for part in frozen))


def test_only_a_relation_net_multiplies_in_bfloat16() -> None:
    with pytest.raises(NeuralError, match="only a relation net"):
        Runs(config("mlp1"), SEEDS, bfloat16=True)


def test_accuracy_and_right_answers_are_those_of_the_plain_networks_before_a_step() -> None:
    runs = Runs(config("predinet"), SEEDS)
    generator = torch.Generator().manual_seed(3)
    count = 71  # more than one group of images, the last not whole
    images = torch.randint(0, 60, (R, count, 36, 36, 3), generator=generator).to(torch.uint8)
    task_ids, labels = (torch.randint(most, (R, count), generator=generator) for most in (6, 4))
    right = [int((runs.network(r)(images[r], task_ids[r]).logits.argmax(1) == labels[r]).sum()) for r in range(R)]
    assert len(set(right)) > 1, "runs that answer alike would hide a mix-up"
    assert (runs.accuracy(runs.represent(images), task_ids, labels) * count).tolist() == pytest.approx(right)
    runs.step(images, task_ids, labels)
    assert runs.right().tolist() == right


@pytest.mark.parametrize("optimiser", RATES)
def test_a_loaded_state_goes_on_as_if_nothing_had_been(optimiser: str) -> None:
    whole = Runs(config("predinet"), SEEDS, optimiser=optimiser, learning_rate=RATES[optimiser])
    for batch in batches(3):
        whole.step(*batch)
    other = Runs(config("predinet"), (0, 2, 3), optimiser=optimiser, learning_rate=RATES[optimiser])
    other.step(*batches(1, seed=9)[0])  # moments that must go
    other.load(whole.state())
    for batch in batches(2, seed=1):
        whole.step(*batch)
        other.step(*batch)
    for name, tensor in whole.state().items():
        assert torch.equal(tensor, other.state()[name]), name


def test_a_state_of_other_runs_is_refused_whole() -> None:
    runs = Runs(config("mlp1"), SEEDS)
    before = runs.state()
    fewer = Runs(config("mlp1"), SEEDS[:2]).state()
    with pytest.raises(CheckpointError, match=r"encoder.bias is \(2, 11\), these have \(3, 11\)"):
        runs.load({"encoder.weight": before["encoder.weight"] + 1, **{k: v for k, v in fewer.items() if "bias" in k}})
    with pytest.raises(CheckpointError, match=r"no mlp1\.weights\.0"):
        runs.load({name: tensor for name, tensor in before.items() if not name.startswith("mlp1")})
    assert all(torch.equal(tensor, before[name]) for name, tensor in runs.state().items())


def learn_from_representations(*frozen: str) -> None:
    runs = Runs(config("mlp1"), SEEDS)
    runs.freeze(frozen)
    images, task_ids, labels = batches(1)[0]
    runs.step_output(runs.represent(images), task_ids, labels)


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: Runs(NetworkConfig(aligned=True), SEEDS), "not the aligned one"),
        (lambda: Runs(config("mlp1"), ()), "no seed"),
        (lambda: Runs(config("mlp1"), SEEDS, optimiser="lion"), "no optimiser lion: choose sgd or adam"),
        (lambda: Runs(config("mlp1"), SEEDS).freeze({"output"}), "cannot freeze output"),
        (lambda: Runs(config("mlp1"), SEEDS, coverage=0.1), "only a PrediNet has masks and relations"),
        (lambda: Runs(config("mlp1"), SEEDS, centring=0.1), "only a PrediNet has masks and relations"),
        (lambda: Runs(config("mlp1"), SEEDS, relations_rate=2.0), "only a PrediNet has masks and relations"),
        (learn_from_representations, "only frozen runs"),
        (lambda: learn_from_representations("encoder"), "only frozen runs"),
    ],
)
def test_what_runs_cannot_do_is_said(ask: Callable[[], object], said: str) -> None:
    with pytest.raises(NeuralError, match=said):
        ask()


@pytest.mark.margins
def test_auxiliary_losses_of_a_run_are_its_own(bound: Bound, seed: int) -> None:
    def led(*seeds: int) -> Runs:
        return Runs(config("predinet"), seeds, optimiser="adam", learning_rate=1e-3, coverage=0.3, centring=0.7)

    both, alone = led(*SEEDS[:2]), [led(seed) for seed in SEEDS[:2]]
    plain = Runs(config("predinet"), SEEDS[:1], optimiser="adam", learning_rate=1e-3)
    for images, task_ids, labels in batches(3, seed):
        both.step(images[:2], task_ids[:2], labels[:2])
        for run, one in enumerate(alone):
            own = slice(run, run + 1)
            one.step(images[own], task_ids[own], labels[own])
        plain.step(images[:1], task_ids[:1], labels[:1])
        bound.close("terms", both.terms(), alone[0].terms() + alone[1].terms(), rtol=1e-4, atol=0)
    for run, one in enumerate(alone):
        for name, weight in one.network(0).state_dict().items():
            bound.close(name, both.network(run).state_dict()[name], weight, rtol=1e-3, atol=1e-4)
    keys = [runs.network(0).predinet.W_K for runs in (alone[0], plain)]
    assert not torch.allclose(*keys, rtol=1e-3, atol=1e-4)
