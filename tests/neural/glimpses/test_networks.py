"""Finder and comparator: shapes, what they see and what they are blind to, normalisations that fold away."""

import pytest
import torch
from torch import Tensor, nn

from predinet_prolog.neural.glimpses.comparator import Comparator
from predinet_prolog.neural.glimpses.config import GlimpseConfig
from predinet_prolog.neural.glimpses.finder import Conv, Finder, Found, prepared

WIDTHS = (4, 6, 8, 10)
GROUPS = {"look": 3, "colour": 2, "shape": 4, "type": 5}
"""In an order that no sorting gives, with one whose name PyTorch keeps to itself."""
HEADS = ("salience", "ownership", "votes", "extent", "doubt")


@pytest.fixture(autouse=True)
def _seed() -> None:
    torch.manual_seed(0)


def finder(*, normed: bool = False) -> Finder:
    return Finder(WIDTHS, normed=normed).eval().requires_grad_(False)


def comparator(*, normed: bool = False) -> Comparator:
    return Comparator(GROUPS, normed=normed).eval().requires_grad_(False)


def glimpses(n: int = 3) -> Tensor:
    return torch.rand(n, 7, 32, 32) * 2 - 1


def as_before(found: Found, other: Found, atol: float = 1e-5) -> None:
    for head in HEADS:
        torch.testing.assert_close(getattr(found, head), getattr(other, head), rtol=0, atol=atol, msg=head)


def test_the_relations_of_a_group_are_in_its_place() -> None:
    config = GlimpseConfig(WIDTHS, GROUPS)
    assert config.relations == 14
    assert [config.of_group(name) for name in GROUPS] == [(0, 1, 2), (3, 4), (5, 6, 7, 8), (9, 10, 11, 12, 13)]
    with pytest.raises(KeyError):
        config.of_group("size")


def test_what_moves_is_found_as_far_moved() -> None:
    """Away from the edges, by whole places of the coarsest level."""
    network, scene = finder(), torch.zeros(1, 6, 48, 1024)
    scene[..., 480:520] = torch.randn(6, 48, 40)
    found, moved = network(scene), network(scene.roll(32, 3))
    for head in HEADS:
        one, other = getattr(found, head), getattr(moved, head)
        unit = 1024 // one.shape[-1]
        middle = slice(320 // unit, 704 // unit)
        torch.testing.assert_close(one[..., middle], other.roll(-32 // unit, -1)[..., middle], rtol=0, atol=1e-5)
    assert found.ownership[..., 200:300].std() > 10 * found.ownership[..., 200:204].std()


def test_the_finder_sees_pictures_and_what_differs_from_their_ground() -> None:
    pictures, ground = torch.full((1, 3, 4, 4), 192.0), torch.full((1, 3, 4, 4), 128.0)
    inputs = prepared(pictures, ground)
    assert inputs.shape == (1, 6, 4, 4)
    assert (inputs[:, :3] == 0.5).all()
    assert (inputs[:, 3:] == 1).all()


def unsettled(network: nn.Module) -> nn.Module:
    """With normalisations as training leaves them."""
    for module in network.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.running_mean = torch.randn_like(module.weight) / 5
            module.running_var = torch.rand_like(module.weight) + 0.5
            module.weight.copy_(torch.rand_like(module.weight) + 0.5)
            module.bias.copy_(torch.randn_like(module.bias) / 5)
    return network


@pytest.mark.parametrize("kind", ["finder", "comparator"])
def test_normalisations_fold_away(kind: str) -> None:
    network = unsettled(finder(normed=True) if kind == "finder" else comparator(normed=True))
    inputs = torch.randn(2, 6, 32, 48) if kind == "finder" else glimpses()
    before = network(inputs)
    for _ in range(2):  # nothing is left to fold the second time
        for module in network.modules():
            if isinstance(module, Conv):
                module.fold()
        after = network(inputs)
        if kind == "finder":
            as_before(before, after, 1e-4)
        else:
            torch.testing.assert_close(before.mask, after.mask, rtol=0, atol=1e-4)
            torch.testing.assert_close(before.coordinates, after.coordinates, rtol=0, atol=1e-4)
    plain = finder() if kind == "finder" else comparator()
    assert network.state_dict().keys() == plain.state_dict().keys()


def test_coordinates_come_in_the_order_of_the_groups_and_all_but_colour_is_seen_upright() -> None:
    network, lying = comparator(), glimpses()
    compared = network(lying, torch.arange(32 * 32).view(32, 32).flip(0).T.flatten())
    mask = torch.sigmoid(network(lying).mask)[:, None]
    standing = [x.flip(2).transpose(2, 3) for x in (lying, mask)]
    seen = [(lying, mask) if name == "colour" else standing for name in GROUPS]
    groups = [group(*own) for own, group in zip(seen, network.groups.values(), strict=True)]
    assert [group.shape[1] for group in groups] == list(GROUPS.values())
    torch.testing.assert_close(torch.cat(groups, dim=1), compared.coordinates, rtol=0, atol=1e-6)


def test_colour_does_not_see_where_pixels_are() -> None:
    group, seen = comparator().groups["colour"], glimpses()
    own = torch.rand(3, 1, 32, 32)
    order = torch.randperm(256)

    def shuffled(x: Tensor) -> Tensor:
        x = x.clone()
        x[..., ::2, ::2] = x[..., ::2, ::2].flatten(2)[..., order].unflatten(2, (16, 16))
        return x

    torch.testing.assert_close(group(shuffled(seen), shuffled(own)), group(seen, own), rtol=0, atol=1e-5)
    assert not torch.allclose(group(shuffled(seen), own), group(seen, own), rtol=0, atol=1e-4)


def test_shape_does_not_see_colour() -> None:
    group, own = comparator().groups["shape"], torch.rand(3, 1, 32, 32)
    assert torch.equal(group(glimpses(), own), group(glimpses(), own))
    assert not torch.allclose(group(glimpses(), own), group(glimpses(), own.flip(3)), rtol=0, atol=1e-4)
