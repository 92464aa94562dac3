"""Two readings of one picture weighed against each other."""

from dataclasses import replace

import numpy as np
import pytest

from predinet_prolog.bridge.finding.instances import Reading, boxes_of
from predinet_prolog.bridge.finding.patches import Patches
from predinet_prolog.bridge.finding.weighing import GROUPS, TRUST, WEIGHTS, Look, Weighed, Weights, weighed
from predinet_prolog.bridge.scene import FloatArray, IntArray

Block = tuple[int, int, int, int]
FINE, COARSE = 0.5, 0.1
"""Scales of patches and of the network's picture; blocks are given in pixels of the picture."""


def drawn(scale: float, *blocks: Block) -> IntArray:
    owner = np.zeros((round(400 * scale), round(500 * scale)), dtype=np.int64)
    for number, block in enumerate(blocks, start=1):
        left, top, right, bottom = (round(side * scale) for side in block)
        owner[top:bottom, left:right] = number
    return owner


def reading(owner: IntArray, scale: float = FINE, clear: float = 3.0) -> Patches:
    return Patches(boxes_of(owner) / scale, owner, scale, np.where(owner > 0, clear, 0).astype(np.float32))


def patches(*blocks: Block, clear: float = 3.0) -> Patches:
    return reading(drawn(FINE, *blocks), clear=clear)


def network(*blocks: Block) -> Reading:
    return reading(drawn(COARSE, *blocks), COARSE)


def nothing(part: FloatArray, long: float) -> FloatArray:
    """What a network finds that finds nothing when it looks again."""
    return np.zeros((0, 4))


def the_same(reading: Reading) -> Look:
    """What a network finds that finds the same when it looks again."""
    return lambda part, long: reading.boxes


def both(ours: Reading, theirs: Patches, weights: Weights = WEIGHTS, look: Look = nothing) -> Weighed:
    return weighed(ours, theirs, look, weights)


def taken(ours: Reading, theirs: Patches, look: Look = nothing, **weights: float) -> list[list[float]]:
    return sorted(both(ours, theirs, replace(WEIGHTS, **weights), look).boxes.tolist())


LARGE = (100, 40, 380, 360)
SMALL = (420, 100, 460, 140)


def joined(*blocks: Block) -> Patches:
    """One patch of these blocks."""
    return reading(np.minimum(drawn(FINE, *blocks), 1))


def test_a_large_thing_in_pieces_is_one() -> None:
    found = network((100, 40, 380, 140), (100, 140, 380, 250), (100, 250, 380, 360), SMALL)
    assert taken(found, patches(LARGE, SMALL)) == [[*LARGE], [*SMALL]]
    assert taken(found, patches(LARGE, SMALL), the_same(found)) == [[*LARGE], [*SMALL]]
    assert len(taken(found, patches(LARGE, SMALL), the_same(found), neck=0.0)) == 4


def test_things_that_meet_at_half_a_side_and_are_found_again_are_two() -> None:
    one, other = (100, 60, 300, 200), (300, 130, 490, 270)
    found = network(one, other)
    assert taken(found, joined(one, other), the_same(found)) == [[*one], [*other]]
    assert len(taken(found, joined(one, other))) == 1
    assert len(taken(found, joined(one, other), the_same(found), base=3.2)) == 2
    assert len(taken(found, joined(one, other), the_same(found), base=3.2, again=0.0)) == 1
    elsewhere = np.array([[20, 300, 60, 340]] * 9, dtype=float)
    assert len(taken(found, joined(one, other), lambda part, long: np.concatenate([found.boxes, elsewhere]))) == 2


