"""What is joined, and when it is several things."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy import ndimage

from predinet_prolog.bridge.finding.dividing import TRUST, WEIGHTS, divided
from predinet_prolog.bridge.finding.instances import Reading, boxes_of
from predinet_prolog.bridge.finding.patches import Patches
from predinet_prolog.bridge.scene import IntArray

Block = tuple[int, int, int, int]
FINE, COARSE = 0.5, 0.1
"""Scales of patches and of the network's picture; blocks are given in pixels of the picture."""


def drawn(scale: float, *blocks: Block) -> IntArray:
    owner = np.zeros((round(400 * scale), round(500 * scale)), dtype=np.int64)
    for number, block in enumerate(blocks, start=1):
        left, top, right, bottom = (round(side * scale) for side in block)
        owner[top:bottom, left:right] = number
    return owner


def reading(owner: IntArray, scale: float = FINE, doubt: float = 0.0) -> Patches:
    boxes, likely = boxes_of(owner) / scale, np.where(owner > 0, np.float32(0.999), np.float32(0.001))
    return Patches(boxes, owner, scale, likely, np.column_stack([boxes, np.full(len(boxes), doubt)]), (boxes, boxes))


def patches(*blocks: Block) -> Patches:
    return reading(drawn(FINE, *blocks))


def network(*blocks: Block) -> Reading:
    return reading(drawn(COARSE, *blocks), COARSE)


def taken(ours: Reading, theirs: Patches, **weights: float) -> list[list[float]]:
    return sorted(divided(ours, theirs, replace(WEIGHTS, **weights)).boxes.tolist())


LARGE = (100, 40, 380, 360)
SMALL = (420, 100, 460, 140)


def joined(*blocks: Block, seam: float = 0.6) -> Patches:
    """One patch of these blocks, between which pixels are a thing's so likely."""
    owner = drawn(FINE, *blocks)
    patch = reading(np.minimum(owner, 1))
    patch.likely[(ndimage.grey_dilation(owner, (3, 3)) != owner) & (owner > 0)] = seam
    return patch


def test_a_large_thing_in_pieces_is_one() -> None:
    pieces = network((100, 40, 380, 140), (100, 140, 380, 250), (100, 250, 380, 360), SMALL)
    assert taken(pieces, patches(LARGE, SMALL)) == [[*LARGE], [*SMALL]]
    assert len(taken(pieces, patches(LARGE, SMALL), joined=0.0, strange=0.0)) == 4


ONE, OTHER = (60, 60, 200, 200), (200, 130, 340, 270)


@pytest.mark.parametrize(("seam", "count"), [(0.02, 2), (0.75, 2), (0.93, 1), (0.999, 1)])
def test_ground_between_things_is_seen_be_it_hardly(seam: float, count: int) -> None:
    patch = joined(ONE, OTHER, seam=seam)
    assert len(taken(network(ONE, OTHER), patch)) == count
    assert len(taken(network(ONE, OTHER), patch, joined=0.0)) == 2
    patch.likely[66:68, 95:105] = 0.999  # a way around
    assert len(taken(network(ONE, OTHER), patch)) == 1


@pytest.mark.parametrize("blocks", [((9, 60, 250, 200), (250, 130, 491, 270)), ((60, 60, 90, 90), (90, 70, 120, 99))])
def test_things_of_a_size_that_the_network_sees_badly_are_one(blocks: tuple[Block, Block]) -> None:
    assert len(taken(network(*blocks), joined(*blocks))) == 1
    assert len(taken(network(*blocks), joined(*blocks), strange=0.0)) == 2


def test_parts_that_are_one_thing_to_the_network_are_one_where_they_are_crumbs_or_lie_within_it() -> None:
    upper, lower, small = (100, 40, 200, 90), (100, 100, 200, 160), (100, 100, 140, 156)
    whole = network((100, 40, 200, 160))
    assert taken(whole, patches(upper, small)) == [[100, 40, 200, 156]]
    assert taken(network(upper, lower), patches(upper, small)) == [[*upper], [*small]]
    assert taken(whole, patches(upper, (100, 100, 140, 158))) == [[*upper], [100, 100, 140, 158]]
    assert taken(whole, patches(upper, lower)) == [[*upper], [*lower]]
    beam, post = (100, 40, 300, 100), (100, 40, 160, 300)
    angle = np.minimum(drawn(FINE, beam) + drawn(FINE, post), 1)
    for right, count in ((440, 1), (460, 2)):  # .417 and .385 of it within the angle's box
        within = reading(np.maximum(angle, 2 * drawn(FINE, (200, 140, right, 200))))
        assert len(taken(network((100, 40, right, 300)), within)) == count


