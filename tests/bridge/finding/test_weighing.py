"""Two readings of one picture weighed against each other."""

from dataclasses import replace

import numpy as np
import pytest

from predinet_prolog.bridge.finding.instances import boxes_of
from predinet_prolog.bridge.finding.patches import Patches
from predinet_prolog.bridge.finding.weighing import MOST, WEIGHTS, Reading, read, weighed
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


def patches(*blocks: Block, strength: float = 40.0) -> Patches:
    owner = drawn(FINE, *blocks)
    return Patches(owner, np.where(owner > 0, strength, 0).astype(np.float32), FINE)


def network(*blocks: Block) -> Reading:
    owner = drawn(COARSE, *blocks)
    return Reading(boxes_of(owner) / COARSE, owner, COARSE)


def taken(ours: Reading, theirs: Patches, **weights: float) -> list[list[float]]:
    boxes, _ = weighed(ours, theirs, replace(WEIGHTS, **weights))
    return sorted(boxes.tolist())


LARGE = (100, 40, 380, 360)
SMALL = (420, 100, 460, 140)


def test_a_large_thing_in_pieces_is_one() -> None:
    pieces = (100, 40, 380, 100), (100, 100, 200, 360), (340, 320, 380, 360)
    found = network(*pieces, SMALL)
    assert taken(found, patches(LARGE, SMALL)) == [[*LARGE], [*SMALL]]
    assert len(taken(found, patches(LARGE, SMALL), fill=0.0)) == 4
    halves = network((100, 40, 160, 240), (260, 240, 380, 360))
    assert len(taken(halves, patches(LARGE))) == 1
    assert len(taken(halves, patches(LARGE), split=-8.0)) == 2


def test_things_that_meet_at_a_corner_are_two() -> None:
    one, other = (100, 100, 200, 200), (200, 200, 300, 300)
    joined = patches((100, 100, 200, 200), (200, 200, 300, 300))
    joined = joined._replace(owner=np.minimum(joined.owner, 1))
    assert taken(network(one, other), joined) == [[*one], [*other]]
    assert len(taken(network(one, other), joined, split=0.0)) == 1


def test_a_crumb_of_a_thing_is_none() -> None:
    """Of two shapes that fill half of their box, the network divides one in halves and takes a corner off the other."""
    corner = patches((100, 100, 220, 300), (220, 100, 300, 140))
    corner = corner._replace(owner=np.minimum(corner.owner, 1))
    halves, crumb = (
        network((100, 100, 220, 200), (100, 200, 220, 300)),
        network((100, 100, 220, 300), (280, 100, 300, 120)),
    )
    assert len(taken(crumb, corner)) == 1
    assert len(taken(crumb, corner, crumb=0.0)) == len(taken(halves, corner, crumb=0.0))


def test_a_thing_inside_a_ring_is_found_and_a_piece_beside_is_not() -> None:
    ring = drawn(FINE, LARGE, (110, 50, 370, 350))
    ring = np.where(ring == 2, 0, ring)
    inside = ring + 2 * drawn(FINE, (200, 150, 260, 210))
    both = Patches(inside, np.full(inside.shape, 40, dtype=np.float32), FINE)
    assert taken(network(LARGE), both) == [[*LARGE], [200, 150, 260, 210]]
    assert taken(network(LARGE), both, enclosed=0.0) == [[*LARGE]]
    beside = patches((100, 40, 300, 360), (320, 40, 380, 360))
    assert taken(network(LARGE), beside) == [[*LARGE]]
    assert len(taken(network(LARGE), beside, joined=0.0)) == 2


def test_what_only_patches_show_is_a_thing_unless_it_is_faint() -> None:
    owner = drawn(0.4, LARGE)
    found = Reading(boxes_of(owner) / 0.4, owner, 0.4)
    assert taken(found, patches(LARGE, SMALL)) == [[*LARGE], [*SMALL]]
    assert taken(found, patches(LARGE, SMALL, strength=4.2)) == [[*LARGE]]
    assert len(taken(found, patches(LARGE, SMALL, strength=4.2), clear=20.0)) == 2


@pytest.mark.parametrize(("scale", "kept"), [(COARSE, False), (0.4, True)])
def test_what_only_the_network_finds_is_a_thing_where_it_sees_as_much(scale: float, kept: bool) -> None:
    owner = drawn(scale, SMALL)
    assert taken(Reading(boxes_of(owner) / scale, owner, scale), patches()) == ([[*SMALL]] if kept else [])


def test_crumbs_and_textures_are_no_patches() -> None:
    assert read(patches(LARGE, (10, 10, 14, 14))).boxes.tolist() == [[*LARGE]]
    many = [(10 * (k % 48), 10 * (k // 48), 10 * (k % 48) + 8, 10 * (k // 48) + 8) for k in range(MOST + 1)]
    assert taken(network(LARGE), patches(*many)) == [[*LARGE]]
    assert len(taken(network(LARGE), patches(*many[:MOST]))) > 1


def test_what_touches_is_told_by_who_was_believed() -> None:
    one, other = (100, 100, 200, 200), (200, 200, 300, 300)
    joined = patches(one, other)._replace(owner=np.minimum(drawn(FINE, one, other), 1))
    boxes, touching = weighed(network(one, other), joined)
    assert touching == ((0, 1),)
    near = patches((100, 100, 200, 200), (202, 100, 300, 200), (320, 100, 380, 200))
    boxes, touching = weighed(network(), near)
    assert [boxes[number, 0] for pair in touching for number in pair] == [100, 202]
