"""Truth values of learned predicates: the curve's laws, gradients that stay finite, and where things lie."""

import pytest
import torch
from torch import Tensor

from predinet_prolog.domains.domain import Corruption
from predinet_prolog.domains.relations_game import corrupt, generate
from predinet_prolog.neural import NetworkConfig, RelationsNetwork
from predinet_prolog.neural.soft_predicates import SoftPredicate, SoftRelations

B, N, J = 2, 3, 5
PREDICATES = [
    SoftPredicate((1, 3), threshold=0.25, steepness=4.0, doubt=0.01),
    SoftPredicate((0, 2, 4), threshold=3.0, steepness=20.0, doubt=0.2, beyond=(2.0, 0.001), slack=0.5),
]


def coordinates(seed: int = 1) -> Tensor:
    return torch.randn(B, N, J, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def soft(*predicates: SoftPredicate, config: NetworkConfig | None = None) -> SoftRelations:
    network = RelationsNetwork(
        config or NetworkConfig(heads=2, relations=J), generator=torch.Generator().manual_seed(1)
    )
    return SoftRelations(network, {f"p{number}": each for number, each in enumerate(predicates)})


@pytest.mark.parametrize("predicate", PREDICATES)
@pytest.mark.parametrize("noise_level", [0.0, 3.0])
def test_it_is_one_half_at_the_threshold_and_falls(predicate: SoftPredicate, noise_level: float) -> None:
    threshold = predicate.threshold + predicate.slack * noise_level
    for relation in predicate.relations:
        places = torch.zeros(1, 6, J, dtype=torch.float64)
        places[0, :, relation] = threshold * torch.tensor([0, 0.5, 0.9, 1, 1.1, 1e9])
        truth = predicate(places, noise_level)[0, 0]
        assert truth[3].item() == pytest.approx(0.5, abs=1e-12)
        assert (truth.diff() < 0).all()
        far = predicate.beyond[1] if predicate.beyond else predicate.doubt
        assert truth[[0, -1]].tolist() == pytest.approx([1 - predicate.doubt, far], abs=1e-9)


@pytest.mark.parametrize("predicate", PREDICATES)
def test_images_order_and_other_relations_do_not_matter(predicate: SoftPredicate) -> None:
    places, noise_level = coordinates(), torch.tensor([0.0, 2.0])
    truth = predicate(places, noise_level)
    assert torch.equal(truth, truth.transpose(1, 2))
    assert torch.equal(truth[1:], predicate(places[1:], 2.0))
    others = sorted({*range(J)} - {*predicate.relations})
    moved = places.clone()
    moved[..., others] += coordinates(2)[..., others]
    assert torch.equal(truth, predicate(moved, noise_level))
    moved[..., predicate.relations[0]] += coordinates(2)[..., 0]
    assert not torch.allclose(truth, predicate(moved, noise_level))


@pytest.mark.parametrize("predicate", PREDICATES)
def test_gradients_are_finite_however_near_or_far(predicate: SoftPredicate) -> None:
    places = torch.tensor([0.0, 0.0, 1e-40, 1e-3, 1.0, 1e6, 1e30]).repeat(J, 1).T[None].requires_grad_()
    truth = predicate(places)
    ((1 - truth).clamp_min(1e-6).log().sum() + truth.clamp_min(1e-6).log().sum()).backward()
    assert places.grad is not None
    assert places.grad.isfinite().all()
    assert places.grad[0, 3, list(predicate.relations)].abs().max() > 0


@pytest.mark.parametrize("aligned", [False, True])
def test_a_module_speaks_of_different_things_and_can_be_trained(aligned: bool) -> None:
    module = soft(*PREDICATES, config=NetworkConfig(heads=2, relations=J, aligned=aligned))
    images = torch.from_numpy(generate("scatter", 7, objects="pentos", seed=1).render())
    objects = module.cells_that_show(images)
    told = module(images, objects)
    assert list(told) == ["p0", "p1"]
    for truth in told.values():
        assert truth.shape == (7, 25, 25)
        pairs = objects.bool()[:, :, None] & objects.bool()[:, None] & ~torch.eye(25).bool()
        assert torch.equal(truth > 0, pairs)
    sum(truth.sum() for truth in told.values()).backward()
    for name, weight in module.named_parameters():
        learns = name in {"encoder.weight", "encoder.bias", "predinet.W_S"}
        assert (weight.grad is not None and bool(weight.grad.abs().sum() > 0)) is learns, name


@pytest.mark.parametrize("corruption", [None, ("noise", 0.05), ("brightness", 0.8)])
@pytest.mark.parametrize("objects", ["pentos", "hexos", "stripes"])
def test_cells_that_show_something_are_those_with_things(objects: str, corruption: Corruption | None) -> None:
    drawn = generate("scatter", 200, objects=objects, seed=8)
    images = drawn.render() if corruption is None else corrupt(drawn, *corruption, seed=8)
    found = soft().cells_that_show(torch.from_numpy(images)).view(-1, 5, 5)
    assert torch.equal(found[:, ::2, ::2].flatten(1).bool(), torch.from_numpy(drawn.occupied))
    assert found.sum() == drawn.occupied.sum()
