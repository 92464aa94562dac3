"""The terms that lead masks and windows: their gradients by hand against autograd's."""

import pytest
import torch

from neural.auxiliary_losses import centring_loss, coverage_loss, lead
from neural.encoder import content

R, B, SIDE, F, Q = 3, 4, 5, 6, 7
N = SIDE * SIDE
WEIGHTS = {"coverage": 0.3, "centring": 0.7}


def scenes(seed: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Features of windows, some of which are empty; those of an empty window; masks."""
    generator = torch.Generator().manual_seed(seed)

    def uniform(*shape: int) -> torch.Tensor:
        return torch.rand(*shape, generator=generator, dtype=torch.float64)

    blank = uniform(R, F)
    shown = (uniform(R, B, N, 1) < 0.6).double()
    features = blank[:, None, None] + shown * uniform(R, B, N, F)
    masks = (3 * uniform(R * B, Q, N)).softmax(-1)
    return features, blank, masks


@pytest.mark.parametrize("weights", [WEIGHTS, {"coverage": 0.3, "centring": 0.0}, {"coverage": 0.0, "centring": 0.7}])
def test_terms_and_gradients_are_those_of_autograd(weights: dict[str, float]) -> None:
    features, blank, masks = leaves = [tensor.requires_grad_() for tensor in scenes(0)]
    terms = []
    for run in range(R):
        objectness = content(features[run], blank[run])
        covered = coverage_loss(objectness, masks.view(R, B, Q, N)[run])
        terms.append(weights["coverage"] * covered + weights["centring"] * centring_loss(objectness))
    loss = torch.stack(terms)
    expected = torch.autograd.grad(loss.sum(), leaves)
    with torch.no_grad():
        led = lead(features, blank, masks, **weights)
        dmasks = torch.zeros_like(masks).scatter_add_(1, led.reaching, led.masks)
    torch.testing.assert_close(led.loss, loss.detach(), rtol=1e-10, atol=1e-12)
    for ours, theirs in zip((led.features, led.blank, dmasks), expected, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-10, atol=1e-12)


def test_an_image_of_nothing_leads_nowhere() -> None:
    _, blank, masks = scenes(1)
    led = lead(blank[:, None, None].expand(R, B, N, F), blank, masks, **WEIGHTS)
    assert not led.loss.any()
    assert not led.features.any()
    assert not led.masks.any()