def test_a_thing_inside_a_ring_is_found_and_a_piece_beside_is_not() -> None:
    ring = drawn(FINE, LARGE, (110, 50, 370, 350))
    ring = np.where(ring == 2, 0, ring)
    inside = ring + 2 * drawn(FINE, (200, 150, 260, 210))
    seen, coarse = reading(inside), ring[::5, ::5]
    bare = Reading(boxes_of(coarse) / COARSE, coarse, COARSE)
    assert taken(bare, seen) == [[*LARGE], [200, 150, 260, 210]]
    assert taken(bare, seen, enclosed=0.0) == [[*LARGE]]
    assert taken(network(LARGE), seen) == [[*LARGE]]  # what fills the ring is the thing's
    most = reading(ring + 2 * drawn(FINE, (160, 100, 320, 300)))  # more pixels than the ring has
    assert len(taken(bare, most)) == 2
    assert taken(bare, reading(ring + 2 * drawn(FINE, (130, 70, 350, 330)))) == [[*LARGE]]  # little ground is left
    for side in range(4):  # the picture's edge closes what it cuts
        cut = np.rot90(drawn(FINE, (0, 40, 280, 360), (0, 50, 270, 350)) % 2, side)
        bare = Reading(reading(cut).boxes, cut[::5, ::5], COARSE)
        assert len(taken(bare, reading(cut + 2 * np.rot90(drawn(FINE, (100, 150, 160, 210)), side)))) == 2
    beside = patches((100, 40, 300, 360), (320, 40, 380, 360))
    assert [len(taken(network(LARGE), beside, joined=weight)) for weight in (WEIGHTS.joined, 0.0)] == [1, 2]
    assert len(taken(network(LARGE), replace(beside, boxes=beside.boxes + np.array([0, 0, 0, 40.5])))) == 1


def test_what_only_patches_show_is_a_thing_unless_it_is_small_and_beside_one() -> None:
    assert taken(network(LARGE), patches(LARGE, SMALL)) == [[*LARGE], [*SMALL]]
    assert taken(network(LARGE), patches(LARGE, SMALL), base=-9.0) == [[*LARGE]]
    near, far = (384, 100, 396, 112), (450, 100, 466, 116)
    assert taken(network(LARGE), patches(LARGE, near)) == [[*LARGE]]
    assert taken(network(LARGE), patches(LARGE, near), long=0.0) == [[*LARGE], [*near]]
    assert taken(network(LARGE), patches(LARGE, far)) == [[*LARGE], [*far]]
    assert taken(network(LARGE), patches(LARGE, far), gap=0.0) == [[*LARGE]]
    corner = drawn(FINE, (100, 40, 110, 360), (370, 100, 390, 120), (100, 350, 380, 360))  # beside its box alone
    assert len(taken(network(), reading(np.array([0, 1, 2, 1])[corner]))) == 2


def test_a_thing_far_from_the_size_that_the_network_sees_best_is_one() -> None:
    found = network((400, 100, 420, 120), (420, 110, 440, 130))
    assert len(taken(found, joined((400, 100, 420, 120), (420, 110, 440, 130)), the_same(found))) == 1
    assert len(taken(found, joined((400, 100, 420, 120), (420, 110, 440, 130)), the_same(found), strange=0.0)) == 2


def test_where_both_agree_nothing_is_looked_at_again() -> None:
    def look(part: FloatArray, long: float) -> FloatArray:
        raise AssertionError

    assert taken(network(LARGE, SMALL), patches(LARGE, SMALL), look) == [[*LARGE], [*SMALL]]


def shining(patch: Patches, clear: float) -> Patches:
    """The same on what is so clear all over."""
    return replace(patch, clear=np.full_like(patch.clear, clear))


def test_what_only_the_network_finds_is_a_thing_unless_it_is_small_or_like_the_ground() -> None:
    assert taken(network(LARGE, SMALL), shining(patches(), 2)) == [[*LARGE]]
    assert taken(network(LARGE, SMALL), shining(patches(), 2), long=0.0) == [[*LARGE], [*SMALL]]
    assert taken(network(LARGE), shining(patches(), 1.2)) == [[*LARGE]]
    assert taken(network(LARGE), shining(patches(), 1.2), unseen=0.0) == []
    assert taken(network(LARGE), shining(patches(), 1)) == []
    assert taken(network((370, 40, 480, 360)), shining(patches(LARGE), 2)) == [[*LARGE]]  # as what lies on a larger one


def test_a_patch_like_the_texture_of_the_ground_is_no_thing() -> None:
    block = (100, 100, 300, 300)
    assert taken(network(), patches(block, clear=2)) == [[*block]]
    assert taken(network(), patches(block, clear=2), clear=0.0) == []
    assert taken(network(), patches(block, clear=0.9)) == []


