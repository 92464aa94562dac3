"""What the finder is taught, where it is told nothing, and that its weights decay while it learns."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

from predinet_prolog.neural.glimpses.config import REACH, STRIDE
from predinet_prolog.neural.glimpses.finder import Found
from predinet_prolog.neural.glimpses.finding_loss import CLUTTER, Targets, finding_loss
from predinet_prolog.neural.glimpses.optimising import Plan, optimise

SIDE = 8 * REACH
PLACES = SIDE // STRIDE


def maps() -> Found:
    """Of one picture, SIDE × SIDE pixels."""
    torch.manual_seed(0)
    salience, own = torch.randn(2, 1, PLACES, PLACES)
    votes, extent = torch.randn(1, 2, PLACES, PLACES), torch.randn(1, 4, PLACES, PLACES)
    return Found(salience, own, votes, extent, torch.randn(1, SIDE // REACH, SIDE // REACH))


def targets() -> Targets:
    """A thing at the left, and clutter in the right half."""
    owner = torch.zeros(1, SIDE, SIDE, dtype=torch.int64)
    owner[:, 4:16, 4:16] = 1
    owner[:, :, SIDE // 2 :] = CLUTTER
    return Targets(owner, torch.tensor([[[4.0, 4, 16, 16]]]))


def elsewhere(values: Tensor, *, left: bool) -> Tensor:
    """`values` (..., w) with others in the left half, or in the right one."""
    changed, half = values.clone(), values.shape[-1] // 2
    where = slice(0, half) if left else slice(half, None)
    changed[..., where] += 1
    return changed


@pytest.mark.parametrize("head", ["salience", "ownership", "votes", "extent"])
def test_in_clutter_nothing_but_doubt_is_taught(head: str) -> None:
    said, truth = maps(), targets()
    loss = finding_loss(said, truth)
    right = replace(said, **{head: elsewhere(getattr(said, head), left=False)})
    left = replace(said, **{head: elsewhere(getattr(said, head), left=True)})
    assert finding_loss(right, truth) == loss
    assert finding_loss(left, truth) != loss


def test_matrices_decay_by_a_fiftieth_of_the_rate_and_vectors_do_not(tmp_path: Path) -> None:
    network = nn.Linear(3, 2)
    before = {name: tensor.clone() for name, tensor in network.state_dict().items()}

    def flat(step: int) -> Tensor:
        return 0 * (network.weight.sum() + network.bias.sum())

    optimise(network, flat, Plan(1, 0.5), tmp_path / "state.safetensors", {}, lambda step, loss: None)
    torch.testing.assert_close(network.weight.data, before["weight"] * (1 - 0.5 / 50))
    torch.testing.assert_close(network.bias.data, before["bias"])