def test_what_lies_in_a_ring_is_another_thing() -> None:
    ring, inner = (300, 40, 480, 220), (360, 100, 420, 160)
    owner = drawn(FINE, ring, inner)
    assert taken(network(ring), reading(owner)) == [[*ring]]
    owner[drawn(FINE, (310, 50, 470, 210)) > 0] = 0
    assert taken(network(ring), reading(np.maximum(owner, 2 * drawn(FINE, inner)))) == [[*ring], [*inner]]
    for turns in range(4):  # the picture's edge closes what it cuts
        cut = np.rot90(drawn(FINE, (0, 40, 280, 360), (0, 50, 270, 350)) % 2, turns)
        filled = cut + 2 * np.rot90(drawn(FINE, (100, 150, 160, 210)), turns)
        assert len(taken(reading(cut[::5, ::5], COARSE), reading(filled))) == 2
    angle = np.where(drawn(FINE, (160, 40, 300, 260)) > 0, 0, drawn(FINE, (100, 40, 300, 360)))
    corner = reading(angle + 2 * drawn(FINE, (200, 60, 340, 200)))  # nothing in the angle, to the network
    assert len(taken(network((100, 40, 160, 360)), corner)) == 2


def test_what_touches_and_whose_pixels_are_is_told_by_who_was_believed() -> None:
    assert divided(network(ONE, OTHER), joined(ONE, OTHER)).touching == ((0, 1),)
    boxes, _, touching, *_ = divided(network(), patches(ONE, (202, 60, 300, 200), (320, 60, 380, 200)))
    assert [boxes[number, 0] for pair in touching for number in pair] == [60, 202]
    three = reading(joined(ONE, OTHER).owner + 2 * drawn(FINE, SMALL))
    _, owner, *_ = divided(network(ONE, OTHER), three, replace(WEIGHTS, joined=0.0))
    assert (np.unique(owner).tolist(), boxes_of(owner).tolist()) == ([0, 3], [[210, 50, 230, 70]])


def test_whole_are_large_patches_that_the_edge_does_not_cut() -> None:
    assert divided(network(), patches(LARGE, SMALL, (470, 0, 500, 300), (0, 370, 300, 400))).whole.tolist() == [
        [*LARGE]
    ]


def test_what_only_one_reading_shows_is_what_the_patches_say() -> None:
    assert taken(network(LARGE), patches(SMALL)) == [[*SMALL]]
    assert taken(network((100, 40, 380, 140)), patches(LARGE, SMALL)) == [[*LARGE], [*SMALL]]
    assert taken(network(LARGE), patches()) == []


def test_what_goes_across_the_picture_is_what_the_network_says() -> None:
    shelf, toys = (0, 200, 500, 220), [(60, 100, 140, 200), (300, 120, 380, 200)]
    assert taken(network(*toys), joined(shelf, *toys)) == [[*map(float, toy)] for toy in toys]
    assert taken(network(), joined(shelf)) == []
    assert taken(network(), joined((20, 200, 500, 220))) == [[20, 200, 500, 220]]


def test_trust_falls_where_much_is_lost_things_touch_or_are_small_and_looks_differ() -> None:
    sure = {"touching": False, "agreed": 1.0}
    large, unlike = (TRUST.of(0.0, 30.0, touching=False, agreed=agreed) for agreed in (1.0, 0.0))
    assert large > 0.9
    assert large == TRUST.of(0.0, 60.0, **sure)
    for better, worse in (
        (large, TRUST.of(9.0, 30.0, **sure)),
        (large, TRUST.of(0.0, 4.0, **sure)),
        (large, unlike),
        (unlike, TRUST.of(0.0, 30.0, touching=True, agreed=0.0)),
    ):
        assert worse < better - 0.01


def test_looks_that_find_the_same_confirm_it() -> None:
    one, two = patches(LARGE).boxes, patches(LARGE, SMALL).boxes
    three = patches(LARGE, SMALL, (20, 20, 60, 60)).boxes
    trusts = [
        divided(network(), replace(patches(LARGE, SMALL), looks=looks)).trust
        for looks in ((two, two), (two, one), (three, two), (one, three))
    ]
    assert all(more > less + 0.01 for more, less in pairwise(trusts))


def test_what_is_hardest_to_read_is_named_and_lost() -> None:
    clear, doubtful = patches(LARGE, SMALL), patches(LARGE, SMALL)
    doubtful.doubts[1, 4] = 16.0
    assert divided(network(), doubtful).unsure.tolist() == [*SMALL]
    assert divided(network(), doubtful).trust < divided(network(), clear).trust - 0.1
    tiny = (300, 20, 306, 26)
    assert divided(network(), patches(LARGE, SMALL, tiny)).unsure.tolist() == [*tiny]
    unsure = divided(network(ONE, OTHER), joined(ONE, OTHER, seam=0.9)).unsure
    assert unsure.tolist() == [60, 60, 340, 270]