def test_texture_goes_with_the_ground_and_not_with_a_thing_that_lies_on_it() -> None:
    block, around = (100, 100, 200, 200), (60, 60, 300, 300)
    patch = patches(around)
    assert taken(network(block), patch) == [[*around]]
    texture = replace(patch, clear=np.where(drawn(FINE, block) > 0, patch.clear, 0.6))
    assert taken(network(block), texture) == [[*block]]
    assert taken(network(block), texture, rest=0.0) == [[*around]]


def test_what_touches_is_told_by_who_was_believed() -> None:
    one, other = (100, 100, 200, 200), (200, 200, 300, 300)
    found = network(one, other)
    boxes, touching, *_ = both(found, joined(one, other), look=the_same(found))
    assert touching == ((0, 1),)
    near = patches((100, 100, 200, 200), (202, 100, 300, 200), (320, 100, 380, 200))
    boxes, touching, *_ = both(network(), near, replace(WEIGHTS, base=9.0))
    assert [boxes[number, 0] for pair in touching for number in pair] == [100, 202]


def test_what_least_speaks_for_is_named_and_lost() -> None:
    one, other = (100, 100, 200, 200), (200, 200, 300, 300)
    found, patch = network(one, other), joined(one, other)
    assert both(found, patches(one, other)).lost == 0
    even = both(found, reading(patch.owner + 2 * drawn(FINE, SMALL)), Weights(0.1, *[0] * 11))
    assert (even.lost, even.unsure.tolist()) == (pytest.approx(2 * np.log(1 + np.exp(-0.1))), [100, 100, 300, 300])
    assert even.boxes.tolist() == [[100, 100, 300, 300], [*SMALL]]


def test_trust_falls_with_what_is_lost_where_things_touch_and_with_what_is_faint_or_small() -> None:
    sure = both(network(LARGE), patches(LARGE, clear=20))
    assert TRUST.of(sure, touching=False) == pytest.approx(0.957, abs=0.001)
    assert TRUST.of(sure, touching=True) == pytest.approx(0.891, abs=0.001)
    assert TRUST.of(sure._replace(lost=np.log(2)), touching=False) == pytest.approx(0.665, abs=0.001)
    assert TRUST.of(None, touching=False) == pytest.approx(0.957, abs=0.001)
    faint = both(network(LARGE), patches(LARGE, clear=1.5))
    assert (faint.clear, faint.smallest) == (pytest.approx(np.log(1.6)), 160)
    assert TRUST.of(faint, touching=False) == pytest.approx(0.576, abs=0.001)
    bead = (420, 100, 444, 120)
    small = both(network(LARGE, bead), patches(LARGE, bead, clear=20))
    assert TRUST.of(small, touching=False) == pytest.approx(0.926, abs=0.001)
    assert small.unsure.tolist() == [*bead]


def test_whole_are_large_patches_that_the_edge_does_not_cut() -> None:
    assert both(network(), patches(LARGE, SMALL, (470, 0, 500, 300), (0, 370, 300, 400))).whole.tolist() == [[*LARGE]]


def test_textures_and_what_goes_across_the_picture_are_what_the_network_says() -> None:
    shelf, toys = (0, 200, 500, 220), [(60, 100, 140, 200), (300, 120, 380, 200)]
    assert taken(network(*toys), joined(shelf, *toys)) == [[*map(float, toy)] for toy in toys]
    assert both(network(*toys), joined(shelf, *toys)).lost == pytest.approx(np.log(2))
    assert taken(network(), joined(shelf)) == []
    assert taken(network(), joined((20, 200, 500, 220))) == [[20, 200, 500, 220]]
    many = [(10 * (k % 48), 10 * (k // 48), 10 * (k % 48) + 8, 10 * (k // 48) + 8) for k in range(GROUPS.most + 1)]
    assert taken(network(LARGE), patches(*many)) == [[*LARGE]]
    assert len(taken(network(LARGE), patches(*many[: GROUPS.most]), long=0.0)) > 1
