"""What finders and comparators are shown and taught: augmentations, one's own pictures, scales, and both losses."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from predinet_prolog.domains.domain import Annotated, Truth
from predinet_prolog.neural.glimpses.augment import Augmentation
from predinet_prolog.neural.glimpses.comparator import Compared
from predinet_prolog.neural.glimpses.comparing_loss import comparing_loss
from predinet_prolog.neural.glimpses.config import REACH, STRIDE
from predinet_prolog.neural.glimpses.cutting import cut
from predinet_prolog.neural.glimpses.drawn import boxes_of
from predinet_prolog.neural.glimpses.finder import Found
from predinet_prolog.neural.glimpses.finding_loss import CLUTTER, UNTOLD, Targets, finding_loss
from predinet_prolog.neural.glimpses.ground import fit_plane
from predinet_prolog.neural.glimpses.optimising import Plan, optimise
from predinet_prolog.neural.glimpses.own import OwnGlimpses, owners

WAYS = [
    Augmentation(channels, inverted, bool(way & 1), bool(way & 2), bool(way & 4))
    for way, (channels, inverted) in enumerate([((0, 1, 2), False), ((2, 0, 1), False), ((1, 0, 2), True)] * 3)
]


def picture(height: int = 40, width: int = 60) -> np.ndarray:
    """A grey slope with a red block at (10, 5) to (25, 20) and a green one at (35, 18) to (51, 30)."""
    drawn = np.repeat(np.linspace(150, 190, width)[None, :, None], height, 0).repeat(3, 2).astype(np.uint8)
    drawn[5:20, 10:25] = (250, 30, 40)
    drawn[5:12, 10:14] = (40, 30, 40)
    drawn[18:30, 35:51] = (20, 230, 60)
    return drawn


BOXES = np.array([[10, 5, 25, 20], [35, 18, 51, 30]], dtype=np.float64)


@pytest.mark.parametrize("way", WAYS)
def test_glimpses_of_an_augmented_picture_are_the_augmented_glimpses(way: Augmentation) -> None:
    seen = picture()
    changed = way.turned(way.coloured(seen.astype(np.float32)), 0).astype(np.uint8)
    boxes = way.boxes(BOXES.astype(np.float32), *seen.shape[:2])
    expected = cut(np.ascontiguousarray(changed), fit_plane(changed), boxes)
    found = way.glimpses(cut(seen, fit_plane(seen), BOXES))
    assert np.abs(found - expected).max() < 3 / 64  # resampling rounds to whole grey levels


@pytest.mark.parametrize("way", WAYS)
def test_boxes_of_an_augmented_picture_fit_its_things(way: Augmentation) -> None:
    owner = np.zeros((40, 60), dtype=np.uint8)
    owner[5:20, 10:25], owner[18:30, 35:51], owner[0, 0] = 1, 3, 255
    boxes = boxes_of(owner, 3)
    assert boxes.tolist() == [[10, 5, 25, 20], [0, 0, 0, 0], [35, 18, 51, 30]]
    assert (way.boxes(boxes, 40, 60) == boxes_of(way.turned(owner, 0), 3)).all()


def test_pixels_in_a_box_that_differ_from_the_ground_are_the_things() -> None:
    seen = np.full((50, 80, 3), 200, dtype=np.uint8)
    seen[10:30, 10:30] = 40
    seen[15:25, 15:25] = 200  # a hole, or a part of the ground's colour
    seen[10:30, 40:60] = 190  # hardly clear of the ground
    seen[40:45, 65:75] = 40  # a smear that is no thing
    boxes = np.array([[9, 9, 31, 31], [40, 10, 60, 30]], dtype=np.float64)
    owner = owners(seen, fit_plane(seen), boxes)
    assert (owner[10:15, 10:30] == 1).all()
    assert (owner[15:25, 15:25] == UNTOLD).all()
    assert (owner[10:30, 40:60] == UNTOLD).all()
    assert (owner[9, 9:31] == 0).all()
    assert (owner[40:45, 65:75] == 0).all()
    both = owners(seen, fit_plane(seen), np.array([[10, 10, 30, 30], [10, 10, 20, 30]], float))
    assert set(np.unique(both[10:30, 10:15])) == {UNTOLD}
    assert set(np.unique(both[10:30, 25:30])) == {1}


def world() -> Annotated:
    """Two large pictures, one tall one, one with nothing in it."""
    drawn = [picture(), picture(), picture().swapaxes(0, 1).copy(), np.full((40, 60, 3), 90, np.uint8)]
    boxes = np.concatenate([BOXES, BOXES, BOXES[:, [1, 0, 3, 2]]])
    values = {"colour": np.array([0, 1, 0, 1, 0, -1]), "size": np.arange(6)}
    return Annotated(tuple("abcd"), drawn, Truth(np.repeat([0, 1, 2], 2), boxes, values))


def test_own_glimpses_are_of_whole_pictures_with_what_is_told() -> None:
    glimpses = OwnGlimpses(world(), seed=1)
    assert list(glimpses.values) == ["colour"]
    seen, images, values = glimpses.some(3, np.random.default_rng(1))
    assert seen.shape == (4, 7, 32, 32)
    assert len(set(images.tolist())) == 2
    assert set(values["colour"].tolist()) <= {0, 1, -1}


def compared(coordinates: list[float], mask: float = 0.0) -> Compared:
    return Compared(torch.full((len(coordinates), 2, 2), mask), torch.tensor(coordinates)[:, None])


def loss(
    coordinates: list[float], values: list[int], pictures: list[int], masks: torch.Tensor | None = None, **more: object
) -> float:
    told = {"colour": ([0], torch.tensor(values))}
    none = torch.zeros(0, 2, 2)
    return comparing_loss(
        compared(coordinates),
        none if masks is None else masks,
        torch.tensor(pictures),
        told,
        **more,
    ).item()


def test_what_is_alike_is_to_lie_close_and_what_is_not_far() -> None:
    good, bad = [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]
    assert loss(good, [5, 5, 6], [0, 0, 0]) < 0.05 < 5 < loss(bad, [5, 5, 6], [0, 0, 0])


def test_pairs_are_of_one_picture_but_for_values_that_mean_the_same_everywhere() -> None:
    assert loss([0.0, 1.0], [5, 5], [0, 1]) == 0
    assert loss([0.0, 1.0], [5, 5], [0, 1], across=("colour",)) > 4


def test_what_is_not_told_is_not_judged() -> None:
    assert loss([0.0, 1.0, 0.0], [5, -1, -1], [0, 0, 0], across=("colour",)) == 0
    assert loss([0.0, 1.0], [-1, -1], [0, 0]) == 0


def test_only_the_masks_that_are_told_are_judged() -> None:
    assert loss([0.0, 1.0], [5, 6], [0, 0], torch.ones(1, 2, 2)) == pytest.approx(4 * np.log(2), abs=0.05)


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
