"""Truth values of learned predicates: the curve's laws, gradients that stay finite, and where things lie."""

import pytest
import torch

from examples.differentiable.soft import SoftPredicate, SoftRelations
from predinet_prolog.domains.relations_game import generate
from predinet_prolog.neural import NetworkConfig, RelationsNetwork

B, N, J = 2, 3, 5
PREDICATES = [
    SoftPredicate((1, 3), threshold=0.25, steepness=4.0, doubt=0.01),
    SoftPredicate((0, 2, 4), threshold=3.0, steepness=20.0, doubt=0.2, beyond=(2.0, 0.001), slack=0.5),
]


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
